//! The rows of a run that do not depend on its effects: turns, names, the run itself, and what is kept of it for a while.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::effect::{Effect, Naming};
use recall_core::entity::EntityKind;
use recall_core::keys::Key;
use recall_core::provenance::ExtractedBy;
use recall_core::run::Run;
use recall_core::text::fold;
use sha2::{Digest, Sha256};

use super::scope::Ground;
use crate::entities::{AliasRow, EntityRow, NameRow};
use crate::rows::{DetailRow, ExtractorRow, RunRow, SpanRow, TurnRow};
use crate::stored_memory::{columns, text_of};
use crate::table::Json;
use crate::{SqlStore, StoreError, hashes};

/// Microseconds of a day.
const DAY: i64 = 24 * 3600 * 1_000_000;

/// The turns of the call; those known before stay as they are.
pub(super) fn turns(store: &SqlStore, run: &Run, ground: &Ground) -> Result<Vec<TurnRow>, StoreError> {
    let key = store.keys.current();
    let row = |turn: &recall_core::turn::Turn| {
        let (said_at, said_offset) = columns(turn.at);
        Ok(TurnRow {
            session_pk: ground.session_pk,
            turn_id: turn.id.as_str().to_owned(),
            scope_id: ground.scope_id,
            role: turn.role.as_str().to_owned(),
            speaker: turn.name.clone(),
            said_at,
            said_offset,
            at_source: text_of(turn.at_source)?,
            content_hash: hashes::of_turn(key, &run.call.scope, turn),
            hash_key: key.id().to_owned(),
        })
    };
    run.call.turns.iter().map(row).collect()
}

/// Entities the run makes known; the owner of the scope among them, since memories may point to it.
pub(super) fn entities(run: &Run, ground: &Ground) -> Vec<EntityRow> {
    let row = |id: &str, name: &str, kind: EntityKind| EntityRow {
        entity_id: id.to_owned(),
        scope_id: ground.scope_id,
        name: name.to_owned(),
        name_key: fold(name),
        kind: kind.as_str().to_owned(),
        created_at: ground.now,
        waits: 0,
    };
    let known = run.changes.entities.iter();
    known.map(|one| row(one.id.as_str(), &one.name, one.kind)).collect()
}

/// Other names, of new entities and learnt for known ones.
pub(super) fn aliases(run: &Run) -> Vec<AliasRow> {
    let row = |id: &str, alias: &str| AliasRow {
        entity_id: id.to_owned(),
        alias_key: fold(alias),
        alias: alias.to_owned(),
        by_hand: 0,
    };
    let new = run.changes.entities.iter();
    let new = new.flat_map(|entity| entity.aliases.iter().map(|alias| row(entity.id.as_str(), alias)));
    let learnt = run.changes.aliases.iter().map(|(id, alias)| row(id.as_str(), alias));
    let mut seen = BTreeSet::new();
    new.chain(learnt).filter(|row| seen.insert((row.entity_id.clone(), row.alias_key.clone()))).collect()
}

/// What the run calls whom: of each the name with its kind, then the other names.
pub(super) fn names(run: &Run, ground: &Ground) -> Vec<NameRow> {
    let of = |naming: &Naming| {
        let row = |(name, kind): (&String, Option<EntityKind>)| NameRow {
            trace_id: run.call.trace_id.as_str().to_owned(),
            ordinal: 0,
            scope_id: ground.scope_id,
            entity_id: naming.entity.as_str().to_owned(),
            name: name.clone(),
            name_key: fold(name),
            kind: kind.map(|kind| kind.as_str().to_owned()),
        };
        let others = naming.aliases.iter().map(|alias| (alias, None));
        let rows = std::iter::once((&naming.name, Some(naming.kind))).chain(others).map(row);
        rows.collect::<Vec<NameRow>>()
    };
    let rows = run.changes.namings.iter().flat_map(of).filter(|row| !row.name_key.is_empty());
    rows.enumerate().map(|(ordinal, row)| NameRow { ordinal: number(ordinal), ..row }).collect()
}

