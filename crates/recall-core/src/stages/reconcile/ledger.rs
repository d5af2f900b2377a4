//! The memories a call touches, as they were and as they stand after each draft; the effects are the difference.

use std::collections::BTreeSet;

use super::entry::{Born, Contest, Entry};
use super::standing::{self, Standing};
use crate::candidate::Polarity;
use crate::claim::Form;
use crate::effect::Effect;
use crate::id::MemoryId;
use crate::memory::{Memory, Status};

/// All memories a call may touch.
#[derive(Default)]
pub(super) struct Ledger<'m> {
    entries: Vec<Entry<'m>>,
}

/// What happened to a draft.
pub(super) enum Booked {
    /// It joined this memory.
    Joined(MemoryId),
    /// It is a memory of its own, in this status; others lost their place to it.
    Made { status: Status, replaces: bool },
}

impl<'m> Ledger<'m> {
    /// The memories of the snapshot.
    pub(super) fn new(memories: &'m [Memory]) -> Self {
        let there = memories.iter().filter(|memory| memory.deleted_at.is_none());
        Self { entries: there.map(Entry::known).collect() }
    }

    /// Books a memory made of a draft: joins it to the one that claims the same, or sets it beside the others.
    pub(super) fn book(&mut self, memory: Memory, form: Form, place: (usize, usize)) -> Booked {
        let same = self.entries.iter().position(|entry| {
            entry.memory.subject.id == memory.subject.id
                && entry.memory.claim_key == memory.claim_key
                && entry.memory.occurrence == memory.occurrence
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
        let counted: Vec<bool> = self.entries.iter().map(counts).collect();
        self.entries.push(Entry::made(memory, form, place));
        self.settle_around(&id);
        let status = self.entry(&id).map_or(Status::Active, |entry| entry.memory.status);
        let lost = self.entries.iter().zip(counted).any(|(entry, counted)| counted && !counts(entry));
        Booked::Made { status, replaces: status == Status::Active && lost }
    }

    fn entry(&self, id: &MemoryId) -> Option<&Entry<'m>> {
        self.entries.iter().find(|entry| entry.memory.id == *id)
    }

    /// Decides anew among the claims that hold one value of one attribute of one subject, or among a claim and its denial.
    fn settle_around(&mut self, id: &MemoryId) {
        let Some(centre) = self.entry(id) else { return };
        let Some(contest) = centre.contest() else {
            if let Some(entry) = self.entries.iter_mut().find(|entry| entry.memory.id == *id) {
                entry.count_again();
            }
            return;
        };
        let (memory, attribute) = (&centre.memory, &centre.form().attribute);
        let inside = |entry: &Entry<'_>| {
            let is_near = match contest {
                Contest::Value => entry.is_of(&memory.subject.id, attribute),
                Contest::Denial => entry.is_of_topic(memory),
            };
            is_near && entry.contest() == Some(contest)
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

    /// How many sources a memory has by now.
    pub(super) fn sources(&self, id: &MemoryId) -> usize {
        self.entry(id).map(|entry| entry.memory.provenance.sources.len()).unwrap_or_default()
    }

    /// Every memory as it stands, and whether at most one of its attribute may be active.
    pub(super) fn into_memories(self) -> Vec<(Memory, bool)> {
        let stood = |entry: Entry<'_>| {
            let single_valued = is_single_valued(&entry);
            (entry.memory.into_owned(), single_valued)
        };
        self.entries.into_iter().map(stood).collect()
    }

    /// New memories; one that is history stands after the new one that took its place.
    fn inserts(&self) -> Vec<Effect> {
        let mut waiting: Vec<&Entry<'_>> = self.entries.iter().filter(|entry| entry.born == Born::Here).collect();
        let mut effects = Vec::new();
        while !waiting.is_empty() {
            let ids: BTreeSet<MemoryId> = waiting.iter().map(|entry| entry.memory.id.clone()).collect();
            let is_ready = |entry: &&Entry<'_>| entry.memory.superseded_by.as_ref().is_none_or(|by| !ids.contains(by));
            let (ready, rest): (Vec<&Entry<'_>>, Vec<&Entry<'_>>) = waiting.iter().copied().partition(is_ready);
            let (ready, rest) = if ready.is_empty() { (rest, ready) } else { (ready, rest) };
            effects.extend(ready.iter().map(|entry| Effect::Insert {
                memory: Box::new(entry.inserted()),
                single_valued: is_single_valued(entry),
            }));
            waiting = rest;
        }
        effects
    }

    fn disputes(&self) -> Vec<Effect> {
        self.pairs().into_iter().map(|(memory_id, with)| Effect::Dispute { memory_id, with }).collect()
    }

    /// Every disputed pair that this call brought about, once; the smaller id first.
    pub(super) fn pairs(&self) -> BTreeSet<(MemoryId, MemoryId)> {
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
        pairs
    }
}

fn is_single_valued(entry: &Entry<'_>) -> bool {
    entry.contest() == Some(Contest::Value) && entry.memory.polarity == Polarity::Positive
}

fn counts(entry: &Entry<'_>) -> bool {
    matches!(entry.memory.status, Status::Active | Status::Disputed)
}
