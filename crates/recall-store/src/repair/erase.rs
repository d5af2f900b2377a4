//! Erasing a person: one transaction over every table that holds words or ids of theirs, a receipt, and keyed hashes that keep what was
//! said before away. The person can come back.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::call::Call;
use recall_core::keys::{Key, KeyRing};
use recall_core::scope::{Owner, Scope};
use serde::Deserialize;
use serde_json::json;
use sqlx::AnyConnection;

use super::ground::{self, Noted};
use super::suppressed::kind_and_id;
use super::{accounts, owners, speakers};
use crate::deed::{Actor, Deed, Execution};
use crate::dialect::Statement as Sql;
use crate::erasure::{Erasure, Receipt, Rows};
use crate::fence::Reach;
use crate::sql::{self, Arg};
use crate::stored_memory::utc;
use crate::{SqlStore, StoreError, bindings};

/// Rows of a table that hang on the memories of the scopes; found by the memory, which every such table is ordered by.
macro_rules! of_memories {
    ($table:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " WHERE memory_id IN (SELECT m.memory_id FROM memories m WHERE m.scope_id {in numbers $1})"
        )
    };
}

/// What holds personal data in each table, and how it goes. `$1` is the list of the person's scopes.
pub(crate) static STEPS: [(&str, Sql); 20] = [
    ("disputes", Sql::new(of_memories!("disputes"))),
    ("swapped_places", Sql::new(of_memories!("swapped_places"))),
    ("staged_calls", Sql::new("DELETE FROM staged_calls WHERE scope_id {in numbers $1}")),
    ("statements", Sql::new(of_memories!("statements"))),
    ("sources", Sql::new(of_memories!("sources"))),
    ("memories", Sql::new("DELETE FROM memories WHERE scope_id {in numbers $1}")),
    (
        "effects",
        Sql::new(
            "DELETE FROM effects WHERE trace_id IN (SELECT r.trace_id FROM runs r WHERE r.scope_id {in numbers $1})",
        ),
    ),
    ("names_said", Sql::new("DELETE FROM names_said WHERE scope_id {in numbers $1}")),
    ("entity_merges", Sql::new("DELETE FROM entity_merges WHERE scope_id {in numbers $1}")),
    (
        "entity_aliases",
        Sql::new(
            "DELETE FROM entity_aliases WHERE entity_id IN
                (SELECT e.entity_id FROM entities e WHERE e.scope_id {in numbers $1})",
        ),
    ),
    ("entities", Sql::new("DELETE FROM entities WHERE scope_id {in numbers $1}")),
    ("suppressions", Sql::new("DELETE FROM suppressions WHERE scope_id {in numbers $1}")),
    (
        "turns",
        Sql::new(
            "DELETE FROM turns WHERE session_pk IN (SELECT s.session_pk FROM sessions s WHERE s.scope_id {in numbers $1})",
        ),
    ),
    (
        "run_details",
        Sql::new(
            "DELETE FROM run_details WHERE trace_id IN (SELECT r.trace_id FROM runs r WHERE r.scope_id {in numbers $1})",
        ),
    ),
    (
        "spans",
        Sql::new(
            "DELETE FROM spans WHERE trace_id IN (SELECT r.trace_id FROM runs r WHERE r.scope_id {in numbers $1})",
        ),
    ),
    ("batch_sessions", Sql::new("DELETE FROM batch_sessions WHERE scope_id {in numbers $1}")),
    (
        "batch_turns",
        Sql::new(
            "DELETE FROM batch_turns WHERE session_pk IN
                (SELECT s.session_pk FROM sessions s WHERE s.scope_id {in numbers $1})",
        ),
    ),
    (
        "sessions",
        Sql::new(
            "UPDATE sessions SET session_id = 'erased ' || session_pk, last_turns = '[]', ring = '[]'
            WHERE scope_id {in numbers $1}",
        ),
    ),
    (
        "audit",
        Sql::new(
            "UPDATE audit SET before = {redacted before}, after = {redacted after}, verdict = {redacted verdict},
                reason = NULL, actor = CASE WHEN actor LIKE 'user:%' THEN 'user:erased' ELSE actor END
            WHERE scope_id {in numbers $1}",
        ),
    ),
    (
        "scopes",
        Sql::new(
            "UPDATE scopes SET key = 'erased ' || scope_id, owner = 'erased', agent = '' WHERE scope_id {in numbers $1}",
        ),
    ),
];

