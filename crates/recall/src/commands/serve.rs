//! `recall serve`: the HTTP door; with the embedded queue the same process also works it.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use recall_store::{SqlStore, Store};
use recall_worker::metrics::Metrics;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{signalled, work};
use crate::config::{Config, QueueUrl};
use crate::{api, generations, wire};

/// Serves until a signal, then finishes what is under way.
pub(super) async fn run(config: &Config) -> anyhow::Result<ExitCode> {
    let listener = TcpListener::bind(config.api.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.api.listen))?;
    let address = listener.local_addr()?;
    let metrics = Arc::new(Metrics::new()?);
    metrics.prime();
    let store = wire::store(config, &wire::Access::Work { address: address.to_string() })?;
    wire::prepare(config, &store).await?;
    wire::warn_unfenced(&store).await;
    wire::warn_unknown_prompts(config, &store).await?;
    let queue = wire::queue(config, &store).await?;
    let state = state(config, &store, &queue, &metrics)?;
    open_to_nobody(config, &state).await?;
    let stop = CancellationToken::new();
    let mut working = JoinSet::new();
    let works = matches!(config.queue.url, QueueUrl::Embedded);
    if let Some(fleet) = queue.fleet {
        let (store, stop) = (Arc::clone(&store), stop.clone());
        working.spawn(async move {
            generations::follow(&store, &fleet.queues, stop).await;
            true
        });
    }
    if works {
        let partitions = partitions_of(&store).await?;
        work::alone(config, &store, (queue.sources, metrics, partitions), (&mut working, &stop))?;
    }
    let noting = note_used(Arc::clone(&state), stop.clone());
    working.spawn(async {
        noting.await;
        true
    });
    // Begins to connect, so that a wrong address is told in the log now and not with the first call.
    let _connecting = queue.door.ready().await;
    eprintln!("recall serves http://{address}{}", if works { " and works the embedded queue" } else { "" });
    let router = api::router(state);
    let head = Duration::from_secs(config.api.head_seconds);
    tokio::join!(api::listen(listener, router, head, stop.clone()), signalled(stop));
    while let Some(all) = working.join_next().await {
        anyhow::ensure!(all?, "calls were still in flight after the drain time; they stay queued");
    }
    Ok(ExitCode::SUCCESS)
}

/// Partitions of the embedded queue, which one process owns all of.
pub(super) async fn partitions_of(store: &SqlStore) -> anyhow::Result<u32> {
    Ok(wire::used(&store.generations().await.map_err(wire::explained)?)?.read.partitions)
}

/// Without keys everybody who reaches the door is admin: it must not be reached from elsewhere.
async fn open_to_nobody(config: &Config, state: &api::State) -> anyhow::Result<()> {
    let open = state.keys.are_none().await.unwrap_or(true);
    anyhow::ensure!(
        !open || config.api.listen.ip().is_loopback(),
        "api.listen is {} but there are no API keys; make one with `recall key create`, add [[api.keys]], or listen on a loopback address",
        config.api.listen
    );
    Ok(())
}

/// How often it is written down which keys were used.
const NOTE_USED: Duration = Duration::from_secs(60);

/// Writes down which keys were used, beside the requests that used them.
async fn note_used(state: Arc<api::State>, stop: CancellationToken) {
    let mut stopping = false;
    while !stopping {
        stopping = tokio::select! {
            () = stop.cancelled() => true,
            () = tokio::time::sleep(NOTE_USED) => false,
        };
        state.keys.note_used().await;
    }
}

pub(super) fn state(
    config: &Config,
    store: &Arc<SqlStore>,
    queue: &wire::Queue,
    metrics: &Arc<Metrics>,
) -> anyhow::Result<Arc<api::State>> {
    let hashes = Arc::new(wire::keys(config)?);
    Ok(Arc::new(api::State {
        store: Arc::clone(store) as Arc<dyn Store>,
        repairs: Arc::clone(store),
        broker: Arc::clone(&queue.door),
        metrics: Arc::clone(metrics),
        keys: api::Keys::new(Arc::clone(&hashes), &config.api.keys, Arc::clone(store)),
        hashes,
        settings: wire::settings(config),
        recent: api::Recent::default(),
        max_body_bytes: config.api.max_body_bytes,
        confirm: Duration::from_secs(config.api.confirm_seconds),
        request: Duration::from_secs(config.api.request_seconds),
        oldest_waiting: Some(config.api.oldest_waiting_seconds).filter(|limit| *limit > 0).map(Duration::from_secs),
        unserved: api::Unserved::default(),
        embedded: matches!(config.queue.url, QueueUrl::Embedded),
    }))
}
