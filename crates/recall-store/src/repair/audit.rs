//! The audit log as it is read: by memory, owner, time, kind and actor; and the whole story of one memory.

use recall_core::id::{BatchId, MemoryId, TraceId};
use recall_core::moment::Moment;
use serde::Deserialize;

use super::suppressed::kind_and_id;
use crate::deed::{AuditEntry, AuditFilter, Story};
use crate::dialect::Statement as Sql;
use crate::fence::Reach;
use crate::list::{self, Place, Query};
use crate::memory::MEMORY;
use crate::record::{Page, PageRequest};
use crate::rows::AuditRow;
use crate::sql::{self, Arg};
use crate::stored_memory::{StoredMemory, parsed, utc};
use crate::swap::Aside;
use crate::{SqlStore, StoreError, trace};

/// What ever happened to a memory, oldest first.
pub(crate) static HISTORY: Sql = Sql::new(
    "SELECT CAST({row a audit} AS TEXT) FROM audit a WHERE a.memory_id = $1 AND a.namespace = $2 ORDER BY a.at, a.audit_id",
);

/// The calls that said a memory, oldest first.
pub(crate) static TOLD_BY: Sql = Sql::new(
    "SELECT CAST({object}('trace', r.trace_id) AS TEXT) FROM runs r
    WHERE r.trace_id IN (SELECT t.trace_id FROM statements t WHERE t.memory_id = $1) ORDER BY r.revision",
);

/// Runs that keep calls of a memory aside.
pub(crate) static ASIDE: Sql = Sql::new(
    "SELECT DISTINCT CAST({object}('run', o.batch, 'waits', CASE WHEN c.batch = o.batch THEN 1 ELSE 0 END) AS TEXT)
    FROM statements t JOIN calls_aside o ON o.trace_id = t.trace_id
        LEFT JOIN staged_calls c ON c.trace_id = o.trace_id WHERE t.memory_id = $1",
);

/// Rows of the audit log, newest first.
pub(super) async fn list(
    store: &SqlStore,
    filter: &AuditFilter,
    page: &PageRequest,
) -> Result<Page<AuditEntry>, StoreError> {
    let mut query = Query::new("SELECT CAST({row a audit} AS TEXT) FROM audit a");
    query.with(" WHERE a.namespace = ?", filter.namespace.as_str().into());
    query.with_some(" AND a.memory_id = ?", filter.memory_id.as_ref().map(MemoryId::as_str));
    query.with_some(" AND a.trace_id = ?", filter.trace_id.as_ref().map(TraceId::as_str));
    query.with_some(" AND a.event_type = ?", filter.event_type.as_deref());
    query.with_some(" AND a.actor = ?", filter.actor.as_deref());
    query.with_some(" AND a.at >= ?", filter.since.map(Moment::microseconds));
    query.with_some(" AND a.at < ?", filter.until.map(Moment::microseconds));
    if let Some(owner) = &filter.owner {
        let (kind, id) = kind_and_id(owner);
        query.with(" AND a.scope_id IN (SELECT w.scope_id FROM scopes w WHERE w.owner_kind = ?", kind.into());
        query.with(" AND w.owner = ?", id.into());
        query.with(" AND w.namespace = ?)", filter.namespace.as_str().into());
    }
    query.newest_first(("a.at", "a.audit_id"), &Place::after(page)?, page);
    let mut connection = store.reader(Reach::Tenant(&filter.namespace)).await?;
    let rows: Vec<AuditRow> = sql::many(&mut connection, query.sql(store.dialect), query.args).await?;
    let entries = rows.into_iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    Ok(list::page(entries, page, |entry| Place { at: entry.at.microseconds(), id: entry.audit_id.clone() }))
}

/// The whole story of a memory; `None` where the namespace has none of that id.
pub(super) async fn story(store: &SqlStore, namespace: &str, id: &MemoryId) -> Result<Option<Story>, StoreError> {
    #[derive(Deserialize)]
    struct ToldBy {
        trace: TraceId,
    }
    #[derive(Deserialize)]
    struct StoredAside {
        run: BatchId,
        waits: i64,
    }
    let args = || vec![Arg::from(id.as_str()), Arg::from(namespace)];
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stored: Option<StoredMemory> = sql::one(&mut connection, store.text(&MEMORY), args()).await?;
    let Some(stored) = stored else { return Ok(None) };
    let gone = stored.row.gone.clone();
    let rows: Vec<AuditRow> = sql::many(&mut connection, store.text(&HISTORY), args()).await?;
    let told: Vec<ToldBy> = sql::many(&mut connection, store.text(&TOLD_BY), vec![Arg::from(id.as_str())]).await?;
    let aside: Vec<StoredAside> = sql::many(&mut connection, store.text(&ASIDE), vec![Arg::from(id.as_str())]).await?;
    drop(connection);
    let mut traces = Vec::with_capacity(told.len());
    for ToldBy { trace: id } in told {
        traces.extend(trace::trace(store, namespace, &id).await?);
    }
    let changes = rows.into_iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    let aside = aside.into_iter().map(|StoredAside { run, waits }| Aside { run, waits: waits > 0 }).collect();
    Ok(Some(Story { memory: stored.into_memory()?, gone, aside, changes, traces }))
}

fn entry(row: AuditRow) -> Result<AuditEntry, StoreError> {
    Ok(AuditEntry {
        audit_id: row.audit_id,
        event_type: row.event_type,
        memory_id: row.memory_id.map(|id| parsed("memory_id", id)).transpose()?,
        actor: row.actor,
        trace_id: row.trace_id.map(|id| parsed("trace_id", id)).transpose()?,
        at: utc(row.at)?,
        reason: row.reason,
        before: row.before.map(|json| json.0),
        after: row.after.map(|json| json.0),
        verdict: row.verdict.map(|json| json.0),
    })
}
