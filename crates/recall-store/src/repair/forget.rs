//! Forgetting and restoring, one memory or all that calls said: soft, with a reason, and nothing is suppressed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use recall_core::id::MemoryId;
use recall_core::moment::Moment;
use recall_core::scope::Owner;
use serde::Deserialize;
use sqlx::AnyConnection;

use super::ground::{self, Ground, Noted};
use super::names;
use super::rejudge::{self, rejudge};
use super::unit;
use crate::deed::{Deed, Execution, Repaired, TraceSelection, Turn};
use crate::dialect::Statement;
use crate::fence::Reach;
use crate::list::Query;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// Calls of one scope that are moved in one transaction.
const CHUNK: usize = 200;
/// Calls one selection may name.
const MOST: usize = 100_000;

/// Where a memory is, and whether it is gone.
pub(crate) static FIND: Statement = Statement::new(
    "SELECT CAST({object}('scope_id', m.scope_id, 'gone', m.gone, 'deleted_at', m.deleted_at) AS TEXT)
    FROM memories m WHERE m.memory_id = $1 AND m.namespace = $2",
);

pub(crate) static SET_GONE: Statement = Statement::new("UPDATE memories SET gone = $2 WHERE memory_id = $1");

pub(crate) static MARK: Statement = Statement::new(
    "UPDATE runs SET forgotten_at = $2 WHERE scope_id = $1 AND forgotten_at IS NULL AND trace_id {in texts $3}",
);

pub(crate) static UNMARK: Statement =
    Statement::new("UPDATE runs SET forgotten_at = NULL WHERE scope_id = $1 AND trace_id {in texts $2}");

pub(crate) static SAID_BY: Statement = Statement::new(
    "SELECT CAST({object}('memory', t.memory_id) AS TEXT) FROM statements t
    WHERE t.scope_id = $1 AND t.trace_id {in texts $2}",
);

pub(crate) static KNOWN: Statement =
    Statement::new("SELECT CAST(count(*) AS TEXT) FROM runs WHERE namespace = $1 AND trace_id {in texts $2}");

/// A memory as a deed finds it.
#[derive(Debug, Deserialize)]
pub(super) struct Found {
    pub(super) scope_id: i64,
    pub(super) gone: Option<String>,
    pub(super) deleted_at: Option<i64>,
}

impl Found {
    /// Refuses what is deleted for good.
    pub(super) fn not_final(self) -> Result<Self, StoreError> {
        match self.gone.as_deref() {
            Some("deleted") => Err(StoreError::Conflict("the memory was deleted for good")),
            Some(_) | None => Ok(self),
        }
    }
}

/// Finds a memory of a namespace.
pub(super) async fn find(
    store: &SqlStore,
    work: &mut AnyConnection,
    namespace: &str,
    id: &MemoryId,
) -> Result<Found, StoreError> {
    let args = vec![Arg::from(id.as_str()), Arg::from(namespace)];
    let found: Option<Found> = sql::one(work, store.text(&FIND), args).await?;
    found.ok_or(StoreError::Missing("memory"))
}

/// Forgets or restores one memory.
pub(super) async fn memory(
    store: &SqlStore,
    (namespace, id): (&str, &MemoryId),
    turn: Turn,
    deed: &Deed,
) -> Result<Repaired, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, id).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    // Found again under the lock: somebody may have been faster.
    let found = find(store, &mut work, namespace, id).await?.not_final()?;
    let (gone, event) = match turn {
        Turn::Forget if found.gone.is_some() => return Ok(Repaired::default()),
        Turn::Forget => (Some("forgotten".to_owned()), "forget"),
        Turn::Restore if found.deleted_at.is_none() => return Ok(Repaired::default()),
        Turn::Restore if found.gone.is_none() => {
            return Err(StoreError::Conflict(
                "every call that said it is forgotten or waits aside for a run, or another memory tells its claim; restore the calls",
            ));
        }
        Turn::Restore => (None, "restore"),
    };
    sql::execute(&mut work, store.text(&SET_GONE), vec![Arg::from(id.as_str()), Arg::Maybe(gone)]).await?;
    let seeds = BTreeSet::from([id.as_str().to_owned()]);
    let repaired = rejudge(store, &mut work, &mut ground, (&seeds, event)).await?;
    ground.close(store, &mut work).await?;
    work.commit().await?;
    Ok(repaired)
}

