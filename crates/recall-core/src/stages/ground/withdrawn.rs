//! Is it taken back in the same breath: "just kidding", "which is false", or said with a wink?

use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::passage::Passage;
use crate::context::Context;
use crate::reading::{ReadTurn, Speaker};
use crate::stage::Reason;
use crate::text::{Token, TokenKind};

/// Checks that nothing behind or before the words takes them back.
///
/// # Errors
/// [`Reason::NotAsserted`] of a joke, [`Reason::PolarityFlip`] of what is said to be wrong.
pub(super) fn stands(
    cx: &Context<'_>,
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
) -> Result<(), Reason> {
    const TOLD: &[&str] = &["not", "false", "untrue", "denies", "said", "says", "claims", "joked", "jokes", "joking"];
    let Some((turn, first, last)) = told(passage, claim, alignment).filter(|_| !claim.says(TOLD)) else {
        return Ok(());
    };
    let behind = turn.tokens.get(last + 1..).unwrap_or_default();
    let here = sentence(behind, turn.tokens.get(last));
    let rest = behind.get(here.len()..).unwrap_or_default();
    let next = sentence(rest, rest.first());
    let later = if rest.is_empty() { said_next(cx, turn) } else { &[] };
    if !claim.items.iter().any(|item| item.negated) && (is_denied(here, next) || is_denied_before(turn, first)) {
        return Err(Reason::PolarityFlip);
    }
    let joke = ends_in_joke(here) || opens_with(next, JOKES) || opens_with(next, SCOFFS) || opens_with(later, JOKES);
    if joke || is_marked_as_joke(behind) || tells_what_one_is(claim) && winks(here) {
        return Err(Reason::NotAsserted);
    }
    Ok(())
}

/// The last turn of a person in which something of the claim stands in quotes, with the first and last of its tokens there.
fn told<'a>(passage: &Passage<'a>, claim: &Claim, alignment: &Alignment) -> Option<(&'a ReadTurn, usize, usize)> {
    let strong = |item: &Item| !matches!(item.kind, Kind::Light | Kind::Retelling | Kind::Frequency);
    let pairs = claim.items.iter().zip(&alignment.focused).filter(|(item, _)| strong(item));
    let words = || {
        pairs.clone().flat_map(|(_, words)| words).copied().filter_map(|at| {
            let word = passage.words.get(at).filter(|word| word.quoted)?;
            Some((passage.piece_of(at)?.turn, word.span.start))
        })
    };
    let index = words().map(|(turn, _)| turn).max()?;
    let turn = passage.turns.get(index).copied().filter(|turn| matches!(turn.speaker, Speaker::Person(_)))?;
    let starts = || words().filter(|(turn, _)| *turn == index).map(|(_, start)| start);
    let place = |start: usize| turn.tokens.iter().position(|token| token.span.start == start);
    Some((turn, place(starts().min()?)?, place(starts().max()?)?))
}

/// The tokens up to the end of the sentence in which another one stands.
fn sentence<'a>(tokens: &'a [Token], of: Option<&Token>) -> &'a [Token] {
    let length = tokens.iter().take_while(|token| of.is_some_and(|of| of.sentence == token.sentence)).count();
    tokens.get(..length).unwrap_or_default()
}

/// The first sentence of what the same person says next, whoever answers in between.
fn said_next<'a>(cx: &Context<'a>, turn: &ReadTurn) -> &'a [Token] {
    const REACH: usize = 2;
    let turns = &cx.reading.turns;
    let place = turns.iter().position(|other| std::ptr::eq(other, turn));
    let after = place.and_then(|at| turns.get(at + 1..)).unwrap_or_default();
    let next = after.iter().take(REACH).find(|other| other.speaker == turn.speaker);
    next.map_or(&[], |next| sentence(&next.tokens, next.tokens.first()))
}

/// How many tokens a phrase takes at a place, where it stands there.
fn holds_at(tokens: &[Token], at: usize, phrase: &str) -> Option<usize> {
    const ADVERBS: &[&str] = &["simply", "just", "really", "absolutely", "totally", "actually", "completely", "so"];
    // Hardly any word begins any of the phrases.
    tokens.get(at).filter(|first| phrase.starts_with(first.folded.as_str()))?;
    let mut length = 0;
    for part in phrase.split(' ') {
        let next = |length: usize| tokens.get(at + length).map_or("", |token| token.folded.as_str());
        // "that's simply not true"
        if length > 0 && next(length) != part && ADVERBS.contains(&next(length)) {
            length += 1;
        }
        if next(length) != part {
            return None;
        }
        length += 1;
    }
    Some(length)
}

/// By these somebody says that what went before was a joke.
const JOKES: &[&str] = &[
    "just kidding",
    "only kidding",
    "i'm kidding",
    "im kidding",
    "kidding",
    "jk",
    "j / k",
    "just joking",
    "only joking",
    "i'm joking",
    "im joking",
    "joking",
    "just messing with you",
];

/// By these, where they are a sentence by themselves, that it is not so.
const SCOFFS: &[&str] = &["i wish", "in my dreams", "as if", "not really", "yeah right", "yeah , right", "psych"];

