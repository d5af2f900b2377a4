//! Finds the pronouns of one turn.

use std::ops::Range;
use std::sync::LazyLock;

use super::Part;
use super::lexicon;
use super::words::Word;

/// Whom a pronoun can mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Class {
    /// I, me, my.
    Speaker,
    /// We, us, our.
    Speakers,
    /// You, your.
    Addressee,
    /// He, him, his.
    He,
    /// She, her.
    She,
    /// It, its.
    It,
    /// They, them, their.
    They,
}

/// A pronoun as it stands in a turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pronoun {
    /// Byte range in the turn, without "'s" or "'ll".
    pub(super) span: Range<usize>,
    /// Folded.
    pub(super) text: String,
    /// Whom it can mean.
    pub(super) class: Class,
    /// Its part in the clause.
    pub(super) part: Part,
    /// Refers to the subject of its own clause ("herself").
    pub(super) reflexive: bool,
    /// "It is raining": means nothing.
    pub(super) empty: bool,
    /// Inside somebody else's words.
    pub(super) quoted: bool,
    /// Where the clause it stands in begins, in bytes.
    pub(super) clause: usize,
}

/// The most pronouns taken from one turn.
const MOST: usize = 400;

/// The pronouns of a turn, in order.
pub(super) fn find(words: &[Word<'_>]) -> Vec<Pronoun> {
    let mut clause = 0;
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if opens_clause(words, at) {
            clause = word.span.start;
        }
        let Some((class, part)) = class(words, at) else { continue };
        found.push(Pronoun {
            span: word.span.clone(),
            text: word.text.to_string(),
            class,
            part,
            reflexive: word.text.ends_with("self") || word.text.ends_with("selves"),
            empty: class == Class::It && is_empty(words, at),
            quoted: word.quoted,
            clause,
        });
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// The folded word may be the third person of people, owners ("his") aside.
pub(super) fn is_of_people(word: &str) -> bool {
    matches!(
        word,
        "he" | "hes"
            | "him"
            | "himself"
            | "she"
            | "shes"
            | "her"
            | "herself"
            | "they"
            | "theyre"
            | "them"
            | "themselves"
    )
}

fn class(words: &[Word<'_>], at: usize) -> Option<(Class, Part)> {
    let word = words.get(at)?;
    let found = match &*word.text {
        "i" => (Class::Speaker, Part::Subject),
        "me" | "myself" => (Class::Speaker, object(words, at)),
        "my" | "mine" => (Class::Speaker, Part::Possessor),
        "we" => (Class::Speakers, Part::Subject),
        "us" | "ourselves" if !word.shouted => (Class::Speakers, object(words, at)),
        "our" | "ours" => (Class::Speakers, Part::Possessor),
        "you" | "u" | "ya" => (Class::Addressee, Part::Other),
        "yourself" | "yourselves" => (Class::Addressee, Part::Object),
        "your" | "yours" => (Class::Addressee, Part::Possessor),
        "he" | "hes" => (Class::He, Part::Subject),
        "him" | "himself" => (Class::He, object(words, at)),
        "his" => (Class::He, Part::Possessor),
        "she" | "shes" => (Class::She, Part::Subject),
        "her" if owns(words, at) => (Class::She, Part::Possessor),
        "her" | "herself" => (Class::She, object(words, at)),
        "hers" => (Class::She, Part::Possessor),
        "it" | "itself" if !word.shouted => (Class::It, neuter(words, at)),
        "its" => (Class::It, Part::Possessor),
        "they" | "theyre" => (Class::They, Part::Subject),
        "them" | "themselves" => (Class::They, object(words, at)),
        "their" | "theirs" => (Class::They, Part::Possessor),
        _ => return None,
    };
    Some(found)
}

fn object(words: &[Word<'_>], at: usize) -> Part {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    if before.is_some_and(|before| lexicon::is_preposition(&before.text)) { Part::Other } else { Part::Object }
}

fn neuter(words: &[Word<'_>], at: usize) -> Part {
    let next = words.get(at + 1).filter(|next| next.is_word());
    if next.is_some_and(|next| lexicon::looks_like_verb(&next.text)) { Part::Subject } else { object(words, at) }
}

/// "her bike" against "saw her".
fn owns(words: &[Word<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    words.get(at + 1).is_some_and(|next| {
        next.sentence == word.sentence
            && (next.is_word() && !lexicon::is_function(&next.text) && !next.text.ends_with("ing")
                || matches!(&*next.text, "own" | "next" | "first" | "last"))
            && !lexicon::is_verb(&next.text)
    })
}

/// What "it" is without meaning anything: weather, clock, certainty.
static NOTHING: super::lexicon::Words = LazyLock::new(|| {
    super::lexicon::words(
        "raining snowing cold hot warm late early dark freezing windy sunny monday tuesday wednesday \
        thursday friday saturday sunday time true certain clear possible likely weird strange official \
        ok okay fine impossible obvious summer winter christmas complicated about up",
    )
});

/// Weather, clock and "it is certain that": nothing is meant.
fn is_empty(words: &[Word<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let contracted = word.tail == super::words::Tail::Contracted;
    let is_verb = |word: &Word<'_>| {
        matches!(&*word.text, "is" | "was" | "will" | "would" | "be" | "has" | "been" | "isn't" | "wasn't")
    };
    let rest = words.get(at + 1..).unwrap_or_default();
    let rest: Vec<&Word<'_>> = rest.iter().take_while(|next| next.sentence == word.sentence).take(9).collect();
    let after: Vec<&&Word<'_>> = rest.iter().skip_while(|word| is_verb(word)).collect();
    let linked = contracted || after.len() < rest.len();
    let head = after.iter().find(|word| {
        !matches!(&*word.text, "so" | "very" | "really" | "too" | "not" | "a" | "the" | "only" | "still" | "now")
    });
    let names_nothing =
        linked && head.is_some_and(|head| NOTHING.contains(&*head.text) || head.kind == crate::text::TokenKind::Number);
    let sentence_follows =
        linked && after.len() > 1 && after.iter().take(5).any(|word| word.is("that") || word.is("to"));
    let weather = rest.first().is_some_and(|next| {
        matches!(
            &*next.text,
            "rained" | "rains" | "snowed" | "snows" | "turns" | "turned" | "seems" | "takes" | "took" | "depends"
        )
    });
    names_nothing || sentence_follows || weather
}

fn opens_clause(words: &[Word<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    // "asked Carr to replace him": the infinitive has a subject of its own.
    let infinitive = word.is("to")
        && words.get(at + 1).is_some_and(|next| next.is_word() && !next.capital && !lexicon::is_function(&next.text));
    if infinitive {
        return true;
    }
    let Some(before) = at.checked_sub(1).and_then(|before| words.get(before)) else { return true };
    before.sentence != word.sentence
        || !before.is_word() && before.kind == crate::text::TokenKind::Symbol && before.text != "-"
        || matches!(
            &*word.text,
            "and"
                | "but"
                | "so"
                | "because"
                | "when"
                | "while"
                | "that"
                | "if"
                | "who"
                | "which"
                | "where"
                | "after"
                | "before"
                | "since"
                | "until"
                | "although"
                | "though"
                | "as"
                | "than"
        )
}