/// Calls of one scope that are moved together.
#[derive(Debug)]
struct Batch {
    namespace: String,
    scope_id: i64,
    traces: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Selected {
    trace: String,
    scope_id: i64,
}

impl Batch {
    fn calls(&self) -> u64 {
        self.traces.len() as u64
    }
}

/// Moves the calls of a selection batch by batch, until the end of a time that is given.
pub(super) async fn traces(
    store: &SqlStore,
    end: Option<Instant>,
    selection: &TraceSelection,
    (turn, execution): (Turn, Execution),
    deed: &Deed,
) -> Result<Repaired, StoreError> {
    let batches = store.within(batches(store, selection, (turn, execution))).await?;
    let mut whole = Repaired::default();
    for (place, batch) in batches.iter().enumerate() {
        if place > 0 && end.is_some_and(|end| Instant::now() >= end) {
            whole.left = batches.iter().skip(place).map(Batch::calls).sum();
            break;
        }
        whole.add(match execution {
            Execution::Real => store.within(self::batch(store, batch, turn, deed)).await?,
            Execution::DryRun => store.within(suppose(store, batch, turn, deed)).await?,
        });
    }
    Ok(whole)
}

/// The calls of a selection that a turn moves, in batches: whole scopes where nothing is written.
async fn batches(
    store: &SqlStore,
    selection: &TraceSelection,
    (turn, execution): (Turn, Execution),
) -> Result<Vec<Batch>, StoreError> {
    let mut connection = store.reader(Reach::Tenant(&selection.namespace)).await?;
    if !selection.trace_ids.is_empty() {
        let wanted: BTreeSet<&str> = selection.trace_ids.iter().map(|id| id.as_str()).collect();
        let args = vec![Arg::from(selection.namespace.as_str()), sql::json(&wanted)?];
        let known: Option<usize> = sql::one(&mut connection, store.text(&KNOWN), args).await?;
        if known.unwrap_or_default() < wanted.len() {
            return Err(StoreError::Missing("trace"));
        }
    }
    let query = query(selection, turn)?;
    let selected: Vec<Selected> = sql::many(&mut connection, query.sql(store.dialect), query.args).await?;
    if selected.len() > MOST {
        return Err(StoreError::Conflict("more than 100000 calls are meant; narrow the window"));
    }
    let mut scopes: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for Selected { trace, scope_id } in selected {
        scopes.entry(scope_id).or_default().push(trace);
    }
    let size = match execution {
        Execution::Real => CHUNK,
        Execution::DryRun => MOST,
    };
    let split = |(scope_id, traces): (i64, Vec<String>)| {
        let batch = |part: &[String]| {
            let namespace = selection.namespace.clone();
            Batch { namespace, scope_id, traces: part.iter().cloned().collect() }
        };
        traces.chunks(size).map(batch).collect::<Vec<Batch>>()
    };
    Ok(scopes.into_iter().flat_map(split).collect())
}

fn query(selection: &TraceSelection, turn: Turn) -> Result<Query, StoreError> {
    let mut query = Query::new(
        "SELECT CAST({object}('trace', r.trace_id, 'scope_id', r.scope_id) AS TEXT) FROM runs r
        JOIN scopes c ON c.scope_id = r.scope_id LEFT JOIN extractors x ON x.extractor = r.extractor",
    );
    query.with(" WHERE r.namespace = ?", selection.namespace.as_str().into());
    if !selection.trace_ids.is_empty() {
        query.with(" AND r.trace_id {in texts ?}", sql::json(&selection.trace_ids)?);
    }
    if let Some(owner) = &selection.owner {
        let (kind, id) = match owner {
            Owner::User(id) => ("user", id),
            Owner::Account(id) => ("account", id),
        };
        query.with(" AND c.owner_kind = ?", kind.into());
        query.with(" AND c.owner = ?", id.as_str().into());
    }
    query.with_some(" AND r.committed_at >= ?", selection.since.map(Moment::microseconds));
    query.with_some(" AND r.committed_at < ?", selection.until.map(Moment::microseconds));
    query.with_some(" AND x.prompt_version = ?", selection.prompt_version.as_deref());
    let moved = match turn {
        Turn::Forget => "r.forgotten_at IS NULL",
        Turn::Restore => "r.forgotten_at IS NOT NULL",
    };
    query.with(&format!(" AND {moved} ORDER BY r.scope_id, r.revision LIMIT ?"), Arg::Number(MOST as i64 + 1));
    Ok(query)
}

/// Moves one batch in one transaction.
async fn batch(store: &SqlStore, batch: &Batch, turn: Turn, deed: &Deed) -> Result<Repaired, StoreError> {
    let mut work = store.begin(Reach::Tenant(&batch.namespace)).await?;
    let mut ground = ground::lock(store, &mut work, batch.scope_id, deed).await?;
    let event = mark(store, &mut work, &mut ground, (batch, turn)).await?;
    names::settle(store, &mut work, &mut ground).await?;
    let seeds = said_by(store, &mut work, batch).await?;
    let mut repaired = rejudge(store, &mut work, &mut ground, (&seeds, event)).await?;
    repaired.traces = batch.calls();
    ground.close(store, &mut work).await?;
    work.commit().await?;
    Ok(repaired)
}

async fn mark(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &mut Ground,
    (batch, turn): (&Batch, Turn),
) -> Result<&'static str, StoreError> {
    let (scope, traces) = (Arg::Number(batch.scope_id), sql::json(&batch.traces)?);
    let event = match turn {
        Turn::Forget => {
            sql::execute(work, store.text(&MARK), vec![scope, Arg::Number(ground.now), traces]).await?;
            "forget"
        }
        Turn::Restore => {
            sql::execute(work, store.text(&UNMARK), vec![scope, traces]).await?;
            "restore"
        }
    };
    for trace in &batch.traces {
        ground.note(Noted { event, trace: Some(trace), ..Noted::default() });
    }
    Ok(event)
}

