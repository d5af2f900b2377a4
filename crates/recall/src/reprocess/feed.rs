//! Feeding a run: calls go into the bulk lane, a bounded number at once; what became of them is read from the store, which is also where
//! others pause or cancel the run.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use indicatif::ProgressBar;
use recall_broker::{Broker, BrokerError, Envelope};
use recall_core::class::Class;
use recall_core::id::{BatchId, TraceId};
use recall_store::batches::{BatchRecord, BatchStatus, Ending};
use recall_store::{SqlStore, StoreError};
use tokio::sync::mpsc::Receiver;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::before::Before;
use super::lanes::Lanes;
use super::progress::{bar, told};
use super::reader::Numbered;
use crate::wire;

/// Between two looks at what became of the calls on their way.
const LOOK: Duration = Duration::from_millis(100);
/// Between two checkpoints, by which pausing and cancelling are heard of, too.
const CHECKPOINT: Duration = Duration::from_millis(500);
/// Between two readings of what the run came to.
const SUMS: Duration = Duration::from_secs(2);
/// Sessions that are fed side by side.
const SIDE_BY_SIDE: usize = 64;
/// Calls that are read ahead, whatever their sessions.
const AHEAD: usize = 2000;
/// Ids asked about at once.
const ASKED: usize = 500;

/// What a run is fed with.
pub(crate) struct Feed {
    /// The store.
    pub store: Arc<SqlStore>,
    /// Where calls go in.
    pub door: Arc<dyn Broker>,
    /// The run, as it stands.
    pub run: BatchRecord,
    /// Calls on their way at once.
    pub window: usize,
    /// Turns of a session that decide how its next call is read.
    pub reach: usize,
}

/// How feeding ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fed {
    /// Every call came to its end.
    Done,
    /// Somebody cancelled the run.
    Cancelled,
    /// This process was asked to stop; the same command goes on from here.
    Stopped,
}

/// Feeds a run to its end, or until it is cancelled or this process is to stop.
///
/// # Errors
/// The archives cannot be read any more; store or queue refuse for good.
pub(crate) async fn feed(
    feed: Feed,
    source: Receiver<anyhow::Result<Vec<Numbered>>>,
    stop: CancellationToken,
) -> anyhow::Result<Fed> {
    let lanes = Lanes::after(feed.run.settled, feed.run.known);
    let bar = bar(&feed.run);
    let status = feed.run.status;
    let before = Before::new(feed.reach);
    let mut feeding = Feeding {
        feed,
        lanes,
        before,
        source: Some(source),
        status,
        bar,
        noted: Instant::now(),
        summed: Instant::now(),
        trouble: None,
    };
    let fed = feeding.run(&stop).await;
    feeding.bar.finish_and_clear();
    fed
}

struct Feeding {
    feed: Feed,
    lanes: Lanes,
    before: Before,
    /// `None` once everything was read.
    source: Option<Receiver<anyhow::Result<Vec<Numbered>>>>,
    status: BatchStatus,
    bar: ProgressBar,
    noted: Instant,
    summed: Instant,
    /// What keeps the feeding from going on.
    trouble: Option<String>,
}

