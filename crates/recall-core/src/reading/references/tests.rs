//! Tables of conversations: who is mentioned, and whom a pronoun means.

use proptest::prelude::*;

use super::{Mention, Reference};
use crate::call::{Call, Lane, Mode};
use crate::entity::USER;
use crate::id::TraceId;
use crate::keys::Key;
use crate::moment::Moment;
use crate::reading::{Reading, read};
use crate::scope::{Owner, Scope};
use crate::turn::{AtSource, Role, Said, Turn, TurnId};
use crate::window::Window;

/// A speaker is `user`, `assistant`, or the name of a person.
fn turn(place: usize, (speaker, content): &(&str, &str)) -> Turn {
    Turn {
        id: TurnId(format!("t{place}")),
        role: if *speaker == "assistant" { Role::Assistant } else { Role::User },
        content: Said::new(*content),
        at: None,
        at_source: AtSource::Unknown,
        name: (!matches!(*speaker, "user" | "assistant")).then(|| (*speaker).to_owned()),
        scope: None,
    }
}

fn call(turns: Vec<Turn>) -> Call {
    Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("test", "test"), "test", "test"),
        scope: Scope::new("test".into(), Owner::User("test".into()), None).expect("scope"),
        session_id: Some("s".into()),
        turns,
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: Moment::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::Offset::UTC),
        remarks: Vec::new(),
    }
}

fn heard(turns: &[(&str, &str)]) -> Reading {
    read(Window::default(), call(turns.iter().enumerate().map(|(place, said)| turn(place, said)).collect()))
}

fn last(reading: &Reading) -> (&[Mention], &[Reference]) {
    let read = reading.turns.last().expect("a turn");
    (&read.mentions, &read.references)
}

