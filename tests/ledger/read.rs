//! Reads a ledger: what store and queues of an installation hold now.

use std::collections::BTreeMap;

use lapin::options::QueueDeclareOptions;
use lapin::types::FieldTable;
use lapin::{Connection as Broker, ConnectionProperties};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row};

use crate::{Ledger, Left};

/// Where an installation keeps what it holds.
#[derive(Debug, Clone)]
pub struct Place {
    /// URL of its database.
    pub database: String,
    /// URL of its broker.
    pub broker: String,
    /// First word of its queues.
    pub prefix: String,
}

/// A server is away.
#[derive(Debug)]
pub enum ReadError {
    /// The database.
    Database(sqlx::Error),
    /// The broker.
    Broker(lapin::Error),
}

impl From<sqlx::Error> for ReadError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<lapin::Error> for ReadError {
    fn from(error: lapin::Error) -> Self {
        Self::Broker(error)
    }
}

/// A number of a run.
type Part = fn(&mut Left) -> &mut i64;

/// What is there now.
///
/// # Errors
/// One of the servers is away.
pub async fn read(place: &Place) -> Result<Ledger, ReadError> {
    let mut database = PgConnection::connect(&place.database).await?;
    let mut runs: BTreeMap<String, Left> = BTreeMap::new();
    for (trace, at) in pairs(&mut database, "SELECT trace_id, session_version FROM runs").await? {
        runs.insert(trace, Left { place: at, ..Left::default() });
    }
    let parts: [(&str, Part); 4] = [
        ("memories", |left| &mut left.memories),
        ("sources", |left| &mut left.sources),
        ("audit WHERE event_type = 'insert'", |left| &mut left.inserts),
        ("spans", |left| &mut left.spans),
    ];
    for (table, part) in parts {
        let sql = format!("SELECT trace_id, count(*) FROM {table} GROUP BY trace_id");
        for (trace, count) in pairs(&mut database, &sql).await? {
            *part(runs.entry(trace).or_default()) = count;
        }
    }
    let dead = pairs(&mut database, "SELECT id, CAST(attempts AS BIGINT) FROM dead_letters").await?;
    let parked = number(&mut database, "SELECT count(*) FROM parked").await?;
    let attempts = number(&mut database, "SELECT count(*) FROM attempts").await?;
    let generations = generations(&mut database).await?;
    database.close().await?;
    let queued = queued(place, &generations).await?;
    Ok(Ledger { runs, dead: dead.into_iter().map(|(id, _)| id).collect(), parked, attempts, queued })
}

async fn pairs(database: &mut PgConnection, sql: &str) -> sqlx::Result<Vec<(String, i64)>> {
    let rows = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_all(database).await?;
    rows.into_iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Number and partitions of each generation of queues that may still be there.
async fn generations(database: &mut PgConnection) -> sqlx::Result<Vec<(i64, i64)>> {
    let rows =
        sqlx::query("SELECT generation, partitions FROM fleet WHERE stage <> 'gone'").fetch_all(database).await?;
    rows.into_iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

async fn number(database: &mut PgConnection, sql: &str) -> sqlx::Result<i64> {
    sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_one(database).await?.try_get(0)
}

/// Messages that wait in partitions of both lanes and in the safety queues. What a worker holds is counted again once it has let go.
async fn queued(place: &Place, generations: &[(i64, i64)]) -> lapin::Result<i64> {
    let connection = Broker::connect(&place.broker, ConnectionProperties::default()).await?;
    let channel = connection.create_channel().await?;
    let mut queues = vec!["dead".to_owned(), "unrouted".to_owned()];
    for (generation, partitions) in generations {
        for lane in ["remember", "bulk"] {
            queues.extend((0..*partitions).map(|number| format!("{lane}.g{generation}.p{number:02}")));
        }
    }
    let mut sum = 0;
    for queue in queues {
        let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
        let name = format!("{}.{queue}", place.prefix);
        let queue = channel.queue_declare(name.into(), passive, FieldTable::default()).await?;
        sum += i64::from(queue.message_count());
    }
    connection.close(200, "done".into()).await?;
    Ok(sum)
}
