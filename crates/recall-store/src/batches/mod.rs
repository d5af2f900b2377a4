//! Reprocessing runs: one command over archives, as far as the store knows it. Which calls a run has, their order and their ids follow from
//! the archives; here stands how far it came, and what its calls left.

pub(crate) mod rows;
pub(crate) mod state;

use std::collections::HashMap;

use recall_core::call::Call;
use recall_core::id::{BatchId, TraceId};
use recall_core::keys::KeyRing;
use recall_core::moment::Moment;
use recall_core::run::Usage;
use recall_core::scope::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fence::{Reach, Work};
use crate::list::{self, Place, Query};
use crate::parked::{UNPARK_TRACE, end_attempts};
use crate::record::{Page, PageRequest};
use crate::repair::erase;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};
use rows::batch_json;

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BatchStatus {
    /// Its calls are fed, or wait for somebody to feed them.
    Running,
    /// No more calls are fed; those that wait in the queue are done.
    Paused,
    /// No more calls are fed; those that wait in the queue are dropped when they arrive.
    Cancelled,
    /// Every call came to its end.
    Done,
}

impl BatchStatus {
    /// As it stands in rows and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Cancelled => "cancelled",
            Self::Done => "done",
        }
    }
}

/// A run that begins.
#[derive(Debug, Clone, PartialEq)]
pub struct NewBatch {
    /// Its id.
    pub id: BatchId,
    /// The tenant.
    pub namespace: String,
    /// What was asked for, without words of people and without ids of theirs.
    pub spec: Value,
    /// Equal for the same command.
    pub command_hash: String,
    /// SHA-256 over the archives, in hex.
    pub archive_hash: String,
    /// Calls the archives hold.
    pub calls: u64,
    /// Turns they hold.
    pub turns: u64,
    /// Who asked for it.
    pub actor: String,
}

/// A run as it is kept, with what its calls came to so far.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRecord {
    /// Its id.
    pub id: BatchId,
    /// The tenant.
    pub namespace: String,
    /// Where it stands.
    pub status: BatchStatus,
    /// What was asked for.
    pub spec: Value,
    /// SHA-256 over the archives, in hex.
    pub archive_hash: String,
    /// Calls the archives hold.
    pub calls: u64,
    /// Turns they hold.
    pub turns: u64,
    /// So many calls from the beginning came to their end.
    pub settled: u64,
    /// So many of them had been done before the run.
    pub known: u64,
    /// Calls it did.
    pub done: u64,
    /// Memories they wrote.
    pub stored: u64,
    /// Calls among the dead letters.
    pub dead: u64,
    /// Calls that were dropped when they arrived.
    pub dropped: u64,
    /// What the model calls used.
    pub usage: Usage,
    /// Who asked for it.
    pub actor: String,
    /// Who moved it last, where somebody did.
    pub moved_by: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// When it began.
    pub created_at: Moment,
    /// When somebody last worked on it or moved it.
    pub changed_at: Moment,
    /// When it was done or cancelled.
    pub ended_at: Option<Moment>,
}

/// How a call of a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// This run did it.
    Done,
    /// It was done before, or beside this run.
    Known,
    /// It is among the dead letters.
    Dead,
    /// It was dropped when it arrived.
    Dropped,
}

/// Who was erased, and when; told by hashes of owners alone.
#[derive(Debug, Clone, Default)]
pub struct Erasures {
    keys: Option<KeyRing>,
    at: HashMap<String, i64>,
}

impl Erasures {
    /// When the owner of a scope was erased last, in microseconds.
    pub fn of(&self, scope: &Scope) -> Option<i64> {
        let keys = self.keys.as_ref().filter(|_| !self.at.is_empty())?;
        erase::owner_hashes(keys, scope).iter().filter_map(|hash| self.at.get(hash)).max().copied()
    }
}

#[derive(Deserialize)]
struct ErasureRow {
    hash: String,
    at: i64,
}

#[derive(Deserialize)]
struct EndingRow {
    trace: TraceId,
    how: Ending,
}

