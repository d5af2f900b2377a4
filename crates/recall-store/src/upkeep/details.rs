//! What is kept of a run only for a time: its detail and its spans end together, when its namespace says (`trace_retention_days`).
//! In Postgres spans lie in partitions by the day they end on, and a day that is over is dropped as a whole.

use serde::Deserialize;
use sqlx::AnyConnection;

use super::{DAY, NOW};
use crate::dialect::{Dialect, Statement};
use crate::fence::{Reach, Work};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// Days ahead of the longest retention for which there are partitions, so that a fleet may stand still for some.
const AHEAD: i64 = 3;

/// Partitions that are made at most; spans that end on later days lie in the default one.
const MOST: i64 = 60;

/// SQLite: by the rows that are about to go, since they have an index of their ends.
pub(crate) static SWEEP_SPANS: Statement = Statement::new(
    "DELETE FROM spans WHERE trace_id IN (SELECT d.trace_id FROM run_details d WHERE d.expires_at <= $1)",
);

/// Postgres: all that ended before this day and lies in no partition of its own. The bound is an argument, so that no other partition
/// is read.
pub(crate) static SWEEP_STRAY_SPANS: Statement = Statement::new("DELETE FROM spans WHERE expires_at < $1");

pub(crate) static SWEEP_DETAILS: Statement = Statement::new("DELETE FROM run_details WHERE expires_at <= $1");

static LONGEST: Statement = Statement::new(
    "SELECT CAST(coalesce(max(CAST(n.settings ->> 'trace_retention_days' AS BIGINT)), 0) AS TEXT) FROM namespaces n",
);

static PARTITIONS: Statement = Statement::new(
    "SELECT CAST(json_build_object('name', c.relname) AS TEXT) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'spans'::regclass AND c.relname LIKE 'spans\\_d%' ORDER BY c.relname",
);

static IN_NO_PARTITION: Statement =
    Statement::new("SELECT CAST(count(*) AS TEXT) FROM spans WHERE expires_at >= $1 AND expires_at < $2");

/// One sweeper at a time; the others leave it to that one. Ends with the transaction.
static TURN: Statement = Statement::new("SELECT CASE WHEN pg_try_advisory_xact_lock(7205370143) THEN '1' ELSE '0' END");

#[derive(Deserialize)]
struct Partition {
    name: String,
}

/// Removes details and spans that are over their time; how many rows of each. Spans that go with their partition are not counted.
pub(super) async fn sweep(store: &SqlStore) -> Result<(u64, u64), StoreError> {
    let mut work = store.begin(Reach::Every(Work::Sweep)).await?;
    let now: i64 = sql::one(&mut work, store.text(&NOW), Vec::new()).await?.unwrap_or_default();
    let spans = match store.dialect {
        Dialect::Sqlite => sql::execute(&mut work, store.text(&SWEEP_SPANS), vec![Arg::Number(now)]).await?,
        Dialect::Postgres => turn_days(store, &mut work, now / DAY).await?,
    };
    let details = sql::execute(&mut work, store.text(&SWEEP_DETAILS), vec![Arg::Number(now)]).await?;
    work.commit().await?;
    Ok((details, spans))
}

/// Drops the partitions of days that are over and makes those of days to come; how many spans were removed by rows. A day on which spans
/// end that came before their partition was made gets none: they stay in the default one.
async fn turn_days(store: &SqlStore, work: &mut AnyConnection, today: i64) -> Result<u64, StoreError> {
    if sql::one::<i64>(work, store.text(&TURN), Vec::new()).await? != Some(1) {
        return Ok(0);
    }
    let there: Vec<Partition> = sql::many(work, store.text(&PARTITIONS), Vec::new()).await?;
    let there: Vec<i64> =
        there.iter().filter_map(|partition| partition.name.strip_prefix("spans_d")?.parse().ok()).collect();
    let chosen: i64 = sql::one(work, store.text(&LONGEST), Vec::new()).await?.unwrap_or_default();
    let longest = chosen.max(i64::from(store.defaults.trace_retention_days));
    let last = today.saturating_add(longest.saturating_add(AHEAD).min(MOST));
    let over: Vec<i64> = there.iter().copied().filter(|day| *day < today).collect();
    let mut missing = Vec::new();
    for day in (today..=last).filter(|day| !there.contains(day)) {
        if is_free(store, work, day).await? {
            missing.push(day);
        }
    }
    if !over.is_empty() || !missing.is_empty() {
        // The whole before its parts, as commits lock them. Who waits longer lets the fleet work and comes again.
        run(work, "SET LOCAL lock_timeout = '2s'".into()).await?;
        run(work, "LOCK TABLE spans IN ACCESS EXCLUSIVE MODE".into()).await?;
    }
    for day in over {
        run(work, format!("DROP TABLE spans_d{day}")).await?;
    }
    for day in missing {
        make_day(store, work, day).await?;
    }
    sql::execute(work, store.text(&SWEEP_STRAY_SPANS), vec![Arg::Number(today * DAY)]).await
}

/// Whether no span that ends on a day lies in the default partition. Asked before the table is taken, too, since it would be taken for
/// nothing at every sweep until that day is over.
async fn is_free(store: &SqlStore, work: &mut AnyConnection, day: i64) -> Result<bool, StoreError> {
    let args = vec![Arg::Number(day * DAY), Arg::Number((day + 1) * DAY)];
    Ok(sql::one::<i64>(work, store.text(&IN_NO_PARTITION), args).await? == Some(0))
}

async fn make_day(store: &SqlStore, work: &mut AnyConnection, day: i64) -> Result<(), StoreError> {
    if !is_free(store, work, day).await? {
        return Ok(());
    }
    let (from, to) = (day * DAY, (day + 1) * DAY);
    run(work, format!("CREATE TABLE spans_d{day} PARTITION OF spans FOR VALUES FROM ({from}) TO ({to})")).await?;
    // Asked for by its own name it gives nothing away; through `spans` the policy of that table holds.
    run(work, format!("ALTER TABLE spans_d{day} ENABLE ROW LEVEL SECURITY")).await?;
    run(work, format!("ALTER TABLE spans_d{day} FORCE ROW LEVEL SECURITY")).await
}

async fn run(work: &mut AnyConnection, text: String) -> Result<(), StoreError> {
    // Made of numbers only.
    sql::execute(work, sqlx::AssertSqlSafe(text), Vec::new()).await.map(|_| ())
}
