//! Reading memories: one by its id, and lists by what people ask for.

use recall_core::id::MemoryId;
use recall_core::memory::Memory;
use recall_core::moment::Moment;
use recall_core::scope::Owner;

use crate::dialect::Statement;
use crate::fence::Reach;
use crate::list::{self, Place, Query};
use crate::record::{MemoryFilter, Page, PageRequest};
use crate::sql::{self, Arg};
use crate::stored_memory::{StoredMemory, memory_from, memory_json};
use crate::{SqlStore, StoreError};

pub(crate) static MEMORY: Statement = Statement::new(concat!(
    "SELECT CAST(",
    memory_json!(),
    " AS TEXT) FROM ",
    memory_from!(),
    " WHERE m.memory_id = $1 AND m.namespace = $2"
));

/// A memory of a namespace. One that was deleted or forgotten is there, too, and says so.
pub(crate) async fn memory(store: &SqlStore, namespace: &str, id: &MemoryId) -> Result<Option<Memory>, StoreError> {
    let args = vec![Arg::from(id.as_str()), Arg::from(namespace)];
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stored: Option<StoredMemory> = sql::one(&mut connection, store.text(&MEMORY), args).await?;
    stored.map(StoredMemory::into_memory).transpose()
}

/// Memories of a namespace, newest first.
pub(crate) async fn memories(
    store: &SqlStore,
    filter: &MemoryFilter,
    page: &PageRequest,
) -> Result<Page<Memory>, StoreError> {
    let query = query(filter, &Place::after(page)?, page);
    let mut connection = store.reader(Reach::Tenant(&filter.namespace)).await?;
    let stored: Vec<StoredMemory> = sql::many(&mut connection, query.sql(store.dialect), query.args).await?;
    let memories = stored.into_iter().map(StoredMemory::into_memory).collect::<Result<Vec<_>, _>>()?;
    Ok(list::page(memories, page, |memory| Place {
        at: memory.created_at.microseconds(),
        id: memory.id.as_str().to_owned(),
    }))
}

fn query(filter: &MemoryFilter, after: &Place, page: &PageRequest) -> Query {
    let mut query = Query::new(concat!("SELECT CAST(", memory_json!(), " AS TEXT) FROM ", memory_from!()));
    let there = match filter.forgotten {
        false => "m.deleted_at IS NULL",
        // What only a run says, or said before a run read it again, nobody forgot.
        true => {
            "m.deleted_at IS NOT NULL AND coalesce(m.gone, '') <> 'deleted' AND (m.gone IS NOT NULL OR NOT EXISTS
                (SELECT 1 FROM statements t JOIN calls_aside o ON o.trace_id = t.trace_id WHERE t.memory_id = m.memory_id))"
        }
    };
    query.with(&format!(" WHERE {there} AND m.namespace = ?"), filter.namespace.as_str().into());
    if let Some(owner) = &filter.owner {
        let (kind, id) = match owner {
            Owner::User(id) => ("user", id),
            Owner::Account(id) => ("account", id),
        };
        query.with(" AND m.scope_id IN (SELECT w.scope_id FROM scopes w WHERE w.owner_kind = ?", kind.into());
        query.with(" AND w.owner = ?", id.as_str().into());
        query.with(" AND w.namespace = ?)", filter.namespace.as_str().into());
    }
    query.with_some(" AND c.agent = ?", filter.agent_id.as_deref());
    // Of what is forgotten the sources of its calls are withdrawn.
    let of_trace = match filter.forgotten {
        false => " AND m.memory_id IN (SELECT s.memory_id FROM sources s WHERE s.trace_id = ? AND s.withdrawn = 0)",
        true => " AND m.memory_id IN (SELECT s.memory_id FROM sources s WHERE s.trace_id = ?)",
    };
    query.with_some(of_trace, filter.trace_id.as_ref().map(|id| id.as_str()));
    query.with_some(" AND n.session_id = ?", filter.session_id.as_deref());
    query.with_some(" AND m.subject_id = ?", filter.subject.as_ref().map(|id| id.as_str()));
    query.with_some(
        " AND (e.name_key = ? OR EXISTS (SELECT 1 FROM entity_aliases a WHERE a.entity_id = e.entity_id AND a.alias_key = ?))",
        filter.subject_name.as_deref().map(recall_core::text::fold),
    );
    query.with_some(" AND m.memory_type = ?", filter.memory_type.map(|kind| kind.as_str()));
    query.with_some(" AND m.status = ?", filter.status.map(|status| status.as_str()));
    query.with_some(" AND {position}(lower(m.content), lower(?)) > 0", filter.text.as_deref());
    query.with_some(" AND m.created_at >= ?", filter.created_since.map(Moment::microseconds));
    query.with_some(" AND m.created_at < ?", filter.created_until.map(Moment::microseconds));
    query.with_some(" AND m.event_at >= ?", filter.event_since.map(Moment::microseconds));
    query.with_some(" AND m.event_at < ?", filter.event_until.map(Moment::microseconds));
    query.newest_first(("m.created_at", "m.memory_id"), after, page);
    query
}
