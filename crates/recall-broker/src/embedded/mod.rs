//! A queue over a durable shelf: the table of parked calls, handed in by the wiring. Alone it is the whole queue of an
//! embedded installation; beside RabbitMQ it replays the parked sessions of the partitions a worker owns.

mod shelf;

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

pub use shelf::{Due, Key, Put, Shelf};

use crate::topology::LANES;
use crate::{Broker, BrokerError, Delivery, Depth, Envelope, Settle, Share, slot};

/// Heads read at once beyond those in flight.
const BATCH: u32 = 16;
/// How long a head that was read may wait before it is read anew: meanwhile somebody may have erased it.
const FRESH: Duration = Duration::from_secs(1);

/// A queue over a [`Shelf`].
pub struct Embedded {
    shelf: Arc<dyn Shelf>,
    poll: Duration,
    stopped: watch::Sender<bool>,
    desk: Arc<Desk>,
    reading: tokio::sync::Mutex<()>,
}

/// What is known of the shelf's heads in this process.
struct Desk {
    inner: Mutex<Known>,
    woken: Notify,
}

struct Known {
    owned: Share,
    in_flight: HashSet<String>,
    /// Sessions in flight at any time since the shelf was last asked: what it says of their heads is out of date.
    touched: HashSet<String>,
    /// Rows handed out in vain.
    handed_back: HashSet<i64>,
    heads: VecDeque<Due>,
    read_at: Option<Instant>,
}

impl Embedded {
    /// The only queue of an installation: owns everything until [`Broker::set_partitions`] says otherwise.
    /// `poll` is how often the shelf is asked for calls whose waiting time is over.
    pub fn alone(shelf: Arc<dyn Shelf>, poll: Duration) -> Self {
        Self::owning(Share::all(), shelf, poll)
    }

    /// A replay of parked calls beside another queue: owns nothing until [`Broker::set_partitions`] says so.
    pub fn beside(shelf: Arc<dyn Shelf>, poll: Duration) -> Self {
        Self::owning(Share::none(1), shelf, poll)
    }

    fn owning(owned: Share, shelf: Arc<dyn Shelf>, poll: Duration) -> Self {
        let known = Known {
            owned,
            in_flight: HashSet::new(),
            touched: HashSet::new(),
            handed_back: HashSet::new(),
            heads: VecDeque::new(),
            read_at: None,
        };
        let desk = Arc::new(Desk { inner: Mutex::new(known), woken: Notify::new() });
        Self { shelf, poll, stopped: watch::Sender::new(false), desk, reading: tokio::sync::Mutex::default() }
    }

    /// Says that the shelf was changed from outside, for example by parking a call.
    pub fn wake(&self) {
        self.desk.lock().forget_heads();
        self.desk.woken.notify_one();
    }

    async fn next(&self) -> Result<Delivery, BrokerError> {
        loop {
            let woken = self.desk.woken.notified();
            if let Some(delivery) = self.take_known() {
                return Ok(delivery);
            }
            if self.read_heads().await? {
                continue;
            }
            // Whichever comes first: a call was put, a session became free, or a waiting time may be over.
            let _ = tokio::time::timeout(self.poll, woken).await;
            self.desk.lock().forget_heads();
        }
    }

