//! How the fleet is doing: workers, partitions, what waits and for how long; one view for the command line, HTTP and readiness.

use recall_broker::{Broker, Depth, ownership};
use recall_store::record::{Backlog, Generation, LaneBacklog, LiveWorker};
use recall_store::{SqlStore, Store as _, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

/// Workers, partitions and what waits.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FleetView {
    /// Workers that gave a sign of life within the last minutes.
    #[schema(value_type = Vec<Object>)]
    pub workers: Vec<LiveWorker>,
    /// Each partition of the generation that is read, with the worker it belongs to.
    pub partitions: Vec<PartitionView>,
    /// Generations of queues, oldest first: more than one while the number of partitions changes.
    #[schema(value_type = Vec<Object>)]
    pub generations: Vec<Generation>,
    /// Of conversations going on now.
    pub live: LaneView,
    /// Of archives.
    pub bulk: LaneView,
    /// Calls in flight in workers that are alive.
    pub in_flight: u64,
    /// Calls that came to their end within the last minute.
    pub per_minute: u64,
    /// Age of the oldest call that waits for its end, in seconds.
    pub oldest_seconds: u64,
    /// Dead letters.
    pub dead: u64,
    /// Age of the oldest of them, in seconds.
    pub oldest_dead_seconds: u64,
    /// Messages the broker has set aside and no worker took over yet; absent where the queue did not answer.
    pub astray: Option<u64>,
    /// `ok`, or why the queue did not answer.
    pub queue: String,
}

/// A partition and whose it is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PartitionView {
    /// Its number.
    pub partition: u32,
    /// The worker it belongs to; absent where none is alive.
    pub worker: Option<String>,
}

/// What waits in a lane.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LaneView {
    /// In the queue; absent where it did not answer.
    pub queued: Option<u64>,
    /// Waiting for another attempt, or behind one that does.
    pub parked: u64,
}

/// What is known of the queue besides the store.
pub(crate) enum Queue {
    /// The store is the queue.
    Embedded,
    /// The queue's own count, or why there is none.
    Broker(Result<Depth, String>),
}

impl Queue {
    /// Asks the broker.
    pub(crate) async fn of(broker: &dyn Broker) -> Self {
        Self::Broker(broker.depth().await.map_err(|error| error.to_string()))
    }
}

/// How an installation is doing.
pub(crate) async fn view(store: &SqlStore, queue: &Queue) -> Result<FleetView, StoreError> {
    let workers = store.workers().await?;
    let backlog = store.backlog().await?;
    Ok(put_together(workers, &backlog, queue, store.generations().await?))
}

fn put_together(workers: Vec<LiveWorker>, backlog: &Backlog, queue: &Queue, generations: Vec<Generation>) -> FleetView {
    let partitions = crate::wire::used(&generations).map(|used| used.read.partitions).unwrap_or_default();
    let alive: Vec<&LiveWorker> = workers.iter().filter(|worker| worker.alive).collect();
    let names: Vec<&str> = alive.iter().map(|worker| worker.worker.as_str()).collect();
    let owner = |partition| ownership::owner(partition, &names).map(str::to_owned);
    let held = alive.iter().filter_map(|worker| worker.oldest_seconds).max().unwrap_or_default();
    let depth = match queue {
        Queue::Embedded => Some(Depth { live: backlog.live.queued, bulk: backlog.bulk.queued, ..Depth::default() }),
        Queue::Broker(depth) => depth.as_ref().ok().copied(),
    };
    let lane = |queued: Option<u64>, lane: &LaneBacklog| LaneView { queued, parked: lane.parked };
    FleetView {
        partitions: (0..partitions).map(|partition| PartitionView { partition, worker: owner(partition) }).collect(),
        generations,
        live: lane(depth.map(|depth| depth.live), &backlog.live),
        bulk: lane(depth.map(|depth| depth.bulk), &backlog.bulk),
        in_flight: alive.iter().map(|worker| u64::from(worker.in_flight)).sum(),
        per_minute: alive.iter().map(|worker| u64::from(worker.report.last_minute)).sum(),
        oldest_seconds: backlog.oldest_seconds().max(held),
        dead: backlog.dead,
        oldest_dead_seconds: backlog.oldest_dead_seconds,
        astray: depth.map(Depth::astray),
        queue: match queue {
            Queue::Embedded | Queue::Broker(Ok(_)) => "ok".into(),
            Queue::Broker(Err(why)) => why.clone(),
        },
        workers,
    }
}

impl FleetView {
    /// Calls that wait, as far as the queue told.
    pub(crate) fn waiting(&self) -> u64 {
        [&self.live, &self.bulk].into_iter().map(|lane| lane.queued.unwrap_or_default() + lane.parked).sum()
    }

    /// Workers alive.
    pub(crate) fn alive(&self) -> usize {
        self.workers.iter().filter(|worker| worker.alive).count()
    }
}

#[cfg(test)]
mod tests {
    use recall_store::record::{Report, Stage};

    use super::*;

    fn of(partitions: u32) -> Vec<Generation> {
        vec![Generation { number: 1, partitions, stage: Stage::Open, stage_seconds: 9, read: 0 }]
    }

    fn worker(name: &str, alive: bool, oldest_seconds: Option<u64>) -> LiveWorker {
        LiveWorker {
            worker: name.into(),
            version: "0.1.0".into(),
            in_flight: 3,
            partitions: Vec::new(),
            report: Report { last_minute: 10, ..Report::default() },
            since_seconds: 100,
            seen_seconds_ago: if alive { 0 } else { 30 },
            oldest_seconds,
            alive,
        }
    }

    #[test]
    fn a_silent_worker_is_shown_and_counts_for_nothing() {
        let workers = vec![worker("a", true, Some(7)), worker("b", false, Some(900))];
        let backlog = Backlog { live: LaneBacklog { queued: 0, parked: 2, oldest_seconds: 5 }, ..Backlog::default() };
        let depth = Depth { live: 4, bulk: 1, exhausted: 2, unrouted: 1 };
        let view = put_together(workers, &backlog, &Queue::Broker(Ok(depth)), of(4));
        assert_eq!((view.workers.len(), view.alive(), view.in_flight, view.per_minute), (2, 1, 3, 10));
        assert_eq!((view.waiting(), view.oldest_seconds, view.astray), (7, 7, Some(3)));
        assert!(view.partitions.iter().all(|partition| partition.worker.as_deref() == Some("a")));
    }

    #[test]
    fn a_queue_that_does_not_answer_is_told_and_not_taken_for_empty() {
        let view = put_together(Vec::new(), &Backlog::default(), &Queue::Broker(Err("away".into())), of(2));
        assert_eq!((view.live.queued, view.astray, view.queue.as_str()), (None, None, "away"));
        assert!(view.partitions.iter().all(|partition| partition.worker.is_none()));
    }

    #[test]
    fn an_embedded_queue_is_counted_once() {
        let live = LaneBacklog { queued: 3, parked: 2, oldest_seconds: 1 };
        let view = put_together(Vec::new(), &Backlog { live, ..Backlog::default() }, &Queue::Embedded, of(2));
        assert_eq!((view.live.queued, view.live.parked, view.waiting()), (Some(3), 2, 5));
    }
}
