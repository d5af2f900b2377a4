//! The store over SQL: two pools, the dialect they speak, and the port carried out by the rooms of this crate.

use std::future::Future;
use std::time::Duration;

use async_trait::async_trait;
use recall_core::call::Call;
use recall_core::context::{Near, NearKeys};
use recall_core::id::{BatchId, MemoryId, TraceId};
use recall_core::keys::KeyRing;
use recall_core::memory::Memory;
use recall_core::run::Run;
use recall_core::scope::Scope;
use recall_core::settings::Settings;
use recall_core::window::Window;
use serde::de::DeserializeOwned;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, AssertSqlSafe, Executor as _, Transaction};

use crate::commit::Group;
use crate::dialect::{Dialect, Statement};
use crate::directory::DirectoryLock;
use crate::error::unavailable;
use crate::fence::{Reach, Reader};
use crate::gather::Gather;
use crate::record::{
    Backlog, Beat, Begun, CallEvent, Committed, DeadFilter, DeadLetter, LiveWorker, MemoryFilter, Page, PageRequest,
    Parked, ParkedKey, Partitions, Swept, Tenants, ToPark, Trace, TraceFilter, TraceSummary, Whereabouts,
};
use crate::sql::{self, Arg};
use crate::upkeep::KeyFault;
use crate::{
    Store, StoreError, backlog, batches, commit, dead, fence, memory, neighbours, parked, schema, trace, traces,
    upkeep, window, worker,
};

/// A store over Postgres or SQLite. Made by [`SqlStore::postgres`], [`SqlStore::sqlite`] or [`SqlStore::sqlite_beside`].
#[derive(Debug)]
pub struct SqlStore {
    pub(crate) dialect: Dialect,
    /// Takes transactions that write; in SQLite one connection, so that writers wait in line instead of polling a lock.
    pub(crate) writing: AnyPool,
    pub(crate) reading: AnyPool,
    pub(crate) keys: KeyRing,
    pub(crate) actor: String,
    /// Settings of namespaces that have none of their own.
    pub(crate) defaults: Settings,
    /// Held for as long as the store lives.
    pub(crate) _directory: Option<DirectoryLock>,
    pub(crate) statement_limit: Duration,
    pub(crate) gather: Gather,
    pub(crate) group: Group,
}

impl SqlStore {
    /// Settings of a namespace, new or changed. Namespaces without a row have the defaults.
    ///
    /// # Errors
    /// The database is away.
    pub async fn put_settings(&self, namespace: &str, settings: &Settings) -> Result<(), StoreError> {
        self.within(upkeep::put_settings(self, namespace, settings)).await
    }

    /// Every namespace with settings of its own, and the version of the extraction prompt they choose.
    ///
    /// # Errors
    /// The database is away.
    pub async fn prompt_versions(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.within(upkeep::prompt_versions(self)).await
    }

    /// Writes down which keys are used. What is wrong with them, where something is: then what was deleted would not be recognised.
    ///
    /// # Errors
    /// The database is away.
    pub async fn fix_keys(&self) -> Result<Option<KeyFault>, StoreError> {
        self.within(upkeep::fix_keys(self)).await
    }

    /// Removes what is over its time: windows of sessions, details and spans of runs, dead letters, lost workers.
    /// Safe to run from several workers at once.
    ///
    /// # Errors
    /// The database is away.
    pub async fn sweep(&self) -> Result<Swept, StoreError> {
        self.within(upkeep::sweep(self)).await
    }

    /// Whether the role of this store passes over row-level policies: then only the statements keep tenants apart.
    ///
    /// # Errors
    /// The database is away.
    pub async fn passes_over_policies(&self) -> Result<bool, StoreError> {
        self.within(fence::passes_over(self)).await
    }

    /// Closes the connections; what is under way is finished first.
    pub async fn close(&self) {
        self.writing.close().await;
        self.reading.close().await;
    }

