//! Calls and runs for tests: small conversations of nobody in particular.

use std::time::Duration;

use recall_core::call::{Call, Lane, Mode};
use recall_core::candidate::{Candidate, Citation, MemoryType, Polarity};
use recall_core::claim::ClaimKey;
use recall_core::effect::{Changes, Effect};
use recall_core::entity::{Entity, EntityKind, EntityRef, USER};
use recall_core::evidence::{Origin, Source, Support};
use recall_core::id::{EntityId, MemoryId, TraceId};
use recall_core::memory::{Memory, Status};
use recall_core::moment::{Moment, Precision};
use recall_core::provenance::{ExtractedBy, Provenance};
use recall_core::run::{Outcome, Run, SpanRecord, TurnVerdict, Usage, Verdict};
use recall_core::scope::{Owner, Scope};
use recall_core::stage::{Reason, Stage};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_core::window::RingTurn;
use ulid::Ulid;

/// An instant, in the speaker's offset.
pub(super) fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

pub(super) fn scope(user: &str) -> Scope {
    Scope::new("shop".into(), Owner::User(user.into()), None).unwrap()
}

pub(super) fn turn(id: &str, words: &str) -> Turn {
    Turn {
        id: TurnId(id.into()),
        role: Role::User,
        content: Said::new(words),
        at: Some(at("2026-03-04T09:30:00.250+09:00")),
        at_source: AtSource::Stated,
        name: Some("Mirjam".into()),
        scope: None,
    }
}

/// A call of a session, with one turn per text; turn ids are numbers from `first`.
pub(super) fn call(user: &str, session: &str, first: usize, words: &[&str]) -> Call {
    let turns = words.iter().enumerate().map(|(index, words)| turn(&(first + index).to_string(), words));
    Call {
        trace_id: TraceId::new(Ulid::from_parts(1_770_000_000_000, rand::random())),
        scope: scope(user),
        session_id: Some(session.into()),
        turns: turns.collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: at("2026-03-04T01:00:00+01:00"),
        remarks: Vec::new(),
    }
}

pub(super) fn extractor() -> ExtractedBy {
    ExtractedBy::new("openai", "little-model-3", ("extract", "v1", "00ff"))
}

/// A claim of a call: what it says, of which attribute.
#[derive(Clone)]
pub(super) struct Claim<'a> {
    pub(super) attribute: &'a str,
    pub(super) value: &'a str,
    pub(super) single_valued: bool,
}

pub(super) fn claim<'a>(attribute: &'a str, value: &'a str) -> Claim<'a> {
    Claim { attribute, value, single_valued: false }
}

/// The entity that stands for the owner of a scope: the same id for everyone who asks.
pub(super) fn user_entity(scope: &Scope) -> EntityId {
    let sum = scope.key().bytes().fold(7_u128, |sum, byte| sum.wrapping_mul(131).wrapping_add(u128::from(byte)));
    EntityId::new(Ulid(sum))
}

pub(super) fn source(turn: &Turn) -> Source {
    Source {
        turn_id: turn.id.clone(),
        quote: turn.content.as_str().to_owned(),
        start: 0,
        end: turn.content.as_str().chars().count(),
        origin: Origin::Call,
        role: turn.role,
        speaker: turn.name.clone(),
        said_at: turn.at,
    }
}

pub(super) fn memory(call: &Call, ordinal: usize, claim: &Claim<'_>) -> Memory {
    let turn = &call.turns[0];
    Memory {
        id: MemoryId::new(call.trace_id.derive("memory", ordinal)),
        scope: call.scope.clone(),
        session_id: call.session().into(),
        content: format!("The user's {} is {}.", claim.attribute, claim.value),
        memory_type: MemoryType::Fact,
        subject: EntityRef { id: user_entity(&call.scope), name: USER.into() },
        attribute: claim.attribute.into(),
        value: claim.value.into(),
        object: None,
        polarity: Polarity::Positive,
        confidence: 0.1 + 0.2,
        importance: 0.5,
        language: Some("eng".into()),
        event_at: None,
        event_until: None,
        precision: Precision::Unknown,
        status: Status::Active,
        valid_from: turn.at,
        valid_until: None,
        superseded_by: None,
        deleted_at: None,
        expires_at: call.expires_at,
        metadata: call.metadata.clone(),
        created_at: at("2001-01-01T00:00:00Z"),
        last_accessed_at: None,
        access_count: 0,
        claim_key: ClaimKey(format!("1:{}={}", claim.attribute, claim.value)),
        occurrence: String::new(),
        provenance: Provenance {
            source_turn_ids: vec![turn.id.clone()],
            source_session_id: call.session().into(),
            source_scope: call.scope.clone(),
            sources: vec![source(turn)],
            extracted_by: extractor(),
            extracted_at: at("2026-03-04T00:00:07Z"),
            extraction_trace_id: call.trace_id.clone(),
        },
    }
}

