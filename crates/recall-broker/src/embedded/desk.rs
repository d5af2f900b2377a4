//! What a process knows of its shelf: heads taken and not handed out yet, and sessions in flight.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use recall_core::id::TraceId;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

use super::shelf::Due;
use crate::{Noted, Share};

/// How long a head that was taken may wait before it is taken anew: meanwhile somebody may have erased it.
const FRESH: Duration = Duration::from_secs(1);

/// What is known of the shelf's heads in this process.
pub(super) struct Desk {
    inner: Mutex<Known>,
    woken: Notify,
}

struct Known {
    owned: Share,
    in_flight: HashSet<String>,
    /// Rows handed out in vain.
    handed_back: HashSet<i64>,
    heads: VecDeque<Due>,
    taken_at: Option<Instant>,
    /// What was noted of rows when they were taken first, while they are not handed out: taken anew they would look as if an attempt
    /// at them had begun.
    not_begun: HashMap<i64, (TraceId, Noted)>,
}

impl Desk {
    /// An empty desk for these partitions.
    pub(super) fn owning(owned: Share) -> Self {
        let known = Known {
            owned,
            in_flight: HashSet::new(),
            handed_back: HashSet::new(),
            heads: VecDeque::new(),
            taken_at: None,
            not_begun: HashMap::new(),
        };
        Self { inner: Mutex::new(known), woken: Notify::new() }
    }

    /// Somebody who waits may look again.
    pub(super) fn wake(&self) {
        self.woken.notify_one();
    }

    /// Waits for [`Desk::wake`].
    pub(super) fn woken(&self) -> Notified<'_> {
        self.woken.notified()
    }

    /// Sessions in flight.
    pub(super) fn in_flight(&self) -> u64 {
        u64::try_from(self.lock().in_flight.len()).unwrap_or(u64::MAX)
    }

    /// What lies here is out of date.
    pub(super) fn forget_heads(&self) {
        self.lock().forget_heads();
    }

    /// Other partitions from now on; `false` where they are the same.
    pub(super) fn own(&self, share: &Share) -> bool {
        let mut known = self.lock();
        if known.owned == *share {
            return false;
        }
        known.owned = share.clone();
        known.forget_heads();
        true
    }

    /// What to ask the shelf for: partitions, and sessions to leave out. `None` while heads lie here.
    pub(super) fn ask(&self) -> Option<(Share, Vec<String>)> {
        let known = self.lock();
        known.heads.is_empty().then(|| (known.owned.clone(), known.in_flight.iter().cloned().collect()))
    }

    /// Takes in what the shelf gave for these partitions; `true` where the desk should be looked at again.
    pub(super) fn put_down(&self, heads: Vec<Due>, asked: &Share) -> bool {
        let mut known = self.lock();
        let heads: VecDeque<Due> = heads.into_iter().map(|head| known.as_noted_first(head)).collect();
        if known.owned != *asked {
            return true;
        }
        (known.heads, known.taken_at) = (heads, Some(Instant::now()));
        !known.heads.is_empty()
    }

    /// The next head, and whether it was handed out before; its session is in flight from now on.
    pub(super) fn take_known(&self) -> Option<(Due, bool)> {
        let mut known = self.lock();
        if known.taken_at.is_none_or(|at| at.elapsed() > FRESH) {
            known.forget_heads();
        }
        let head = known.heads.pop_front()?;
        known.not_begun.remove(&head.key.seq);
        known.in_flight.insert(head.session_key.clone());
        let again = known.handed_back.contains(&head.key.seq);
        let more = !known.heads.is_empty();
        drop(known);
        if more {
            self.wake();
        }
        Some((head, again))
    }

    /// A session is free again; its row was settled, or handed out in vain.
    pub(super) fn free(&self, session_key: &str, seq: i64, settled: bool) {
        let mut known = self.lock();
        known.in_flight.remove(session_key);
        if settled {
            known.handed_back.remove(&seq);
        } else {
            known.handed_back.insert(seq);
        }
        drop(known);
        self.wake();
    }

    /// Forgets everything that was not handed out; which calls that are.
    pub(super) fn clear_away(&self) -> Vec<TraceId> {
        let mut known = self.lock();
        known.forget_heads();
        known.not_begun.drain().map(|(_, (trace_id, _))| trace_id).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn forget_heads(&mut self) {
        self.heads.clear();
        self.taken_at = None;
    }

    fn as_noted_first(&mut self, head: Due) -> Due {
        let first = || (head.trace_id.clone(), head.noted);
        let noted = self.not_begun.entry(head.key.seq).or_insert_with(first).1;
        Due { noted, ..head }
    }
}
