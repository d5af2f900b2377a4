//! Noun phrases: roles and kin seen from their owner, animals and things.

use std::sync::LazyLock;

use crate::entity::EntityKind;

use super::lexicon;
use super::nouns::{self, Noun, Sort};
use super::words::{Tail, Word};

/// The longest phrase, in words after its determiner.
const LONGEST: usize = 5;

/// What stands between a determiner and the end of its phrase.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Phrase {
    /// Index after its last word.
    pub(super) end: usize,
    /// Its words, the head in its kept form: `older sister`.
    pub(super) text: String,
    /// The noun of the table its head is, if it is one.
    pub(super) noun: Option<Noun>,
    /// More than one.
    pub(super) plural: bool,
    /// Its head owns what follows.
    pub(super) owns: bool,
}

impl Phrase {
    /// What the phrase stands for.
    pub(super) fn kind(&self) -> EntityKind {
        match self.noun.as_ref().map(|noun| noun.sort) {
            Some(Sort::Kin | Sort::Role) => EntityKind::Person,
            Some(Sort::Animal) => EntityKind::Animal,
            None => EntityKind::Thing,
        }
    }

    /// Share of women, where the head tells.
    pub(super) fn female(&self) -> Option<f32> {
        self.noun.as_ref().and_then(|noun| noun.female)
    }
}

/// The phrase after a determiner that ends before `start`.
pub(super) fn phrase_at(words: &[Word<'_>], start: usize) -> Option<Phrase> {
    let mut at = start;
    while at < start + LONGEST && continues(words, start, at) {
        at += 1;
        let word = words.get(at - 1)?;
        let ends_in_noun = nouns::noun(&word.text).is_some();
        let noun_follows =
            words.get(at).is_some_and(|next| next.tail == Tail::Bare && nouns::noun(&next.text).is_some());
        if word.tail != Tail::Bare || (ends_in_noun && !noun_follows) {
            break;
        }
    }
    let head = words.get(at.checked_sub(1)?).filter(|_| at > start)?;
    let noun = nouns::noun(&head.text);
    if noun.is_none()
        && (is_vague(&head.text)
            || lexicon::is_calendar_or_people(&head.text)
            || (at == start + 1 && is_adverb(&head.text)))
    {
        return None;
    }
    let ends_plural = head.text.ends_with('s') && !head.text.ends_with("ss") && !head.text.ends_with("us");
    let plural = noun.as_ref().map_or(ends_plural && head.text.len() > 3, |noun| noun.plural);
    let mut text: Vec<&str> = words.get(start..at - 1)?.iter().map(|word| &*word.text).collect();
    let lemma = noun.as_ref().map_or(&*head.text, |noun| noun.lemma.as_str());
    text.push(lemma);
    Some(Phrase { end: at, text: text.join(" "), plural, owns: head.tail == Tail::Genitive, noun })
}

fn continues(words: &[Word<'_>], start: usize, at: usize) -> bool {
    let (Some(word), Some(first)) = (words.get(at), words.get(start)) else { return false };
    if !word.is_word() || word.sentence != first.sentence || lexicon::is_function(&word.text) {
        return false;
    }
    let is_proper = word.capital && !word.shouted && !lexicon::is_calendar_or_people(&word.text);
    if is_proper && nouns::noun(&word.text).is_none() {
        return false;
    }
    at == start || !ends_phrase(words, at)
}

/// Whether a word after the first of a phrase is its verb rather than its noun.
fn ends_phrase(words: &[Word<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return true };
    if lexicon::looks_like_verb(&word.text) || is_adverb(&word.text) {
        return true;
    }
    let next = words.get(at + 1);
    let verb_follows = next.is_some_and(|next| lexicon::looks_like_verb(&next.text));
    let third_person = word.text.ends_with('s') && !word.text.ends_with("ss");
    let goes_on = next.is_some_and(|next| {
        next.is_word() && !verb_follows && (!lexicon::is_function(&next.text) || lexicon::is_preposition(&next.text))
            || matches!(&*next.text, "the" | "a" | "an" | "me" | "us" | "him" | "her" | "it" | "them" | "my" | "your")
    });
    third_person && goes_on && nouns::noun(&word.text).is_none()
}

fn is_adverb(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ly") && word != "family"
}

/// Nouns that point at nothing a pronoun would take up.
fn is_vague(word: &str) -> bool {
    static VAGUE: lexicon::Words = LazyLock::new(|| {
        lexicon::words(
            "time lot way bit thing things day days week weeks weekend month months year years moment end \
        rest kind sort idea fact course night morning afternoon evening minute minutes hour hours \
        second case point reason same other others first last next second third best worst most side \
        top middle beginning start past future meantime summer winter spring autumn",
        )
    });
    VAGUE.contains(word)
}

/// An object without a determiner: "read sheet music", "horror films".
pub(super) fn bare_object(words: &[Word<'_>], at: usize) -> Option<Phrase> {
    let before = at.checked_sub(1).and_then(|before| words.get(before))?;
    let word = words.get(at)?;
    let governed = before.sentence == word.sentence
        && before.tail == Tail::Bare
        && (takes_object(words, at - 1) || (lexicon::is_preposition(&before.text) && !before.is("to")));
    let fits = governed && word.is_word() && !lexicon::looks_like_verb(&word.text) && !word.text.ends_with("ing");
    fits.then(|| phrase_at(words, at)).flatten()
}

/// A verb that is not "to be" or the like; a word after a pronoun or helping verb counts as one.
fn takes_object(words: &[Word<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    static LINKING: lexicon::Words = LazyLock::new(|| {
        lexicon::words(
            "is are was were am be been being feel feels felt look looks seem seems will would can could \
        should went go",
        )
    });
    if LINKING.contains(&*word.text) || word.text.ends_with("n't") {
        return false;
    }
    if lexicon::looks_like_verb(&word.text) {
        return true;
    }
    let before = at.checked_sub(1).and_then(|before| words.get(before)).map(|word| &*word.text);
    word.is_word()
        && !lexicon::is_function(&word.text)
        && before.is_some_and(|before| {
            matches!(before, "i" | "you" | "we" | "they" | "to" | "will" | "would" | "can" | "could" | "should")
                || before.ends_with("n't")
        })
}
