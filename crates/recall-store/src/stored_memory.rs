//! A memory as it stands in the database, and the way back to the noun of the core.

use jiff::Timestamp;
use jiff::tz::Offset;
use recall_core::candidate::{MemoryType, Polarity};
use recall_core::claim::ClaimKey;
use recall_core::entity::EntityRef;
use recall_core::evidence::{Origin, Source};
use recall_core::id::EntityId;
use recall_core::memory::{Memory, Status};
use recall_core::moment::{Moment, Precision};
use recall_core::provenance::{ExtractedBy, Provenance};
use recall_core::scope::{Owner, Scope};
use recall_core::turn::{Role, TurnId};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::StoreError;
use crate::rows::{ExtractorRow, MemoryRow};

/// A memory `m` as one JSON object; goes with `memory_from!`.
macro_rules! memory_json {
    () => {
        "{object}('row', {row m memories}, 'subject', e.name, 'object', o.name, 'session', n.session_id,
            'scope', {object}('namespace', c.namespace, 'kind', c.owner_kind, 'owner', c.owner, 'agent', c.agent),
            'extractor', {row x extractors},
            'sources', {json}((SELECT {array}({object}('turn_id', s.turn_id, 'quote', s.quote, 'start', s.start_char,
                    'end', s.end_char, 'origin', s.origin, 'role', t.role, 'speaker', t.speaker, 'said_at', t.said_at,
                    'said_offset', t.said_offset) ORDER BY s.ordinal)
                FROM sources s JOIN turns t ON t.session_pk = s.session_pk AND t.turn_id = s.turn_id
                WHERE s.memory_id = m.memory_id)))"
    };
}
pub(crate) use memory_json;

/// The tables behind `memory_json!`.
macro_rules! memory_from {
    () => {
        "memories m JOIN scopes c ON c.scope_id = m.scope_id JOIN sessions n ON n.session_pk = m.session_pk
            JOIN entities e ON e.entity_id = m.subject_id LEFT JOIN entities o ON o.entity_id = m.object_id
            JOIN extractors x ON x.extractor = m.extractor"
    };
}
pub(crate) use memory_from;

/// What `memory_json!` answers.
#[derive(Debug, Deserialize)]
pub(crate) struct StoredMemory {
    pub(crate) row: MemoryRow,
    subject: String,
    object: Option<String>,
    session: String,
    scope: StoredScope,
    extractor: ExtractorRow,
    pub(crate) sources: Vec<StoredSource>,
}

