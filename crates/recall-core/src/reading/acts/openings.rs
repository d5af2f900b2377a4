//! What a clause begins with: a subject with its verb, a question, an order. Told by closed word classes, so that doubt leaves a sentence whole.

use std::ops::Range;

use super::segment::{skip_fillers, word, word as word_at};
use super::words::{
    ASKED, ASKERS, ASKING, AUXILIARIES, COORDINATORS, DETERMINERS, FINITE, GLUED_ASKERS, GLUED_SUBJECTS, NOT_PAST,
    ORDERED, ORDERS, SUBJECTS, WEAK_ORDERS,
};
use crate::text::{Token, TokenKind};

/// "but why there?", "and how long?": a question word with a few words after it, up to the question mark.
pub(super) fn asks_shortly(tokens: &[Token], rest: Range<usize>) -> bool {
    const SHORT: usize = 6;
    let asker =
        word(tokens, rest.start).is_some_and(|word| matches!(word, "why" | "how" | "what" | "where" | "when" | "who"));
    asker && rest.len() <= SHORT && tokens.get(rest.end.wrapping_sub(1)).is_some_and(|last| last.folded == "?")
}

/// Does a clause with a subject and a verb of its own begin here?
pub(super) fn begins_clause(tokens: &[Token], rest: Range<usize>) -> bool {
    let first = skip_fillers(tokens, rest.clone(), true);
    let Some(here) = word(tokens, first).filter(|_| first < rest.end) else { return false };
    if GLUED_SUBJECTS.contains(&here) || GLUED_ASKERS.contains(&here) {
        return true;
    }
    let next = word(tokens, first + 1).filter(|_| first + 1 < rest.end);
    if ASKERS.contains(&here) && next.is_some_and(|next| ASKING.contains(&next)) {
        // ", which is nice" hangs on what it is about; ", which is it?" asks.
        let asked = (first..rest.end).rev().find_map(|at| tokens.get(at)).is_some_and(|last| last.folded == "?");
        return asked || matches!(here, "what" | "how" | "why");
    }
    if ASKING.contains(&here) && next.is_some_and(|next| ASKED.contains(&next) || DETERMINERS.contains(&next)) {
        return !ends_apposition(tokens, rest.start);
    }
    if SUBJECTS.contains(&here) && next.is_some_and(|next| follows_subject(here, next)) {
        return true;
    }
    noun_phrase_with_verb(tokens, first..rest.end) || adverbial_with_subject(tokens, first..rest.end)
}

/// "the younger one, Birgit, is a weaver": the comma closes what names the subject, and the verb behind it is the subject's.
pub(super) fn ends_apposition(tokens: &[Token], at: usize) -> bool {
    const LONGEST: usize = 5;
    let from = at.saturating_sub(LONGEST + 1);
    let Some(before) = at.checked_sub(1).and_then(|end| tokens.get(from..end)) else { return false };
    let Some(comma) = before.iter().rposition(|token| token.kind == TokenKind::Symbol) else { return false };
    let between = before.get(comma + 1..).unwrap_or_default();
    let closed = tokens.get(at - 1).is_some_and(|token| token.folded == ",");
    let opened = before.get(comma).is_some_and(|token| token.folded == ",");
    let names =
        between.iter().all(|token| token.capital || matches!(token.folded.as_str(), "a" | "an" | "certain" | "one"));
    closed && opened && names && between.last().is_some_and(|token| token.capital)
}

/// "last week I took", "in march they put": a time or place first, then the subject.
fn adverbial_with_subject(tokens: &[Token], rest: Range<usize>) -> bool {
    const OPENERS: &[&str] = &[
        "in", "on", "at", "since", "for", "last", "next", "this", "every", "after", "before", "during", "until",
        "most", "when", "once", "if", "as", "from",
    ];
    if !word(tokens, rest.start).is_some_and(|word| OPENERS.contains(&word)) {
        return false;
    }
    for at in rest.start + 1..rest.end.min(rest.start + 5) {
        let Some(word) = word(tokens, at) else { return false };
        if GLUED_SUBJECTS.contains(&word) {
            return true;
        }
        if matches!(word, "i" | "we" | "he" | "she" | "they") {
            return word_at(tokens, at + 1).is_some_and(|next| follows_subject(word, next));
        }
    }
    false
}

