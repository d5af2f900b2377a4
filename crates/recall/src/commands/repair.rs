//! The verbs that change what is remembered, from the command line of the installation.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use recall_core::id::{MemoryId, TraceId};
use recall_core::moment::Moment;
use recall_core::scope::{Owner, Scope};
use recall_store::SqlStore;
use recall_store::deed::{Actor, Deed, Edit, Execution, Feedback, Repaired, Restatement, TraceSelection, Turn};
use serde::Serialize;

use super::pages;
use super::say::say;
use super::table::rows;
use crate::cli::ScopeArgs;
use crate::cli::repair::{CallsArgs, DeedArgs, DoubtArgs, SuppressionCommand, Thought, ThoughtArgs, UpdateArgs};
use crate::config::Config;
use crate::door::{MAX_CONTENT_BYTES, fault_of_words};
use crate::view::repair::{DeletedView, RepairedView, RestatedView, SuppressionView};
use crate::wire::{self, Access};

/// The store, for writing, once it is sure that it is of this build and that its hashes are of our key.
pub(super) async fn store(config: &Config) -> anyhow::Result<Arc<SqlStore>> {
    let store = wire::store(config, &Access::Work { address: String::new() })?;
    wire::prepare(config, &store).await?;
    Ok(store)
}

pub(super) fn deed(reason: &str) -> anyhow::Result<Deed> {
    Deed::new(Actor::Operator("local".into()), reason).context("--reason")
}

fn memory(args: &DeedArgs) -> anyhow::Result<(MemoryId, Deed)> {
    Ok((args.one.id.parse().context("the id of a memory")?, deed(&args.reason)?))
}

pub(super) fn moment(flag: &'static str, text: Option<&str>) -> anyhow::Result<Option<Moment>> {
    text.map(|text| text.parse().context(flag)).transpose()
}

/// Forgets or restores one memory.
pub(super) async fn turn(args: DeedArgs, turn: Turn, config: &Config) -> anyhow::Result<ExitCode> {
    let (id, deed) = memory(&args)?;
    let repaired =
        store(config).await?.turn_memory(&args.one.namespace, &id, turn, &deed).await.map_err(wire::explained)?;
    tell(repaired, args.one.json)
}

/// Deletes one memory for good.
pub(super) async fn delete(args: DeedArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let (id, deed) = memory(&args)?;
    let deleted = store(config).await?.delete_memory(&args.one.namespace, &id, &deed).await.map_err(wire::explained)?;
    let view = DeletedView::from(deleted);
    if args.one.json {
        return print(&view);
    }
    say!("deleted for good: {}", view.memory_ids.join(" "));
    say!("kept from being learnt again by: {}", view.suppression_ids.join(" "));
    Ok(ExitCode::SUCCESS)
}

/// Tells a memory anew, or edits what leaves its claim as it is.
pub(super) async fn update(args: UpdateArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let (mut id, deed) = memory(&args.deed)?;
    let one = &args.deed.one;
    let expires_at = moment("--expires-at", args.expires_at.as_deref())?;
    anyhow::ensure!(args.content.is_some() || expires_at.is_some(), "name --content or --expires-at");
    let store = store(config).await?;
    let mut view = RestatedView { memory_id: id.to_string(), trace_id: None, changes: RepairedView::default() };
    let words = [("--content", &args.content), ("--attribute", &args.attribute), ("--value", &args.value)];
    for (flag, text) in words {
        let fault = text.as_deref().and_then(|text| fault_of_words(text, MAX_CONTENT_BYTES));
        anyhow::ensure!(fault.is_none(), "{flag} {}", fault.unwrap_or_default());
    }
    if let Some(content) = args.content {
        let told = Restatement { content, attribute: args.attribute, value: args.value };
        let restated = store.restate((&one.namespace, &id), &told, &deed).await.map_err(wire::explained)?;
        id = restated.memory_id.clone();
        view = RestatedView::from(restated);
    }
    if expires_at.is_some() {
        let edit = Edit::ExpiresAt(expires_at);
        store.edit((&one.namespace, &id), &edit, &deed).await.map_err(wire::explained)?;
    }
    if one.json {
        return print(&view);
    }
    say!("it is told by {} now", view.memory_id);
    if let Some(trace_id) = &view.trace_id {
        say!("`recall trace forget {trace_id}` takes the correction back");
    }
    Ok(ExitCode::SUCCESS)
}

/// Doubts a memory, or sets it against another.
pub(super) async fn dispute(args: DoubtArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let (id, deed) = memory(&args.deed)?;
    let with: Option<MemoryId> = args.with.map(|id| id.parse()).transpose().context("--with")?;
    let one = &args.deed.one;
    let about = (one.namespace.as_str(), &id, with.as_ref());
    let repaired = store(config).await?.dispute(about, &deed).await.map_err(wire::explained)?;
    tell(repaired, one.json)
}

/// Settles the disputes of a memory in its favour.
pub(super) async fn settle(args: DeedArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let (id, deed) = memory(&args)?;
    let repaired = store(config).await?.settle(&args.one.namespace, &id, &deed).await.map_err(wire::explained)?;
    tell(repaired, args.one.json)
}

