//! What callers see of memories and traces: one shape for the API, `--json` and the OpenAPI file.

pub(crate) mod keys;
pub(crate) mod prompt;
pub(crate) mod receipt;
pub(crate) mod repair;
pub(crate) mod runs;
pub(crate) mod swap;

use recall_core::memory::Memory;
use recall_store::record::Trace;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A memory with its proof.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MemoryView {
    /// Its id (`mem_…`).
    pub id: String,
    /// Whose memory it is: namespace, owner, optional agent.
    #[schema(value_type = Object)]
    pub scope: Value,
    /// The session it was said in.
    pub session_id: String,
    /// One self-contained sentence.
    pub content: String,
    /// `fact`, `preference`, `event` or `relation`.
    pub memory_type: String,
    /// Whom or what it is about: id and name.
    pub subject: EntityView,
    /// What is claimed of the subject.
    pub attribute: String,
    /// Its value.
    pub value: String,
    /// The entity the value names, where it names one.
    pub object: Option<EntityView>,
    /// `positive` or `negative`.
    pub polarity: String,
    /// 0 to 1.
    pub confidence: f64,
    /// 0 to 1.
    pub importance: f64,
    /// ISO 639-3 code, where the language is sure.
    pub language: Option<String>,
    /// First moment of the period it happened in (RFC 3339).
    pub event_at: Option<String>,
    /// Last day of a range.
    pub event_until: Option<String>,
    /// `instant`, `day`, `week`, `month`, `season`, `year` or `unknown`.
    pub precision: String,
    /// `active`, `superseded`, `disputed` or `expired`; `withdrawn` while it does not count, since it was forgotten or waits for a
    /// run; `deleted` for good.
    pub status: String,
    /// Said from this moment on.
    pub valid_from: Option<String>,
    /// Until a later value was said.
    pub valid_until: Option<String>,
    /// The memory that replaced it.
    pub superseded_by: Option<String>,
    /// When it was forgotten or deleted; one that was deleted holds no words.
    pub deleted_at: Option<String>,
    /// When it stops counting.
    pub expires_at: Option<String>,
    /// The caller's metadata of the call.
    #[schema(value_type = Object)]
    pub metadata: Value,
    /// When the row was written.
    pub created_at: String,
    /// When it was last handed out by touch.
    pub last_accessed_at: Option<String>,
    /// How often it was touched.
    pub access_count: i64,
    /// Canonical form of the claim.
    pub claim_key: String,
    /// Turns, quotes with spans, model, prompt, trace.
    #[schema(value_type = Object)]
    pub provenance: Value,
}

/// An entity as a memory points to it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EntityView {
    /// Its id (`ent_…`).
    pub id: String,
    /// Its main name.
    pub name: String,
}

impl MemoryView {
    /// The same without the words it was learnt from and what the caller set beside it.
    pub(crate) fn without_proof(self) -> Self {
        Self { provenance: Value::Null, metadata: Value::Object(serde_json::Map::new()), ..self }
    }
}

impl From<&Memory> for MemoryView {
    fn from(memory: &Memory) -> Self {
        let entity = |entity: &recall_core::entity::EntityRef| EntityView {
            id: entity.id.to_string(),
            name: entity.name.clone(),
        };
        let moment = |moment: &Option<recall_core::moment::Moment>| moment.map(|moment| moment.to_string());
        Self {
            id: memory.id.to_string(),
            scope: json(&memory.scope),
            session_id: memory.session_id.clone(),
            content: memory.content.clone(),
            memory_type: memory.memory_type.as_str().to_owned(),
            subject: entity(&memory.subject),
            attribute: memory.attribute.clone(),
            value: memory.value.clone(),
            object: memory.object.as_ref().map(entity),
            polarity: memory.polarity.as_str().to_owned(),
            confidence: memory.confidence,
            importance: memory.importance,
            language: memory.language.clone(),
            event_at: moment(&memory.event_at),
            event_until: moment(&memory.event_until),
            precision: json(&memory.precision).as_str().unwrap_or_default().to_owned(),
            status: memory.standing().to_owned(),
            valid_from: moment(&memory.valid_from),
            valid_until: moment(&memory.valid_until),
            superseded_by: memory.superseded_by.as_ref().map(ToString::to_string),
            deleted_at: moment(&memory.deleted_at),
            expires_at: moment(&memory.expires_at),
            metadata: Value::Object(memory.metadata.clone()),
            created_at: memory.created_at.to_string(),
            last_accessed_at: moment(&memory.last_accessed_at),
            access_count: memory.access_count,
            claim_key: memory.claim_key.0.clone(),
            provenance: json(&memory.provenance),
        }
    }
}

/// Where a call stands, with the detail that is kept for a while.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TraceView {
    /// Its id (`trc_…`).
    pub trace_id: String,
    /// `queued`, `parked`, `done` or `dead`.
    pub status: String,
    /// The whole trace: turns with the pre-filter's verdicts, candidates with theirs, spans, usage, notes.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub detail: Value,
}

impl From<&Trace> for TraceView {
    fn from(trace: &Trace) -> Self {
        let mut detail = json(trace);
        if let Value::Object(fields) = &mut detail {
            fields.remove("trace_id");
            fields.remove("status");
        }
        let status = json(&trace.summary.status);
        Self {
            trace_id: trace.summary.trace_id.to_string(),
            status: status.as_str().unwrap_or_default().to_owned(),
            detail,
        }
    }
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
