//! People and things memories are about: listed, renamed, suspected to be one, made one, and taken apart again.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::entity::EntityKind;
use recall_core::id::EntityId;
use recall_core::scope::Owner;
use recall_core::text::fold;
use serde::Deserialize;
use serde_json::json;
use sqlx::AnyConnection;

use super::ground::{self, Ground, Noted, insert};
use super::suppressed::kind_and_id;
use crate::deed::Deed;
use crate::dialect::Statement as Sql;
use crate::entities::{AliasRow, EntityEntry, EntityPatch, Suspicion};
use crate::fence::Reach;
use crate::list::{self, Place, Query};
use crate::record::{Page, PageRequest};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// From this similarity of names on two entities of one kind may be one.
const ALIKE: f64 = 0.85;
/// Memories both have together at least, so that it is worth a look.
const ENOUGH: u64 = 5;
/// Entities of one owner that are compared.
const MOST: i64 = 5000;

/// An entity `e` of a scope `c`.
macro_rules! entity_json {
    () => {
        "{object}('id', e.entity_id, 'scope_id', e.scope_id, 'name', e.name, 'kind', e.kind, 'merged_into', e.merged_into,
            'created_at', e.created_at,
            'aliases', {json}((SELECT {array}(a.alias ORDER BY a.alias_key) FROM entity_aliases a
                WHERE a.entity_id = e.entity_id)),
            'memories', (SELECT count(*) FROM memories m WHERE m.deleted_at IS NULL AND m.scope_id = e.scope_id
                AND (m.subject_id = e.entity_id OR m.object_id = e.entity_id)))"
    };
}

pub(crate) static ENTITY: Sql = Sql::new(concat!(
    "SELECT CAST(",
    entity_json!(),
    " AS TEXT) FROM entities e JOIN scopes c ON c.scope_id = e.scope_id WHERE e.entity_id = $1 AND c.namespace = $2 AND e.waits = 0"
));

pub(crate) static RENAME: Sql = Sql::new(
    "UPDATE entities SET name = $2, name_key = $3, kind = $4,
        by_hand = CASE WHEN name <> $2 OR kind <> $4 THEN 1 ELSE by_hand END WHERE entity_id = $1",
);

pub(crate) static BEARS: Sql = Sql::new(
    "SELECT CAST(count(*) AS TEXT) FROM entities e WHERE e.scope_id = $1 AND e.merged_into IS NULL AND e.waits = 0
        AND e.entity_id <> $2 AND (e.name_key = $3 OR EXISTS (SELECT 1 FROM entity_aliases a
            WHERE a.entity_id = e.entity_id AND a.alias_key = $3))",
);

pub(crate) static DROP_ALIASES: Sql =
    Sql::new("DELETE FROM entity_aliases WHERE entity_id = $1 AND alias_key {in texts $2}");

/// Other names that a person took from an entity are not worked out again, whoever said them.
pub(crate) static UNSAY: Sql = Sql::new(
    "DELETE FROM names_said WHERE name_key {in texts $2} AND ((entity_id = $1 AND kind IS NULL)
        OR entity_id IN (SELECT e.entity_id FROM entities e WHERE e.merged_into = $1))",
);

/// An entity as it is stored.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Stored {
    pub(super) id: EntityId,
    pub(super) scope_id: i64,
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) merged_into: Option<EntityId>,
    created_at: i64,
    pub(super) aliases: Option<Vec<String>>,
    memories: u64,
}

impl Stored {
    /// Every name it bears.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.name).chain(self.aliases.iter().flatten())
    }

    fn into_entry(self) -> EntityEntry {
        EntityEntry {
            entity_id: self.id,
            name: self.name,
            kind: self.kind,
            aliases: self.aliases.unwrap_or_default(),
            merged_into: self.merged_into,
            memories: self.memories,
        }
    }
}

/// An entity of a namespace.
pub(super) async fn find(
    store: &SqlStore,
    work: &mut AnyConnection,
    namespace: &str,
    id: &EntityId,
) -> Result<Stored, StoreError> {
    let args = vec![Arg::from(id.as_str()), Arg::from(namespace)];
    let found: Option<Stored> = sql::one(work, store.text(&ENTITY), args).await?;
    found.ok_or(StoreError::Missing("entity"))
}

fn of_owner(namespace: &str, owner: &Owner) -> Query {
    let mut query = Query::new(concat!(
        "SELECT CAST(",
        entity_json!(),
        " AS TEXT) FROM entities e JOIN scopes c ON c.scope_id = e.scope_id"
    ));
    query.with(" WHERE e.waits = 0 AND c.namespace = ?", namespace.into());
    let (kind, id) = kind_and_id(owner);
    query.with(" AND c.owner_kind = ?", kind.into());
    query.with(" AND c.owner = ?", id.into());
    query
}

/// Entities of an owner, newest first, merged ones included.
pub(super) async fn list(
    store: &SqlStore,
    (namespace, owner): (&str, &Owner),
    page: &PageRequest,
) -> Result<Page<EntityEntry>, StoreError> {
    let mut query = of_owner(namespace, owner);
    query.newest_first(("e.created_at", "e.entity_id"), &Place::after(page)?, page);
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stored: Vec<Stored> = sql::many(&mut connection, query.sql(store.dialect), query.args).await?;
    let page = list::page(stored, page, |row| Place { at: row.created_at, id: row.id.as_str().to_owned() });
    let items = page.items.into_iter().map(Stored::into_entry).collect();
    Ok(Page { items, next_cursor: page.next_cursor })
}

