//! Who says it of whom, and how: speaker, denial, plan, habit, question.

use super::*;

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
fn what_lies_ahead_is_not_done() {
    let shift = Some(Reason::ModalityShift);
    check(&[
        ("I keep meaning to oil the hinges", "user", "User oiled the hinges", "oil the hinges", shift),
        ("I still have to phone the baker", "user", "User phoned the baker", "phone the baker", shift),
        ("I got to hold an owl in May", "user", "User held an owl in May", "hold an owl in May", None),
        ("I had to sell the piano", "user", "User sold the piano", "I had to sell the piano", None),
        ("we're heading to Crete on Monday", "user", "User went to Crete", "heading to Crete", shift),
        ("my scan's booked for Friday", "user", "User had a scan on Friday", "my scan's booked for Friday", shift),
        ("my scan's booked for Friday", "user", "User booked a scan for Friday", "my scan's booked for Friday", None),
    ]);
}

#[test]
fn relatives_by_marriage_and_other_peoples_are_told_apart() {
    let wrong = Some(Reason::WrongSpeaker);
    check(&[
        ("my mother-in-law weaves rugs", "user's mother", "User's mother weaves rugs", "weaves rugs", wrong),
        ("my wife's dad weaves rugs", "user's father-in-law", "User's father-in-law weaves rugs", "weaves rugs", None),
        ("my brother's wife weaves", "user's sister-in-law", "User's sister-in-law weaves", "weaves", None),
        ("my boss sat down and his uncle sang", "user's uncle", "User's uncle sang", "his uncle sang", wrong),
        (
            "my wife paints and her brother dives",
            "user's brother-in-law",
            "User's brother-in-law dives",
            "her brother dives",
            None,
        ),
        ("my wife paints and her brother dives", "user's brother", "User's brother dives", "brother dives", wrong),
        ("our vicar broke his hip", "user", "User broke their hip", "broke his hip", wrong),
    ]);
}
