//! What stands around an installation: the servers it uses, stand-ins for others, and the words tests are made of.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::PARTITIONS;

/// A server of the test's own; where it listens.
#[allow(
    clippy::disallowed_methods,
    reason = "the server ends with the test's process and holds no call of the product"
)]
pub(crate) async fn stand_in(router: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::task::spawn(async move { axum::serve(listener, router).await });
    address
}

/// A call of one user turn.
pub(crate) fn one_turn(user: &str, session: &str, id: &str, words: &str) -> Value {
    json!({
        "scope": { "user_id": user }, "session_id": session,
        "messages": [{ "id": id, "role": "user", "content": words, "timestamp": "2026-03-02T18:10:00+01:00" }],
    })
}

/// Text of bytes a process printed.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The binary beside this test's own.
pub(super) fn binary() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let binary = own.parent().and_then(|deps| deps.parent()).unwrap().join("recall");
    assert!(binary.is_file(), "{} is missing: run `cargo build -p recall` first, as tests/run does", binary.display());
    binary
}

/// Addresses of a PostgreSQL, with the database that is there before any other, and of a RabbitMQ.
#[derive(Debug, Clone)]
pub(crate) struct Servers {
    pub(crate) database: String,
    pub(crate) broker: String,
}

impl Servers {
    /// Those that `tests/run` found or started.
    pub(crate) fn of_this_run() -> Self {
        let variable = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.into());
        Self {
            database: variable("DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres"),
            broker: variable("AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/%2f"),
        }
    }
}

/// Owns the databases of the installations: nobody special, so that row-level policies hold for it.
pub(super) const OWNER: &str = "recall_test";

/// Makes the owner where it is not there yet; several tests may ask at once.
pub(super) async fn make_owner(server: &str) {
    let text = format!(
        "DO $$ BEGIN CREATE ROLE {OWNER} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD 'recall';
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
    );
    execute(server, &text).await;
}

/// A database of the server, as whoever the address names.
pub(super) fn in_database(server: &str, name: &str) -> String {
    let (address, settings) = server.split_once('?').map_or((server, ""), |(address, settings)| (address, settings));
    let (before, _) = address.rsplit_once('/').unwrap();
    let sign = if settings.is_empty() { "" } else { "?" };
    format!("{before}/{name}{sign}{settings}")
}

/// A database of the server as its owner reaches it.
pub(super) fn owned_database(server: &str, name: &str) -> String {
    let database = in_database(server, name);
    let (scheme, rest) = database.split_once("://").unwrap();
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{OWNER}:recall@{host}")
}

/// Runs statements on a database.
pub(crate) async fn execute(url: &str, sql: &str) {
    use sqlx::Executor as _;
    sqlx::any::install_default_drivers();
    let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(url)
        .await
        .unwrap_or_else(|error| panic!("PostgreSQL is needed (DATABASE_URL): {error}"));
    connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))).await.unwrap();
}

/// Number and partitions of each generation of queues an installation had; the first where its database cannot tell.
pub(super) async fn generations(server: &str, name: &str) -> Vec<(i64, i64)> {
    use sqlx::{Connection as _, Row as _};
    let asked = async {
        let mut connection = sqlx::AnyConnection::connect(&in_database(server, name)).await?;
        let rows = sqlx::query("SELECT generation, partitions FROM fleet").fetch_all(&mut connection).await?;
        rows.into_iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<sqlx::Result<Vec<_>>>()
    };
    asked.await.unwrap_or_else(|_| vec![(1, i64::from(PARTITIONS))])
}

/// Removes what a prefix declared; what is not there is as good as removed.
pub(super) async fn drop_queues(broker: &str, prefix: &str, generations: &[(i64, i64)]) {
    let connection = lapin::Connection::connect(broker, lapin::ConnectionProperties::default()).await.unwrap();
    let mut queues = vec![format!("{prefix}.dead"), format!("{prefix}.unrouted")];
    let mut exchanges = vec!["dlx".to_owned(), "unrouted".to_owned()];
    for (generation, partitions) in generations {
        for lane in ["remember", "bulk"] {
            exchanges.push(format!("{lane}.g{generation}"));
            queues.extend((0..*partitions).map(|number| format!("{prefix}.{lane}.g{generation}.p{number:02}")));
        }
    }
    for queue in queues {
        let channel = connection.create_channel().await.unwrap();
        let _gone = channel.queue_delete(queue.as_str().into(), lapin::options::QueueDeleteOptions::default()).await;
    }
    for exchange in exchanges {
        let channel = connection.create_channel().await.unwrap();
        let name = format!("{prefix}.{exchange}");
        let _gone =
            channel.exchange_delete(name.as_str().into(), lapin::options::ExchangeDeleteOptions::default()).await;
    }
}

pub(super) async fn answer(response: reqwest::Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let body = response.text().await.unwrap();
    (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
}
