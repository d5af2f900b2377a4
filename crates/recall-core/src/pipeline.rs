//! The order of judgement: what the pre-filter keeps, then one candidate after the other through stages 3 to 8, then what they change.

use crate::call::Mode;
use crate::candidate::Candidate;
use crate::claim::attributes::Holds;
use crate::claim::{Form, Statement};
use crate::context::{Context, NearKeys};
use crate::draft::Draft;
use crate::effect::Changes;
use crate::evidence::{Evidence, Support};
use crate::literal;
use crate::reading::{ReadTurn, Reading};
use crate::run::{Outcome, TurnVerdict, Verdict};
use crate::stage::{Dropped, Probe, Reason, Stage};
use crate::stages::anchor::{self, When};
use crate::stages::calibrate::{self, Calibration};
use crate::stages::resolve::{self, Resolution};
use crate::stages::{ground, prefilter, reconcile, scope, suppress};

/// The pure stages, by their order. The argument list of each is the contract of that order.
#[derive(Debug, Clone, Copy)]
pub struct Stages {
    /// Step 1: is there anything to keep in this turn?
    pub prefilter: fn(&Reading, &ReadTurn) -> Result<(), Reason>,
    /// Step 3: is it said?
    pub ground: fn(&Context<'_>, &Candidate) -> Result<Evidence, Reason>,
    /// Step 4: does it belong to this scope?
    pub scope: fn(&Context<'_>, &Evidence) -> Result<(), Reason>,
    /// Step 5: who is meant?
    pub resolve: fn(&Context<'_>, &Candidate, &Evidence) -> Result<Resolution, Reason>,
    /// Step 6: when was it?
    pub anchor: fn(&Context<'_>, &Candidate, &Evidence) -> Result<When, Reason>,
    /// Step 7: how sure is it?
    pub calibrate: fn(&Context<'_>, &Candidate, &Evidence, &Resolution, &When) -> Result<Calibration, Reason>,
    /// Step 8: may it be kept?
    pub suppress: fn(&Context<'_>, &Candidate, &Evidence, &Resolution) -> Result<(), Reason>,
    /// Step 9: what does it change?
    pub reconcile: fn(&Context<'_>, &[Draft]) -> (Changes, Vec<Outcome>),
}

/// The stages of the product.
pub const STAGES: Stages = Stages {
    prefilter: prefilter::prefilter,
    ground: ground::ground,
    scope: scope::scope,
    resolve: resolve::resolve,
    anchor: anchor::anchor,
    calibrate: calibrate::calibrate,
    suppress: suppress::suppress,
    reconcile: reconcile::reconcile,
};

impl Stages {
    /// Judges every turn of the call, in order. The call goes on while any was kept.
    pub fn read(&self, reading: &Reading, probe: &mut impl Probe) -> Vec<TurnVerdict> {
        if reading.call.mode == Mode::Literal {
            return literal::turns(reading);
        }
        let judge = |turn: &ReadTurn| {
            let dropped = probe.step(Stage::Prefilter, || (self.prefilter)(reading, turn)).err();
            TurnVerdict { turn_id: turn.turn.id.clone(), dropped: dropped.map(|dropped| dropped.reason) }
        };
        reading.call_turns().map(judge).collect()
    }

    /// Judges all candidates of a call and decides what they change.
    /// The verdicts stand in the order of the candidates.
    pub fn decide(
        &self,
        cx: &Context<'_>,
        candidates: Vec<Candidate>,
        probe: &mut impl Probe,
    ) -> (Changes, Vec<Verdict>) {
        let judged: Vec<Result<Draft, Box<Verdict>>> =
            candidates.into_iter().map(|candidate| self.judge(cx, candidate, probe)).collect();
        let drafts: Vec<Draft> = judged.iter().filter_map(|line| line.as_ref().ok().cloned()).collect();
        let (changes, outcomes) = (self.reconcile)(cx, &drafts);
        let mut outcomes = outcomes.into_iter();
        let verdicts = judged.into_iter().filter_map(|line| match line {
            Ok(draft) => outcomes.next().map(|outcome| verdict(draft, outcome, probe)),
            Err(verdict) => Some(*verdict),
        });
        (changes, verdicts.collect())
    }

    /// Takes one candidate through stages 3 to 8; an error is its line of the trace, with what the stages before found.
    fn judge(&self, cx: &Context<'_>, candidate: Candidate, probe: &mut impl Probe) -> Result<Draft, Box<Verdict>> {
        let mut line = Line { candidate, evidence: None, resolution: None, when: None, calibration: None };
        match line.judge(self, cx, probe) {
            Ok(draft) => Ok(draft),
            Err(dropped) => Err(Box::new(line.into_verdict(dropped))),
        }
    }

    /// What a candidate rests on: shown for a model's claim, given for a literal one.
    fn evidence(&self, cx: &Context<'_>, claim: &Candidate) -> Result<Evidence, Reason> {
        match cx.reading.call.mode {
            Mode::Infer => (self.ground)(cx, claim),
            Mode::Literal => literal::evidence(cx, claim),
        }
    }
}

/// What the store is asked for before candidates can be judged: memories that claim the same or the opposite, and of an attribute with
/// one value all that may hold it. Of one with many values the others change nothing (`stages/reconcile/ledger.rs`), and a person may have thousands.
pub fn near_keys(candidates: &[Candidate]) -> NearKeys {
    let mut keys = NearKeys::default();
    for candidate in candidates {
        let form = Form::of(&Statement::from(candidate));
        keys.claims.extend(form.key().and_opposite());
        if form.holds == Holds::One {
            keys.attributes.push(form.attribute);
        }
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

struct Line {
    candidate: Candidate,
    evidence: Option<Evidence>,
    resolution: Option<Resolution>,
    when: Option<When>,
    calibration: Option<Calibration>,
}

impl Line {
    fn judge(&mut self, stages: &Stages, cx: &Context<'_>, probe: &mut impl Probe) -> Result<Draft, Dropped> {
        let claim = &self.candidate;
        let evidence = self.evidence.insert(probe.step(Stage::Ground, || stages.evidence(cx, claim))?);
        probe.step(Stage::Scope, || (stages.scope)(cx, evidence))?;
        let resolution = self.resolution.insert(probe.step(Stage::Resolve, || (stages.resolve)(cx, claim, evidence))?);
        let when = self.when.insert(probe.step(Stage::Anchor, || (stages.anchor)(cx, claim, evidence))?);
        let calibration = self
            .calibration
            .insert(probe.step(Stage::Calibrate, || (stages.calibrate)(cx, claim, evidence, resolution, when))?);
        probe.step(Stage::Suppress, || (stages.suppress)(cx, claim, evidence, resolution))?;
        Ok(Draft {
            candidate: claim.clone(),
            evidence: evidence.clone(),
            resolution: resolution.clone(),
            when: when.clone(),
            calibration: calibration.clone(),
        })
    }

    fn into_verdict(self, dropped: Dropped) -> Verdict {
        let support = self.evidence.map(|evidence| evidence.support);
        Verdict {
            candidate: Some(self.candidate),
            outcome: Outcome::Dropped(dropped),
            support: support.or_else(|| Support::behind(dropped.reason)),
            resolution: self.resolution,
            when: self.when,
            calibration: self.calibration,
        }
    }
}
