//! Doubts and disputes: raised by somebody, shown with both sides, settled by a person; feedback, and being read.

use std::collections::BTreeSet;

use recall_core::id::MemoryId;
use recall_core::memory::Status;
use recall_core::scope::Owner;
use serde::Deserialize;
use serde_json::json;
use sqlx::AnyConnection;

use super::forget::find;
use super::ground::{self, Ground, Noted, insert};
use super::rejudge::rejudge;
use super::restate::live;
use super::suppressed::kind_and_id;
use crate::deed::{Deed, Dispute, Feedback, Repaired};
use crate::dialect::Statement as Sql;
use crate::fence::Reach;
use crate::list::{self, Place, Query};
use crate::record::{Page, PageRequest};
use crate::rows::DisputeRow;
use crate::sql::{self, Arg};
use crate::stored_memory::{StoredMemory, memory_from, memory_json, utc};
use crate::{SqlStore, StoreError, memory};

pub(crate) static OPEN: Sql = Sql::new(
    "SELECT CAST({object}('memory', d.memory_id, 'with', d.with_id) AS TEXT) FROM disputes d
    WHERE d.settled_at IS NULL AND (d.memory_id = $1 OR d.with_id = $1)",
);

pub(crate) static SETTLE: Sql = Sql::new(
    "UPDATE disputes SET settled_at = $2, settled_revision = $3, kept = $4
    WHERE settled_at IS NULL AND ((memory_id = $1 AND coalesce(with_id, memory_id) = $5)
        OR (memory_id = $5 AND with_id = $1))",
);

/// In one order, so that two that touch the same memories do not wait for each other.
pub(crate) static TOUCH: Sql = Sql::new(
    "UPDATE memories SET access_count = access_count + 1, last_accessed_at = {now}
    WHERE memory_id IN (SELECT m.memory_id FROM memories m
        WHERE m.namespace = $1 AND m.deleted_at IS NULL AND m.memory_id {in texts $2} ORDER BY m.memory_id {for update})",
);

#[derive(Deserialize)]
struct Pair {
    memory: String,
    with: Option<String>,
}

/// Raises a doubt about a memory, or sets it against another.
pub(super) async fn dispute(
    store: &SqlStore,
    (namespace, id, with): (&str, &MemoryId, Option<&MemoryId>),
    deed: &Deed,
) -> Result<Repaired, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, id).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let mut sides = vec![live(store, &mut work, namespace, id).await?];
    if let Some(other) = with {
        if other == id || find(store, &mut work, namespace, other).await?.scope_id != scope_id {
            return Err(StoreError::Conflict("a memory is disputed with another one of the same scope"));
        }
        sides.push(live(store, &mut work, namespace, other).await?);
    }
    if sides.iter().any(|side| !matches!(side.status, Status::Active | Status::Disputed)) {
        return Err(StoreError::Conflict("only memories that count can be disputed"));
    }
    sides.sort_by(|a, b| a.id.cmp(&b.id));
    let id_of = |at: usize| sides.get(at).map(|side| side.id.as_str().to_owned());
    let row = DisputeRow {
        memory_id: id_of(0).unwrap_or_default(),
        with_id: id_of(1),
        scope_id,
        trace_id: None,
        opened_at: ground.now,
        opened_revision: ground.revision,
    };
    insert(store, &mut work, &[row]).await?;
    for side in &sides {
        let other = sides.iter().find(|other| other.id != side.id).map(|other| other.id.as_str());
        ground.note(Noted {
            event: "dispute",
            memory: Some(side.id.as_str()),
            before: Some(json!({ "status": side.status })),
            after: Some(json!({ "status": "disputed", "with": other })),
            ..Noted::default()
        });
    }
    finish(store, work, ground, sides.iter().map(|side| side.id.as_str().to_owned()).collect()).await
}

/// Settles every open dispute of a memory in its favour; a doubt about it alone is lifted.
pub(super) async fn settle(
    store: &SqlStore,
    (namespace, kept): (&str, &MemoryId),
    deed: &Deed,
) -> Result<Repaired, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, kept).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let memory = live(store, &mut work, namespace, kept).await?;
    if memory.status != Status::Disputed {
        return Err(StoreError::Conflict("the memory is not disputed"));
    }
    let rivals = rivals(store, &mut work, kept).await?;
    for rival in &rivals {
        let args = vec![
            Arg::from(kept.as_str()),
            Arg::Number(ground.now),
            Arg::Number(ground.revision),
            Arg::from(kept.as_str()),
            Arg::from(rival.as_str()),
        ];
        sql::execute(&mut work, store.text(&SETTLE), args).await?;
    }
    let lost: Vec<&String> = rivals.iter().filter(|rival| *rival != kept.as_str()).collect();
    ground.note(Noted {
        event: "settle",
        memory: Some(kept.as_str()),
        before: Some(json!({ "status": "disputed" })),
        after: Some(json!({ "status": "active", "against": lost })),
        ..Noted::default()
    });
    let mut seeds = rivals;
    seeds.insert(kept.as_str().to_owned());
    finish(store, work, ground, seeds).await
}

