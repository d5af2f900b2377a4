//! The ground of a repair: one scope locked and moved on, and the audit rows gathered for the end of the transaction.

use recall_core::id::AuditId;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::AnyConnection;
use ulid::Ulid;

use crate::deed::Deed;
use crate::dialect::{Dialect, Statement};
use crate::rows::AuditRow;
use crate::sql::{self, Arg};
use crate::table::{Json, Row};
use crate::{SqlStore, StoreError};

/// Locks a scope for the transaction and moves its epoch: what was judged on an older snapshot is judged again.
pub(crate) static LOCK: Statement = Statement::new(
    "UPDATE scopes SET revision = revision + 1, epoch = revision + 1 WHERE scope_id = $1
    RETURNING CAST({object}('scope_id', scope_id, 'namespace', namespace, 'revision', revision, 'now', {now})
        AS TEXT)",
);

/// A scope as it stands, not locked: for working out what a deed would change.
pub(crate) static LOOK: Statement = Statement::new(
    "SELECT CAST({object}('scope_id', scope_id, 'namespace', namespace, 'revision', revision, 'now', {now})
        AS TEXT) FROM scopes WHERE scope_id = $1",
);

/// A scope that is being repaired.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) scope_id: i64,
    pub(super) namespace: String,
    /// The revision this repair makes.
    pub(super) revision: i64,
    /// The database's clock, in microseconds.
    pub(super) now: i64,
    actor: String,
    reason: String,
    audit: Vec<AuditRow>,
}

#[derive(Deserialize)]
struct Locked {
    scope_id: i64,
    namespace: String,
    revision: i64,
    now: i64,
}

/// What an audit row of a repair says besides who, when and why.
#[derive(Debug, Default)]
pub(super) struct Noted<'a> {
    pub(super) event: &'a str,
    pub(super) memory: Option<&'a str>,
    pub(super) trace: Option<&'a str>,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
}

/// Locks a scope for a deed.
pub(super) async fn lock(
    store: &SqlStore,
    work: &mut AnyConnection,
    scope_id: i64,
    deed: &Deed,
) -> Result<Ground, StoreError> {
    ground(store, work, (&LOCK, scope_id), deed).await
}

/// Looks at a scope without locking it.
pub(super) async fn look(
    store: &SqlStore,
    work: &mut AnyConnection,
    scope_id: i64,
    deed: &Deed,
) -> Result<Ground, StoreError> {
    ground(store, work, (&LOOK, scope_id), deed).await
}

async fn ground(
    store: &SqlStore,
    work: &mut AnyConnection,
    (how, scope_id): (&'static Statement, i64),
    deed: &Deed,
) -> Result<Ground, StoreError> {
    let found: Option<Locked> = sql::one(work, store.text(how), vec![Arg::Number(scope_id)]).await?;
    let Locked { scope_id, namespace, revision, now } = found.ok_or(StoreError::Missing("scope"))?;
    let (actor, reason) = (deed.actor.to_string(), deed.reason.clone());
    Ok(Ground { scope_id, namespace, revision, now, actor, reason, audit: Vec::new() })
}

impl Ground {
    /// An id that no other repair makes: of this scope, this revision, this kind, this number.
    pub(super) fn fresh(&self, kind: &str, ordinal: usize) -> Ulid {
        id_at(self.now, &format!("{} {} {kind} {ordinal}", self.scope_id, self.revision))
    }

    /// Notes a change for the audit log.
    pub(super) fn note(&mut self, noted: Noted<'_>) {
        let audit_id = AuditId::new(self.fresh("audit", self.audit.len())).as_str().to_owned();
        self.audit.push(AuditRow {
            audit_id,
            event_type: noted.event.to_owned(),
            namespace: self.namespace.clone(),
            scope_id: Some(self.scope_id),
            memory_id: noted.memory.map(str::to_owned),
            actor: self.actor.clone(),
            trace_id: noted.trace.map(str::to_owned),
            at: self.now,
            reason: Some(self.reason.clone()),
            before: noted.before.map(Json),
            after: noted.after.map(Json),
            verdict: None,
        });
    }

    /// Writes the audit rows.
    pub(super) async fn close(self, store: &SqlStore, work: &mut AnyConnection) -> Result<(), StoreError> {
        insert(store, work, &self.audit).await
    }
}

fn id_at(now: i64, made_from: &str) -> Ulid {
    let digest = Sha256::digest(made_from);
    let random = digest.iter().take(16).fold(0, |sum, byte| (sum << 8) | u128::from(*byte));
    Ulid::from_parts(u64::try_from(now / 1000).unwrap_or_default(), random)
}

/// Writes that an owner of whom there is no scope was erased.
pub(super) async fn note_alone(
    store: &SqlStore,
    work: &mut AnyConnection,
    (namespace, owner_hash, at): (&str, &str, i64),
    deed: &Deed,
) -> Result<(), StoreError> {
    let audit_id = AuditId::new(id_at(at, &format!("{namespace} {owner_hash} {at}")));
    let row = AuditRow {
        audit_id: audit_id.as_str().to_owned(),
        event_type: "erase".to_owned(),
        namespace: namespace.to_owned(),
        scope_id: None,
        memory_id: None,
        actor: deed.actor.to_string(),
        trace_id: None,
        at,
        reason: Some(deed.reason.clone()),
        before: None,
        after: None,
        verdict: None,
    };
    insert(store, work, &[row]).await
}

/// Inserts rows of one table.
pub(crate) async fn insert<T: Row>(store: &SqlStore, work: &mut AnyConnection, rows: &[T]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let text = T::TABLE.insert(store.dialect, array(store.dialect));
    sql::execute(work, sqlx::AssertSqlSafe(text), vec![sql::json(&rows)?]).await.map(|_| ())
}

/// Overwrites rows of one table, found by `keys`.
pub(super) async fn update<T: Row>(
    store: &SqlStore,
    work: &mut AnyConnection,
    keys: &[&str],
    rows: &[&T],
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let text = T::TABLE.update(store.dialect, keys, array(store.dialect));
    sql::execute(work, sqlx::AssertSqlSafe(text), vec![sql::json(&rows)?]).await.map(|_| ())
}

fn array(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Postgres => "CAST($1 AS JSONB)",
        Dialect::Sqlite => "$1",
    }
}