/// Words with which the sentence may go on behind a joke, but not behind a scoff.
const GOING_ON: &[&str] = &["haha", "lol", "lmao", "though", "obviously", "i", "we", "only", "it's", "there"];

/// Words that laugh before a phrase.
const LAUGHING: &[&str] = &["haha", "hahaha", "lol", "lmao", "nah", "ok", "okay", "well", "oh", "but", ",", "-", "("];

/// The phrase stands at a place and is all that is said there.
fn stands_alone(tokens: &[Token], at: usize, phrase: &str) -> bool {
    let Some(length) = holds_at(tokens, at, phrase) else { return false };
    let is_joke = JOKES.contains(&phrase);
    tokens.get(at + length).is_none_or(|next| {
        next.kind == TokenKind::Symbol && (is_joke || next.folded != ",")
            || is_joke && GOING_ON.contains(&next.folded.as_str())
    })
}

/// "haha jk, …": the sentence begins so.
fn opens_with(sentence: &[Token], phrases: &[&str]) -> bool {
    let opens = |token: &&Token| {
        LAUGHING.contains(&token.folded.as_str()) || token.kind == TokenKind::Symbol && token.folded != "/"
    };
    let from = sentence.iter().take_while(opens).count();
    (0..=from).any(|at| phrases.iter().any(|phrase| stands_alone(sentence, at, phrase)))
}

/// "…, just kidding", "… lol jk".
fn ends_in_joke(rest: &[Token]) -> bool {
    const SERIOUS: &[&str] = &["not", "no", "i", "am", "you", "you're", "without", "all", "keep", "always", "was"];
    (0..rest.len()).any(|at| {
        let before = at.checked_sub(1).and_then(|at| rest.get(at));
        let serious = before.is_some_and(|before| SERIOUS.contains(&before.folded.as_str()));
        !serious && JOKES.iter().any(|phrase| stands_alone(rest, at, phrase))
    })
}

/// "/s" at the end of the turn.
fn is_marked_as_joke(behind: &[Token]) -> bool {
    let mark = behind.len().saturating_sub(2);
    let set_off = mark.checked_sub(1).and_then(|at| behind.get(at)).zip(behind.get(mark));
    matches!(behind.get(mark..), Some([slash, s]) if slash.folded == "/" && s.folded == "s")
        && set_off.is_none_or(|(before, slash)| before.span.end < slash.span.start)
}

/// "…, obviously 😂".
fn winks(rest: &[Token]) -> bool {
    const MOCKING: &[&str] = &["obviously", "clearly", "naturally", "duh", "sure"];
    const LAUGHS: &[char] = &[
        '\u{1f602}',
        '\u{1f923}',
        '\u{1f61c}',
        '\u{1f92a}',
        '\u{1f609}',
        '\u{1f60f}',
        '\u{1f643}',
        '\u{1f606}',
        '\u{1f61d}',
    ];
    let laughs = |token: &Token| token.folded.chars().any(|c| LAUGHS.contains(&c));
    rest.windows(2)
        .any(|pair| matches!(pair, [word, laugh] if MOCKING.contains(&word.folded.as_str()) && laughs(laugh)))
}

/// "is a secret agent": a wink makes that doubtful, and leaves alone what happened.
fn tells_what_one_is(claim: &Claim) -> bool {
    let is =
        |pair: &[String]| matches!(pair, [is, article] if is == "is" && matches!(article.as_str(), "a" | "an" | "the"));
    claim.words.windows(2).any(is)
}

/// What went before is wrong.
fn is_denied(here: &[Token], next: &[Token]) -> bool {
    const DENYING: &[&str] = &[
        "which is false",
        "which is not true",
        "which isn't true",
        "which is untrue",
        "which is a lie",
        "which is not the case",
        "which isn't the case",
        "that's false",
        "that is false",
        "that's not true",
        "that is not true",
        "that's not the case",
        "that isn't true",
        "that's a lie",
        "it's not true",
        "it isn't true",
        "it is not true",
        "none of it is true",
        "none of that is true",
        "none of which is true",
    ];
    let stands = |tokens: &[Token], at: usize| DENYING.iter().any(|phrase| holds_at(tokens, at, phrase).is_some());
    (0..here.len()).any(|at| stands(here, at)) || stands(next, 0) || stands(next, 1)
}

/// "it's not true that I …", "I never said I …".
fn is_denied_before(turn: &ReadTurn, first: usize) -> bool {
    const REACH: usize = 8;
    const DENYING: &[&str] = &[
        "not true that",
        "isn't true that",
        "untrue that",
        "false that",
        "not the case that",
        "isn't the case that",
        "a lie that",
        "a myth that",
        "a rumour that",
        "a rumor that",
        "never said",
        "didn't say",
    ];
    let of = turn.tokens.get(first);
    let before = turn.tokens.get(first.saturating_sub(REACH)..first).unwrap_or_default();
    let begins = |token: &Token| {
        of.is_some_and(|of| of.sentence != token.sentence) || matches!(token.folded.as_str(), "but" | ";" | "because")
    };
    let from = before.iter().rposition(begins).map_or(0, |at| at + 1);
    let before = before.get(from..).unwrap_or_default();
    (0..before.len()).any(|at| DENYING.iter().any(|phrase| holds_at(before, at, phrase).is_some()))
}
