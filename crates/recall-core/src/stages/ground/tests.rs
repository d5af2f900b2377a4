//! Tables of claims and what grounding has to say of them.

use proptest::prelude::*;

use super::ground;
use crate::call::{Call, Lane, Mode};
use crate::candidate::{Candidate, Citation, MemoryType, Polarity};
use crate::context::{Context, Near, Stamp};
use crate::evidence::{Evidence, Support};
use crate::id::TraceId;
use crate::keys::{Key, KeyRing};
use crate::moment::Moment;
use crate::prompt;
use crate::provenance::ExtractedBy;
use crate::reading;
use crate::scope::{Owner, Scope};
use crate::stage::Reason;
use crate::turn::{AtSource, Role, Said, Turn, TurnId};
use crate::window::Window;

/// A conversation as (speaker, words): `user`, `assistant`, `system`, `tool`, or the name of a user.
type Said2<'a> = &'a [(&'a str, &'a str)];

/// Turn (from 1) and quote.
type Quotes<'a> = &'a [(usize, &'a str)];

struct Case<'a> {
    said: Said2<'a>,
    /// Subject and content of the claim.
    claim: (&'a str, &'a str),
    quotes: Quotes<'a>,
}

fn turn(at: usize, (speaker, words): (&str, &str)) -> Turn {
    let (role, name) = match speaker {
        "user" => (Role::User, None),
        "assistant" => (Role::Assistant, None),
        "system" => (Role::System, None),
        "tool" => (Role::Tool, None),
        name => (Role::User, Some(name.to_owned())),
    };
    let minute = at % 60;
    Turn {
        id: TurnId(format!("t{}", at + 1)),
        role,
        content: Said::new(words),
        at: format!("2026-05-12T10:{minute:02}:00+02:00").parse().ok(),
        at_source: AtSource::Stated,
        name,
        scope: None,
    }
}

fn with_context<T>(said: Said2<'_>, window: Window, judge: impl FnOnce(&Context<'_>) -> T) -> T {
    let scope = Scope::new("quarry".into(), Owner::User("u7".into()), None).unwrap();
    let at: Moment = "2026-05-12T11:00:00+02:00".parse().unwrap();
    let call = Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("k", "secret"), "quarry", "s"),
        scope,
        session_id: Some("s".into()),
        turns: said.iter().enumerate().map(|(at, said)| turn(at, *said)).collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        accepted_at: at,
        remarks: Vec::new(),
    };
    let reading = reading::read(window, call);
    let keys = KeyRing::new(Key::new("k", "secret"), Vec::new());
    let stamp = Stamp { ran_at: at, extracted_by: ExtractedBy::new("test", "test", ("", "", "")) };
    judge(&Context { reading: &reading, near: &Near::default(), keys: &keys, stamp: &stamp, opinions: None })
}

fn candidate(subject: &str, content: &str, quotes: Quotes<'_>) -> Candidate {
    let cite = |(turn, quote): &(usize, &str)| Citation { turn_id: TurnId(format!("t{turn}")), quote: (*quote).into() };
    Candidate {
        content: content.into(),
        memory_type: MemoryType::Fact,
        subject: subject.into(),
        attribute: "attribute".into(),
        value: String::new(),
        polarity: Polarity::Positive,
        evidence: quotes.iter().map(cite).collect(),
        time_expression: None,
        confidence: 0.9,
    }
}

fn judged(case: &Case<'_>) -> Result<Evidence, Reason> {
    let claim = candidate(case.claim.0, case.claim.1, case.quotes);
    with_context(case.said, Window::default(), |cx| ground(cx, &claim))
}

