//! Is the value said, too? A claim may read right and carry a price or a name in its value that nobody said.

use super::claim::Claim;
use super::known;
use super::passage::Passage;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::lexicon::{bare, numbers, stop};
use crate::reading::references;
use crate::stage::Reason;
use crate::text::{self, Token, TokenKind};

/// Checks the numbers and names of a candidate's value that its sentence does not have.
///
/// # Errors
/// [`Reason::UnsupportedNumber`] or [`Reason::UnsupportedName`].
pub(super) fn stands(
    cx: &Context<'_>,
    candidate: &Candidate,
    claim: &Claim,
    passage: &Passage<'_>,
) -> Result<(), Reason> {
    let tokens = text::tokens(&candidate.value);
    let told = text::tokens(&candidate.content);
    if is_date(&candidate.value) {
        return Ok(());
    }
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind != TokenKind::Symbol) {
        if let Some(value) = numbers::value(&token.folded) {
            let in_claim = told.iter().any(|other| numbers::value(&other.folded).as_ref() == Some(&value));
            let said = passage.words.iter().any(|word| word.value.as_ref() == Some(&value));
            if !in_claim && !said && is_written(token) && value != "1" {
                return Err(Reason::UnsupportedNumber);
            }
        } else if is_name(&tokens, at, token) {
            let word = bare(&token.folded);
            let in_claim = told.iter().any(|other| bare(&other.folded) == word || other.stem == token.stem)
                || claim.words.iter().any(|other| bare(other) == word);
            let said = passage.words.iter().any(|other| bare(&other.text) == word || *other.root == *token.stem);
            if !in_claim && !said && !known::name_is_known(cx, passage, word) {
                return Err(Reason::UnsupportedName);
            }
        }
    }
    Ok(())
}

/// Figures only: "one" and "a couple" are ways to speak.
fn is_written(token: &Token) -> bool {
    token.folded.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
}

/// A date or clock time in the model's own spelling is judged by the anchor.
fn is_date(value: &str) -> bool {
    let figures = value.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).count();
    figures > 1 && value.chars().any(|c| matches!(c, '-' | '/' | ':' | '.')) && !value.contains(' ')
}

/// A first name, a word with a capital among words without, or a rare word in a run of them: "Software Engineer" is neither.
fn is_name(tokens: &[Token], at: usize, token: &Token) -> bool {
    if !token.capital || token.folded.chars().count() < 3 || stop::is_function(&token.folded) {
        return false;
    }
    let is_run = tokens.len() > 1 && tokens.iter().all(|other| other.capital);
    let small = tokens.iter().any(|other| {
        other.kind == TokenKind::Word && !other.capital && !stop::is_function(&other.folded) && other.folded.is_ascii()
    });
    references::is_first_name(&token.folded) || (at > 0 && small) || is_run && references::is_uncommon(&token.folded)
}
