//! `recall dead`: calls that could not be done.

use std::process::ExitCode;

use anyhow::Context as _;
use comfy_table::{ContentArrangement, Table, presets};
use recall_store::Store as _;
use recall_store::record::{DeadFilter, DeadLetter, Tenants};
use serde::Deserialize;
use serde_json::{Value, json};

use super::pages;
use super::remote::Remote;
use super::say::say;
use crate::cli::fleet::DeadCommand;
use crate::config::Config;
use crate::fleet::Queue;
use crate::letters::{self, DeadStory, DeadView, Decided, Outcome};
use crate::wire;

/// Who did something, for trails.
const ACTOR: &str = "operator:cli";

#[derive(Deserialize)]
struct DecidedAll {
    items: Vec<Decided>,
    next_cursor: Option<String>,
}

pub(super) async fn run(command: DeadCommand, config: &Config) -> anyhow::Result<ExitCode> {
    match command {
        DeadCommand::List { namespace, class, limit, json } => {
            let filter = DeadFilter { class, ..DeadFilter::of(namespace.map_or(Tenants::All, Tenants::One)) };
            if json { list_json(config, &filter, limit).await } else { list(config, &filter, limit).await }
        }
        DeadCommand::Show { id, payload, json } => {
            let (mut story, letter) = story(config, &id).await?;
            story.payload = payload.then(|| letters::payload(&letter));
            if json {
                say!("{}", serde_json::to_string_pretty(&story)?);
            } else {
                print(&mut story);
            }
            Ok(ExitCode::SUCCESS)
        }
        DeadCommand::Requeue { all: true, namespace, class, reason, json, .. } => {
            letters::check_words(reason.as_deref()).map_err(|detail| anyhow::anyhow!("--reason {detail}"))?;
            let tenants = namespace.map_or(Tenants::All, Tenants::One);
            let died_before = Some(crate::clock::now());
            let filter = DeadFilter { class, reason, died_before, ..DeadFilter::of(tenants) };
            let decided = requeue_all(config, &filter).await?;
            if json { tell_json(&decided) } else { Ok(tell_all(&decided)) }
        }
        DeadCommand::Requeue { ids, json, .. } => {
            let decided = requeue(config, &ids).await?;
            if json { tell_json(&decided) } else { Ok(tell(&decided)) }
        }
        DeadCommand::Drop { ids, reason, json } => {
            let decided = drop_all(config, &ids, &reason).await?;
            if json { tell_json(&decided) } else { Ok(tell(&decided)) }
        }
    }
}

async fn list_json(config: &Config, filter: &DeadFilter, limit: u32) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Read)?;
    let page = pages::first(limit, async |page| store.dead_letters(filter, &page).await).await?;
    let views: Vec<DeadView> = page.items.iter().map(DeadView::from).collect();
    say!("{}", serde_json::to_string_pretty(&views)?);
    Ok(ExitCode::SUCCESS)
}

async fn list(config: &Config, filter: &DeadFilter, limit: u32) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Read)?;
    let page = pages::first(limit, async |page| store.dead_letters(filter, &page).await).await?;
    if page.items.is_empty() {
        say!("no dead letters");
    } else {
        let mut table = rows(["id", "whose", "session", "class", "reason", "attempts", "age"]);
        for letter in &page.items {
            let view = DeadView::from(letter);
            let whose = view.scope.as_ref().map(ToString::to_string).or(view.namespace.clone());
            table.add_row([
                view.id,
                whose.unwrap_or_default(),
                view.session_id.unwrap_or_default(),
                view.class,
                view.reason,
                view.attempts.to_string(),
                age(view.age_seconds),
            ]);
        }
        say!("{table}");
        if page.next_cursor.is_some() {
            say!("there are more; --limit shows them");
        }
    }
    match wire::depth(config, &store).await? {
        Queue::Embedded => {}
        Queue::Broker(Ok(depth)) => {
            for (queue, waiting) in [("dead", depth.exhausted), ("unrouted", depth.unrouted)] {
                if waiting > 0 {
                    let prefix = &config.queue.prefix;
                    say!("{waiting} in {prefix}.{queue}; a worker makes dead letters of them as soon as one lives");
                }
            }
        }
        Queue::Broker(Err(why)) => say!("the safety queues could not be asked: {why}"),
    }
    Ok(ExitCode::SUCCESS)
}

async fn story(config: &Config, id: &str) -> anyhow::Result<(DeadStory, DeadLetter)> {
    let store = wire::store(config, &wire::Access::Read)?;
    let found = letters::story(&*store, &Tenants::All, id).await.map_err(wire::explained)?;
    found.with_context(|| format!("{id} is no dead letter; `recall trace show` tells where a call is"))
}

