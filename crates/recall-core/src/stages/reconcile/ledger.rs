//! The memories a call touches, as they were and as they stand after each draft; the effects are the difference.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::standing::{self, Mentioned, Standing, Verdict};
use crate::claim::Form;
use crate::effect::Effect;
use crate::evidence::Source;
use crate::id::MemoryId;
use crate::memory::{Memory, Status};
use crate::moment::Moment;
use crate::stages::calibrate;

/// One memory while a call is judged.
pub(super) struct Entry {
    /// As it stands now.
    pub(super) memory: Memory,
    /// Its canonical form.
    form: Form,
    /// As the snapshot had it, or as the first draft made it.
    first: Memory,
    /// Where it comes from.
    born: Born,
    /// What later drafts added, in order.
    added: Vec<Effect>,
    /// Where it was said in this call.
    mentions: Vec<Mentioned>,
    /// The one it is disputed with.
    with: Vec<MemoryId>,
}

/// Where a memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Born {
    /// The snapshot.
    Before,
    /// This call.
    Here,
}

/// All memories a call may touch.
#[derive(Default)]
pub(super) struct Ledger {
    entries: Vec<Entry>,
}

/// What happened to a draft.
pub(super) enum Booked {
    /// It joined this memory.
    Joined(MemoryId),
    /// It is a memory of its own, in this status; others lost their place to it.
    Made { status: Status, replaces: bool },
}

impl Ledger {
    /// The memories of the snapshot.
    pub(super) fn new(memories: &[Memory]) -> Self {
        let there = memories.iter().filter(|memory| memory.deleted_at.is_none());
        let entries = there.map(|memory| Entry {
            form: Form::of(&memory.into()),
            first: memory.clone(),
            born: Born::Before,
            memory: memory.clone(),
            added: Vec::new(),
            mentions: Vec::new(),
            with: Vec::new(),
        });
        Self { entries: entries.collect() }
    }

    /// Books a memory made of a draft: joins it to the one that claims the same, or sets it beside the others.
    pub(super) fn book(&mut self, memory: Memory, form: Form, place: (usize, usize)) -> Booked {
        let same = self.entries.iter().position(|entry| {
            entry.memory.subject.id == memory.subject.id
                && entry.memory.claim_key == memory.claim_key
                && entry.memory.status != Status::Expired
        });
        match same {
            Some(at) => self.join(at, memory, place),
            None => self.set_beside(memory, form, place),
        }
    }

    fn join(&mut self, at: usize, said: Memory, place: (usize, usize)) -> Booked {
        let Some(entry) = self.entries.get_mut(at) else { return Booked::Joined(said.id) };
        let id = entry.memory.id.clone();
        if entry.add(&said, place) {
            self.settle_around(&id);
        }
        Booked::Joined(id)
    }

    fn set_beside(&mut self, memory: Memory, form: Form, place: (usize, usize)) -> Booked {
        let id = memory.id.clone();
        let counted = self.counted();
        self.entries.push(Entry {
            first: memory.clone(),
            born: Born::Here,
            added: Vec::new(),
            mentions: vec![mentioned(&memory, place)],
            memory,
            form,
            with: Vec::new(),
        });
        self.settle_around(&id);
        let status = self.entry(&id).map_or(Status::Active, |entry| entry.memory.status);
        let still = self.counted();
        Booked::Made { status, replaces: status == Status::Active && counted.difference(&still).next().is_some() }
    }

    fn counted(&self) -> BTreeSet<MemoryId> {
        let counts = |entry: &&Entry| matches!(entry.memory.status, Status::Active | Status::Disputed);
        self.entries.iter().filter(counts).map(|entry| entry.memory.id.clone()).collect()
    }

