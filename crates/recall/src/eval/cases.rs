//! The gate cases: a conversation, a model's reply, and the verdict that is right for each of its candidates.

use std::collections::BTreeMap;

use recall_core::call::{Call, Lane, Mode};
use recall_core::candidate::Candidate;
use recall_core::context::{Context, Near, Stamp};
use recall_core::effect::{Changes, Effect};
use recall_core::id::{MemoryId, TraceId};
use recall_core::keys::{Key, KeyRing};
use recall_core::memory::Memory;
use recall_core::moment::Moment;
use recall_core::pipeline::{STAGES, Stages};
use recall_core::provenance::ExtractedBy;
use recall_core::reading::{self, Reading};
use recall_core::run::{Outcome, Verdict};
use recall_core::scope::Scope;
use recall_core::settings::Settings;
use recall_core::stage::{Reason, Stage};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_core::window::Window;
use serde::Deserialize;
use serde_json::Value;

use super::{Judge, Row, Scorer, ratios};

mod compare;
mod known;
#[cfg(test)]
mod mutants;

/// The file of cases.
pub(super) const SCORERS: &[Scorer] =
    &[Scorer { stage: "cases", file: "dev", judge: Judge::Alone(judge), summarise: ratios }];

#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    config: BTreeMap<String, Value>,
    #[serde(default)]
    history: Vec<CaseTurn>,
    #[serde(default)]
    known: Known,
    call: CaseCall,
    #[serde(default)]
    prefilter: BTreeMap<String, String>,
    #[serde(default)]
    reply: Option<CaseReply>,
    #[serde(default)]
    expect: Vec<compare::Expect>,
}

#[derive(Deserialize)]
struct CaseTurn {
    id: String,
    role: Role,
    name: Option<String>,
    at: Option<Moment>,
    content: String,
    scope: Option<Scope>,
}

#[derive(Deserialize, Default)]
struct Known {
    #[serde(default)]
    memories: Vec<KnownMemory>,
    #[serde(default)]
    entities: Vec<KnownEntity>,
    #[serde(default)]
    suppressed: Vec<String>,
    #[serde(default)]
    turns: Vec<KnownTurn>,
}

#[derive(Deserialize)]
struct KnownMemory {
    content: String,
    subject: String,
    attribute: String,
    value: String,
    said_at: Option<Moment>,
    confidence: Option<f64>,
}

#[derive(Deserialize)]
struct KnownEntity {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct KnownTurn {
    id: String,
    #[serde(default)]
    content: String,
    scope: Option<Scope>,
}

#[derive(Deserialize)]
struct CaseCall {
    scope: Scope,
    session_id: String,
    turns: Vec<CaseTurn>,
}

#[derive(Deserialize)]
struct CaseReply {
    candidates: Vec<Candidate>,
}

fn judge(row: &Value) -> Vec<Row> {
    judge_with(&STAGES, row)
}

/// Judges a case with these stages.
fn judge_with(stages: &Stages, row: &Value) -> Vec<Row> {
    let case: Case = match serde_json::from_value(row.clone()) {
        Ok(case) => case,
        Err(error) => return vec![unreadable(row, &error)],
    };
    let keys = KeyRing::new(Key::new("eval", "eval"), Vec::new());
    let reading = read(&case);
    let near = known::near(&case, &reading, &keys);
    let mut rows = vec![prefilter_row(stages, &case, &reading)];
    let candidates = case.reply.map(|reply| reply.candidates).unwrap_or_default();
    let stamp =
        Stamp { ran_at: reading.call.accepted_at, extracted_by: ExtractedBy::new("eval", "eval", ("", "", "")) };
    let cx = Context { reading: &reading, near: &near, keys: &keys, stamp: &stamp, opinions: None };
    let (changes, verdicts) = stages.decide(&cx, candidates, &mut ());
    for (place, expect) in case.expect.iter().enumerate() {
        let found = verdicts.get(place);
        rows.push(compare::row(&case.id, place, expect, found, &Seen { near: &near, changes: &changes }));
    }
    rows
}

/// What a comparison may look up beside the verdict.
struct Seen<'a> {
    near: &'a Near,
    changes: &'a Changes,
}

impl Seen<'_> {
    fn memory(&self, id: &MemoryId) -> Option<&Memory> {
        let fresh = self.changes.effects.iter().filter_map(|effect| match effect {
            Effect::Insert { memory, .. } => Some(&**memory),
            Effect::AddSources { .. } | Effect::Activate { .. } | Effect::Supersede { .. } | Effect::Dispute { .. } => {
                None
            }
        });
        fresh.chain(&self.near.memories).find(|memory| memory.id == *id)
    }
}

