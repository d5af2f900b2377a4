//! `recall work`: one process of the fleet.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use recall_broker::{Broker, ownership};
use recall_llm::budget::Budget;
use recall_store::record::Beat;
use recall_store::{SqlStore, Store as _};
use recall_worker::metrics::Metrics;
use recall_worker::worker::{Limits, Worker};
use tokio_util::sync::CancellationToken;

use super::signalled;
use crate::config::Config;
use crate::wire;

/// Between two signs of life; a worker not seen for four seconds is taken for dead.
const BEAT: Duration = Duration::from_millis(750);
/// Between two sweeps of what is over its time.
const SWEEP: Duration = Duration::from_secs(600);

/// Works until a signal, then finishes what is in flight within the drain time.
pub(super) async fn run(config: &Config) -> anyhow::Result<ExitCode> {
    let metrics = Arc::new(Metrics::new()?);
    metrics.prime();
    let store = wire::store(config, &wire::Access::Work { address: String::new() })?;
    wire::prepare(config, &store).await?;
    let queue = wire::queue(config, &store)?;
    let budget = wire::budget(config);
    let worker = Worker::new(wire::ports(config, &store, metrics, &budget)?, limits(config));
    let stop = CancellationToken::new();
    let name = wire::worker_name();
    eprintln!("recall worker {name} works");
    let beating = beat(
        Member { store: Arc::clone(&store), worker: Arc::clone(&worker), budget, partitions: config.queue.partitions },
        queue.sources.clone(),
        stop.clone(),
    );
    let sweeping = sweep(Arc::clone(&store), stop.clone());
    let (all, (), (), ()) = tokio::join!(worker.run(queue.sources, stop.clone()), beating, sweeping, signalled(stop));
    if let Err(error) = store.leave(&name).await {
        tracing::warn!(error = %error, "the fleet could not be told; it notices within seconds");
    }
    anyhow::ensure!(all, "calls were still in flight after the drain time; they go back to the queue");
    Ok(ExitCode::SUCCESS)
}

/// How many calls at once, and how long a stop waits for them.
pub(super) fn limits(config: &Config) -> Limits {
    Limits { concurrency: config.worker.concurrency, drain: Duration::from_secs(config.worker.drain_seconds) }
}

/// This worker, as the fleet sees it.
struct Member {
    store: Arc<SqlStore>,
    worker: Arc<Worker>,
    budget: Arc<Budget>,
    partitions: u32,
}

/// Shows this worker to the fleet, and takes the partitions and the share of the model's rate that are its own.
async fn beat(member: Member, sources: Vec<Arc<dyn Broker>>, stop: CancellationToken) {
    let name = wire::worker_name();
    let mut own: Vec<u32> = Vec::new();
    while !stop.is_cancelled() {
        let sign = Beat {
            worker: name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            in_flight: u32::try_from(member.worker.in_flight()).unwrap_or(u32::MAX),
            partitions: own.clone(),
        };
        match member.store.beat(&sign).await {
            Ok(alive) => {
                let names: Vec<&str> = alive.iter().map(|worker| worker.worker.as_str()).collect();
                own = ownership::owned(&name, &names, member.partitions);
                member.budget.set_share(1.0 / names.len().max(1) as f64);
                for source in &sources {
                    source.set_partitions(&own).await;
                }
            }
            // Without the database nothing can be committed either; the partitions stay until it answers.
            Err(error) => tracing::warn!(error = %error, "no sign of life could be given"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(BEAT) => {}
        }
    }
}

/// Removes what is over its time, now and again and again: windows, details and spans of runs, dead letters, lost workers.
pub(super) async fn sweep(store: Arc<SqlStore>, stop: CancellationToken) {
    loop {
        if let Err(error) = store.sweep().await {
            tracing::warn!(error = %error, "what is over its time could not be removed");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(SWEEP) => {}
        }
    }
}
