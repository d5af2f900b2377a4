//! Does every word, name, number, role and comparative of the claim stand in the cited turns?

use std::collections::HashSet;

use super::claim::{Agent, Claim, Item, Kind, Language};
use super::passage::{Passage, Word};
use super::person::Who;
use crate::context::Context;
use crate::evidence::Support;
use crate::lexicon::{bare, people, synonyms};
use crate::reading::Speaker;
use crate::reading::dates;
use crate::stage::Reason;

/// For every item of a claim the words of the passage that carry it.
pub(super) struct Alignment {
    /// Indices into [`Passage::words`], parallel to [`Claim::items`].
    pub carried: Vec<Vec<usize>>,
}

/// What the sources were measured against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidenced {
    /// The model pointed at words: they have to carry the claim.
    ByQuote,
    /// Whole turns were cited: the claim may retell them.
    ByTurn,
}

/// Finds for every item the words that carry it.
pub(super) fn align(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>) -> Alignment {
    let mut carried: Vec<Vec<usize>> = claim
        .items
        .iter()
        .map(|item| {
            let hits = passage.words.iter().enumerate().filter(|(_, word)| carries(item, word, claim.language));
            hits.map(|(at, _)| at).collect()
        })
        .collect();
    date_in_other_words(cx, claim, passage, &mut carried);
    Alignment { carried }
}

/// Weighs what is missing.
///
/// # Errors
/// The kind of the heaviest missing item.
pub(super) fn support(
    cx: &Context<'_>,
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
    evidenced: Evidenced,
) -> Result<(Support, f64), Reason> {
    if !agent_is_known(cx, claim, passage) {
        return Err(Reason::UnsupportedName);
    }
    let missing = |item: &Item, carried: &[usize]| carried.is_empty() && !is_known_otherwise(cx, claim, passage, item);
    let pairs = || claim.items.iter().zip(&alignment.carried);
    let lost: Vec<&Item> = pairs().filter(|(item, carried)| missing(item, carried)).map(|(item, _)| item).collect();
    for (kind, reason) in HEAVY {
        if lost.iter().any(|item| item.kind == *kind) && blocks(*kind, evidenced) {
            return Err(*reason);
        }
    }
    if number_of_something_else(claim, passage, alignment) || value_left_behind(claim, passage) {
        return Err(Reason::UnsupportedNumber);
    }
    let total: f64 = claim.items.iter().map(|item| weight(item, claim.language)).sum();
    let gone: f64 = lost.iter().map(|item| weight(item, claim.language)).sum();
    let share = if total > 0.0 { gone / total } else { 0.0 };
    let coverage = 1.0 - share;
    if total == 0.0 && claim.items.is_empty() && claim.words.is_empty() {
        return Err(Reason::UnsupportedDetail);
    }
    let limits = limits(evidenced, claim.language);
    if share >= limits.blocked || lost.iter().any(|item| is_head(item, claim, evidenced)) {
        return Err(Reason::UnsupportedDetail);
    }
    let support = if share > limits.partial { Support::Partial } else { Support::Supported };
    Ok((support, coverage))
}

/// Kinds whose absence blocks by itself, in the order in which they are named as the reason.
const HEAVY: &[(Kind, Reason)] = &[
    (Kind::Name, Reason::UnsupportedName),
    (Kind::Number, Reason::UnsupportedNumber),
    (Kind::Calendar, Reason::UnsupportedNumber),
    (Kind::Role, Reason::UnsupportedDetail),
    (Kind::Comparative, Reason::UnsupportedDetail),
];

fn blocks(kind: Kind, evidenced: Evidenced) -> bool {
    match evidenced {
        Evidenced::ByQuote => true,
        Evidenced::ByTurn => matches!(kind, Kind::Name | Kind::Number | Kind::Calendar),
    }
}

struct Limits {
    /// Share of the weight that may be missing before the claim is only partly supported.
    partial: f64,
    /// Share from which on it is not supported.
    blocked: f64,
}

fn limits(evidenced: Evidenced, language: Language) -> Limits {
    match (evidenced, language) {
        (Evidenced::ByQuote, Language::English) => Limits { partial: 0.08, blocked: 0.2 },
        (Evidenced::ByQuote, Language::Other) => Limits { partial: 0.15, blocked: 0.25 },
        (Evidenced::ByTurn, Language::English | Language::Other) => Limits { partial: 0.45, blocked: 0.75 },
    }
}

fn weight(item: &Item, language: Language) -> f64 {
    let base = match item.kind {
        Kind::Name | Kind::Number => 1.2,
        Kind::Calendar | Kind::Role | Kind::Comparative | Kind::Plain => 1.0,
        Kind::Modifier => 0.5,
        Kind::Retelling => 0.3,
        Kind::Light => 0.15,
        Kind::Frequency => 0.0,
    };
    match language {
        Language::English => base,
        Language::Other if item.text.chars().count() <= 3 && item.text.is_ascii() => base * 0.3,
        Language::Other if item.text.chars().next().is_some_and(char::is_lowercase) => base * 0.6,
        Language::Other => base,
    }
}

/// In other languages a missing noun is seen by its capital or by its length.
fn is_head(item: &Item, claim: &Claim, evidenced: Evidenced) -> bool {
    claim.language == Language::Other
        && evidenced == Evidenced::ByQuote
        && item.kind == Kind::Plain
        && item.text.chars().count() >= 8
}

