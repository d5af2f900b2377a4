//! Sessions as a reprocessing run knows them: their window, ring and turns are the run's own. The row of the session is shared, since the
//! turns in it are, and stays as live calls left it.

use recall_core::call::Batch;
use recall_core::run::Run;
use serde::Deserialize;
use sqlx::AnyConnection;

use crate::dialect::Statement;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// Makes the row of a session where there is none; a live call then finds a session at its beginning.
pub(crate) static SHARED: Statement = Statement::new(
    "INSERT INTO sessions (scope_id, session_id, version, last_turns, ring, window_expires, created_at)
    VALUES ($1, $2, 0, '[]', '[]', 0, $3)
    ON CONFLICT (scope_id, session_id) DO UPDATE SET session_id = sessions.session_id
    RETURNING CAST({object}('session_pk', session_pk) AS TEXT)",
);

pub(crate) static OWN: Statement = Statement::new(
    "INSERT INTO batch_sessions (batch_id, session_pk, scope_id, version, last_turns, ring)
    VALUES ($1, $2, $3, 1, {document $4}, {document $5})
    ON CONFLICT (batch_id, session_pk) DO UPDATE SET version = batch_sessions.version + 1,
        last_turns = excluded.last_turns, ring = excluded.ring
    RETURNING CAST({object}('version', version) AS TEXT)",
);

/// A row for each id of a JSON array.
pub(crate) static READ: Statement = Statement::new(
    "INSERT INTO batch_turns (batch_id, session_pk, turn_id)
    SELECT $1, $2, t.turn_id FROM turns t WHERE t.session_pk = $2 AND t.turn_id {in texts $3}
    ON CONFLICT (batch_id, session_pk, turn_id) DO NOTHING",
);

#[derive(Deserialize)]
struct SharedRow {
    session_pk: i64,
}

#[derive(Deserialize)]
struct OwnRow {
    version: i64,
}

/// Locks a session for a call of a run and moves the run's own state of it on; key of the session, and the version this commit makes.
pub(crate) async fn lock(
    store: &SqlStore,
    work: &mut AnyConnection,
    (run, batch): (&Run, &Batch),
    (scope_id, now): (i64, i64),
) -> Result<(i64, i64), StoreError> {
    let nothing = || StoreError::Corrupt("upsert without a row".into());
    let args = vec![Arg::Number(scope_id), Arg::from(run.call.session()), Arg::Number(now)];
    let shared: SharedRow = sql::one(work, store.text(&SHARED), args).await?.ok_or_else(nothing)?;
    let args = vec![
        Arg::from(batch.id.as_str()),
        Arg::Number(shared.session_pk),
        Arg::Number(scope_id),
        sql::json(&run.window)?,
        sql::json(&run.ring)?,
    ];
    let own: OwnRow = sql::one(work, store.text(&OWN), args).await?.ok_or_else(nothing)?;
    Ok((shared.session_pk, own.version))
}

/// Notes the turns of a call as read by its run, once they are written.
pub(crate) async fn read(
    store: &SqlStore,
    work: &mut AnyConnection,
    (run, batch): (&Run, &Batch),
    session_pk: i64,
) -> Result<(), StoreError> {
    let ids: Vec<&str> = run.call.turns.iter().map(|turn| turn.id.as_str()).collect();
    let args = vec![Arg::from(batch.id.as_str()), Arg::Number(session_pk), sql::json(&ids)?];
    sql::execute(work, store.text(&READ), args).await?;
    Ok(())
}
