//! Judging again what is left: statements in the order in which they came, those of taken-back calls left out, lead to the state
//! that the calls left would have led to by themselves. Forgetting and restoring need no undoing of undoing.

use std::collections::{BTreeMap, BTreeSet};

use super::ledger::{Booked, Ledger};
use crate::claim::{Form, Statement};
use crate::id::MemoryId;
use crate::memory::{Memory, Status};
use crate::moment::Moment;

/// One call's statement of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The memory it would be alone; its id is that of the memory it made or joined when its call ran.
    pub memory: Memory,
    /// Turn of its call and character in it where its last words begin.
    pub place: (usize, usize),
}

/// Something that bears on where memories stand.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A call told these.
    Told(Vec<Told>),
    /// `by` takes the place of a memory, whatever both say.
    Replaced {
        /// The memory.
        memory: MemoryId,
        /// What took its place; it may be gone.
        by: MemoryId,
        /// From when on.
        from: Option<Moment>,
    },
    /// Somebody doubts a memory.
    Doubted(MemoryId),
    /// A person chose between two that were disputed, or lifted a doubt (then both are the same).
    Settled {
        /// What counts.
        kept: MemoryId,
        /// What does not.
        lost: MemoryId,
        /// From when on.
        from: Option<Moment>,
    },
    /// Its time was over.
    Expired(MemoryId),
}

/// A memory as it stands after all events.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The memory.
    pub memory: Memory,
    /// At most one active memory of its subject may hold the attribute.
    pub single_valued: bool,
    /// For each of its sources the statement that brought it: positions among all [`Told`], counted in the order of the events.
    pub brought_by: Vec<usize>,
}

/// Every memory that is left, and every pair that was disputed on the way.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Replayed {
    /// Memories with at least one statement.
    pub memories: Vec<Judged>,
    /// Pairs, the smaller id first.
    pub disputed: BTreeSet<(MemoryId, MemoryId)>,
}

/// Judges events in their order. Claims that cannot bear on each other are judged apart, so that the work grows with the largest
/// group of claims and not with all of them.
pub fn replay(events: Vec<Event>) -> Replayed {
    let mut whole = Replayed::default();
    for group in groups(events) {
        let mut play = Play::default();
        group.into_iter().for_each(|step| play.take(step));
        whole.memories.extend(play.state.into_values());
        whole.disputed.extend(play.disputed);
    }
    whole
}

/// An event with the positions of what it tells.
type Step = (Event, Vec<usize>);

#[derive(Default)]
struct Play {
    state: BTreeMap<MemoryId, Judged>,
    /// Memories whose claim another one tells now.
    told_by: BTreeMap<MemoryId, MemoryId>,
    disputed: BTreeSet<(MemoryId, MemoryId)>,
    /// Memories somebody doubts by themselves.
    doubted: BTreeSet<MemoryId>,
}

impl Play {
    fn take(&mut self, (event, positions): Step) {
        match event {
            Event::Told(told) => self.tell(told, &positions),
            Event::Replaced { memory, by, from } => self.supersede(&memory, by, from),
            Event::Doubted(id) => {
                if let Some(judged) = self.state.get_mut(&id).filter(|judged| judged.memory.status == Status::Active) {
                    judged.memory.status = Status::Disputed;
                    self.doubted.insert(id);
                }
            }
            Event::Settled { kept, lost, from } => self.settle(kept, &lost, from),
            Event::Expired(id) => self.expire(&id),
        }
    }

    fn tell(&mut self, told: Vec<Told>, positions: &[usize]) {
        let memories: Vec<Memory> = self.state.values().map(|judged| judged.memory.clone()).collect();
        let mut ledger = Ledger::new(&memories);
        let mut brought: BTreeMap<MemoryId, Vec<usize>> =
            self.state.iter().map(|(id, judged)| (id.clone(), judged.brought_by.clone())).collect();
        for (told, position) in told.into_iter().zip(positions) {
            let made = told.memory.id.clone();
            let form = Form::of(&Statement::from(&told.memory));
            let alone = Memory { status: Status::Active, superseded_by: None, valid_until: None, ..told.memory };
            let id = match ledger.book(alone, form, told.place) {
                Booked::Joined(id) => id,
                Booked::Made { .. } => made.clone(),
            };
            if id != made {
                self.told_by.insert(made, id.clone());
            }
            let sources = ledger.sources(&id);
            brought.entry(id).or_default().resize(sources, *position);
        }
        self.disputed.extend(ledger.pairs());
        for (memory, made_single_valued) in ledger.into_memories() {
            let id = memory.id.clone();
            let before = self.state.get(&id).map(|judged| judged.single_valued);
            let brought_by = brought.remove(&id).unwrap_or_default();
            let single_valued = before.unwrap_or(made_single_valued);
            self.state.insert(id, Judged { memory, single_valued, brought_by });
        }
    }

