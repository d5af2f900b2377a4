//! Makes an entry of a tape from a conversation with labelled facts: what a careful model would have answered.

use recall_core::candidate::{Candidate, Citation, Polarity};
use recall_core::run::Usage;
use recall_core::turn::TurnId;
use serde::Deserialize;

use super::tape::{Entry, Item, Words};
use crate::rules::{Kind, kind, time_expression};

/// A conversation with facts that were found in it by others.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Labelled {
    /// What was said, in order.
    pub turns: Vec<LabelledTurn>,
    /// What is worth keeping of it.
    pub facts: Vec<Fact>,
}

/// A turn of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LabelledTurn {
    /// Its id.
    pub id: String,
    /// Who speaks.
    pub speaker: String,
    /// The words.
    pub text: String,
}

/// A fact and where it was said.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Fact {
    /// Whom it is about, by name.
    pub about: String,
    /// The fact, one sentence.
    pub text: String,
    /// Ids of the turns it rests on.
    pub evidence: Vec<String>,
}

/// How sure the reply says it is; labels carry no such number.
const CONFIDENCE: f64 = 0.8;

impl Labelled {
    /// The reply for a session as an entry of a tape.
    pub fn entry(&self, session: &str) -> Entry {
        Entry {
            session: session.into(),
            turns: self.turns.iter().map(|turn| TurnId(turn.id.clone())).collect(),
            words: Words::Items { candidates: self.facts.iter().map(|fact| self.item(fact)).collect() },
            model: "labels".into(),
            usage: Usage { model_calls: 1, ..Usage::default() },
            took_ms: None,
            asked: None,
        }
    }

    fn item(&self, fact: &Fact) -> Item {
        let cited = |id: &String| {
            let turn = self.turns.iter().find(|turn| turn.id == *id);
            // A label that cites a turn nobody said keeps its citation: grounding is there to find it.
            Citation { turn_id: TurnId(id.clone()), quote: turn.map(|turn| turn.text.clone()).unwrap_or_default() }
        };
        let Kind { memory_type, attribute, value } = kind(&fact.text, &fact.about);
        let time = self.turns.iter().filter(|turn| fact.evidence.contains(&turn.id)).find_map(|turn| {
            // Words for the time count only where the fact itself is one of an event at a time.
            time_expression(&fact.text).and_then(|_| time_expression(&turn.text))
        });
        Item::Candidate(Candidate {
            content: fact.text.clone(),
            memory_type,
            subject: fact.about.clone(),
            attribute,
            value,
            polarity: if is_denial(&fact.text) { Polarity::Negative } else { Polarity::Positive },
            evidence: fact.evidence.iter().map(cited).collect(),
            time_expression: time.map(str::to_owned),
            confidence: CONFIDENCE,
        })
    }
}

fn is_denial(text: &str) -> bool {
    let words = text.split_whitespace().map(|word| word.replace('\u{2019}', "'").to_lowercase());
    words.into_iter().any(|word| word == "not" || word == "never" || word.ends_with("n't"))
}
