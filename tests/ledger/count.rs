//! The count. Each check has a doctored ledger that makes it fail.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Spans of a run whose claims are kept: one for each of the ten stages.
pub const SPANS: i64 = 10;

/// A call that was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Which of the sender's sessions it belongs to.
    pub session: u32,
    /// Its place among the calls of that session, as they were sent.
    pub seq: u32,
    /// What the door answered.
    pub trace_id: String,
    /// Claims its turns hold: memories, sources and audit rows it must leave behind.
    pub claims: i64,
}

/// What the store holds of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// Place of the run in its session, as the store numbered it.
    pub place: i64,
    /// Memories it made.
    pub memories: i64,
    /// Sources it cited.
    pub sources: i64,
    /// Audit rows of what it inserted.
    pub inserts: i64,
    /// Rows of its stages.
    pub spans: i64,
}

/// Everything that was left behind.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// What each run left, by its trace.
    pub runs: BTreeMap<String, Left>,
    /// Ids of the dead letters.
    pub dead: BTreeSet<String>,
    /// Calls parked in the store.
    pub parked: i64,
    /// Attempts that have no end.
    pub attempts: i64,
    /// Messages in the queues.
    pub queued: i64,
}

/// The result.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    accepted: usize,
    effects: usize,
    lost: usize,
    doubled: usize,
    out_of_order: usize,
    dead_innocent: usize,
    poison_kept: usize,
    poison_missing: usize,
    still_waiting: i64,
}

impl Counts {
    /// Counts what `sent` says against the ledger; `poison` are the ids that must be dead letters, and no others.
    pub fn of(sent: &[Sent], ledger: &Ledger, poison: &BTreeSet<String>) -> Self {
        let mut counts = Self {
            accepted: sent.len(),
            still_waiting: ledger.parked + ledger.attempts + ledger.queued,
            ..Self::default()
        };
        let mut known = BTreeSet::new();
        for call in sent {
            known.insert(call.trace_id.as_str());
            match ledger.runs.get(&call.trace_id) {
                None => counts.lost += 1,
                Some(left) => {
                    let parts = [left.memories, left.sources, left.inserts, left.spans];
                    let known = [call.claims, call.claims, call.claims, SPANS];
                    counts.effects += usize::from(parts == known);
                    counts.lost += usize::from(parts.iter().zip(known).any(|(part, known)| *part < known));
                    counts.doubled += usize::from(parts.iter().zip(known).any(|(part, known)| *part > known));
                }
            }
        }
        // A run nobody was promised may only stand for a call whose answer was lost and which was sent again under its own key, so there is none.
        counts.doubled += ledger.runs.keys().filter(|id| !known.contains(id.as_str())).count();
        counts.out_of_order = out_of_order(sent, ledger);
        counts.dead_innocent = ledger.dead.difference(poison).count();
        counts.poison_kept = ledger.dead.intersection(poison).count();
        counts.poison_missing = poison.len() - counts.poison_kept;
        counts
    }

    /// Whether every accepted call had its one effect in its order, and nothing else is left.
    pub fn is_right(&self) -> bool {
        let wrong = [self.lost, self.doubled, self.out_of_order, self.dead_innocent, self.poison_missing];
        self.effects == self.accepted && self.accepted > 0 && wrong == [0; 5] && self.still_waiting == 0
    }
}

/// Calls that were committed before one that their session had sent earlier.
fn out_of_order(sent: &[Sent], ledger: &Ledger) -> usize {
    let mut sessions: BTreeMap<u32, Vec<(i64, u32)>> = BTreeMap::new();
    for call in sent {
        if let Some(left) = ledger.runs.get(&call.trace_id) {
            sessions.entry(call.session).or_default().push((left.place, call.seq));
        }
    }
    let wrong = |mut calls: Vec<(i64, u32)>| {
        calls.sort_unstable();
        calls.windows(2).filter(|pair| pair[0].1 > pair[1].1).count()
    };
    sessions.into_values().map(wrong).sum()
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { accepted, effects, lost, doubled, out_of_order, dead_innocent, .. } = self;
        write!(
            f,
            "accepted={accepted} effects={effects} lost={lost} doubled={doubled} out_of_order={out_of_order} dead_innocent={dead_innocent} \
             poison_kept={} poison_missing={} still_waiting={}",
            self.poison_kept, self.poison_missing, self.still_waiting
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground() -> (Vec<Sent>, Ledger, BTreeSet<String>) {
        let sent: Vec<Sent> =
            (0..4).map(|seq| Sent { session: 1, seq, trace_id: format!("t{seq}"), claims: 2 }).collect();
        let left = |place| Left { place, memories: 2, sources: 2, inserts: 2, spans: SPANS };
        let runs = (0..4).map(|seq| (format!("t{seq}"), left(seq))).collect();
        let poison = BTreeSet::from(["poison-0".to_owned()]);
        (sent, Ledger { runs, dead: poison.clone(), ..Ledger::default() }, poison)
    }

    fn counted(change: impl FnOnce(&mut Ledger)) -> Counts {
        let (sent, mut ledger, poison) = ground();
        change(&mut ledger);
        let counts = Counts::of(&sent, &ledger, &poison);
        assert!(!counts.is_right(), "{counts}");
        counts
    }

    #[test]
    fn an_untouched_ledger_is_right() {
        let (sent, ledger, poison) = ground();
        let counts = Counts::of(&sent, &ledger, &poison);
        assert!(counts.is_right(), "{counts}");
        assert_eq!((counts.accepted, counts.effects, counts.poison_kept), (4, 4, 1));
    }

    #[test]
    fn every_kind_of_damage_is_counted() {
        assert_eq!(counted(|ledger| ledger.runs.retain(|id, _| id != "t2")).lost, 1);
        assert_eq!(counted(|ledger| ledger.runs.get_mut("t1").unwrap().memories = 1).lost, 1);
        assert_eq!(counted(|ledger| ledger.runs.get_mut("t1").unwrap().sources = 3).doubled, 1);
        assert_eq!(counted(|ledger| ledger.runs.get_mut("t1").unwrap().inserts = 4).doubled, 1);
        assert_eq!(counted(|ledger| ledger.runs.get_mut("t1").unwrap().spans -= 1).lost, 1);
        assert_eq!(counted(|ledger| ledger.runs.get_mut("t1").unwrap().spans += 1).doubled, 1);
        assert_eq!(counted(|ledger| ledger.runs.extend([("t9".to_owned(), Left::default())])).doubled, 1);
        assert_eq!(counted(|ledger| ledger.runs.get_mut("t1").unwrap().place = 3).out_of_order, 1);
        assert_eq!(counted(|ledger| ledger.dead.extend(["t3".to_owned()])).dead_innocent, 1);
        assert_eq!(counted(|ledger| ledger.dead.clear()).poison_missing, 1);
        assert_eq!(counted(|ledger| ledger.parked = 1).still_waiting, 1);
        assert_eq!(counted(|ledger| ledger.attempts = 1).still_waiting, 1);
        assert_eq!(counted(|ledger| ledger.queued = 2).still_waiting, 2);
    }

    #[test]
    fn nothing_accepted_is_no_success() {
        assert!(!Counts::of(&[], &Ledger::default(), &BTreeSet::new()).is_right());
    }
}
