//! Counts what a soak left behind against what the senders know. Each check has a doctored ledger that makes it fail.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{Duration, Instant};

use super::fleet::Fleet;
use super::pause;
use super::senders::Sent;

/// What the store holds of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Left {
    /// Place of the run in its session, as the store numbered it.
    pub(crate) place: i64,
    pub(crate) memories: i64,
    pub(crate) sources: i64,
    pub(crate) inserts: i64,
}

/// Everything a soak left behind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    pub(crate) runs: BTreeMap<String, Left>,
    pub(crate) dead: BTreeSet<String>,
    pub(crate) parked: i64,
    pub(crate) queued: i64,
}

/// The result.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
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
    /// Waits until nothing moves any more, then counts.
    pub(crate) async fn once_settled(fleet: &Fleet, sent: &[Sent], patience: Duration) -> Self {
        let began = Instant::now();
        loop {
            if let Some(ledger) = fleet.ledger().await {
                let counts = Self::of(sent, &ledger, fleet.poison());
                if counts.is_right() || began.elapsed() > patience {
                    return counts;
                }
            }
            pause(1000).await;
        }
    }

    fn of(sent: &[Sent], ledger: &Ledger, poison: &BTreeSet<String>) -> Self {
        let mut counts = Self { accepted: sent.len(), still_waiting: ledger.parked + ledger.queued, ..Self::default() };
        let mut known = BTreeSet::new();
        for call in sent {
            known.insert(call.trace_id.as_str());
            match ledger.runs.get(&call.trace_id) {
                None => counts.lost += 1,
                Some(left) => {
                    let parts = [left.memories, left.sources, left.inserts];
                    counts.effects += usize::from(parts == [call.claims; 3]);
                    counts.lost += usize::from(parts.iter().any(|part| *part < call.claims));
                    counts.doubled += usize::from(parts.iter().any(|part| *part > call.claims));
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

    pub(crate) fn is_right(&self) -> bool {
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
        let left = |place| Left { place, memories: 2, sources: 2, inserts: 2 };
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
        assert_eq!(counted(|ledger| ledger.runs.extend([("t9".to_owned(), Left::default())])).doubled, 1);
        assert_eq!(counted(|ledger| ledger.runs.get_mut("t1").unwrap().place = 3).out_of_order, 1);
        assert_eq!(counted(|ledger| ledger.dead.extend(["t3".to_owned()])).dead_innocent, 1);
        assert_eq!(counted(|ledger| ledger.dead.clear()).poison_missing, 1);
        assert_eq!(counted(|ledger| ledger.parked = 1).still_waiting, 1);
        assert_eq!(counted(|ledger| ledger.queued = 2).still_waiting, 2);
    }

    #[test]
    fn nothing_accepted_is_no_success() {
        assert!(!Counts::of(&[], &Ledger::default(), &BTreeSet::new()).is_right());
    }
}
