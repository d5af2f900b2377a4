//! Committing a run: one transaction that locks the scope, compares what the run was judged on, and writes everything or nothing.

mod audit;
mod ground;
mod group;
mod memory_row;
mod plan;
mod scope;
mod staged;
mod standings;
mod turns;
mod work;
mod write;

pub(crate) use group::Group;
pub(crate) use memory_row::told_row;
use recall_core::run::Run;
use sqlx::AnyConnection;
pub(crate) use staged::AsideRow;
use work::Work;

use crate::batches::state;
use crate::dialect::Dialect;
use crate::error::run_is_there;
use crate::record::Committed;
use crate::repair::{owners, speakers};
use crate::{SqlStore, StoreError};

#[cfg(test)]
pub(crate) use {
    scope::{HELD, RUN_IS_THERE, TOUCHED},
    write::{BETWEEN, texts},
};

/// Commits a run, or finds that it was committed before.
pub(crate) async fn commit(store: &SqlStore, run: &Run) -> Result<Committed, StoreError> {
    let done = match store.dialect {
        Dialect::Postgres => in_postgres(store, run).await,
        Dialect::Sqlite => group::commit(store, run).await,
    };
    match done {
        Err(error) if run_is_there(&error) => Ok(Committed::Before),
        done => done,
    }
}

async fn in_postgres(store: &SqlStore, run: &Run) -> Result<Committed, StoreError> {
    let mut transaction = owners::begin_sharing(store, &run.call).await?;
    let done = beside_erasures(store, &mut Work::within(&mut transaction), run, &store.actor).await?;
    match done {
        Committed::Now => transaction.commit().await?,
        // Dropping the transaction takes back what it wrote.
        Committed::Before => drop(transaction),
    }
    Ok(done)
}

/// Commits a run within a transaction, in the name of an actor.
pub(crate) async fn within(
    store: &SqlStore,
    work: &mut AnyConnection,
    run: &Run,
    actor: &str,
) -> Result<Committed, StoreError> {
    owners::share(store, work, &run.call).await?;
    beside_erasures(store, &mut Work::within(work), run, actor).await
}

/// The same once no erasure of the owner can come between.
async fn beside_erasures(
    store: &SqlStore,
    work: &mut Work<'_>,
    run: &Run,
    actor: &str,
) -> Result<Committed, StoreError> {
    let ground = scope::lock(store, work, run).await?;
    // Asked under the lock: the person may have been erased while the call was judged.
    if ground.erased {
        return Ok(Committed::Before);
    }
    // The others of the call were judged with somebody who was erased meanwhile: the call is taken once more, without them.
    if !speakers::erased_turns(store, work, &run.call).await?.is_empty() {
        return Err(StoreError::Stale);
    }
    if ground.session_version != run.session_version + 1 {
        let there = scope::run_is_there(store, work, run).await?;
        return if there { Ok(Committed::Before) } else { Err(StoreError::Stale) };
    }
    if ground.is_stale(run) {
        return Err(StoreError::Stale);
    }
    // A staged call was shown no memory, so none can have moved under it.
    let staging = staged::staging(run);
    let touched = if staging.is_some() { Vec::new() } else { scope::touched(store, work, run, &ground).await? };
    let mut plan = plan::plan((store, actor), run, &ground, touched)?;
    if staging.is_some() {
        staged::stage(&mut plan, &ground);
    }
    let last = run.call.batch.is_none() && ground.binds_nothing();
    write::write(store, work, run, (&plan, last)).await?;
    if let Some(batch) = staging {
        staged::note(store, work, (run, batch), &ground).await?;
    }
    if let Some(batch) = &run.call.batch {
        state::read(store, work, (run, batch), ground.session_pk).await?;
    }
    scope::still_bound_here(store, work, run, &ground).await?;
    Ok(Committed::Now)
}