impl Feeding {
    async fn run(&mut self, stop: &CancellationToken) -> anyhow::Result<Fed> {
        loop {
            self.trouble = None;
            if self.status == BatchStatus::Running {
                self.read().await?;
                self.publish().await?;
            }
            self.look().await?;
            let is_over = self.source.is_none() && self.lanes.open() == 0;
            if is_over || self.noted.elapsed() >= CHECKPOINT {
                self.note().await?;
                self.send_again().await?;
            }
            self.show().await;
            if self.status == BatchStatus::Cancelled {
                return Ok(Fed::Cancelled);
            }
            if is_over && self.trouble.is_none() {
                return Ok(Fed::Done);
            }
            tokio::select! {
                () = stop.cancelled() => {
                    self.note().await?;
                    return Ok(Fed::Stopped);
                }
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    /// Reads ahead as far as there is room, and passes over what ended before.
    async fn read(&mut self) -> anyhow::Result<()> {
        while self.lanes.waiting() < AHEAD && self.lanes.open() < SIDE_BY_SIDE {
            let Some(source) = &mut self.source else { return Ok(()) };
            let idle = self.lanes.open() == 0;
            let read = if idle { source.recv().await.ok_or(TryRecvError::Disconnected) } else { source.try_recv() };
            match read {
                Ok(calls) => self.take(calls?).await?,
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => self.source = None,
            }
        }
        Ok(())
    }

    async fn take(&mut self, calls: Vec<Numbered>) -> anyhow::Result<()> {
        let traces: Vec<TraceId> =
            calls.iter().filter_map(|one| one.call.as_ref()).map(|call| call.trace_id.clone()).collect();
        let ended = self.endings_for_sure(&traces.iter().collect::<Vec<_>>()).await?;
        let ended: HashMap<TraceId, Ending> = ended.into_iter().collect();
        for mut one in calls {
            let is_ahead = one.number >= self.lanes.checkpoint().0;
            let how = one.call.as_ref().and_then(|call| ended.get(&call.trace_id)).copied();
            match (&mut one.call, how) {
                (Some(call), Some(how)) => {
                    self.before.passed(call, how);
                    if is_ahead {
                        self.lanes.end_number(one.number, how == Ending::Known);
                    }
                }
                (Some(call), None) if is_ahead && !self.lanes.holds(&call.trace_id) => {
                    let before = self.before.take(&call.session_key());
                    call.batch.iter_mut().for_each(|batch| batch.before.clone_from(&before));
                    self.lanes.take(vec![one]);
                }
                (Some(_) | None, None) | (None, Some(_)) => self.lanes.take(vec![one]),
            }
        }
        Ok(())
    }

    async fn publish(&mut self) -> anyhow::Result<()> {
        while self.lanes.in_flight() < self.feed.window {
            let Some((number, call)) = self.lanes.next() else { return Ok(()) };
            let envelope = Envelope::new(call, None);
            match self.feed.door.publish(&envelope).await {
                Ok(()) => self.lanes.fed(number, envelope.call),
                Err(error) => {
                    self.lanes.give_back(number, envelope.call);
                    if matches!(error, BrokerError::Unavailable(_) | BrokerError::Full) {
                        self.trouble = Some(error.to_string());
                        return Ok(());
                    }
                    return Err(error.into());
                }
            }
        }
        Ok(())
    }

    /// What became of the calls on their way. A database that is away is asked again at the next look.
    async fn look(&mut self) -> anyhow::Result<()> {
        let flying: Vec<TraceId> = self.lanes.flying().cloned().collect();
        for some in flying.chunks(ASKED) {
            let some: Vec<&TraceId> = some.iter().collect();
            match self.endings(&some).await {
                Ok(ended) => ended.iter().for_each(|(trace, how)| self.lanes.end(trace, *how)),
                Err(error) => return self.away(error),
            }
        }
        Ok(())
    }

    /// Sends calls once more whose message another run may have taken off the queue: a queue keeps one message of a call, so that what was
    /// sent for this run may never have gone in beside that of a run that was cancelled.
    async fn send_again(&mut self) -> anyhow::Result<()> {
        let flying: Vec<TraceId> = self.lanes.flying().cloned().collect();
        for some in flying.chunks(ASKED) {
            let taken = match self.feed.store.taken_off(self.whose(), &some.iter().collect::<Vec<_>>()).await {
                Ok(taken) => taken,
                Err(error) => return self.away(error),
            };
            for trace in taken {
                let Some(call) = self.lanes.once_more(&trace) else { continue };
                if let Err(error) = self.feed.door.publish(&Envelope::new(call, None)).await {
                    // It is tried again at the next checkpoint.
                    self.lanes.not_yet(&trace);
                    self.trouble = Some(error.to_string());
                }
            }
        }
        Ok(())
    }

    async fn note(&mut self) -> anyhow::Result<()> {
        self.noted = Instant::now();
        let at = self.lanes.checkpoint();
        match self.feed.store.checkpoint_batch(self.whose(), at).await {
            Ok(status) => {
                self.status = status;
                Ok(())
            }
            Err(error) => self.away(error),
        }
    }

    fn away(&mut self, error: StoreError) -> anyhow::Result<()> {
        match error.class() {
            Class::Busy { .. } | Class::Transient => {
                self.trouble = Some(error.to_string());
                Ok(())
            }
            Class::Permanent | Class::Bug => Err(wire::explained(error)),
        }
    }

    async fn endings(&self, traces: &[&TraceId]) -> Result<Vec<(TraceId, Ending)>, StoreError> {
        self.feed.store.endings(self.whose(), traces).await
    }

    /// The same of calls that are not on their way yet: without an answer nothing goes on.
    async fn endings_for_sure(&mut self, traces: &[&TraceId]) -> anyhow::Result<Vec<(TraceId, Ending)>> {
        let mut ended = Vec::new();
        for some in traces.chunks(ASKED) {
            loop {
                match self.endings(some).await {
                    Ok(found) => {
                        ended.extend(found);
                        break;
                    }
                    Err(error) => self.away(error)?,
                }
                self.show().await;
                tokio::time::sleep(CHECKPOINT).await;
            }
        }
        Ok(ended)
    }

    fn whose(&self) -> (&str, &BatchId) {
        (&self.feed.run.namespace, &self.feed.run.id)
    }

    async fn show(&mut self) {
        self.bar.set_position(self.lanes.ended());
        if self.bar.is_hidden() || self.summed.elapsed() < SUMS {
            return;
        }
        self.summed = Instant::now();
        // Only for people who watch: what cannot be read now is read the next time.
        if let Ok(Some(run)) = self.feed.store.batch(&self.feed.run.namespace, &self.feed.run.id).await {
            self.feed.run = run;
        }
        self.bar.set_message(told(&self.feed.run, self.status, self.trouble.as_deref()));
    }
}
