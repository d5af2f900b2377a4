//! Owners and speakers, held so that nobody is erased while something of theirs is written.

use std::collections::BTreeSet;

use recall_core::call::Call;
use recall_core::scope::Owner;
use sha2::{Digest, Sha256};
use sqlx::{Any, AnyConnection, AssertSqlSafe, Transaction};

use super::speakers;
use super::suppressed::kind_and_id;
use crate::dialect::{Dialect, Statement as Sql};
use crate::fence::Reach;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// Commits of one owner go side by side and an erasure waits for them; those that come after it see its tombstone. Without it a
/// scope that is made while the erasure runs would be missed. SQLite has one writer anyhow.
static SHARE_OWNER: Sql = Sql::new("SELECT CAST(pg_advisory_xact_lock_shared($1) AS TEXT)");
static HOLD_OWNER: Sql = Sql::new("SELECT CAST(pg_advisory_xact_lock($1) AS TEXT)");

/// Keeps whoever a call is of, and in a call of an account whoever speaks in it, from being erased until the transaction ends.
pub(crate) async fn share(store: &SqlStore, work: &mut AnyConnection, call: &Call) -> Result<(), StoreError> {
    lock(store, work, (&SHARE_OWNER, &numbers(call))).await
}

/// A transaction of Postgres in which nobody whose words a call holds can be erased. The locks travel with its beginning: one answer is waited for.
pub(crate) async fn begin_sharing(store: &SqlStore, call: &Call) -> Result<Transaction<'static, Any>, StoreError> {
    let locks = numbers(call).into_iter().map(|number| format!("; SELECT pg_advisory_xact_lock_shared({number})"));
    let begin = Reach::Tenant(call.scope.namespace()).begin() + &locks.collect::<String>();
    Ok(store.writing.begin_with(AssertSqlSafe(begin)).await?)
}

/// The numbers a call is locked under, in one order for all: nobody waits in a ring.
fn numbers(call: &Call) -> BTreeSet<i64> {
    let namespace = call.scope.namespace();
    let speakers = speakers::of(call).into_iter().map(|name| owner_number(namespace, ("user", name)));
    speakers.chain([owner_number(namespace, kind_and_id(call.scope.owner()))]).collect()
}

/// The number an owner is locked under.
fn owner_number(namespace: &str, (kind, id): (&str, &str)) -> i64 {
    let digest = Sha256::digest(format!("owner\u{1f}{namespace}\u{1f}{kind}\u{1f}{id}"));
    digest.iter().take(8).fold(0_i64, |sum, byte| (sum << 8) | i64::from(*byte))
}

/// Holds a person, and all the names they speak under, for their erasure.
pub(super) async fn hold(
    store: &SqlStore,
    work: &mut AnyConnection,
    (namespace, owner, speakers): (&str, &Owner, &BTreeSet<String>),
) -> Result<(), StoreError> {
    let names = speakers.iter().map(|name| owner_number(namespace, ("user", name)));
    lock(store, work, (&HOLD_OWNER, &names.chain([owner_number(namespace, kind_and_id(owner))]).collect())).await
}

async fn lock(
    store: &SqlStore,
    work: &mut AnyConnection,
    (how, numbers): (&'static Sql, &BTreeSet<i64>),
) -> Result<(), StoreError> {
    if store.dialect == Dialect::Postgres {
        for number in numbers {
            sql::rows(work, store.text(how), vec![Arg::Number(*number)]).await?;
        }
    }
    Ok(())
}
