//! An extractor without any model: plain statements people make about themselves, found by their form. It is there to try the
//! product without a key, and for tests; it shares no code with the gate that judges what it proposes.

mod clauses;
mod forms;
mod kin;
mod patterns;
mod person;
mod verbs;
mod when;

pub use patterns::{Kind, kind};
pub use when::time_expression;

use clauses::Clause;

use async_trait::async_trait;
use recall_core::candidate::{Candidate, Citation, Polarity};
use recall_core::prompt::{Ask, AskTurn, MAX_CANDIDATES, MAX_CONTENT_CHARS, Reply};
use recall_core::provenance::ExtractedBy;
use recall_core::run::Usage;
use recall_core::turn::Role;

use crate::{Extractor, LlmError};

/// Name and version of the rules, in place of a model's.
const MODEL: &str = "rules-1";
/// A plain statement, and one with a word of doubt in it.
const PLAIN: f64 = 0.8;
const DOUBTED: f64 = 0.5;

/// The extractor.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

impl Rules {
    /// The claims of one turn.
    pub fn read(turn: &AskTurn) -> Vec<Candidate> {
        if turn.role != Role::User {
            return Vec::new();
        }
        clauses::statements(turn.content.as_str()).into_iter().filter_map(|clause| candidate(turn, clause)).collect()
    }
}

#[async_trait]
impl Extractor for Rules {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        let mut candidates: Vec<Candidate> = ask.turns.iter().flat_map(Self::read).collect();
        candidates.truncate(MAX_CANDIDATES);
        Ok(Reply {
            candidates: candidates.into_iter().map(Ok).collect(),
            extracted_by: ExtractedBy::new("rules", MODEL, ask.prompt.mark()),
            usage: Usage::default(),
            further_parts: 0,
            notes: Vec::new(),
        })
    }

    fn provider(&self) -> &'static str {
        "rules"
    }
}

fn candidate(turn: &AskTurn, clause: Clause<'_>) -> Option<Candidate> {
    let name = turn.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let told = person::third(clause.text, clause.subject, name.unwrap_or("User"))?;
    if told.content.chars().count() > MAX_CONTENT_CHARS {
        return None;
    }
    let Kind { memory_type, attribute, value } = patterns::kind_of_clause(&told);
    Some(Candidate {
        subject: told.subject(name.unwrap_or("user")),
        memory_type,
        attribute,
        value,
        polarity: if told.negated { Polarity::Negative } else { Polarity::Positive },
        evidence: vec![Citation { turn_id: turn.id.clone(), quote: clause.text.to_owned() }],
        time_expression: time_expression(clause.text).map(str::to_owned),
        confidence: if told.doubted { DOUBTED } else { PLAIN },
        content: told.content,
    })
}

#[cfg(test)]
mod tests {
    use recall_core::candidate::MemoryType::{self, Event, Fact, Preference, Relation};
    use recall_core::turn::{Said, TurnId};

    use super::*;

    fn read(words: &str) -> Vec<Candidate> {
        let turn =
            AskTurn { id: TurnId("t1".into()), role: Role::User, name: None, at: None, content: Said::new(words) };
        Rules::read(&turn)
    }

