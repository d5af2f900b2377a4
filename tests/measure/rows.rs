//! The bare limit of the store: the rows a fleet left behind, taken out call by call and written again with nothing in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use sqlx::AssertSqlSafe;
use sqlx::postgres::PgPoolOptions;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::broker::{Broker, acknowledge};
use super::installation::Installation;

/// Every table a call writes, with what picks its rows of a run `r`. Every call of these measurements is the only one of its scope.
const TABLES: &[(&str, &str)] = &[
    ("scopes", "t.scope_id = r.scope_id"),
    ("sessions", "t.scope_id = r.scope_id"),
    ("runs", "t.trace_id = r.trace_id"),
    ("turns", "t.session_pk = r.session_pk"),
    ("entities", "t.scope_id = r.scope_id"),
    ("entity_aliases", "t.entity_id IN (SELECT e.entity_id FROM entities e WHERE e.scope_id = r.scope_id)"),
    ("memories", "t.trace_id = r.trace_id"),
    ("sources", "t.trace_id = r.trace_id"),
    ("statements", "t.trace_id = r.trace_id"),
    ("effects", "t.trace_id = r.trace_id"),
    ("audit", "t.scope_id = r.scope_id"),
    ("run_details", "t.trace_id = r.trace_id"),
    ("spans", "t.trace_id = r.trace_id"),
];

/// What a fleet wrote.
pub(crate) struct Rows {
    /// One JSON object a call: an array of rows a table.
    documents: Vec<String>,
    /// Rows that all calls share.
    shared: String,
    /// Rows a call, on average.
    pub(crate) each: f64,
}

/// Takes out what a fleet wrote.
pub(crate) async fn written(fleet: &Installation) -> Rows {
    let mut connection = fleet.database().await;
    let tables: Vec<String> = TABLES
        .iter()
        .map(|(table, of)| format!("'{table}', coalesce((SELECT json_agg(t) FROM {table} t WHERE {of}), '[]')"))
        .collect();
    let sql = format!("SELECT json_build_object({})::text FROM runs r", tables.join(", "));
    let documents: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
    let shared = "SELECT json_agg(t)::text FROM extractors t";
    let shared: String = sqlx::query_scalar(shared).fetch_one(&mut connection).await.unwrap();
    let mut rows = 0;
    for (table, _) in TABLES {
        rows += fleet.number(&format!("SELECT count(*) FROM {table}")).await;
    }
    let each = rows as f64 / documents.len() as f64;
    Rows { documents, shared, each }
}

/// Takes every message, writes the rows of one call in one statement, which is one transaction, and acknowledges; when each was done, in
/// seconds. So many at once, over so many connections.
pub(crate) async fn write_again(
    broker: &Broker,
    empty: &Installation,
    rows: Rows,
    (at_once, connections): (usize, u32),
) -> Vec<f64> {
    let pool = PgPoolOptions::new().max_connections(connections).connect(empty.database_url()).await.unwrap();
    let extractors =
        "INSERT INTO extractors SELECT * FROM jsonb_populate_recordset(NULL::extractors, CAST($1 AS JSONB))";
    sqlx::query(extractors).bind(&rows.shared).execute(&pool).await.unwrap();
    let (calls, began, sql) = (rows.documents.len(), Instant::now(), statement());
    let (documents, next) = (Arc::new(rows.documents), AtomicUsize::new(0));
    let places = Arc::new(Semaphore::new(at_once));
    let mut consuming = broker.consume().await;
    let mut tasks = JoinSet::new();
    for _ in 0..calls {
        let place = Arc::clone(&places).acquire_owned().await.unwrap();
        let message = consuming.messages.recv().await.unwrap();
        let (pool, documents, sql) = (pool.clone(), Arc::clone(&documents), Arc::clone(&sql));
        let number = next.fetch_add(1, Ordering::Relaxed);
        tasks.spawn(async move {
            sqlx::query(AssertSqlSafe(sql)).bind(documents[number].as_str()).execute(&pool).await.unwrap();
            acknowledge(&message).await;
            drop(place);
            began.elapsed().as_secs_f64()
        });
    }
    let times = tasks.join_all().await;
    let there = empty.number("SELECT count(*) FROM memories").await;
    assert_eq!(there as usize, calls, "the bare loop did not write what the fleet wrote");
    pool.close().await;
    times
}

fn statement() -> Arc<str> {
    let inserts: Vec<String> = TABLES
        .iter()
        .map(|(table, _)| {
            format!(
                ", {table}_written AS (INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM \
                 jsonb_populate_recordset(NULL::{table}, (SELECT body -> '{table}' FROM document)))"
            )
        })
        .collect();
    format!("WITH document AS MATERIALIZED (SELECT CAST($1 AS JSONB) AS body){} SELECT 1", inserts.concat()).into()
}
