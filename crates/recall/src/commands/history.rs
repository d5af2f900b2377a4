//! Who changed what and why: the audit log, open disputes, and the whole story of one memory.

use std::process::ExitCode;

use anyhow::Context as _;
use recall_core::moment::Moment;
use recall_store::deed::{AuditEntry, AuditFilter, Story};
use serde_json::Value;

use super::pages;
use super::say::say;
use super::table::{rows, when};
use super::trace::verdict_line;
use crate::cli::repair::{AuditArgs, DisputesArgs, OneArgs};
use crate::config::Config;
use crate::view::repair::{AuditView, DisputeView, StoryView};
use crate::wire;

/// Prints the audit log.
pub(super) async fn audit(args: AuditArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let moment = |flag: &'static str, text: Option<String>| -> anyhow::Result<Option<Moment>> {
        text.map(|text| text.parse().context(flag)).transpose()
    };
    let filter = AuditFilter {
        owner: args.of.owner(),
        namespace: args.of.namespace,
        memory_id: args.memory.map(|id| id.parse()).transpose().context("--memory")?,
        trace_id: args.trace.map(|id| id.parse()).transpose().context("--trace")?,
        event_type: args.event,
        actor: args.actor,
        since: moment("--since", args.since)?,
        until: moment("--until", args.until)?,
    };
    let store = wire::store(config, &wire::Access::Read)?;
    let page = pages::first(args.limit, async |page| store.audit(&filter, &page).await).await?;
    if args.json {
        let views: Vec<AuditView> = page.items.into_iter().map(AuditView::from).collect();
        say!("{}", serde_json::to_string_pretty(&views)?);
    } else {
        print_changes(&page.items);
        if page.next_cursor.is_some() {
            say!("there are more; --limit shows them");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print_changes(changes: &[AuditEntry]) {
    let mut table = rows(["when", "what", "memory", "who", "why", "before", "after"]);
    for change in changes {
        table.add_row([
            change.at.to_string(),
            change.event_type.clone(),
            change.memory_id.as_ref().map(ToString::to_string).unwrap_or_default(),
            change.actor.clone(),
            change.reason.clone().unwrap_or_default(),
            short(change.before.as_ref()),
            short(change.after.as_ref()),
        ]);
    }
    say!("{table}");
}

/// The fields of a document that say something, in one line each.
fn short(document: Option<&Value>) -> String {
    let fields = document.and_then(Value::as_object).into_iter().flatten();
    let told = fields.filter(|(_, value)| !value.is_null() && !value.is_object());
    told.map(|(name, value)| format!("{name} {}", value.as_str().map_or(value.to_string(), str::to_owned)))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Prints open disputes with both sides.
pub(super) async fn disputes(args: DisputesArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let owner = args.of.owner();
    let store = wire::store(config, &wire::Access::Read)?;
    let whose = (args.of.namespace.as_str(), owner.as_ref());
    let open = pages::all(async |page| store.disputes(whose, &page).await).await?;
    if args.json {
        let views: Vec<DisputeView> = open.iter().map(DisputeView::from).collect();
        say!("{}", serde_json::to_string_pretty(&views)?);
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = rows(["one side", "says", "other side", "says", "since"]);
    for dispute in &open {
        let other = dispute.with.as_ref();
        table.add_row([
            dispute.memory.id.to_string(),
            dispute.memory.content.clone(),
            other.map_or("somebody doubts it".into(), |other| other.id.to_string()),
            other.map(|other| other.content.clone()).unwrap_or_default(),
            dispute.opened_at.to_string(),
        ]);
    }
    say!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// Prints the whole story of a memory.
pub(super) async fn why(args: OneArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let id = args.id.parse().context("the id of a memory")?;
    let store = wire::store(config, &wire::Access::Read)?;
    let story = store.story(&args.namespace, &id).await.map_err(wire::explained)?;
    let Some(story) = story else { anyhow::bail!("namespace {:?} has no memory {id}", args.namespace) };
    if args.json {
        say!("{}", serde_json::to_string_pretty(&StoryView::from(story))?);
    } else {
        print_story(&story);
    }
    Ok(ExitCode::SUCCESS)
}

fn print_story(story: &Story) {
    let memory = &story.memory;
    let standing = match (&story.gone, memory.deleted_at) {
        (Some(gone), _) => gone.clone(),
        (None, Some(_)) if story.aside.iter().any(|aside| aside.waits) => "waits".to_owned(),
        (None, Some(_)) => "taken back".to_owned(),
        (None, None) => memory.status.as_str().to_owned(),
    };
    say!("{}  {standing}  {}", memory.id, memory.content);
    say!("scope {}, {} of {}, {}", memory.scope, memory.attribute, memory.subject.name, when(memory));
    say!("sure {:.2}, matters {:.2}", memory.confidence, memory.importance);
    if let Some(by) = &memory.superseded_by {
        say!("its place was taken by {by}");
    }
    for aside in &story.aside {
        let how = if aside.waits {
            "what it says waits for the run"
        } else {
            "calls that said it were read again by the run"
        };
        say!("{how} {}", aside.run);
    }
    say!("\nsaid in");
    let mut said = rows(["turn", "who", "when", "words"]);
    for source in &memory.provenance.sources {
        let speaker = source.speaker.as_deref().unwrap_or(source.role.as_str());
        let at = source.said_at.map(|at| at.to_string()).unwrap_or_default();
        said.add_row([source.turn_id.as_str().to_owned(), speaker.to_owned(), at, source.quote.clone()]);
    }
    say!("{said}");
    for trace in &story.traces {
        say!("\ncall {}", trace.summary.trace_id);
        if let Some(by) = &trace.extracted_by {
            say!("read by {} {} with prompt {} {}", by.provider, by.model, by.prompt_name, by.prompt_version);
        }
        let mut verdicts = rows(["candidate", "outcome", "cites", "found"]);
        for verdict in trace.verdicts.iter().filter(|verdict| tells_of(verdict, &memory.id)) {
            verdicts.add_row(verdict_line(verdict));
        }
        say!("{verdicts}");
    }
    say!("\nchanges");
    print_changes(&story.changes);
}

fn tells_of(verdict: &recall_core::run::Verdict, id: &recall_core::id::MemoryId) -> bool {
    use recall_core::run::Outcome;
    match &verdict.outcome {
        Outcome::Stored { memory_id, .. } | Outcome::Merged { memory_id } => memory_id == id,
        Outcome::Dropped(_) => false,
    }
}