/// A scope as columns.
#[derive(Debug, Deserialize)]
pub(crate) struct StoredScope {
    namespace: String,
    kind: String,
    owner: String,
    agent: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StoredSource {
    turn_id: TurnId,
    quote: String,
    start: usize,
    end: usize,
    origin: Origin,
    role: Role,
    speaker: Option<String>,
    said_at: Option<i64>,
    said_offset: Option<i64>,
}

impl StoredScope {
    pub(crate) fn into_scope(self) -> Result<Scope, StoreError> {
        let owner = match self.kind.as_str() {
            "user" => Owner::User(self.owner),
            "account" => Owner::Account(self.owner),
            other => return Err(StoreError::Corrupt(format!("owner of kind {other}"))),
        };
        let agent = Some(self.agent).filter(|agent| !agent.is_empty());
        Scope::new(self.namespace, owner, agent).map_err(|error| StoreError::Corrupt(error.to_string()))
    }
}

impl StoredMemory {
    /// The memory; [`StoreError::Corrupt`] names the column that cannot be read.
    pub(crate) fn into_memory(self) -> Result<Memory, StoreError> {
        let row = self.row;
        let scope = self.scope.into_scope()?;
        let sources = self.sources.into_iter().map(StoredSource::into_source).collect::<Result<Vec<_>, _>>()?;
        let provenance = Provenance {
            source_turn_ids: turn_ids(&sources),
            source_session_id: self.session.clone(),
            source_scope: scope.clone(),
            sources,
            extracted_by: extracted_by(self.extractor)?,
            extracted_at: utc(row.extracted_at)?,
            extraction_trace_id: parsed("trace_id", row.trace_id)?,
        };
        let object = match (row.object_id, self.object) {
            (Some(id), Some(name)) => Some(EntityRef { id: parsed("object_id", id)?, name }),
            (None, _) | (Some(_), None) => None,
        };
        Ok(Memory {
            id: parsed("memory_id", row.memory_id)?,
            scope,
            session_id: self.session,
            content: row.content,
            memory_type: parsed::<MemoryType>("memory_type", row.memory_type)?,
            subject: EntityRef { id: parsed::<EntityId>("subject_id", row.subject_id)?, name: self.subject },
            attribute: row.attribute,
            value: row.value,
            object,
            polarity: parsed::<Polarity>("polarity", row.polarity)?,
            confidence: row.confidence,
            importance: row.importance,
            language: row.language,
            event_at: moment(row.event_at, row.event_at_offset)?,
            event_until: moment(row.event_until, row.event_until_offset)?,
            precision: parsed::<Precision>("precision", row.precision)?,
            status: parsed::<Status>("status", row.status)?,
            valid_from: moment(row.valid_from, row.valid_from_offset)?,
            valid_until: moment(row.valid_until, row.valid_until_offset)?,
            superseded_by: row.superseded_by.map(|id| parsed("superseded_by", id)).transpose()?,
            deleted_at: row.deleted_at.map(utc).transpose()?,
            expires_at: moment(row.expires_at, row.expires_at_offset)?,
            metadata: row.metadata.0,
            created_at: utc(row.created_at)?,
            last_accessed_at: row.last_accessed_at.map(utc).transpose()?,
            access_count: row.access_count,
            claim_key: ClaimKey(row.claim_key),
            occurrence: row.occurrence,
            provenance,
        })
    }
}

impl StoredSource {
    fn into_source(self) -> Result<Source, StoreError> {
        let said_at = moment(self.said_at, self.said_offset)?;
        let Self { turn_id, quote, start, end, origin, role, speaker, .. } = self;
        Ok(Source { turn_id, quote, start, end, origin, role, speaker, said_at })
    }
}

/// The cited turns, each once, in the order of the sources.
fn turn_ids(sources: &[Source]) -> Vec<TurnId> {
    let mut ids: Vec<TurnId> = Vec::with_capacity(sources.len());
    for source in sources {
        if !ids.contains(&source.turn_id) {
            ids.push(source.turn_id.clone());
        }
    }
    ids
}

/// What read the turns, from its row.
pub(crate) fn extracted_by(row: ExtractorRow) -> Result<ExtractedBy, StoreError> {
    Ok(ExtractedBy {
        provider: row.provider,
        model: row.model,
        model_version_hash: row.model_version_hash,
        extractor_schema_version: u32::try_from(row.extractor_schema_version)
            .map_err(|_| StoreError::Corrupt("extractor_schema_version".into()))?,
        prompt_name: row.prompt_name,
        prompt_version: row.prompt_version,
        prompt_sha256: row.prompt_sha256,
    })
}

/// A text column as the id or enum it stands for.
pub(crate) fn parsed<T: DeserializeOwned>(column: &str, text: String) -> Result<T, StoreError> {
    serde_json::from_value(Value::String(text)).map_err(|_| StoreError::Corrupt(column.to_owned()))
}

/// An enum of the core as the text of its column.
pub(crate) fn text_of(value: impl serde::Serialize) -> Result<String, StoreError> {
    match serde_json::to_value(value) {
        Ok(Value::String(text)) => Ok(text),
        Ok(_) | Err(_) => Err(StoreError::Corrupt("enum without a text form".into())),
    }
}

/// Microseconds UTC as a moment.
pub(crate) fn utc(microseconds: i64) -> Result<Moment, StoreError> {
    Moment::from_microseconds(microseconds).ok_or_else(|| StoreError::Corrupt("instant beyond the calendar".into()))
}

/// Microseconds and the speaker's offset in seconds as a moment.
pub(crate) fn moment(microseconds: Option<i64>, offset: Option<i64>) -> Result<Option<Moment>, StoreError> {
    let Some(microseconds) = microseconds else { return Ok(None) };
    let beyond = || StoreError::Corrupt("instant beyond the calendar".into());
    let seconds = i32::try_from(offset.unwrap_or_default()).map_err(|_| beyond())?;
    let offset = Offset::from_seconds(seconds).map_err(|_| beyond())?;
    let instant = Timestamp::from_microsecond(microseconds).map_err(|_| beyond())?;
    Ok(Some(Moment::new(instant, offset)))
}

/// A moment as its two columns.
pub(crate) fn columns(moment: Option<Moment>) -> (Option<i64>, Option<i64>) {
    (moment.map(Moment::microseconds), moment.map(|moment| i64::from(moment.offset().seconds())))
}
