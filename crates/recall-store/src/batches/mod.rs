//! Reprocessing runs: one command over archives, as far as the store knows it. Which calls a run has, their order and their ids follow from
//! the archives; here stands how far it came, and what its calls left.

mod record;
pub(crate) mod rows;
pub(crate) mod state;

pub use record::{BatchRecord, BatchStatus, Ending, Erasures, NewBatch};

use recall_core::call::Call;
use recall_core::id::{BatchId, TraceId};
use recall_core::moment::Moment;
use serde::Deserialize;

use crate::dead::{self, letter_columns};
use crate::fence::{Reach, Work};
use crate::list::{self, Place, Query};
use crate::parked::{UNPARK_TRACE, end_attempts};
use crate::record::{DeadLetter, Page, PageRequest};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};
use rows::batch_json;

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
struct TakenRow {
    trace: TraceId,
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

    /// The run of a command that was done last.
    ///
    /// # Errors
    /// The database is away.
    pub async fn done_batch(&self, namespace: &str, command_hash: &str) -> Result<Option<BatchRecord>, StoreError> {
        let args = vec![Arg::from(namespace), Arg::from(command_hash)];
        self.within(find(self, namespace, (&rows::DONE, args))).await
    }

    /// Runs of a namespace, newest first.
    ///
    /// # Errors
    /// The database is away.
    pub async fn batches(&self, namespace: &str, page: &PageRequest) -> Result<Page<BatchRecord>, StoreError> {
        self.within(list(self, namespace, page)).await
    }

    /// Dead letters of a run, newest first.
    ///
    /// # Errors
    /// The database is away.
    pub async fn batch_letters(
        &self,
        (namespace, id): (&str, &BatchId),
        page: &PageRequest,
    ) -> Result<Page<DeadLetter>, StoreError> {
        self.within(letters(self, (namespace, id), page)).await
    }

    /// Which of these calls another run gave up since this one began: their messages may be off the queue.
    ///
    /// # Errors
    /// The database is away.
    pub async fn taken_off(
        &self,
        (namespace, id): (&str, &BatchId),
        traces: &[&TraceId],
    ) -> Result<Vec<TraceId>, StoreError> {
        self.within(taken_off(self, (namespace, id), traces)).await
    }

    /// Moves a run on; one that is done leaves nothing of its sessions, and one that is cancelled leaves them to the same command.
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
    // One that replaces reads every call anew, and so from the beginning.
    for statement in [&rows::TAKE_SESSIONS, &rows::TAKE_TURNS].into_iter().filter(|_| !batch.staged) {
        let whose = [batch.id.as_str(), batch.namespace.as_str(), batch.command_hash.as_str()].map(Arg::from);
        sql::execute(&mut work, store.text(statement), whose.into()).await?;
    }
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

async fn letters(
    store: &SqlStore,
    (namespace, id): (&str, &BatchId),
    page: &PageRequest,
) -> Result<Page<DeadLetter>, StoreError> {
    let mut query = Query::new(concat!("SELECT ", letter_columns!(), " FROM dead_letters d"));
    query.with(" WHERE d.namespace = ?", Arg::from(namespace));
    query.with(" AND d.batch_id = ?", Arg::from(id.as_str()));
    query.newest_first(("d.died_at", "d.id"), &Place::after(page)?, page);
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let rows = sql::rows(&mut connection, query.sql(store.dialect), query.args).await?;
    let letters = rows.iter().map(dead::letter).collect::<Result<Vec<_>, _>>()?;
    Ok(list::page(letters, page, |letter| Place {
        at: letter.died_at.map(Moment::microseconds).unwrap_or_default(),
        id: letter.id.clone(),
    }))
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
    if moved && to == BatchStatus::Done {
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

async fn taken_off(
    store: &SqlStore,
    (namespace, id): (&str, &BatchId),
    traces: &[&TraceId],
) -> Result<Vec<TraceId>, StoreError> {
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let args = vec![Arg::from(namespace), sql::json(&traces)?, Arg::from(id.as_str())];
    let found: Vec<TakenRow> = sql::many(&mut connection, store.text(&rows::TAKEN_OFF), args).await?;
    Ok(found.into_iter().map(|row| row.trace).collect())
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
