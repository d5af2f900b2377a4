//! One memory while a call is judged: as it was, as it stands, and the effects between the two.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use jiff::Timestamp;

use super::standing::{Mentioned, Standing, Verdict};
use crate::claim::{Form, Statement, attributes};
use crate::effect::{Effect, Words};
use crate::evidence::Source;
use crate::id::{EntityId, MemoryId};
use crate::memory::{Memory, Status};
use crate::moment::Moment;
use crate::stages::calibrate;

/// One memory while a call is judged.
pub(super) struct Entry<'m> {
    /// As it stands now.
    pub(super) memory: Cow<'m, Memory>,
    /// Its canonical form, made when it is asked for: most memories of a snapshot are no match for any draft.
    form: OnceCell<Form>,
    /// As the snapshot had it, or as the first draft made it.
    pub(super) first: Cow<'m, Memory>,
    /// Where it comes from.
    pub(super) born: Born,
    /// What later drafts added, in order.
    pub(super) added: Vec<Effect>,
    /// Where it was said in this call.
    pub(super) mentions: Vec<Mentioned>,
    /// The one it is disputed with.
    pub(super) with: Vec<MemoryId>,
}

/// What claims end each other in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contest {
    /// A present state of an attribute that holds one value.
    Value,
    /// Whether a lasting state is so.
    Denial,
}

/// Where a memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Born {
    /// The snapshot.
    Before,
    /// This call.
    Here,
}

impl<'m> Entry<'m> {
    /// A memory of the snapshot.
    pub(super) fn known(memory: &'m Memory) -> Self {
        Self {
            memory: Cow::Borrowed(memory),
            form: OnceCell::new(),
            first: Cow::Borrowed(memory),
            born: Born::Before,
            added: Vec::new(),
            mentions: Vec::new(),
            with: Vec::new(),
        }
    }

    /// A memory that a draft makes.
    pub(super) fn made(memory: Memory, form: Form, place: (usize, usize)) -> Self {
        Self {
            mentions: vec![mentioned(&memory, place)],
            first: Cow::Owned(memory.clone()),
            memory: Cow::Owned(memory),
            form: OnceCell::from(form),
            born: Born::Here,
            added: Vec::new(),
            with: Vec::new(),
        }
    }

    /// Its canonical form.
    pub(super) fn form(&self) -> &Form {
        self.form.get_or_init(|| Form::of(&Statement::from(&*self.first)))
    }

    /// It is about this subject and attribute; told without the rest of its form.
    pub(super) fn is_of(&self, subject: &EntityId, attribute: &str) -> bool {
        self.first.subject.id == *subject && attributes::canonical(&self.first.attribute).0 == attribute
    }

    /// What it ends others in and is ended by them; `None` where it was not told firmly, or nothing said later ends it.
    pub(super) fn contest(&self) -> Option<Contest> {
        if self.memory.confidence < calibrate::FIRM {
            None
        } else if self.memory.claim_key.opposite().is_some() {
            Some(Contest::Denial)
        } else {
            self.form().replaceable().then_some(Contest::Value)
        }
    }

    /// It is the claim of another memory or the opposite.
    pub(super) fn is_of_topic(&self, other: &Memory) -> bool {
        self.memory.subject.id == other.subject.id
            && self.memory.claim_key.topic() == other.claim_key.topic()
            && self.memory.occurrence == other.occurrence
    }

    /// Adds sources that are not there yet; `false` where there is nothing new.
    pub(super) fn add(&mut self, said: &Memory, place: (usize, usize)) -> bool {
        let there = &self.memory.provenance.sources;
        let session = said.provenance.source_session_id == self.memory.provenance.source_session_id;
        let is_there = |source: &Source| there.iter().any(|known| is_same_turn(known, source, session));
        let fresh: Vec<Source> = said.provenance.sources.iter().filter(|source| !is_there(source)).cloned().collect();
        if fresh.is_empty() {
            return false;
        }
        let words = if is_told_before(said, &self.memory) { Words::Change } else { Words::Stay };
        let memory = self.memory.to_mut();
        memory.provenance.source_turn_ids.extend(fresh.iter().map(|source| source.turn_id.clone()));
        memory.provenance.sources.extend(fresh.iter().cloned());
        memory.confidence = calibrate::corroborated(memory.confidence, said.confidence);
        memory.importance = calibrate::repeated(memory.importance, said.importance);
        if words == Words::Change {
            memory.tell(&said.wording());
        }
        memory.valid_from = earliest(memory.valid_from, said.valid_from);
        self.mentions.push(mentioned(said, place));
        self.added.push(Effect::AddSources {
            memory_id: self.memory.id.clone(),
            sources: fresh,
            confidence: self.memory.confidence,
            importance: self.memory.importance,
            said: Box::new(said.clone()),
            words,
        });
        true
    }