    /// The text of a statement.
    pub(crate) fn text(&self, statement: &'static Statement) -> &'static str {
        statement.sql(self.dialect)
    }

    /// A connection that finds the rows of these tenants, for reading.
    pub(crate) async fn reader(&self, reach: Reach<'_>) -> Result<Reader, StoreError> {
        Ok(match self.dialect {
            Dialect::Postgres => Reader::Fenced(self.reading.begin_with(AssertSqlSafe(reach.begin())).await?),
            Dialect::Sqlite => Reader::Plain(self.reading.acquire().await?),
        })
    }

    /// Reads the one value that a statement answers on the way of a call, of one tenant's rows: in one round trip, as there is no
    /// transaction around it. In SQLite it goes over the connection that writes: whatever another one knew is gone with every commit,
    /// and it would read all of it again.
    pub(crate) async fn one_of_tenant<T: DeserializeOwned>(
        &self,
        statement: &'static Statement,
        namespace: &str,
        mut args: Vec<Arg>,
    ) -> Result<Option<T>, StoreError> {
        match self.dialect {
            Dialect::Sqlite => sql::one(&mut *self.writer().await?, self.text(statement), args).await,
            Dialect::Postgres => {
                args.push(Arg::from(namespace));
                sql::one(&mut *self.plain_reader().await?, statement.fenced(args.len()), args).await
            }
        }
    }

    /// A connection for reading that finds no row of a tenant.
    pub(crate) async fn plain_reader(&self) -> Result<PoolConnection<Any>, StoreError> {
        Ok(self.reading.acquire().await?)
    }

    /// A connection for writing that finds no row of a tenant.
    pub(crate) async fn writer(&self) -> Result<PoolConnection<Any>, StoreError> {
        Ok(self.writing.acquire().await?)
    }

    /// A transaction that will write rows of these tenants. SQLite takes its lock at once: taken later it could be refused without a
    /// wait.
    pub(crate) async fn begin(&self, reach: Reach<'_>) -> Result<Transaction<'static, Any>, StoreError> {
        let begun = match self.dialect {
            Dialect::Postgres => self.writing.begin_with(AssertSqlSafe(reach.begin())).await,
            Dialect::Sqlite => self.writing.begin_with("BEGIN IMMEDIATE").await,
        };
        if begun.is_err() && self.dialect == Dialect::Sqlite {
            self.replace_writer().await;
        }
        Ok(begun?)
    }

    /// SQLite ends a transaction by itself when the disk is full, and the connection then counts one that is not there: it
    /// would refuse every transaction after. A fresh connection knows better.
    async fn replace_writer(&self) {
        if let Ok(connection) = self.writing.acquire().await {
            drop(connection.detach());
        }
    }

    /// After words were deleted: takes what SQLite still holds of them in its log into the database file, whose freed pages it
    /// overwrites. Best effort: a reader that is in the way only puts it off until the next time.
    pub(crate) async fn scrub(&self) {
        if self.dialect == Dialect::Sqlite
            && let Ok(mut connection) = self.writing.acquire().await
        {
            let _put_off = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").await;
        }
    }

    /// Limits an operation in time: a server that is paused answers nothing, not even an error.
    pub(crate) async fn within<T>(
        &self,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        match tokio::time::timeout(self.statement_limit, work).await {
            Ok(done) => done,
            Err(_) => Err(unavailable(format!("no answer within {:?}", self.statement_limit))),
        }
    }
}

#[async_trait]
impl Store for SqlStore {
    async fn migrate(&self) -> Result<Vec<String>, StoreError> {
        // No limit: an index over many rows takes its time.
        schema::migrate(self).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.within(schema::ready(self)).await
    }

    async fn window(&self, call: &Call) -> Result<Window, StoreError> {
        self.within(window::window(self, call)).await
    }

    async fn neighbours(&self, scope: &Scope, keys: &NearKeys) -> Result<Near, StoreError> {
        self.within(neighbours::neighbours(self, scope, keys)).await
    }

    async fn staged_neighbours(&self, scope: &Scope, batch: &BatchId) -> Result<Near, StoreError> {
        self.within(neighbours::staged(self, scope, batch)).await
    }

    async fn commit(&self, run: &Run) -> Result<Committed, StoreError> {
        self.within(commit::commit(self, run)).await
    }

    async fn park(&self, call: &ToPark) -> Result<(), StoreError> {
        self.within(parked::park(self, call)).await
    }

    async fn take(&self, partitions: &Partitions, busy: &[String], limit: u32) -> Result<Vec<Parked>, StoreError> {
        self.within(parked::take(self, (partitions, busy), limit)).await
    }

    async fn unpark(&self, key: &ParkedKey) -> Result<bool, StoreError> {
        self.within(parked::unpark(self, key)).await
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        self.within(backlog::backlog(self)).await
    }

    async fn dead_letter(&self, letter: &DeadLetter) -> Result<(), StoreError> {
        self.within(dead::dead_letter(self, letter)).await
    }

    async fn drop_call(&self, call: &Call, class: &str, reason: &str) -> Result<(), StoreError> {
        self.within(batches::drop_call(self, call, (class, reason))).await
    }

    async fn begin_attempt(&self, trace_id: &TraceId) -> Result<Begun, StoreError> {
        self.within(parked::begin_attempt(self, trace_id)).await
    }

    async fn runs_alone(&self, trace_id: &TraceId) -> Result<(), StoreError> {
        self.within(parked::runs_alone(self, trace_id)).await
    }

    async fn end_attempts(&self, trace_id: &TraceId) -> Result<(), StoreError> {
        self.within(parked::end(self, trace_id)).await
    }

    async fn beat(&self, beat: &Beat) -> Result<Vec<LiveWorker>, StoreError> {
        self.within(worker::beat(self, beat)).await
    }

    async fn workers(&self) -> Result<Vec<LiveWorker>, StoreError> {
        self.within(worker::workers(self)).await
    }

    async fn leave(&self, name: &str) -> Result<(), StoreError> {
        self.within(worker::leave(self, name)).await
    }

    async fn trace(&self, namespace: &str, id: &TraceId) -> Result<Option<Trace>, StoreError> {
        self.within(trace::trace(self, namespace, id)).await
    }

    async fn traces(&self, filter: &TraceFilter, page: &PageRequest) -> Result<Page<TraceSummary>, StoreError> {
        self.within(traces::traces(self, filter, page)).await
    }

    async fn memory(&self, namespace: &str, id: &MemoryId) -> Result<Option<Memory>, StoreError> {
        self.within(memory::memory(self, namespace, id)).await
    }

    async fn memories(&self, filter: &MemoryFilter, page: &PageRequest) -> Result<Page<Memory>, StoreError> {
        self.within(memory::memories(self, filter, page)).await
    }

    async fn dead_letters(&self, filter: &DeadFilter, page: &PageRequest) -> Result<Page<DeadLetter>, StoreError> {
        self.within(dead::dead_letters(self, filter, page)).await
    }

    async fn whereabouts(&self, tenants: &Tenants, id: &str) -> Result<Whereabouts, StoreError> {
        self.within(dead::whereabouts(self, tenants, id)).await
    }

    async fn events(&self, id: &str) -> Result<Vec<CallEvent>, StoreError> {
        self.within(dead::events(self, id)).await
    }

    async fn requeue(&self, letter: &str, call: &ToPark, actor: &str) -> Result<bool, StoreError> {
        self.within(dead::requeue(self, letter, call, actor)).await
    }

    async fn drop_dead(&self, letter: &DeadLetter, reason: &str, actor: &str) -> Result<bool, StoreError> {
        self.within(dead::drop_dead(self, letter, reason, actor)).await
    }
}