#[derive(Deserialize)]
struct StatusRow {
    status: BatchStatus,
}

impl SqlStore {
    /// Writes down a run that begins.
    ///
    /// # Errors
    /// The database is away.
    pub async fn create_batch(&self, batch: &NewBatch) -> Result<(), StoreError> {
        self.within(create(self, batch)).await
    }

    /// A run of a namespace.
    ///
    /// # Errors
    /// The database is away.
    pub async fn batch(&self, namespace: &str, id: &BatchId) -> Result<Option<BatchRecord>, StoreError> {
        let args = vec![Arg::from(namespace), Arg::from(id.as_str())];
        self.within(find(self, namespace, (&rows::FIND, args))).await
    }

    /// The unfinished run of a command, the latest where there are several.
    ///
    /// # Errors
    /// The database is away.
    pub async fn open_batch(&self, namespace: &str, command_hash: &str) -> Result<Option<BatchRecord>, StoreError> {
        let args = vec![Arg::from(namespace), Arg::from(command_hash)];
        self.within(find(self, namespace, (&rows::OPEN, args))).await
    }

    /// Runs of a namespace, newest first.
    ///
    /// # Errors
    /// The database is away.
    pub async fn batches(&self, namespace: &str, page: &PageRequest) -> Result<Page<BatchRecord>, StoreError> {
        self.within(list(self, namespace, page)).await
    }

    /// Moves a run on; one that is done or cancelled leaves nothing of its sessions.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where it has ended.
    pub async fn move_batch(
        &self,
        (namespace, id): (&str, &BatchId),
        to: BatchStatus,
        (by, reason): (&str, &str),
    ) -> Result<BatchRecord, StoreError> {
        self.within(move_to(self, (namespace, id), to, (by, reason))).await
    }

    /// Notes how far a run came, and says where it stands: so many calls from the beginning ended, so many of them were known before.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub async fn checkpoint_batch(
        &self,
        (namespace, id): (&str, &BatchId),
        (settled, known): (u64, u64),
    ) -> Result<BatchStatus, StoreError> {
        self.within(checkpoint(self, (namespace, id), (settled, known))).await
    }

    /// Which of these calls came to their end, and how; the others wait or are unknown.
    ///
    /// # Errors
    /// The database is away.
    pub async fn endings(
        &self,
        (namespace, id): (&str, &BatchId),
        traces: &[&TraceId],
    ) -> Result<Vec<(TraceId, Ending)>, StoreError> {
        self.within(endings(self, (namespace, id), traces)).await
    }

    /// Who was erased.
    ///
    /// # Errors
    /// The database is away.
    pub async fn erasures(&self, namespace: &str) -> Result<Erasures, StoreError> {
        self.within(erasures(self, namespace)).await
    }
}

async fn create(store: &SqlStore, batch: &NewBatch) -> Result<(), StoreError> {
    let mut work = store.begin(Reach::Tenant(&batch.namespace)).await?;
    let args = vec![
        Arg::from(batch.id.as_str()),
        Arg::from(batch.namespace.as_str()),
        sql::json(&batch.spec)?,
        Arg::from(batch.command_hash.as_str()),
        Arg::from(batch.archive_hash.as_str()),
        Arg::Number(number(batch.calls)),
        Arg::Number(number(batch.turns)),
        Arg::from(batch.actor.as_str()),
    ];
    sql::execute(&mut work, store.text(&rows::CREATE), args).await?;
    Ok(work.commit().await?)
}

