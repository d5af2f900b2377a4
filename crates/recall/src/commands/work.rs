//! `recall work`: one process of the fleet.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use recall_broker::{Broker, Share, ownership};
use recall_llm::{Extractor, Standing};
use recall_store::record::{Beat, LiveWorker, Report};
use recall_store::{SqlStore, Store};
use recall_worker::metrics::Metrics;
use recall_worker::worker::{Limits, Worker};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::signalled;
use crate::config::Config;
use crate::{api, generations, wire};

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
    wire::warn_unfenced(&store).await;
    wire::warn_unknown_prompts(config, &store).await?;
    let queue = wire::queue(config, &store).await?;
    let fleet = queue.fleet.context("one process works the embedded queue: `recall serve`")?;
    let budgets = wire::Budgets::new(&config.model);
    let ports = wire::ports(config, &store, Arc::clone(&metrics), &budgets)?;
    let extractor = Arc::clone(&ports.extractor);
    let worker = Worker::new(ports, limits(config));
    let stop = CancellationToken::new();
    let name = wire::process_name();
    let answering = answer(config, &store, metrics, stop.clone()).await?;
    eprintln!("recall worker {name} works");
    let beating = beat(
        Member {
            store: Arc::clone(&store),
            worker: Arc::clone(&worker),
            budgets,
            extractor,
            company: Company::Fleet(fleet),
        },
        stop.clone(),
    );
    let sweeping = sweep(Arc::clone(&store), stop.clone());
    let working = worker.run(queue.sources, stop.clone());
    let (all, (), (), (), ()) = tokio::join!(working, answering, beating, sweeping, signalled(stop));
    if let Err(error) = store.leave(&name).await {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "the fleet could not be told; it notices within seconds"
        );
    }
    anyhow::ensure!(all, "calls were still in flight after the drain time; they go back to the queue");
    Ok(ExitCode::SUCCESS)
}

/// Answers those who watch this worker, where the configuration says so.
async fn answer(
    config: &Config,
    store: &Arc<SqlStore>,
    metrics: Arc<Metrics>,
    stop: CancellationToken,
) -> anyhow::Result<BoxFuture<'static, ()>> {
    if config.worker.listen.is_empty() {
        return Ok(std::future::ready(()).boxed());
    }
    let listener = TcpListener::bind(&config.worker.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.worker.listen))?;
    eprintln!("recall answers http://{}", listener.local_addr()?);
    let router = api::worker_router(Arc::clone(store) as Arc<dyn Store>, metrics);
    Ok(api::listen(listener, router, Duration::from_secs(config.api.head_seconds), stop).boxed())
}

/// Works a queue that is this process's alone, beside whatever else it does.
pub(super) fn alone(
    config: &Config,
    store: &Arc<SqlStore>,
    (sources, metrics, partitions): (Vec<Arc<dyn Broker>>, Arc<Metrics>, u32),
    (working, stop): (&mut JoinSet<bool>, &CancellationToken),
) -> anyhow::Result<()> {
    let budgets = wire::Budgets::new(&config.model);
    let ports = wire::ports(config, store, metrics, &budgets)?;
    let extractor = Arc::clone(&ports.extractor);
    let worker = Worker::new(ports, limits(config));
    working.spawn(Arc::clone(&worker).run(sources, stop.clone()));
    let company = Company::Alone(partitions);
    let member = Member { store: Arc::clone(store), worker, budgets, extractor, company };
    let beating = beat(member, stop.clone());
    working.spawn(async {
        beating.await;
        true
    });
    let sweeping = sweep(Arc::clone(store), stop.clone());
    working.spawn(async {
        sweeping.await;
        true
    });
    Ok(())
}

/// How many calls at once, and how long a stop waits for them.
fn limits(config: &Config) -> Limits {
    Limits { concurrency: config.worker.concurrency, drain: Duration::from_secs(config.worker.drain_seconds) }
}

