//! People who tell things: calls that go through reconcile and the store as a worker takes them, for tests of what comes after.

use recall_core::call::{Batch, Call};
use recall_core::candidate::{Candidate, MemoryType, Polarity};
use recall_core::claim::{Statement, known_again};
use recall_core::context::{Context, Stamp};
use recall_core::draft::Draft;
use recall_core::entity::{Entity, EntityKind};
use recall_core::evidence::{Evidence, Support};
use recall_core::id::{BatchId, EntityId, TraceId};
use recall_core::memory::Memory;
use recall_core::moment::Moment;
use recall_core::pipeline::near_keys;
use recall_core::provenance::ExtractedBy;
use recall_core::reading;
use recall_core::run::{Run, Usage};
use recall_core::scope::Owner;
use recall_core::stages::anchor::When;
use recall_core::stages::calibrate::{Calibration, FORMULA};
use recall_core::stages::reconcile::reconcile;
use recall_core::stages::resolve::{Named, Resolution};
use recall_core::text::fold;

use super::ground::Ground;
use super::said::{at, call, source};
use crate::deed::{Actor, Deed};
use crate::record::{Committed, MemoryFilter, PageRequest};
use crate::{Store, StoreError};

/// One statement of a call.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) subject: &'static str,
    pub(super) kind: EntityKind,
    pub(super) aliases: Vec<&'static str>,
    pub(super) attribute: &'static str,
    pub(super) value: String,
    pub(super) content: String,
    pub(super) at: Option<Moment>,
    pub(super) confidence: f64,
}

pub(super) fn told(attribute: &'static str, value: &str, content: &str) -> Told {
    Told {
        subject: "user",
        kind: EntityKind::Unknown,
        aliases: Vec::new(),
        attribute,
        value: value.into(),
        content: content.into(),
        at: Some(at("2026-03-04T09:30:00+01:00")),
        confidence: 0.9,
    }
}

pub(super) fn lives(city: &str, day: u32) -> Told {
    let said = at(&format!("2026-05-{day:02}T10:00:00+02:00"));
    Told { at: Some(said), ..told("home_city", city, &format!("User lives in {city}")) }
}

pub(super) fn of(subject: &'static str, told: Told) -> Told {
    Told { subject, ..told }
}

/// Somebody with a reason.
pub(super) fn deed() -> Deed {
    Deed::new(Actor::ApiKey("desk".into()), "a test").unwrap()
}

/// What reads the turns of these calls.
pub(super) fn prompt(version: &str) -> ExtractedBy {
    ExtractedBy::new("openai", "little-model-3", ("extract", version, "00ff"))
}

/// Takes a call of one turn a statement the whole way; its trace.
pub(super) async fn tell(ground: &Ground, user: &str, session: &str, first: usize, told: &[Told]) -> TraceId {
    tell_with(ground, (user, session, first), told, &prompt("v1")).await
}

pub(super) async fn tell_with(
    ground: &Ground,
    (user, session, first): (&str, &str, usize),
    told: &[Told],
    by: &ExtractedBy,
) -> TraceId {
    let words: Vec<&str> = told.iter().map(|told| told.content.as_str()).collect();
    let mut call = call(user, session, first, &words);
    for (turn, told) in call.turns.iter_mut().zip(told) {
        turn.at = told.at;
    }
    call.metadata.insert("number".into(), first.into());
    committed(ground, &call, told, by).await
}

/// Takes a call the whole way, however often others are first.
pub(super) async fn committed(ground: &Ground, call: &Call, told: &[Told], by: &ExtractedBy) -> TraceId {
    for _ in 0..20 {
        let run = judge(ground, call, told, by).await;
        match ground.store.commit(&run).await {
            Ok(Committed::Now) => return call.trace_id.clone(),
            Err(StoreError::Stale) => {}
            other => panic!("{other:?}"),
        }
    }
    panic!("stale for ever");
}

/// Takes a call of a run the whole way, which reads so many turns; of no run it is a live call that reads the same.
pub(super) async fn staged(
    ground: &Ground,
    (user, session, first): (&str, &str, usize),
    (told, turns): (&[Told], usize),
    run: Option<&BatchId>,
) -> TraceId {
    let words = told.iter().map(|told| told.content.as_str()).chain(std::iter::repeat("Thanks!"));
    let mut call = call(user, session, first, &words.take(turns).collect::<Vec<_>>());
    for (turn, told) in call.turns.iter_mut().zip(told) {
        turn.at = told.at;
    }
    call.metadata.insert("number".into(), first.into());
    call.batch = run.map(|id| Batch {
        id: id.clone(),
        prompt_version: None,
        staged: true,
        erased_too: false,
        before: Vec::new(),
    });
    committed(ground, &call, told, &prompt("v2")).await
}

