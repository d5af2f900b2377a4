//! From configuration to ports: the one place that knows which backend stands behind which door.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use async_trait::async_trait;
use recall_broker::embedded::{Due, Embedded, Key as ShelfKey, Put, Shelf};
use recall_broker::rabbit::{self, Rabbit};
use recall_broker::topology::Layout;
use recall_broker::{Broker, BrokerError};
use recall_core::keys::{Key, KeyRing};
use recall_core::retry::Schedule;
use recall_core::settings::Settings;
use recall_llm::budget::{Budget, Rates};
use recall_store::record::{ParkedKey, Partitions, ToPark};
use recall_store::{Limits, Opening, SqlStore, Store, StoreError};
use recall_worker::Ports;
use recall_worker::metrics::Metrics;
use secrecy::ExposeSecret;

use crate::config::{Config, QueueUrl, StoreUrl};

mod model;

/// How often the shelf is asked for calls whose waiting time is over.
const SHELF_POLL: Duration = Duration::from_millis(500);

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
        actor: format!("worker:{}", worker_name()),
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
/// The database is away, or its schema is another version's.
pub(crate) async fn prepare(config: &Config, store: &SqlStore) -> anyhow::Result<()> {
    match config.store.url {
        StoreUrl::Embedded => drop(store.migrate().await.map_err(explained)?),
        StoreUrl::Postgres(_) => store.ready().await.map_err(explained)?,
    }
    for (namespace, settings) in &config.namespaces {
        store.put_settings(namespace, settings).await.map_err(explained)?;
    }
    let fixed = store.fix_partitions(1, config.queue.partitions).await.map_err(explained)?;
    if fixed != config.queue.partitions {
        bail!(
            "queue.partitions is {} but this installation was set up with {fixed}; change the setting back",
            config.queue.partitions
        );
    }
    Ok(())
}

/// The queue: where calls go in, and where a worker takes them from.
pub(crate) struct Queue {
    /// Where calls go in.
    pub door: Arc<dyn Broker>,
    /// Where a worker takes them from.
    pub sources: Vec<Arc<dyn Broker>>,
}

/// The queue of the configuration.
///
/// # Errors
/// An address that cannot be read.
pub(crate) fn queue(config: &Config, store: &Arc<SqlStore>) -> anyhow::Result<Queue> {
    let shelf: Arc<dyn Shelf> = Arc::new(Parked { store: Arc::clone(store) });
    let partitions = config.queue.partitions;
    match &config.queue.url {
        QueueUrl::Embedded => {
            let queue: Arc<dyn Broker> = Arc::new(Embedded::alone(shelf, partitions, SHELF_POLL));
            Ok(Queue { door: Arc::clone(&queue), sources: vec![queue] })
        }
        QueueUrl::Rabbit(url) => {
            let layout = Layout {
                prefix: config.queue.prefix.clone(),
                partitions,
                max_queue_bytes: config.queue.max_bytes,
                ..Layout::default()
            };
            let settings = rabbit::Settings {
                layout,
                publish_limit: Duration::from_secs(config.api.confirm_seconds),
                drain_limit: Duration::from_secs(config.worker.drain_seconds),
                ..rabbit::Settings::default()
            };
            let rabbit: Arc<dyn Broker> = Arc::new(Rabbit::start(url.0.expose_secret(), settings)?);
            let replay: Arc<dyn Broker> = Arc::new(Embedded::beside(shelf, partitions, SHELF_POLL));
            Ok(Queue { door: Arc::clone(&rabbit), sources: vec![rabbit, replay] })
        }
    }
}

/// Everything a call is driven with.
///
/// # Errors
/// Model settings that cannot work.
pub(crate) fn ports(
    config: &Config,
    store: &Arc<SqlStore>,
    metrics: Arc<Metrics>,
    budget: &Arc<Budget>,
) -> anyhow::Result<Ports> {
    let schedule = Schedule {
        delays: config.worker.retry_seconds.iter().copied().map(Duration::from_secs).collect(),
        snooze: Duration::from_secs(config.worker.snooze_seconds),
        ..Schedule::default()
    };
    Ok(Ports {
        store: Arc::clone(store) as Arc<dyn Store>,
        extractor: model::extractor(&config.model, budget)?,
        keys: Arc::new(keys(config)?),
        metrics,
        schedule: Arc::new(schedule),
        scopes: Arc::default(),
        partitions: config.queue.partitions,
        join_trace: crate::telemetry::join,
    })
}

