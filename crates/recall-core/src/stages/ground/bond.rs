//! How a run of words stands to the one a claim is about.

use super::agent::Agent;
use super::asked;
use super::claim::Claim;
use super::passage::{Passage, Piece, Word};
use super::person::Who;
use super::pronouns::{FIRST, FIRST_ELSEWHERE, SECOND_ELSEWHERE};
use super::third::of_third;
use crate::context::Context;
use crate::lexicon::{bare, verbs};
use crate::reading::{ReadTurn, Speaker};

/// How a piece stands to the one a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bond {
    /// It speaks of somebody else.
    Foreign,
    /// It has a pronoun nobody could resolve.
    Open,
    /// The person stands in it, though not as its subject.
    Near,
    /// It speaks of the person.
    Own,
}

/// `standings` tells for each turn of the passage where the one a claim is about stands ([`place_of`]).
pub(super) fn bond(claim: &Claim, passage: &Passage<'_>, piece: &Piece, standings: &[Place]) -> Bond {
    let (Some(turn), Some(standing)) = (passage.turns.get(piece.turn), standings.get(piece.turn)) else {
        return Bond::Foreign;
    };
    if shares_subject(claim, passage.said(piece), *standing) {
        return Bond::Own;
    }
    let names = names(passage, piece, claim);
    match standing {
        Place::Speaks if asked::answers_for_oneself(passage, piece) => Bond::Near,
        Place::Speaks => of_speaker(claim, passage, piece),
        // A question or statement of the assistant got here only because the user answered or confirmed it.
        Place::Addressed if turn.speaker == Speaker::Assistant => Bond::Near,
        Place::Addressed => of_addressee(passage, piece).max(names),
        Place::Elsewhere => of_third(claim, passage, piece).max(names),
    }
}

/// "my wife and I", "Mika and me": what is said of both is said of each.
fn shares_subject(claim: &Claim, said: &[Word<'_>], standing: Place) -> bool {
    const REACH: usize = 8;
    let joined = said.windows(2).take(REACH).position(|pair| {
        let [and, first] = pair else { return false };
        &*and.text == "and" && (FIRST.contains(&&*first.text) || matches!(&*first.text, "me" | "myself"))
    });
    let Some(joined) = joined else { return false };
    let other = said.get(..joined).unwrap_or_default();
    if other.is_empty() || other.iter().any(|word| verbs::is_known(&word.text)) {
        return false;
    }
    match &claim.agent {
        Agent::Named(name) if standing != Place::Speaks => {
            other.iter().any(|word| word.capital && name.iter().any(|part| part == bare(&word.text)))
        }
        Agent::User | Agent::Named(_) => standing == Place::Speaks,
        Agent::Assistant | Agent::Relative { .. } | Agent::Open | Agent::Thing => false,
    }
}

/// [`place_of`] for each turn of a passage.
pub(super) fn standings(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>) -> Vec<Place> {
    passage.turns.iter().map(|turn| place_of(cx, claim, turn)).collect()
}

/// Where the one a claim is about stands in the conversation of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Speaks,
    Addressed,
    Elsewhere,
}

fn place_of(cx: &Context<'_>, claim: &Claim, turn: &ReadTurn) -> Place {
    match (&claim.agent, &turn.speaker) {
        (Agent::User, Speaker::Person(_)) | (Agent::Assistant, Speaker::Assistant) => Place::Speaks,
        (Agent::User, Speaker::Assistant) | (Agent::Assistant, Speaker::Person(_)) => Place::Addressed,
        (Agent::Named(name), Speaker::Person(Some(speaker))) if is_called(speaker, name) => Place::Speaks,
        (Agent::Named(name), Speaker::Person(_) | Speaker::Assistant)
            if in_conversation(cx, name) || called_out(turn, name) =>
        {
            Place::Addressed
        }
        _ => Place::Elsewhere,
    }
}

fn is_called(speaker: &str, name: &[String]) -> bool {
    name.iter().any(|word| speaker.split_whitespace().any(|part| crate::text::fold(part) == *word))
}

fn in_conversation(cx: &Context<'_>, name: &[String]) -> bool {
    cx.reading.turns.iter().any(|turn| match &turn.speaker {
        Speaker::Person(Some(speaker)) => is_called(speaker, name),
        Speaker::Person(None) | Speaker::Assistant | Speaker::Nobody => false,
    })
}