    /// Live heads, else bulk ones; `true` where one of them can be handed out.
    async fn read_heads(&self) -> Result<bool, BrokerError> {
        let _alone = self.reading.lock().await;
        let (owned, busy) = {
            let mut known = self.desk.lock();
            if !known.heads.is_empty() {
                return Ok(true);
            }
            known.touched = known.in_flight.clone();
            (known.owned.clone(), u32::try_from(known.in_flight.len()).unwrap_or(u32::MAX))
        };
        if owned.partitions.is_empty() {
            return Ok(false);
        }
        for lane in LANES {
            let heads = self.shelf.due(lane, &owned, busy.saturating_add(BATCH)).await?;
            let mut known = self.desk.lock();
            if known.owned != owned {
                return Ok(true);
            }
            let free = heads.into_iter().filter(|head| !known.touched.contains(&head.session_key)).collect();
            known.heads = free;
            known.read_at = Some(Instant::now());
            if !known.heads.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn take_known(&self) -> Option<Delivery> {
        let mut known = self.desk.lock();
        if known.read_at.is_none_or(|at| at.elapsed() > FRESH) {
            known.forget_heads();
        }
        let head = known.heads.pop_front()?;
        known.in_flight.insert(head.session_key.clone());
        known.touched.insert(head.session_key.clone());
        let again = known.handed_back.contains(&head.key.seq);
        let more = !known.heads.is_empty();
        drop(known);
        if more {
            self.desk.woken.notify_one();
        }
        Some(self.hand_out(Due { unfinished: head.unfinished || again, ..head }))
    }

    fn hand_out(&self, head: Due) -> Delivery {
        let taken = Taken {
            shelf: self.shelf.clone(),
            desk: self.desk.clone(),
            key: head.key,
            session_key: head.session_key,
            settled: false,
        };
        Delivery {
            envelope: Envelope::decode(&head.body, Some(head.trace_id.as_str())),
            attempts: head.attempts,
            redelivered: head.unfinished,
            parked: true,
            stray: None,
            settle: Box::new(taken),
        }
    }
}

#[async_trait]
impl Broker for Embedded {
    async fn publish(&self, envelope: &Envelope) -> Result<(), BrokerError> {
        let call = &envelope.call;
        let put = Put {
            trace_id: call.trace_id.clone(),
            session_key: call.session_key(),
            slot: slot(call),
            lane: call.lane,
            body: envelope.encode().map_err(BrokerError::Unwritable)?,
        };
        self.shelf.put(&put).await?;
        self.desk.woken.notify_one();
        Ok(())
    }

    async fn receive(&self) -> Result<Delivery, BrokerError> {
        let mut stopped = self.stopped.subscribe();
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => Err(BrokerError::Stopped),
            delivery = self.next() => delivery,
        }
    }

    async fn depth(&self) -> Result<Depth, BrokerError> {
        let (live, bulk) = self.shelf.depth().await?;
        let in_flight = u64::try_from(self.desk.lock().in_flight.len()).unwrap_or(u64::MAX);
        // Which lane those in flight are of is not known here; live ones go first.
        let left = in_flight.saturating_sub(live);
        Ok(Depth { live: live.saturating_sub(in_flight), bulk: bulk.saturating_sub(left), ..Depth::default() })
    }

    async fn ready(&self) -> Result<(), BrokerError> {
        self.shelf.ready().await
    }

    async fn set_partitions(&self, share: &Share) {
        let mut known = self.desk.lock();
        if known.owned != *share {
            known.owned = share.clone();
            known.forget_heads();
            drop(known);
            self.desk.woken.notify_one();
        }
    }

    async fn stop(&self) {
        self.stopped.send_replace(true);
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn free(&self, taken: &Taken) {
        let mut known = self.lock();
        known.in_flight.remove(&taken.session_key);
        if taken.settled {
            known.handed_back.remove(&taken.key.seq);
        } else {
            known.handed_back.insert(taken.key.seq);
        }
        drop(known);
        self.woken.notify_one();
    }
}

impl Known {
    fn forget_heads(&mut self) {
        self.heads.clear();
        self.read_at = None;
    }
}

/// A head handed out. Its session is free again when this goes, settled or not.
struct Taken {
    shelf: Arc<dyn Shelf>,
    desk: Arc<Desk>,
    key: Key,
    session_key: String,
    settled: bool,
}

#[async_trait]
impl Settle for Taken {
    /// The row goes unless it changed: a call that was parked again keeps its row, and a commit took it along already.
    async fn ack(mut self: Box<Self>) -> Result<bool, BrokerError> {
        self.shelf.done(&self.key).await?;
        self.settled = true;
        Ok(true)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.desk.free(self);
    }
}

#[cfg(test)]
mod tests {
    use recall_core::call::Lane;
    use recall_core::id::TraceId;

    use super::*;
    use crate::conformance::{envelope, expect, nothing_comes};

    const POLL: Duration = Duration::from_millis(20);

    #[derive(Default)]
    struct Memory(Mutex<Vec<Row>>);

    struct Row {
        key: Key,
        put: Put,
        attempts: u32,
        due_at: Instant,
    }

    impl Memory {
        fn rows(&self) -> MutexGuard<'_, Vec<Row>> {
            self.0.lock().unwrap()
        }

        /// What a worker does with a call that has to wait.
        fn park_again(&self, trace_id: &TraceId, wait: Duration) {
            let mut rows = self.rows();
            let row = rows.iter_mut().find(|row| row.put.trace_id == *trace_id).unwrap();
            (row.key.revision, row.attempts, row.due_at) =
                (row.key.revision + 1, row.attempts + 1, Instant::now() + wait);
        }
    }

    #[async_trait]
    impl Shelf for Memory {
        async fn put(&self, call: &Put) -> Result<(), BrokerError> {
            let mut rows = self.rows();
            if !rows.iter().any(|row| row.put.trace_id == call.trace_id) {
                let seq = rows.last().map_or(1, |row| row.key.seq + 1);
                let key = Key { seq, revision: 0 };
                rows.push(Row { key, put: call.clone(), attempts: 0, due_at: Instant::now() });
            }
            Ok(())
        }

        async fn due(&self, lane: Lane, share: &Share, limit: u32) -> Result<Vec<Due>, BrokerError> {
            let mut seen = HashSet::new();
            let rows = self.rows();
            let heads = rows.iter().filter(|row| seen.insert(row.put.session_key.clone()));
            let asked = |put: &Put| put.lane == lane && share.partitions.contains(&(put.slot % share.of));
            let due = heads.filter(|row| row.due_at <= Instant::now() && asked(&row.put));
            let due = due.map(|row| Due {
                key: row.key.clone(),
                trace_id: row.put.trace_id.clone(),
                session_key: row.put.session_key.clone(),
                body: row.put.body.clone(),
                attempts: row.attempts,
                unfinished: false,
            });
            Ok(due.take(usize::try_from(limit).unwrap()).collect())
        }

        async fn done(&self, key: &Key) -> Result<bool, BrokerError> {
            let mut rows = self.rows();
            let before = rows.len();
            rows.retain(|row| row.key != *key);
            Ok(rows.len() < before)
        }

        async fn depth(&self) -> Result<(u64, u64), BrokerError> {
            let rows = self.rows();
            let live = rows.iter().filter(|row| row.put.lane == Lane::Live).count();
            Ok((u64::try_from(live).unwrap(), u64::try_from(rows.len() - live).unwrap()))
        }

        async fn ready(&self) -> Result<(), BrokerError> {
            Ok(())
        }
    }

    async fn with_queue(promise: impl AsyncFnOnce(&dyn Broker)) {
        promise(&Embedded::alone(Arc::new(Memory::default()), POLL)).await;
    }

    crate::conformance::promises!(with_queue);

    #[tokio::test]
    async fn a_call_that_was_parked_again_survives_the_ack_and_waits_its_time() {
        let shelf = Arc::new(Memory::default());
        let queue = Embedded::alone(shelf.clone(), POLL);
        let (first, second) = (envelope("s", 1), envelope("s", 2));
        queue.publish(&first).await.unwrap();
        queue.publish(&second).await.unwrap();
        let delivery = queue.receive().await.unwrap();
        shelf.park_again(&first.call.trace_id, Duration::from_millis(300));
        assert!(delivery.ack().await.unwrap());
        nothing_comes(&queue).await;
        let again = queue.receive().await.unwrap();
        assert_eq!((again.attempts, again.redelivered, again.parked), (1, false, true));
        assert_eq!(again.envelope.as_ref().unwrap(), &first);
        again.ack().await.unwrap();
        expect(&queue, &second).await;
    }

    #[tokio::test]
    async fn one_call_of_a_session_is_out_at_a_time() {
        let queue = Embedded::alone(Arc::new(Memory::default()), POLL);
        queue.publish(&envelope("s", 1)).await.unwrap();
        queue.publish(&envelope("s", 2)).await.unwrap();
        let held = queue.receive().await.unwrap();
        nothing_comes(&queue).await;
        held.ack().await.unwrap();
        expect(&queue, &envelope("s", 2)).await;
    }

    #[tokio::test]
    async fn bulk_calls_wait_while_live_ones_are_there() {
        let queue = Embedded::alone(Arc::new(Memory::default()), POLL);
        let mut bulk = envelope("archive", 1);
        bulk.call.lane = Lane::Bulk;
        queue.publish(&bulk).await.unwrap();
        queue.publish(&envelope("now", 2)).await.unwrap();
        expect(&queue, &envelope("now", 2)).await;
        expect(&queue, &bulk).await;
    }

    #[tokio::test]
    async fn a_replay_takes_nothing_before_it_owns_something() {
        let queue = Embedded::beside(Arc::new(Memory::default()), POLL);
        queue.publish(&envelope("s", 1)).await.unwrap();
        nothing_comes(&queue).await;
    }

    #[tokio::test]
    async fn a_row_that_is_no_call_comes_out_as_unreadable() {
        let shelf = Arc::new(Memory::default());
        let queue = Embedded::alone(shelf.clone(), POLL);
        let call = envelope("s", 1).call;
        let (trace_id, session_key, slot, lane) = (call.trace_id.clone(), call.session_key(), 0, Lane::Live);
        shelf.put(&Put { trace_id, session_key, slot, lane, body: b"no call".to_vec() }).await.unwrap();
        let delivery = queue.receive().await.unwrap();
        let unreadable = delivery.envelope.as_ref().unwrap_err();
        assert_eq!(unreadable.message_id.as_deref(), Some(call.trace_id.as_str()));
        assert!(delivery.ack().await.unwrap());
        assert_eq!(queue.depth().await.unwrap(), Depth::default());
    }
}
