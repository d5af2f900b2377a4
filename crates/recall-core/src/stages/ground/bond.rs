//! How a run of words stands to the one a claim is about.

use super::agent::Agent;
use super::claim::Claim;
use super::passage::{Passage, Piece, Word};
use super::person::{Who, relation};
use super::pronouns::{FIRST, FIRST_ELSEWHERE, SECOND_ELSEWHERE};
use crate::context::Context;
use crate::entity::EntityKind;
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

fn of_third(claim: &Claim, passage: &Passage<'_>, piece: &Piece) -> Bond {
    match (&claim.agent, &piece.who) {
        (Agent::Named(name), Who::Named { name: said, .. }) => {
            if same_name(name, said) {
                Bond::Own
            } else {
                Bond::Foreign
            }
        }
        (Agent::Named(name), Who::Pronoun(meant) | Who::It(meant)) => {
            let by_name = by_pronoun(meant, &|meant| same_name(name, &crate::text::fold(meant)));
            let of_person = matches!(piece.who, Who::It(_)) && !names_a_thing(passage, name);
            match by_name {
                Bond::Open if of_person => Bond::Foreign,
                Bond::Open if is_only_name(passage, piece, name) => Bond::Near,
                bond @ (Bond::Open | Bond::Foreign | Bond::Near | Bond::Own) => bond,
            }
        }
        (Agent::Named(name), Who::Speaker) => {
            let ours = passage.said(piece).iter().any(|word| matches!(&*word.text, "we" | "our" | "we've" | "we're"));
            if ours && names_stand_in(passage, piece.turn, name) { Bond::Near } else { Bond::Foreign }
        }
        (Agent::Relative { chain, .. }, Who::Relative(said) | Who::Named { chain: said, .. }) => {
            if chain == said {
                Bond::Own
            } else {
                Bond::Foreign
            }
        }
        (Agent::Relative { words, chain }, Who::Pronoun(meant)) => {
            let by_role = by_pronoun(meant, &|meant| {
                words.iter().any(|word| {
                    meant.split_whitespace().any(|part| relation(&crate::text::fold(part)) == relation(word))
                })
            });
            if by_role == Bond::Open && is_only_relative(passage, piece, chain) { Bond::Near } else { by_role }
        }
        (Agent::Relative { .. }, Who::Other) => Bond::Near,
        (Agent::Relative { chain, .. }, Who::Addressee) if says_relative(passage, piece, chain) => Bond::Near,
        (_, Who::Thing) => Bond::Near,
        _ => Bond::Foreign,
    }
}

/// "your sister": the relative stands in the words that speak to the one it belongs to.
fn says_relative(passage: &Passage<'_>, piece: &Piece, chain: &[String]) -> bool {
    passage.said(piece).iter().any(|word| chain.last().is_some_and(|last| relation(bare(&word.text)) == *last))
}

/// A mention of the name is known not to be a person.
fn names_a_thing(passage: &Passage<'_>, name: &[String]) -> bool {
    let mentions = passage.turns.iter().flat_map(|turn| &turn.mentions);
    let mut same = mentions.filter(|mention| same_name(name, &crate::text::fold(&mention.name))).peekable();
    same.peek().is_some() && same.all(|mention| !matches!(mention.kind, EntityKind::Person | EntityKind::User))
}

/// A pronoun that stayed open, in a turn that speaks of nobody else by name, before it.
fn is_only_name(passage: &Passage<'_>, piece: &Piece, name: &[String]) -> bool {
    let named: Vec<&Who> = before(passage, piece).filter(|who| matches!(who, Who::Named { .. })).collect();
    let all = named.iter().all(|who| matches!(who, Who::Named { name: said, .. } if same_name(name, said)));
    all && names_stand_in(passage, piece.turn, name)
}

fn is_only_relative(passage: &Passage<'_>, piece: &Piece, chain: &[String]) -> bool {
    let mut told = before(passage, piece).filter(|who| matches!(who, Who::Named { .. } | Who::Relative(_))).peekable();
    told.peek().is_some()
        && told.all(|who| matches!(who, Who::Relative(said) | Who::Named { chain: said, .. } if said == chain))
}

/// Of whom the pieces of the same turn up to this one speak.
fn before<'a>(passage: &'a Passage<'_>, piece: &'a Piece) -> impl Iterator<Item = &'a Who> {
    passage
        .pieces
        .iter()
        .filter(|other| other.turn == piece.turn && other.words.start < piece.words.start)
        .map(|other| &other.who)
}

fn names_stand_in(passage: &Passage<'_>, turn: usize, name: &[String]) -> bool {
    let pieces = passage.pieces.iter().filter(|piece| piece.turn == turn);
    pieces.flat_map(|piece| passage.said(piece)).any(|word| name.iter().any(|part| part == bare(&word.text)))
}

fn by_pronoun(meant: &[String], is_it: &dyn Fn(&str) -> bool) -> Bond {
    if meant.is_empty() {
        return Bond::Open;
    }
    if meant.iter().any(|meant| is_it(meant)) { Bond::Own } else { Bond::Foreign }
}

fn same_name(name: &[String], said: &str) -> bool {
    said.split_whitespace().any(|part| name.iter().any(|word| word == part))
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
