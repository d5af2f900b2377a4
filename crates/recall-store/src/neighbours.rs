//! One snapshot of a scope: a single statement, so that epoch, entities, suppressions and memories belong together.

use recall_core::candidate::Polarity;
use recall_core::claim::{HashedPart, Suppression};
use recall_core::context::{Near, NearKeys};
use recall_core::entity::{Entity, EntityKind};
use recall_core::id::{BatchId, EntityId, SuppressionId};
use recall_core::scope::Scope;
use serde::Deserialize;
use sqlx::AnyConnection;

use crate::dialect::Statement;
use crate::sql::{self, Arg};
use crate::stored_memory::{StoredMemory, memory_from, memory_json};
use crate::{SqlStore, StoreError};

/// The suppressed claims of a scope `p`.
macro_rules! suppressions_json {
    () => {
        "{array}({object}('id', p.suppression_id, 'entities', {json}(p.entities), 'polarity', p.polarity,
            'attribute', p.attribute, 'parts', {json}(p.parts), 'normaliser', p.normaliser, 'key_id', p.key_id)
            ORDER BY p.suppression_id)"
    };
}

pub(crate) static SUPPRESSIONS: Statement = Statement::new(concat!(
    "SELECT CAST(",
    suppressions_json!(),
    " AS TEXT) FROM suppressions p WHERE p.scope_id = $1 AND p.lifted_at IS NULL"
));

pub(crate) static NEIGHBOURS: Statement = Statement::new(concat!(
    "SELECT CAST({object}(
        'revision', scope.revision,
        'entities', {json}((SELECT {array}({object}('id', e.entity_id, 'name', e.name, 'kind', e.kind,
                'aliases', {json}((SELECT {array}(a.alias ORDER BY a.alias_key) FROM entity_aliases a
                    WHERE a.entity_id = e.entity_id)),
                'of_run', {json}((SELECT {array}(g.name ORDER BY g.name_key) FROM names_said g
                    JOIN staged_calls y ON y.trace_id = g.trace_id
                    WHERE $4 <> '' AND y.batch = $4 AND g.entity_id = e.entity_id AND g.kind IS NULL))) ORDER BY e.entity_id)
            FROM entities e WHERE e.scope_id = scope.scope_id AND e.merged_into IS NULL
                AND (e.waits = 0 OR EXISTS (SELECT 1 FROM names_said g JOIN staged_calls y ON y.trace_id = g.trace_id
                    WHERE $4 <> '' AND y.batch = $4 AND g.entity_id = e.entity_id)))),
        'hidden', {json}((SELECT {array}({object}('id', h.entity_id, 'name_key', h.name_key)) FROM entities h
            WHERE h.scope_id = scope.scope_id AND h.merged_into IS NULL AND h.waits = 1)),
        'suppressions', {json}((SELECT ",
    suppressions_json!(),
    "
            FROM suppressions p WHERE p.scope_id = scope.scope_id AND p.lifted_at IS NULL)),
        'memories', {json}((SELECT {array}(",
    memory_json!(),
    " ORDER BY m.created_at, m.memory_id) FROM ",
    memory_from!(),
    " WHERE m.scope_id = scope.scope_id AND m.deleted_at IS NULL
                AND (m.attribute {in texts $2} OR m.claim_key {in texts $3})))
    ) AS TEXT) FROM scopes scope WHERE scope.key = $1",
));

#[derive(Deserialize)]
struct Answer {
    revision: i64,
    entities: Option<Vec<StoredEntity>>,
    hidden: Option<Vec<HiddenEntity>>,
    suppressions: Option<Vec<StoredSuppression>>,
    memories: Option<Vec<StoredMemory>>,
}

#[derive(Deserialize)]
struct StoredEntity {
    id: EntityId,
    name: String,
    kind: EntityKind,
    aliases: Option<Vec<String>>,
    /// Other names that the asking run gives it.
    of_run: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct HiddenEntity {
    id: EntityId,
    name_key: String,
}

#[derive(Deserialize)]
struct StoredSuppression {
    id: SuppressionId,
    entities: Vec<EntityId>,
    polarity: Polarity,
    attribute: String,
    parts: Vec<HashedPart>,
    normaliser: u32,
    key_id: String,
}

/// One snapshot of a scope. Its `epoch` is the revision of the scope: a commit is stale where something it touches has a
/// later one.
pub(crate) async fn neighbours(store: &SqlStore, scope: &Scope, keys: &NearKeys) -> Result<Near, StoreError> {
    near(store, scope, (keys, "")).await
}

/// One snapshot of a scope for a call that stands beside it: no memory, and besides what everybody knows the entities of its run.
pub(crate) async fn staged(store: &SqlStore, scope: &Scope, batch: &BatchId) -> Result<Near, StoreError> {
    near(store, scope, (&NearKeys::default(), batch.as_str())).await
}

async fn near(store: &SqlStore, scope: &Scope, (keys, batch): (&NearKeys, &str)) -> Result<Near, StoreError> {
    let args = vec![Arg::Text(scope.key()), sql::json(&keys.attributes)?, sql::json(&keys.claims)?, Arg::from(batch)];
    let Some(answer) = store.one_of_tenant::<Answer>(&NEIGHBOURS, scope.namespace(), args).await? else {
        return Ok(Near::default());
    };
    let memories = answer.memories.unwrap_or_default().into_iter().map(StoredMemory::into_memory);
    Ok(Near {
        epoch: answer.revision,
        entities: answer.entities.unwrap_or_default().into_iter().map(StoredEntity::into_entity).collect(),
        hidden: answer.hidden.unwrap_or_default().into_iter().map(|hidden| (hidden.name_key, hidden.id)).collect(),
        suppressions: answer.suppressions.unwrap_or_default().into_iter().map(Suppression::from).collect(),
        memories: memories.collect::<Result<_, _>>()?,
    })
}

/// The suppressed claims of a scope that are in force.
pub(crate) async fn suppressions(
    store: &SqlStore,
    connection: &mut AnyConnection,
    scope_id: i64,
) -> Result<Vec<Suppression>, StoreError> {
    let stored: Option<Vec<StoredSuppression>> =
        sql::one(connection, store.text(&SUPPRESSIONS), vec![Arg::Number(scope_id)]).await?;
    Ok(stored.unwrap_or_default().into_iter().map(Suppression::from).collect())
}

impl StoredEntity {
    fn into_entity(self) -> Entity {
        let names = [self.aliases, self.of_run].into_iter().flatten().flatten();
        Entity { id: self.id, name: self.name, kind: self.kind, aliases: names.collect() }
    }
}

impl From<StoredSuppression> for Suppression {
    fn from(row: StoredSuppression) -> Self {
        let StoredSuppression { id, entities, polarity, attribute, parts, normaliser, key_id } = row;
        Self { id, entities, polarity, attribute, parts, normaliser, key_id }
    }
}
