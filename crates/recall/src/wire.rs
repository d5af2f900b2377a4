//! From configuration to ports: the one place that knows which backend stands behind which door.

use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use recall_broker::embedded::{Embedded, Shelf};
use recall_broker::rabbit;
use recall_broker::rabbit::generations::Generations;
use recall_broker::topology::Layout;
use recall_broker::{Broker, Depth};
use recall_core::retry::Schedule;
use recall_core::settings::Settings;
use recall_llm::Judge;
use recall_store::{Limits, Opening, SqlStore, Store, StoreError};
use recall_worker::Ports;
use recall_worker::metrics::Metrics;
use secrecy::ExposeSecret;

use crate::config::{Config, QueueUrl, StoreUrl};
use crate::prompts;

mod keys;
mod model;
mod register;
mod shelf;

pub(crate) use keys::keys;
pub(crate) use model::{Budgets, extractor, header as tape_header};
pub(crate) use register::used;

/// How often the shelf is asked for calls whose waiting time is over.
const SHELF_POLL: Duration = Duration::from_millis(500);

/// Partitions of a lane for each worker, at the least.
const PARTITIONS_A_WORKER: usize = 4;

/// What a store is opened for.
pub(crate) enum Access {
    /// To write; embedded, this process is the only one. The address is where others reach it.
    Work {
        /// Address of the HTTP API, or empty.
        address: String,
    },
    /// To look.
    Read,
}

/// The store of the configuration. Connects when it is first used.
///
/// # Errors
/// Another process works on the data directory; nothing is there to be looked at; a key that is missing.
pub(crate) fn store(config: &Config, access: &Access) -> anyhow::Result<Arc<SqlStore>> {
    if matches!((&config.store.url, access), (StoreUrl::Embedded, Access::Read)) && !config.data_dir.is_dir() {
        bail!("nothing is stored yet: there is no {}", config.data_dir.display());
    }
    let opening = Opening {
        keys: keys(config)?,
        actor: format!("worker:{}", process_name()),
        limits: Limits { connections: config.store.connections, ..Limits::default() },
        defaults: config.settings.clone(),
    };
    let store = match (&config.store.url, access) {
        (StoreUrl::Postgres(url), _) => SqlStore::postgres(url.0.expose_secret(), opening),
        (StoreUrl::Embedded, Access::Work { address }) => SqlStore::sqlite(&config.data_dir, address, opening),
        (StoreUrl::Embedded, Access::Read) => SqlStore::sqlite_beside(&config.data_dir, opening),
    };
    Ok(Arc::new(store.map_err(explained)?))
}

/// Brings an embedded schema up to date, checks that of a server, and writes the settings of namespaces down.
///
/// # Errors
/// A prompt that is not taken or not there; the database is away, or its schema is another version's.
pub(crate) async fn prepare(config: &Config, store: &SqlStore) -> anyhow::Result<()> {
    prompts::library(config)?;
    match config.store.url {
        StoreUrl::Embedded => drop(store.migrate().await.map_err(explained)?),
        StoreUrl::Postgres(_) => store.ready().await.map_err(explained)?,
    }
    for (namespace, settings) in &config.namespaces {
        store.put_settings(namespace, settings).await.map_err(explained)?;
    }
    store.begin_generations(config.queue.partitions).await.map_err(explained)?;
    keys::fix(store).await
}

/// Says so where the second fence between tenants does not hold for the role of this process.
pub(crate) async fn warn_unfenced(store: &SqlStore) {
    if store.passes_over_policies().await.is_ok_and(|passes| passes) {
        tracing::warn!(
            "the database role is superuser or BYPASSRLS: row-level policies between tenants do not hold for it; connect as a role of \
             its own (deploy/README.md, \"Tenants in one database\")"
        );
    }
}

/// Says so where a namespace that this configuration does not name chose a prompt that is not known here: its calls will wait.
pub(crate) async fn warn_unknown_prompts(config: &Config, store: &SqlStore) -> anyhow::Result<()> {
    let library = prompts::library(config)?;
    for (namespace, version) in store.prompt_versions().await.map_err(explained)? {
        if let Err(error) = library.extract(&version) {
            tracing::warn!(namespace, %error, "calls of this namespace wait for a worker that knows its prompt");
        }
    }
    Ok(())
}

/// The queue: where calls go in, and where a worker takes them from.
pub(crate) struct Queue {
    /// Where calls go in.
    pub door: Arc<dyn Broker>,
    /// Where a worker takes them from.
    pub sources: Vec<Arc<dyn Broker>>,
    /// The queues of a fleet; `None` where the store is the queue.
    pub fleet: Option<Fleet>,
}

/// The queues of a fleet.
#[derive(Clone)]
pub(crate) struct Fleet {
    /// Those at the broker.
    pub queues: Arc<Generations>,
    /// The parked calls of the partitions a worker owns.
    pub replay: Arc<Embedded>,
}

/// How long a command waits for the broker to be reached before it goes on without.
const LOOKING: Duration = Duration::from_secs(5);

/// The broker of the configuration; `None` where the store is the queue.
///
/// # Errors
/// An address that cannot be read; the store is away, or the installation never started.
pub(crate) async fn broker(config: &Config, store: &Arc<SqlStore>) -> anyhow::Result<Option<Generations>> {
    let QueueUrl::Rabbit(url) = &config.queue.url else { return Ok(None) };
    let used = used(&store.generations().await.map_err(explained)?)?;
    let register = Arc::new(register::Generations { store: Arc::clone(store) });
    Ok(Some(Generations::new(url.0.expose_secret(), rabbit_settings(config), used, register)?))
}

