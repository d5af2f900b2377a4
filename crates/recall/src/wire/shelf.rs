//! The table of parked calls as the shelf of a queue.

use std::sync::Arc;

use async_trait::async_trait;
use recall_broker::embedded::{Due, Key as ShelfKey, Put, Shelf};
use recall_broker::{BrokerError, Noted, Share};
use recall_core::call::Lane;
use recall_core::id::TraceId;
use recall_store::record::{Backlog, ParkedKey, Partitions, ToPark, Why};
use recall_store::{SqlStore, Store as _, StoreError};

/// The table of parked calls as the shelf of the embedded queue.
pub(super) struct Parked {
    /// The store.
    pub(super) store: Arc<SqlStore>,
}

#[async_trait]
impl Shelf for Parked {
    async fn put(&self, call: &Put) -> Result<(), BrokerError> {
        let row = ToPark {
            trace_id: call.trace_id.clone(),
            session_key: call.session_key.clone(),
            slot: call.slot,
            lane: call.lane,
            body: call.body.clone(),
            attempts: 0,
            wait_seconds: 0.0,
            why: Why::Queued,
        };
        self.store.park(&row).await.map_err(away)
    }

    async fn take(&self, lane: Lane, share: &Share, busy: &[String], limit: u32) -> Result<Vec<Due>, BrokerError> {
        let asked = Partitions::Of { lane, of: share.of, numbers: share.partitions.clone() };
        let rows = self.store.take(&asked, busy, limit).await.map_err(away)?;
        let taken = rows.into_iter().map(|row| Due {
            key: ShelfKey { seq: row.key.seq, revision: row.key.revision },
            trace_id: row.trace_id,
            session_key: row.session_key,
            body: row.body,
            attempts: row.attempts,
            noted: Noted { unfinished: row.begun.alone, unfinished_alone: row.begun.unfinished_alone },
        });
        Ok(taken.collect())
    }

    async fn untake(&self, traces: &[TraceId]) -> Result<(), BrokerError> {
        for trace_id in traces {
            self.store.end_attempts(trace_id).await.map_err(away)?;
        }
        Ok(())
    }

    async fn done(&self, key: &ShelfKey) -> Result<bool, BrokerError> {
        self.store.unpark(&ParkedKey { seq: key.seq, revision: key.revision }).await.map_err(away)
    }

    async fn depth(&self) -> Result<(u64, u64), BrokerError> {
        let Backlog { live, bulk, .. } = self.store.backlog().await.map_err(away)?;
        Ok((live.queued + live.parked, bulk.queued + bulk.parked))
    }

    async fn ready(&self) -> Result<(), BrokerError> {
        self.store.ready().await.map_err(away)
    }
}

fn away(error: StoreError) -> BrokerError {
    BrokerError::Unavailable(Some(Box::new(error)))
}
