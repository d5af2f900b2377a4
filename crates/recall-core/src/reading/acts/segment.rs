//! Clause borders: a sentence is cut where a new subject with its own verb begins, and nowhere else, so that a negation, a hedge or a condition stays with what it is about.

use std::ops::Range;

use super::openings::{asks_shortly, begins_clause, begins_order, ends_apposition, is_finite};
use super::words::{
    ASKED, ASKING, AUXILIARIES, BARE_PASTS, COORDINATORS, FILLERS, GLUED_SUBJECTS, NOT_PAST, ORDERS, SAYING,
    SUBORDINATORS,
};
use crate::reading::blocks::Block;
use crate::text::{Token, TokenKind};

/// A run of tokens that makes one clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Indices of its tokens, closing punctuation included.
    pub tokens: Range<usize>,
    /// Index of the sentence it stands in.
    pub sentence: usize,
}

/// The clauses of a turn as runs of tokens, in order. Tokens inside blocks belong to none.
pub(super) fn pieces(content: &str, tokens: &[Token], blocks: &[Block]) -> Vec<Piece> {
    let mut found = Vec::new();
    for run in runs(tokens, blocks) {
        cut(content, tokens, run, &mut found);
    }
    found.retain(|piece| has_words(tokens, &piece.tokens));
    found
}

/// The longest run that is read as one, in tokens. A sentence beyond it is cut there, as if it had ended, and what
/// follows stands for itself; nobody's sentence is that long, and looking ahead from every word of one must not cost
/// its square.
const LONGEST: usize = 300;

/// Runs of tokens of one sentence between blocks, none longer than [`LONGEST`].
fn runs(tokens: &[Token], blocks: &[Block]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut block = blocks.iter().peekable();
    let mut open = false;
    for (at, token) in tokens.iter().enumerate() {
        while block.peek().is_some_and(|block| block.span.end <= token.span.start) {
            block.next();
            open = false;
        }
        if block.peek().is_some_and(|block| block.span.start < token.span.end) {
            open = false;
            continue;
        }
        let same = tokens.get(at.wrapping_sub(1)).is_some_and(|before| before.sentence == token.sentence);
        match runs.last_mut() {
            Some(run) if open && same && run.len() < LONGEST => run.end = at + 1,
            Some(_) | None => runs.push(at..at + 1),
        }
        open = true;
    }
    runs
}

fn has_words(tokens: &[Token], range: &Range<usize>) -> bool {
    tokens.get(range.clone()).is_some_and(|tokens| tokens.iter().any(|token| token.kind != TokenKind::Symbol))
}

