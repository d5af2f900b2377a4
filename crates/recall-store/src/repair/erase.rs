//! Erasing a person: one transaction over every table that holds words or ids of theirs, a receipt, and a keyed hash that keeps calls
//! of before away. The person can come back.

use std::collections::BTreeMap;

use recall_core::call::Call;
use recall_core::keys::{Key, KeyRing};
use recall_core::scope::{Owner, Scope};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::{Any, AnyConnection, AssertSqlSafe, Transaction};

use super::ground::{self, Noted};
use super::suppressed::kind_and_id;
use crate::deed::{Actor, Deed, Receipt};
use crate::dialect::{Dialect, Statement as Sql};
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
pub(crate) static STEPS: [(&str, Sql); 19] = [
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

/// Commits of one owner go side by side and an erasure waits for them; those that come after it see its tombstone. Without it a
/// scope that is made while the erasure runs would be missed. SQLite has one writer anyhow.
static SHARE_OWNER: Sql = Sql::new("SELECT CAST(pg_advisory_xact_lock_shared($1) AS TEXT)");
static HOLD_OWNER: Sql = Sql::new("SELECT CAST(pg_advisory_xact_lock($1) AS TEXT)");

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

/// Keeps the owner of a scope from being erased until the transaction ends.
pub(crate) async fn share_owner(store: &SqlStore, work: &mut AnyConnection, scope: &Scope) -> Result<(), StoreError> {
    lock_owner(store, work, (&SHARE_OWNER, scope.namespace(), scope.owner())).await
}

/// A transaction of Postgres in which the owner of a scope cannot be erased. The lock travels with its beginning: one answer is waited
/// for, not two.
pub(crate) async fn begin_sharing_owner(
    store: &SqlStore,
    scope: &Scope,
) -> Result<Transaction<'static, Any>, StoreError> {
    let number = owner_number(scope.namespace(), scope.owner());
    let begin = Reach::Tenant(scope.namespace()).begin();
    let begin = format!("{begin}; SELECT pg_advisory_xact_lock_shared({number})");
    Ok(store.writing.begin_with(AssertSqlSafe(begin)).await?)
}

/// The number an owner is locked under.
fn owner_number(namespace: &str, owner: &Owner) -> i64 {
    let (kind, id) = kind_and_id(owner);
    let digest = Sha256::digest(format!("owner\u{1f}{namespace}\u{1f}{kind}\u{1f}{id}"));
    digest.iter().take(8).fold(0_i64, |sum, byte| (sum << 8) | i64::from(*byte))
}

async fn lock_owner(
    store: &SqlStore,
    work: &mut AnyConnection,
    (how, namespace, owner): (&'static Sql, &str, &Owner),
) -> Result<(), StoreError> {
    if store.dialect == Dialect::Postgres {
        sql::rows(work, store.text(how), vec![Arg::Number(owner_number(namespace, owner))]).await?;
    }
    Ok(())
}

/// Erases an owner.
pub(super) async fn erase(
    store: &SqlStore,
    (namespace, owner): (&str, &Owner),
    deed: &Deed,
) -> Result<Receipt, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    lock_owner(store, &mut work, (&HOLD_OWNER, namespace, owner)).await?;
    let (kind, id) = kind_and_id(owner);
    let args = vec![Arg::from(namespace), Arg::from(kind), Arg::from(id)];
    let mut scopes: Vec<OfOwner> = sql::many(&mut work, store.text(&SCOPES), args).await?;
    scopes.sort_by_key(|scope| scope.scope_id);
    let mut grounds = Vec::with_capacity(scopes.len());
    for scope in &scopes {
        grounds.push(ground::lock(store, &mut work, scope.scope_id, deed).await?);
    }
    let rows = take(store, &mut work, (namespace, owner), &scopes).await?;
    let key = store.keys.current();
    let args = vec![Arg::Text(owner_hash(key, namespace, owner)), Arg::from(key.id())];
    let erased: Option<Erased> = sql::one(&mut work, store.text(&TOMBSTONE), args).await?;
    let erased_at = erased.ok_or_else(|| StoreError::Corrupt("tombstone without a row".into()))?.erased_at;
    for mut ground in grounds {
        ground.note(Noted { event: "erase", after: Some(json!({ "rows": rows })), ..Noted::default() });
        ground.close(store, &mut work).await?;
    }
    work.commit().await?;
    store.scrub().await;
    Ok(Receipt { rows, erased_at: utc(erased_at)? })
}

async fn take(
    store: &SqlStore,
    work: &mut AnyConnection,
    (namespace, owner): (&str, &Owner),
    scopes: &[OfOwner],
) -> Result<BTreeMap<String, u64>, StoreError> {
    let mut rows = BTreeMap::new();
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
