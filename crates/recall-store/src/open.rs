//! Opening a store: addresses, pools and their limits.

use std::path::Path;
use std::time::Duration;

use recall_core::keys::KeyRing;
use recall_core::settings::Settings;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyPool, ConnectOptions, Executor};

use crate::commit::Group;
use crate::dialect::Dialect;
use crate::directory::{self, DirectoryLock};
use crate::error::unavailable;
use crate::gather::Gather;
use crate::{SqlStore, StoreError};

/// What a store needs to know besides where it is.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Keys for the hashes of turns.
    pub keys: KeyRing,
    /// Who writes audit rows of runs, such as `worker:7f3a`.
    pub actor: String,
    /// Connections and waits.
    pub limits: Limits,
    /// Settings of namespaces that have none of their own.
    pub defaults: Settings,
}

/// Connections and waits of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections at most; SQLite writes through one of its own.
    pub connections: u32,
    /// How long an operation waits for a connection.
    pub acquire: Duration,
    /// How long a statement may run in the database.
    pub statement: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 12, acquire: Duration::from_secs(5), statement: Duration::from_secs(30) }
    }
}

/// A connection idle for longer is asked whether it still lives before it is used.
const TRUSTED_IDLE: Duration = Duration::from_secs(2);

/// Of the connection that writes. FULL: what is accepted is on the disk before anybody is told, while NORMAL would lose the last commits
/// with the power. What is deleted is overwritten. Every call goes over this connection, so that its cache holds what calls touch.
const WRITING: &str =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -8192;";

impl SqlStore {
    /// A store on a Postgres server (`postgres://…`). Connects when it is first used.
    ///
    /// # Errors
    /// The address cannot be read.
    pub fn postgres(url: &str, opening: Opening) -> Result<Self, StoreError> {
        let limits = opening.limits;
        let milliseconds = limits.statement.as_millis();
        let session = format!(
            "SET statement_timeout = {milliseconds}; SET lock_timeout = {milliseconds}; \
             SET idle_in_transaction_session_timeout = {milliseconds}; SET application_name = 'recall'; \
             SET standard_conforming_strings = on"
        );
        let pool = pool(url, limits.connections, limits, session)?;
        Ok(Self::over(Dialect::Postgres, pool.clone(), pool, None, opening))
    }

    /// The store in a data directory, for the one process that works on it. `address` is where other commands reach it.
    ///
    /// # Errors
    /// [`StoreError::InUse`] while another process works on the directory.
    pub fn sqlite(directory: &Path, address: &str, opening: Opening) -> Result<Self, StoreError> {
        let lock = DirectoryLock::take(directory, address)?;
        let url = sqlite_url(directory, "rwc")?;
        let limits = opening.limits;
        let writing = pool(&url, 1, limits, pragmas(limits, WRITING))?;
        let reading = pool(&url, limits.connections, limits, pragmas(limits, ""))?;
        Ok(Self::over(Dialect::Sqlite, writing, reading, Some(lock), opening))
    }

    /// The store in a data directory, for reading beside the process that works on it. Writing fails.
    ///
    /// # Errors
    /// There is no such directory.
    pub fn sqlite_beside(directory: &Path, opening: Opening) -> Result<Self, StoreError> {
        let url = sqlite_url(directory, "ro")?;
        let limits = opening.limits;
        let pool = pool(&url, limits.connections, limits, pragmas(limits, ""))?;
        Ok(Self::over(Dialect::Sqlite, pool.clone(), pool, None, opening))
    }

    fn over(
        dialect: Dialect,
        writing: AnyPool,
        reading: AnyPool,
        directory: Option<DirectoryLock>,
        opening: Opening,
    ) -> Self {
        let Opening { keys, actor, limits, defaults } = opening;
        // One operation is a few statements; the server's own limit speaks first where it can.
        let statement_limit = limits.statement + limits.acquire;
        let (gather, group) = (Gather::default(), Group::default());
        Self { dialect, writing, reading, keys, actor, defaults, _directory: directory, statement_limit, gather, group }
    }
}

fn pragmas(limits: Limits, more: &str) -> String {
    let milliseconds = limits.acquire.as_millis();
    format!("PRAGMA busy_timeout = {milliseconds}; PRAGMA foreign_keys = ON; {more}")
}

/// A pool that connects when it is first used; every connection begins with `session`.
fn pool(url: &str, connections: u32, limits: Limits, session: String) -> Result<AnyPool, StoreError> {
    sqlx::any::install_default_drivers();
    // The message of an address that cannot be read does not repeat the address: it may hold a password.
    let options: AnyConnectOptions = url.parse().map_err(|_| unavailable("address cannot be read".into()))?;
    let session: std::sync::Arc<str> = session.into();
    let pool = AnyPoolOptions::new()
        .max_connections(connections.max(1))
        .acquire_timeout(limits.acquire)
        .test_before_acquire(false)
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for > TRUSTED_IDLE {
                    sqlx::Connection::ping(connection).await?;
                }
                Ok(true)
            })
        })
        .after_connect(move |connection, _| {
            let session = session.clone();
            Box::pin(async move {
                connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(session))).await?;
                Ok(())
            })
        })
        .connect_lazy_with(options.disable_statement_logging());
    Ok(pool)
}

fn sqlite_url(directory: &Path, mode: &str) -> Result<String, StoreError> {
    let whole = directory.canonicalize().map_err(|error| unavailable(format!("{}: {error}", directory.display())))?;
    let path = directory::database(&whole);
    let encoded: String = path.as_os_str().as_encoded_bytes().iter().map(|byte| encode(*byte)).collect();
    Ok(format!("sqlite://{encoded}?mode={mode}"))
}

fn encode(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}
