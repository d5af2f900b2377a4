//! Which of several claims about one attribute counts: a pure function of what was said when, so that the order of arrival cannot matter.

use std::cmp::Ordering;

use jiff::Timestamp;

use crate::candidate::Polarity;
use crate::claim::{ClaimKey, Form};
use crate::id::MemoryId;
use crate::memory::Status;

/// A statement of this call: when it was said, where known, and the turn and character where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mentioned {
    pub(super) said: Option<Timestamp>,
    pub(super) place: (usize, usize),
}

/// A claim among those that may end each other.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    /// The memory.
    pub(super) id: MemoryId,
    /// Its claim.
    pub(super) key: ClaimKey,
    /// Its canonical form.
    pub(super) form: Form,
    /// When it was said, earliest first; empty where nobody knows.
    pub(super) said: Vec<Timestamp>,
    /// Where it was said in this call.
    pub(super) mentions: Vec<Mentioned>,
    /// Its latest words are of this call, all of them.
    pub(super) latest_here: bool,
    /// What replaced it as the store has it, where nothing as late was added to it since.
    pub(super) recorded: Option<MemoryId>,
    /// Its status is not for this stage to change: its time is over, or what replaced it is gone.
    pub(super) fixed: bool,
}

/// Where a claim stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It counts.
    Active,
    /// Another one, said from this time on, took its place.
    Superseded { by: MemoryId, from: Option<Timestamp> },
    /// Another one says otherwise, and nothing tells which is later.
    Disputed { with: Vec<MemoryId> },
    /// As it was.
    Unchanged,
}

impl Verdict {
    /// The status it leads to; `None` where it stays as it was.
    pub(super) fn status(&self) -> Option<Status> {
        match self {
            Self::Active => Some(Status::Active),
            Self::Superseded { .. } => Some(Status::Superseded),
            Self::Disputed { .. } => Some(Status::Disputed),
            Self::Unchanged => None,
        }
    }
}

impl Standing {
    fn last(&self) -> Option<Timestamp> {
        self.said.last().copied()
    }

    /// Whether both cannot hold: a claim and its denial, two values, or yes and no to one value.
    fn conflicts(&self, other: &Self) -> bool {
        if self.key.opposite().is_some() {
            return self.key.opposite().as_ref() == Some(&other.key);
        }
        match (self.form.polarity, other.form.polarity) {
            (Polarity::Positive, Polarity::Positive) => !self.form.same_value(&other.form),
            (Polarity::Negative, Polarity::Negative) => false,
            (Polarity::Positive, Polarity::Negative) | (Polarity::Negative, Polarity::Positive) => {
                self.form.same_value(&other.form)
            }
        }
    }

    /// Which was said later: by time, else by what was decided before, else by the place in this call.
    fn order(&self, other: &Self) -> Option<Ordering> {
        match (self.last(), other.last()) {
            (Some(mine), Some(theirs)) if mine != theirs => Some(mine.cmp(&theirs)),
            (Some(_) | None, Some(_) | None) => self.decided(other).or_else(|| self.by_place(other)),
        }
    }

    fn decided(&self, other: &Self) -> Option<Ordering> {
        if self.recorded.as_ref() == Some(&other.id) {
            Some(Ordering::Less)
        } else if other.recorded.as_ref() == Some(&self.id) {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    fn by_place(&self, other: &Self) -> Option<Ordering> {
        if self.is_followed_by(other) {
            Some(Ordering::Less)
        } else if other.is_followed_by(self) {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// All that makes this one as late as it is was said in this call, and the other was said after it there, at the same time.
    fn is_followed_by(&self, other: &Self) -> bool {
        let last_at =
            |one: &Self| one.mentions.iter().filter(|told| told.said == self.last()).map(|told| told.place).max();
        match (last_at(self), last_at(other)) {
            (Some(mine), Some(theirs)) => self.latest_here && mine < theirs,
            (Some(_) | None, Some(_) | None) => false,
        }
    }

    /// From when on `later` took this one's place: the first time it was said after this one's last.
    fn ended_from(&self, later: &Self) -> Option<Timestamp> {
        let after = |said: &&Timestamp| self.last().is_none_or(|mine| **said > mine);
        later.said.iter().find(after).copied().or(later.last())
    }
}

/// Where each stands, in the order given.
pub(super) fn verdicts(group: &[Standing]) -> Vec<Verdict> {
    let replaced: Vec<Option<(&Standing, Option<Timestamp>)>> =
        group.iter().map(|one| replacement(group, one)).collect();
    let open: Vec<bool> = group.iter().zip(&replaced).map(|(one, by)| by.is_none() && !one.fixed).collect();
    group
        .iter()
        .zip(&replaced)
        .map(|(one, by)| match by {
            _ if one.fixed => Verdict::Unchanged,
            Some((by, from)) => Verdict::Superseded { by: by.id.clone(), from: *from },
            None => open_verdict(group, &open, one),
        })
        .collect()
}

fn open_verdict(group: &[Standing], open: &[bool], one: &Standing) -> Verdict {
    let rivals = group.iter().zip(open).filter(|(other, open)| **open && other.id != one.id && one.conflicts(other));
    let with: Vec<MemoryId> = rivals.map(|(other, _)| other.id.clone()).collect();
    if with.is_empty() { Verdict::Active } else { Verdict::Disputed { with } }
}

/// What took the place of a claim first: the earliest said of those said later.
fn replacement<'g>(group: &'g [Standing], one: &Standing) -> Option<(&'g Standing, Option<Timestamp>)> {
    let later = group
        .iter()
        .filter(|other| other.id != one.id && one.conflicts(other) && one.order(other) == Some(Ordering::Less));
    let dated: Vec<(&Standing, Option<Timestamp>)> = later.map(|other| (other, one.ended_from(other))).collect();
    let soonest = |from: Option<Timestamp>| (from.is_none(), from);
    let first = dated.iter().map(|(_, from)| soonest(*from)).min()?;
    let tied: Vec<(&Standing, Option<Timestamp>)> =
        dated.into_iter().filter(|(_, from)| soonest(*from) == first).collect();
    // Of two that do not end each other no order is kept, so none may count: the set decides, not who is compared with whom.
    let is_preceded =
        |one: &Standing| tied.iter().any(|(other, _)| other.conflicts(one) && other.order(one) == Some(Ordering::Less));
    let (preceded, leading): (Vec<_>, Vec<_>) = tied.iter().copied().partition(|(one, _)| is_preceded(one));
    let left = if leading.is_empty() { preceded } else { leading };
    left.into_iter().min_by_key(|(one, _)| &one.key)
}