#[test]
fn what_the_words_leave_open_a_judge_decides_and_nothing_else() {
    let said: Said2<'_> = &[("user", "I spend my weekends up in the hills with the telescope.")];
    let open = candidate("user", "User observes the sky at weekends", &[(1, "I spend my weekends up in the hills")]);
    let plain = candidate("user", "User spends weekends in the hills", &[(1, "I spend my weekends up in the hills")]);
    let name = candidate("user", "User spends weekends with Dragana", &[(1, "I spend my weekends up in the hills")]);
    with_context(said, Window::default(), |cx| {
        assert_eq!(ground(cx, &open).err(), Some(Reason::UnsupportedDetail));
        assert!(ground(cx, &plain).is_ok());
        let doubts = prompt::doubts(cx, &[plain.clone(), open.clone(), name.clone(), open.clone()]);
        assert_eq!(doubts.iter().map(|doubt| doubt.claim.as_str()).collect::<Vec<_>>(), [open.content.as_str()]);
        let with = |answer: &str, claim: &Candidate| {
            let opinions = prompt::parse_opinions(answer, &doubts).unwrap();
            ground(&Context { opinions: Some(&opinions), ..*cx }, claim).map(|evidence| evidence.support)
        };
        let says = |verdict: &str| format!("{{\"verdicts\":[{{\"claim\":1,\"verdict\":\"{verdict}\"}}]}}");
        assert_eq!(with(&says("supported"), &open), Ok(Support::Supported));
        assert_eq!(with(&says("partial"), &open), Ok(Support::Partial));
        assert_eq!(with(&says("unsupported"), &open), Err(Reason::UnsupportedDetail));
        assert_eq!(with("{\"verdicts\":[]}", &open), Err(Reason::JudgeUnavailable));
        assert_eq!(with(&says("unsupported"), &plain), Ok(Support::Supported), "the words show it");
        assert_eq!(with(&says("supported"), &name), Err(Reason::UnsupportedName), "nobody may add a name");
    });
}

/// One user turn, a claim with its subject, a quote; what is right (`None` keeps).
type Line<'a> = (&'a str, &'a str, &'a str, &'a str, Option<Reason>);

