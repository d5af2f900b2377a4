//! Calls that wait: parked ones in the order of their session, and attempts that never ended.

use recall_core::call::Lane;
use recall_core::id::TraceId;
use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::dialect::{Dialect, Statement};
use crate::fence::{Reach, Work};
use crate::record::{Begun, Parked, ParkedKey, Partitions, ToPark, Why};
use crate::repair::speakers;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError, bindings, dead};

macro_rules! insert_parked {
    ($conflict:literal) => {
        concat!(
            "INSERT INTO parked (trace_id, namespace, owner, session_key, slot, lane, body, attempts, not_before, revision,
                why, parked_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, {now} + $9, 0, $10, {now}) ON CONFLICT (trace_id) ",
            $conflict
        )
    };
}

pub(crate) static PARK: Statement = Statement::new(insert_parked!(
    "DO UPDATE SET attempts = excluded.attempts, not_before = excluded.not_before, why = excluded.why,
        revision = parked.revision + 1"
));

/// One that waits already stays as it is.
pub(crate) static INSERT_PARKED: Statement = Statement::new(insert_parked!("DO NOTHING"));

/// Heads that are due: the first of its session; a session whose head is not due waits behind it.
macro_rules! due {
    ($of:literal) => {
        concat!(
            "SELECT p.seq, p.revision, p.trace_id, p.session_key, p.body, p.attempts,
                CASE WHEN EXISTS (SELECT 1 FROM attempts a WHERE a.trace_id = p.trace_id) THEN 1 ELSE 0 END AS retried
            FROM parked p WHERE p.not_before <= {now}",
            $of,
            " AND NOT EXISTS (SELECT 1 FROM parked ahead WHERE ahead.session_key = p.session_key AND ahead.seq < p.seq)
            ORDER BY p.seq LIMIT $1"
        )
    };
}

pub(crate) static DUE: Statement = Statement::new(due!(""));

pub(crate) static DUE_OF: Statement = Statement::new(due!(" AND p.lane = $2 AND p.slot % $3 {in numbers $4}"));

pub(crate) static UNPARK: Statement = Statement::new("DELETE FROM parked WHERE seq = $1 AND revision = $2");

pub(crate) static UNPARK_TRACE: Statement = Statement::new("DELETE FROM parked WHERE trace_id = $1");

pub(crate) static END_ATTEMPTS: Statement = Statement::new("DELETE FROM attempts WHERE trace_id = $1");

/// To be run alone where an attempt before it never ended.
pub(crate) static BEGIN_ATTEMPT: Statement = Statement::new(
    "INSERT INTO attempts (trace_id, alone, began_at) VALUES ($1, 0, {now})
    RETURNING CASE WHEN EXISTS (SELECT 1 FROM attempts earlier WHERE earlier.trace_id = $1
        AND earlier.attempt < attempts.attempt) THEN 1 ELSE 0 END AS alone, (SELECT count(*) FROM attempts earlier WHERE earlier.trace_id = $1 AND earlier.alone = 1
        AND earlier.attempt < attempts.attempt) AS lone",
);

/// Only from here on whatever ends the worker may be the fault of this call.
pub(crate) static RUNS_ALONE: Statement = Statement::new(
    "UPDATE attempts SET alone = 1
    WHERE trace_id = $1 AND attempt = (SELECT max(last.attempt) FROM attempts last WHERE last.trace_id = $1)",
);

/// Puts a call behind the parked ones of its session, and ends its attempt.
pub(crate) async fn park(store: &SqlStore, call: &ToPark) -> Result<(), StoreError> {
    let text = match call.why {
        Why::Queued => &INSERT_PARKED,
        Why::Requeued | Why::Behind | Why::Failed { .. } => &PARK,
    };
    if call.why == Why::Queued && store.dialect == Dialect::Sqlite {
        // One statement is a transaction by itself.
        let mut writer = store.writer().await?;
        sql::execute(&mut writer, store.text(text), parked_args(call)).await?;
        return Ok(());
    }
    let mut work = store.begin(Reach::Every(Work::Queue)).await?;
    let (_, owner) = bindings::of_session_key(&call.session_key);
    let of_account = owner.is_some_and(|owner| owner.starts_with(bindings::OF_ACCOUNTS));
    let kept = match of_account.then(|| dead::glimpse(&call.body)).flatten() {
        Some(glimpsed) => speakers::without_erased(store, &mut work, (&glimpsed, &call.body)).await?,
        None => Some(call.body.clone()),
    };
    if let Some(body) = kept {
        let args = parked_args(&ToPark { body, ..call.clone() });
        sql::execute(&mut work, store.text(text), args).await?;
    }
    if call.why != Why::Queued {
        end_attempts(store, &mut work, call.trace_id.as_str()).await?;
    }
    if let Why::Failed { class, reason } = &call.why {
        let (namespace, _) = bindings::of_session_key(&call.session_key);
        dead::failed(store, &mut work, (call.trace_id.as_str(), namespace), (class, reason)).await?;
    }
    Ok(work.commit().await?)
}

