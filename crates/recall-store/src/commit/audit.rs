//! Audit rows of a run: who changed which memory, from what to what, and on which verdict it was let in.

use recall_core::id::{AuditId, MemoryId};
use recall_core::memory::Memory;
use recall_core::run::{Outcome, Run};
use serde_json::{Value, json};

use super::scope::Ground;
use crate::StoreError;
use crate::rows::AuditRow;
use crate::table::Json;

/// What an audit row says besides who and when.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) event: &'a str,
    pub(super) memory: &'a str,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
    pub(super) verdict: Option<Value>,
}

/// The row; its id is derived from the trace and its place in the run, so that a repeated run says the same.
pub(super) fn row(run: &Run, ground: &Ground, actor: &str, ordinal: usize, entry: Entry<'_>) -> AuditRow {
    AuditRow {
        audit_id: AuditId::new(run.call.trace_id.derive("audit", ordinal)).as_str().to_owned(),
        event_type: entry.event.to_owned(),
        namespace: run.call.scope.namespace().to_owned(),
        scope_id: Some(ground.scope_id),
        memory_id: Some(entry.memory.to_owned()),
        actor: actor.to_owned(),
        trace_id: Some(run.call.trace_id.as_str().to_owned()),
        at: ground.now,
        reason: None,
        before: entry.before.map(Json),
        after: entry.after.map(Json),
        verdict: entry.verdict.map(Json),
    }
}

/// What a memory claims, for the row that tells of its insertion.
pub(super) fn claim(memory: &Memory) -> Value {
    json!({
        "content": memory.content,
        "memory_type": memory.memory_type,
        "subject": memory.subject,
        "attribute": memory.attribute,
        "value": memory.value,
        "object": memory.object,
        "polarity": memory.polarity,
        "confidence": memory.confidence,
        "importance": memory.importance,
        "event_at": memory.event_at,
        "event_until": memory.event_until,
        "precision": memory.precision,
        "status": memory.status,
        "valid_from": memory.valid_from,
    })
}

/// The line of the trace that let a memory in. It outlives the trace here.
pub(super) fn verdict_of(run: &Run, id: &MemoryId) -> Result<Option<Value>, StoreError> {
    let stored = run.verdicts.iter().find(|verdict| match &verdict.outcome {
        Outcome::Stored { memory_id, .. } => memory_id == id,
        Outcome::Merged { .. } | Outcome::Dropped(_) => false,
    });
    let value = stored.map(serde_json::to_value).transpose();
    value.map_err(|_| StoreError::Corrupt("verdict without a JSON form".into()))
}
