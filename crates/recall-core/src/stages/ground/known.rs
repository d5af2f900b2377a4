//! What need not stand in the cited words: names of speakers, names a pronoun or an alias leads to, what "it" stands for.

use std::collections::HashSet;

use super::agent::Agent;
use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Word};
use super::person::Who;
use super::spelling::is_slip;
use crate::context::Context;
use crate::lexicon::bare;
use crate::lexicon::stop::is_function;
use crate::reading::Speaker;
use crate::text::Token;

/// Names of speakers and of entities that a mention leads to need not stand in the words; nor what a pronoun stands for.
pub(super) fn is_known_otherwise(cx: &Context<'_>, passage: &Passage<'_>, item: &Item) -> bool {
    if item.kind == Kind::Name && name_is_known(cx, passage, &item.text) {
        return true;
    }
    if item.kind != Kind::Number && passage.meant.contains(&item.text) {
        return true;
    }
    matches!(item.kind, Kind::Plain | Kind::Role | Kind::Light) && stands_before(cx, passage, item)
}

/// A name in short ("NYC") or misspelt.
pub(super) fn is_retold(claim: &Claim, passage: &Passage<'_>, item: &Item) -> bool {
    if item.kind != Kind::Name {
        return false;
    }
    let run: Vec<&Item> =
        claim.items.iter().filter(|other| other.kind == Kind::Name && other.at.abs_diff(item.at) < 4).collect();
    let initials: String = run.iter().filter_map(|item| item.text.chars().next()).collect();
    let near = passage.words.get(..WORDS).unwrap_or(&passage.words);
    let is_short = |word: &Word<'_>| word.capital && *word.text == *initials && !is_function(&word.text);
    let written = claim.content.get(item.span.clone()).unwrap_or_default();
    near.iter().any(|word| initials.len() > 1 && is_short(word))
        || near.iter().any(|word| word.capital && is_slip(&item.text, bare(&word.text)))
        || is_shortening(written) && is_initials_of(near, &item.text)
}

/// "NYC": capitals only. "Ana" is a name, whatever words begin with its letters.
fn is_shortening(written: &str) -> bool {
    (2..5).contains(&written.len()) && written.chars().all(|c| c.is_ascii_uppercase())
}

/// The most words of a passage a name in short or misspelt is looked for in.
const WORDS: usize = 400;

