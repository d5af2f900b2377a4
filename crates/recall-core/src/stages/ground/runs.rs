//! The tokens of a clause made ready: joined where one word was written as several, parted by marks and joining words.

use std::borrow::Cow;
use std::ops::Range;

use super::kin;
use crate::lexicon::{self, numbers, verbs};
use crate::reading::acts::Modality;
use crate::reading::{ReadTurn, modality};
use crate::text::Token;

/// A mark between words, or the "and" of "four kids and three nephews", "the sofa was 300 and the lamp 45": each number counts its own.
pub(super) fn begins_chunk(tokens: &[Cow<'_, Token>], texts: &[&str], at: usize, since: usize) -> bool {
    const REACH: usize = 7;
    let text = |at: usize| texts.get(at).copied().unwrap_or_default();
    let end = |at: usize| tokens.get(at).map(|token| token.span.end);
    let start = |at: usize| tokens.get(at).map(|token| token.span.start);
    match text(at) {
        "," | ";" | ":" | "(" | ")" => true,
        // "Otter-Maple-44" is one word.
        "-" | "/" => at.checked_sub(1).is_none_or(|before| end(before) != start(at)) || end(at) != start(at + 1),
        "and" => {
            let counts = |text: &&str| numbers::value(text).is_some();
            let behind = texts
                .get(at + 1..)
                .unwrap_or_default()
                .iter()
                .take(REACH)
                .take_while(|text| !matches!(**text, "," | "and"));
            counts(&text(at + 1))
                || !verbs::is_known(text(at + 1))
                    && texts.get(since..at).unwrap_or_default().iter().any(counts)
                    && behind.clone().any(counts)
        }
        _ => false,
    }
}

/// How each scope of a clause stands to the world; a condition stands over all of them.
pub(super) fn modalities(words: &[&str], scopes: &[Range<usize>]) -> Vec<Modality> {
    let whole = modality::modality(words);
    let of_all = whole == Modality::Actual || words.contains(&"if");
    let of_scope = |scope: &Range<usize>| {
        if of_all { whole } else { modality::modality(words.get(scope.clone()).unwrap_or_default()) }
    };
    scopes.iter().map(of_scope).collect()
}

/// Tokens that only invisible characters keep apart are one word.
pub(super) fn joined<'a>(tokens: &'a [Token], turn: &ReadTurn) -> Vec<Cow<'a, Token>> {
    let content = turn.turn.content.as_str();
    let mut joined: Vec<Cow<'a, Token>> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let glued = joined.last().is_some_and(|last| {
            last.span.end < token.span.start
                && last.kind == token.kind
                && content.get(last.span.end..token.span.start).is_some_and(|gap| !gap.chars().any(char::is_whitespace))
        });
        match joined.last_mut().filter(|_| glued) {
            Some(last) => {
                let whole = last.to_mut();
                whole.span.end = token.span.end;
                whole.folded.push_str(&token.folded);
                whole.stem = lexicon::stem(&whole.folded);
            }
            None => joined.push(Cow::Borrowed(token)),
        }
    }
    kin::joined(joined)
}