fn follows_subject(subject: &str, next: &str) -> bool {
    const NOT_VERBS: &[&str] =
        &["and", "or", "but", "of", "in", "on", "at", "for", "to", "with", "from", "by", "as", "than"];
    match subject {
        "i" | "we" | "he" | "she" | "they" | "u" => !NOT_VERBS.contains(&next),
        _ => is_finite(next),
    }
}

pub(super) fn is_finite(word: &str) -> bool {
    AUXILIARIES.contains(&word)
        || FINITE.contains(&word)
        || (word.len() > 4 && word.ends_with("ed") && !NOT_PAST.contains(&word))
}

/// A determiner, a name, a number or a bare noun, and within a few words a finite verb.
fn noun_phrase_with_verb(tokens: &[Token], rest: Range<usize>) -> bool {
    const REACH: usize = 6;
    let Some(first) = tokens.get(rest.start) else { return false };
    if first.folded.ends_with("'s")
        && word(tokens, rest.start + 1).is_some_and(|next| next.ends_with("ing") || next == "not")
    {
        return true;
    }
    let led = DETERMINERS.contains(&first.folded.as_str()) || first.capital || first.folded.ends_with("'s");
    let reach = if led { REACH } else { 2 };
    for at in rest.start + 1..rest.end.min(rest.start + reach + 1) {
        let Some(word) = word(tokens, at) else { return false };
        if AUXILIARIES.contains(&word) && word != "be" || (led && is_finite(word)) {
            return !matches!(word_at(tokens, at - 1), Some("to" | "that" | "who" | "which" | "i" | "we" | "you"));
        }
        if !led && (is_third_person(word, tokens, at) || is_plural_with_verb(word, tokens, at)) {
            return true;
        }
        if COORDINATORS.contains(&word) && !matches!(word, "and" | "or") {
            return false;
        }
    }
    false
}

/// "physio starts": a bare noun and a verb in the third person.
fn is_third_person(word: &str, tokens: &[Token], at: usize) -> bool {
    word.ends_with('s') && FINITE.contains(&word) && word_at(tokens, at + 1).is_some()
}

/// "cashews set off": a bare plural and a verb right after it.
fn is_plural_with_verb(verb: &str, tokens: &[Token], at: usize) -> bool {
    word(tokens, at - 1).is_some_and(|noun| noun.len() > 3 && noun.ends_with('s') && !noun.ends_with("ss"))
        && FINITE.contains(&verb)
        && !verb.ends_with('s')
        && word(tokens, at + 1).is_some()
}

/// An order: "please …", "let's …", a verb of asking with what it is about.
pub(super) fn begins_order(tokens: &[Token], rest: Range<usize>) -> bool {
    let first = skip_fillers(tokens, rest.clone(), true);
    let polite = (rest.start..first).any(|at| matches!(word(tokens, at), Some("please" | "pls" | "plz" | "kindly")));
    let Some(here) = word(tokens, first).filter(|_| first < rest.end) else { return false };
    let next = word(tokens, first + 1).filter(|_| first + 1 < rest.end);
    match here {
        "let's" | "lets" => true,
        "don't" | "dont" | "never" | "always" | "do" | "just" => {
            let whom = word(tokens, first + 2).filter(|_| first + 2 < rest.end);
            next.is_some_and(|next| {
                ORDERS.contains(&next) && (!WEAK_ORDERS.contains(&next) || matches!(whom, Some("me" | "us" | "to")))
            })
        }
        _ if polite => ORDERS.contains(&here) || next.is_some_and(|next| ORDERS.contains(&next)),
        _ => {
            ORDERS.contains(&here)
                && !WEAK_ORDERS.contains(&here)
                && next.is_some_and(|next| {
                    ORDERED.contains(&next) || tokens.get(first + 1).is_some_and(|token| token.capital)
                })
        }
    }
}
