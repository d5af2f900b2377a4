//! Turns that only say something together with the turn before them: short answers, confirmations, corrections.

use super::Heard;
use crate::reading::ReadTurn;
use crate::reading::acts::Act;
use crate::text::TokenKind;
use crate::turn::Role;

/// Words that confirm or deny what was said.
const CONFIRMING: &[&str] = &[
    "yes",
    "yep",
    "yeah",
    "yup",
    "yea",
    "ya",
    "aye",
    "no",
    "nope",
    "nah",
    "exactly",
    "correct",
    "right",
    "true",
    "indeed",
    "precisely",
    "wrong",
    "never",
    "absolutely",
    "definitely",
    "certainly",
    "uh-huh",
    "nein",
    "ja",
    "si",
    "s\u{ed}",
    "oui",
    "non",
    "da",
    "sure",
];

/// Openings that put something right.
const CORRECTING: &[&str] = &["no", "nope", "nah", "not", "actually", "wrong", "almost", "close", "rather"];

/// What an offer asks: the answer decides what happens next, not how things are.
const OFFERS: &[&str] = &[
    "anything else",
    "can i help",
    "may i help",
    "help you",
    "shall i",
    "should i",
    "would you like me",
    "want me to",
    "would you like to hear",
    "do you want to hear",
    "want to know more",
    "like me to",
    "is that ok",
    "does that help",
    "does that make sense",
    "ready to",
    "ready for",
    "need anything",
    "anything more",
    "shall we",
    "got it",
    "okay?",
    "how are you",
    "how is it going",
    "how's it going",
    "what's up",
];

/// Does a turn answer the one before it?
pub(super) fn answers(turn: &ReadTurn, before: &ReadTurn) -> bool {
    if same_speaker(turn, before) {
        return false;
    }
    match asks(before) {
        Asks::Something => decides(turn),
        Asks::Nothing => before.turn.role == Role::Assistant && about_listener(before) && confirms(turn),
        Asks::WhatToDo => false,
    }
}

/// Does a user turn need the assistant turn before it to be understood?
pub(super) fn leans_on(turn: &ReadTurn, assistant: &ReadTurn) -> bool {
    if turn.turn.role != Role::User {
        return false;
    }
    match asks(assistant) {
        Asks::Something => decides(turn) || is_short(turn),
        Asks::Nothing => about_listener(assistant) && (confirms(turn) || corrects(turn)),
        Asks::WhatToDo => false,
    }
}

/// What a turn wants of its listener at its end.
enum Asks {
    Nothing,
    Something,
    WhatToDo,
}

fn asks(turn: &ReadTurn) -> Asks {
    let Some(last) = turn.clauses.iter().rev().find(|clause| clause.act != Act::Acknowledgement) else {
        return Asks::Nothing;
    };
    if last.act != Act::Question {
        return Asks::Nothing;
    }
    let words = turn.turn.content.as_str().get(last.span.clone()).unwrap_or_default().to_lowercase();
    if OFFERS.iter().any(|offer| words.contains(offer)) { Asks::WhatToDo } else { Asks::Something }
}

/// Two people may both stand in the role of a user.
fn same_speaker(turn: &ReadTurn, before: &ReadTurn) -> bool {
    turn.turn.role == before.turn.role && turn.turn.name == before.turn.name
}

/// The statement speaks of the one it is said to.
fn about_listener(turn: &ReadTurn) -> bool {
    turn.tokens.iter().any(|token| {
        matches!(token.folded.as_str(), "you" | "your" | "you're" | "you've" | "you'll" | "yours" | "yourself")
    })
}

/// Yes or no, without thanks and without a question of one's own.
fn decides(turn: &ReadTurn) -> bool {
    confirms(turn)
}

fn confirms(turn: &ReadTurn) -> bool {
    let first = turn.tokens.iter().find(|token| token.kind != TokenKind::Symbol);
    let asks_back = turn.clauses.iter().any(|clause| matches!(clause.act, Act::Question | Act::Request | Act::Meta));
    let thanks = turn.tokens.iter().any(|token| token.folded.starts_with("thank") || token.folded == "thx");
    let confirming = turn.tokens.iter().take(6).any(|token| CONFIRMING.contains(&token.folded.as_str()));
    first.is_some() && confirming && !asks_back && !thanks
}

fn corrects(turn: &ReadTurn) -> bool {
    let first = turn.tokens.iter().find(|token| token.kind != TokenKind::Symbol);
    first.is_some_and(|first| CORRECTING.contains(&first.folded.as_str()))
}

/// No sentence of its own: a name, a number, a phrase.
fn is_short(turn: &ReadTurn) -> bool {
    const SHORT: usize = 8;
    let Some(clause) = turn.clauses.iter().find(|clause| clause.act == Act::Statement) else { return false };
    let heard = Heard::new(turn, clause);
    let words: Vec<&str> = heard.words().collect();
    let own_subject = words.iter().take(3).any(|word| {
        matches!(*word, "i" | "we" | "he" | "she" | "they" | "my" | "our")
            || word.starts_with("i'")
            || word.starts_with("we'")
    });
    words.len() <= SHORT && !own_subject
}