fn print(story: &mut DeadStory) {
    let letter = &story.letter;
    say!("{}  {}: {}", letter.id, letter.class, letter.reason);
    let whose = letter.scope.as_ref().map_or_else(|| "unknown".into(), ToString::to_string);
    let session = letter.session_id.as_deref().unwrap_or("-");
    say!("scope {whose}, session {session}, {} turns, attempts charged: {}", letter.turn_count, letter.attempts);
    say!("died {} ago", age(letter.age_seconds));
    let mut table = rows(["first", "last", "times", "what", "class", "reason", "by"]);
    for event in &story.history {
        let time = |at: Option<recall_core::moment::Moment>| at.map(|at| at.to_string()).unwrap_or_default();
        table.add_row([
            time(event.first_at),
            time(event.last_at),
            event.times.to_string(),
            event.event.as_str().to_owned(),
            event.class.clone(),
            event.reason.clone(),
            event.actor.clone(),
        ]);
    }
    say!("{table}");
    match story.payload.take() {
        Some(payload) => say!("{payload:#}"),
        None => say!("--payload prints the message, which holds words of people"),
    }
}

async fn requeue(config: &Config, ids: &[String]) -> anyhow::Result<Vec<Decided>> {
    check(ids)?;
    if let Some(remote) = Remote::find(config) {
        return Ok(remote.post::<DecidedAll>("/v1/dead/requeue", &json!({ "ids": ids })).await?.items);
    }
    let store = wire::store(config, &wire::Access::Work { address: String::new() })?;
    letters::requeue(&*store, &Tenants::All, ids, ACTOR).await.map_err(wire::explained)
}

/// Sends on everything of a filter, a part at a time.
async fn requeue_all(config: &Config, filter: &DeadFilter) -> anyhow::Result<Vec<Decided>> {
    let remote = Remote::find(config);
    let store = match &remote {
        Some(_) => None,
        None => Some(wire::store(config, &wire::Access::Work { address: String::new() })?),
    };
    let (mut decided, mut cursor) = (Vec::new(), None);
    loop {
        let part = match (&remote, &store) {
            (Some(remote), _) => remote.post::<DecidedAll>("/v1/dead/requeue", &asked(filter, cursor.as_ref())).await?,
            (None, Some(store)) => {
                let part = letters::requeue_chunk(&**store, filter, cursor, ACTOR).await.map_err(wire::explained)?;
                DecidedAll { items: part.decided, next_cursor: part.next_cursor }
            }
            (None, None) => return Ok(decided),
        };
        decided.extend(part.items);
        cursor = part.next_cursor;
        if cursor.is_none() {
            return Ok(decided);
        }
    }
}

/// A filter as the request of a part.
fn asked(filter: &DeadFilter, cursor: Option<&String>) -> Value {
    let namespace = match &filter.tenants {
        Tenants::All => None,
        Tenants::One(namespace) => Some(namespace),
    };
    let died_before = filter.died_before.map(|at| at.to_string());
    let all = json!({ "class": filter.class, "reason": filter.reason, "died_before": died_before, "cursor": cursor });
    json!({ "namespace": namespace, "all": all })
}

/// How many of them came to what, and which could not be sent on.
fn tell_all(decided: &[Decided]) -> ExitCode {
    for outcome in Outcome::ALL {
        let these = decided.iter().filter(|decided| decided.outcome == outcome);
        if outcome.is_fine() {
            let number = these.count();
            if number > 0 {
                say!("{number} {}", outcome.told());
            }
        } else {
            these.for_each(|decided| say!("{} {}", decided.id, outcome.told()));
        }
    }
    if decided.is_empty() {
        say!("no dead letters of this kind");
    }
    code(decided)
}

async fn drop_all(config: &Config, ids: &[String], reason: &str) -> anyhow::Result<Vec<Decided>> {
    check(ids)?;
    letters::check_reason(reason).map_err(|detail| anyhow::anyhow!("--reason {detail}"))?;
    if let Some(remote) = Remote::find(config) {
        let body = json!({ "ids": ids, "reason": reason });
        return Ok(remote.post::<DecidedAll>("/v1/dead/drop", &body).await?.items);
    }
    let store = wire::store(config, &wire::Access::Work { address: String::new() })?;
    letters::drop_all(&*store, &Tenants::All, ids, reason.trim(), ACTOR).await.map_err(wire::explained)
}

fn check(ids: &[String]) -> anyhow::Result<()> {
    letters::check_ids(ids).map_err(|detail| anyhow::anyhow!("the ids {detail}"))
}

fn tell(decided: &[Decided]) -> ExitCode {
    for decided in decided {
        match decided.trace_id.as_deref().filter(|trace| *trace != decided.id) {
            Some(trace) => say!("{} {} as {trace}", decided.id, decided.outcome.told()),
            None => say!("{} {}", decided.id, decided.outcome.told()),
        }
    }
    code(decided)
}

fn tell_json(decided: &[Decided]) -> anyhow::Result<ExitCode> {
    say!("{}", serde_json::to_string_pretty(decided)?);
    Ok(code(decided))
}

fn code(decided: &[Decided]) -> ExitCode {
    if decided.iter().all(|decided| decided.outcome.is_fine()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A span of time for people, in its two largest units.
pub(super) fn age(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, _, _) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

/// A table with a header.
pub(super) fn rows<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}
