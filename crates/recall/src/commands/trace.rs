//! `recall trace`: how a call went, step by step.

use super::pages;
use super::repair::{self, moment};
use super::say::say;
use super::table::rows;
use std::process::ExitCode;

use anyhow::Context as _;
use recall_core::run::{Outcome, Verdict};
use recall_core::stage::Reason;
use recall_store::Store as _;
use recall_store::deed::Turn;
use recall_store::record::{Trace, TraceFilter};

use super::memory::named;
use crate::cli::TraceCommand;
use crate::cli::lists::TraceListArgs;
use crate::config::Config;
use crate::wire;

/// Columns of the waterfall.
const WIDTH: usize = 40;

pub(super) async fn run(command: TraceCommand, config: &Config) -> anyhow::Result<ExitCode> {
    match command {
        TraceCommand::Forget(args) => return repair::calls(args, Turn::Forget, config).await,
        TraceCommand::Restore(args) => return repair::calls(args, Turn::Restore, config).await,
        TraceCommand::Show { id, namespace, json } => {
            let store = wire::store(config, &wire::Access::Read)?;
            let id = id.parse().context("the id of a trace")?;
            let trace = store.trace(&namespace, &id).await.map_err(wire::explained)?;
            let Some(trace) = trace else { anyhow::bail!("namespace {namespace:?} has no trace {id}") };
            if json {
                say!("{}", serde_json::to_string_pretty(&trace)?);
            } else {
                print(&trace);
            }
        }
        TraceCommand::List(args) => return list(args, config).await,
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(args: TraceListArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let filter = TraceFilter {
        owner: args.of.owner(),
        namespace: args.of.namespace,
        since: moment("--since", args.since.as_deref())?,
        until: moment("--until", args.until.as_deref())?,
        status: named("--status", args.status, "queued, parked, done or dead")?,
        operation: named("--operation", args.operation, "remember, literal or restate")?,
    };
    let store = wire::store(config, &wire::Access::Read)?;
    let page = pages::first(args.limit, async |page| store.traces(&filter, &page).await).await?;
    if args.json {
        say!("{}", serde_json::to_string_pretty(&page.items)?);
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = rows(["trace", "status", "session", "committed", "turns", "candidates", "stored"]);
    for line in &page.items {
        table.add_row([
            line.trace_id.to_string(),
            format!("{:?}", line.status).to_lowercase(),
            line.session_id.clone().unwrap_or_default(),
            line.committed_at.map(|at| at.to_string()).unwrap_or_default(),
            line.turn_count.to_string(),
            line.candidate_count.to_string(),
            line.stored_count.to_string(),
        ]);
    }
    say!("{table}");
    if page.next_cursor.is_some() {
        say!("there are more; --limit shows them");
    }
    Ok(ExitCode::SUCCESS)
}

fn print(trace: &Trace) {
    let summary = &trace.summary;
    say!("{}  {}", summary.trace_id, format!("{:?}", summary.status).to_lowercase());
    if let Some(scope) = &summary.scope {
        say!("scope {scope}, session {}", summary.session_id.as_deref().unwrap_or("-"));
    }
    if let Some(by) = &trace.extracted_by {
        say!("read by {} {} with prompt {} {}", by.provider, by.model, by.prompt_name, by.prompt_version);
    }
    if let Some(error) = &summary.error {
        say!("last error: {error} (attempts charged: {})", summary.attempts);
    }
    trace.notes.iter().for_each(|note| say!("note: {note}"));
    waterfall(trace);
    let mut turns = rows(["turn", "pre-filter"]);
    for turn in &trace.turns {
        let verdict = turn.dropped.map_or("kept".to_owned(), |reason| format!("dropped: {reason}"));
        turns.add_row([turn.turn_id.to_string(), verdict]);
    }
    say!("{turns}");
    let mut verdicts = rows(["candidate", "outcome", "cites", "found"]);
    for verdict in &trace.verdicts {
        verdicts.add_row(verdict_line(verdict));
    }
    say!("{verdicts}");
}

fn waterfall(trace: &Trace) {
    let end = trace.spans.iter().map(|span| (span.started + span.took).as_secs_f64()).fold(1e-9, f64::max);
    for span in &trace.spans {
        let column = |seconds: f64| ((seconds / end) * WIDTH as f64).round() as usize;
        let start = column(span.started.as_secs_f64()).min(WIDTH - 1);
        let length = column(span.took.as_secs_f64()).clamp(1, WIDTH - start);
        let bar = format!("{}{}", " ".repeat(start), "█".repeat(length));
        let ended: Vec<String> = span.dropped.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
        say!(
            "{:>10} {bar:<WIDTH$} {:>9.3} ms  {:>4} items  {}",
            span.stage,
            span.took.as_secs_f64() * 1e3,
            span.items,
            ended.join(", ")
        );
    }
}

/// What stands in the place of a candidate that is not kept: it was none, or its words were deleted.
pub(super) fn unsaid(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Dropped(dropped) if dropped.reason == Reason::Malformed => "(not of the schema)",
        Outcome::Dropped(_) | Outcome::Stored { .. } | Outcome::Merged { .. } => "(deleted)",
    }
}

/// A verdict as a row: candidate, outcome, turns, findings.
pub(super) fn verdict_line(verdict: &Verdict) -> [String; 4] {
    let candidate = verdict.candidate.as_ref();
    let outcome = match &verdict.outcome {
        Outcome::Stored { memory_id, reason: None } => format!("stored {memory_id}"),
        Outcome::Stored { memory_id, reason: Some(reason) } => format!("stored {memory_id} ({reason})"),
        Outcome::Merged { memory_id } => format!("merged into {memory_id}"),
        Outcome::Dropped(dropped) => format!("{}: {}", dropped.stage, dropped.reason),
    };
    let cites: Vec<&str> =
        candidate.iter().flat_map(|candidate| &candidate.evidence).map(|cited| cited.turn_id.as_str()).collect();
    let mut found = Vec::new();
    if let Some(support) = verdict.support {
        found.push(format!("{support:?}").to_lowercase());
    }
    for reference in verdict.resolution.iter().flat_map(|resolution| &resolution.references) {
        let whom = if reference.entity.is_empty() { "?".to_owned() } else { reference.entity.join(" and ") };
        let distance = reference.distance.map_or("-".to_owned(), |distance| distance.to_string());
        found.push(format!("{} = {whom} (distance {distance}, margin {:.2})", reference.pronoun, reference.margin));
    }
    if let Some(when) = verdict.when.as_ref().filter(|when| when.expression.is_some()) {
        let at = when.event_at.map(|at| at.to_string()).unwrap_or_default();
        found.push(format!("{:?} = {at}", when.expression.as_deref().unwrap_or_default()));
    }
    if let Some(calibration) = &verdict.calibration {
        let factors: Vec<String> =
            calibration.factors.iter().map(|factor| format!("{} {:.2}", factor.name, factor.value)).collect();
        found.push(format!("confidence {:.2} ({})", calibration.confidence, factors.join(", ")));
    }
    let content = candidate.map_or_else(|| unsaid(&verdict.outcome).to_owned(), |candidate| candidate.content.clone());
    [content, outcome, cites.join(" "), found.join("\n")]
}
