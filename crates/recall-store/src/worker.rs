//! Workers and their signs of life, by the database's clock alone: a worker with a wrong clock is neither dead nor immortal.

use serde::Deserialize;

use crate::dialect::Statement;
use crate::record::{Beat, LiveWorker};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

pub(crate) static BEAT: Statement = Statement::new(
    "INSERT INTO workers (worker, version, in_flight, partitions, seen_at)
    VALUES ($1, $2, $3, {document $4}, {now})
    ON CONFLICT (worker) DO UPDATE SET version = excluded.version, in_flight = excluded.in_flight,
        partitions = excluded.partitions, seen_at = excluded.seen_at",
);

/// Alive: seen within 4 seconds.
pub(crate) static ALIVE: Statement = Statement::new(
    "SELECT CAST({object}('worker', w.worker, 'version', w.version, 'in_flight', w.in_flight,
        'partitions', {json}(w.partitions), 'seen_at', w.seen_at, 'now', {now}) AS TEXT)
    FROM workers w WHERE w.seen_at > {now} - 4000000 ORDER BY w.worker",
);

pub(crate) static LEAVE: Statement = Statement::new("DELETE FROM workers WHERE worker = $1");

#[derive(Deserialize)]
struct WorkerRow {
    worker: String,
    version: String,
    in_flight: u32,
    partitions: Vec<u32>,
    seen_at: i64,
    now: i64,
}

/// Renews a worker's heartbeat; the workers seen lately.
pub(crate) async fn beat(store: &SqlStore, beat: &Beat) -> Result<Vec<LiveWorker>, StoreError> {
    let args = vec![
        Arg::from(beat.worker.as_str()),
        Arg::from(beat.version.as_str()),
        Arg::from(beat.in_flight),
        sql::json(&beat.partitions)?,
    ];
    let mut connection = store.writer().await?;
    sql::execute(&mut connection, store.text(&BEAT), args).await?;
    let rows: Vec<WorkerRow> = sql::many(&mut connection, store.text(&ALIVE), Vec::new()).await?;
    Ok(rows.into_iter().map(LiveWorker::from).collect())
}

/// Takes a worker off the list.
pub(crate) async fn leave(store: &SqlStore, worker: &str) -> Result<(), StoreError> {
    let mut connection = store.writer().await?;
    sql::execute(&mut connection, store.text(&LEAVE), vec![Arg::from(worker)]).await.map(|_| ())
}

impl From<WorkerRow> for LiveWorker {
    fn from(row: WorkerRow) -> Self {
        let WorkerRow { worker, version, in_flight, partitions, seen_at, now } = row;
        let seen_seconds_ago = u64::try_from((now - seen_at) / 1_000_000).unwrap_or_default();
        Self { worker, version, in_flight, partitions, seen_seconds_ago }
    }
}
