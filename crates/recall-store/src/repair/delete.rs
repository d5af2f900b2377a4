//! Deleting: the words of a claim leave every row that holds them, in one transaction, and an entry of keyed hashes stays behind.

use std::collections::BTreeSet;

use recall_core::claim::{Statement, Suppression, known_again, suppression_of};
use recall_core::id::{MemoryId, SuppressionId};
use recall_core::memory::Memory;
use recall_core::run::{Outcome, Verdict};
use serde::Deserialize;
use serde_json::json;
use sqlx::AnyConnection;

use super::forget::find;
use super::ground::{self, Ground, Noted, insert};
use super::rejudge::rejudge;
use super::suppressed::SuppressionRow;
use crate::deed::{Deed, Deleted};
use crate::dialect::Statement as Sql;
use crate::fence::Reach;
use crate::memory::MEMORY;
use crate::sql::{self, Arg};
use crate::stored_memory::StoredMemory;
use crate::table::Json;
use crate::{SqlStore, StoreError};

/// The memory and others of its claim, hidden ones included, with all the ways it was told.
pub(crate) static SAME_CLAIM: Sql = Sql::new(
    "SELECT CAST({object}('id', m.memory_id, 'status', m.status,
        'told', {json}((SELECT {array}({json}(t.said) ORDER BY t.trace_id, t.ordinal) FROM statements t
            WHERE t.memory_id = m.memory_id))) AS TEXT)
    FROM memories m JOIN memories d ON d.memory_id = $1
    WHERE m.scope_id = d.scope_id AND m.subject_id = d.subject_id AND m.claim_key = d.claim_key
        AND (m.gone IS NULL OR m.gone IN ('forgotten', 'suppressed')) ORDER BY m.memory_id",
);

/// The other memories of its subject whose words are left, with all the ways each was told.
pub(crate) static SAME_SUBJECT: Sql = Sql::new(
    "SELECT CAST({object}('id', m.memory_id, 'status', m.status,
        'told', {json}((SELECT {array}({json}(t.said) ORDER BY t.trace_id, t.ordinal) FROM statements t
            WHERE t.memory_id = m.memory_id))) AS TEXT)
    FROM memories m JOIN memories d ON d.memory_id = $1
    WHERE m.scope_id = d.scope_id AND m.subject_id = d.subject_id AND m.claim_key <> d.claim_key
        AND (m.gone IS NULL OR m.gone IN ('forgotten', 'suppressed')) ORDER BY m.memory_id",
);

pub(crate) static BLANK_MEMORIES: Sql = Sql::new(
    "UPDATE memories SET content = '', attribute = '', value = '', object_id = NULL, claim_key = '', event_at = NULL,
        event_at_offset = NULL, event_until = NULL, event_until_offset = NULL, language = NULL, metadata = '{}', edits = '{}',
        gone = $2, deleted_at = coalesce(deleted_at, $3), changed_revision = $4
    WHERE memory_id {in texts $1}",
);

pub(crate) static BLANK_SOURCES: Sql =
    Sql::new("UPDATE sources SET quote = '', start_char = 0, end_char = 0 WHERE memory_id {in texts $1}");

pub(crate) static BLANK_STATEMENTS: Sql = Sql::new("UPDATE statements SET said = '{}' WHERE memory_id {in texts $1}");

/// The next calls of these sessions have no window to look back at; what is deleted might stand in it. The version moves, so that a
/// call in flight cannot write the window it was judged with.
pub(crate) static BLANK_WINDOWS: Sql = Sql::new(
    "UPDATE sessions SET last_turns = '[]', ring = '[]', version = version + 1
    WHERE session_pk IN (SELECT s.session_pk FROM sources s WHERE s.memory_id {in texts $1})",
);

/// The same of what reprocessing runs know of these sessions.
pub(crate) static BLANK_STATES: Sql = Sql::new(
    "UPDATE batch_sessions SET last_turns = '[]', ring = '[]', version = version + 1
    WHERE session_pk IN (SELECT s.session_pk FROM sources s WHERE s.memory_id {in texts $1})",
);

