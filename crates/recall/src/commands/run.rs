//! `recall run`: reprocessing runs, looked at and moved.

use std::process::ExitCode;

use anyhow::Context as _;
use recall_core::id::BatchId;
use recall_store::SqlStore;
use recall_store::batches::{BatchRecord, BatchStatus};
use recall_store::deed::Actor;
use recall_store::swap::Swap;
use serde_json::{Value, json};

use super::dead::rows;
use super::pages;
use super::remote::Remote;
use super::repair::deed;
use super::say::say;
use super::swap;
use crate::cli::reprocess::{MoveArgs, OneRunArgs, RunCommand};
use crate::config::Config;
use crate::view::runs::RunView;
use crate::view::swap::StandingView;
use crate::wire;

pub(super) async fn run(command: RunCommand, config: &Config) -> anyhow::Result<ExitCode> {
    match command {
        RunCommand::List { namespace, limit, json } => list(config, &namespace, limit, json).await,
        RunCommand::Show(one) => show(config, &one).await,
        RunCommand::Pause(args) => moved(config, &args, ("pause", BatchStatus::Paused)).await,
        RunCommand::Resume(args) => moved(config, &args, ("resume", BatchStatus::Running)).await,
        RunCommand::Swap(args) => swap::moved(args, Swap::In, config).await,
        RunCommand::Rollback(args) => swap::moved(args, Swap::Out, config).await,
        RunCommand::Cancel(args) => moved(config, &args, ("cancel", BatchStatus::Cancelled)).await,
    }
}

async fn list(config: &Config, namespace: &str, limit: u32, json: bool) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Read)?;
    let page = pages::first(limit, async |page| store.batches(namespace, &page).await).await?;
    let more = page.next_cursor.is_some();
    let views: Vec<RunView> = page.items.into_iter().map(RunView::from).collect();
    if json {
        say!("{}", serde_json::to_string_pretty(&views)?);
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = rows(["run", "status", "calls", "settled", "known", "dead", "memories", "cost", "prompt", "began"]);
    for view in &views {
        table.add_row([
            view.run_id.clone(),
            view.status.clone(),
            view.calls.to_string(),
            view.settled.to_string(),
            view.known.to_string(),
            view.dead.to_string(),
            view.memories.to_string(),
            money(view.cost_micros),
            word(&view.spec, "prompt_version"),
            view.created_at.clone(),
        ]);
    }
    say!("{table}");
    if more {
        say!("there are more; --limit shows them");
    }
    Ok(ExitCode::SUCCESS)
}

async fn show(config: &Config, one: &OneRunArgs) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Read)?;
    let id = id(one)?;
    let found = store.batch(&one.namespace, &id).await.map_err(wire::explained)?;
    let found = found.with_context(|| format!("namespace {:?} has no run {id}", one.namespace))?;
    tell(&store, found, one.json).await?;
    Ok(ExitCode::SUCCESS)
}

async fn moved(config: &Config, args: &MoveArgs, (verb, to): (&str, BatchStatus)) -> anyhow::Result<ExitCode> {
    let id = id(&args.one)?;
    // A reason is checked as that of every deed.
    deed(&args.reason)?;
    let view: RunView = if let Some(remote) = Remote::find(config) {
        // The host is of no account: path and query are taken from it, written as they travel.
        let url = format!("http://localhost/v1/runs/{id}/{verb}");
        let url = reqwest::Url::parse_with_params(&url, [("namespace", &args.one.namespace)])?;
        let path = format!("{}?{}", url.path(), url.query().unwrap_or_default());
        remote.post(&path, &json!({ "reason": args.reason })).await?
    } else {
        let store = wire::store(config, &wire::Access::Work { address: String::new() })?;
        wire::prepare(config, &store).await?;
        let by = Actor::Operator("local".into()).to_string();
        let why = (by.as_str(), args.reason.trim());
        store.move_batch((&args.one.namespace, &id), to, why).await.map_err(wire::explained)?.into()
    };
    print(&view, args.one.json)?;
    Ok(ExitCode::SUCCESS)
}

fn id(one: &OneRunArgs) -> anyhow::Result<BatchId> {
    one.id.parse().context("the id of a run")
}

/// Prints a run with its dead letters.
pub(super) async fn tell(store: &SqlStore, run: BatchRecord, json: bool) -> anyhow::Result<()> {
    let whose = (run.namespace.as_str(), &run.id);
    let standing = store.standing_if_any(whose).await.map_err(wire::explained)?;
    let letters = store.batch_letters(whose, &RunView::LETTERS).await.map_err(wire::explained)?;
    print(&RunView::with(run, standing, &letters.items), json)
}

fn print(view: &RunView, json: bool) -> anyhow::Result<()> {
    if json {
        say!("{}", serde_json::to_string_pretty(view)?);
        return Ok(());
    }
    say!("{}  {}", view.run_id, view.status);
    say!(
        "{} calls of {} turns; {} settled, {} of them known before; {} done, {} dead, {} dropped",
        view.calls,
        view.turns,
        view.settled,
        view.known,
        view.done,
        view.dead,
        view.dropped
    );
    say!(
        "{} memories; {} model calls, {} + {} tokens, cost {}",
        view.memories,
        view.model_calls,
        view.prompt_tokens,
        view.completion_tokens,
        money(view.cost_micros)
    );
    say!(
        "prompt {}, model {} {}, whose: {}",
        word(&view.spec, "prompt_version"),
        word(&view.spec, "provider"),
        word(&view.spec, "model"),
        word(&view.spec, "whose")
    );
    if let Some(StandingView { calls, scopes, swapped, replaced }) = view.standing {
        say!(
            "stands in for what it read again in {swapped} of {scopes} scopes: {calls} calls of its own in the place of {replaced}"
        );
    }
    say!("begun {} by {}, last moved or fed {}", view.created_at, view.actor, view.changed_at);
    if let (Some(by), Some(reason)) = (&view.moved_by, &view.reason) {
        say!("{} by {by}: {reason}", view.status);
    }
    if !view.dead_letters.is_empty() {
        let mut table = rows(["dead letter", "session", "class", "reason", "attempts"]);
        for letter in &view.dead_letters {
            table.add_row([
                letter.id.clone(),
                letter.session_id.clone().unwrap_or_default(),
                letter.class.clone(),
                letter.reason.clone(),
                letter.attempts.to_string(),
            ]);
        }
        say!("{table}");
        say!("`recall dead show ID` tells the whole story; `recall dead requeue ID` sends one on");
    }
    Ok(())
}

fn word(spec: &Value, field: &str) -> String {
    spec.get(field).and_then(Value::as_str).unwrap_or("-").to_owned()
}

/// Millionths of a currency unit for people.
pub(super) fn money(micros: u64) -> String {
    format!("{}.{:02}", micros / 1_000_000, micros % 1_000_000 / 10_000)
}
