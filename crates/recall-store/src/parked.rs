//! Calls that wait: parked ones in the order of their session, dead ones with their reason, and attempts that never ended.

use recall_core::id::TraceId;
use recall_core::moment::Moment;
use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::dialect::Statement;
use crate::list::{self, Place, Query};
use crate::record::{DeadLetter, Page, PageRequest, Parked, ParkedKey, Partitions, ToPark};
use crate::sql::{self, Arg};
use crate::trace::glimpse;
use crate::{SqlStore, StoreError, bindings};

pub(crate) static PARK: Statement = Statement::new(
    "INSERT INTO parked (trace_id, namespace, owner, session_key, partition, body, attempts, not_before, revision, why,
        parked_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, {now} + $8, 0, $9, {now})
    ON CONFLICT (trace_id) DO UPDATE SET attempts = excluded.attempts, not_before = excluded.not_before,
        why = excluded.why, revision = parked.revision + 1
    WHERE excluded.why <> 'queued'",
);

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

pub(crate) static DUE_OF: Statement = Statement::new(due!(" AND p.partition {in numbers $2}"));

pub(crate) static UNPARK: Statement = Statement::new("DELETE FROM parked WHERE seq = $1 AND revision = $2");

pub(crate) static DEPTH: Statement =
    Statement::new("SELECT count(*) AS depth, coalesce(({now} - min(parked_at)) / 1000000, 0) AS oldest FROM parked");

pub(crate) static DEAD_LETTER: Statement = Statement::new(
    "INSERT INTO dead_letters (id, namespace, owner, class, reason, attempts, body, died_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, {now})
    ON CONFLICT (id) DO UPDATE SET class = excluded.class, reason = excluded.reason, attempts = excluded.attempts,
        body = excluded.body, died_at = excluded.died_at",
);

pub(crate) static UNPARK_TRACE: Statement = Statement::new("DELETE FROM parked WHERE trace_id = $1");

pub(crate) static END_ATTEMPTS: Statement = Statement::new("DELETE FROM attempts WHERE trace_id = $1");

pub(crate) static BEGIN_ATTEMPT: Statement = Statement::new(
    "INSERT INTO attempts (trace_id, alone, began_at) VALUES ($1, $2, {now})
    RETURNING (SELECT count(*) FROM attempts earlier WHERE earlier.trace_id = $1 AND earlier.alone = 1
        AND earlier.attempt < attempts.attempt) AS lone",
);

/// A dead letter `d`.
macro_rules! letter_columns {
    () => {
        "d.id, d.namespace, d.class, d.reason, d.attempts, d.body, d.died_at"
    };
}
pub(crate) use letter_columns;

/// Puts a call behind the parked ones of its session, and ends its attempt.
pub(crate) async fn park(store: &SqlStore, call: &ToPark) -> Result<(), StoreError> {
    let (namespace, owner) = bindings::of_session_key(&call.session_key);
    let args = vec![
        Arg::from(call.trace_id.as_str()),
        Arg::from(namespace),
        Arg::Maybe(owner),
        Arg::from(call.session_key.as_str()),
        Arg::from(call.partition),
        Arg::Bytes(call.body.clone()),
        Arg::from(call.attempts),
        Arg::Number(microseconds(call.wait_seconds)),
        Arg::from(call.why.as_str()),
    ];
    let mut work = store.begin().await?;
    sql::execute(&mut work, store.text(&PARK), args).await?;
    end_attempts(store, &mut work, call.trace_id.as_str()).await?;
    Ok(work.commit().await?)
}