/// A call judged on a fresh snapshot.
pub(super) async fn judge(ground: &Ground, call: &Call, told: &[Told], by: &ExtractedBy) -> Run {
    let mut drafts: Vec<Draft> = told.iter().zip(&call.turns).map(|(told, turn)| draft(told, turn)).collect();
    let window = ground.store.window(call).await.unwrap();
    let session_version = window.version;
    let reading = reading::read(window, call.clone());
    let candidates: Vec<Candidate> = drafts.iter().map(|draft| draft.candidate.clone()).collect();
    let near = match &call.batch {
        Some(batch) if batch.staged => ground.store.staged_neighbours(&call.scope, &batch.id).await.unwrap(),
        Some(_) | None => ground.store.neighbours(&call.scope, &near_keys(&candidates)).await.unwrap(),
    };
    let stamp = Stamp { ran_at: at("2026-03-04T00:00:07Z"), extracted_by: by.clone() };
    let cx = Context { reading: &reading, near: &near, keys: &ground.store.keys, stamp: &stamp, opinions: None };
    drafts.retain(|draft| !is_deleted(&cx, draft));
    let (changes, _) = reconcile(&cx, &drafts);
    Run {
        call: call.clone(),
        ran_at: stamp.ran_at,
        attempt: 0,
        session_version,
        epoch: near.epoch,
        unmoved: false,
        turns: Vec::new(),
        verdicts: Vec::new(),
        changes,
        extracted_by: Some(by.clone()),
        usage: Usage::default(),
        notes: Vec::new(),
        spans: Vec::new(),
        window: Vec::new(),
        ring: Vec::new(),
        traceparent: None,
    }
}

/// Whether a person had a claim deleted.
fn is_deleted(cx: &Context<'_>, draft: &Draft) -> bool {
    let name = fold(&draft.candidate.subject);
    let bears = |entity: &&Entity| fold(&entity.name) == name;
    let about: Vec<EntityId> = cx.near.entities.iter().filter(bears).map(|entity| entity.id.clone()).collect();
    known_again(&Statement::from(&draft.candidate), &about, &cx.near.suppressions, cx.keys).is_some()
}

fn draft(told: &Told, turn: &recall_core::turn::Turn) -> Draft {
    let aliases = told.aliases.iter().map(|alias| (*alias).to_owned()).collect();
    let subject = Named { name: told.subject.into(), kind: told.kind, known: None, aliases, alone: None };
    Draft {
        candidate: Candidate {
            content: told.content.clone(),
            memory_type: MemoryType::Fact,
            subject: told.subject.into(),
            attribute: told.attribute.into(),
            value: told.value.clone(),
            polarity: Polarity::Positive,
            evidence: Vec::new(),
            time_expression: None,
            confidence: told.confidence,
        },
        evidence: Evidence {
            sources: vec![source(turn)],
            support: Support::Supported,
            coverage: 1.0,
            reattributed: Vec::new(),
        },
        resolution: Resolution { subject, object: None, references: Vec::new(), unresolved: false },
        when: When::default(),
        calibration: Calibration {
            confidence: told.confidence,
            importance: 0.4,
            factors: Vec::new(),
            formula: FORMULA,
        },
    }
}

/// Everything remembered of a user.
pub(super) async fn memories(ground: &Ground, user: &str) -> Vec<Memory> {
    let filter =
        MemoryFilter { namespace: "shop".into(), owner: Some(Owner::User(user.into())), ..MemoryFilter::default() };
    ground.store.memories(&filter, &PageRequest { limit: 500, cursor: None }).await.unwrap().items
}

/// Value and status of everything remembered of a user, in order.
pub(super) async fn statuses(ground: &Ground, user: &str) -> Vec<(String, &'static str)> {
    let found = memories(ground, user).await;
    let mut lines: Vec<_> = found.into_iter().map(|memory| (memory.value, memory.status.as_str())).collect();
    lines.sort();
    lines
}