pub(crate) static REDACT: Sql = Sql::new(
    "UPDATE audit SET before = {redacted before}, after = {redacted after}, verdict = {redacted verdict}
    WHERE memory_id {in texts $1}",
);

/// Details of the calls that told these memories.
pub(crate) static DETAILS: Sql = Sql::new(
    "SELECT CAST({object}('trace', d.trace_id, 'verdicts', {json}(d.verdicts)) AS TEXT) FROM run_details d
    WHERE d.trace_id IN (SELECT t.trace_id FROM statements t WHERE t.memory_id {in texts $1})",
);

pub(crate) static SET_VERDICTS: Sql = Sql::new("UPDATE run_details SET verdicts = {document $2} WHERE trace_id = $1");

/// Memories that stand in dispute with these.
pub(crate) static OPPOSED: Sql = Sql::new(
    "SELECT CAST({object}('memory', d.memory_id, 'with', d.with_id) AS TEXT) FROM disputes d
    WHERE d.with_id IS NOT NULL AND (d.memory_id {in texts $1} OR d.with_id {in texts $1})",
);

#[derive(Deserialize)]
struct Twin {
    id: MemoryId,
    status: String,
    told: Option<Vec<Memory>>,
}

#[derive(Deserialize)]
pub(super) struct Detail {
    pub(super) trace: String,
    pub(super) verdicts: Vec<Verdict>,
}

#[derive(Deserialize)]
struct Opposed {
    memory: String,
    with: String,
}

/// Deletes a memory for good.
pub(super) async fn delete(
    store: &SqlStore,
    (namespace, id): (&str, &MemoryId),
    deed: &Deed,
) -> Result<Deleted, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, id).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    find(store, &mut work, namespace, id).await?.not_final()?;
    let args = vec![Arg::from(id.as_str()), Arg::from(namespace)];
    let stored: Option<StoredMemory> = sql::one(&mut work, store.text(&MEMORY), args).await?;
    let memory = stored.ok_or(StoreError::Missing("memory"))?.into_memory()?;
    let mut twins: Vec<Twin> = sql::many(&mut work, store.text(&SAME_CLAIM), vec![Arg::from(id.as_str())]).await?;
    let entries = entries(store, &ground, &memory, &twins);
    twins.extend(kept_out(store, &mut work, &memory, &entries).await?);
    let ids: BTreeSet<String> = twins.iter().map(|twin| twin.id.as_str().to_owned()).collect();
    let seeds = opposed(store, &mut work, &ids).await?;
    suppress(store, &mut work, &mut ground, &entries).await?;
    blank(store, &mut work, &ground, (&ids, "deleted")).await?;
    for twin in &twins {
        ground.note(Noted {
            event: "delete",
            memory: Some(twin.id.as_str()),
            before: Some(json!({ "status": twin.status })),
            after: Some(json!({ "status": twin.status, "gone": "deleted" })),
            ..Noted::default()
        });
    }
    // What stood in dispute with it stands alone now.
    rejudge(store, &mut work, &mut ground, (&seeds, "restore")).await?;
    ground.close(store, &mut work).await?;
    work.commit().await?;
    store.scrub().await;
    let suppression_ids = entries.into_iter().map(|entry| entry.id).collect();
    Ok(Deleted { suppression_ids, memories: twins.into_iter().map(|twin| twin.id).collect() })
}

/// Memories outside of these that stand in dispute with one of them.
pub(super) async fn opposed(
    store: &SqlStore,
    work: &mut AnyConnection,
    ids: &BTreeSet<String>,
) -> Result<BTreeSet<String>, StoreError> {
    let pairs: Vec<Opposed> = sql::many(work, store.text(&OPPOSED), vec![sql::json(ids)?]).await?;
    Ok(pairs.into_iter().flat_map(|pair| [pair.memory, pair.with]).filter(|id| !ids.contains(id)).collect())
}