/// What the broker says once it is reached, or why it was not within some seconds.
pub(crate) async fn patient_depth(broker: &Generations) -> Result<Depth, String> {
    let deadline = tokio::time::Instant::now() + LOOKING;
    loop {
        match broker.depth().await {
            Ok(depth) => return Ok(depth),
            Err(error) if tokio::time::Instant::now() >= deadline => return Err(error.to_string()),
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// What the queue of the configuration says besides the store.
///
/// # Errors
/// An address that cannot be read; the store is away, or the installation never started.
pub(crate) async fn depth(config: &Config, store: &Arc<SqlStore>) -> anyhow::Result<crate::fleet::Queue> {
    Ok(match broker(config, store).await? {
        None => crate::fleet::Queue::Embedded,
        Some(broker) => crate::fleet::Queue::Broker(patient_depth(&broker).await),
    })
}

fn rabbit_settings(config: &Config) -> rabbit::Settings {
    let layout =
        Layout { prefix: config.queue.prefix.clone(), max_queue_bytes: config.queue.max_bytes, ..Layout::default() };
    rabbit::Settings {
        layout,
        prefetch: prefetch(config.worker.concurrency),
        publish_limit: Duration::from_secs(config.api.confirm_seconds),
        drain_limit: Duration::from_secs(config.worker.drain_seconds),
    }
}

/// Messages of one partition held at a time: so many that a worker which owns as few partitions as the reference page of the settings
/// asks for still fills its places.
fn prefetch(concurrency: usize) -> u16 {
    let least = rabbit::Settings::default().prefetch;
    u16::try_from(concurrency.div_ceil(PARTITIONS_A_WORKER)).unwrap_or(u16::MAX).max(least)
}

/// The queue of the configuration.
///
/// # Errors
/// An address that cannot be read; the store is away.
pub(crate) async fn queue(config: &Config, store: &Arc<SqlStore>) -> anyhow::Result<Queue> {
    let shelf: Arc<dyn Shelf> = Arc::new(shelf::Parked { store: Arc::clone(store) });
    let Some(queues) = broker(config, store).await? else {
        let queue: Arc<dyn Broker> = Arc::new(Embedded::alone(shelf, SHELF_POLL));
        return Ok(Queue { door: Arc::clone(&queue), sources: vec![queue], fleet: None });
    };
    let fleet = Fleet { queues: Arc::new(queues), replay: Arc::new(Embedded::beside(shelf, SHELF_POLL)) };
    let (queues, replay): (Arc<dyn Broker>, Arc<dyn Broker>) = (fleet.queues.clone(), fleet.replay.clone());
    Ok(Queue { door: Arc::clone(&queues), sources: vec![queues, replay], fleet: Some(fleet) })
}

/// Everything a call is driven with.
///
/// # Errors
/// A prompt that is not taken or not there; model settings that cannot work.
pub(crate) fn ports(
    config: &Config,
    store: &Arc<SqlStore>,
    metrics: Arc<Metrics>,
    budgets: &Budgets,
) -> anyhow::Result<Ports> {
    let schedule = Schedule {
        delays: config.worker.retry_seconds.iter().copied().map(Duration::from_secs).collect(),
        snooze: Duration::from_secs(config.worker.snooze_seconds),
        ..Schedule::default()
    };
    Ok(Ports {
        store: Arc::clone(store) as Arc<dyn Store>,
        prompts: prompts::library(config)?,
        extractor: model::extractor(&config.model, budgets)?,
        judge: model::judge(config, budgets)?,
        keys: Arc::new(keys(config)?),
        metrics,
        schedule: Arc::new(schedule),
        scopes: Arc::default(),
        company: Arc::default(),
        join_trace: crate::telemetry::join,
    })
}

/// The judge of the configuration, whether or not a namespace wants one.
///
/// # Errors
/// A provider that has none, or settings that cannot work.
pub(crate) fn judge(config: &Config) -> anyhow::Result<Arc<dyn Judge>> {
    Ok(model::judge_of(&config.model, &Budgets::new(&config.model))?)
}

/// Settings by namespace, for the door.
pub(crate) fn settings(config: &Config) -> Box<dyn Fn(&str) -> Settings + Send + Sync> {
    let (own, others) = (config.namespaces.clone(), config.settings.clone());
    Box::new(move |namespace| own.get(namespace).unwrap_or(&others).clone())
}

/// A name of this process among the doors and workers.
pub(crate) fn process_name() -> String {
    static NAME: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    NAME.get_or_init(|| format!("{:012x}", rand::random::<u64>() >> 16)).clone()
}

/// A store's error with its causes and the way out.
pub(crate) fn explained(error: StoreError) -> anyhow::Error {
    let hint = match &error {
        StoreError::Unavailable(_) => "is store.url right, and does the database run?",
        StoreError::Schema { .. } => "`recall migrate` brings the schema up to date",
        StoreError::InUse(_) => "one process works on a data directory; ask that one over HTTP, or stop it",
        StoreError::Stale
        | StoreError::Failed(_)
        | StoreError::Refused { .. }
        | StoreError::Cursor
        | StoreError::Missing(_)
        | StoreError::Conflict(_)
        | StoreError::Corrupt(_) => "",
    };
    let error = anyhow::Error::from(error);
    if hint.is_empty() { error } else { error.context(hint) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_of_four_partitions_fills_its_places() {
        for (concurrency, held) in [(1, 16), (64, 16), (65, 17), (500, 125), (10_000_000, u16::MAX)] {
            assert_eq!(prefetch(concurrency), held, "{concurrency}");
        }
    }
}
