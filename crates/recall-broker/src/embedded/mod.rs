//! A queue over a durable shelf: the table of parked calls, handed in by the wiring. Alone it is the whole queue of an
//! embedded installation; beside RabbitMQ it replays the parked sessions of the partitions a worker owns.

mod desk;
mod shelf;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

use desk::Desk;
pub use shelf::{Due, Key, Put, Shelf};

use crate::topology::LANES;
use crate::{Broker, BrokerError, Delivery, Depth, Envelope, Settle, Share, slot};

/// Heads taken at once.
const BATCH: u32 = 16;

/// A queue over a [`Shelf`].
pub struct Embedded {
    shelf: Arc<dyn Shelf>,
    poll: Duration,
    stopped: watch::Sender<bool>,
    desk: Arc<Desk>,
    reading: tokio::sync::Mutex<()>,
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
        let desk = Arc::new(Desk::owning(owned));
        Self { shelf, poll, stopped: watch::Sender::new(false), desk, reading: tokio::sync::Mutex::default() }
    }

    /// Says that the shelf was changed from outside, for example by parking a call.
    pub fn wake(&self) {
        self.desk.forget_heads();
        self.desk.wake();
    }

    async fn next(&self) -> Result<Delivery, BrokerError> {
        loop {
            let woken = self.desk.woken();
            if let Some((head, again)) = self.desk.take_known() {
                return Ok(self.hand_out(head, again));
            }
            if self.take_heads().await? {
                continue;
            }
            // Whichever comes first: a call was put, a session became free, or a waiting time may be over.
            let _ = tokio::time::timeout(self.poll, woken).await;
            self.desk.forget_heads();
        }
    }

    /// Live heads, else bulk ones; `true` where one of them can be handed out.
    async fn take_heads(&self) -> Result<bool, BrokerError> {
        let _alone = self.reading.lock().await;
        let Some((owned, busy)) = self.desk.ask() else { return Ok(true) };
        if owned.partitions.is_empty() {
            return Ok(false);
        }
        for lane in LANES {
            let heads = self.shelf.take(lane, &owned, &busy, BATCH).await?;
            if self.desk.put_down(heads, &owned) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn hand_out(&self, head: Due, again: bool) -> Delivery {
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
            redelivered: again || head.noted.unfinished,
            parked: true,
            noted: Some(head.noted),
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
        self.desk.wake();
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
        let in_flight = self.desk.in_flight();
        // Which lane those in flight are of is not known here; live ones go first.
        let left = in_flight.saturating_sub(live);
        Ok(Depth { live: live.saturating_sub(in_flight), bulk: bulk.saturating_sub(left), ..Depth::default() })
    }

    async fn ready(&self) -> Result<(), BrokerError> {
        self.shelf.ready().await
    }

    async fn set_partitions(&self, share: &Share) {
        if self.desk.own(share) {
            self.desk.wake();
        }
    }

    async fn stop(&self) {
        self.stopped.send_replace(true);
        let taken = self.desk.clear_away();
        if let Err(error) = self.shelf.untake(&taken).await {
            // The next start runs them alone, which is only slower.
            tracing::warn!(error = &error as &dyn std::error::Error, "calls that were not begun stay marked as begun");
        }
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

    /// The shelf is a table of the store: the commit took the row along.
    async fn committed(mut self: Box<Self>) -> Result<bool, BrokerError> {
        self.settled = true;
        Ok(true)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.desk.free(&self.session_key, self.key.seq, self.settled);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::{Mutex, MutexGuard};

    use recall_core::call::Lane;
    use recall_core::id::TraceId;
    use tokio::time::Instant;

    use super::*;
    use crate::Noted;
    use crate::conformance::{envelope, expect, nothing_comes};

    const POLL: Duration = Duration::from_millis(20);

    #[derive(Default)]
    struct Memory(Mutex<Vec<Row>>);

    struct Row {
        key: Key,
        put: Put,
        attempts: u32,
        due_at: Instant,
        begun: bool,
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
            row.begun = false;
        }
    }

    #[async_trait]
    impl Shelf for Memory {
        async fn put(&self, call: &Put) -> Result<(), BrokerError> {
            let mut rows = self.rows();
            if !rows.iter().any(|row| row.put.trace_id == call.trace_id) {
                let seq = rows.last().map_or(1, |row| row.key.seq + 1);
                let key = Key { seq, revision: 0 };
                rows.push(Row { key, put: call.clone(), attempts: 0, due_at: Instant::now(), begun: false });
            }
            Ok(())
        }

        async fn take(&self, lane: Lane, share: &Share, busy: &[String], limit: u32) -> Result<Vec<Due>, BrokerError> {
            let mut seen = HashSet::new();
            let mut rows = self.rows();
            let asked = |put: &Put| {
                put.lane == lane
                    && share.partitions.contains(&(put.slot % share.of))
                    && !busy.contains(&put.session_key)
            };
            let heads = rows.iter_mut().filter(|row| seen.insert(row.put.session_key.clone()));
            let due = heads.filter(|row| row.due_at <= Instant::now() && asked(&row.put));
            let due = due.take(usize::try_from(limit).unwrap()).map(|row| Due {
                key: row.key.clone(),
                trace_id: row.put.trace_id.clone(),
                session_key: row.put.session_key.clone(),
                body: row.put.body.clone(),
                attempts: row.attempts,
                noted: Noted { unfinished: std::mem::replace(&mut row.begun, true), unfinished_alone: 0 },
            });
            Ok(due.collect())
        }

        async fn untake(&self, traces: &[TraceId]) -> Result<(), BrokerError> {
            self.rows().iter_mut().filter(|row| traces.contains(&row.put.trace_id)).for_each(|row| row.begun = false);
            Ok(())
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
    async fn a_call_that_was_taken_and_not_handed_out_was_not_begun() {
        let shelf = Arc::new(Memory::default());
        let queue = Embedded::alone(shelf.clone(), POLL);
        for number in 1..=3 {
            queue.publish(&envelope(&format!("s{number}"), number)).await.unwrap();
        }
        let held = queue.receive().await.unwrap();
        queue.wake();
        let next = queue.receive().await.unwrap();
        assert_eq!(next.noted, Some(Noted::default()), "it was taken twice and handed out once");
        queue.stop().await;
        let begun: Vec<bool> = shelf.rows().iter().map(|row| row.begun).collect();
        assert_eq!(begun, [true, true, false]);
        assert!(held.committed().await.unwrap() && next.ack().await.unwrap());
        assert_eq!(shelf.rows().len(), 2, "a commit takes the row along by itself");
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
