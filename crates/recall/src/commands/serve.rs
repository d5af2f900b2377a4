//! `recall serve`: the HTTP door; with the embedded queue the same process also works it.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use recall_worker::metrics::Metrics;
use recall_worker::worker::{Limits, Worker};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{leave_at_second_signal, stopped};
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
    let hashes = Arc::new(wire::keys(config)?);
    let state = Arc::new(api::State {
        store: Arc::clone(&store) as Arc<dyn recall_store::Store>,
        broker: Arc::clone(&queue.door),
        metrics: Arc::clone(&metrics),
        keys: api::Keys::new(hashes.current().clone(), &config.api.keys),
        hashes,
        settings: wire::settings(config),
        confirm: Duration::from_secs(config.api.confirm_seconds),
    });
    let stop = CancellationToken::new();
    let works = matches!(config.queue.url, QueueUrl::Embedded);
    let worker = if works {
        let limits =
            Limits { concurrency: config.worker.concurrency, drain: Duration::from_secs(config.worker.drain_seconds) };
        let worker = Worker::new(wire::ports(config, &store, metrics)?, limits);
        Some(tokio::task::spawn(worker.run(queue.sources, stop.clone())))
    } else {
        None
    };
    eprintln!("recall serves http://{address}{}", if works { " and works the embedded queue" } else { "" });
    let router = api::router(state, config.api.max_body_bytes);
    let ended = stop.clone();
    axum::serve(listener, router)
        .with_graceful_shutdown(async move {
            stopped().await;
            ended.cancel();
            tokio::task::spawn(leave_at_second_signal());
        })
        .await?;
    stop.cancel();
    if let Some(worker) = worker {
        let all = worker.await?;
        anyhow::ensure!(all, "calls were still in flight after the drain time; they stay queued");
    }
    Ok(ExitCode::SUCCESS)
}