fn carries(item: &Item, word: &Word<'_>, language: Language) -> bool {
    if let Some(value) = &item.value {
        return word.value.as_ref() == Some(value);
    }
    let text = bare(&word.text);
    if item.text == text || item.root == *word.root {
        return true;
    }
    match item.kind {
        Kind::Name | Kind::Number => same_letters(&item.text, text),
        Kind::Calendar | Kind::Comparative => false,
        Kind::Role => {
            people::relative(&item.text).is_some_and(|relative| people::relative(text) == Some(relative))
                || synonyms::same(&item.root, &word.root)
        }
        Kind::Plain | Kind::Modifier | Kind::Retelling | Kind::Light | Kind::Frequency => match language {
            Language::English => synonyms::same(&item.root, &word.root) || derived(&item.root, &word.root),
            Language::Other => inflected(&item.text, text),
        },
    }
}

/// "Spider-Man" and "spiderman", "T-shirt" and "tshirt".
fn same_letters(left: &str, right: &str) -> bool {
    left.len() > 3 && left.chars().filter(|c| c.is_alphanumeric()).eq(right.chars().filter(|c| c.is_alphanumeric()))
}

/// "allergic" and "allergy": a long beginning in common.
fn derived(left: &str, right: &str) -> bool {
    let common = common(left, right);
    common >= 5 && common * 10 >= left.chars().count().max(right.chars().count()) * 6
}

fn inflected(left: &str, right: &str) -> bool {
    let common = common(left, right);
    let longest = left.chars().count().max(right.chars().count());
    if common >= 3 && common * 10 >= longest * 6 {
        return true;
    }
    // Arabic marks person at the beginning of a verb.
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().rev().collect(), right.chars().rev().collect());
    let ending = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
    !left.iter().any(char::is_ascii) && ending >= 3 && ending * 10 >= longest * 6
}

fn common(left: &str, right: &str) -> usize {
    left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count()
}

/// The claim's date, said in other words ("three days ago" for the 28th): its items count as carried.
fn date_in_other_words(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>, carried: &mut [Vec<usize>]) {
    let _ = cx;
    for turn in &passage.turns {
        let Some(said_at) = turn.turn.at else { continue };
        for dated in dates::find(&claim.content, said_at) {
            let same = turn.dates.iter().any(|said| {
                let day = |at: &Option<crate::moment::Moment>| at.map(|at| at.civil().date());
                said.precision == dated.precision && day(&said.start) == day(&dated.start)
                    || (said.future.is_some()
                        && said.precision == dated.precision
                        && day(&said.future) == day(&dated.start))
            });
            if !same {
                continue;
            }
            let inside = claim
                .items
                .iter()
                .enumerate()
                .filter(|(_, item)| dated.span.start <= item.span.start && item.span.end <= dated.span.end);
            for (at, _) in inside {
                if let Some(slot) = carried.get_mut(at).filter(|slot| slot.is_empty()) {
                    slot.extend(first_word(passage));
                }
            }
        }
    }
}

fn first_word(passage: &Passage<'_>) -> Option<usize> {
    (!passage.words.is_empty()).then_some(0)
}

/// Names of speakers and of entities that a mention leads to need not stand in the words.
fn is_known_otherwise(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>, item: &Item) -> bool {
    let _ = claim;
    item.kind == Kind::Name && name_is_known(cx, passage, &item.text)
}

fn name_is_known(cx: &Context<'_>, passage: &Passage<'_>, word: &str) -> bool {
    if cx.reading.turns.iter().any(|turn| speaker_is(&turn.speaker, word)) {
        return true;
    }
    let antecedent = passage.pieces.iter().any(|piece| match &piece.who {
        Who::Pronoun(names) => names.iter().any(|name| has_word(name, word)),
        Who::Speaker
        | Who::Addressee
        | Who::Named { .. }
        | Who::Relative(_)
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
    name.split_whitespace().any(|part| crate::text::fold(part) == word)
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
fn agent_is_known(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>) -> bool {
    match &claim.agent {
        Agent::Named(name) => name.iter().filter(|word| !crate::lexicon::stop::is_function(word)).all(|word| {
            passage
                .words
                .iter()
                .any(|said| bare(&said.text) == word || said.root.as_ref() == crate::lexicon::stem(word))
                || name_is_known(cx, passage, word)
        }),
        Agent::User | Agent::Assistant | Agent::Relative { .. } | Agent::Open | Agent::Thing => true,
    }
}

/// The number stands in the passage, and beside other words than those the claim puts it with.
fn number_of_something_else(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let chunks_of = |kind: fn(Kind) -> bool| -> HashSet<usize> {
        let pairs = claim.items.iter().zip(&alignment.carried).filter(|(item, _)| kind(item.kind));
        pairs.flat_map(|(_, carried)| carried).filter_map(|at| passage.words.get(*at)).map(|word| word.chunk).collect()
    };
    let numbers = chunks_of(|kind| kind == Kind::Number);
    let others = chunks_of(|kind| matches!(kind, Kind::Plain | Kind::Role | Kind::Name));
    if numbers.is_empty() || others.is_empty() || !numbers.is_disjoint(&others) {
        return false;
    }
    // Only where the claim's words have a number of their own beside them.
    passage.words.iter().any(|word| others.contains(&word.chunk) && word.value.is_some())
}

/// "went up from 840 to 910": what was left behind is no longer so.
fn value_left_behind(claim: &Claim, passage: &Passage<'_>) -> bool {
    if claim.says(&["from", "was", "were", "used", "before", "previously"]) {
        return false;
    }
    passage.words.windows(4).any(|run| {
        let [from, old, to, new] = run else { return false };
        let claims = |word: &Word<'_>| word.value.is_some() && claim.items.iter().any(|item| item.value == word.value);
        &*from.text == "from" && &*to.text == "to" && new.value.is_some() && claims(old) && !claims(new)
    })
}
