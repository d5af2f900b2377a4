//! How many calls a second a store commits, five memories a call: `commit_rate [seconds] [connections]`.
//!
//! Runs over SQLite in a new directory and over Postgres in a new database (`DATABASE_URL`, else the local server).

#![allow(clippy::print_stdout, reason = "a program for reading its output")]
#![allow(clippy::unwrap_used, reason = "a measurement that fails has nothing to say")]

#[allow(dead_code, unreachable_pub, reason = "the calls of the conformance suite, of which this needs a few")]
#[path = "../src/conformance/said.rs"]
mod said;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use recall_core::context::NearKeys;
use recall_core::keys::{Key, KeyRing};
use recall_core::settings::Settings;
use recall_store::record::Committed;
use recall_store::{Limits, Opening, SqlStore, Store};
use sqlx::{AssertSqlSafe, Connection, Executor};

/// What is measured.
#[derive(Debug, Clone, Copy)]
enum Path {
    /// The commit alone.
    Commit,
    /// Window, attempt, neighbours, commit: every trip of a call.
    Call,
}

#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let (seconds, connections) = (args.next().unwrap_or(5), args.next().unwrap_or(8));
    let directory = tempfile::tempdir().unwrap();
    let sqlite = SqlStore::sqlite(directory.path(), "", opening(2)).unwrap();
    measure("sqlite", Arc::new(sqlite), u64::from(seconds), connections).await;

    let server = std::env::var("DATABASE_URL").unwrap_or_else(|_| "postgres://postgres@127.0.0.1:5432/postgres".into());
    let name = format!("recall_rate_{:08x}", rand::random::<u32>());
    // A role of its own, so that the row-level policies are paid for as they are in an installation.
    on_server(&server, &format!("CREATE ROLE {name} LOGIN PASSWORD 'recall'")).await;
    on_server(&server, &format!("CREATE DATABASE {name} OWNER {name}")).await;
    let host = server.rsplit_once('@').map_or(server.as_str(), |(_, host)| host);
    let host = host.rsplit_once('/').map_or(host, |(host, _)| host);
    let postgres =
        SqlStore::postgres(&format!("postgres://{name}:recall@{host}/{name}"), opening(connections)).unwrap();
    measure("postgres", Arc::new(postgres), u64::from(seconds), connections).await;
    on_server(&server, &format!("DROP DATABASE {name} WITH (FORCE)")).await;
    on_server(&server, &format!("DROP ROLE {name}")).await;
}

fn opening(connections: u32) -> Opening {
    let keys = KeyRing::new(Key::new("k1", b"a key to measure with".to_vec()), Vec::new());
    Opening {
        keys,
        actor: "worker:rate".into(),
        limits: Limits { connections, ..Limits::default() },
        defaults: Settings::default(),
    }
}

async fn on_server(server: &str, sql: &str) {
    sqlx::any::install_default_drivers();
    let mut connection = sqlx::AnyConnection::connect(server).await.unwrap();
    connection.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.unwrap();
}

async fn measure(name: &str, store: Arc<SqlStore>, seconds: u64, sessions: u32) {
    store.migrate().await.unwrap();
    for path in [Path::Commit, Path::Call] {
        let done = Arc::new(AtomicU64::new(0));
        let began = Instant::now();
        let mut set = tokio::task::JoinSet::new();
        for session in 0..sessions {
            let (store, done) = (store.clone(), done.clone());
            set.spawn(async move { talk(&store, path, session, Duration::from_secs(seconds), &done).await });
        }
        set.join_all().await;
        let rate = done.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64();
        println!("{name:9} {path:?}: {rate:.0} calls/s, {:.0} memories/s, {sessions} sessions at once", rate * 5.0);
    }
}

/// One person who goes on telling things; every few calls somebody new, so that scopes stay small.
async fn talk(store: &SqlStore, path: Path, session: u32, time: Duration, done: &AtomicU64) {
    let began = Instant::now();
    let mut number = 0;
    while began.elapsed() < time {
        let user = format!("{path:?}-{session}-{}", number / 20);
        let version = number % 20;
        let first = usize::try_from(version).unwrap() * 2;
        let call = said::call(&user, "s", first, &["I keep two goats and a hen near Graz.", "My sister rides horses."]);
        let values: Vec<String> = (0..5).map(|nth| format!("thing {number} {nth}")).collect();
        let claims: Vec<_> = values.iter().map(|value| said::claim("keeps", value)).collect();
        let epoch = match path {
            Path::Commit => version,
            Path::Call => {
                let window = store.window(&call).await.unwrap();
                assert_eq!(window.version, version);
                store.begin_attempt(&call.trace_id).await.unwrap();
                let keys = NearKeys { attributes: vec!["other".into()], claims: Vec::new() };
                store.neighbours(&call.scope, &keys).await.unwrap().epoch
            }
        };
        let committed = store.commit(&said::run(&call, version, epoch, &claims)).await.unwrap();
        assert_eq!(committed, Committed::Now);
        done.fetch_add(1, Ordering::Relaxed);
        number += 1;
    }
}