    fn entry(&self, id: &MemoryId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.memory.id == *id)
    }

    /// Decides anew among the claims that hold one value of one attribute of one subject.
    fn settle_around(&mut self, id: &MemoryId) {
        let Some(centre) = self.entry(id) else { return };
        if !centre.is_exclusive() {
            if let Some(entry) = self.entries.iter_mut().find(|entry| entry.memory.id == *id) {
                entry.count_again();
            }
            return;
        }
        let (subject, attribute) = (centre.memory.subject.id.clone(), centre.form.attribute.clone());
        let inside = |entry: &Entry| {
            entry.is_exclusive() && entry.memory.subject.id == subject && entry.form.attribute == attribute
        };
        let members: Vec<usize> =
            (0..self.entries.len()).filter(|at| self.entries.get(*at).is_some_and(inside)).collect();
        let ids: BTreeSet<MemoryId> =
            members.iter().filter_map(|at| self.entries.get(*at)).map(|entry| entry.memory.id.clone()).collect();
        let group: Vec<Standing> =
            members.iter().filter_map(|at| self.entries.get(*at)).map(|entry| entry.standing(&ids)).collect();
        for (at, verdict) in members.into_iter().zip(standing::verdicts(&group)) {
            if let Some(entry) = self.entries.get_mut(at) {
                entry.stand(verdict);
            }
        }
    }

    /// The effects, in the order they must be carried out: what lost its place makes room before anything takes it.
    pub(super) fn into_effects(self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for entry in &self.entries {
            effects.extend(entry.superseded());
        }
        effects.extend(self.inserts());
        for entry in &self.entries {
            effects.extend(entry.added.iter().cloned());
            effects.extend(entry.activated());
        }
        effects.extend(self.disputes());
        effects
    }

    /// New memories; one that is history stands after the new one that took its place.
    fn inserts(&self) -> Vec<Effect> {
        let mut waiting: Vec<&Entry> = self.entries.iter().filter(|entry| entry.born == Born::Here).collect();
        let mut effects = Vec::new();
        while !waiting.is_empty() {
            let ids: BTreeSet<MemoryId> = waiting.iter().map(|entry| entry.memory.id.clone()).collect();
            let is_ready = |entry: &&Entry| entry.memory.superseded_by.as_ref().is_none_or(|by| !ids.contains(by));
            let (ready, rest): (Vec<&Entry>, Vec<&Entry>) = waiting.iter().copied().partition(is_ready);
            let (ready, rest) = if ready.is_empty() { (rest, ready) } else { (ready, rest) };
            effects.extend(ready.iter().map(|entry| Effect::Insert {
                memory: Box::new(entry.inserted()),
                single_valued: entry.is_exclusive() && entry.memory.polarity == crate::candidate::Polarity::Positive,
            }));
            waiting = rest;
        }
        effects
    }

    /// Every disputed pair that this call brought about, once.
    fn disputes(&self) -> Vec<Effect> {
        let mut pairs: BTreeSet<(MemoryId, MemoryId)> = BTreeSet::new();
        for entry in &self.entries {
            for with in &entry.with {
                let was = |id: &MemoryId| self.entry(id).is_some_and(|entry| entry.first.status == Status::Disputed);
                if was(&entry.memory.id) && was(with) {
                    continue;
                }
                let pair = if entry.memory.id < *with {
                    (entry.memory.id.clone(), with.clone())
                } else {
                    (with.clone(), entry.memory.id.clone())
                };
                pairs.insert(pair);
            }
        }
        pairs.into_iter().map(|(memory_id, with)| Effect::Dispute { memory_id, with }).collect()
    }
}

impl Entry {
    /// A present state of an attribute with one value, told firmly: it ends others and is ended by them.
    fn is_exclusive(&self) -> bool {
        self.form.replaceable() && self.memory.confidence >= calibrate::FIRM
    }

    /// Adds sources that are not there yet; `false` where there is nothing new.
    fn add(&mut self, said: &Memory, place: (usize, usize)) -> bool {
        let there = &mut self.memory.provenance.sources;
        let session = said.provenance.source_session_id == self.memory.provenance.source_session_id;
        let is_there = |source: &Source| there.iter().any(|known| is_same_turn(known, source, session));
        let fresh: Vec<Source> = said.provenance.sources.iter().filter(|source| !is_there(source)).cloned().collect();
        if fresh.is_empty() {
            return false;
        }
        self.memory.provenance.source_turn_ids.extend(fresh.iter().map(|source| source.turn_id.clone()));
        there.extend(fresh.iter().cloned());
        self.memory.confidence = calibrate::corroborated(self.memory.confidence, said.confidence);
        self.memory.importance = calibrate::repeated(self.memory.importance, said.importance);
        self.memory.valid_from = earliest(self.memory.valid_from, said.valid_from);
        self.mentions.push(mentioned(said, place));
        self.added.push(Effect::AddSources {
            memory_id: self.memory.id.clone(),
            sources: fresh,
            confidence: self.memory.confidence,
            importance: self.memory.importance,
            alone: said.confidence,
        });
        true
    }

