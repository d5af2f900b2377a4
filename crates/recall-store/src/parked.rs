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
use crate::{SqlStore, StoreError, bindings, dead, gather};

macro_rules! into_parked {
    () => {
        "INSERT INTO parked (trace_id, namespace, owner, session_key, slot, lane, body, attempts, not_before, revision,
                why, parked_at) VALUES "
    };
}

macro_rules! insert_parked {
    ($conflict:literal) => {
        concat!(
            into_parked!(),
            "($1, $2, $3, $4, $5, $6, $7, $8, {now} + $9, 0, $10, {now}) ON CONFLICT (trace_id) ",
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

/// Arguments of a row.
pub(crate) const PARKED_ARGS: usize = 10;

/// The values of a row whose arguments stand behind so many others.
pub(crate) fn parked_values(behind: usize) -> String {
    let arg = |number: usize| format!("${}", behind + number);
    let first: Vec<String> = (1..=8).map(arg).collect();
    format!("({}, {{now}} + {}, 0, {}, {{now}})", first.join(", "), arg(9), arg(10))
}

/// The same as [`INSERT_PARKED`] of rows with these values.
pub(crate) fn queued(values: &str) -> String {
    format!(concat!(into_parked!(), "{} ON CONFLICT (trace_id) DO NOTHING"), values)
}

macro_rules! of_row {
    ($column:literal) => {
        concat!("(SELECT p.", $column, " FROM parked p WHERE p.trace_id = attempts.trace_id) AS ", $column)
    };
}

/// Whether an attempt at a call before this one never ended, and how many of those ran alone.
macro_rules! before_it {
    ($trace:literal) => {
        concat!(
            "CASE WHEN EXISTS (SELECT 1 FROM attempts earlier WHERE earlier.trace_id = ",
            $trace,
            " AND earlier.attempt < attempts.attempt) THEN 1 ELSE 0 END AS alone,
            (SELECT count(*) FROM attempts earlier WHERE earlier.trace_id = ",
            $trace,
            " AND earlier.alone = 1 AND earlier.attempt < attempts.attempt) AS lone"
        )
    };
}

/// Takes heads that are due: the first of its session; a session whose head is not due waits behind it. The mark of the attempt and
/// what is handed out are one statement, so that a call is neither out unmarked nor asked for twice.
macro_rules! take {
    ($of:literal) => {
        concat!(
            "INSERT INTO attempts (trace_id, alone, began_at)
            SELECT p.trace_id, 0, {now} FROM parked p WHERE p.not_before <= {now} AND NOT p.session_key {in texts $2}",
            $of,
            " AND NOT EXISTS (SELECT 1 FROM parked ahead WHERE ahead.session_key = p.session_key AND ahead.seq < p.seq)
            ORDER BY p.seq LIMIT $1
            RETURNING trace_id, ",
            of_row!("seq"),
            ", ",
            of_row!("revision"),
            ", ",
            of_row!("session_key"),
            ", ",
            of_row!("body"),
            ", ",
            of_row!("attempts"),
            ", ",
            before_it!("attempts.trace_id")
        )
    };
}

pub(crate) static TAKE: Statement = Statement::new(take!(""));

pub(crate) static TAKE_OF: Statement = Statement::new(take!(" AND p.lane = $3 AND p.slot % $4 {in numbers $5}"));

pub(crate) static UNPARK: Statement = Statement::new("DELETE FROM parked WHERE seq = $1 AND revision = $2");

pub(crate) static UNPARK_TRACE: Statement = Statement::new("DELETE FROM parked WHERE trace_id = $1");

pub(crate) static END_ATTEMPTS: Statement = Statement::new("DELETE FROM attempts WHERE trace_id = $1");

/// To be run alone where an attempt before it never ended.
pub(crate) static BEGIN_ATTEMPT: Statement = Statement::new(concat!(
    "INSERT INTO attempts (trace_id, alone, began_at) VALUES ($1, 0, {now}) RETURNING ",
    before_it!("$1")
));

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
        return gather::put(store, parked_args(call)).await;
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

/// Takes heads of parked sessions that are due.
pub(crate) async fn take(
    store: &SqlStore,
    (partitions, busy): (&Partitions, &[String]),
    limit: u32,
) -> Result<Vec<Parked>, StoreError> {
    let mut args = vec![Arg::from(limit), sql::json(&busy)?];
    let text = match partitions {
        Partitions::All => &TAKE,
        Partitions::Of { lane: of_lane, of, numbers } => {
            args.extend([Arg::from(lane(*of_lane)), Arg::from((*of).max(1)), sql::json(numbers)?]);
            &TAKE_OF
        }
    };
    let rows = match store.dialect {
        // One statement is a transaction by itself.
        Dialect::Sqlite => sql::rows(&mut *store.writer().await?, store.text(text), args).await?,
        Dialect::Postgres => {
            let mut work = store.begin(Reach::Every(Work::Queue)).await?;
            let rows = sql::rows(&mut work, store.text(text), args).await?;
            work.commit().await?;
            rows
        }
    };
    let mut taken = rows.iter().map(parked).collect::<Result<Vec<Parked>, StoreError>>()?;
    taken.sort_by_key(|call| call.key.seq);
    Ok(taken)
}

fn parked(row: &AnyRow) -> Result<Parked, StoreError> {
    let trace_id: String = row.try_get("trace_id")?;
    Ok(Parked {
        key: ParkedKey { seq: row.try_get("seq")?, revision: row.try_get("revision")? },
        trace_id: trace_id.parse().map_err(|_| StoreError::Corrupt("parked.trace_id".into()))?,
        session_key: row.try_get("session_key")?,
        body: row.try_get("body")?,
        attempts: count(row.try_get("attempts")?),
        begun: begun(row)?,
    })
}

fn begun(row: &AnyRow) -> Result<Begun, StoreError> {
    Ok(Begun { alone: row.try_get::<i64, _>("alone")? == 1, unfinished_alone: count(row.try_get("lone")?) })
}

/// Removes a parked call as it was handed out.
pub(crate) async fn unpark(store: &SqlStore, key: &ParkedKey) -> Result<bool, StoreError> {
    let args = vec![Arg::Number(key.seq), Arg::Number(key.revision)];
    if store.dialect == Dialect::Sqlite {
        let mut writer = store.writer().await?;
        return Ok(sql::execute(&mut writer, store.text(&UNPARK), args).await? > 0);
    }
    let mut work = store.begin(Reach::Every(Work::Queue)).await?;
    let unparked = sql::execute(&mut work, store.text(&UNPARK), args).await? > 0;
    work.commit().await?;
    Ok(unparked)
}

/// Notes that an attempt begins; whether it has to run alone, and earlier ones that ran alone and never ended.
pub(crate) async fn begin_attempt(store: &SqlStore, trace_id: &TraceId) -> Result<Begun, StoreError> {
    let mut connection = store.writer().await?;
    let rows = sql::rows(&mut connection, store.text(&BEGIN_ATTEMPT), vec![Arg::from(trace_id.as_str())]).await?;
    begun(rows.first().ok_or_else(|| StoreError::Corrupt("attempt without its row".into()))?)
}

/// Notes that the attempt at a call that began last runs with nothing beside it.
pub(crate) async fn runs_alone(store: &SqlStore, trace_id: &TraceId) -> Result<(), StoreError> {
    let mut connection = store.writer().await?;
    sql::execute(&mut connection, store.text(&RUNS_ALONE), vec![Arg::from(trace_id.as_str())]).await.map(|_| ())
}

/// Clears the attempts of a call that turned out to have ended before.
pub(crate) async fn end(store: &SqlStore, trace_id: &TraceId) -> Result<(), StoreError> {
    end_attempts(store, &mut *store.writer().await?, trace_id.as_str()).await
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
