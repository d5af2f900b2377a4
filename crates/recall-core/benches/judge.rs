//! What judgement costs: reading an everyday turn, and taking a candidate from grounding to its place in the store.
//! `cargo bench -p recall-core --bench judge`; the targets stand in `eval/README.md`.

use divan::Bencher;
use divan::counter::ItemsCount;
use recall_core::call::{Call, Lane, Mode};
use recall_core::candidate::{Candidate, Citation, MemoryType, Polarity};
use recall_core::claim;
use recall_core::context::{Context, Near, Stamp};
use recall_core::entity::{Entity, EntityKind, EntityRef};
use recall_core::evidence::{Origin, Source};
use recall_core::id::{EntityId, MemoryId, TraceId};
use recall_core::keys::{Key, KeyRing};
use recall_core::memory::{Memory, Status};
use recall_core::moment::{Moment, Precision};
use recall_core::pipeline::STAGES;
use recall_core::provenance::{ExtractedBy, Provenance};
use recall_core::reading::{self, Reading};
use recall_core::run::{Outcome, Verdict};
use recall_core::scope::{Owner, Scope};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_core::window::Window;
use ulid::Ulid;

fn main() {
    divan::main();
}

/// A conversation of ten turns, each as long as people write in a chat.
const TALK: [(Role, &str); 10] = [
    (
        Role::User,
        "Morning! I finally signed the lease, so from the first of March I live in Bergen, right by the harbour.",
    ),
    (Role::Assistant, "Congratulations on the flat! How are you getting your furniture up there?"),
    (
        Role::User,
        "My brother Anders is driving the van. He bought it last summer when he started his own carpentry business.",
    ),
    (Role::Assistant, "That's handy. Do you need a packing list?"),
    (
        Role::User,
        "Maybe later. I'm a bit worried about Miso, she hates travelling and I think she needs a bigger carrier. \
         She's my cat, nearly nine years old now.",
    ),
    (Role::Assistant, "Older cats often do better with a familiar blanket in the carrier."),
    (Role::User, "Good idea, thanks. Oh, and I don't eat shellfish, so no tips about the fish market please!"),
    (Role::Assistant, "Noted, no shellfish."),
    (
        Role::User,
        "The new job starts on the 9th. I'll be teaching chemistry at a school in the centre, three days a week at first.",
    ),
    (Role::User, "We used to spend every Easter at my aunt's cabin near Voss, so the area isn't completely new to me."),
];

/// What a model proposes for [`TALK`]: turn, quote, subject, attribute, value, sentence.
const CLAIMS: [[&str; 6]; 5] = [
    ["t0", "from the first of March I live in Bergen", "user", "home_city", "Bergen", "User lives in Bergen."],
    [
        "t2",
        "My brother Anders is driving the van. He bought it last summer",
        "Anders",
        "possession",
        "van",
        "Anders bought a van last summer.",
    ],
    ["t4", "she hates travelling", "Miso", "dislikes", "travelling", "Miso hates travelling."],
    ["t6", "I don't eat shellfish", "user", "diet", "no shellfish", "User does not eat shellfish."],
    [
        "t8",
        "I'll be teaching chemistry at a school in the centre",
        "user",
        "job",
        "teaching chemistry",
        "User will be teaching chemistry at a school in the centre.",
    ],
];

/// What somebody pasted, and what a model took from it: a statement about nobody of the conversation is held against the text.
const PAGE: &str = "The old ferry across the sound was built in 1934 of riveted steel and carries twelve cars and ninety passengers. \
                    It crosses eight times a day in summer and four times in winter, and stays in the harbour when the wind is \
                    stronger than forty knots. The engine was taken out in 1988 and stands in the museum by the quay. A bridge was \
                    planned for years, but the county gave it up because the ground under the western bank is too soft.";
const STATEMENT: [&str; 6] = [
    "t0",
    PAGE,
    "",
    "",
    "",
    "The ferry across the sound was built in 1934 of riveted steel and stays in the harbour when the wind is strong.",
];