/// This worker, as the fleet sees it.
struct Member {
    store: Arc<SqlStore>,
    worker: Arc<Worker>,
    budgets: wire::Budgets,
    extractor: Arc<dyn Extractor>,
    company: Company,
}

/// Who else works.
enum Company {
    /// Nobody: a data directory has one worker, and all of so many partitions are its own.
    Alone(u32),
    /// Whoever is alive; these queues are told which partitions are this worker's.
    Fleet(wire::Fleet),
}

/// Shows this worker to the fleet, and takes the partitions and the share of the model's rate that are its own.
async fn beat(member: Member, stop: CancellationToken) {
    let name = wire::process_name();
    let mut own: Vec<u32> = match member.company {
        Company::Alone(partitions) => (0..partitions).collect(),
        Company::Fleet(_) => Vec::new(),
    };
    while !stop.is_cancelled() {
        match member.store.beat(&sign(&member, &name, &own)).await {
            Ok(alive) => match member.take_own(&name, &alive).await {
                Ok(taken) => own = taken,
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), "the number of partitions could not be looked after")
                }
            },
            // Without the database nothing can be committed either; the partitions stay until it answers.
            Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "no sign of life could be given"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(BEAT) => {}
        }
    }
}

fn sign(member: &Member, name: &str, own: &[u32]) -> Beat {
    let pulse = member.worker.pulse();
    let report = Report {
        last_minute: pulse.last_minute(),
        oldest_accepted_at: pulse.oldest_accepted_at(),
        paused: paused(member.extractor.standing()),
        pace: member.budgets.pace(),
        generation: match &member.company {
            Company::Alone(_) => 1,
            Company::Fleet(fleet) => fleet.queues.reads(),
        },
    };
    Beat {
        worker: name.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        in_flight: u32::try_from(member.worker.in_flight()).unwrap_or(u32::MAX),
        partitions: own.to_vec(),
        report,
    }
}

impl Member {
    /// Takes what is this worker's among those alive; the partitions it holds from now on.
    async fn take_own(&self, name: &str, alive: &[LiveWorker]) -> anyhow::Result<Vec<u32>> {
        let fleet = match &self.company {
            Company::Alone(partitions) => return Ok((0..*partitions).collect()),
            Company::Fleet(fleet) => fleet,
        };
        let names: Vec<&str> = alive.iter().map(|worker| worker.worker.as_str()).collect();
        self.budgets.set_share(1.0 / names.len().max(1) as f64);
        let read = generations::advance(&self.store, &fleet.queues, (name, alive)).await;
        // A step that failed is taken again; meanwhile the worker goes on with what it reads.
        let (of, failed) = match read {
            Ok(read) => (read.partitions, None),
            Err(error) => (fleet.queues.partitions(), Some(error)),
        };
        let own = ownership::owned(name, &names, of);
        // While no model can be asked the channels are closed: calls stay in the queue in their order instead of being parked.
        let partitions = match self.extractor.standing() {
            Standing::Up | Standing::Trying => own.clone(),
            Standing::Away(_) => Vec::new(),
        };
        let share = Share { of, partitions };
        fleet.queues.set_partitions(&share).await;
        fleet.replay.set_partitions(&share).await;
        match failed {
            None => Ok(own),
            Some(error) => Err(error),
        }
    }
}

/// Why no calls are taken, for people.
fn paused(standing: Standing) -> Option<String> {
    match standing {
        Standing::Up => None,
        Standing::Trying => Some("paused: one call finds out whether the model is well".into()),
        Standing::Away(away) => Some(format!("paused: model {}, tried again in {} s", away.why, away.again.as_secs())),
    }
}

/// Removes what is over its time, now and again and again: windows, details and spans of runs, dead letters, lost workers.
async fn sweep(store: Arc<SqlStore>, stop: CancellationToken) {
    loop {
        if let Err(error) = store.sweep().await {
            tracing::warn!(error = &error as &dyn std::error::Error, "what is over its time could not be removed");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(SWEEP) => {}
        }
    }
}