    /// The memory that tells the claim of another.
    fn teller(&self, id: &MemoryId) -> MemoryId {
        let told_by = self.told_by.get(id).filter(|_| !self.state.contains_key(id));
        told_by.unwrap_or(id).clone()
    }

    fn supersede(&mut self, id: &MemoryId, by: MemoryId, from: Option<Moment>) {
        let (id, by) = (self.teller(id), self.teller(&by));
        if let Some(judged) = self.state.get_mut(&id).filter(|_| id != by) {
            judged.memory.status = Status::Superseded;
            (judged.memory.superseded_by, judged.memory.valid_until) = (Some(by), from);
        }
    }

    /// Ends a memory; what stood in dispute with nothing but it counts again.
    fn expire(&mut self, id: &MemoryId) {
        let Some(judged) = self.state.get_mut(id) else { return };
        judged.memory.status = Status::Expired;
        let (over, left): (BTreeSet<_>, BTreeSet<_>) =
            std::mem::take(&mut self.disputed).into_iter().partition(|(one, other)| one == id || other == id);
        self.disputed = left;
        for rival in over.into_iter().map(|(one, other)| if one == *id { other } else { one }) {
            let stands = self.doubted.contains(&rival)
                || self.disputed.iter().any(|(one, other)| *one == rival || *other == rival);
            let judged = self.state.get_mut(&rival).filter(|judged| judged.memory.status == Status::Disputed);
            if let Some(judged) = judged.filter(|_| !stands) {
                judged.memory.status = Status::Active;
            }
        }
    }

    fn settle(&mut self, kept: MemoryId, lost: &MemoryId, from: Option<Moment>) {
        let (kept, lost) = (self.teller(&kept), &self.teller(lost));
        let Some(judged) = self.state.get_mut(&kept) else { return };
        judged.memory.status = Status::Active;
        (judged.memory.superseded_by, judged.memory.valid_until) = (None, None);
        if kept != *lost {
            self.supersede(lost, kept, from);
        }
    }
}

/// Events by group, each group in the order of the events.
fn groups(events: Vec<Event>) -> Vec<Vec<Step>> {
    let mut bonds = Bonds::default();
    for event in &events {
        match event {
            Event::Told(told) => told.iter().for_each(|told| bonds.join(&keys(&told.memory))),
            Event::Replaced { memory: one, by: other, .. } | Event::Settled { kept: one, lost: other, .. } => {
                bonds.join(&[one.as_str().to_owned(), other.as_str().to_owned()]);
            }
            Event::Doubted(_) | Event::Expired(_) => {}
        }
    }
    let mut groups: BTreeMap<usize, Vec<Step>> = BTreeMap::new();
    let mut position = 0;
    for event in events {
        match event {
            Event::Told(told) => {
                let mut parts: BTreeMap<usize, (Vec<Told>, Vec<usize>)> = BTreeMap::new();
                for told in told {
                    let part = parts.entry(bonds.of(told.memory.id.as_str())).or_default();
                    part.0.push(told);
                    part.1.push(position);
                    position += 1;
                }
                for (group, (told, positions)) in parts {
                    groups.entry(group).or_default().push((Event::Told(told), positions));
                }
            }
            event @ (Event::Replaced { .. } | Event::Doubted(_) | Event::Settled { .. } | Event::Expired(_)) => {
                groups.entry(bonds.of(subject_of(&event))).or_default().push((event, Vec::new()));
            }
        }
    }
    groups.into_values().collect()
}

fn subject_of(event: &Event) -> &str {
    match event {
        Event::Told(_) => "",
        Event::Replaced { memory: id, .. }
        | Event::Doubted(id)
        | Event::Settled { kept: id, .. }
        | Event::Expired(id) => id.as_str(),
    }
}

/// What binds a statement to others: the memory it is part of, its claim or the opposite, and, where one value ends another, its attribute.
fn keys(memory: &Memory) -> Vec<String> {
    let subject = memory.subject.id.as_str();
    let mut keys = vec![memory.id.as_str().to_owned(), format!("{subject} claims {}", memory.claim_key.topic())];
    let form = Form::of(&Statement::from(memory));
    if form.replaceable() {
        keys.push(format!("{subject} has {}", form.attribute));
    }
    keys
}

/// Which keys belong together.
#[derive(Default)]
struct Bonds {
    numbers: BTreeMap<String, usize>,
    parents: Vec<usize>,
}

impl Bonds {
    fn join(&mut self, keys: &[String]) {
        let mut first = None;
        for key in keys {
            let root = self.of(key);
            let first = *first.get_or_insert(root);
            if let Some(parent) = self.parents.get_mut(root) {
                *parent = first;
            }
        }
    }

    fn of(&mut self, key: &str) -> usize {
        let Some(number) = self.numbers.get(key) else {
            let number = self.parents.len();
            self.numbers.insert(key.to_owned(), number);
            self.parents.push(number);
            return number;
        };
        let mut at = *number;
        while let Some(parent) = self.parents.get(at).copied().filter(|parent| *parent != at) {
            at = parent;
        }
        at
    }
}