/// Heads of parked sessions that are due.
pub(crate) async fn due(store: &SqlStore, partitions: &Partitions, limit: u32) -> Result<Vec<Parked>, StoreError> {
    let mut connection = store.reader().await?;
    let rows = match partitions {
        Partitions::All => sql::rows(&mut connection, store.text(&DUE), vec![Arg::from(limit)]).await?,
        Partitions::Of(numbers) => {
            let args = vec![Arg::from(limit), sql::json(numbers)?];
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
    let mut connection = store.writer().await?;
    let args = vec![Arg::Number(key.seq), Arg::Number(key.revision)];
    Ok(sql::execute(&mut connection, store.text(&UNPARK), args).await? > 0)
}

/// Parked calls, and the seconds the oldest waits.
pub(crate) async fn depth(store: &SqlStore) -> Result<(u64, u64), StoreError> {
    let mut connection = store.reader().await?;
    let rows = sql::rows(&mut connection, store.text(&DEPTH), Vec::new()).await?;
    let row = rows.first().ok_or_else(|| StoreError::Corrupt("depth without a row".into()))?;
    let number =
        |column: &str| -> Result<u64, StoreError> { Ok(row.try_get::<i64, _>(column)?.try_into().unwrap_or(0)) };
    Ok((number("depth")?, number("oldest")?))
}

/// Keeps a call that cannot be done, and removes its parked row.
pub(crate) async fn dead_letter(store: &SqlStore, letter: &DeadLetter) -> Result<(), StoreError> {
    let args = vec![
        Arg::from(letter.id.as_str()),
        Arg::Maybe(letter.namespace.clone()),
        Arg::Maybe(glimpse(&letter.body).map(|call| bindings::owner(&call.scope))),
        Arg::from(letter.class.as_str()),
        Arg::Text(letter.reason.replace('\0', "\u{fffd}")),
        Arg::from(letter.attempts),
        Arg::Bytes(letter.body.clone()),
    ];
    let mut work = store.begin().await?;
    sql::execute(&mut work, store.text(&DEAD_LETTER), args).await?;
    sql::execute(&mut work, store.text(&UNPARK_TRACE), vec![Arg::from(letter.id.as_str())]).await?;
    end_attempts(store, &mut work, &letter.id).await?;
    Ok(work.commit().await?)
}

/// Dead letters, newest first.
pub(crate) async fn dead_letters(store: &SqlStore, page: &PageRequest) -> Result<Page<DeadLetter>, StoreError> {
    let mut query = Query::new(concat!("SELECT ", letter_columns!(), " FROM dead_letters d WHERE true"));
    query.newest_first(("d.died_at", "d.id"), &Place::after(page)?, page);
    let mut connection = store.reader().await?;
    let rows = sql::rows(&mut connection, query.sql(store.dialect), query.args).await?;
    let letters = rows.iter().map(letter).collect::<Result<Vec<_>, _>>()?;
    Ok(list::page(letters, page, |letter| Place {
        at: letter.died_at.map(Moment::microseconds).unwrap_or_default(),
        id: letter.id.clone(),
    }))
}

/// A dead letter from a row of `letter_columns!`.
pub(crate) fn letter(row: &AnyRow) -> Result<DeadLetter, StoreError> {
    Ok(DeadLetter {
        id: row.try_get("id")?,
        namespace: row.try_get("namespace")?,
        class: row.try_get("class")?,
        reason: row.try_get("reason")?,
        attempts: count(row.try_get("attempts")?),
        body: row.try_get("body")?,
        died_at: Moment::from_microseconds(row.try_get("died_at")?),
    })
}

/// Notes that an attempt begins; earlier attempts that ran alone and never ended.
pub(crate) async fn begin_attempt(store: &SqlStore, trace_id: &TraceId, alone: bool) -> Result<u32, StoreError> {
    let args = vec![Arg::from(trace_id.as_str()), Arg::Number(i64::from(alone))];
    let mut connection = store.writer().await?;
    let rows = sql::rows(&mut connection, store.text(&BEGIN_ATTEMPT), args).await?;
    Ok(count(rows.first().map(|row| row.try_get("lone")).transpose()?.unwrap_or_default()))
}

/// Clears the attempts of a call that ended, one way or the other.
pub(crate) async fn end_attempts(
    store: &SqlStore,
    connection: &mut AnyConnection,
    trace_id: &str,
) -> Result<(), StoreError> {
    sql::execute(connection, store.text(&END_ATTEMPTS), vec![Arg::from(trace_id)]).await.map(|_| ())
}

fn count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

fn microseconds(seconds: f64) -> i64 {
    let bounded = if seconds.is_finite() { seconds.clamp(0.0, 366.0 * 86_400.0) } else { 0.0 };
    // Within a year, so the number fits.
    (bounded * 1e6) as i64
}
