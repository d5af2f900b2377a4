//! Is the value said, too? A claim may read right and carry in its value a price, a name or a breed that nobody said.

use super::claim::{Claim, Language};
use super::known;
use super::passage::Passage;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::lexicon::senses::{self, Senses};
use crate::lexicon::{self, bare, numbers, people, stop, synonyms};
use crate::reading::references;
use crate::stage::Reason;
use crate::text::{self, Token, TokenKind};

/// Checks the numbers, names and things of a candidate's value that its sentence does not have.
///
/// # Errors
/// [`Reason::UnsupportedNumber`], [`Reason::UnsupportedName`] or [`Reason::UnsupportedDetail`].
pub(super) fn stands(
    cx: &Context<'_>,
    candidate: &Candidate,
    claim: &Claim,
    passage: &Passage<'_>,
) -> Result<(), Reason> {
    if is_date(&candidate.value) {
        return Ok(());
    }
    let tokens = text::tokens(&candidate.value);
    let told = text::tokens(&candidate.content);
    let attribute = text::tokens(&candidate.attribute.replace('_', " "));
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
        } else if claim.language == Language::English && names_a_thing(token) {
            let shown = told.iter().chain(&attribute).any(|other| shows(token, &other.folded, &lexicon::root(other)))
                || passage.words.iter().any(|word| shows(token, &word.text, &word.root))
                || known::is_meant_or_before(cx, passage, &lexicon::root(token), bare(&token.folded));
            if !shown {
                return Err(Reason::UnsupportedDetail);
            }
        }
    }
    Ok(())
}

/// A word for a thing, a person or a place. A value may sum up in other words what is done, felt or so ("less", "none", "goes along").
fn names_a_thing(token: &Token) -> bool {
    let text = bare(&token.folded);
    let rare = |text: &str| text.len() > 3 && text.is_ascii() && references::is_uncommon(text);
    token.kind == TokenKind::Word
        && !stop::is_function(text)
        && !stop::is_light(&token.stem)
        && (people::is_person(text)
            || senses::of(&lexicon::root(token)).map_or(rare(text), |known| known.is_concrete && known.is_thing))
}

/// The other word shows the value's: another form of it, another word for it, a part of it ("bees" of "beekeeping"), a kind of it.
fn shows(token: &Token, text: &str, root: &str) -> bool {
    const PART: usize = 3;
    let word = bare(&token.folded);
    let own = lexicon::root(token);
    own == root
        || synonyms::same(&own, root)
        || synonyms::general(&own, root)
        || senses::of(&own).zip(senses::of(root)).is_some_and(|(one, other): (&Senses, &Senses)| one.meet(other))
        || root.len() >= PART
            && !stop::is_function(text)
            && (word.starts_with(root) || own.starts_with(root) || root.starts_with(&*own))
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
