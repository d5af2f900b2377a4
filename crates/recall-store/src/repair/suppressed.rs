//! Suppressed claims: shown, added by hand, lifted, and tried on a text.

use recall_core::claim::{self, HashedPart, Statement, subject_of, suppression_of};
use recall_core::entity::{USER, user_entity};
use recall_core::id::{EntityId, SuppressionId};
use recall_core::scope::{Owner, Scope};
use recall_core::text::fold;
use serde::Deserialize;
use serde_json::json;
use sqlx::AnyConnection;

use super::delete::suppress;
use super::ground::{self, Noted};
use crate::deed::{Deed, SuppressionEntry};
use crate::dialect::Statement as Sql;
use crate::fence::Reach;
use crate::list::{self, Place, Query};
use crate::record::{Page, PageRequest};
use crate::sql::{self, Arg};
use crate::stored_memory::utc;
use crate::table::{Json, row};
use crate::{SqlStore, StoreError, neighbours};

row! {
    /// A claim that was deleted, as keyed hashes.
    SuppressionRow: "suppressions", "" {
        suppression_id: String,
        scope_id: i64,
        entities: Json<Vec<EntityId>>,
        polarity: String,
        attribute: String,
        parts: Json<Vec<HashedPart>>,
        normaliser: i64,
        key_id: String,
        created_at: i64,
    }
}

/// The row of a scope, made where it is not there.
pub(crate) static ENSURE: Sql = Sql::new(
    "INSERT INTO scopes (key, namespace, owner_kind, owner, agent, revision, created_at)
    VALUES ($1, $2, $3, $4, $5, 0, {now}) ON CONFLICT (key) DO UPDATE SET revision = scopes.revision
    RETURNING CAST({object}('scope_id', scope_id) AS TEXT)",
);

pub(crate) static SCOPE_OF: Sql =
    Sql::new("SELECT CAST({object}('scope_id', c.scope_id) AS TEXT) FROM scopes c WHERE c.key = $1");

/// The entity of a scope that bears a name.
pub(crate) static BEARER: Sql = Sql::new(
    "SELECT CAST({object}('id', e.entity_id) AS TEXT) FROM entities e WHERE e.scope_id = $1 AND e.merged_into IS NULL
        AND e.waits = 0 AND (($3 = 'user' AND e.kind = 'user') OR e.name_key = $2
            OR EXISTS (SELECT 1 FROM entity_aliases a WHERE a.entity_id = e.entity_id AND a.alias_key = $2))",
);

pub(crate) static LIFT: Sql =
    Sql::new("UPDATE suppressions SET lifted_at = $2 WHERE suppression_id = $1 AND lifted_at IS NULL");

pub(crate) static WHERE_SUPPRESSED: Sql = Sql::new(
    "SELECT CAST({object}('scope_id', p.scope_id) AS TEXT) FROM suppressions p
    JOIN scopes c ON c.scope_id = p.scope_id WHERE p.suppression_id = $1 AND c.namespace = $2",
);

/// Whether what has this id is of an owner; ids of every kind begin with letters of their own.
pub(crate) static IS_OF: Sql = Sql::new(
    "SELECT CAST(count(*) AS TEXT) FROM scopes c WHERE c.namespace = $1 AND c.owner_kind = $2 AND c.owner = $3
        AND c.scope_id IN (SELECT m.scope_id FROM memories m WHERE m.memory_id = $4
            UNION ALL SELECT e.scope_id FROM entities e WHERE e.entity_id = $4
            UNION ALL SELECT p.scope_id FROM suppressions p WHERE p.suppression_id = $4
            UNION ALL SELECT r.scope_id FROM runs r WHERE r.trace_id = $4)",
);

#[derive(Deserialize)]
pub(super) struct ScopeId {
    pub(super) scope_id: i64,
}

#[derive(Deserialize)]
struct Bearer {
    id: EntityId,
}

#[derive(Deserialize)]
struct Stored {
    id: SuppressionId,
    entities: Vec<EntityId>,
    names: Option<Vec<String>>,
    polarity: String,
    created_at: i64,
    lifted_at: Option<i64>,
}

/// Suppressed claims of a namespace, newest first, lifted ones included.
pub(super) async fn list(
    store: &SqlStore,
    namespace: &str,
    owner: &Owner,
    page: &PageRequest,
) -> Result<Page<SuppressionEntry>, StoreError> {
    let mut query = Query::new(
        "SELECT CAST({object}('id', p.suppression_id, 'entities', {json}(p.entities),
            'names', {json}((SELECT {array}(e.name) FROM entities e WHERE e.scope_id = p.scope_id
                AND e.entity_id {in texts p.entities})),
            'polarity', p.polarity, 'created_at', p.created_at, 'lifted_at', p.lifted_at) AS TEXT)
        FROM suppressions p JOIN scopes c ON c.scope_id = p.scope_id",
    );
    query.with(" WHERE c.namespace = ?", namespace.into());
    let (kind, id) = kind_and_id(owner);
    query.with(" AND c.owner_kind = ?", kind.into());
    query.with(" AND c.owner = ?", id.into());
    query.newest_first(("p.created_at", "p.suppression_id"), &Place::after(page)?, page);
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stored: Vec<Stored> = sql::many(&mut connection, query.sql(store.dialect), query.args).await?;
    let entries = stored.into_iter().map(Stored::into_entry).collect::<Result<Vec<_>, _>>()?;
    Ok(list::page(entries, page, |entry| Place {
        at: entry.created_at.microseconds(),
        id: entry.suppression_id.as_str().to_owned(),
    }))
}

