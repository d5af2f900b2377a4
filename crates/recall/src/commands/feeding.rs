//! Where a run is fed from: a data directory that this process works meanwhile, or the door of a fleet.

use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use recall_store::batches::BatchRecord;
use recall_store::{SqlStore, Store as _};
use recall_worker::metrics::Metrics;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{serve, signalled, work};
use crate::config::{Config, QueueUrl, StoreUrl};
use crate::reprocess::{self, Fed, Feed, Job};
use crate::{api, generations, wire};

/// The store, and where its other users find this process.
pub(super) struct Place {
    pub(super) store: Arc<SqlStore>,
    listener: Option<TcpListener>,
}

impl Place {
    /// A data directory is this process's alone while it feeds; others reach it over HTTP on this host.
    pub(super) async fn open(config: &Config, only_look: bool) -> anyhow::Result<Self> {
        let embedded = matches!(config.store.url, StoreUrl::Embedded);
        if only_look && (!embedded || config.data_dir.is_dir()) {
            return Ok(Self { store: wire::store(config, &wire::Access::Read)?, listener: None });
        }
        let listener = if embedded { Some(TcpListener::bind("127.0.0.1:0").await?) } else { None };
        let address = match &listener {
            Some(listener) => listener.local_addr()?.to_string(),
            None => String::new(),
        };
        let store = wire::store(config, &wire::Access::Work { address })?;
        wire::prepare(config, &store).await?;
        Ok(Self { store, listener })
    }

    /// Feeds a run; with the embedded store this process also works it, else the fleet does.
    pub(super) async fn feed(
        &mut self,
        config: &Config,
        job: Job,
        run: BatchRecord,
        archive_hash: String,
    ) -> anyhow::Result<Fed> {
        let queue = wire::queue(config, &self.store).await?;
        let stop = CancellationToken::new();
        let mut working = JoinSet::new();
        let door = Arc::clone(&queue.door);
        if let Some(listener) = self.listener.take() {
            ensure!(matches!(config.queue.url, QueueUrl::Embedded), "the embedded store goes with the embedded queue");
            let metrics = Arc::new(Metrics::new()?);
            let state = serve::state(config, &self.store, &queue, &metrics)?;
            let head = Duration::from_secs(config.api.head_seconds);
            let listening = api::listen(listener, api::router(state), head, stop.clone());
            working.spawn(async move {
                listening.await;
                true
            });
            let partitions = serve::partitions_of(&self.store).await?;
            work::alone(config, &self.store, (queue.sources, metrics, partitions), (&mut working, &stop))?;
        } else {
            self.warn_unworked().await;
        }
        if let Some(fleet) = queue.fleet {
            let (store, stop) = (Arc::clone(&self.store), stop.clone());
            working.spawn(async move {
                generations::follow(&store, &fleet.queues, stop).await;
                true
            });
        }
        let (reach, window) = (job.reach(), config.reprocess.calls_in_flight.max(1));
        let source = reprocess::read_ahead(job, run.id.clone(), archive_hash);
        let feed = Feed { store: Arc::clone(&self.store), door, run, window, reach };
        let feeding = async {
            let fed = reprocess::feed(feed, source, stop.clone()).await;
            stop.cancel();
            fed
        };
        let (fed, ()) = tokio::join!(feeding, signalled(stop.clone()));
        while let Some(all) = working.join_next().await {
            ensure!(all?, "calls were still in flight after the drain time; they stay queued");
        }
        fed
    }

    async fn warn_unworked(&self) {
        let alive = self.store.workers().await.is_ok_and(|workers| workers.iter().any(|worker| worker.alive));
        if !alive {
            eprintln!("no worker is alive: calls wait in the queue until `recall work` runs");
        }
    }
}
