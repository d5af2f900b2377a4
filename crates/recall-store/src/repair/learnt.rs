//! What a reprocessing run made known of people and things: nobody else knows it before the run is swapped in, nor after it is rolled
//! back, unless somebody else speaks of it.

use recall_core::id::BatchId;
use serde::Deserialize;
use serde_json::json;
use sqlx::AnyConnection;

use super::ground::{Ground, Noted};
use super::merge::SET_MERGED;
use crate::dialect::Statement as Sql;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// Entities that only the run knows and whose name somebody bears by now, with who that is: rather by name than by another name.
pub(crate) static KNOWN_MEANWHILE: Sql = Sql::new(
    "SELECT CAST({object}('from', e.entity_id,
        'into', coalesce(min(CASE WHEN v.name_key = e.name_key THEN v.entity_id END), min(v.entity_id))) AS TEXT)
    FROM entities e JOIN entities v ON v.scope_id = e.scope_id AND v.merged_into IS NULL AND v.waits = 0
        AND (v.name_key = e.name_key OR EXISTS (SELECT 1 FROM entity_aliases a
            WHERE a.entity_id = v.entity_id AND a.alias_key = e.name_key AND a.waits = 0))
    WHERE e.scope_id = $1 AND e.learnt_by = $2 AND e.waits = 1 AND e.merged_into IS NULL GROUP BY e.entity_id",
);

/// What waits counts nowhere, so its place in the unique indexes is free.
pub(crate) static SPEAK_OF: Sql =
    Sql::new("UPDATE memories SET subject_id = $3 WHERE scope_id = $1 AND subject_id = $2");

pub(crate) static SHOW: Sql = Sql::new(
    "UPDATE entities SET waits = 0 WHERE scope_id = $1 AND learnt_by = $2 AND waits = 1 AND merged_into IS NULL",
);

/// A name that somebody bears by now is no other's.
pub(crate) static SHOW_ALIASES: Sql = Sql::new(
    "UPDATE entity_aliases SET waits = 0 WHERE learnt_by = $2 AND waits = 1
        AND entity_id IN (SELECT e.entity_id FROM entities e WHERE e.scope_id = $1)
        AND NOT EXISTS (SELECT 1 FROM entities v WHERE v.scope_id = $1 AND v.merged_into IS NULL AND v.waits = 0
            AND v.entity_id <> entity_aliases.entity_id AND v.name_key = entity_aliases.alias_key)",
);

/// Whom others speak of, whom a person suppressed a claim about, or who another became part of, is known without the run.
pub(crate) static KEEP: Sql = Sql::new(
    "UPDATE entities SET learnt_by = NULL WHERE scope_id = $1 AND learnt_by = $2 AND waits = 0 AND (
        EXISTS (SELECT 1 FROM memories m JOIN statements t ON t.memory_id = m.memory_id WHERE m.scope_id = $1
            AND (m.subject_id = entities.entity_id OR m.object_id = entities.entity_id)
            AND NOT EXISTS (SELECT 1 FROM staged_calls c WHERE c.trace_id = t.trace_id AND c.batch = $2))
        OR EXISTS (SELECT 1 FROM suppressions p WHERE p.scope_id = $1
            AND {position}(CAST(p.entities AS TEXT), entities.entity_id) > 0)
        OR EXISTS (SELECT 1 FROM entities d WHERE d.scope_id = $1 AND d.merged_into = entities.entity_id AND d.waits = 0))",
);

pub(crate) static HIDE: Sql = Sql::new(
    "UPDATE entities SET waits = 1 WHERE scope_id = $1 AND learnt_by = $2 AND waits = 0 AND merged_into IS NULL",
);

pub(crate) static HIDE_ALIASES: Sql = Sql::new(
    "UPDATE entity_aliases SET waits = 1 WHERE learnt_by = $2 AND waits = 0
        AND entity_id IN (SELECT e.entity_id FROM entities e WHERE e.scope_id = $1)",
);

#[derive(Deserialize)]
struct Meanwhile {
    from: String,
    into: String,
}

/// Makes what a run learnt known. Where others learnt of the same meanwhile, the run speaks of theirs from now on.
pub(super) async fn make_known(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &mut Ground,
    run: &BatchId,
) -> Result<(), StoreError> {
    let of_run = |ground: &Ground| vec![Arg::Number(ground.scope_id), Arg::from(run.as_str())];
    let meanwhile: Vec<Meanwhile> = sql::many(work, store.text(&KNOWN_MEANWHILE), of_run(ground)).await?;
    for Meanwhile { from, into } in meanwhile {
        let args = vec![Arg::from(from.as_str()), Arg::Maybe(Some(into.clone()))];
        sql::execute(work, store.text(&SET_MERGED), args).await?;
        let args = vec![Arg::Number(ground.scope_id), Arg::from(from.as_str()), Arg::from(into.as_str())];
        sql::execute(work, store.text(&SPEAK_OF), args).await?;
        let (before, after) = (Some(json!({ "entity": from })), Some(json!({ "merged_into": into })));
        ground.note(Noted { event: "entity_merge", before, after, ..Noted::default() });
    }
    sql::execute(work, store.text(&SHOW), of_run(ground)).await?;
    sql::execute(work, store.text(&SHOW_ALIASES), of_run(ground)).await?;
    Ok(())
}

/// Leaves what a run learnt to the run again.
pub(super) async fn forget(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    run: &BatchId,
) -> Result<(), StoreError> {
    for statement in [&KEEP, &HIDE, &HIDE_ALIASES] {
        let args = vec![Arg::Number(ground.scope_id), Arg::from(run.as_str())];
        sql::execute(work, store.text(statement), args).await?;
    }
    Ok(())
}