async fn finish(
    store: &SqlStore,
    mut work: sqlx::Transaction<'static, sqlx::Any>,
    mut ground: Ground,
    seeds: BTreeSet<String>,
) -> Result<Repaired, StoreError> {
    let repaired = rejudge(store, &mut work, &mut ground, (&seeds, "update")).await?;
    ground.close(store, &mut work).await?;
    work.commit().await?;
    Ok(repaired)
}

/// What a memory is disputed with; itself where it is only doubted.
async fn rivals(store: &SqlStore, work: &mut AnyConnection, id: &MemoryId) -> Result<BTreeSet<String>, StoreError> {
    let pairs: Vec<Pair> = sql::many(work, store.text(&OPEN), vec![Arg::from(id.as_str())]).await?;
    let other = |pair: Pair| match pair.with {
        Some(with) if pair.memory == id.as_str() => with,
        Some(_) | None => pair.memory,
    };
    Ok(pairs.into_iter().map(other).collect())
}

/// Open disputes of a namespace, both sides shown, newest first.
pub(super) async fn disputes(
    store: &SqlStore,
    (namespace, owner): (&str, Option<&Owner>),
    page: &PageRequest,
) -> Result<Page<Dispute>, StoreError> {
    #[derive(Deserialize)]
    struct Stored {
        memory: StoredMemory,
        with: Option<String>,
        opened_at: i64,
    }
    let mut query = Query::new(concat!(
        "SELECT CAST({object}('memory', ",
        memory_json!(),
        ", 'with', d.with_id, 'opened_at', d.opened_at) AS TEXT) FROM ",
        memory_from!(),
        " JOIN disputes d ON d.memory_id = m.memory_id
        WHERE d.settled_at IS NULL AND m.status = 'disputed' AND m.deleted_at IS NULL AND (d.with_id IS NULL OR EXISTS (
            SELECT 1 FROM memories w WHERE w.memory_id = d.with_id AND w.status = 'disputed' AND w.deleted_at IS NULL))"
    ));
    query.with(" AND m.namespace = ?", namespace.into());
    if let Some(owner) = owner {
        let (kind, id) = kind_and_id(owner);
        query.with(" AND c.owner_kind = ?", kind.into());
        query.with(" AND c.owner = ?", id.into());
    }
    let id = "(d.memory_id || coalesce(d.with_id, ''))";
    query.newest_first(("d.opened_at", id), &Place::after(page)?, page);
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stored: Vec<Stored> = sql::many(&mut connection, query.sql(store.dialect), query.args).await?;
    drop(connection);
    let page = list::page(stored, page, |row| Place {
        at: row.opened_at,
        id: format!("{}{}", row.memory.row.memory_id, row.with.as_deref().unwrap_or_default()),
    });
    let mut items = Vec::new();
    for Stored { memory: one, with, opened_at } in page.items {
        let other = match with {
            Some(id) => memory::memory(store, namespace, &crate::stored_memory::parsed("with_id", id)?).await?,
            None => None,
        };
        items.push(Dispute { memory: one.into_memory()?, with: other, opened_at: utc(opened_at)? });
    }
    Ok(Page { items, next_cursor: page.next_cursor })
}

/// Notes what somebody thought of a memory; it changes nothing.
pub(super) async fn feedback(
    store: &SqlStore,
    (namespace, id): (&str, &MemoryId),
    feedback: Feedback,
    deed: &Deed,
) -> Result<(), StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, id).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let memory = live(store, &mut work, namespace, id).await?;
    ground.note(Noted {
        event: "feedback",
        memory: Some(memory.id.as_str()),
        after: Some(json!({ "feedback": feedback })),
        ..Noted::default()
    });
    ground.close(store, &mut work).await?;
    Ok(work.commit().await?)
}

/// Notes that memories were read; how many were there.
pub(super) async fn touch(store: &SqlStore, namespace: &str, ids: &[MemoryId]) -> Result<u64, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let touched = sql::execute(&mut work, store.text(&TOUCH), vec![Arg::from(namespace), sql::json(&ids)?]).await?;
    work.commit().await?;
    Ok(touched)
}
