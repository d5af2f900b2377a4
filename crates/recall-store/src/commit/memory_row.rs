//! A memory as a row, and what a later run may change of it.

use recall_core::evidence::Source;
use recall_core::memory::{Memory, Wording};
use recall_core::moment::Moment;
use recall_core::run::Run;
use serde_json::{Value, json};

use super::scope::Ground;
use super::turns;
use crate::StoreError;
use crate::rows::{MemoryChange, MemoryRow};
use crate::stored_memory::{columns, moment, text_of};
use crate::table::Json;

/// What supersession changes of a memory.
pub(super) fn standing(row: &MemoryRow) -> Value {
    json!({
        "status": row.status,
        "superseded_by": row.superseded_by,
        "valid_until": row.valid_until,
        "valid_until_offset": row.valid_until_offset,
    })
}

/// What another source changes of a memory.
pub(super) fn weight(row: &MemoryRow) -> Value {
    json!({
        "confidence": row.confidence,
        "importance": row.importance,
        "valid_from": row.valid_from,
        "valid_from_offset": row.valid_from_offset,
    })
}

/// Moves the beginning of a memory back to the earliest time its claim was said.
pub(super) fn reach_back(row: &mut MemoryRow, sources: &[Source]) -> Result<(), StoreError> {
    let there = moment(row.valid_from, row.valid_from_offset)?;
    let earliest = sources.iter().filter_map(|source| source.said_at).chain(there).min();
    (row.valid_from, row.valid_from_offset) = columns(earliest);
    Ok(())
}

/// Tells a memory in other words.
pub(super) fn tell(row: &mut MemoryRow, wording: &Wording) -> Result<(), StoreError> {
    row.content = wording.content.clone();
    row.memory_type = wording.memory_type.as_str().to_owned();
    row.attribute = wording.attribute.clone();
    row.value = wording.value.clone();
    row.object_id = wording.object.as_ref().map(|object| object.id.as_str().to_owned());
    row.polarity = wording.polarity.as_str().to_owned();
    row.language = wording.language.clone();
    (row.event_at, row.event_at_offset) = columns(wording.event_at);
    (row.event_until, row.event_until_offset) = columns(wording.event_until);
    row.precision = text_of(wording.precision)?;
    Ok(())
}

/// The columns a run may have changed.
pub(super) fn change(row: MemoryRow) -> MemoryChange {
    MemoryChange {
        memory_id: row.memory_id,
        content: row.content,
        memory_type: row.memory_type,
        attribute: row.attribute,
        value: row.value,
        object_id: row.object_id,
        polarity: row.polarity,
        language: row.language,
        event_at: row.event_at,
        event_at_offset: row.event_at_offset,
        event_until: row.event_until,
        event_until_offset: row.event_until_offset,
        precision: row.precision,
        confidence: row.confidence,
        importance: row.importance,
        status: row.status,
        superseded_by: row.superseded_by,
        valid_from: row.valid_from,
        valid_from_offset: row.valid_from_offset,
        valid_until: row.valid_until,
        valid_until_offset: row.valid_until_offset,
        changed_revision: row.changed_revision,
    }
}

/// The row of a memory that is told otherwise now than it was: another call may be the first that said it.
pub(crate) fn told_row(there: &MemoryRow, memory: &Memory, single_valued: bool) -> Result<MemoryRow, StoreError> {
    let mut row = there.clone();
    tell(&mut row, &memory.wording())?;
    (row.confidence, row.importance) = (memory.confidence, memory.importance);
    row.status = memory.status.as_str().to_owned();
    row.single_valued = i64::from(single_valued);
    (row.valid_from, row.valid_from_offset) = columns(memory.valid_from);
    (row.valid_until, row.valid_until_offset) = columns(memory.valid_until);
    row.superseded_by = memory.superseded_by.as_ref().map(|id| id.as_str().to_owned());
    let edits = &there.edits.0;
    (row.expires_at, row.expires_at_offset) = columns(edits.expires_at.unwrap_or(memory.expires_at));
    row.metadata = Json(edits.metadata.clone().unwrap_or_else(|| memory.metadata.clone()));
    row.claim_key = memory.claim_key.0.clone();
    row.extractor = turns::extractor_key(&memory.provenance.extracted_by)?;
    row.extracted_at = memory.provenance.extracted_at.microseconds();
    row.trace_id = memory.provenance.extraction_trace_id.as_str().to_owned();
    Ok(row)
}

/// The row of a new memory. Its first source is its anchor.
pub(super) fn memory_row(
    run: &Run,
    ground: &Ground,
    memory: &Memory,
    single_valued: bool,
) -> Result<MemoryRow, StoreError> {
    let (event_at, event_at_offset) = columns(memory.event_at);
    let (event_until, event_until_offset) = columns(memory.event_until);
    let (valid_from, valid_from_offset) = columns(memory.valid_from);
    let (valid_until, valid_until_offset) = columns(memory.valid_until);
    let (expires_at, expires_at_offset) = columns(memory.expires_at);
    Ok(MemoryRow {
        memory_id: memory.id.as_str().to_owned(),
        scope_id: ground.scope_id,
        namespace: run.call.scope.namespace().to_owned(),
        session_pk: ground.session_pk,
        anchor_source: 0,
        content: memory.content.clone(),
        memory_type: memory.memory_type.as_str().to_owned(),
        subject_id: memory.subject.id.as_str().to_owned(),
        attribute: memory.attribute.clone(),
        value: memory.value.clone(),
        object_id: memory.object.as_ref().map(|object| object.id.as_str().to_owned()),
        polarity: memory.polarity.as_str().to_owned(),
        confidence: memory.confidence,
        importance: memory.importance,
        language: memory.language.clone(),
        event_at,
        event_at_offset,
        event_until,
        event_until_offset,
        precision: text_of(memory.precision)?,
        status: memory.status.as_str().to_owned(),
        single_valued: i64::from(single_valued),
        valid_from,
        valid_from_offset,
        valid_until,
        valid_until_offset,
        superseded_by: memory.superseded_by.as_ref().map(|id| id.as_str().to_owned()),
        deleted_at: memory.deleted_at.map(Moment::microseconds),
        expires_at,
        expires_at_offset,
        metadata: Json(memory.metadata.clone()),
        created_at: ground.now,
        last_accessed_at: memory.last_accessed_at.map(Moment::microseconds),
        access_count: memory.access_count,
        claim_key: memory.claim_key.0.clone(),
        occurrence: memory.occurrence.clone(),
        extractor: turns::extractor_key(&memory.provenance.extracted_by)?,
        extracted_at: memory.provenance.extracted_at.microseconds(),
        trace_id: run.call.trace_id.as_str().to_owned(),
        changed_revision: ground.revision,
        gone: None,
        edits: Json::default(),
    })
}