/// What this installation may ask of its model server; a fleet shares it.
pub(crate) fn budget(config: &Config) -> Arc<Budget> {
    Arc::new(Budget::new(Rates {
        requests_per_minute: config.model.requests_per_minute,
        tokens_per_minute: config.model.tokens_per_minute,
        ..Rates::default()
    }))
}

/// Settings by namespace, for the door.
pub(crate) fn settings(config: &Config) -> Box<dyn Fn(&str) -> Settings + Send + Sync> {
    let (own, others) = (config.namespaces.clone(), config.settings.clone());
    Box::new(move |namespace| own.get(namespace).unwrap_or(&others).clone())
}

/// The key of keyed hashes: configured, or generated once beside the embedded store.
pub(crate) fn keys(config: &Config) -> anyhow::Result<KeyRing> {
    let secret = config.keys.secret.expose_secret();
    let secret = match (&config.store.url, secret.is_empty()) {
        (_, false) => secret.as_bytes().to_vec(),
        (StoreUrl::Embedded, true) => generated(&config.data_dir)?,
        (StoreUrl::Postgres(_), true) => {
            bail!("keys.secret is not set; a fleet needs one, the same for every process (RECALL__KEYS__SECRET)")
        }
    };
    Ok(KeyRing::new(Key::new(&config.keys.id, secret), Vec::new()))
}

fn generated(data_dir: &Path) -> anyhow::Result<Vec<u8>> {
    let path = data_dir.join("key");
    match std::fs::read(&path) {
        Ok(key) if key.len() == 32 => return Ok(key),
        Ok(_) => bail!("{} is no key of 32 bytes", path.display()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
    std::fs::create_dir_all(data_dir).with_context(|| format!("cannot make {}", data_dir.display()))?;
    let key: [u8; 32] = rand::random();
    // Written whole under another name first: two starters then agree on whichever came first.
    let mut file = tempfile::Builder::new().prefix("key").tempfile_in(data_dir)?;
    file.write_all(&key)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(&path) {
        Ok(_) => Ok(key.to_vec()),
        Err(_) => Ok(std::fs::read(&path)?),
    }
}

/// A name of this process among the workers.
pub(crate) fn worker_name() -> String {
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
        | StoreError::Refused { .. }
        | StoreError::Cursor
        | StoreError::Missing(_)
        | StoreError::Conflict(_)
        | StoreError::Corrupt(_) => "",
    };
    let error = anyhow::Error::from(error);
    if hint.is_empty() { error } else { error.context(hint) }
}

/// The table of parked calls as the shelf of the embedded queue.
struct Parked {
    store: Arc<SqlStore>,
}

#[async_trait]
impl Shelf for Parked {
    async fn put(&self, call: &Put) -> Result<(), BrokerError> {
        let row = ToPark {
            trace_id: call.trace_id.clone(),
            session_key: call.session_key.clone(),
            partition: call.partition,
            body: call.body.clone(),
            attempts: 0,
            wait_seconds: 0.0,
            why: "queued".into(),
        };
        self.store.park(&row).await.map_err(away)
    }

    async fn due(&self, partitions: &[u32], limit: u32) -> Result<Vec<Due>, BrokerError> {
        let rows = self.store.due(&Partitions::Of(partitions.to_vec()), limit).await.map_err(away)?;
        let due = rows.into_iter().map(|row| Due {
            key: ShelfKey { seq: row.key.seq, revision: row.key.revision },
            trace_id: row.trace_id,
            session_key: row.session_key,
            body: row.body,
            attempts: row.attempts,
            unfinished: row.retried,
        });
        Ok(due.collect())
    }

    async fn done(&self, key: &ShelfKey) -> Result<bool, BrokerError> {
        self.store.unpark(&ParkedKey { seq: key.seq, revision: key.revision }).await.map_err(away)
    }

    async fn depth(&self) -> Result<u64, BrokerError> {
        self.store.parked_depth().await.map(|(rows, _)| rows).map_err(away)
    }

    async fn ready(&self) -> Result<(), BrokerError> {
        self.store.ready().await.map_err(away)
    }
}

fn away(error: StoreError) -> BrokerError {
    BrokerError::Unavailable(Some(Box::new(error)))
}