/// What a batch would change; nothing is locked, nothing written.
async fn suppose(store: &SqlStore, batch: &Batch, turn: Turn, deed: &Deed) -> Result<Repaired, StoreError> {
    let mut connection = store.reader(Reach::Tenant(&batch.namespace)).await?;
    let ground = ground::look(store, &mut connection, batch.scope_id, deed).await?;
    let seeds = said_by(store, &mut connection, batch).await?;
    let mut repaired = Repaired::default();
    if !seeds.is_empty() {
        let mut unit = unit::load(store, &mut connection, &ground, &seeds).await?;
        unit.suppose(&batch.traces, turn);
        repaired = rejudge::plan(store, &mut connection, &ground, unit).await?.summary()?;
    }
    repaired.traces = batch.calls();
    Ok(repaired)
}

async fn said_by(store: &SqlStore, work: &mut AnyConnection, batch: &Batch) -> Result<BTreeSet<String>, StoreError> {
    #[derive(Deserialize)]
    struct SaidBy {
        memory: String,
    }
    let args = vec![Arg::Number(batch.scope_id), sql::json(&batch.traces)?];
    let said: Vec<SaidBy> = sql::many(work, store.text(&SAID_BY), args).await?;
    Ok(said.into_iter().map(|said| said.memory).collect())
}
