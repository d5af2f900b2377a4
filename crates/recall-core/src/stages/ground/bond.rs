//! How a run of words stands to the one a claim is about.

use super::agent::Agent;
use super::alignment::Alignment;
use super::asked;
use super::claim::Claim;
use super::known;
use super::passage::{Passage, Piece, Word};
use super::person::Who;
use super::pronouns::{FIRST, FIRST_ELSEWHERE, SECOND_ELSEWHERE};
use super::third::{has_by_name, of_third};
use crate::context::Context;
use crate::lexicon::{bare, people, verbs};
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
        Place::Addressed if turn.speaker == Speaker::Assistant => {
            if is_of_theirs(claim, passage.said(piece)) {
                Bond::Foreign
            } else {
                Bond::Near
            }
        }
        Place::Addressed => of_addressee(passage, piece).max(names),
        Place::Elsewhere => of_third(claim, passage, piece).max(names),
    }
}

/// "So your daughter is training as a baker?": what the assistant tells of somebody of the user's is not told of the user.
fn is_of_theirs(claim: &Claim, said: &[Word<'_>]) -> bool {
    let kin = said.windows(2).find_map(|pair| match pair {
        [your, kin] if &*your.text == "your" => people::relative(bare(&kin.text)),
        _ => None,
    });
    let of_user = |word: &Word<'_>| matches!(&*word.text, "you" | "you're" | "you've" | "you'll" | "you'd");
    let told = |word: &String| people::relative(bare(word)).is_some();
    claim.agent == Agent::User
        && kin.is_some()
        && !claim.says(HAVING)
        && !claim.words.iter().any(told)
        && !said.iter().any(of_user)
}

/// The most pieces asked for one word of the claim: more could only speak for it.
pub(super) const PIECES: usize = 64;

/// The best bond of the words that carry an item of a claim.
pub(super) fn of_item(
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
    (item, standings): (usize, &[Place]),
) -> Option<Bond> {
    if claim.says(HAVING) {
        let ours = |at: &usize| claim.agent == Agent::User && is_ours(passage, *at);
        if alignment.carried.get(item)?.iter().any(|at| ours(at) || has_by_name(claim, passage, *at)) {
            return Some(Bond::Own);
        }
    }
    let mut carried = alignment.focused.get(item)?.clone();
    carried.dedup_by_key(|at| passage.words.get(*at).map(|word| word.piece));
    // What a question and its answer both have is told by the answer.
    let by_person = |at: &usize| {
        let turn = passage.piece_of(*at).and_then(|piece| passage.turns.get(piece.turn));
        turn.is_some_and(|turn| turn.speaker != Speaker::Assistant)
    };
    if carried.iter().any(by_person) {
        carried.retain(by_person);
    }
    let pieces = carried.iter().filter_map(|at| passage.piece_of(*at)).take(PIECES);
    pieces.map(|piece| bond(claim, passage, piece, standings)).max()
}

/// Words by which a claim tells of a tie or a thing one has.
const HAVING: &[&str] = &["has", "have", "had", "married", "engaged", "divorced", "parent"];

/// "my older sister", "our cat": it belongs to the speaker, a person of the call.
fn is_ours(passage: &Passage<'_>, at: usize) -> bool {
    const REACH: usize = 3;
    let turn = passage.piece_of(at).and_then(|piece| passage.turns.get(piece.turn));
    let by_person = turn.is_some_and(|turn| matches!(turn.speaker, Speaker::Person(_)));
    let before = passage.words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let begins_anew = |word: &&Word<'_>| {
        word.text.ends_with("'s")
            || matches!(&*word.text, "my" | "our" | "his" | "her" | "their" | "your")
            || verbs::is_known(&word.text)
            || people::is_person(&word.text) && &*word.text != "ex"
    };
    by_person && before.iter().rev().find(begins_anew).is_some_and(|owner| matches!(&*owner.text, "my" | "our"))
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
    name.iter().any(|word| speaker.split(known::parts_names).any(|part| crate::text::fold(part) == *word))
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
    name.split(known::parts_names).any(|part| part == word)
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
