//! The order of judgement: what the pre-filter keeps, then one candidate after the other through stages 3 to 8, then what they change.

use crate::call::Mode;
use crate::candidate::Candidate;
use crate::context::{Context, NearKeys};
use crate::effect::Changes;
use crate::evidence::Evidence;
use crate::literal;
use crate::reading::Reading;
use crate::run::{Outcome, TurnVerdict, Verdict};
use crate::stage::{Dropped, Probe, Reason, Stage};
use crate::stages::anchor::{When, anchor};
use crate::stages::calibrate::{Calibration, calibrate};
use crate::stages::ground::ground;
use crate::stages::resolve::{Resolution, resolve};
use crate::stages::suppress::suppress;
use crate::stages::{prefilter, reconcile, scope};

/// A candidate that passed stages 3 to 8, with what they found.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// What the model proposed.
    pub candidate: Candidate,
    /// What it rests on.
    pub evidence: Evidence,
    /// Whom it is about.
    pub resolution: Resolution,
    /// When it was.
    pub when: When,
    /// How sure it is.
    pub calibration: Calibration,
}

/// Judges every turn of the call, in order. The call goes on while any was kept.
pub fn prefilter(reading: &Reading, probe: &mut impl Probe) -> Vec<TurnVerdict> {
    if reading.call.mode == Mode::Literal {
        return literal::turns(reading);
    }
    reading
        .call_turns()
        .map(|turn| {
            let dropped = probe.step(Stage::Prefilter, || prefilter::prefilter(reading, turn)).err();
            TurnVerdict { turn_id: turn.turn.id.clone(), dropped: dropped.map(|dropped| dropped.reason) }
        })
        .collect()
}

/// Judges one candidate. The argument list of each stage is the contract of their order.
///
/// # Errors
/// The line of the trace for a candidate that was dropped, with what the stages before found.
pub fn judge(cx: &Context<'_>, candidate: Candidate, probe: &mut impl Probe) -> Result<Draft, Box<Verdict>> {
    let mut line = Line { candidate, evidence: None, resolution: None, when: None, calibration: None };
    match line.judge(cx, probe) {
        Ok(draft) => Ok(draft),
        Err(dropped) => Err(Box::new(line.into_verdict(Outcome::Dropped(dropped)))),
    }
}

/// Judges all candidates of a call and decides what they change.
/// The verdicts stand in the order of the candidates.
pub fn decide(cx: &Context<'_>, candidates: Vec<Candidate>, probe: &mut impl Probe) -> (Changes, Vec<Verdict>) {
    let judged: Vec<Result<Draft, Box<Verdict>>> =
        candidates.into_iter().map(|candidate| judge(cx, candidate, probe)).collect();
    let drafts: Vec<Draft> = judged.iter().filter_map(|line| line.as_ref().ok().cloned()).collect();
    let (changes, outcomes) = reconcile::reconcile(cx, &drafts);
    let mut outcomes = outcomes.into_iter();
    let verdicts = judged.into_iter().filter_map(|line| match line {
        Ok(draft) => outcomes.next().map(|outcome| verdict(draft, outcome, probe)),
        Err(verdict) => Some(*verdict),
    });
    (changes, verdicts.collect())
}

/// What the store is asked for before candidates can be judged.
pub fn near_keys(candidates: &[Candidate]) -> NearKeys {
    let mut keys = NearKeys::default();
    for candidate in candidates {
        let (attribute, claim) = crate::claim::keys(candidate);
        keys.attributes.push(attribute);
        keys.claims.push(claim);
    }
    keys.attributes.sort();
    keys.attributes.dedup();
    keys.claims.sort();
    keys.claims.dedup();
    keys
}

/// Reconcile's outcome of a draft as a line of the trace; merged and undecided ones are counted at the stage.
fn verdict(draft: Draft, outcome: Outcome, probe: &mut impl Probe) -> Verdict {
    let reason = match &outcome {
        Outcome::Stored { reason, .. } => *reason,
        Outcome::Merged { .. } => Some(Reason::SameClaim),
        Outcome::Dropped(dropped) => Some(dropped.reason),
    };
    // The step already ran for all drafts at once; what it said of this one is passed through so that it is counted.
    let _counted = probe.step(Stage::Reconcile, || reason.map_or(Ok(()), Err));
    Verdict {
        candidate: Some(draft.candidate),
        outcome,
        support: Some(draft.evidence.support),
        resolution: Some(draft.resolution),
        when: Some(draft.when),
        calibration: Some(draft.calibration),
    }
}

/// What a candidate rests on: shown for a model's claim, given for a literal one.
fn evidence(cx: &Context<'_>, claim: &Candidate) -> Result<Evidence, Reason> {
    match cx.reading.call.mode {
        Mode::Infer => ground(cx, claim),
        Mode::Literal => literal::evidence(cx, claim),
    }
}

struct Line {
    candidate: Candidate,
    evidence: Option<Evidence>,
    resolution: Option<Resolution>,
    when: Option<When>,
    calibration: Option<Calibration>,
}

impl Line {
    fn judge(&mut self, cx: &Context<'_>, probe: &mut impl Probe) -> Result<Draft, Dropped> {
        let claim = &self.candidate;
        let evidence = self.evidence.insert(probe.step(Stage::Ground, || evidence(cx, claim))?);
        probe.step(Stage::Scope, || scope::scope(cx, evidence))?;
        let resolution = self.resolution.insert(probe.step(Stage::Resolve, || resolve(cx, claim, evidence))?);
        let when = self.when.insert(probe.step(Stage::Anchor, || anchor(cx, claim, evidence))?);
        let calibration =
            self.calibration.insert(probe.step(Stage::Calibrate, || calibrate(cx, claim, evidence, resolution, when))?);
        probe.step(Stage::Suppress, || suppress(cx, claim, evidence, resolution))?;
        Ok(Draft {
            candidate: claim.clone(),
            evidence: evidence.clone(),
            resolution: resolution.clone(),
            when: when.clone(),
            calibration: calibration.clone(),
        })
    }

    fn into_verdict(self, outcome: Outcome) -> Verdict {
        Verdict {
            candidate: Some(self.candidate),
            outcome,
            support: self.evidence.map(|evidence| evidence.support),
            resolution: self.resolution,
            when: self.when,
            calibration: self.calibration,
        }
    }
}
