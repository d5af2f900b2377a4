//! The change of the number of partitions, as doors and workers carry it out. The order of the steps, and why nothing is lost and
//! no session overtakes itself, stands in `recall_broker::rabbit::generations`; here it is told when each may be taken.

use std::time::Duration;

use recall_broker::rabbit::generations::{Generation as Queues, Generations};
use recall_store::SqlStore;
use recall_store::record::{Generation, LiveWorker, Stage};
use tokio_util::sync::CancellationToken;

use crate::wire;

/// Between two looks of a door.
const LOOK: Duration = Duration::from_millis(750);
/// Seconds between the end of the entrances and the marks behind the last calls: what a door that died had sent is in its queue by then.
const SETTLE_SECONDS: u64 = 3;

/// Takes a door to the generation calls go into, and says so to the fleet, until `stop`. Without the database it stays where it is:
/// the broker refuses what it must not send.
pub(crate) async fn follow(store: &SqlStore, queues: &Generations, stop: CancellationToken) {
    let name = wire::process_name();
    while !stop.is_cancelled() {
        if let Err(error) = look(store, queues, &name).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "the fleet could not be asked for its queues");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(LOOK) => {}
        }
    }
    if let Err(error) = store.leave_door(&name).await {
        tracing::debug!(error = &error as &dyn std::error::Error, "the fleet notices by itself that this door is gone");
    }
}

async fn look(store: &SqlStore, queues: &Generations, name: &str) -> Result<(), recall_store::StoreError> {
    queues.go_on(wire::used(&store.generations().await?)?);
    store.beat_door(name, queues.sends_into()).await
}

/// What a worker does about a change at each sign of life: it notes which partitions it read to their end, goes on when all were, and,
/// as the first of those alive, takes the next step.
pub(crate) async fn advance(
    store: &SqlStore,
    queues: &Generations,
    (name, alive): (&str, &[LiveWorker]),
) -> anyhow::Result<Queues> {
    for end in queues.ended() {
        store.note_end(end.generation, end.lane, end.partition).await?;
        end.acknowledge().await;
    }
    let generations = store.generations().await?;
    let used = wire::used(&generations)?;
    queues.go_on(used);
    let first = alive.iter().map(|worker| worker.worker.as_str()).min() == Some(name);
    if let (true, [oldest, _, ..]) = (first, generations.as_slice()) {
        step(store, queues, oldest, alive).await?;
    }
    Ok(used.read)
}

/// The next step of a generation that is followed by another, where its time has come. Whoever takes it a second time changes nothing.
async fn step(store: &SqlStore, queues: &Generations, oldest: &Generation, alive: &[LiveWorker]) -> anyhow::Result<()> {
    let (number, of) = (oldest.number, Queues { number: oldest.number, partitions: oldest.partitions });
    let reached = match oldest.stage {
        Stage::Open if store.doors_before(number + 1).await? == 0 => {
            queues.close(of).await?;
            store.to_stage(number, Stage::Closed).await?
        }
        Stage::Closed if oldest.stage_seconds >= SETTLE_SECONDS => {
            queues.mark_ends(of).await?;
            store.to_stage(number, Stage::Marked).await?
        }
        Stage::Marked => store.finish_reading(number).await?,
        Stage::Read if alive.iter().all(|worker| worker.report.generation > number) => {
            queues.remove(of).await? && store.to_stage(number, Stage::Gone).await?
        }
        Stage::Open | Stage::Closed | Stage::Read | Stage::Gone => false,
    };
    if reached {
        tracing::info!(
            generation = number,
            was = oldest.stage.as_str(),
            "queues of a generation went one step further"
        );
    }
    Ok(())
}