/// What waits or holds ids under the name of the owner. `$1` is the namespace, `$2` the owner, `$3` the keys of their scopes.
pub(crate) static WAITING: [(&str, Sql); 2] = [
    ("dead_letters", Sql::new("DELETE FROM dead_letters WHERE namespace = $1 AND owner = $2 AND $3 = $3")),
    ("bindings", Sql::new("DELETE FROM bindings WHERE namespace = $1 AND (holder = $2 OR holder {in texts $3})")),
];

/// What a person did in another's scope, as an admin of an account: who it was leaves the log, what was done stays.
/// `$1` is the namespace, `$2` the actor.
pub(crate) static ACTED: Sql =
    Sql::new("UPDATE audit SET actor = 'user:erased' WHERE namespace = $1 AND actor = $2 AND actor LIKE 'user:%'");

/// Parked calls of an owner, which go before their attempts, as everywhere.
pub(crate) static PARKED: Sql = Sql::new(
    "DELETE FROM parked WHERE namespace = $1 AND owner = $2 RETURNING CAST({object}('trace', trace_id) AS TEXT)",
);

pub(crate) static ATTEMPTS: Sql = Sql::new("DELETE FROM attempts WHERE trace_id {in texts $1}");

/// The scopes of an owner.
pub(crate) static SCOPES: Sql = Sql::new(
    "SELECT CAST({object}('scope_id', c.scope_id, 'key', c.key) AS TEXT) FROM scopes c
    WHERE c.namespace = $1 AND c.owner_kind = $2 AND c.owner = $3",
);

pub(crate) static TOMBSTONE: Sql = Sql::new(
    "INSERT INTO erasures (owner_hash, key_id, erased_at) VALUES ($1, $2, {now})
    ON CONFLICT (owner_hash) DO UPDATE SET erased_at = excluded.erased_at
    RETURNING CAST({object}('erased_at', erased_at) AS TEXT)",
);

/// When the owner of these hashes was erased last.
pub(crate) static ERASED: Sql =
    Sql::new("SELECT CAST(count(*) AS TEXT) FROM erasures e WHERE e.owner_hash {in texts $1} AND e.erased_at >= $2");

#[derive(Deserialize)]
struct OfOwner {
    scope_id: i64,
    key: String,
}

#[derive(Deserialize)]
struct Gone {
    trace: String,
}

#[derive(Deserialize)]
struct Erased {
    erased_at: i64,
}

/// The hash that stays of an owner.
fn owner_hash(key: &Key, namespace: &str, owner: &Owner) -> String {
    let (kind, id) = kind_and_id(owner);
    key.fingerprint(&["erased owner", namespace, kind, id])
}

/// Every hash that may stay of the owner of a scope.
pub(crate) fn owner_hashes(keys: &KeyRing, scope: &Scope) -> Vec<String> {
    keys.all().map(|key| owner_hash(key, scope.namespace(), scope.owner())).collect()
}

/// Whether the person of a call was erased after it was accepted.
pub(crate) async fn is_erased(store: &SqlStore, work: &mut AnyConnection, call: &Call) -> Result<bool, StoreError> {
    let args = vec![sql::json(&owner_hashes(&store.keys, &call.scope))?, Arg::Number(call.erasable_since())];
    let erased: Option<i64> = sql::one(work, store.text(&ERASED), args).await?;
    Ok(erased.unwrap_or_default() > 0)
}