fn cut(content: &str, tokens: &[Token], run: Range<usize>, found: &mut Vec<Piece>) {
    let sentence = tokens.get(run.start).map_or(0, |token| token.sentence);
    let mut start = run.start;
    let mut condition_open = opens_condition(tokens, start, run.end);
    for at in run.start + 1..run.end {
        let border = match border(content, tokens, start..run.end, at) {
            Border::None => continue,
            border @ (Border::Soft | Border::Hard) => border,
        };
        if !has_words(tokens, &(start..at)) || !has_words(tokens, &(at..run.end)) {
            continue;
        }
        if border == Border::Soft && skip_fillers(tokens, start..at, true) >= at {
            continue;
        }
        if condition_open && border == Border::Soft {
            // "if it rains, we stay": the consequence belongs to its condition; only what comes after is on its own.
            condition_open = false;
            continue;
        }
        found.push(Piece { tokens: start..at, sentence });
        start = at;
        condition_open = opens_condition(tokens, start, run.end)
            && !matches!(word(tokens, start), Some("because" | "while" | "though" | "although"));
    }
    found.push(Piece { tokens: start..run.end, sentence });
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Border {
    None,
    /// A comma or conjunction before a new subject and verb.
    Soft,
    /// Punctuation that ends a clause whatever follows.
    Hard,
}

fn border(content: &str, tokens: &[Token], clause: Range<usize>, at: usize) -> Border {
    let (Some(before), Some(here)) = (tokens.get(at - 1), tokens.get(at)) else { return Border::None };
    if here.kind == TokenKind::Symbol {
        return Border::None;
    }
    if ends_hard(content, tokens, at - 1) || complement_begins(tokens, clause.clone(), at) {
        return Border::Hard;
    }
    let after_comma = before.folded == ",";
    let coordinated = COORDINATORS.contains(&here.folded.as_str());
    if !after_comma && !coordinated {
        return Border::None;
    }
    if is_tag(tokens, at, clause.end) || (after_comma && said_before(tokens, clause.start, at)) {
        return Border::None;
    }
    let rest = at..clause.end;
    if coordinated && asks_shortly(tokens, at + 1..clause.end) {
        return Border::Soft;
    }
    let begins = match here.folded.as_str() {
        _ if after_comma => begins_after_comma(tokens, rest),
        "but" | "yet" => begins_clause(tokens, at + 1..clause.end) || bare_predicate(tokens, at + 1..clause.end),
        "and" | "or" => has_verb(tokens, clause.start..at) && begins_clause(tokens, at + 1..clause.end),
        _ => begins_clause(tokens, at + 1..clause.end),
    };
    let added = after_comma && matches!(here.folded.as_str(), "and" | "but");
    match (begins, added) {
        (false, _) => Border::None,
        (true, true) => Border::Hard,
        (true, false) => Border::Soft,
    }
}

/// Does the symbol at `at` end a clause, whatever follows it?
fn ends_hard(content: &str, tokens: &[Token], at: usize) -> bool {
    let (Some(symbol), Some(after)) = (tokens.get(at), tokens.get(at + 1)) else { return false };
    if symbol.kind != TokenKind::Symbol {
        return false;
    }
    let spaced = symbol.span.end < after.span.start;
    let led = at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|led| led.span.end < symbol.span.start);
    match content.get(symbol.span.clone()).unwrap_or_default() {
        ";" | "!" | "?" | "\u{2026}" | "(" | ")" | "\u{3002}" | "\u{ff1b}" | "\u{ff01}" | "\u{ff1f}" => true,
        "\u{2014}" => true,
        ":" | "." => spaced,
        "-" | "--" | "\u{2013}" => spaced && led,
        mark => mark.chars().next().is_some_and(is_pictograph),
    }
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

/// After "remember that", "did I tell you that", "just so you know": what follows is stated, whatever the opening does.
fn complement_begins(tokens: &[Token], clause: Range<usize>, at: usize) -> bool {
    const OPENINGS: &[&[&str]] = &[
        &["remember"],
        &["note"],
        &["keep", "in", "mind"],
        &["bear", "in", "mind"],
        &["don't", "forget"],
        &["dont", "forget"],
        &["did", "i", "tell", "you"],
        &["did", "i", "mention"],
        &["have", "i", "told", "you"],
        &["have", "i", "mentioned"],
        &["so", "you", "know"],
        &["for", "the", "record"],
        &["guess", "what"],
        &["fyi"],
        &["want", "you", "to", "remember"],
        &["let", "you", "know"],
        &["please", "know"],
        &["you", "know", "what"],
        &["to", "be", "clear"],
        &["should", "know"],
        &["should", "mention"],
        &["be", "aware"],
    ];
    let mut end = at;
    if word(tokens, at.wrapping_sub(1)) == Some("that") && at - 1 > clause.start {
        end -= 1;
    }
    let opened = OPENINGS.iter().any(|opening| {
        end.checked_sub(opening.len()).is_some_and(|from| {
            from >= clause.start
                && opening.iter().enumerate().all(|(step, part)| word(tokens, from + step) == Some(part))
        })
    });
    opened && begins_clause(tokens, at..clause.end)
}

fn opens_condition(tokens: &[Token], start: usize, end: usize) -> bool {
    let first = skip_fillers(tokens, start..end, false);
    word(tokens, first).is_some_and(|word| {
        SUBORDINATORS.contains(&word) && (word != "in" || self::word(tokens, first + 1) == Some("case"))
    })
}

/// "my boss said, we may leave": the comma stands inside what was said.
fn said_before(tokens: &[Token], start: usize, at: usize) -> bool {
    at.checked_sub(2)
        .filter(|last| *last >= start)
        .and_then(|last| word(tokens, last))
        .is_some_and(|word| SAYING.contains(&word))
}

/// "right?", "isn't it?", "do you?" at the end of a sentence.
pub(super) fn is_tag(tokens: &[Token], at: usize, end: usize) -> bool {
    const TAGS: &[&str] = &["right", "eh", "huh", "correct", "innit", "yes", "yeah", "no", "ok", "okay", "true", "or"];
    const LONGEST: usize = 8;
    if end.saturating_sub(at) > LONGEST {
        return false;
    }
    let words: Vec<&str> = (at..end).filter_map(|at| word(tokens, at)).collect();
    let asked = tokens.get(end.wrapping_sub(1)).is_some_and(|token| token.folded == "?");
    match words.as_slice() {
        [tag] => asked && TAGS.contains(tag),
        [auxiliary, pronoun] => asked && ASKING.contains(auxiliary) && ASKED.contains(pronoun),
        [auxiliary, pronoun, "not"] => asked && ASKING.contains(auxiliary) && ASKED.contains(pronoun),
        _ => false,
    }
}

pub(super) fn word(tokens: &[Token], at: usize) -> Option<&str> {
    tokens.get(at).filter(|token| token.kind != TokenKind::Symbol).map(|token| token.folded.as_str())
}

/// The most fillers that are passed over: it is done from every word, and "and and and …" must not cost its square.
const FILLERS_PASSED: usize = 24;

/// The first token that is no filler; commas after fillers go with them. Behind [`FILLERS_PASSED`] of them, where it stops.
pub(super) fn skip_fillers(tokens: &[Token], range: Range<usize>, past_subordinators: bool) -> usize {
    let mut at = range.start;
    while at < range.end.min(range.start + FILLERS_PASSED) {
        let Some(token) = tokens.get(at) else { break };
        let folded = token.folded.as_str();
        let subordinate = SUBORDINATORS.contains(&folded) && !past_subordinators && folded != "by";
        let filler = FILLERS.contains(&folded) && !subordinate;
        let by_the_way =
            folded == "the" && word(tokens, at.wrapping_sub(1)) == Some("by") && word(tokens, at + 1) == Some("way");
        if !filler && token.kind != TokenKind::Symbol && !by_the_way && folded != "way" {
            break;
        }
        let time = matches!(folded, "today" | "tomorrow" | "yesterday" | "tonight");
        let subject = time && word(tokens, at + 1).is_some_and(|next| AUXILIARIES.contains(&next));
        if subject || (folded == "like" && at == range.start) {
            break;
        }
        at += 1;
    }
    at
}

/// "juno and i bought …" is one subject; only where a verb went before does "and" join clauses.
fn has_verb(tokens: &[Token], range: Range<usize>) -> bool {
    range.clone().rev().take(40).any(|at| {
        word(tokens, at).is_some_and(|word| is_finite(word) || GLUED_SUBJECTS.contains(&word) || ORDERS.contains(&word))
    })
}

/// "but pulled out", "but haven't decided": the subject is left out, the verb is there.
fn bare_predicate(tokens: &[Token], rest: Range<usize>) -> bool {
    let first = skip_fillers(tokens, rest.clone(), true);
    word(tokens, first).filter(|_| first < rest.end).is_some_and(|word| {
        BARE_PASTS.contains(&word) || (word.len() > 4 && word.ends_with("ed") && !NOT_PAST.contains(&word))
    })
}

fn begins_after_comma(tokens: &[Token], rest: Range<usize>) -> bool {
    let first = skip_fillers(tokens, rest.clone(), true);
    if first >= rest.end {
        return false;
    }
    begins_clause(tokens, rest.clone())
        || begins_order(tokens, rest.clone())
        || (first == rest.start
            && word(tokens, first).is_some_and(|word| BARE_PASTS.contains(&word))
            && !ends_apposition(tokens, first))
}