fn check(lines: &[Line<'_>]) {
    let mut wrong = Vec::new();
    for (words, subject, content, quote, right) in lines {
        let case = Case { said: &[("user", words)], claim: (subject, content), quotes: &[(1, quote)] };
        let found = judged(&case).err();
        if found != *right {
            wrong.push(format!("{content:?} from {words:?}: {found:?} instead of {right:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

#[test]
fn what_was_said_is_kept_though_the_words_differ() {
    check(SAID);
}

const SAID: &[Line<'_>] = &[
    ("I live in Tartu and work as a baker", "user", "User lives in Tartu", "I live in Tartu", None),
    ("I live in Tartu and work as a baker", "user", "User works as a baker", "work as a baker", None),
    (
        "we've got a new kitten, she's called Pebble",
        "user",
        "User has a kitten called Pebble",
        "we've got a new kitten, she's called Pebble",
        None,
    ),
    (
        "my mum turned seventy last week",
        "user's mother",
        "User's mother turned 70 last week",
        "my mum turned seventy last week",
        None,
    ),
    ("bought a sailing boat off an old colleague", "user", "User bought a sailing boat", "bought a sailing boat", None),
    ("I quit smoking two years ago", "user", "User quit smoking two years ago", "I quit smoking two years ago", None),
    (
        "my brother Anton teaches chemistry in Graz",
        "Anton",
        "Anton teaches chemistry in Graz",
        "my brother Anton teaches chemistry in Graz",
        None,
    ),
    ("I don't drink coffee, it gives me headaches", "user", "User does not drink coffee", "I don't drink coffee", None),
    (
        "I can't wait for the choir trip to Riga",
        "user",
        "User is looking forward to the choir trip to Riga",
        "I can't wait for the choir trip to Riga",
        None,
    ),
    (
        "my knee has been hurting since the marathon",
        "user",
        "User's knee has been hurting since the marathon",
        "my knee has been hurting since the marathon",
        None,
    ),
    (
        "I take the tram to work every morning",
        "user",
        "User takes the tram to work every morning",
        "I take the tram to work every morning",
        None,
    ),
    (
        "I'm going to repaint the hallway this weekend",
        "user",
        "User is going to repaint the hallway this weekend",
        "I'm going to repaint the hallway this weekend",
        None,
    ),
    (
        "I'm thinking of learning the cello",
        "user",
        "User is thinking of learning the cello",
        "I'm thinking of learning the cello",
        None,
    ),
    ("used to be a lifeguard, long ago", "user", "User used to be a lifeguard", "used to be a lifeguard", None),
    ("I hate olives with a passion", "user", "User hates olives", "I hate olives", None),
    (
        "my neighbour Piet lent me his ladder",
        "Piet",
        "Piet lent the user his ladder",
        "my neighbour Piet lent me his ladder",
        None,
    ),
    ("thunderstorms frighten me", "user", "Thunderstorms frighten the user", "thunderstorms frighten me", None),
    ("I've never been to Iceland", "user", "User has never been to Iceland", "I've never been to Iceland", None),
    (
        "we moved to a smaller flat in March",
        "user",
        "User moved to a smaller flat in March",
        "we moved to a smaller flat in March",
        None,
    ),
    ("our daughter Lotte started school", "Lotte", "Lotte started school", "our daughter Lotte started school", None),
];

#[test]
fn a_name_a_number_or_a_detail_that_was_not_said_blocks() {
    check(NOT_SAID);
}

const NAME: Option<Reason> = Some(Reason::UnsupportedName);
const NUMBER: Option<Reason> = Some(Reason::UnsupportedNumber);
const DETAIL: Option<Reason> = Some(Reason::UnsupportedDetail);

const NOT_SAID: &[Line<'_>] = &[
    ("I live in Tartu and work as a baker", "user", "User lives in Tallinn", "I live in Tartu", NAME),
    (
        "my brother Anton teaches chemistry in Graz",
        "Anton",
        "Anton teaches chemistry in Linz",
        "my brother Anton teaches chemistry in Graz",
        NAME,
    ),
    (
        "we've got a new kitten, she's called Pebble",
        "user",
        "User has a kitten called Pepper",
        "we've got a new kitten, she's called Pebble",
        NAME,
    ),
    (
        "my brother Anton teaches chemistry",
        "Antonia",
        "Antonia teaches chemistry",
        "my brother Anton teaches chemistry",
        NAME,
    ),
    (
        "my mum turned seventy last week",
        "user's mother",
        "User's mother turned 71 last week",
        "my mum turned seventy last week",
        NUMBER,
    ),
    (
        "I run five kilometres before breakfast",
        "user",
        "User runs fifteen kilometres before breakfast",
        "I run five kilometres before breakfast",
        NUMBER,
    ),
    ("the lease ends in October", "user", "User's lease ends in November", "the lease ends in October", NUMBER),
    ("I pay 640 for the room", "user", "User pays 460 for the room", "I pay 640 for the room", NUMBER),
    (
        "the insurance went from 300 to 380 a year",
        "user",
        "User's insurance is 300 a year",
        "the insurance went from 300 to 380 a year",
        NUMBER,
    ),
    (
        "my brother Anton teaches chemistry in Graz",
        "Anton",
        "Anton teaches physics in Graz",
        "my brother Anton teaches chemistry in Graz",
        DETAIL,
    ),
    ("I live in Tartu and work as a baker", "user", "User works as a pastry chef", "work as a baker", DETAIL),
    ("I sprained my wrist climbing", "user", "User sprained an ankle climbing", "I sprained my wrist climbing", DETAIL),
    ("I play the clarinet in a quartet", "user", "User conducts a quartet", "I play the clarinet in a quartet", DETAIL),
    ("I have an older sister", "user", "User has a younger sister", "I have an older sister", DETAIL),
    ("I help at the food bank", "user", "User is the manager of the food bank", "I help at the food bank", DETAIL),
    (
        "I play the clarinet in a quartet",
        "user",
        "User plays the clarinet professionally in a famous quartet",
        "I play the clarinet in a quartet",
        DETAIL,
    ),
    ("my car is bigger than yours", "user", "User's car is smaller", "my car is bigger than yours", DETAIL),
    ("I speak a little Finnish", "user", "User speaks fluent Finnish", "I speak a little Finnish", DETAIL),
    ("got a dog from the shelter", "user", "User has a cat from the shelter", "got a dog from the shelter", DETAIL),
    ("I work for a bank", "user", "User works for a bank in Zurich", "I work for a bank", NAME),
];

#[test]
fn what_somebody_else_is_or_does_is_not_the_users() {
    let wrong = Some(Reason::WrongSpeaker);
    check(&[
        ("my boss collects stamps", "user", "User collects stamps", "collects stamps", wrong),
        ("my aunt is allergic to wool", "user", "User is allergic to wool", "is allergic to wool", wrong),
        (
            "my aunt is allergic to wool",
            "user's aunt",
            "User's aunt is allergic to wool",
            "my aunt is allergic to wool",
            None,
        ),
        (
            "my uncle drives a bus and my cousin drives a taxi",
            "user's cousin",
            "User's cousin drives a bus",
            "drives a bus",
            wrong,
        ),
        (
            "my wife's father keeps pigeons",
            "user's father",
            "User's father keeps pigeons",
            "father keeps pigeons",
            wrong,
        ),
        ("my landlord is a retired pilot", "user", "User is a retired pilot", "is a retired pilot", wrong),
        ("Kaspar said he got promoted", "user", "User got promoted", "got promoted", wrong),
        ("you always forget my birthday", "user", "User always forgets birthdays", "always forget my birthday", wrong),
        ("my son is afraid of dogs, I'm not", "user", "User is afraid of dogs", "is afraid of dogs", wrong),
        ("my sister snores and I sleep like a log", "user", "User sleeps like a log", "I sleep like a log", None),
        (
            "my sister snores and I sleep like a log",
            "user's sister",
            "User's sister sleeps like a log",
            "I sleep like a log",
            wrong,
        ),
        ("Meine Tante wohnt in Bremen", "user", "Der Nutzer wohnt in Bremen", "wohnt in Bremen", wrong),
    ]);
}

#[test]
fn no_is_not_yes_and_double_denials_are_understood() {
    let flip = Some(Reason::PolarityFlip);
    check(&[
        ("I don't eat pork", "user", "User eats pork", "eat pork", flip),
        ("I never learnt to swim", "user", "User learnt to swim", "learnt to swim", flip),
        ("I eat pork now and then", "user", "User does not eat pork", "I eat pork now and then", flip),
        ("I'm not married", "user", "User is married", "married", flip),
        ("we no longer rent the allotment", "user", "User rents the allotment", "rent the allotment", flip),
        ("I can't stand techno", "user", "User likes techno", "techno", flip),
        ("I love techno", "user", "User hates techno", "I love techno", flip),
        ("it's not that I don't trust banks", "user", "User does not trust banks", "I don't trust banks", flip),
        ("I don't eat pork but I eat fish", "user", "User eats fish", "I eat fish", None),
        ("neither of us smokes", "user", "User smokes", "smokes", flip),
    ]);
}

#[test]
fn plans_possibilities_and_past_states_stay_what_they_are() {
    let shift = Some(Reason::ModalityShift);
    check(&[
        ("I'm going to sell the van", "user", "User sold the van", "sell the van", shift),
        ("we might adopt a greyhound", "user", "User adopted a greyhound", "adopt a greyhound", shift),
        (
            "I'll start at the museum in June",
            "user",
            "User started at the museum in June",
            "start at the museum in June",
            shift,
        ),
        ("I used to play handball", "user", "User plays handball", "play handball", shift),
        ("I almost missed the ferry", "user", "User missed the ferry", "missed the ferry", shift),
        (
            "my daughter is supposed to graduate in July",
            "user's daughter",
            "User's daughter graduated in July",
            "graduate in July",
            shift,
        ),
        ("I lived in Ghent as a student", "user", "User lives in Ghent", "lived in Ghent", shift),
        ("the exam is on Thursday", "user", "User's exam was on Thursday", "the exam is on Thursday", shift),
        ("I'm considering a move to Cork", "user", "User moved to Cork", "a move to Cork", shift),
        (
            "I was about to call the plumber but the tap stopped dripping",
            "user",
            "User called the plumber",
            "call the plumber",
            shift,
        ),
        ("I'm going to sell the van", "user", "User plans to sell the van", "I'm going to sell the van", None),
        ("we might adopt a greyhound", "user", "User might adopt a greyhound", "we might adopt a greyhound", None),
    ]);
}

#[test]
fn one_occasion_is_no_habit() {
    let more = Some(Reason::Overgeneralised);
    check(&[
        ("had a pizza with Olga on Friday", "user", "User often has pizza with Olga", "had a pizza with Olga", more),
        ("I had oysters last night", "user", "User always eats oysters", "I had oysters last night", more),
        ("I had oysters last night", "user", "User ate oysters", "I had oysters last night", None),
        ("we went bowling yesterday", "user", "User goes bowling every week", "we went bowling yesterday", more),
        ("I skipped lunch today", "user", "User usually skips lunch", "I skipped lunch today", more),
        ("I yelled at the referee on Sunday", "user", "User yells at referees", "I yelled at the referee", more),
        ("took a taxi home last night", "user", "User prefers taking a taxi home", "took a taxi home", more),
        (
            "I often have pizza on Fridays",
            "user",
            "User often has pizza on Fridays",
            "I often have pizza on Fridays",
            None,
        ),
        ("I usually skip lunch", "user", "User always skips lunch", "skip lunch", more),
        ("we go bowling every Tuesday", "user", "User goes bowling every Tuesday", "we go bowling every Tuesday", None),
    ]);
}

#[test]
fn questions_wishes_conditions_and_orders_assert_nothing() {
    let not = Some(Reason::NotAsserted);
    check(&[
        ("should I buy a motorbike?", "user", "User buys a motorbike", "buy a motorbike", not),
        (
            "would a parrot be happy in a small flat?",
            "user",
            "User has a parrot",
            "would a parrot be happy in a small flat?",
            not,
        ),
        ("if I won the lottery I'd buy an island", "user", "User buys an island", "I'd buy an island", not),
        ("I wish I could dance tango", "user", "User can dance tango", "I could dance tango", not),
        (
            "I wish I could dance tango",
            "user",
            "User wishes they could dance tango",
            "I wish I could dance tango",
            None,
        ),
        ("write a story about a miner who fears the dark", "user", "User fears the dark", "who fears the dark", not),
        ("please call me Bea", "user", "User wants to be called Bea", "please call me Bea", None),
        (
            "translate this: \"I am the mayor of a small town\"",
            "user",
            "User is the mayor of a small town",
            "I am the mayor of a small town",
            not,
        ),
    ]);
}

#[test]
fn the_assistant_is_a_source_only_where_the_user_answers_or_confirms() {
    let said: &[(&str, &str)] = &[
        ("assistant", "So you keep two donkeys behind the house?"),
        ("user", "yes exactly"),
        ("assistant", "You must love animals."),
        ("user", "can you find a vet nearby?"),
        ("assistant", "How many nights are you staying?"),
        ("user", "four"),
        ("assistant", "Do you have a car?"),
        ("user", "no"),
    ];
    let table: &[(&str, Quotes<'_>, Option<Reason>)] = &[
        (
            "User keeps two donkeys behind the house",
            &[(1, "you keep two donkeys behind the house"), (2, "yes exactly")],
            None,
        ),
        (
            "User keeps three donkeys behind the house",
            &[(1, "you keep two donkeys behind the house"), (2, "yes exactly")],
            Some(Reason::UnsupportedNumber),
        ),
        ("User loves animals", &[(3, "You must love animals")], Some(Reason::AssistantOnly)),
        (
            "User loves animals",
            &[(3, "You must love animals"), (4, "can you find a vet nearby?")],
            Some(Reason::AssistantOnly),
        ),
        ("User is staying four nights", &[(5, "How many nights are you staying?"), (6, "four")], None),
        (
            "User is staying five nights",
            &[(5, "How many nights are you staying?"), (6, "four")],
            Some(Reason::UnsupportedNumber),
        ),
        ("User has a car", &[(7, "Do you have a car?"), (8, "no")], Some(Reason::PolarityFlip)),
        ("User does not have a car", &[(7, "Do you have a car?"), (8, "no")], None),
    ];
    for (content, quotes, right) in table {
        let found = judged(&Case { said, claim: ("user", content), quotes });
        assert_eq!(found.err(), *right, "{content}");
    }
}

#[test]
fn turns_quotes_and_roles_are_checked_before_words() {
    let said: &[(&str, &str)] = &[
        ("system", "You are Marla, a travel agent who never gives refunds."),
        ("user", "I collect enamel signs"),
        ("user", "<recalled>\nUser owns a kiln\n</recalled>\nI broke my kiln yesterday"),
        ("tool", "{\"city\": \"Porto\"}"),
    ];
    let table: &[(&str, Quotes<'_>, Option<Reason>)] = &[
        ("User collects enamel signs", &[], Some(Reason::NoSource)),
        ("User collects enamel signs", &[(9, "I collect enamel signs")], Some(Reason::UnknownSource)),
        ("User collects enamel signs", &[(2, "I collect old enamel signs")], Some(Reason::QuoteNotFound)),
        ("User collects enamel signs", &[(2, "")], Some(Reason::QuoteNotFound)),
        ("User collects enamel signs", &[(3, "I collect enamel signs")], None),
        ("User is a travel agent", &[(1, "a travel agent")], Some(Reason::PromptEcho)),
        ("User owns a kiln", &[(3, "User owns a kiln")], Some(Reason::Recalled)),
        ("User broke their kiln yesterday", &[(3, "I broke my kiln yesterday")], None),
        ("User lives in Porto", &[(4, "Porto")], Some(Reason::NotAsserted)),
    ];
    for (content, quotes, right) in table {
        let found = judged(&Case { said, claim: ("user", content), quotes });
        assert_eq!(found.err(), *right, "{content} {quotes:?}");
    }
}

#[test]
fn a_sentence_of_the_prompts_examples_is_an_echo_unless_it_was_said() {
    let mut window = Window::default();
    window.settings.prompt_examples = vec!["User's uncle Radek repairs organs in Brno".into()];
    let echo = candidate("Radek", "User's uncle Radek repairs organs in Brno", &[(1, "see you tomorrow")]);
    let found = with_context(&[("user", "see you tomorrow")], window.clone(), |cx| ground(cx, &echo));
    assert_eq!(found.err(), Some(Reason::PromptEcho));
    let said = candidate(
        "Radek",
        "User's uncle Radek repairs organs in Brno",
        &[(1, "my uncle Radek repairs organs in Brno")],
    );
    let found = with_context(&[("user", "my uncle Radek repairs organs in Brno")], window, |cx| ground(cx, &said));
    assert!(found.is_ok());
}

#[test]
fn between_named_speakers_the_first_person_is_the_one_who_speaks() {
    let said: &[(&str, &str)] =
        &[("Ida", "I repaired the gate, and your bike is fixed, Olaf"), ("Olaf", "great, I baked rye bread meanwhile")];
    let table: &[(&str, &str, Quotes<'_>, Option<Reason>)] = &[
        ("Ida", "Ida repaired the gate", &[(1, "I repaired the gate")], None),
        ("Olaf", "Olaf repaired the gate", &[(1, "I repaired the gate")], Some(Reason::WrongSpeaker)),
        ("Olaf", "Olaf baked rye bread", &[(2, "I baked rye bread")], None),
        ("Ida", "Ida baked rye bread", &[(2, "I baked rye bread")], Some(Reason::WrongSpeaker)),
    ];
    for (subject, content, quotes, right) in table {
        let found = judged(&Case { said, claim: (subject, content), quotes });
        assert_eq!(found.err(), *right, "{content}");
    }
}

#[test]
fn a_moved_quote_is_judged_by_who_spoke_there_and_noted() {
    let said: &[(&str, &str)] =
        &[("user", "hello there"), ("user", "I restore clocks"), ("assistant", "You are a patient man.")];
    let found =
        judged(&Case { said, claim: ("user", "User restores clocks"), quotes: &[(1, "I restore clocks")] }).unwrap();
    assert_eq!(found.reattributed, [TurnId("t2".into())]);
    assert_eq!(found.sources.first().map(|source| source.turn_id.as_str()), Some("t2"));
    let moved =
        judged(&Case { said, claim: ("user", "User is a patient man"), quotes: &[(2, "You are a patient man")] });
    assert_eq!(moved.err(), Some(Reason::AssistantOnly));
}

#[test]
fn a_turn_cited_whole_may_be_retold_but_not_by_another_person() {
    let turn = "Olaf, I finally finished the gate. It took ages but I'm so proud of it!";
    let said: &[(&str, &str)] = &[("Ida", turn), ("Olaf", "well done")];
    let judge = |subject: &str, content: &str| judged(&Case { said, claim: (subject, content), quotes: &[(1, turn)] });
    assert!(judge("Ida", "Ida finished the gate and is proud of it").is_ok());
    assert_eq!(judge("Olaf", "Olaf finished the gate and is proud of it").err(), Some(Reason::WrongSpeaker));
    assert!(judge("Ida", "Ida did not finish the gate").is_err());
    assert!(judge("Ida", "Ida enjoys long train rides through the mountains").is_err());
}

/// Turns that say nothing about the claims of [`SAID`].
const UNRELATED: &[&str] = &[
    "the shop closes at nine",
    "thanks, that was quick",
    "does it rain tomorrow?",
    "Otso and Vilja play chess on Sundays",
];

#[test]
fn a_turn_that_is_not_cited_does_not_take_support_away() {
    for (words, subject, content, quote, right) in SAID {
        assert_eq!(*right, None);
        for unrelated in UNRELATED {
            let case = Case {
                said: &[("user", words), ("user", unrelated)],
                claim: (subject, content),
                quotes: &[(1, quote)],
            };
            assert!(judged(&case).is_ok(), "{content} beside {unrelated}");
        }
    }
}

#[test]
fn a_source_is_a_slice_of_its_turn() {
    for (words, subject, content, quote, _) in SAID {
        let found =
            judged(&Case { said: &[("user", words)], claim: (subject, content), quotes: &[(1, quote)] }).unwrap();
        for source in found.sources {
            let slice: String = words.chars().skip(source.start).take(source.end - source.start).collect();
            assert_eq!(slice, source.quote);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_text_is_judged_without_panic_and_the_same_twice(
        words in "[\\PC\n\u{200b}]{0,80}", content in "\\PC{0,60}", subject in "(user|user's sister|\\PC{0,8})",
        from in 0_usize..60, length in 0_usize..40,
    ) {
        let quote: String = words.chars().skip(from).take(length).collect();
        let quotes = [(1, quote.as_str())];
        let case = Case { said: &[("assistant", "Are you sure?"), ("user", &words)], claim: (&subject, &content), quotes: &[(2, quotes[0].1)] };
        let found = judged(&case);
        prop_assert_eq!(&judged(&case), &found);
        if let Ok(evidence) = found {
            prop_assert!(!evidence.sources.is_empty());
            for source in evidence.sources {
                let slice: String = words.chars().skip(source.start).take(source.end - source.start).collect();
                prop_assert_eq!(slice, source.quote);
            }
        }
    }
}

#[test]
fn everyday_sentences_of_several_languages_are_judged_right() {
    check(EVERYDAY);
}

const EVERYDAY: &[Line<'_>] = &[
    (
        "my flatmate plays the drums at midnight",
        "user",
        "User plays the drums at midnight",
        "plays the drums at midnight",
        Some(Reason::WrongSpeaker),
    ),
    (
        "we adopted two cats from the shelter in Delft",
        "user",
        "User adopted two cats from the shelter in Delft",
        "we adopted two cats from the shelter in Delft",
        None,
    ),
    (
        "we adopted two cats from the shelter in Delft",
        "user",
        "User adopted two kittens",
        "we adopted two cats",
        Some(Reason::UnsupportedDetail),
    ),
    (
        "Ingrid, my physio, says I should rest the shoulder",
        "Ingrid",
        "Ingrid is the user's physio",
        "Ingrid, my physio",
        None,
    ),
    (
        "Ingrid, my physio, says I should rest the shoulder",
        "user",
        "User is a physio",
        "my physio",
        Some(Reason::WrongSpeaker),
    ),
    (
        "I'm vegetarian, have been since school",
        "user",
        "User has been vegetarian since school",
        "I'm vegetarian, have been since school",
        None,
    ),
    ("I'm vegetarian", "user", "User is vegan", "I'm vegetarian", Some(Reason::UnsupportedDetail)),
    (
        "lost my wallet on the metro this morning",
        "user",
        "User lost their wallet on the metro this morning",
        "lost my wallet on the metro this morning",
        None,
    ),
    (
        "lost my wallet on the metro this morning",
        "user",
        "User loses their wallet often",
        "lost my wallet",
        Some(Reason::Overgeneralised),
    ),
    (
        "my contract runs out in December",
        "user",
        "User's contract runs out in December",
        "my contract runs out in December",
        None,
    ),
    (
        "my contract runs out in December",
        "user",
        "User's contract ran out in December",
        "my contract runs out in December",
        Some(Reason::ModalityShift),
    ),
    ("I hope to open a bakery one day", "user", "User opened a bakery", "open a bakery", Some(Reason::ModalityShift)),
    (
        "I hope to open a bakery one day",
        "user",
        "User hopes to open a bakery one day",
        "I hope to open a bakery one day",
        None,
    ),
    (
        "my doctor told me to cut down on salt",
        "user",
        "User's doctor told the user to cut down on salt",
        "my doctor told me to cut down on salt",
        None,
    ),
    (
        "Selma got engaged to Rikard in spring",
        "Selma",
        "Selma is engaged to Rikard",
        "Selma got engaged to Rikard in spring",
        None,
    ),
    (
        "Selma got engaged to Rikard in spring",
        "Selma",
        "Selma is married to Rikard",
        "Selma got engaged to Rikard in spring",
        Some(Reason::UnsupportedDetail),
    ),
    ("I weigh 82 kilos now, down from 95", "user", "User weighs 82 kilos", "I weigh 82 kilos now", None),
    (
        "I weigh 82 kilos now, down from 95",
        "user",
        "User weighs 95 kilos",
        "I weigh 82 kilos now, down from 95",
        Some(Reason::UnsupportedNumber),
    ),
    ("can't swim to save my life", "user", "User cannot swim", "can't swim to save my life", None),
    ("can't swim to save my life", "user", "User can swim", "swim", Some(Reason::PolarityFlip)),
    (
        "I haven't eaten meat since 2015",
        "user",
        "User has not eaten meat since 2015",
        "I haven't eaten meat since 2015",
        None,
    ),
    ("I haven't eaten meat since 2015", "user", "User eats meat", "eaten meat", Some(Reason::PolarityFlip)),
    (
        "I stopped drinking in January",
        "user",
        "User stopped drinking in January",
        "I stopped drinking in January",
        None,
    ),
    (
        "my grandson Emil turns four tomorrow",
        "Emil",
        "Emil turns four tomorrow",
        "my grandson Emil turns four tomorrow",
        None,
    ),
    (
        "my grandson Emil turns four tomorrow",
        "Emil",
        "Emil turned four",
        "my grandson Emil turns four tomorrow",
        Some(Reason::ModalityShift),
    ),
    ("do you think I should get a tattoo?", "user", "User got a tattoo", "get a tattoo", Some(Reason::NotAsserted)),
    (
        "suppose I moved to Oslo, would the dog need papers?",
        "user",
        "User moved to Oslo",
        "I moved to Oslo",
        Some(Reason::NotAsserted),
    ),
    (
        "my ex lives in Bruges with her new husband",
        "user",
        "User lives in Bruges",
        "lives in Bruges",
        Some(Reason::WrongSpeaker),
    ),
    (
        "I share an office with Dalia, she runs marathons",
        "Dalia",
        "Dalia runs marathons",
        "I share an office with Dalia, she runs marathons",
        None,
    ),
    (
        "I share an office with Dalia, she runs marathons",
        "user",
        "User runs marathons",
        "runs marathons",
        Some(Reason::WrongSpeaker),
    ),
    (
        "the band broke up, I still miss the rehearsals",
        "user",
        "User misses the rehearsals",
        "I still miss the rehearsals",
        None,
    ),
    (
        "our boiler was replaced in 2021",
        "user",
        "User's boiler was replaced in 2021",
        "our boiler was replaced in 2021",
        None,
    ),
    (
        "our boiler was replaced in 2021",
        "user",
        "User's boiler was replaced in 2012",
        "our boiler was replaced in 2021",
        Some(Reason::UnsupportedNumber),
    ),
    ("I usually cycle to work, rarely take the bus", "user", "User rarely takes the bus", "rarely take the bus", None),
    ("I usually cycle to work", "user", "User usually cycles to work", "I usually cycle to work", None),
    (
        "I can only eat gluten-free bread",
        "user",
        "User can only eat gluten-free bread",
        "I can only eat gluten-free bread",
        None,
    ),
    (
        "met my wife at a jazz club in 1998",
        "user",
        "User met their wife at a jazz club in 1998",
        "met my wife at a jazz club in 1998",
        None,
    ),
    (
        "met my wife at a jazz club in 1998",
        "user",
        "User plays in a jazz club",
        "at a jazz club",
        Some(Reason::UnsupportedDetail),
    ),
    (
        "teaching myself Korean these days",
        "user",
        "User is teaching themselves Korean",
        "teaching myself Korean these days",
        None,
    ),
    (
        "teaching myself Korean these days",
        "user",
        "User teaches Korean at a school",
        "teaching myself Korean",
        Some(Reason::UnsupportedDetail),
    ),
    ("I signed the lease yesterday!", "user", "User signed the lease yesterday", "I signed the lease yesterday", None),
    ("may have broken a toe", "user", "User broke a toe", "broken a toe", Some(Reason::ModalityShift)),
    (
        "the twins, Aino and Eero, start kindergarten in August",
        "user's twins",
        "User's twins Aino and Eero start kindergarten in August",
        "the twins, Aino and Eero, start kindergarten in August",
        None,
    ),
    ("no kids, no pets, just plants", "user", "User has no children", "no kids", None),
    ("no kids, no pets, just plants", "user", "User has pets", "pets", Some(Reason::PolarityFlip)),
    (
        "Je travaille comme infirmière à Lyon",
        "user",
        "L'utilisatrice travaille comme infirmière à Lyon",
        "Je travaille comme infirmière à Lyon",
        None,
    ),
    (
        "Je travaille comme infirmière à Lyon",
        "user",
        "L'utilisatrice travaille comme infirmière à Lille",
        "Je travaille comme infirmière à Lyon",
        Some(Reason::UnsupportedName),
    ),
    (
        "Je ne mange pas de poisson",
        "user",
        "L'utilisateur mange du poisson",
        "mange pas de poisson",
        Some(Reason::PolarityFlip),
    ),
    (
        "Mein Vater sammelt Briefmarken",
        "user",
        "Der Nutzer sammelt Briefmarken",
        "sammelt Briefmarken",
        Some(Reason::WrongSpeaker),
    ),
    (
        "Ich trinke keinen Kaffee",
        "user",
        "Der Nutzer trinkt Kaffee",
        "trinke keinen Kaffee",
        Some(Reason::PolarityFlip),
    ),
    (
        "Vivo en Salamanca con mi abuela",
        "user",
        "El usuario vive en Salamanca con su abuela",
        "Vivo en Salamanca con mi abuela",
        None,
    ),
    (
        "Vivo en Salamanca con mi abuela",
        "user",
        "El usuario vive en Sevilla",
        "Vivo en Salamanca",
        Some(Reason::UnsupportedName),
    ),
];
