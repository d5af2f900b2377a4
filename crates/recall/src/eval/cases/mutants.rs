//! Are the cases sharp enough? Each stage is replaced by one that lets everything pass and by one that blocks everything;
//! the own cases must be all right with the stages of the product, and some must be wrong with each of these.

use recall_core::candidate::Candidate;
use recall_core::context::Context;
use recall_core::draft::Draft;
use recall_core::effect::Changes;
use recall_core::entity::EntityKind;
use recall_core::evidence::{Evidence, Origin, Source, Support};
use recall_core::id::MemoryId;
use recall_core::pipeline::{STAGES, Stages};
use recall_core::run::Outcome;
use recall_core::stage::{Dropped, Reason, Stage};
use recall_core::stages::anchor::When;
use recall_core::stages::calibrate::{Calibration, FORMULA};
use recall_core::stages::resolve::{Named, Resolution};
use serde_json::Value;

use super::judge_with;

/// The own cases, one a line.
const OWN: &str = include_str!("../../../../../eval/gate/own.jsonl");

/// Lines that are wrong with these stages.
fn wrong(stages: &Stages) -> impl Iterator<Item = String> {
    let cases = OWN.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case"));
    cases.flat_map(|case| judge_with(stages, &case)).filter_map(|row| row.wrong)
}

/// Takes the cited turns whole, whatever is claimed of them.
fn ground_all(cx: &Context<'_>, claim: &Candidate) -> Result<Evidence, Reason> {
    let cited = claim.evidence.iter().filter_map(|cited| cx.reading.turn(&cited.turn_id));
    let sources: Vec<Source> = cited
        .map(|read| Source {
            turn_id: read.turn.id.clone(),
            quote: read.turn.content.as_str().to_owned(),
            start: 0,
            end: read.turn.content.as_str().chars().count(),
            origin: Origin::Call,
            role: read.turn.role,
            speaker: read.turn.name.clone(),
            said_at: read.turn.at,
        })
        .collect();
    Ok(Evidence { sources, support: Support::Supported, coverage: 1.0, reattributed: Vec::new() })
}

/// Takes the subject as the model wrote it and resolves nothing.
fn resolve_all(_: &Context<'_>, claim: &Candidate, _: &Evidence) -> Result<Resolution, Reason> {
    let subject =
        Named { name: claim.subject.clone(), kind: EntityKind::Unknown, known: None, aliases: Vec::new(), alone: None };
    Ok(Resolution { subject, object: None, references: Vec::new(), unresolved: false })
}

/// Believes the model.
fn calibrate_all(
    _: &Context<'_>,
    claim: &Candidate,
    _: &Evidence,
    _: &Resolution,
    _: &When,
) -> Result<Calibration, Reason> {
    Ok(Calibration { confidence: claim.confidence, importance: 0.5, factors: Vec::new(), formula: FORMULA })
}

fn reconcile_as(cx: &Context<'_>, drafts: &[Draft], outcome: fn(MemoryId) -> Outcome) -> (Changes, Vec<Outcome>) {
    let trace = &cx.reading.call.trace_id;
    let outcomes = (0..drafts.len()).map(|place| outcome(MemoryId::new(trace.derive("mutant", place))));
    (Changes::default(), outcomes.collect())
}

fn reconcile_all(cx: &Context<'_>, drafts: &[Draft]) -> (Changes, Vec<Outcome>) {
    reconcile_as(cx, drafts, |memory_id| Outcome::Stored { memory_id, reason: None })
}

fn reconcile_none(cx: &Context<'_>, drafts: &[Draft]) -> (Changes, Vec<Outcome>) {
    let blocked = Dropped { stage: Stage::Reconcile, reason: Reason::SameClaim };
    let (changes, outcomes) = reconcile_as(cx, drafts, |memory_id| Outcome::Merged { memory_id });
    (changes, outcomes.into_iter().map(|_| Outcome::Dropped(blocked)).collect())
}

/// Name, what passes everything, what blocks everything.
fn mutants() -> [(Stage, Stages, Stages); 8] {
    [
        (
            Stage::Prefilter,
            Stages { prefilter: |_, _| Ok(()), ..STAGES },
            Stages { prefilter: |_, _| Err(Reason::Role), ..STAGES },
        ),
        (
            Stage::Ground,
            Stages { ground: ground_all, ..STAGES },
            Stages { ground: |_, _| Err(Reason::QuoteNotFound), ..STAGES },
        ),
        (
            Stage::Scope,
            Stages { scope: |_, _| Ok(()), ..STAGES },
            Stages { scope: |_, _| Err(Reason::ScopeMismatch), ..STAGES },
        ),
        (
            Stage::Resolve,
            Stages { resolve: resolve_all, ..STAGES },
            Stages { resolve: |_, _, _| Err(Reason::UnsupportedName), ..STAGES },
        ),
        (
            Stage::Anchor,
            Stages { anchor: |_, _, _| Ok(When::default()), ..STAGES },
            Stages { anchor: |_, _, _| Err(Reason::UnsupportedNumber), ..STAGES },
        ),
        (
            Stage::Calibrate,
            Stages { calibrate: calibrate_all, ..STAGES },
            Stages { calibrate: |_, _, _, _, _| Err(Reason::BelowMinConfidence), ..STAGES },
        ),
        (
            Stage::Suppress,
            Stages { suppress: |_, _, _, _| Ok(()), ..STAGES },
            Stages { suppress: |_, _, _, _| Err(Reason::Suppressed), ..STAGES },
        ),
        (
            Stage::Reconcile,
            Stages { reconcile: reconcile_all, ..STAGES },
            Stages { reconcile: reconcile_none, ..STAGES },
        ),
    ]
}

#[test]
fn every_own_case_is_right() {
    assert_eq!(wrong(&STAGES).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn no_stage_can_be_replaced_by_one_that_passes_or_blocks_everything() {
    for (stage, passes, blocks) in mutants() {
        assert!(wrong(&passes).next().is_some(), "{stage} could let everything pass and no case would tell");
        assert!(wrong(&blocks).next().is_some(), "{stage} could block everything and no case would tell");
    }
}
