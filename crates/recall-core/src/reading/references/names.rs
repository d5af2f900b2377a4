//! Names in running text: capitalised runs, titles, and first names typed in small letters.

use crate::entity::EntityKind;
use crate::text::TokenKind;

use super::lexicon;
use super::words::{Tail, Word};

/// A name found in the words of a turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Name {
    /// Index after its last word.
    pub(super) end: usize,
    /// As said; a first name typed small gets its capital.
    pub(super) text: String,
    /// What it seems to be.
    pub(super) kind: EntityKind,
    /// Share of women among bearers, where known.
    pub(super) female: Option<f32>,
}

/// The longest name, in words.
const LONGEST: usize = 6;

/// The name that begins at a word, if one does.
pub(super) fn name_at(words: &[Word<'_>], at: usize) -> Option<Name> {
    if let Some(name) = titled(words, at) {
        return Some(name);
    }
    let first = words.get(at)?;
    if first.kind != TokenKind::Word || first.text.chars().count() < 2 {
        return None;
    }
    if !first.capital {
        return typed_small(words, at);
    }
    if is_plain(first) || is_slurred(&first.said) || lexicon::is_calendar_or_people(&first.text) && !runs_on(words, at)
    {
        return None;
    }
    let fits = if is_initial(words, at) { fits_initial(words, at) } else { fits_inside(words, at) };
    fits.then(|| run(words, at, at, None)).flatten()
}

/// "Y'know", "G'bye": an apostrophe before a small letter is no part of a name, in "O'Brien" it is.
fn is_slurred(said: &str) -> bool {
    let after = said.split(['\'', '\u{2019}']).nth(1);
    after.is_some_and(|rest| rest.starts_with(char::is_lowercase) || rest.is_empty())
}

/// Whether a word opens its sentence, so that its capital says nothing.
pub(super) fn is_initial(words: &[Word<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let Some(before) = at.checked_sub(1).and_then(|before| words.get(before)) else { return true };
    before.sentence != word.sentence
        || matches!(&*before.text, "\"" | "'" | ":" | "*" | "-" | "(" | "..." | "\u{2026}" | "\u{2022}" | ">")
}

/// A word that is no name though it may be capitalised.
fn is_plain(word: &Word<'_>) -> bool {
    lexicon::is_function(&word.text)
        || matches!(&*word.text, "i'm" | "i'll" | "i've" | "i'd")
        || word.tail == Tail::Contracted && lexicon::is_pronoun(&word.text)
}

fn runs_on(words: &[Word<'_>], at: usize) -> bool {
    let free = words.get(at).is_some_and(|word| word.tail == Tail::Bare);
    free && words.get(at + 1).is_some_and(|next| next.capital && next.is_word() && !is_plain(next))
}

fn fits_initial(words: &[Word<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let known = lexicon::share_of_women(&word.text).is_some();
    let again = words
        .iter()
        .enumerate()
        .any(|(other, twin)| other != at && twin.capital && twin.text == word.text && follows_small(words, other));
    if !lexicon::is_common(&word.text) {
        // An unknown word that stands alone before a comma or full stop is an outcry as often as a name.
        let goes_on = words.get(at + 1).is_some_and(|next| next.is_word() && next.sentence == word.sentence);
        let explained = words.get(at + 1).is_some_and(|next| next.is(","))
            && words.get(at + 2).is_some_and(|next| matches!(&*next.text, "my" | "our" | "who" | "whose"));
        return known || again || explained || (!word.shouted && goes_on && word.text.chars().any(is_vowel));
    }
    if again && !lexicon::is_verb(&word.text) {
        return true;
    }
    let next = words.get(at + 1);
    if runs_on(words, at) {
        // "Poor Tobias": the name begins one word later.
        let begins_later =
            next.is_some_and(|next| lexicon::share_of_women(&next.text).is_some() || !lexicon::is_common(&next.text));
        return (known || !begins_later) && !lexicon::is_verb(&word.text);
    }
    let finite = |next: &Word<'_>| {
        matches!(&*next.text, "is" | "was" | "has" | "had" | "will" | "would" | "says" | "said" | "and" | ",")
            || (next.text.len() > 4 && next.text.ends_with("ed"))
    };
    known && !lexicon::is_verb(&word.text) && (word.tail == Tail::Genitive || next.is_some_and(finite))
}

fn is_vowel(letter: char) -> bool {
    !letter.is_ascii() || matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

/// Stands behind a word written small, so that its capital tells something.
fn follows_small(words: &[Word<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let same = |before: &&Word<'_>| words.get(at).is_some_and(|word| word.sentence == before.sentence);
    before.filter(same).is_some_and(|before| before.is_word() && !before.capital)
}

fn fits_inside(words: &[Word<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    if word.shouted && lexicon::share_of_women(&word.text).is_none() {
        return false;
    }
    let neighbours_small = words.get(at + 1).is_none_or(|next| !next.shouted);
    let known = lexicon::share_of_women(&word.text).is_some();
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    let pointed = before.is_some_and(|before| lexicon::is_determiner(&before.text) || before.is("i"));
    let is_noun = super::nouns::noun(&word.text).is_some();
    let common = lexicon::is_common(&word.text);
    let acts = word.tail == Tail::Genitive || words.get(at + 1).is_some_and(super::parts::is_finite);
    let odd = pointed || is_noun || lexicon::is_verb(&word.text) || !(follows_small(words, at) || acts);
    neighbours_small && (known || !common || runs_on(words, at) || !odd)
}

/// "juno and i": in a text that spares its capitals a rare first name that is no word is a name.
fn typed_small(words: &[Word<'_>], at: usize) -> Option<Name> {
    let word = words.get(at)?;
    let casual = words.iter().find(|word| word.is_word()).is_some_and(|first| !first.capital);
    let known = lexicon::share_of_women(&word.text)?;
    let fits = casual
        && word.text.len() >= 3
        && !lexicon::is_common(&word.text)
        && !lexicon::is_calendar_or_people(&word.text);
    fits.then(|| Name { end: at + 1, text: capitalised(&word.text), kind: EntityKind::Person, female: Some(known) })
}

/// A word written small after a role ("my cousin arne"): a name where it is no word.
pub(super) fn after_role(words: &[Word<'_>], at: usize) -> Option<Name> {
    if let Some(name) = name_at(words, at) {
        return Some(name);
    }
    let word = words.get(at)?;
    let fits = word.is_word() && !word.capital && word.text.len() >= 3 && !lexicon::is_common(&word.text);
    let last = word.text.chars().all(char::is_alphabetic) && !word.text.ends_with("ed") && !word.text.ends_with("ing");
    (fits && last).then(|| Name {
        end: at + 1,
        text: capitalised(&word.text),
        kind: EntityKind::Person,
        female: lexicon::share_of_women(&word.text),
    })
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// "Dr. Okafor", "aunt May".
fn titled(words: &[Word<'_>], at: usize) -> Option<Name> {
    let word = words.get(at)?;
    let female = lexicon::title(&word.text)?;
    if word.tail != Tail::Bare {
        return None;
    }
    let dot = words.get(at + 1).is_some_and(|next| next.is("."));
    let first = at + 1 + usize::from(dot);
    let follows = words.get(first).is_some_and(|next| next.capital && next.is_word() && !is_plain(next));
    follows.then(|| run(words, at, first, female)).flatten()
}

/// Takes the capitalised words from `first` on; `start` lies before it where a title stands.
fn run(words: &[Word<'_>], start: usize, first: usize, title: Option<f32>) -> Option<Name> {
    let mut end = first + 1;
    while end - first < LONGEST && words.get(end - 1).is_some_and(|last| last.tail == Tail::Bare) {
        let Some(next) = words.get(end) else { break };
        let initial = next.is(".") && words.get(end - 1).is_some_and(|last| last.text.chars().count() == 1);
        let particle = lexicon::is_particle(&next.text) && words.get(end + 1).is_some_and(|after| after.capital);
        let more = next.capital && next.is_word() && !is_plain(next) && next.sentence == words.get(first)?.sentence;
        if !(initial || particle || more) {
            break;
        }
        end += 1;
    }
    let titled = start < first;
    let text = spoken(words, start, end);
    let given = words.get(first).and_then(|word| lexicon::share_of_women(&word.text));
    let lone = end == first + 1;
    let female = title.or(if titled && lone { None } else { given });
    let kind = if titled { EntityKind::Person } else { kind(words, start, end, given.is_some()) };
    Some(Name { end, text, kind, female: if kind == EntityKind::Place { None } else { female } })
}

fn spoken(words: &[Word<'_>], start: usize, end: usize) -> String {
    let mut text = String::new();
    for word in words.get(start..end).unwrap_or_default() {
        if !text.is_empty() && !word.is(".") {
            text.push(' ');
        }
        text.push_str(&word.said);
    }
    text
}

fn kind(words: &[Word<'_>], start: usize, end: usize, known: bool) -> EntityKind {
    let before = start.checked_sub(1).and_then(|before| words.get(before)).map(|word| &*word.text);
    let last = words.get(end.saturating_sub(1)).map(|word| &*word.text).unwrap_or_default();
    let after = words.get(end).map(|word| &*word.text).unwrap_or_default();
    if lexicon::is_institution(last) {
        return EntityKind::Organisation;
    }
    if matches!(before, Some("in" | "near" | "at" | "towards" | "across" | "throughout" | "outside")) {
        return EntityKind::Place;
    }
    if matches!(after, "university" | "airport" | "station" | "street" | "office" | "branch" | "hospital") {
        return EntityKind::Place;
    }
    let moved = matches!(before, Some("to" | "from" | "via" | "through"));
    match (known, before) {
        (true, _) => EntityKind::Person,
        (false, _) if moved && end == start + 1 => EntityKind::Place,
        (false, Some("the" | "a" | "an")) => EntityKind::Thing,
        (false, _) => EntityKind::Unknown,
    }
}