/// Notes what somebody thought of a memory.
pub(super) async fn feedback(args: ThoughtArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let id = args.one.id.parse().context("the id of a memory")?;
    let feedback = match args.feedback {
        Thought::Useful => Feedback::Useful,
        Thought::Wrong => Feedback::Wrong,
        Thought::Stale => Feedback::Stale,
    };
    let deed = deed("feedback")?;
    store(config).await?.feedback((&args.one.namespace, &id), feedback, &deed).await.map_err(wire::explained)?;
    say!("noted");
    Ok(ExitCode::SUCCESS)
}

/// Notes that memories were read.
pub(super) async fn touch(ids: &[String], namespace: &str, config: &Config) -> anyhow::Result<ExitCode> {
    let ids: Vec<MemoryId> = ids.iter().map(|id| id.parse()).collect::<Result<_, _>>().context("the id of a memory")?;
    let touched = store(config).await?.touch(namespace, &ids).await.map_err(wire::explained)?;
    say!("{touched} noted, {} not there", ids.len() as u64 - touched);
    Ok(ExitCode::SUCCESS)
}

/// Takes back or restores all that calls said.
pub(super) async fn calls(args: CallsArgs, turn: Turn, config: &Config) -> anyhow::Result<ExitCode> {
    let ids = args.ids.iter().map(|id| id.parse::<TraceId>().context("the id of a trace"));
    let selection = TraceSelection {
        owner: args.of.owner(),
        namespace: args.of.namespace,
        trace_ids: ids.collect::<Result<_, _>>()?,
        since: moment("--since", args.since.as_deref())?,
        until: moment("--until", args.until.as_deref())?,
        prompt_version: args.prompt_version,
    };
    let everything = TraceSelection { namespace: selection.namespace.clone(), ..TraceSelection::default() };
    anyhow::ensure!(
        selection != everything,
        "name calls by their ids, --user, --account, --since, --until or --prompt-version"
    );
    let execution = if args.dry_run { Execution::DryRun } else { Execution::Real };
    let deed = deed(&args.reason)?;
    let repaired =
        store(config).await?.turn_traces(&selection, (turn, execution), &deed).await.map_err(wire::explained)?;
    if args.dry_run && !args.json {
        say!("dry run: nothing was changed");
    }
    tell(repaired, args.json)
}

/// Suppressed claims.
pub(super) async fn suppression(command: SuppressionCommand, config: &Config) -> anyhow::Result<ExitCode> {
    match command {
        SuppressionCommand::List { scope, json } => {
            let scope = checked(scope)?;
            let store = wire::store(config, &Access::Read)?;
            let whose = (scope.namespace(), scope.owner());
            let listed = pages::all(async |page| store.suppressions(whose, &page).await).await?;
            let views: Vec<SuppressionView> = listed.into_iter().map(SuppressionView::from).collect();
            if json {
                return print(&views);
            }
            let mut table = rows(["suppressed claim", "about", "polarity", "added", "lifted"]);
            for view in views {
                let lifted = view.lifted_at.unwrap_or_default();
                table.add_row([view.suppression_id, view.names.join(" "), view.polarity, view.created_at, lifted]);
            }
            say!("{table}");
        }
        SuppressionCommand::Add { text, scope, reason } => {
            let fault = fault_of_words(&text, MAX_CONTENT_BYTES);
            anyhow::ensure!(fault.is_none(), "the claim {}", fault.unwrap_or_default());
            let (scope, deed) = (checked(scope)?, deed(&reason)?);
            let id = store(config).await?.suppress(&scope, text.trim(), &deed).await.map_err(wire::explained)?;
            say!("suppressed by {id}");
        }
        SuppressionCommand::Lift { id, namespace, reason } => {
            let id = id.parse().context("the id of a suppressed claim")?;
            store(config).await?.lift(&namespace, &id, &deed(&reason)?).await.map_err(wire::explained)?;
            say!("lifted: the claim may be learnt again");
        }
        SuppressionCommand::Test { text, scope } => {
            let store = wire::store(config, &Access::Read)?;
            match store.would_suppress(&checked(scope)?, text.trim()).await.map_err(wire::explained)? {
                Some(id) => say!("kept out by {id}"),
                None => say!("not suppressed"),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn checked(args: ScopeArgs) -> anyhow::Result<Scope> {
    let owner = args.account.map_or(Owner::User(args.user), Owner::Account);
    Ok(Scope::new(args.namespace, owner, args.agent)?)
}

pub(super) fn tell(repaired: Repaired, json: bool) -> anyhow::Result<ExitCode> {
    let view = RepairedView::from(repaired);
    if json {
        return print(&view);
    }
    let mut table = rows(["calls", "gone", "there again", "otherwise", "kept away"]);
    let counts = [view.gone, view.returned, view.changed, view.suppressed].map(|count| count.to_string());
    table.add_row(std::iter::once(view.traces.to_string()).chain(counts));
    say!("{table}");
    let moved = view.memory_ids;
    let lists = [("gone", moved.gone), ("there again", moved.returned), ("otherwise", moved.changed)];
    for (what, ids) in lists.into_iter().filter(|(_, ids)| !ids.is_empty()) {
        say!("{what}: {}", ids.join(" "));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn print(view: &impl Serialize) -> anyhow::Result<ExitCode> {
    say!("{}", serde_json::to_string_pretty(view)?);
    Ok(ExitCode::SUCCESS)
}
