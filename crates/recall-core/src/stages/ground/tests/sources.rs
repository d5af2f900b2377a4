//! Which turns and quotes may carry a claim, and what holds for any text.

use super::said::SAID;
use super::*;

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
