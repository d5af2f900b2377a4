//! A database of its own for every test, taken down when the test is over.

use std::sync::atomic::{AtomicU64, Ordering};

use recall_core::keys::{Key, KeyRing};
use recall_core::settings::Settings;
use sqlx::{AssertSqlSafe, Executor, Row};
use tempfile::TempDir;

use crate::dialect::Dialect;
use crate::fence::{Reach, Work};
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
    ///
    /// Its owner is nobody special: the row-level policies hold for it as they do in an installation.
    pub(super) async fn empty_database() -> String {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("recall_test_{}_{number}_{:08x}", std::process::id(), rand::random::<u32>());
        make_role(OWNER).await;
        on_server(&format!("CREATE DATABASE {name} OWNER {OWNER}")).await;
        name
    }

    /// The database of a Postgres ground.
    pub(super) fn database(&self) -> &str {
        match &self._keeper {
            Keeper::Database(name) => name,
            Keeper::Directory { .. } => panic!("no Postgres"),
        }
    }

    pub(super) async fn drop_database(name: &str) {
        on_server(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
    }

    /// The address of a database on the server, for its owner.
    pub(super) fn address(name: &str) -> String {
        Self::address_of(OWNER, name)
    }

    /// The address of a database on the server, for a role.
    pub(super) fn address_of(role: &str, name: &str) -> String {
        let server = server();
        let host = server.rsplit_once('@').map_or(server.as_str(), |(_, host)| host);
        let host = host.rsplit_once('/').map_or(host, |(host, _)| host);
        format!("postgres://{role}:recall@{host}/{name}")
    }

    /// Runs SQL in its database as the superuser of the server, whom no policy holds.
    pub(super) async fn as_superuser(&self, sql: &str) {
        let server = server();
        let base = server.rsplit_once('/').map_or(server.as_str(), |(base, _)| base);
        on(&format!("{base}/{}", self.database()), sql).await;
    }

    /// Runs SQL as somebody who knows nothing of this crate.
    pub(super) async fn raw(&self, sql: &str) -> Result<u64, StoreError> {
        let mut work = self.store.begin(Reach::Every(Work::Operator)).await?;
        if self.store.dialect == Dialect::Postgres {
            work.execute("SET LOCAL recall.namespace = 'shop'").await?;
        }
        let done = work.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await?;
        work.commit().await?;
        Ok(done.rows_affected())
    }

    /// A number out of the database.
    pub(super) async fn number(&self, sql: &str) -> i64 {
        let row = sqlx::query(AssertSqlSafe(sql))
            .fetch_one(&mut *self.store.reader(Reach::Every(Work::Operator)).await.unwrap())
            .await
            .unwrap();
        row.try_get(0).unwrap()
    }

    /// How many rows a table has.
    pub(super) async fn count(&self, table: &str) -> i64 {
        self.number(&format!("SELECT count(*) FROM {table}")).await
    }
}

/// Owns the databases of the tests.
const OWNER: &str = "recall_test";

/// Makes a role that no policy passes over, where it is not there yet; several tests may ask at once.
pub(super) async fn make_role(name: &str) {
    on_server(&format!(
        "DO $$ BEGIN CREATE ROLE {name} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD 'recall';
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
    ))
    .await;
}

async fn on_server(sql: &str) {
    on(&server(), sql).await;
}

async fn on(address: &str, sql: &str) {
    sqlx::any::install_default_drivers();
    let mut connection = match <sqlx::AnyConnection as sqlx::Connection>::connect(address).await {
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