/// The name is called out at the beginning or end of a sentence, set off by a comma.
fn called_out(turn: &ReadTurn, name: &[String]) -> bool {
    let text = |at: usize| turn.tokens.get(at).map(|token| token.folded.as_str());
    let called = |at: usize| {
        let before = at.checked_sub(1).and_then(text);
        let after = text(at + 1);
        let ends = matches!(after, None | Some("." | "!" | "?"));
        before == Some(",") && ends || at == 0 && after == Some(",") || matches!(before, Some("hey" | "hi" | "hello"))
    };
    let mut words = turn.tokens.iter().map(|token| bare(&token.folded)).enumerate();
    words.any(|(at, word)| name.iter().any(|part| part == word) && called(at))
}

fn of_speaker(claim: &Claim, passage: &Passage<'_>, piece: &Piece) -> Bond {
    if says_its_subject(passage, piece) && !matches!(piece.who, Who::Speaker | Who::Unsaid) {
        return holds(passage, piece, FIRST_ELSEWHERE);
    }
    match &piece.who {
        // "the green Koga is my bike": what the claim itself names is not somebody else.
        Who::Named { name, chain } if chain.is_empty() && claim.items.iter().any(|item| has_part(name, &item.text)) => {
            Bond::Near
        }
        Who::Speaker | Who::Unsaid => Bond::Own,
        Who::Thing | Who::It(_) => Bond::Near,
        Who::Addressee | Who::Named { .. } | Who::Relative(_) | Who::Pronoun(_) | Who::Other => {
            holds(passage, piece, FIRST_ELSEWHERE)
        }
    }
}

/// German names its subject: a clause without "ich" or "wir" and without "mein" speaks of somebody else.
fn says_its_subject(passage: &Passage<'_>, piece: &Piece) -> bool {
    const GERMAN: &[&str] =
        &["der", "die", "das", "den", "dem", "und", "hat", "ist", "beim", "seinen", "seine", "ihre", "ein", "eine"];
    let words = passage.said(piece);
    let german = words.iter().filter(|word| GERMAN.contains(&&*word.text)).count() > 1;
    german
        && !words
            .iter()
            .any(|word| FIRST.contains(&&*word.text) || word.text.starts_with("mein") || word.text.starts_with("unser"))
}

fn has_part(name: &str, word: &str) -> bool {
    name.split_whitespace().any(|part| part == word)
}

fn of_addressee(passage: &Passage<'_>, piece: &Piece) -> Bond {
    match piece.who {
        Who::Addressee => Bond::Own,
        Who::Speaker
        | Who::Named { .. }
        | Who::Relative(_)
        | Who::Pronoun(_)
        | Who::It(_)
        | Who::Other
        | Who::Thing
        | Who::Unsaid => {
            let we = passage.said(piece).iter().any(|word| matches!(&*word.text, "we" | "we're" | "we've" | "we'll"));
            if we { Bond::Near } else { holds(passage, piece, SECOND_ELSEWHERE) }
        }
    }
}

fn holds(passage: &Passage<'_>, piece: &Piece, words: &[&str]) -> Bond {
    if passage.said(piece).iter().any(|word| words.contains(&&*word.text)) { Bond::Near } else { Bond::Foreign }
}

/// The person is named somewhere in the piece.
fn names(passage: &Passage<'_>, piece: &Piece, claim: &Claim) -> Bond {
    let said = passage.said(piece);
    // "Hey Tomas!" speaks to him, not of him.
    let called = said.first().is_some_and(|word| {
        matches!(&*word.text, "hey" | "hi" | "hello" | "thanks" | "yeah" | "yep" | "wow" | "congrats" | "yes" | "sure")
    });
    let found = match &claim.agent {
        Agent::Named(name) => !called && said.iter().any(|word| name.iter().any(|part| part == bare(&word.text))),
        Agent::Relative { .. } | Agent::User | Agent::Assistant | Agent::Open | Agent::Thing => false,
    };
    if found && !matches!(piece.who, Who::Speaker) { Bond::Near } else { Bond::Foreign }
}
