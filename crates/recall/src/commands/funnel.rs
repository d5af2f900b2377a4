//! From turns to memories: how many of each went where, and why.

use super::places::Places;
use super::say::say;
use super::trace::unsaid;
use std::collections::{BTreeMap, BTreeSet};

use recall_core::run::{Outcome, Verdict};
use recall_core::stage::Reason;
use recall_store::record::{Trace, TraceStatus, TraceSummary};
use serde::Serialize;

/// Counts over one or several traces.
#[derive(Debug, Default, Serialize)]
pub(super) struct Funnel {
    /// Calls.
    calls: usize,
    /// Calls that are not done (parked or dead).
    unfinished: usize,
    /// Turns that came in.
    turns: usize,
    /// Turns the pre-filter kept.
    turns_kept: usize,
    /// Turns the pre-filter dropped, by reason.
    turns_dropped: BTreeMap<&'static str, usize>,
    /// Candidates the model proposed.
    candidates: usize,
    /// Candidates that were blocked, by `stage/reason`.
    blocked: BTreeMap<String, usize>,
    /// Candidates that joined a memory that says the same.
    merged: usize,
    /// Memories written.
    stored: usize,
    /// Of these, not plainly active: `newer_value`, `older_value`, `undecided`.
    stored_as: BTreeMap<&'static str, usize>,
    /// Requests to the model.
    model_calls: u32,
    /// Tokens of prompts.
    prompt_tokens: u64,
    /// Tokens of replies.
    completion_tokens: u64,
    /// Cost in millionths of the price table's unit.
    cost_micros: u64,
}

impl Funnel {
    /// Counts traces.
    pub(super) fn of(traces: &[Trace]) -> Self {
        let mut funnel = Self::default();
        for trace in traces {
            funnel.add(trace);
        }
        funnel
    }

    fn add(&mut self, trace: &Trace) {
        self.calls += 1;
        if trace.summary.status != TraceStatus::Done {
            self.unfinished += 1;
        }
        for turn in &trace.turns {
            self.turns += 1;
            match turn.dropped {
                None => self.turns_kept += 1,
                Some(reason) => *self.turns_dropped.entry(reason.as_str()).or_default() += 1,
            }
        }
        for verdict in &trace.verdicts {
            self.candidates += 1;
            match &verdict.outcome {
                Outcome::Dropped(dropped) => {
                    *self.blocked.entry(format!("{}/{}", dropped.stage, dropped.reason)).or_default() += 1;
                }
                Outcome::Merged { .. } => self.merged += 1,
                Outcome::Stored { reason, .. } => {
                    self.stored += 1;
                    if let Some(reason) = reason {
                        *self.stored_as.entry(reason.as_str()).or_default() += 1;
                    }
                }
            }
        }
        let usage = &trace.summary.usage;
        self.model_calls += usage.model_calls;
        self.prompt_tokens += usage.prompt_tokens;
        self.completion_tokens += usage.completion_tokens;
        self.cost_micros += usage.cost_micros;
    }

    /// Prints it for people.
    pub(super) fn print(&self) {
        say!("funnel");
        say!("  {:>6} turns in {} calls", self.turns, self.calls);
        say!("  {:>6} kept by the pre-filter{}", self.turns_kept, because(&self.turns_dropped, "dropped"));
        say!("  {:>6} candidates proposed", self.candidates);
        say!("  {:>6} blocked{}", self.blocked.values().sum::<usize>(), because(&self.blocked, "for"));
        say!("  {:>6} merged into memories that say the same", self.merged);
        say!("  {:>6} memories written{}", self.stored, because(&self.stored_as, "of these"));
        say!(
            "  {:>6} model calls, {} + {} tokens, cost {:.6}",
            self.model_calls,
            self.prompt_tokens,
            self.completion_tokens,
            self.cost_micros as f64 / 1e6
        );
        if self.unfinished > 0 {
            say!("  {:>6} calls are not done; `recall trace show ID` tells why", self.unfinished);
        }
    }
}

/// Candidates shown as blocked before the rest is only counted.
const MOST_SHOWN: usize = 20;

/// Prints what was blocked and why, in the words of the candidates, with the lines they cite. Credentials are not among the words shown.
pub(super) fn print_blocked(traces: &[Trace], places: &Places) {
    let of = |trace: &Trace| -> Vec<String> {
        trace.verdicts.iter().filter_map(|verdict| blocked(&trace.summary, verdict, places)).collect()
    };
    let lines: Vec<String> = traces.iter().flat_map(of).collect();
    if lines.is_empty() {
        return;
    }
    say!("blocked");
    lines.iter().take(MOST_SHOWN).for_each(|line| say!("  {line}"));
    if lines.len() > MOST_SHOWN {
        say!("  … and {} more; `recall trace show ID` lists them", lines.len() - MOST_SHOWN);
    }
}

fn blocked(call: &TraceSummary, verdict: &Verdict, places: &Places) -> Option<String> {
    let Outcome::Dropped(dropped) = &verdict.outcome else { return None };
    let content = match (&verdict.candidate, dropped.reason) {
        (_, Reason::Secret) => "(a credential)",
        (Some(candidate), _) => candidate.content.as_str(),
        (None, _) => unsaid(&verdict.outcome),
    };
    let session = call.session_id.as_deref().unwrap_or_default();
    let cited = verdict.candidate.iter().flat_map(|candidate| &candidate.evidence);
    let cited: BTreeSet<&str> = cited.filter_map(|cited| places.of_turn(session, &cited.turn_id)).collect();
    let lines = if cited.is_empty() {
        places.of_call(&call.trace_id)
    } else {
        cited.into_iter().collect::<Vec<_>>().join(", ")
    };
    Some(format!("{}/{}: {content} ({lines})", dropped.stage, dropped.reason))
}

/// Prints the calls that are not done, with the lines they were read from.
pub(super) fn print_unfinished(traces: &[Trace], places: &Places) {
    let unfinished: Vec<&Trace> = traces.iter().filter(|trace| trace.summary.status != TraceStatus::Done).collect();
    if unfinished.is_empty() {
        return;
    }
    say!("not done");
    for trace in unfinished {
        let TraceSummary { trace_id, status, error, .. } = &trace.summary;
        let status = format!("{status:?}").to_lowercase();
        let error = error.as_deref().map(|error| format!(", {error}")).unwrap_or_default();
        say!("  {trace_id} ({}): {status}{error}", places.of_call(trace_id));
    }
}

fn because<K: std::fmt::Display>(counts: &BTreeMap<K, usize>, word: &str) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let mut counts: Vec<(String, usize)> = counts.iter().map(|(reason, n)| (reason.to_string(), *n)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let list: Vec<String> = counts.into_iter().map(|(reason, n)| format!("{reason} {n}")).collect();
    format!(" ({word}: {})", list.join(", "))
}