pub(super) fn insert(memory: Memory, single_valued: bool) -> Effect {
    Effect::Insert { memory: Box::new(memory), single_valued }
}

/// A run that stores each claim as a new memory, judged on a scope at `epoch`.
pub(super) fn run(call: &Call, session_version: i64, epoch: i64, claims: &[Claim<'_>]) -> Run {
    let memories =
        claims.iter().enumerate().map(|(ordinal, claim)| (memory(call, ordinal, claim), claim.single_valued));
    let effects = memories.map(|(memory, single_valued)| insert(memory, single_valued)).collect();
    run_of(call, session_version, epoch, effects)
}

/// A run with these effects.
pub(super) fn run_of(call: &Call, session_version: i64, epoch: i64, effects: Vec<Effect>) -> Run {
    let verdicts = effects.iter().filter_map(|effect| match effect {
        Effect::Insert { memory, .. } => Some(stored(memory)),
        Effect::AddSources { .. } | Effect::Activate { .. } | Effect::Supersede { .. } | Effect::Dispute { .. } => None,
    });
    let verdicts = verdicts.collect();
    let new_user =
        Entity { id: user_entity(&call.scope), name: USER.into(), kind: EntityKind::User, aliases: Vec::new() };
    Run {
        call: call.clone(),
        ran_at: at("2026-03-04T00:00:07Z"),
        attempt: 1,
        session_version,
        epoch,
        unmoved: false,
        turns: call.turns.iter().map(|turn| TurnVerdict { turn_id: turn.id.clone(), dropped: None }).collect(),
        verdicts,
        changes: Changes { entities: vec![new_user], effects, ..Changes::default() },
        extracted_by: Some(extractor()),
        usage: Usage { model_calls: 1, prompt_tokens: 812, completion_tokens: 96, cost_micros: 40 },
        notes: vec!["a time without offset was read as UTC".into()],
        spans: vec![span(0, Stage::Prefilter), span(1, Stage::Ground)],
        window: call.turns.clone(),
        ring: call.turns.iter().map(ring_turn).collect(),
        traceparent: None,
    }
}

pub(super) fn span(ordinal: u32, stage: Stage) -> SpanRecord {
    SpanRecord {
        ordinal,
        stage,
        started: Duration::from_micros(12),
        took: Duration::from_nanos(34_567),
        items: 2,
        dropped: vec![(Reason::Greeting, 1)],
    }
}

pub(super) fn ring_turn(turn: &Turn) -> RingTurn {
    RingTurn { turn_id: turn.id.clone(), role: turn.role, speaker: turn.name.clone(), mentions: Vec::new() }
}

fn stored(memory: &Memory) -> Verdict {
    let candidate = Candidate {
        content: memory.content.clone(),
        memory_type: memory.memory_type,
        subject: USER.into(),
        attribute: memory.attribute.clone(),
        value: memory.value.clone(),
        polarity: memory.polarity,
        evidence: vec![Citation { turn_id: TurnId("1".into()), quote: "as said".into() }],
        time_expression: None,
        confidence: 0.9,
    };
    Verdict {
        candidate: Some(candidate),
        outcome: Outcome::Stored { memory_id: memory.id.clone(), reason: None },
        support: Some(Support::Supported),
        resolution: None,
        when: None,
        calibration: None,
    }
}