/// Conversation, pronoun of the last turn, whom it means (nothing: it stays open).
type Case = (&'static [(&'static str, &'static str)], &'static str, &'static str);

fn check(cases: &[Case]) {
    for (turns, pronoun, right) in cases {
        let reading = heard(turns);
        let (mentions, references) = last(&reading);
        let found = references.iter().find(|reference| reference.pronoun == *pronoun);
        let found = found.unwrap_or_else(|| panic!("no {pronoun} in {turns:?}"));
        assert_eq!(found.antecedents.join(" and "), *right, "{pronoun} in {turns:?}: {found:?} among {mentions:?}");
    }
}

#[test]
fn a_name_or_role_is_taken_up_by_a_pronoun_that_fits() {
    check(&[
        (&[("user", "My aunt Radmila bakes on Sundays. She swears by lard.")], "she", "Radmila"),
        (&[("user", "my brother collects stamps. he has four albums")], "he", "user's brother"),
        (&[("user", "my boss's wife rang twice, she sounded worried")], "she", "user's boss's wife"),
        (&[("user", "Mum is in Bergen. She flies home on Friday")], "she", "user's mother"),
        (&[("user", "our vet Dr. Halloran retired. we still miss her")], "her", "Dr. Halloran"),
        (
            &[("user", "My boss, Ingrid, signed the form. Markus from sales complained, but she ignored it.")],
            "she",
            "Ingrid",
        ),
    ]);
}

#[test]
fn a_pronoun_reaches_back_over_turns() {
    let turns = [("user", "Teodor fixed the boiler."), ("assistant", "Good to hear."), ("user", "he charged nothing")];
    let reading = heard(&turns);
    let found = &last(&reading).1[0];
    assert_eq!((found.antecedents.as_slice(), found.distance), (["Teodor".to_owned()].as_slice(), Some(2)));
}

#[test]
fn two_who_fit_equally_leave_it_open() {
    check(&[
        (&[("user", "Petra and Agnes both ran for the board."), ("user", "she won by one vote")], "she", ""),
        (&[("user", "he never answered the letter")], "he", ""),
        (&[("user", "I met Ruben and Casper at the harbour. he lent me a rope")], "he", ""),
    ]);
}

#[test]
fn an_open_pronoun_names_the_one_it_leaned_to() {
    let reading = heard(&[("user", "Petra and Agnes both ran for the board."), ("user", "she won by one vote")]);
    let found = &last(&reading).1[0];
    assert!(found.distance.is_none() && found.runner_up.is_some(), "{found:?}");
}

#[test]
fn i_is_the_speaker_and_you_the_one_spoken_to() {
    check(&[
        (&[("user", "remember that I am left-handed")], "i", "user"),
        (&[("user", "you are bad at sums")], "you", "assistant"),
        (&[("assistant", "you said Tuesday")], "you", "user"),
        (&[("Ana", "you never call, Bruno")], "you", "Bruno"),
        (&[("Ana", "I sold the van"), ("Jonas", "you did what")], "you", "Ana"),
        (&[("Ana", "I sold the van")], "i", "Ana"),
        (&[("user", "my brother and i run a kiosk. we sell maps")], "we", "user and user's brother"),
    ]);
}

#[test]
fn the_first_person_of_a_quotation_is_the_one_quoted() {
    check(&[(&[("user", "Grandpa used to say \"I have never lost a race in my life\".")], "i", "user's grandfather")]);
}

#[test]
fn things_take_it_and_groups_take_they() {
    check(&[
        (&[("user", "we bought the new kettle yesterday. it drips")], "it", "the new kettle"),
        (&[("user", "it is raining again")], "it", ""),
        (&[("user", "the twins upstairs are loud, they play drums")], "they", "the twins"),
        (&[("user", "my parents sold their house. they rent now")], "they", "user's parents"),
    ]);
}

#[test]
fn roles_are_seen_from_whoever_speaks() {
    let names = |turns: &[(&str, &str)]| -> Vec<(String, Option<String>)> {
        let reading = heard(turns);
        let people = last(&reading).0.iter().filter(|mention| mention.kind == crate::entity::EntityKind::Person);
        people.map(|mention| (mention.name.clone(), mention.role.clone())).collect()
    };
    let plain = |name: &str| (name.to_owned(), None);
    let with = |name: &str, role: &str| (name.to_owned(), Some(role.to_owned()));
    assert_eq!(
        names(&[("user", "my older sister Tuva lives in Oslo, the younger one studies law")]),
        [with("Tuva", "user's older sister"), plain("user's younger sister")]
    );
    assert_eq!(names(&[("user", "my son is called Iven")]), [with("Iven", "user's son")]);
    assert_eq!(names(&[("user", "Wiebke, my manager, resigned.")]), [with("Wiebke", "user's manager")]);
    assert_eq!(names(&[("Ana", "my sister moved out")]), [plain("Ana's sister")]);
    assert_eq!(
        names(&[("user", "my ex-husband's mum still writes")]),
        [plain("user's ex-husband"), plain("user's ex-husband's mother")]
    );
    assert_eq!(
        names(&[("user", "Edda moved in. her brother carried the boxes")]),
        [plain("Edda"), plain("Edda's brother")]
    );
}

#[test]
fn the_ring_is_read_once_and_only_as_far_as_it_reaches() {
    let mut before = heard(&[("user", "Teodor fixed the boiler.")]);
    before.window.settings.window_turns = 0;
    let far: Vec<Turn> = (1..30).map(|place| turn(place, &("user", "still nothing new here"))).collect();
    let window = |turns: Vec<Turn>| Window { turns, ring: before.ring_after(), ..Window::default() };
    let ask = |window, filler: Vec<Turn>| {
        let asked = turn(99, &("user", "he charged nothing"));
        let reading = read(window, call(filler.into_iter().chain([asked]).collect()));
        let read = reading.turns.last().expect("a turn").clone();
        (read.references[0].antecedents.clone(), read.references[0].distance)
    };
    assert_eq!(ask(window(Vec::new()), Vec::new()), (vec!["Teodor".to_owned()], Some(1)));
    let text = turn(0, &("user", "Teodor fixed the boiler."));
    assert_eq!(ask(window(vec![text]), Vec::new()), (vec!["Teodor".to_owned()], Some(1)));
    assert_eq!(ask(window(Vec::new()), far), (Vec::new(), None));
}

#[test]
fn other_languages_keep_their_names_and_are_not_misread() {
    let reading = heard(&[("user", "Mi primo Anselmo vive en Cádiz y toca la guitarra.")]);
    let (mentions, references) = last(&reading);
    assert!(mentions.iter().any(|mention| mention.name == "Anselmo"), "{mentions:?}");
    assert!(references.is_empty(), "{references:?}");
    assert!(last(&heard(&[("user", "私の妹は東京に住んでいます。")])).1.is_empty());
}

#[test]
fn words_that_only_look_like_names_name_nobody() {
    for text in ["Yesterday was fine.", "Dinner on Monday?", "OMG thanks!!", "Ugh, Wednesday.", "Y'know"] {
        let reading = heard(&[("user", text)]);
        let (mentions, _) = last(&reading);
        assert!(
            mentions.iter().all(|mention| mention.kind == crate::entity::EntityKind::Thing),
            "{text}: {mentions:?}"
        );
    }
}

fn any_words() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("Ana ".to_owned()),
        Just("my sister's ".to_owned()),
        Just("she ".to_owned()),
        Just("and I, ".to_owned()),
        Just("her brother ".to_owned()),
        Just("Dr. ".to_owned()),
        Just("it's ".to_owned()),
        Just("ex-".to_owned()),
        Just("\u{201c}we\u{201d} ".to_owned()),
        "\\PC{0,6}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_text_breaks_it_and_nobody_comes_from_outside(texts in prop::collection::vec(any_words(), 1..4)) {
        let turns: Vec<Turn> = texts.iter().enumerate().map(|(place, text)| turn(place, &("user", text))).collect();
        let reading = read(Window::default(), call(turns));
        let known: Vec<&str> =
            reading.turns.iter().flat_map(|read| &read.mentions).map(|mention| mention.name.as_str()).collect();
        for read in &reading.turns {
            let content = read.turn.content.as_str();
            for mention in &read.mentions {
                prop_assert!(content.get(mention.start..mention.end).is_some_and(|text| !text.is_empty()));
            }
            for reference in &read.references {
                prop_assert!(content.get(reference.span.clone()).is_some());
                prop_assert!(reference.margin.is_finite());
                for name in &reference.antecedents {
                    let inside = known.iter().any(|known| known.contains(name.as_str()));
                    prop_assert!(inside || matches!(name.as_str(), USER | "assistant"), "{name}");
                }
            }
        }
    }
}
