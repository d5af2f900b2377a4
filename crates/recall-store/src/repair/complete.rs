//! Whether a reprocessing run is complete: only then it is swapped in, since of a part nobody could say what it stands for.

use recall_core::id::BatchId;
use serde::Deserialize;

use crate::batches::BatchStatus;
use crate::dialect::Statement as Sql;
use crate::fence::Reach;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// Where a run stands, and how many of its calls wait in the store: parked, or queued where the store is the queue.
pub(crate) static STANDS: Sql = Sql::new(
    "SELECT CAST({object}('status', (SELECT b.status FROM batches b WHERE b.namespace = $1 AND b.batch_id = $2),
        'waiting', (SELECT count(*) FROM parked p WHERE p.namespace = $1 AND {position}(p.session_key, $2) > 0)) AS TEXT)",
);

#[derive(Deserialize)]
struct Stands {
    status: Option<BatchStatus>,
    waiting: u64,
}

/// Refuses a run that is not complete, and says what makes it so.
pub(super) async fn check(store: &SqlStore, (namespace, run): (&str, &BatchId)) -> Result<(), StoreError> {
    let args = vec![Arg::from(namespace), Arg::from(run.as_str())];
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stands: Option<Stands> = sql::one(&mut connection, store.text(&STANDS), args).await?;
    let Some(Stands { status, waiting }) = stands else { return Ok(()) };
    match status {
        Some(BatchStatus::Cancelled) => Err(StoreError::Conflict(
            "the run was cancelled and will never be complete; the command that began it begins another",
        )),
        Some(BatchStatus::Running | BatchStatus::Paused) => {
            Err(StoreError::Conflict("the run is not done; it is swapped in once it is complete"))
        }
        Some(BatchStatus::Done) | None if waiting > 0 => {
            Err(StoreError::Conflict("calls of the run wait to be read; it is swapped in once it is complete"))
        }
        Some(BatchStatus::Done) | None => Ok(()),
    }
}