fn unreadable(row: &Value, error: &serde_json::Error) -> Row {
    let id = row.get("id").and_then(Value::as_str).unwrap_or_default();
    Row {
        group: id.to_owned(),
        tally: vec![("verdicts_right", 0.0, 1.0)],
        points: Vec::new(),
        wrong: Some(format!("{id}: case cannot be read: {error}")),
    }
}

fn prefilter_row(stages: &Stages, case: &Case, reading: &Reading) -> Row {
    let verdicts = stages.read(reading, &mut ());
    let said = |reason: Option<Reason>| reason.map_or("keep".to_owned(), |reason| format!("drop:{reason}"));
    let wrong: Vec<String> = verdicts
        .iter()
        .filter_map(|verdict| {
            let right = case.prefilter.get(verdict.turn_id.as_str())?;
            let found = said(verdict.dropped);
            (found != *right).then(|| format!("{} {found} instead of {right}", verdict.turn_id))
        })
        .collect();
    let n = case.prefilter.len() as f64;
    Row {
        group: case.id.clone(),
        tally: vec![("prefilter_right", n - wrong.len() as f64, n)],
        points: Vec::new(),
        wrong: (!wrong.is_empty()).then(|| format!("{} prefilter: {}", case.id, wrong.join(", "))),
    }
}

fn read(case: &Case) -> Reading {
    let scope = &case.call.scope;
    let settings = settings(&case.config);
    let mut window = Window { settings: settings.clone(), ..Window::default() };
    if !case.history.is_empty() {
        let before = reading::read(window, call(scope, &case.call.session_id, &case.history));
        window = Window { settings, turns: before.window_after(), ring: before.ring_after(), ..Window::default() };
    }
    for known in &case.known.turns {
        let Some(turn) = case.call.turns.iter().find(|turn| turn.id == known.id) else { continue };
        let id = TurnId(known.id.clone());
        match &known.scope {
            Some(other) if other != scope => window.bound_elsewhere.push(id),
            Some(_) | None if turn.content == known.content => window.seen.push(id),
            Some(_) | None => window.rewritten.push(id),
        }
    }
    if !matches!(window.settings.turn_ids, recall_core::settings::TurnIds::Unique) {
        window.bound_elsewhere.clear();
    }
    reading::read(window, call(scope, &case.call.session_id, &case.call.turns))
}

fn settings(config: &BTreeMap<String, Value>) -> Settings {
    let known: serde_json::Map<String, Value> =
        config.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    serde_json::from_value(Value::Object(known)).unwrap_or_default()
}

fn call(scope: &Scope, session: &str, turns: &[CaseTurn]) -> Call {
    Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("eval", "eval"), scope.namespace(), session),
        scope: scope.clone(),
        session_id: Some(session.to_owned()),
        turns: turns.iter().map(turn).collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: Moment::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::Offset::UTC),
        remarks: Vec::new(),
    }
}

fn turn(turn: &CaseTurn) -> Turn {
    Turn {
        id: TurnId(turn.id.clone()),
        role: turn.role,
        content: Said::new(turn.content.clone()),
        at: turn.at,
        at_source: if turn.at.is_some() { AtSource::Stated } else { AtSource::Unknown },
        name: turn.name.clone(),
        scope: turn.scope.clone(),
    }
}

/// Verdict, stage and reason of a line of the trace, in the words of the cases.
fn named(verdict: &Verdict) -> (&'static str, Option<Stage>, Option<Reason>) {
    match &verdict.outcome {
        Outcome::Stored { reason: Some(Reason::NewerValue), .. } => {
            ("supersede", Some(Stage::Reconcile), Some(Reason::NewerValue))
        }
        Outcome::Stored { reason: Some(Reason::OlderValue), .. } => {
            ("drop", Some(Stage::Reconcile), Some(Reason::OlderValue))
        }
        Outcome::Stored { reason: Some(reason), .. } => ("dispute", Some(Stage::Reconcile), Some(*reason)),
        Outcome::Stored { reason: None, .. } => ("keep", None, None),
        Outcome::Merged { .. } => ("merge", Some(Stage::Reconcile), Some(Reason::SameClaim)),
        Outcome::Dropped(dropped) if dropped.stage == Stage::Suppress => {
            ("suppress", Some(dropped.stage), Some(dropped.reason))
        }
        Outcome::Dropped(dropped) => ("drop", Some(dropped.stage), Some(dropped.reason)),
    }
}