/// What read the turns, once each.
pub(super) fn extractors(run: &Run) -> Result<Vec<ExtractorRow>, StoreError> {
    let mut rows = BTreeMap::new();
    let of_memories = run.changes.effects.iter().filter_map(|effect| match effect {
        Effect::Insert { memory, .. } => Some(&memory.provenance.extracted_by),
        Effect::AddSources { .. } | Effect::Supersede { .. } | Effect::Dispute { .. } | Effect::Activate { .. } => None,
    });
    for by in run.extracted_by.iter().chain(of_memories) {
        let extractor = extractor_key(by)?;
        rows.entry(extractor.clone()).or_insert_with(|| ExtractorRow {
            extractor,
            provider: by.provider.clone(),
            model: by.model.clone(),
            model_version_hash: by.model_version_hash.clone(),
            extractor_schema_version: i64::from(by.extractor_schema_version),
            prompt_name: by.prompt_name.clone(),
            prompt_version: by.prompt_version.clone(),
            prompt_sha256: by.prompt_sha256.clone(),
        });
    }
    Ok(rows.into_values().collect())
}

/// The key of an extractor's row: a hash over everything it says.
pub(super) fn extractor_key(by: &ExtractedBy) -> Result<String, StoreError> {
    let text = serde_json::to_vec(by).map_err(|_| StoreError::Corrupt("extractor without a JSON form".into()))?;
    Ok(hex::encode(Sha256::digest(text).iter().take(16).copied().collect::<Vec<u8>>()))
}

/// The run itself: small, and kept for ever.
pub(super) fn run(run: &Run, ground: &Ground, key: &Key) -> Result<RunRow, StoreError> {
    let stored = run.changes.effects.iter().filter(|effect| matches!(effect, Effect::Insert { .. })).count();
    Ok(RunRow {
        trace_id: run.call.trace_id.as_str().to_owned(),
        namespace: run.call.scope.namespace().to_owned(),
        scope_id: ground.scope_id,
        session_pk: ground.session_pk,
        session_version: ground.session_version,
        extractor: run.extracted_by.as_ref().map(extractor_key).transpose()?,
        accepted_at: run.call.accepted_at.microseconds(),
        accepted_offset: i64::from(run.call.accepted_at.offset().seconds()),
        ran_at: run.ran_at.microseconds(),
        committed_at: ground.now,
        attempt: i64::from(run.attempt),
        turn_count: number(run.call.turns.len()),
        candidate_count: number(run.verdicts.len()),
        stored_count: number(stored),
        model_calls: i64::from(run.usage.model_calls),
        prompt_tokens: bounded(run.usage.prompt_tokens),
        completion_tokens: bounded(run.usage.completion_tokens),
        cost_micros: bounded(run.usage.cost_micros),
        call_hash: run.call.fingerprint(key),
        hash_key: key.id().to_owned(),
        revision: ground.revision,
        forgotten_at: None,
        batch_id: run.call.batch.as_ref().map(|batch| batch.id.as_str().to_owned()),
    })
}

/// When detail and spans of a run end.
fn ends(ground: &Ground) -> i64 {
    let days = i64::from(ground.settings.trace_retention_days);
    ground.now.saturating_add(days.saturating_mul(DAY))
}

/// What is kept of a run for as long as the namespace says.
pub(super) fn detail(run: &Run, ground: &Ground) -> DetailRow {
    DetailRow {
        trace_id: run.call.trace_id.as_str().to_owned(),
        expires_at: ends(ground),
        traceparent: run.traceparent.clone(),
        turns: Json(run.turns.clone()),
        verdicts: Json(run.verdicts.clone()),
        notes: Json(run.notes.clone()),
    }
}

/// The timed steps of a run.
pub(super) fn spans(run: &Run, ground: &Ground) -> Vec<SpanRow> {
    let row = |span: &recall_core::run::SpanRecord| SpanRow {
        trace_id: run.call.trace_id.as_str().to_owned(),
        ordinal: i64::from(span.ordinal),
        expires_at: ends(ground),
        stage: span.stage.as_str().to_owned(),
        started_ns: nanoseconds(span.started),
        took_ns: nanoseconds(span.took),
        items: i64::from(span.items),
        dropped: Json(span.dropped.clone()),
    };
    run.spans.iter().map(row).collect()
}

/// A count or position as a column.
pub(super) fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn bounded(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn nanoseconds(time: std::time::Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}