impl Stored {
    fn into_entry(self) -> Result<SuppressionEntry, StoreError> {
        let Self { id, entities, names, polarity, created_at, lifted_at } = self;
        Ok(SuppressionEntry {
            suppression_id: id,
            entities,
            names: names.unwrap_or_default(),
            polarity,
            created_at: utc(created_at)?,
            lifted_at: lifted_at.map(utc).transpose()?,
        })
    }
}

/// Suppresses what a sentence claims. Where nobody bears the name of its subject, whoever it is about.
pub(super) async fn add(
    store: &SqlStore,
    (scope, sentence): (&Scope, &str),
    deed: &Deed,
) -> Result<SuppressionId, StoreError> {
    let mut work = store.begin(Reach::Tenant(scope.namespace())).await?;
    let scope_id = ensure(store, &mut work, scope).await?;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let subject = subject_of(sentence);
    let entities = bearers(store, &mut work, (scope, scope_id), &subject).await?;
    let id = SuppressionId::new(ground.fresh("suppression", 0));
    let statement = Statement::sentence(sentence, &subject);
    let entry = suppression_of(&statement, entities, store.keys.current(), id.clone());
    suppress(store, &mut work, &mut ground, &[entry]).await?;
    ground.close(store, &mut work).await?;
    work.commit().await?;
    Ok(id)
}

/// Lets a claim be learnt again.
pub(super) async fn lift(
    store: &SqlStore,
    (namespace, id): (&str, &SuppressionId),
    deed: &Deed,
) -> Result<(), StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let args = vec![Arg::from(id.as_str()), Arg::from(namespace)];
    let found: Option<ScopeId> = sql::one(&mut work, store.text(&WHERE_SUPPRESSED), args).await?;
    let scope_id = found.ok_or(StoreError::Missing("suppressed claim"))?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let args = vec![Arg::from(id.as_str()), Arg::Number(ground.now)];
    if sql::execute(&mut work, store.text(&LIFT), args).await? > 0 {
        ground.note(Noted { event: "lift", after: Some(json!({ "suppression_id": id })), ..Noted::default() });
        ground.close(store, &mut work).await?;
        work.commit().await?;
    }
    Ok(())
}

/// The entry that would keep a sentence from being remembered.
pub(super) async fn test(store: &SqlStore, scope: &Scope, sentence: &str) -> Result<Option<SuppressionId>, StoreError> {
    let mut connection = store.reader(Reach::Tenant(scope.namespace())).await?;
    let args = vec![Arg::Text(scope.key())];
    let found: Option<ScopeId> = sql::one(&mut connection, store.text(&SCOPE_OF), args).await?;
    let Some(ScopeId { scope_id }) = found else { return Ok(None) };
    let suppressed = neighbours::suppressions(store, &mut connection, scope_id).await?;
    let subject = subject_of(sentence);
    let about = bearers(store, &mut connection, (scope, scope_id), &subject).await?;
    let statement = Statement::sentence(sentence, &subject);
    Ok(claim::known_again(&statement, &about, &suppressed, &store.keys).map(|entry| entry.id.clone()))
}

/// Whether what has this id is of an owner.
pub(super) async fn is_of(store: &SqlStore, (namespace, owner): (&str, &Owner), id: &str) -> Result<bool, StoreError> {
    let (kind, owner) = kind_and_id(owner);
    let args = vec![Arg::from(namespace), Arg::from(kind), Arg::from(owner), Arg::from(id)];
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let count: Option<i64> = sql::one(&mut connection, store.text(&IS_OF), args).await?;
    Ok(count.unwrap_or_default() > 0)
}

/// The row of a scope, made where it is not there.
pub(super) async fn ensure(store: &SqlStore, work: &mut AnyConnection, scope: &Scope) -> Result<i64, StoreError> {
    let (kind, owner) = kind_and_id(scope.owner());
    let args = vec![
        Arg::Text(scope.key()),
        Arg::from(scope.namespace()),
        Arg::from(kind),
        Arg::from(owner),
        Arg::from(scope.agent_id().unwrap_or_default()),
    ];
    let made: Option<ScopeId> = sql::one(work, store.text(&ENSURE), args).await?;
    made.map(|made| made.scope_id).ok_or_else(|| StoreError::Corrupt("upsert without a row".into()))
}

/// Who bears a name in a scope. Its owner is known before anything is known of them.
async fn bearers(
    store: &SqlStore,
    work: &mut AnyConnection,
    (scope, scope_id): (&Scope, i64),
    name: &str,
) -> Result<Vec<EntityId>, StoreError> {
    let folded = fold(name);
    let args = vec![Arg::Number(scope_id), Arg::from(folded.as_str()), Arg::from(folded.as_str())];
    let found: Vec<Bearer> = sql::many(work, store.text(&BEARER), args).await?;
    let unknown_owner = (found.is_empty() && folded == USER).then(|| user_entity(scope, store.keys.lasting()));
    Ok(found.into_iter().map(|bearer| bearer.id).chain(unknown_owner).collect())
}

/// An owner as columns.
pub(super) fn kind_and_id(owner: &Owner) -> (&'static str, &str) {
    match owner {
        Owner::User(id) => ("user", id),
        Owner::Account(id) => ("account", id),
    }
}