    /// A claim outside every conflict that was said again after it had lost its place counts again.
    pub(super) fn count_again(&mut self) {
        if self.memory.status == Status::Superseded && self.is_said_since() {
            self.stand(Verdict::Active);
        }
    }

    /// It was said after it had lost its place.
    fn is_said_since(&self) -> bool {
        let last = self.memory.provenance.sources.iter().filter_map(|source| source.said_at).max();
        last > self.memory.valid_until && self.memory.valid_until.is_some()
    }

    pub(super) fn standing(&self, group: &BTreeSet<MemoryId>) -> Standing {
        let mut said: Vec<Timestamp> =
            self.memory.provenance.sources.iter().filter_map(|source| source.said_at).map(Moment::instant).collect();
        said.sort();
        let (before, last) = (self.last_before(), said.last().copied());
        let as_late_since =
            self.mentions.iter().any(|told| before.is_none() || told.said.is_some_and(|at| Some(at) >= before));
        let recorded = self.memory.superseded_by.clone().filter(|_| self.born == Born::Before && !as_late_since);
        let replaced_from_outside = self.first.status == Status::Superseded
            && self.first.superseded_by.as_ref().is_none_or(|by| !group.contains(by));
        let is_said_anew = match self.contest() {
            Some(Contest::Denial) => self.is_said_since(),
            Some(Contest::Value) | None => !self.mentions.is_empty(),
        };
        Standing {
            id: self.memory.id.clone(),
            key: self.memory.claim_key.clone(),
            form: self.form().clone(),
            mentions: self.mentions.clone(),
            latest_here: self.born == Born::Here || before < last,
            said,
            recorded,
            fixed: self.memory.status == Status::Expired || (replaced_from_outside && !is_said_anew),
        }
    }

    /// When it was last said before this call, where that is known.
    pub(super) fn last_before(&self) -> Option<Timestamp> {
        let sources = match self.born {
            Born::Before => self.first.provenance.sources.as_slice(),
            Born::Here => &[],
        };
        sources.iter().filter_map(|source| source.said_at).max().map(Moment::instant)
    }

    pub(super) fn stand(&mut self, verdict: Verdict) {
        let Some(status) = verdict.status() else { return };
        let memory = self.memory.to_mut();
        memory.status = status;
        (memory.superseded_by, memory.valid_until, self.with) = match verdict {
            Verdict::Superseded { by, from } => (Some(by), from.map(moment), Vec::new()),
            Verdict::Disputed { with } => (None, None, with),
            Verdict::Active | Verdict::Unchanged => (None, None, Vec::new()),
        };
    }

    /// The row as the first draft made it, where it stands now.
    pub(super) fn inserted(&self) -> Memory {
        Memory {
            status: self.memory.status,
            superseded_by: self.memory.superseded_by.clone(),
            valid_until: self.memory.valid_until,
            ..Memory::clone(&self.first)
        }
    }

    pub(super) fn superseded(&self) -> Option<Effect> {
        let by = self.memory.superseded_by.clone()?;
        let first = &self.first;
        let moved = first.superseded_by != self.memory.superseded_by
            || first.valid_until.map(Moment::instant) != self.memory.valid_until.map(Moment::instant)
            || first.status != self.memory.status;
        (self.born == Born::Before && moved).then(|| Effect::Supersede {
            memory_id: self.memory.id.clone(),
            by,
            valid_until: self.memory.valid_until,
        })
    }

    pub(super) fn activated(&self) -> Option<Effect> {
        let again = self.memory.status == Status::Active && self.first.status != Status::Active;
        (self.born == Born::Before && again).then(|| Effect::Activate { memory_id: self.memory.id.clone() })
    }
}

fn moment(at: Timestamp) -> Moment {
    Moment::new(at, jiff::tz::Offset::UTC)
}

pub(super) fn mentioned(memory: &Memory, place: (usize, usize)) -> Mentioned {
    let said = memory.provenance.sources.iter().filter_map(|source| source.said_at).max().map(Moment::instant);
    Mentioned { said, place }
}

/// Turn ids are unique within a session; across sessions time and words have to agree as well.
fn is_same_turn(known: &Source, source: &Source, same_session: bool) -> bool {
    known.turn_id == source.turn_id
        && (same_session || (known.said_at == source.said_at && known.quote == source.quote))
}

/// Of the statements of a claim the one said first tells it; where two are of one time, or of none, their words decide, so that
/// the order of arrival does not.
fn is_told_before(said: &Memory, there: &Memory) -> bool {
    let order = |memory: &Memory| {
        let at = memory.valid_from.map(Moment::instant);
        let event = (memory.memory_type.as_str(), memory.event_at.map(Moment::instant));
        let claim = (memory.content.clone(), memory.attribute.clone(), memory.value.clone(), memory.polarity);
        (at.is_none(), at, claim, event)
    };
    order(said) < order(there)
}

fn earliest(a: Option<Moment>, b: Option<Moment>) -> Option<Moment> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, None) | (None, one) => one,
    }
}