async fn find(
    store: &SqlStore,
    namespace: &str,
    (statement, args): (&'static crate::dialect::Statement, Vec<Arg>),
) -> Result<Option<BatchRecord>, StoreError> {
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stored: Option<rows::Stored> = sql::one(&mut connection, store.text(statement), args).await?;
    stored.map(rows::Stored::into_record).transpose()
}

async fn list(store: &SqlStore, namespace: &str, page: &PageRequest) -> Result<Page<BatchRecord>, StoreError> {
    let mut query = Query::new(concat!("SELECT ", batch_json!()));
    query.with(" WHERE b.namespace = ?", Arg::from(namespace));
    query.newest_first(("b.created_at", "b.batch_id"), &Place::after(page)?, page);
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stored: Vec<rows::Stored> = sql::many(&mut connection, query.sql(store.dialect), query.args).await?;
    let page = list::page(stored, page, |stored| Place { at: stored.created_at, id: stored.id.as_str().to_owned() });
    let items = page.items.into_iter().map(rows::Stored::into_record).collect::<Result<_, _>>()?;
    Ok(Page { items, next_cursor: page.next_cursor })
}

async fn move_to(
    store: &SqlStore,
    (namespace, id): (&str, &BatchId),
    to: BatchStatus,
    (by, reason): (&str, &str),
) -> Result<BatchRecord, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let args = [namespace, id.as_str(), to.as_str(), by, reason].map(Arg::from).into();
    let moved = sql::execute(&mut work, store.text(&rows::MOVE), args).await? > 0;
    if moved && matches!(to, BatchStatus::Done | BatchStatus::Cancelled) {
        for statement in [&rows::END_SESSIONS, &rows::END_TURNS] {
            sql::execute(&mut work, store.text(statement), vec![Arg::from(id.as_str())]).await?;
        }
    }
    work.commit().await?;
    let args = vec![Arg::from(namespace), Arg::from(id.as_str())];
    let found = find(store, namespace, (&rows::FIND, args)).await?.ok_or(StoreError::Missing("run"))?;
    if moved { Ok(found) } else { Err(StoreError::Conflict("the run has ended; begin another one")) }
}

async fn checkpoint(
    store: &SqlStore,
    (namespace, id): (&str, &BatchId),
    (settled, known): (u64, u64),
) -> Result<BatchStatus, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let args =
        vec![Arg::from(namespace), Arg::from(id.as_str()), Arg::Number(number(settled)), Arg::Number(number(known))];
    let row: Option<StatusRow> = sql::one(&mut work, store.text(&rows::CHECKPOINT), args).await?;
    work.commit().await?;
    row.map(|row| row.status).ok_or(StoreError::Missing("run"))
}

async fn endings(
    store: &SqlStore,
    (namespace, id): (&str, &BatchId),
    traces: &[&TraceId],
) -> Result<Vec<(TraceId, Ending)>, StoreError> {
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let args = vec![Arg::from(namespace), sql::json(&traces)?, Arg::from(id.as_str())];
    let found: Vec<EndingRow> = sql::many(&mut connection, store.text(&rows::ENDINGS), args).await?;
    Ok(found.into_iter().map(|row| (row.trace, row.how)).collect())
}

async fn erasures(store: &SqlStore, namespace: &str) -> Result<Erasures, StoreError> {
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let found: Vec<ErasureRow> = sql::many(&mut connection, store.text(&rows::ERASURES), Vec::new()).await?;
    let at = found.into_iter().map(|row| (row.hash, row.at)).collect();
    Ok(Erasures { keys: Some(store.keys.clone()), at })
}

/// Takes a call of a run off the queue without doing it, and keeps that and why.
pub(crate) async fn drop_call(store: &SqlStore, call: &Call, (class, reason): (&str, &str)) -> Result<(), StoreError> {
    let trace = call.trace_id.as_str();
    let batch = call.batch.as_ref().map(|batch| batch.id.as_str()).unwrap_or_default();
    let mut work = store.begin(Reach::Every(Work::Queue)).await?;
    let args = [trace, call.scope.namespace(), class, reason, &store.actor, batch].map(Arg::from);
    sql::execute(&mut work, store.text(&rows::DROPPED), args.into()).await?;
    sql::execute(&mut work, store.text(&UNPARK_TRACE), vec![Arg::from(trace)]).await?;
    end_attempts(store, &mut work, trace).await?;
    Ok(work.commit().await?)
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