/// What is known already: subject, attribute, value and sentence of fifty memories, made of these and of a count.
const KNOWN: [[&str; 3]; 10] = [
    ["home_city", "Trondheim", "User lives in Trondheim."],
    ["job", "lab assistant", "User works as a lab assistant in shift"],
    ["diet", "no pork", "User does not eat pork."],
    ["possession", "racing bike", "User owns a racing bike, number"],
    ["likes", "cardamom buns", "User likes cardamom buns from bakery"],
    ["likes", "night trains", "User likes travelling by night train, line"],
    ["dislikes", "lifts", "User dislikes the lift in house"],
    ["hobby", "kayaking", "User goes kayaking on lake"],
    ["pet", "cat named Miso", "User has a cat named Miso."],
    ["family", "two nephews", "User has two nephews in class"],
];

#[divan::bench]
fn read_a_turn(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(TALK.len()))
        .with_inputs(|| (Window::default(), call()))
        .bench_local_values(|(window, call)| reading::read(window, call));
}

/// How reading grows with the turn: a quarter of a megabyte may take sixteen times as long as a sixteenth of it, not more.
#[divan::bench(args = [16, 64, 256])]
fn read_kilobytes(bencher: Bencher<'_, '_>, kilobytes: usize) {
    let words: String = TALK.iter().map(|(_, words)| *words).collect::<Vec<_>>().join(" ");
    let long: String = words.chars().cycle().take(kilobytes * 1000).collect();
    let mut call = call();
    call.turns.truncate(1);
    call.turns.iter_mut().for_each(|turn| turn.content = Said::new(long.clone()));
    bencher
        .with_inputs(|| (Window::default(), call.clone()))
        .bench_local_values(|(window, call)| reading::read(window, call));
}

#[divan::bench]
fn prefilter_a_turn(bencher: Bencher<'_, '_>) {
    let reading = reading();
    bencher.counter(ItemsCount::new(TALK.len())).bench_local(|| STAGES.read(&reading, &mut ()));
}

#[divan::bench]
fn judge_a_candidate(bencher: Bencher<'_, '_>) {
    let (reading, near, keys, stamp) = (reading(), near(), keys(), stamp());
    let cx = Context { reading: &reading, near: &near, keys: &keys, stamp: &stamp, opinions: None };
    judge(bencher, &cx, CLAIMS.into_iter().map(candidate).collect());
}

/// Takes candidates through stages 3 to 9; all of them go the whole way, or what is measured is something else.
fn judge(bencher: Bencher<'_, '_>, cx: &Context<'_>, candidates: Vec<Candidate>) {
    let (_, verdicts) = STAGES.decide(cx, candidates.clone(), &mut ());
    let kept = |verdict: &&Verdict| !matches!(verdict.outcome, Outcome::Dropped(_));
    assert_eq!(
        verdicts.iter().filter(kept).count(),
        candidates.len(),
        "every candidate goes the whole way: {verdicts:?}"
    );
    bencher
        .counter(ItemsCount::new(candidates.len()))
        .with_inputs(|| candidates.clone())
        .bench_local_values(|candidates| STAGES.decide(cx, candidates, &mut ()));
}

#[divan::bench]
fn judge_a_statement_against_a_text(bencher: Bencher<'_, '_>) {
    let (near, keys, stamp) = (near(), keys(), stamp());
    let reading = reading::read(Window::default(), call_of(&[(Role::User, PAGE)]));
    let cx = Context { reading: &reading, near: &near, keys: &keys, stamp: &stamp, opinions: None };
    judge(bencher, &cx, vec![candidate(STATEMENT)]);
}

fn call() -> Call {
    call_of(&TALK)
}

fn call_of(talk: &[(Role, &str)]) -> Call {
    let turns = talk.iter().enumerate().map(|(at, (role, content))| Turn {
        id: TurnId(format!("t{at}")),
        role: *role,
        content: Said::new(*content),
        at: Some(moment(at)),
        at_source: AtSource::Stated,
        name: None,
        scope: None,
    });
    Call {
        trace_id: TraceId::from_idempotency_key(&key(), "bench", "call"),
        scope: scope(),
        session_id: Some("s".into()),
        turns: turns.collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: moment(talk.len()),
        remarks: Vec::new(),
    }
}

