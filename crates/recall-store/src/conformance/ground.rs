//! A database of its own for every test, taken down when the test is over.

use std::sync::atomic::{AtomicU64, Ordering};

use recall_core::keys::{Key, KeyRing};
use recall_core::settings::Settings;
use sqlx::{AssertSqlSafe, Executor, Row};
use tempfile::TempDir;

use crate::{Limits, Opening, SqlStore, Store, StoreError};

/// A migrated store.
pub(super) struct Ground {
    pub(super) store: SqlStore,
    _keeper: Keeper,
}

enum Keeper {
    Directory { _held: TempDir },
    Database(String),
}

pub(super) fn opening(connections: u32) -> Opening {
    let keys =
        KeyRing::new(Key::new("k1", b"a key for tests".to_vec()), vec![Key::new("k0", b"an older key".to_vec())]);
    Opening {
        keys,
        actor: "worker:test".into(),
        limits: Limits { connections, ..Limits::default() },
        defaults: Settings::default(),
    }
}

fn server() -> String {
    std::env::var("DATABASE_URL").unwrap_or_else(|_| "postgres://postgres@127.0.0.1:5432/postgres".into())
}

impl Ground {
    pub(super) async fn sqlite() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = SqlStore::sqlite(directory.path(), "http://127.0.0.1:1", opening(6)).unwrap();
        store.migrate().await.unwrap();
        Self { store, _keeper: Keeper::Directory { _held: directory } }
    }

    pub(super) async fn postgres() -> Self {
        let name = Self::empty_database().await;
        let store = SqlStore::postgres(&Self::address(&name), opening(6)).unwrap();
        store.migrate().await.unwrap();
        Self { store, _keeper: Keeper::Database(name) }
    }

    /// A new database on the server the tests may use. There is no skipping: without a server the test fails.
    pub(super) async fn empty_database() -> String {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("recall_test_{}_{number}_{:08x}", std::process::id(), rand::random::<u32>());
        on_server(&format!("CREATE DATABASE {name}")).await;
        name
    }

    pub(super) async fn drop_database(name: &str) {
        on_server(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
    }

    /// The address of a database on the server.
    pub(super) fn address(name: &str) -> String {
        let server = server();
        let base = server.rsplit_once('/').map_or(server.as_str(), |(base, _)| base);
        format!("{base}/{name}")
    }

    /// Runs SQL as somebody who knows nothing of this crate.
    pub(super) async fn raw(&self, sql: &str) -> Result<u64, StoreError> {
        let mut work = self.store.begin().await?;
        let done = work.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await?;
        work.commit().await?;
        Ok(done.rows_affected())
    }

    /// A number out of the database.
    pub(super) async fn number(&self, sql: &str) -> i64 {
        let row = sqlx::query(AssertSqlSafe(sql)).fetch_one(&self.store.reading).await.unwrap();
        row.try_get(0).unwrap()
    }

    /// How many rows a table has.
    pub(super) async fn count(&self, table: &str) -> i64 {
        self.number(&format!("SELECT count(*) FROM {table}")).await
    }
}

async fn on_server(sql: &str) {
    sqlx::any::install_default_drivers();
    let server = server();
    let mut connection = match <sqlx::AnyConnection as sqlx::Connection>::connect(&server).await {
        Ok(connection) => connection,
        Err(error) => panic!("no Postgres for the tests (set DATABASE_URL): {error}"),
    };
    connection.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.unwrap();
}

impl Drop for Ground {
    fn drop(&mut self) {
        let Keeper::Database(name) = &self._keeper else { return };
        let name = name.clone();
        // A thread of its own: a runtime cannot wait inside a runtime.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(Self::drop_database(&name));
        });
        // A database left behind is no reason to fail a test that passed.
        let _ = dropped.join();
    }
}