/// Pairs of an owner that may be one, most alike first.
pub(super) async fn suspected(store: &SqlStore, namespace: &str, owner: &Owner) -> Result<Vec<Suspicion>, StoreError> {
    let mut query = of_owner(namespace, owner);
    query.with(" AND e.merged_into IS NULL AND e.kind <> 'user' ORDER BY e.entity_id LIMIT ?", Arg::Number(MOST));
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stored: Vec<Stored> = sql::many(&mut connection, query.sql(store.dialect), query.args).await?;
    let mut groups: BTreeMap<(i64, String), Vec<Stored>> = BTreeMap::new();
    for one in stored {
        groups.entry((one.scope_id, one.kind.clone())).or_default().push(one);
    }
    let mut pairs = Vec::new();
    for group in groups.values() {
        for (at, one) in group.iter().enumerate() {
            let later = group.iter().skip(at + 1);
            pairs.extend(later.filter_map(|other| suspicion(one, other)));
        }
    }
    pairs.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
    Ok(pairs)
}

fn suspicion(one: &Stored, other: &Stored) -> Option<Suspicion> {
    if one.memories + other.memories < ENOUGH {
        return None;
    }
    let theirs: Vec<String> = other.names().map(|name| fold(name)).collect();
    let nearest = |name: String| theirs.iter().map(|other| strsim::jaro_winkler(&name, other)).fold(0.0, f64::max);
    let similarity = one.names().map(|name| nearest(fold(name))).fold(0.0, f64::max);
    let (entity, other) = if other.memories > one.memories { (other, one) } else { (one, other) };
    (similarity > ALIKE).then(|| Suspicion {
        entity: entity.clone().into_entry(),
        other: other.clone().into_entry(),
        similarity,
    })
}

/// Renames an entity, or changes its kind or other names.
pub(super) async fn update(
    store: &SqlStore,
    (namespace, id): (&str, &EntityId),
    patch: &EntityPatch,
    deed: &Deed,
) -> Result<EntityEntry, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, id).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let there = find(store, &mut work, namespace, id).await?;
    if there.merged_into.is_some() {
        return Err(StoreError::Conflict("the entity became part of another; take them apart first"));
    }
    if there.kind == EntityKind::User.as_str() {
        return Err(StoreError::Conflict("the owner of a memory has no other name"));
    }
    let name = patch.name.clone().unwrap_or_else(|| there.name.clone());
    let kind = patch.kind.map_or_else(|| there.kind.clone(), |kind| kind.as_str().to_owned());
    for new in patch.name.iter().chain(&patch.add_aliases) {
        is_free(store, &mut work, &there, new).await?;
    }
    let args = vec![Arg::from(id.as_str()), Arg::from(name.as_str()), Arg::Text(fold(&name)), Arg::Text(kind)];
    sql::execute(&mut work, store.text(&RENAME), args).await?;
    let dropped: BTreeSet<String> = patch.remove_aliases.iter().map(|alias| fold(alias)).collect();
    for statement in [&DROP_ALIASES, &UNSAY] {
        let args = vec![Arg::from(id.as_str()), sql::json(&dropped)?];
        sql::execute(&mut work, store.text(statement), args).await?;
    }
    insert(store, &mut work, &aliases(id, patch.add_aliases.iter())).await?;
    let now = find(store, &mut work, namespace, id).await?;
    note(
        &mut ground,
        "update",
        &there,
        json!({ "entity": &now.id, "name": now.name, "kind": now.kind, "aliases": now.aliases }),
    );
    ground.close(store, &mut work).await?;
    work.commit().await?;
    Ok(now.into_entry())
}

/// Refuses a name that another entity of the scope bears: two of one name are one, or one of them needs another name.
async fn is_free(store: &SqlStore, work: &mut AnyConnection, there: &Stored, name: &str) -> Result<(), StoreError> {
    let args = vec![Arg::Number(there.scope_id), Arg::from(there.id.as_str()), Arg::Text(fold(name))];
    let bearers: Option<i64> = sql::one(work, store.text(&BEARS), args).await?;
    match bearers {
        Some(0) | None => Ok(()),
        Some(_) => Err(StoreError::Conflict("another entity bears this name; merge the two instead")),
    }
}

/// Rows of other names that people gave.
pub(super) fn aliases<'n>(id: &EntityId, names: impl Iterator<Item = &'n String>) -> Vec<AliasRow> {
    let row = |name: &String| AliasRow {
        entity_id: id.as_str().to_owned(),
        alias_key: fold(name),
        alias: name.clone(),
        by_hand: 1,
    };
    let mut seen = BTreeSet::new();
    names.map(row).filter(|row| seen.insert(row.alias_key.clone())).collect()
}

/// Notes what happened to an entity.
pub(super) fn note(ground: &mut Ground, event: &str, before: &Stored, after: serde_json::Value) {
    let before = json!({ "entity": before.id, "name": before.name, "kind": before.kind, "aliases": before.aliases });
    ground.note(Noted { event, before: Some(before), after: Some(after), ..Noted::default() });
}