/// Other memories of the subject that the new entries keep from being learnt again: what is not learnt again does not stay.
async fn kept_out(
    store: &SqlStore,
    work: &mut AnyConnection,
    memory: &Memory,
    entries: &[Suppression],
) -> Result<Vec<Twin>, StoreError> {
    let others: Vec<Twin> = sql::many(work, store.text(&SAME_SUBJECT), vec![Arg::from(memory.id.as_str())]).await?;
    let about = [memory.subject.id.clone()];
    let claims_it = |told: &Memory| {
        let statement = Statement { subject: &memory.subject.name, ..Statement::from(told) };
        known_again(&statement, &about, entries, &store.keys).is_some()
    };
    Ok(others.into_iter().filter(|other| other.told.iter().flatten().any(claims_it)).collect())
}

/// One entry for each way the claim was told.
fn entries(store: &SqlStore, ground: &Ground, memory: &Memory, twins: &[Twin]) -> Vec<Suppression> {
    let told = twins.iter().flat_map(|twin| twin.told.iter().flatten());
    let mut contents = BTreeSet::new();
    let ways = std::iter::once(memory).chain(told).filter(|way| contents.insert(way.content.clone()));
    let entry = |(ordinal, way): (usize, &Memory)| {
        let statement = Statement { subject: &memory.subject.name, ..Statement::from(way) };
        let entities = std::iter::once(&memory.subject).chain(&memory.object).map(|entity| entity.id.clone()).collect();
        let id = SuppressionId::new(ground.fresh("suppression", ordinal));
        suppression_of(&statement, entities, store.keys.current(), id)
    };
    ways.enumerate().map(entry).collect()
}

/// Writes entries down.
pub(super) async fn suppress(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &mut Ground,
    entries: &[Suppression],
) -> Result<(), StoreError> {
    let row = |entry: &Suppression| SuppressionRow {
        suppression_id: entry.id.as_str().to_owned(),
        scope_id: ground.scope_id,
        entities: Json(entry.entities.clone()),
        polarity: entry.polarity.as_str().to_owned(),
        attribute: entry.attribute.clone(),
        parts: Json(entry.parts.clone()),
        normaliser: i64::from(entry.normaliser),
        key_id: entry.key_id.clone(),
        created_at: ground.now,
    };
    let rows: Vec<SuppressionRow> = entries.iter().map(row).collect();
    insert(store, work, &rows).await?;
    for entry in entries {
        ground.note(Noted {
            event: "suppress",
            after: Some(json!({ "suppression_id": entry.id })),
            ..Noted::default()
        });
    }
    Ok(())
}

/// Takes the words of memories out of every row. Suppressed claims, effects and disputes hold none.
pub(super) async fn blank(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    (ids, gone): (&BTreeSet<String>, &str),
) -> Result<(), StoreError> {
    let list = || sql::json(ids);
    let details: Vec<Detail> = sql::many(work, store.text(&DETAILS), vec![list()?]).await?;
    for Detail { trace, mut verdicts } in details {
        verdicts.iter_mut().filter(|verdict| tells_of(verdict, ids)).for_each(silence);
        sql::execute(work, store.text(&SET_VERDICTS), vec![Arg::Text(trace), sql::json(&verdicts)?]).await?;
    }
    let args = vec![list()?, Arg::from(gone), Arg::Number(ground.now), Arg::Number(ground.revision)];
    sql::execute(work, store.text(&BLANK_MEMORIES), args).await?;
    for statement in [&BLANK_WINDOWS, &BLANK_STATES, &BLANK_SOURCES, &BLANK_STATEMENTS, &REDACT] {
        sql::execute(work, store.text(statement), vec![list()?]).await?;
    }
    Ok(())
}

fn tells_of(verdict: &Verdict, ids: &BTreeSet<String>) -> bool {
    match &verdict.outcome {
        Outcome::Stored { memory_id, .. } | Outcome::Merged { memory_id } => ids.contains(memory_id.as_str()),
        Outcome::Dropped(_) => false,
    }
}

/// Takes the words out of a verdict.
pub(super) fn silence(verdict: &mut Verdict) {
    (verdict.candidate, verdict.resolution, verdict.when, verdict.calibration) = (None, None, None, None);
}
