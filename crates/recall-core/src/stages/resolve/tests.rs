//! Tables of claims: whom each is about.

use super::{Named, Resolution, resolve};
use crate::call::{Call, Lane, Mode};
use crate::candidate::{Candidate, MemoryType, Polarity};
use crate::context::{Context, Near, Stamp};
use crate::entity::{Entity, EntityKind};
use crate::evidence::{Evidence, Origin, Source, Support};
use crate::id::{EntityId, TraceId};
use crate::keys::{Key, KeyRing};
use crate::moment::Moment;
use crate::provenance::ExtractedBy;
use crate::reading::read;
use crate::scope::{Owner, Scope};
use crate::turn::{AtSource, Role, Said, Turn, TurnId};
use crate::window::Window;

fn turn(place: usize, name: &str, content: &str) -> Turn {
    Turn {
        id: TurnId(format!("t{place}")),
        role: Role::User,
        content: Said::new(content),
        at: None,
        at_source: AtSource::Unknown,
        name: (!name.is_empty()).then(|| name.to_owned()),
        scope: None,
    }
}

/// What a claim with this subject resolves to, resting on the whole last turn of a conversation of `(speaker, words)`.
fn resolved(turns: &[(&str, &str)], known: &[(&str, &[&str])], subject: &str, content: &str) -> Resolution {
    let epoch = Moment::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::Offset::UTC);
    let call = Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("test", "test"), "test", "test"),
        scope: Scope::new("test".into(), Owner::User("test".into()), None).expect("scope"),
        session_id: Some("s".into()),
        turns: turns.iter().enumerate().map(|(place, (name, words))| turn(place, name, words)).collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: epoch,
        remarks: Vec::new(),
    };
    let trace = call.trace_id.clone();
    let reading = read(Window::default(), call);
    let entities = known.iter().enumerate().map(|(place, (name, aliases))| Entity {
        id: EntityId::new(trace.derive("entity", place)),
        name: (*name).to_owned(),
        kind: EntityKind::Person,
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
    });
    let near = Near { entities: entities.collect(), ..Near::default() };
    let keys = KeyRing::new(Key::new("test", "test"), Vec::new());
    let stamp = Stamp { ran_at: epoch, extracted_by: ExtractedBy::new("test", "test", ("", "", "")) };
    let last = &reading.turns.last().expect("a turn").turn;
    let source = Source {
        turn_id: last.id.clone(),
        quote: last.content.as_str().to_owned(),
        start: 0,
        end: last.content.as_str().chars().count(),
        origin: Origin::Call,
        role: Role::User,
        speaker: last.name.clone(),
        said_at: None,
    };
    let evidence =
        Evidence { sources: vec![source], support: Support::Supported, coverage: 1.0, reattributed: Vec::new() };
    let claim = Candidate {
        content: content.to_owned(),
        memory_type: MemoryType::Fact,
        subject: subject.to_owned(),
        attribute: "test".into(),
        value: "test".into(),
        polarity: Polarity::Positive,
        evidence: Vec::new(),
        time_expression: None,
        confidence: 0.9,
    };
    let cx = Context { reading: &reading, near: &near, keys: &keys, stamp: &stamp, opinions: None };
    resolve(&cx, &claim, &evidence).expect("resolve never drops")
}

fn subject(words: &str, known: &[(&str, &[&str])], subject: &str) -> Named {
    resolved(&[("", words)], known, subject, "").subject
}

#[test]
fn a_known_person_goes_by_the_main_name_however_it_was_typed() {
    let known: &[(&str, &[&str])] = &[("Rosalinde Voss", &["Rosa"]), ("user", &[])];
    for said in ["Rosalinde Voss", "rosalinde voss", "Rosa", "Rosalinde", "Roslinde"] {
        let found = subject("she was there", known, said);
        assert_eq!((found.name.as_str(), found.known.is_some()), ("Rosalinde Voss", true), "{said}");
    }
}

#[test]
fn a_name_between_two_or_of_somebody_else_is_never_guessed() {
    let known: &[(&str, &[&str])] = &[("Rosalinde Voss", &["Rosa"]), ("Rosa Lind", &["Rosa"]), ("Martin", &[])];
    for said in ["Rosa", "Martina", "Marta", "Voss", "Ulf"] {
        let found = subject("nothing", known, said);
        assert_eq!((found.name.as_str(), found.known), (said, None), "{said}");
    }
}

#[test]
fn names_that_differ_in_a_figure_or_a_whole_word_are_two_people() {
    let known: &[(&str, &[&str])] = &[("Person2", &[]), ("Speaker A", &[]), ("Studio 12", &[]), ("Garden House", &[])];
    for said in ["Person1", "Speaker B", "Studio 13", "Garden Horse Club", "Person"] {
        let found = subject("nothing", known, said);
        assert_eq!((found.name.as_str(), found.known), (said, None), "{said}");
    }
    assert_eq!(subject("nothing", known, "Gardem House").name, "Garden House");
}

#[test]
fn a_role_with_a_name_is_one_person_and_keeps_both() {
    let found = subject("my landlord Ottmar raised the rent", &[], "user's landlord");
    assert_eq!((found.name.as_str(), found.kind), ("Ottmar", EntityKind::Person));
    assert_eq!(found.aliases, ["user's landlord"]);
    let other = subject("my landlord Ottmar raised the rent", &[("Yusuf", &["user's landlord"])], "user's landlord");
    assert_eq!((other.name.as_str(), other.known), ("Ottmar", None));
}

#[test]
fn kin_have_one_form() {
    let forms = [
        ("the user's mum", "user's mother"),
        ("my dad", "user's father"),
        ("User", "user"),
        ("Grandma", "user's grandmother"),
    ];
    for (said, kept) in forms {
        assert_eq!(subject("nothing", &[], said).name, kept, "{said}");
    }
    assert_eq!(subject("nothing", &[], "user's mum").name, subject("nothing", &[], "my mother").name);
}

#[test]
fn a_pronoun_as_subject_becomes_whom_it_means_or_stays_open() {
    let clear =
        resolved(&[("", "Teodor fixed the boiler."), ("", "he charged nothing")], &[], "he", "He charged nothing");
    assert_eq!((clear.subject.name.as_str(), clear.unresolved), ("Teodor", false));
    let open = resolved(&[("", "he charged nothing")], &[], "he", "He charged nothing");
    assert_eq!((open.subject.name.as_str(), open.unresolved), ("he", true));
    assert!(open.references[0].entity.is_empty() && open.references[0].pronoun == "he");
}

#[test]
fn an_open_owner_beside_a_named_subject_costs_nothing() {
    let found = resolved(&[("", "I know her brother Ivar")], &[], "Ivar", "Ivar is known to the user");
    assert!(!found.unresolved);
}

#[test]
fn among_several_named_speakers_the_user_is_the_one_who_speaks() {
    let turns = [("Ana", "I sold the van"), ("Jonas", "I bought a canoe")];
    assert_eq!(resolved(&turns, &[], "user", "").subject.name, "Jonas");
    assert_eq!(resolved(&turns[..1], &[], "user", "").subject.name, "user");
}

#[test]
fn references_show_main_names() {
    let known: &[(&str, &[&str])] = &[("Rosalinde Voss", &["Rosa"])];
    let found = resolved(&[("", "Rosa moved to Ghent. she rents a loft")], known, "Rosa", "Rosa rents a loft");
    assert_eq!(found.references[0].entity, ["Rosalinde Voss"]);
}
