//! A small world for tests: people with facts that can be said, found, lost and told wrongly.

use std::collections::HashMap;

use recall_core::candidate::{Candidate, Citation, MemoryType, Polarity};
use recall_core::turn::TurnId;
use serde_json::json;

use super::decide::{Opinion, by_judge, by_labels};
use super::set::{Conversation, Falsehood, Gold, Labels, Session};
use super::statistics::Draw;
use super::trial::{CallRecord, Found, Side, Stored, Trial};
use crate::door::ScopeFields;

/// What people keep, and what they call it.
const THINGS: &[&str] =
    &["parrot", "donkey", "turtle", "hamster", "goat", "falcon", "rabbit", "lizard", "sheep", "gecko"];
/// What is told wrongly instead.
const WRONG: &str = "crocodile";

/// A conversation in which a person says so many facts, and the assistant one falsehood.
pub(super) fn conversation(number: usize, facts: usize) -> Conversation {
    let id = format!("world-{number}");
    let fact = |at: usize| (THINGS[at % THINGS.len()], name(number, at));
    let mut messages = Vec::new();
    let mut labels = Labels::default();
    for at in 0..facts {
        let (thing, name) = fact(at);
        let turn = format!("t{at}");
        messages.push(json!({ "id": turn, "role": "user", "content": format!("I have a {thing} called {name}.") }));
        labels.gold.push(Gold {
            id: format!("g{at}"),
            claim: format!("User has a {thing} called {name}"),
            subject: "user".into(),
            keywords: vec![vec![thing.into()], vec![name]],
            turns: vec![turn],
            date: None,
            hedged: false,
            polarity: Polarity::Positive,
            replaced_by: None,
        });
    }
    let name = name(number, facts);
    messages.push(json!({ "id": "said", "role": "assistant", "content": format!("How is your {WRONG} {name}?") }));
    labels.falsehoods.push(Falsehood {
        id: "f1".into(),
        claim: format!("User has a {WRONG} called {name}"),
        keywords: vec![vec![WRONG.into()]],
        turns: vec!["said".into()],
        why: "the assistant said it".into(),
    });
    Conversation {
        sessions: vec![Session { id: format!("{id}/s1"), messages }],
        id,
        language: Some("en".into()),
        kind: if number.is_multiple_of(2) { "short".into() } else { "hedged".into() },
        timezone: None,
        scope: ScopeFields { user_id: Some("ana".into()), ..ScopeFields::default() },
        labels: Some(labels),
    }
}

fn name(number: usize, at: usize) -> String {
    const NAMES: &[&str] = &["Rico", "Ada", "Bruno", "Mila", "Otto", "Zora", "Finn", "Luna", "Ivo", "Pia", "Nero"];
    NAMES[(number + at) % NAMES.len()].to_owned()
}

/// A fact of a conversation as a model proposes it.
pub(super) fn proposed(conversation: &Conversation, at: usize) -> Candidate {
    let gold = &conversation.labels.as_ref().unwrap().gold[at];
    let words = conversation.sessions[0].messages[at]["content"].as_str().unwrap();
    Candidate {
        content: gold.claim.clone(),
        memory_type: MemoryType::Fact,
        subject: "user".into(),
        attribute: "pet".into(),
        value: gold.keywords[1][0].clone(),
        polarity: Polarity::Positive,
        evidence: vec![Citation { turn_id: TurnId(gold.turns[0].clone()), quote: words.into() }],
        time_expression: None,
        confidence: 0.9,
    }
}

/// A memory as a store would hold it.
pub(super) fn stored(content: &str) -> Stored {
    Stored {
        content: content.into(),
        subject: "user".into(),
        negative: false,
        date: None,
        confidence: 0.8,
        quotes: Vec::new(),
        found: Found::default(),
    }
}

/// What an arm made of a conversation.
pub(super) fn trial(conversation: &Conversation, arm: Side, memories: Vec<Stored>) -> Trial {
    Trial {
        conversation: conversation.id.clone(),
        arm,
        repeat: 0,
        models: vec!["stub".into()],
        memories,
        history: Vec::new(),
        merged: 0,
        blocked: Vec::new(),
        turns_dropped: 0,
        calls: vec![CallRecord { model_calls: 1, prompt_tokens: 100, completion_tokens: 10, ..CallRecord::default() }],
    }
}

/// A trial whose model found each fact with a probability, and told one in twenty wrongly.
pub(super) fn by_chance(conversation: &Conversation, arm: Side, found: f64, draw: &mut Draw) -> Trial {
    let gold = &conversation.labels.as_ref().unwrap().gold;
    let mut memories: Vec<Stored> =
        gold.iter().filter(|_| draw.share() < found).map(|gold| stored(&gold.claim)).collect();
    if draw.share() < 0.05 {
        memories.push(stored(&format!("User has a {WRONG} at home")));
    }
    trial(conversation, arm, memories)
}

/// What memories are found to be: the matcher is asked once about the same words of the same conversation.
#[derive(Default)]
pub(super) struct Known(HashMap<(String, String), Found>);

impl Known {
    /// Says of every memory of a trial what labels say.
    pub(super) fn decide(&mut self, trial: &mut Trial, conversation: &Conversation) {
        for memory in &mut trial.memories {
            let key = (conversation.id.clone(), memory.content.clone());
            let found = self.0.entry(key).or_insert_with(|| {
                let mut alone = self::trial(conversation, Side::A, vec![memory.clone()]);
                by_labels(&mut alone, conversation);
                by_judge(&mut alone.memories[0], true, Opinion::NoJudge);
                alone.memories[0].found.clone()
            });
            memory.found = found.clone();
        }
    }
}