/// Erases an owner.
pub(super) async fn erase(
    store: &SqlStore,
    (namespace, erasure): (&str, &Erasure),
    deed: &Deed,
) -> Result<Receipt, StoreError> {
    let (owner, speakers, deed) = (&erasure.owner, erasure.speakers(), deed.erasing(&erasure.owner));
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let (kind, id) = kind_and_id(owner);
    owners::hold(store, &mut work, (namespace, owner, &speakers)).await?;
    let args = vec![Arg::from(namespace), Arg::from(kind), Arg::from(id)];
    let scopes: Vec<OfOwner> = sql::many(&mut work, store.text(&SCOPES), args).await?;
    let spoken = accounts::spoken_in(store, &mut work, (namespace, &speakers)).await?;
    let own = scopes.iter().map(|scope| scope.scope_id);
    let mut grounds = BTreeMap::new();
    for scope_id in own.chain(spoken.keys().copied()).collect::<BTreeSet<i64>>() {
        grounds.insert(scope_id, ground::lock(store, &mut work, scope_id, &deed).await?);
    }
    let rows = take(store, &mut work, (namespace, owner), &scopes).await?;
    let accounts = accounts::take(store, &mut work, (namespace, &speakers), (spoken, &mut grounds)).await?;
    speakers::silence(store, &mut work, (namespace, &speakers)).await?;
    let key = store.keys.current();
    let hash = owner_hash(key, namespace, owner);
    let args = vec![Arg::from(hash.as_str()), Arg::from(key.id())];
    let erased: Option<Erased> = sql::one(&mut work, store.text(&TOMBSTONE), args).await?;
    let erased_at = erased.ok_or_else(|| StoreError::Corrupt("tombstone without a row".into()))?.erased_at;
    for scope in &scopes {
        let Some(ground) = grounds.get_mut(&scope.scope_id) else { continue };
        ground.note(Noted { event: "erase", after: Some(json!({ "rows": rows })), ..Noted::default() });
    }
    if scopes.is_empty() {
        ground::note_alone(store, &mut work, (namespace, &hash, erased_at), &deed).await?;
    }
    for ground in grounds.into_values() {
        ground.close(store, &mut work).await?;
    }
    let receipt = Receipt { rows, accounts, erased_at: utc(erased_at)? };
    match erasure.execution {
        Execution::Real => {
            work.commit().await?;
            store.scrub().await;
        }
        // All of it was done to tell what it comes to, and none of it stays.
        Execution::DryRun => work.rollback().await?,
    }
    Ok(receipt)
}

async fn take(
    store: &SqlStore,
    work: &mut AnyConnection,
    (namespace, owner): (&str, &Owner),
    scopes: &[OfOwner],
) -> Result<Rows, StoreError> {
    let mut rows = Rows::new();
    let keys: Vec<&str> = scopes.iter().map(|scope| scope.key.as_str()).collect();
    let args = vec![Arg::from(namespace), Arg::Text(bindings::holder(owner))];
    let parked: Vec<Gone> = sql::many(work, store.text(&PARKED), args).await?;
    let traces: Vec<&str> = parked.iter().map(|gone| gone.trace.as_str()).collect();
    let attempts = sql::execute(work, store.text(&ATTEMPTS), vec![sql::json(&traces)?]).await?;
    rows.extend([("parked".to_owned(), traces.len() as u64), ("attempts".to_owned(), attempts)]);
    for (table, statement) in &WAITING {
        let args = vec![Arg::from(namespace), Arg::Text(bindings::holder(owner)), sql::json(&keys)?];
        rows.insert((*table).to_owned(), sql::execute(work, store.text(statement), args).await?);
    }
    let ids: Vec<i64> = scopes.iter().map(|scope| scope.scope_id).collect();
    for (table, statement) in &STEPS {
        rows.insert((*table).to_owned(), sql::execute(work, store.text(statement), vec![sql::json(&ids)?]).await?);
    }
    if let Owner::User(id) = owner {
        let args = vec![Arg::from(namespace), Arg::Text(Actor::User(id.clone()).to_string())];
        *rows.entry("audit".to_owned()).or_default() += sql::execute(work, store.text(&ACTED), args).await?;
    }
    Ok(rows)
}
