//! Workers and their signs of life, by the database's clock alone: a worker with a wrong clock is neither dead nor immortal.

use serde::Deserialize;
use sqlx::AnyConnection;

use crate::dialect::Statement;
use crate::record::{Beat, LiveWorker, Report};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// A worker not seen for so many microseconds is taken for dead.
const ALIVE: i64 = 4_000_000;
/// It is shown for so long after.
const REMEMBERED: i64 = 300_000_000;

pub(crate) static BEAT: Statement = Statement::new(
    "INSERT INTO workers (worker, version, in_flight, partitions, report, began_at, seen_at)
    VALUES ($1, $2, $3, {document $4}, {document $5}, {now}, {now})
    ON CONFLICT (worker) DO UPDATE SET version = excluded.version, in_flight = excluded.in_flight,
        partitions = excluded.partitions, report = excluded.report, seen_at = excluded.seen_at",
);

/// Workers seen within so many microseconds.
pub(crate) static SEEN: Statement = Statement::new(
    "SELECT CAST({object}('worker', w.worker, 'version', w.version, 'in_flight', w.in_flight,
        'partitions', {json}(w.partitions), 'report', {json}(w.report), 'began_at', w.began_at, 'seen_at', w.seen_at,
        'now', {now}) AS TEXT)
    FROM workers w WHERE w.seen_at > {now} - $1 ORDER BY w.worker",
);

pub(crate) static LEAVE: Statement = Statement::new("DELETE FROM workers WHERE worker = $1");

#[derive(Deserialize)]
struct WorkerRow {
    worker: String,
    version: String,
    in_flight: u32,
    partitions: Vec<u32>,
    report: Report,
    began_at: i64,
    seen_at: i64,
    now: i64,
}

/// Renews a worker's heartbeat; the workers alive.
pub(crate) async fn beat(store: &SqlStore, beat: &Beat) -> Result<Vec<LiveWorker>, StoreError> {
    let args = vec![
        Arg::from(beat.worker.as_str()),
        Arg::from(beat.version.as_str()),
        Arg::from(beat.in_flight),
        sql::json(&beat.partitions)?,
        sql::json(&beat.report)?,
    ];
    let mut connection = store.writer().await?;
    sql::execute(&mut connection, store.text(&BEAT), args).await?;
    seen(store, &mut connection, ALIVE).await
}

/// The workers that gave a sign of life lately, those that are silent since included.
pub(crate) async fn workers(store: &SqlStore) -> Result<Vec<LiveWorker>, StoreError> {
    seen(store, &mut *store.plain_reader().await?, REMEMBERED).await
}

async fn seen(store: &SqlStore, connection: &mut AnyConnection, within: i64) -> Result<Vec<LiveWorker>, StoreError> {
    let rows: Vec<WorkerRow> = sql::many(connection, store.text(&SEEN), vec![Arg::Number(within)]).await?;
    Ok(rows.into_iter().map(LiveWorker::from).collect())
}

/// Takes a worker off the list.
pub(crate) async fn leave(store: &SqlStore, worker: &str) -> Result<(), StoreError> {
    let mut connection = store.writer().await?;
    sql::execute(&mut connection, store.text(&LEAVE), vec![Arg::from(worker)]).await.map(|_| ())
}

impl From<WorkerRow> for LiveWorker {
    fn from(row: WorkerRow) -> Self {
        let WorkerRow { worker, version, in_flight, partitions, report, began_at, seen_at, now } = row;
        let seconds = |since: i64| u64::try_from((now - since) / 1_000_000).unwrap_or_default();
        Self {
            worker,
            version,
            in_flight,
            partitions,
            since_seconds: seconds(began_at),
            seen_seconds_ago: seconds(seen_at),
            oldest_seconds: report.oldest_accepted_at.map(seconds),
            alive: now - seen_at < ALIVE,
            report,
        }
    }
}