    /// Words, content, memory type, subject, attribute, value.
    type Plain = (&'static str, &'static str, MemoryType, &'static str, &'static str, &'static str);

    const PLAIN_STATEMENTS: &[Plain] = &[
        ("I live in Graz.", "User lives in Graz", Fact, "user", "home_city", "Graz"),
        ("I live in a small flat.", "User lives in a small flat", Fact, "user", "home", "small flat"),
        ("I moved to Graz last spring!", "User moved to Graz last spring", Event, "user", "home_city", "Graz"),
        (
            "I work at Holm & Sons as a clerk",
            "User works at Holm & Sons as a clerk",
            Fact,
            "user",
            "employer",
            "Holm & Sons",
        ),
        ("Hi! I'm a beekeeper.", "User is a beekeeper", Fact, "user", "job_title", "beekeeper"),
        ("I'm vegetarian", "User is vegetarian", Fact, "user", "diet", "vegetarian"),
        ("I am a vegan", "User is a vegan", Fact, "user", "diet", "vegan"),
        ("I\u{2019}m allergic to walnuts", "User is allergic to walnuts", Fact, "user", "allergy", "walnuts"),
        ("My name is Ottilie", "User's name is Ottilie", Fact, "user", "preferred_name", "Ottilie"),
        ("My favourite tea is oolong.", "User's favourite tea is oolong", Preference, "user", "favorite_tea", "oolong"),
        ("I really love night trains", "User really loves night trains", Preference, "user", "likes", "night trains"),
        ("I don't eat fish", "User doesn't eat fish", Preference, "user", "eats", "fish"),
        ("I have two cats", "User has two cats", Fact, "user", "owns", "cats"),
        (
            "I have a dentist appointment next Monday",
            "User has a dentist appointment next Monday",
            Event,
            "user",
            "appointment",
            "dentist appointment",
        ),
        (
            "I bought a cargo bike yesterday",
            "User bought a cargo bike yesterday",
            Event,
            "user",
            "purchase",
            "cargo bike",
        ),
        (
            "I'm going to run the marathon in October",
            "User is going to run the marathon in October",
            Event,
            "user",
            "plan",
            "run the marathon",
        ),
        ("My sister Runa lives in Oslo", "User's sister Runa lives in Oslo", Fact, "Runa", "home_city", "Oslo"),
        ("My brother is Egon", "User's brother is Egon", Relation, "user's brother", "brother", "Egon"),
        ("Thanks! Lost my job yesterday though", "User lost their job yesterday though", Event, "user", "loss", "job"),
        ("Yesterday I sold my boat", "Yesterday User sold their boat", Event, "user", "sold", "boat"),
        ("I got married in 2019", "User got married in 2019", Event, "user", "marital_status", "married"),
        ("I moved to Graz in May, any tips?", "User moved to Graz in May", Event, "user", "home_city", "Graz"),
    ];

    #[test]
    fn plain_statements_become_plain_claims() {
        for (words, content, memory_type, subject, attribute, value) in PLAIN_STATEMENTS {
            let found = read(words);
            assert_eq!(found.len(), 1, "{words}: {found:?}");
            let claim = &found[0];
            assert_eq!((claim.content.as_str(), claim.memory_type), (*content, *memory_type), "{words}");
            assert_eq!((claim.attribute.as_str(), claim.value.as_str()), (*attribute, *value), "{words}");
            assert_eq!(claim.subject, *subject, "{words}");
        }
    }

    #[test]
    fn one_sentence_may_hold_several_claims_each_with_its_own_words() {
        let found = read("Well, I live in Graz and work at a print shop, and my sister Runa studies law in Oslo.");
        let quotes: Vec<(&str, &str)> =
            found.iter().map(|claim| (claim.evidence[0].quote.as_str(), claim.content.as_str())).collect();
        let expected = [
            ("I live in Graz", "User lives in Graz"),
            ("work at a print shop", "User works at a print shop"),
            ("my sister Runa studies law in Oslo", "User's sister Runa studies law in Oslo"),
        ];
        assert_eq!(quotes, expected);
    }

    #[test]
    fn what_states_nothing_is_left_alone() {
        let silent = [
            "Hello there!",
            "Do I need a visa?",
            "I think so.",
            "I see, thanks",
            "If I had a boat, I would sail to Malta",
            "I wish I had a dog",
            "I'd like a table for two",
            "I have a question about tax",
            "I'm so happy for you!",
            "Can you fix my code",
            "> I live in Oslo",
            "```\nI live in Oslo\n```",
            "<recalled>\nI live in Oslo\n</recalled>",
            "The train leaves at nine.",
        ];
        for words in silent {
            assert_eq!(read(words), [], "{words}");
        }
    }

    #[test]
    fn doubt_denial_and_time_are_told() {
        let claim = &read("Maybe I will move to Lima next year")[0];
        assert_eq!((claim.confidence, claim.time_expression.as_deref()), (DOUBTED, Some("next year")));
        assert_eq!(read("I never drink coffee")[0].polarity, Polarity::Negative);
        assert_eq!(read("I drink coffee")[0].polarity, Polarity::Positive);
    }

    #[test]
    fn quotes_are_verbatim_and_nothing_said_makes_it_fail() {
        let odd = [
            "\u{1f9c0} I\u{2019}ve got a d\u{f6}g named \u{4e16}\u{754c}; my \u{fdfd} is y y y",
            "I my I'd i'm I'll my",
            "i , , , , ,",
            "my my my my",
        ];
        for words in odd {
            for claim in read(words) {
                assert!(words.contains(&claim.evidence[0].quote), "{words}");
            }
        }
    }

    #[test]
    fn only_people_are_read() {
        let turn = AskTurn {
            id: TurnId("t1".into()),
            role: Role::Assistant,
            name: None,
            at: None,
            content: Said::new("I live in Graz"),
        };
        assert_eq!(Rules::read(&turn), []);
    }

    #[test]
    fn every_quote_of_any_jumble_of_words_stands_in_its_turn() {
        let words = [
            "I",
            "I'm",
            "i\u{2019}ve",
            "my",
            "My",
            "sister",
            "and",
            "but",
            ",",
            ";",
            ".",
            "?",
            "!",
            "\u{2014}",
            "live",
            "in",
            "Graz",
            "because",
            "when",
            "\u{1f9c0}",
            "d\u{f6}g",
            "is",
            "a",
            "never",
            "on Monday",
            "\n",
            "```",
            ":",
            "Thanks,",
        ];
        let mut state = 11_u64;
        let mut found = 0;
        for _ in 0..3_000 {
            let mut text = String::new();
            for _ in 0..14 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(words[(state >> 33) as usize % words.len()]);
                text.push(' ');
            }
            for claim in read(&text) {
                found += 1;
                assert!(text.contains(&claim.evidence[0].quote), "{text}");
                assert!(!claim.content.is_empty() && !claim.attribute.is_empty() && !claim.subject.is_empty());
            }
        }
        assert!(found > 500, "{found}");
    }
}
