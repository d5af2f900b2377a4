//! What a case says is known: entities, memories and deleted claims of the scope, as the store would hand them out.

use recall_core::call::Call;
use recall_core::candidate::{Candidate, MemoryType, Polarity};
use recall_core::claim::{Statement, suppression_of};
use recall_core::context::Near;
use recall_core::entity::{Entity, EntityKind, EntityRef};
use recall_core::id::{EntityId, MemoryId, SuppressionId};
use recall_core::keys::KeyRing;
use recall_core::memory::{Memory, Status};
use recall_core::moment::Precision;
use recall_core::provenance::{ExtractedBy, Provenance};
use recall_core::reading::Reading;
use recall_core::turn::{Role, TurnId};
use serde_json::Value;

use super::{Case, KnownMemory};

/// The snapshot of the scope a case describes.
pub(super) fn near(case: &Case, reading: &Reading, keys: &KeyRing) -> Near {
    let trace = &reading.call.trace_id;
    let entity = |place: usize| EntityId::new(trace.derive("known-entity", place));
    let mut entities = vec![Entity {
        id: entity(0),
        name: recall_core::entity::USER.to_owned(),
        kind: EntityKind::User,
        aliases: Vec::new(),
    }];
    for known in &case.known.entities {
        entities.push(Entity {
            id: entity(entities.len()),
            name: known.name.clone(),
            kind: kind(known.kind.as_deref()),
            aliases: known.aliases.clone(),
        });
    }
    let mut memories = Vec::new();
    for (place, known) in case.known.memories.iter().enumerate() {
        let folded = known.subject.to_lowercase();
        let named = |entity: &&Entity| {
            std::iter::once(&entity.name).chain(&entity.aliases).any(|name| name.to_lowercase() == folded)
        };
        let subject = match entities.iter().find(named) {
            Some(entity) => EntityRef { id: entity.id.clone(), name: entity.name.clone() },
            None => {
                let id = entity(entities.len());
                entities.push(Entity {
                    id: id.clone(),
                    name: known.subject.clone(),
                    kind: EntityKind::Unknown,
                    aliases: Vec::new(),
                });
                EntityRef { id, name: known.subject.clone() }
            }
        };
        memories.push(memory(reading, known, subject, MemoryId::new(trace.derive("known-memory", place))));
    }
    let suppressions = case.known.suppressed.iter().enumerate().map(|(place, sentence)| {
        let about = recall_core::claim::subject_of(sentence);
        let subject = match entities.iter().find(|entity| entity.name.to_lowercase() == about.to_lowercase()) {
            Some(entity) => entity.id.clone(),
            None => {
                let id = entity(entities.len());
                let aliases = Vec::new();
                entities.push(Entity { id: id.clone(), name: about.clone(), kind: EntityKind::Unknown, aliases });
                id
            }
        };
        let statement = Statement::sentence(sentence, &about);
        suppression_of(
            &statement,
            vec![subject],
            keys.current(),
            SuppressionId::new(trace.derive("suppression", place)),
        )
    });
    let suppressions = suppressions.collect();
    Near { epoch: 0, entities, suppressions, memories, ..Near::default() }
}

fn kind(name: Option<&str>) -> EntityKind {
    name.and_then(|name| serde_json::from_value(Value::String(name.to_owned())).ok()).unwrap_or_default()
}

fn memory(reading: &Reading, known: &KnownMemory, subject: EntityRef, id: MemoryId) -> Memory {
    let candidate = Candidate {
        content: known.content.clone(),
        memory_type: MemoryType::Fact,
        subject: known.subject.clone(),
        attribute: known.attribute.clone(),
        value: known.value.clone(),
        polarity: Polarity::Positive,
        evidence: Vec::new(),
        time_expression: None,
        confidence: known.confidence.unwrap_or(0.9),
    };
    let (attribute, claim_key) = recall_core::claim::keys(&candidate);
    let call = &reading.call;
    Memory {
        id,
        scope: call.scope.clone(),
        session_id: "earlier".to_owned(),
        content: known.content.clone(),
        memory_type: MemoryType::Fact,
        subject,
        attribute,
        value: known.value.clone(),
        object: None,
        polarity: Polarity::Positive,
        confidence: known.confidence.unwrap_or(0.9),
        importance: 0.5,
        language: None,
        event_at: None,
        event_until: None,
        precision: Precision::Unknown,
        status: Status::Active,
        valid_from: known.said_at,
        valid_until: None,
        superseded_by: None,
        deleted_at: None,
        expires_at: None,
        metadata: serde_json::Map::new(),
        created_at: call.accepted_at,
        last_accessed_at: None,
        access_count: 0,
        claim_key,
        occurrence: String::new(),
        provenance: provenance(call, known),
    }
}

fn provenance(call: &Call, known: &KnownMemory) -> Provenance {
    let source = recall_core::evidence::Source {
        turn_id: TurnId("earlier".into()),
        quote: known.content.clone(),
        start: 0,
        end: known.content.chars().count(),
        origin: recall_core::evidence::Origin::Call,
        role: Role::User,
        speaker: None,
        said_at: known.said_at,
    };
    Provenance {
        source_turn_ids: vec![source.turn_id.clone()],
        source_session_id: "earlier".into(),
        source_scope: call.scope.clone(),
        sources: vec![source],
        extracted_by: ExtractedBy::new("eval", "eval", ("", "", "")),
        extracted_at: call.accepted_at,
        extraction_trace_id: call.trace_id.clone(),
    }
}