fn reading() -> Reading {
    reading::read(Window::default(), call())
}

fn candidate([turn_id, quote, subject, attribute, value, content]: [&str; 6]) -> Candidate {
    Candidate {
        content: content.into(),
        memory_type: MemoryType::Fact,
        subject: subject.into(),
        attribute: attribute.into(),
        value: value.into(),
        polarity: if content.contains(" not ") { Polarity::Negative } else { Polarity::Positive },
        evidence: vec![Citation { turn_id: TurnId(turn_id.into()), quote: quote.into() }],
        time_expression: content.contains("last summer").then(|| "last summer".into()),
        confidence: 0.9,
    }
}

fn near() -> Near {
    let entity = |id: u128, name: &str, kind: EntityKind| Entity {
        id: EntityId::new(Ulid(id)),
        name: name.into(),
        kind,
        aliases: Vec::new(),
    };
    let memories = (0..50).filter_map(|at| KNOWN.get(at % KNOWN.len()).map(|known| memory(at, known)));
    Near {
        epoch: 1,
        entities: vec![entity(1, "user", EntityKind::User), entity(2, "Miso", EntityKind::Animal)],
        memories: memories.collect(),
        ..Near::default()
    }
}

fn memory(at: usize, [attribute, value, content]: &[&str; 3]) -> Memory {
    let content = if content.ends_with('.') { (*content).to_owned() } else { format!("{content} {at}.") };
    let subject = EntityRef { id: EntityId::new(Ulid(1)), name: "user".into() };
    let said = Candidate {
        content: content.clone(),
        memory_type: MemoryType::Fact,
        subject: "user".into(),
        attribute: (*attribute).into(),
        value: (*value).into(),
        polarity: Polarity::Positive,
        evidence: Vec::new(),
        time_expression: None,
        confidence: 0.9,
    };
    let (attribute, claim_key) = claim::keys(&said);
    Memory {
        id: MemoryId::new(Ulid(at as u128 + 1)),
        scope: scope(),
        session_id: "before".into(),
        memory_type: said.memory_type,
        subject,
        attribute,
        value: said.value,
        object: None,
        polarity: said.polarity,
        confidence: 0.8,
        importance: 0.4,
        language: None,
        event_at: None,
        event_until: None,
        precision: Precision::Unknown,
        status: Status::Active,
        valid_from: None,
        valid_until: None,
        superseded_by: None,
        deleted_at: None,
        expires_at: None,
        metadata: serde_json::Map::new(),
        created_at: moment(0),
        last_accessed_at: None,
        access_count: 0,
        claim_key,
        occurrence: String::new(),
        provenance: provenance(at, &content),
        content,
    }
}

fn provenance(at: usize, quote: &str) -> Provenance {
    let turn_id = TurnId(format!("before{at}"));
    let source = Source {
        turn_id: turn_id.clone(),
        quote: quote.to_owned(),
        start: 0,
        end: quote.chars().count(),
        origin: Origin::Call,
        role: Role::User,
        speaker: None,
        said_at: None,
    };
    Provenance {
        source_turn_ids: vec![turn_id],
        source_session_id: "before".into(),
        source_scope: scope(),
        sources: vec![source],
        extracted_by: stamp().extracted_by,
        extracted_at: moment(0),
        extraction_trace_id: TraceId::from_idempotency_key(&key(), "bench", "before"),
    }
}

fn scope() -> Scope {
    Scope::new("bench".into(), Owner::User("u".into()), None).expect("a scope")
}

fn key() -> Key {
    Key::new("k", "a key of the benchmark")
}

fn keys() -> KeyRing {
    KeyRing::new(key(), Vec::new())
}

fn stamp() -> Stamp {
    Stamp { ran_at: moment(20), extracted_by: ExtractedBy::new("bench", "none", ("extract", "v1", "")) }
}

/// Minutes of a morning in February.
fn moment(minute: usize) -> Moment {
    format!("2026-02-14T09:{minute:02}:00+01:00").parse().expect("a moment")
}