/// The arguments of [`PARK`] and [`INSERT_PARKED`].
pub(crate) fn parked_args(call: &ToPark) -> Vec<Arg> {
    let (namespace, owner) = bindings::of_session_key(&call.session_key);
    vec![
        Arg::from(call.trace_id.as_str()),
        Arg::from(namespace),
        Arg::Maybe(owner),
        Arg::from(call.session_key.as_str()),
        Arg::from(call.slot),
        Arg::from(lane(call.lane)),
        Arg::Bytes(call.body.clone()),
        Arg::from(call.attempts),
        Arg::Number(microseconds(call.wait_seconds)),
        Arg::from(call.why.as_str()),
    ]
}

/// Heads of parked sessions that are due.
pub(crate) async fn due(store: &SqlStore, partitions: &Partitions, limit: u32) -> Result<Vec<Parked>, StoreError> {
    let mut connection = store.reader(Reach::Every(Work::Queue)).await?;
    let rows = match partitions {
        Partitions::All => sql::rows(&mut connection, store.text(&DUE), vec![Arg::from(limit)]).await?,
        Partitions::Of { lane: of_lane, of, numbers } => {
            let args = vec![Arg::from(limit), Arg::from(lane(*of_lane)), Arg::from((*of).max(1)), sql::json(numbers)?];
            sql::rows(&mut connection, store.text(&DUE_OF), args).await?
        }
    };
    rows.iter().map(parked).collect()
}

fn parked(row: &AnyRow) -> Result<Parked, StoreError> {
    let trace_id: String = row.try_get("trace_id")?;
    Ok(Parked {
        key: ParkedKey { seq: row.try_get("seq")?, revision: row.try_get("revision")? },
        trace_id: trace_id.parse().map_err(|_| StoreError::Corrupt("parked.trace_id".into()))?,
        session_key: row.try_get("session_key")?,
        body: row.try_get("body")?,
        attempts: count(row.try_get("attempts")?),
        retried: row.try_get::<i64, _>("retried")? > 0,
    })
}

/// Removes a parked call as it was handed out.
pub(crate) async fn unpark(store: &SqlStore, key: &ParkedKey) -> Result<bool, StoreError> {
    let mut work = store.begin(Reach::Every(Work::Queue)).await?;
    let args = vec![Arg::Number(key.seq), Arg::Number(key.revision)];
    let unparked = sql::execute(&mut work, store.text(&UNPARK), args).await? > 0;
    work.commit().await?;
    Ok(unparked)
}

/// Notes that an attempt begins; whether it has to run alone, and earlier ones that ran alone and never ended.
pub(crate) async fn begin_attempt(store: &SqlStore, trace_id: &TraceId) -> Result<Begun, StoreError> {
    let mut connection = store.writer().await?;
    let rows = sql::rows(&mut connection, store.text(&BEGIN_ATTEMPT), vec![Arg::from(trace_id.as_str())]).await?;
    let row = rows.first().ok_or_else(|| StoreError::Corrupt("attempt without its row".into()))?;
    Ok(Begun { alone: row.try_get::<i64, _>("alone")? == 1, unfinished_alone: count(row.try_get("lone")?) })
}

/// Notes that the attempt at a call that began last runs with nothing beside it.
pub(crate) async fn runs_alone(store: &SqlStore, trace_id: &TraceId) -> Result<(), StoreError> {
    let mut connection = store.writer().await?;
    sql::execute(&mut connection, store.text(&RUNS_ALONE), vec![Arg::from(trace_id.as_str())]).await.map(|_| ())
}

/// Clears the attempts of a call that ended, one way or the other.
pub(crate) async fn end_attempts(
    store: &SqlStore,
    connection: &mut AnyConnection,
    trace_id: &str,
) -> Result<(), StoreError> {
    sql::execute(connection, store.text(&END_ATTEMPTS), vec![Arg::from(trace_id)]).await.map(|_| ())
}

/// A lane as it is stored.
pub(crate) fn lane(lane: Lane) -> &'static str {
    match lane {
        Lane::Live => "live",
        Lane::Bulk => "bulk",
    }
}

fn count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

fn microseconds(seconds: f64) -> i64 {
    let bounded = if seconds.is_finite() { seconds.clamp(0.0, 366.0 * 86_400.0) } else { 0.0 };
    // Within a year, so the number fits.
    (bounded * 1e6) as i64
}
