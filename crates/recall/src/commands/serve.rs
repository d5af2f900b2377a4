//! `recall serve`: the HTTP door; with the embedded queue the same process also works it.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use recall_store::{SqlStore, Store};
use recall_worker::metrics::Metrics;
use recall_worker::worker::Worker;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{signalled, work};
use crate::config::{Config, QueueUrl};
use crate::{api, wire};

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
    let queue = wire::queue(config, &store)?;
    let state = state(config, &store, &queue, &metrics)?;
    let stop = CancellationToken::new();
    let mut working = JoinSet::new();
    let works = matches!(config.queue.url, QueueUrl::Embedded);
    if works {
        let budget = wire::budget(config);
        let worker = Worker::new(wire::ports(config, &store, metrics, &budget)?, work::limits(config));
        working.spawn(worker.run(queue.sources, stop.clone()));
        let sweeping = work::sweep(Arc::clone(&store), stop.clone());
        working.spawn(async {
            sweeping.await;
            true
        });
    }
    eprintln!("recall serves http://{address}{}", if works { " and works the embedded queue" } else { "" });
    let router = api::router(state);
    axum::serve(listener, router).with_graceful_shutdown(signalled(stop)).await?;
    while let Some(all) = working.join_next().await {
        anyhow::ensure!(all?, "calls were still in flight after the drain time; they stay queued");
    }
    Ok(ExitCode::SUCCESS)
}

fn state(
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
        keys: api::Keys::new(hashes.current().clone(), &config.api.keys),
        hashes,
        settings: wire::settings(config),
        recent: api::Recent::default(),
        max_body_bytes: config.api.max_body_bytes,
        confirm: Duration::from_secs(config.api.confirm_seconds),
    }))
}
