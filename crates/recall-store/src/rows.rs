//! One struct per table that is written in bulk: what it looks like in the database, nothing else.

use recall_core::memory::Memory;
use recall_core::run::{TurnVerdict, Verdict};
use recall_core::stage::Reason;
use serde_json::{Map, Value};

use crate::edits::Edits;
use crate::entities::{AliasRow, EntityRow, NameRow};
use crate::table::{Json, Row, Table, row};

/// The tables a commit fills, in an order in which rows may be inserted.
pub(crate) const COMMITTED: &[&Table] = &[
    ExtractorRow::TABLE,
    RunRow::TABLE,
    TurnRow::TABLE,
    BindingRow::TABLE,
    EntityRow::TABLE,
    AliasRow::TABLE,
    NameRow::TABLE,
    MemoryRow::TABLE,
    SourceRow::TABLE,
    StatementRow::TABLE,
    DisputeRow::TABLE,
    EffectRow::TABLE,
    AuditRow::TABLE,
    DetailRow::TABLE,
    SpanRow::TABLE,
];

/// The table of a name.
pub(crate) fn table(name: &str) -> Option<&'static Table> {
    COMMITTED.iter().copied().find(|table| table.name == name)
}

row! {
    /// A model with its prompt, once however many runs used it.
    ExtractorRow: "extractors", "ON CONFLICT (extractor) DO NOTHING" {
        extractor: String,
        provider: String,
        model: String,
        model_version_hash: String,
        extractor_schema_version: i64,
        prompt_name: String,
        prompt_version: String,
        prompt_sha256: String,
    }
}

row! {
    /// A committed run.
    RunRow: "runs", "" {
        trace_id: String,
        namespace: String,
        scope_id: i64,
        session_pk: i64,
        session_version: i64,
        extractor: Option<String>,
        accepted_at: i64,
        accepted_offset: i64,
        ran_at: i64,
        committed_at: i64,
        attempt: i64,
        turn_count: i64,
        candidate_count: i64,
        stored_count: i64,
        model_calls: i64,
        prompt_tokens: i64,
        completion_tokens: i64,
        cost_micros: i64,
        call_hash: String,
        hash_key: String,
        revision: i64,
        forgotten_at: Option<i64>,
        batch_id: Option<String>,
    }
}

row! {
    /// A turn: everything but its words.
    TurnRow: "turns", "ON CONFLICT (session_pk, turn_id, scope_id) DO NOTHING" {
        session_pk: i64,
        turn_id: String,
        scope_id: i64,
        role: String,
        speaker: Option<String>,
        said_at: Option<i64>,
        said_offset: Option<i64>,
        at_source: String,
        content_hash: String,
        hash_key: String,
    }
}

row! {
    /// An id that is unique in its namespace, with its holder.
    BindingRow: "bindings", "ON CONFLICT (namespace, kind, id) DO NOTHING" {
        namespace: String,
        kind: String,
        id: String,
        holder: String,
    }
}

row! {
    /// A memory.
    MemoryRow: "memories", "" {
        memory_id: String,
        scope_id: i64,
        namespace: String,
        session_pk: i64,
        anchor_source: i64,
        content: String,
        memory_type: String,
        subject_id: String,
        attribute: String,
        value: String,
        object_id: Option<String>,
        polarity: String,
        confidence: f64,
        importance: f64,
        language: Option<String>,
        event_at: Option<i64>,
        event_at_offset: Option<i64>,
        event_until: Option<i64>,
        event_until_offset: Option<i64>,
        precision: String,
        status: String,
        single_valued: i64,
        valid_from: Option<i64>,
        valid_from_offset: Option<i64>,
        valid_until: Option<i64>,
        valid_until_offset: Option<i64>,
        superseded_by: Option<String>,
        deleted_at: Option<i64>,
        expires_at: Option<i64>,
        expires_at_offset: Option<i64>,
        metadata: Json<Map<String, Value>>,
        created_at: i64,
        last_accessed_at: Option<i64>,
        access_count: i64,
        claim_key: String,
        occurrence: String,
        extractor: String,
        extracted_at: i64,
        trace_id: String,
        changed_revision: i64,
        gone: Option<String>,
        edits: Json<Edits>,
    }
}

row! {
    /// The columns of a memory that a later run may change.
    MemoryChange: "memories", "" {
        memory_id: String,
        content: String,
        memory_type: String,
        attribute: String,
        value: String,
        object_id: Option<String>,
        polarity: String,
        language: Option<String>,
        event_at: Option<i64>,
        event_at_offset: Option<i64>,
        event_until: Option<i64>,
        event_until_offset: Option<i64>,
        precision: String,
        confidence: f64,
        importance: f64,
        status: String,
        superseded_by: Option<String>,
        valid_from: Option<i64>,
        valid_from_offset: Option<i64>,
        valid_until: Option<i64>,
        valid_until_offset: Option<i64>,
        changed_revision: i64,
    }
}

row! {
    /// A turn a memory rests on.
    SourceRow: "sources", "" {
        memory_id: String,
        ordinal: i64,
        scope_id: i64,
        session_pk: i64,
        turn_id: String,
        trace_id: String,
        origin: String,
        quote: String,
        start_char: i64,
        end_char: i64,
        withdrawn: i64,
    }
}

row! {
    /// What a call said of a memory.
    StatementRow: "statements", "" {
        trace_id: String,
        ordinal: i64,
        memory_id: String,
        scope_id: i64,
        said: Json<Memory>,
        turn_place: i64,
        char_place: i64,
        replaces: Option<String>,
    }
}

row! {
    /// Two memories that say different things, or one that is doubted. Raised again it is open again.
    DisputeRow: "disputes", "ON CONFLICT (memory_id, coalesce(with_id, '')) DO UPDATE SET trace_id = excluded.trace_id,
        opened_at = excluded.opened_at, opened_revision = excluded.opened_revision, settled_at = NULL,
        settled_revision = NULL, kept = NULL" {
        memory_id: String,
        with_id: Option<String>,
        scope_id: i64,
        trace_id: Option<String>,
        opened_at: i64,
        opened_revision: i64,
    }
}

row! {
    /// One change of a run, with what is needed to undo it.
    EffectRow: "effects", "" {
        trace_id: String,
        ordinal: i64,
        kind: String,
        memory_id: String,
        other_id: Option<String>,
        detail: Json<Value>,
    }
}

row! {
    /// A line of the audit log.
    AuditRow: "audit", "" {
        audit_id: String,
        event_type: String,
        namespace: String,
        scope_id: Option<i64>,
        memory_id: Option<String>,
        actor: String,
        trace_id: Option<String>,
        at: i64,
        reason: Option<String>,
        before: Option<Json<Value>>,
        after: Option<Json<Value>>,
        verdict: Option<Json<Value>>,
    }
}

row! {
    /// What is kept of a run for a while only.
    DetailRow: "run_details", "" {
        trace_id: String,
        expires_at: i64,
        traceparent: Option<String>,
        turns: Json<Vec<TurnVerdict>>,
        verdicts: Json<Vec<Verdict>>,
        notes: Json<Vec<String>>,
    }
}

row! {
    /// A timed step.
    SpanRow: "spans", "" {
        trace_id: String,
        ordinal: i64,
        expires_at: i64,
        stage: String,
        started_ns: i64,
        took_ns: i64,
        items: i64,
        dropped: Json<Vec<(Reason, u32)>>,
    }
}