/// The passage has words in a row that begin with these letters.
fn is_initials_of(words: &[Word<'_>], initials: &str) -> bool {
    let firsts: Vec<char> = words.iter().filter_map(|word| word.text.chars().next()).collect();
    let wanted: Vec<char> = initials.chars().collect();
    wanted.len() > 1 && firsts.windows(wanted.len()).any(|run| run == wanted.as_slice())
}

/// The word stands in the turns right before, near their end.
pub(super) fn said_before(cx: &Context<'_>, passage: &Passage<'_>, item: &Item) -> bool {
    stands_right_before(cx, passage, &item.root, &item.text)
}

fn stands_right_before(cx: &Context<'_>, passage: &Passage<'_>, root: &str, text: &str) -> bool {
    const REACH: usize = 2;
    // Of a longer turn only its end lies right before.
    const TOKENS: usize = 200;
    let first =
        passage.turns.first().and_then(|turn| cx.reading.turns.iter().position(|other| std::ptr::eq(other, *turn)));
    let before = first.and_then(|first| cx.reading.turns.get(first.saturating_sub(REACH)..first)).unwrap_or_default();
    before
        .iter()
        .flat_map(|turn| turn.tokens.iter().rev().take(TOKENS))
        .any(|token| bare(&token.folded) == text || token.stem == root)
}

/// The word is what a pronoun of the passage means, or what one that stands in for it takes up from the turns right before.
pub(super) fn is_meant_or_before(cx: &Context<'_>, passage: &Passage<'_>, root: &str, text: &str) -> bool {
    passage.meant.contains(text) || passage.points_back && stands_right_before(cx, passage, root, text)
}

/// "she got it": what "it" is stands in the turns right before.
fn stands_before(cx: &Context<'_>, passage: &Passage<'_>, item: &Item) -> bool {
    passage.points_back && (said_before(cx, passage, item) || stands_earlier(passage, item))
}

/// The word stands in the same turn, before what the passage took of it.
fn stands_earlier(passage: &Passage<'_>, item: &Item) -> bool {
    const TOKENS: usize = 200;
    let (Some(turn), Some(first)) = (passage.turns.first(), passage.words.first()) else { return false };
    let before = turn.tokens.partition_point(|token| token.span.end <= first.span.start);
    let before = turn.tokens.get(before.saturating_sub(TOKENS)..before).unwrap_or_default();
    let stands_in =
        |word: &Word<'_>| word.quoted && matches!(&*word.text, "it" | "them" | "one" | "ones" | "that" | "those");
    // "even" is no evening.
    let same = |token: &Token| {
        bare(&token.folded) == item.text || token.stem == item.root && token.folded.len().abs_diff(item.text.len()) < 3
    };
    passage.words.iter().any(stands_in) && before.iter().any(same)
}

pub(super) fn name_is_known(cx: &Context<'_>, passage: &Passage<'_>, word: &str) -> bool {
    if cx.reading.turns.iter().any(|turn| speaker_is(&turn.speaker, word)) {
        return true;
    }
    let antecedent = passage.pieces.iter().any(|piece| match &piece.who {
        Who::Pronoun(names) => names.iter().any(|name| has_word(name, word)),
        Who::Speaker
        | Who::Addressee
        | Who::Named { .. }
        | Who::Relative(_)
        | Who::It(_)
        | Who::Other
        | Who::Thing
        | Who::Unsaid => false,
    });
    antecedent || known_by_alias(cx, passage, word)
}

fn speaker_is(speaker: &Speaker, word: &str) -> bool {
    match speaker {
        Speaker::Person(Some(name)) => has_word(name, word),
        Speaker::Person(None) | Speaker::Assistant | Speaker::Nobody => false,
    }
}

fn has_word(name: &str, word: &str) -> bool {
    name.split(parts_names).any(|part| crate::text::fold(part) == word)
}

/// What stands between the words of a name: "Ana-Maria" is read as two, "jo_l" as one.
pub(super) fn parts_names(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, '-' | '\u{2010}')
}

/// A word of an entity's main name, where another name of it stands in the passage or is meant by a pronoun.
fn known_by_alias(cx: &Context<'_>, passage: &Passage<'_>, word: &str) -> bool {
    cx.near
        .entities
        .iter()
        .filter(|entity| has_word(&entity.name, word) || entity.aliases.iter().any(|alias| has_word(alias, word)))
        .any(|entity| {
            let names: Vec<&str> = std::iter::once(&entity.name).chain(&entity.aliases).map(String::as_str).collect();
            names.iter().any(|name| is_meant(passage, name) || is_said(passage, name))
        })
}

fn is_meant(passage: &Passage<'_>, name: &str) -> bool {
    passage.pieces.iter().any(|piece| match &piece.who {
        Who::Pronoun(names) => names.iter().any(|meant| crate::text::fold(meant) == crate::text::fold(name)),
        Who::Speaker
        | Who::Addressee
        | Who::Named { .. }
        | Who::Relative(_)
        | Who::It(_)
        | Who::Other
        | Who::Thing
        | Who::Unsaid => false,
    })
}

fn is_said(passage: &Passage<'_>, name: &str) -> bool {
    let said: HashSet<&str> = passage.words.iter().map(|word| bare(&word.text)).collect();
    !name.is_empty() && name.split_whitespace().all(|part| said.contains(crate::text::fold(part).as_str()))
}

/// The name of whom the claim speaks stands in the passage, or belongs to a speaker.
pub(super) fn agent_is_known(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>) -> bool {
    match &claim.agent {
        Agent::Named(name) => name.iter().filter(|word| !crate::lexicon::stop::is_function(word)).all(|word| {
            let stem = crate::lexicon::stem(word);
            passage.words.iter().any(|said| bare(&said.text) == word || said.root.as_ref() == stem)
                || name_is_known(cx, passage, word)
        }),
        Agent::User | Agent::Assistant | Agent::Relative { .. } | Agent::Open | Agent::Thing => true,
    }
}