    /// A claim outside every conflict that was said again after it had lost its place counts again.
    fn count_again(&mut self) {
        let last = self.memory.provenance.sources.iter().filter_map(|source| source.said_at).max();
        if self.memory.status == Status::Superseded
            && last > self.memory.valid_until
            && self.memory.valid_until.is_some()
        {
            self.stand(Verdict::Active);
        }
    }

    fn standing(&self, group: &BTreeSet<MemoryId>) -> Standing {
        let mut said: Vec<Timestamp> =
            self.memory.provenance.sources.iter().filter_map(|source| source.said_at).map(Moment::instant).collect();
        said.sort();
        let (before, last) = (self.last_before(), said.last().copied());
        let as_late_since =
            self.mentions.iter().any(|told| before.is_none() || told.said.is_some_and(|at| Some(at) >= before));
        let recorded = self.memory.superseded_by.clone().filter(|_| self.born == Born::Before && !as_late_since);
        let replaced_from_outside = self.first.status == Status::Superseded
            && self.first.superseded_by.as_ref().is_none_or(|by| !group.contains(by));
        Standing {
            id: self.memory.id.clone(),
            form: self.form.clone(),
            mentions: self.mentions.clone(),
            latest_here: self.born == Born::Here || before < last,
            said,
            recorded,
            fixed: self.memory.status == Status::Expired || (replaced_from_outside && self.mentions.is_empty()),
        }
    }

    /// When it was last said before this call, where that is known.
    fn last_before(&self) -> Option<Timestamp> {
        let sources = match self.born {
            Born::Before => self.first.provenance.sources.as_slice(),
            Born::Here => &[],
        };
        sources.iter().filter_map(|source| source.said_at).max().map(Moment::instant)
    }

    fn stand(&mut self, verdict: Verdict) {
        let Some(status) = verdict.status() else { return };
        self.memory.status = status;
        (self.memory.superseded_by, self.memory.valid_until, self.with) = match verdict {
            Verdict::Superseded { by, from } => (Some(by), from.map(|at| self.moment(at)), Vec::new()),
            Verdict::Disputed { with } => (None, None, with),
            Verdict::Active | Verdict::Unchanged => (None, None, Vec::new()),
        };
    }

    fn moment(&self, at: Timestamp) -> Moment {
        Moment::new(at, jiff::tz::Offset::UTC)
    }

    /// The row as the first draft made it, where it stands now.
    fn inserted(&self) -> Memory {
        Memory {
            status: self.memory.status,
            superseded_by: self.memory.superseded_by.clone(),
            valid_until: self.memory.valid_until,
            ..self.first.clone()
        }
    }

    fn superseded(&self) -> Option<Effect> {
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

    fn activated(&self) -> Option<Effect> {
        let again = self.memory.status == Status::Active && self.first.status != Status::Active;
        (self.born == Born::Before && again).then(|| Effect::Activate { memory_id: self.memory.id.clone() })
    }
}

fn mentioned(memory: &Memory, place: (usize, usize)) -> Mentioned {
    let said = memory.provenance.sources.iter().filter_map(|source| source.said_at).max().map(Moment::instant);
    Mentioned { said, place }
}

/// Turn ids are unique within a session; across sessions time and words have to agree as well.
fn is_same_turn(known: &Source, source: &Source, same_session: bool) -> bool {
    known.turn_id == source.turn_id
        && (same_session || (known.said_at == source.said_at && known.quote == source.quote))
}

fn earliest(a: Option<Moment>, b: Option<Moment>) -> Option<Moment> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, None) | (None, one) => one,
    }
}
