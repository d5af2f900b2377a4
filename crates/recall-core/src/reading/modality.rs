//! How a clause stands to the world, and which of its words it denies; read from its words alone, so that a claim and its source are read alike.

mod abroad;
mod cues;
mod scopes;

pub use abroad::doubts;
use cues::{BEFORE_NO, BEFORE_OFF, BY_FIRST, CUES, FAILING, FOLLOWING, JOINING, NOT_DENYING, WHOLE};
pub use scopes::scopes;

use super::acts::Modality;
use crate::candidate::Polarity;
use crate::lexicon::verbs::{self, Form};

/// How a clause stands to the world; the words are folded.
pub fn modality(words: &[&str]) -> Modality {
    if supposes(words) {
        return Modality::Hypothetical;
    }
    if blesses(words) {
        return Modality::Wish;
    }
    if abroad::doubts_in_front(words) {
        return Modality::Possible;
    }
    let found = words.iter().enumerate().filter_map(|(at, word)| {
        let rest = words.get(at + 1..).unwrap_or_default();
        let cues = BY_FIRST.get(word)?;
        cues.iter().filter(|(_, cue)| begins(rest, cue)).map(|(rank, _)| *rank).min()
    });
    found.min().and_then(|rank| CUES.get(rank)).map_or(Modality::Actual, |(found, _)| *found)
}

/// Whether a clause says yes or no: an even number of denials says yes.
pub fn polarity(words: &[&str]) -> Polarity {
    match negated(words).last() {
        Some(true) => Polarity::Negative,
        Some(false) | None => Polarity::Positive,
    }
}

/// For every word of a clause, whether it stands under a denial.
pub fn negated(words: &[&str]) -> Vec<bool> {
    if let Some(length) = set_in_front(words) {
        return around(words, length);
    }
    if let Some(denied) = abroad::denied_at_end(words) {
        return denied;
    }
    let mut result = Vec::with_capacity(words.len());
    for scope in scopes(words) {
        result.extend(negated_within(words.get(scope).unwrap_or_default()));
    }
    result
}

/// [`negated`] of words that no joining word parts.
fn negated_within(words: &[&str]) -> Vec<bool> {
    let (mut under, mut whole) = (false, false);
    let mut result = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let rest = words.get(at..).unwrap_or_default();
        let (so_far, after) = (words.get(..at).unwrap_or_default(), rest.get(1..).unwrap_or_default());
        if is_comma(word) && (whole || is_aside(after) || contrasts(after) || tells_anew(so_far, after)) {
            (under, whole) = (false, false);
        }
        if *word == "but" && sets_against(so_far) {
            (under, whole) = (false, false);
        }
        let denial = denial_at(words, at, (under, whole));
        whole |= matches!(denial, Denial::Whole);
        match denial {
            Denial::None => result.push(under),
            Denial::This => result.push(!under),
            Denial::Following => {
                result.push(under);
                under = !under || *word == "nor";
            }
            Denial::Whole => {
                under = !under;
                // "second floor, no lift": what stands before the comma is not denied.
                let run = words
                    .get(..at)
                    .unwrap_or_default()
                    .iter()
                    .rev()
                    .take_while(|word| !is_comma(word) && !JOINING.contains(word) && !adds(words, at))
                    .count();
                result.iter_mut().rev().take(run).for_each(|before| *before = under);
                result.push(under);
            }
        }
    }
    result
}

/// "three kilos of plums and no pan": what stands before the "and" is not denied.
fn adds(words: &[&str], at: usize) -> bool {
    at > 1 && words.get(at - 1) == Some(&"and") && WHOLE.contains(words.get(at).unwrap_or(&""))
}

/// What the word at a place denies, where a denial before it reaches the word or the whole clause.
fn denial_at(words: &[&str], at: usize, (under, whole): (bool, bool)) -> Denial {
    let rest = words.get(at..).unwrap_or_default();
    let word = rest.first().copied().unwrap_or_default();
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    let minds = |word: &str| matches!(word, "mind" | "minds" | "minded" | "minding");
    match word {
        "no" if before.is_some_and(|before| BEFORE_NO.contains(before)) => Denial::Following,
        "off" if before.is_none_or(|before| !BEFORE_OFF.contains(before)) => Denial::None,
        "yet" if rest.get(1) == Some(&"to") && before.is_some_and(|before| has(before)) => Denial::Following,
        _ if FAILING.contains(&word) && rest.get(1) == Some(&"to") => Denial::Following,
        // Of "I don't mind the cold" the minding is denied, not the cold.
        _ if minds(word) && before.is_some_and(|before| is_denial(before)) => Denial::This,
        _ if rest.get(1).is_some_and(|next| minds(next)) => Denial::None,
        // "ne … plus", and a second word of denial where such words agree with each other.
        "plus" | "rien" | "aucun" | "aucune" => {
            if !whole && follows_ne(words, at) {
                Denial::Whole
            } else {
                Denial::None
            }
        }
        _ if (whole || under && word != "no") && abroad::agrees(word) => Denial::None,
        _ => denial(word, rest),
    }
}

/// "has yet to", "they've yet to".
fn has(word: &str) -> bool {
    matches!(word, "have" | "has" | "had") || word.ends_with("'ve")
}

fn follows_ne(words: &[&str], at: usize) -> bool {
    const REACH: usize = 4;
    let before = words.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    before.iter().any(|word| *word == "ne" || word.starts_with("n'"))
}

/// "…, only tea": behind the comma stands what is so instead.
fn contrasts(after: &[&str]) -> bool {
    after.first().is_some_and(|word| matches!(*word, "only" | "just" | "rather" | "instead"))
}

/// "no cat but a dog", yet not "nothing but trouble".
fn sets_against(before: &[&str]) -> bool {
    before.last().is_some_and(|last| {
        !is_denial(last) && !matches!(*last, "anything" | "anyone" | "anybody" | "anywhere" | "one" | "all" | "help")
    })
}

/// "suppose I won …", "let's say we …": a condition without an "if".
pub fn supposes(words: &[&str]) -> bool {
    const FILLERS: &[&str] = &["and", "so", "but", "ok", "okay", "well", "now", "just", ",", "then", "or"];
    let opening = words.iter().position(|word| !FILLERS.contains(word)).unwrap_or_default();
    let words = words.get(opening..).unwrap_or_default();
    match words.first() {
        Some(&("suppose" | "supposing" | "imagine" | "assuming")) => words.len() > 2,
        Some(&"say") => matches!(words.get(1), Some(&("i" | "we"))),
        Some(&("let's" | "lets")) => matches!(words.get(1), Some(&("say" | "imagine" | "suppose" | "assume"))),
        _ => false,
    }
}

/// "may our landlord forgive us": a wish that asks nobody.
fn blesses(words: &[&str]) -> bool {
    words.first() == Some(&"may")
        && matches!(
            words.get(1),
            Some(&("my" | "our" | "your" | "his" | "her" | "their" | "the" | "he" | "she" | "they"))
        )
}

/// Number of words of a "without …" that stands before the subject: "without my glasses I can't read".
fn set_in_front(words: &[&str]) -> Option<usize> {
    const LONGEST: usize = 8;
    let opens = words.first() == Some(&"without");
    let length = words.iter().take(LONGEST).position(|word| is_comma(word) || SUBJECTS.contains(word))?;
    (opens && length > 1).then_some(length)
}

/// A "without …" in front is denied as it would be behind: in "I can't read without my glasses" the denials cancel each other.
fn around(words: &[&str], length: usize) -> Vec<bool> {
    let rest = negated(words.get(length..).unwrap_or_default());
    let inside = !rest.contains(&true);
    std::iter::once(false).chain((1..length).map(|_| inside)).chain(rest).collect()
}

/// Pronouns and the word of a claim for the owner, by which a clause begins.
const SUBJECTS: &[&str] = &[
    "i", "i'm", "i've", "i'll", "i'd", "we", "we're", "we've", "we'll", "we'd", "he", "he's", "she", "she's", "they",
    "they're", "it", "it's", "you", "you're", "user",
];

/// "…, sleeping so much better", "…, turns out …": behind the comma something else is told, which is no item of a list.
fn tells_anew(before: &[&str], after: &[&str]) -> bool {
    if matches!(after, ["turns" | "turned", "out", ..]) {
        return true;
    }
    let progressive = |word: &&&str| verbs::form(word) == Form::Progressive;
    let told = after.iter().take_while(|word| !is_comma(word));
    let lists = before.iter().rev().take(4).any(|word| verbs::form(word) == Form::Progressive)
        || told.clone().any(|word| matches!(*word, "or" | "nor" | "and"));
    // "never left the village, kept goats", but not "never smoked, drank or gambled".
    let done = |word: &&&str| verbs::is_known(word) && verbs::form(word) == Form::Past;
    after.first().is_some_and(|first| progressive(&first) || done(&first)) && told.count() > 1 && !lists
}

/// The cue stands in the words, word by word; `*` stands for any one word.
pub fn holds(words: &[&str], cue: &str) -> bool {
    (0..words.len()).any(|at| begins(words.get(at..).unwrap_or_default(), cue))
}

/// The words begin with the cue.
fn begins(words: &[&str], cue: &str) -> bool {
    let mut words = words.iter();
    cue.split(' ')
        .filter(|part| !part.is_empty())
        .all(|part| words.next().is_some_and(|word| part == "*" || *word == part))
}

/// The word denies what follows it, wherever it stands.
pub fn is_denial(word: &str) -> bool {
    word.ends_with("n't") || FOLLOWING.contains(&word) || abroad::is_without(word) || is_whole(word)
}

/// The word denies its whole clause.
fn is_whole(word: &str) -> bool {
    WHOLE.contains(&word) || abroad::denies(word)
}

/// "…, to be honest": an aside about the saying, which no denial before it reaches.
fn is_aside(words: &[&str]) -> bool {
    const ASIDES: &[&str] = &[
        "to be honest",
        "to be fair",
        "to be frank",
        "to be clear",
        "to be precise",
        "to tell you the truth",
        "to tell the truth",
        "truth be told",
        "if i'm honest",
        "i must say",
        "i have to say",
        "i have to admit",
    ];
    ASIDES.iter().any(|aside| begins(words, aside))
}

fn is_comma(word: &str) -> bool {
    matches!(word, "," | ";" | "،" | "，")
}

enum Denial {
    None,
    /// Denies this word alone.
    This,
    /// Denies what follows.
    Following,
    /// Denies the clause, whatever the order of words.
    Whole,
}

fn denial(word: &str, rest: &[&str]) -> Denial {
    let forgets_to = rest.get(1) == Some(&"forget") && rest.get(2) == Some(&"to");
    if !is_denial(word) || !forgets_to && NOT_DENYING.iter().any(|idiom| starts(rest, idiom)) {
        return Denial::None;
    }
    if is_whole(word) { Denial::Whole } else { Denial::Following }
}

fn starts(rest: &[&str], idiom: &str) -> bool {
    let mut words = rest.iter();
    idiom
        .split(' ')
        .all(|part| words.next().is_some_and(|word| *word == part || (part == "n't" && word.ends_with("n't"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn plans_possibilities_and_past_states_are_told_from_deeds() {
        let table = [
            ("i moved to bergen", Modality::Actual),
            ("i'm gonna move to bergen", Modality::Plan),
            ("she is supposed to call", Modality::Plan),
            ("we might move to bergen", Modality::Possible),
            ("i used to live in bergen", Modality::Past),
            ("i nearly fell off the ladder", Modality::Hypothetical),
            ("i wish i could juggle", Modality::Wish),
            ("vielleicht ziehe ich um", Modality::Possible),
            ("talvez eu compre um barco", Modality::Possible),
            ("może kupię psa", Modality::Possible),
            ("on może pływać", Modality::Actual),
            ("犬 を 飼 う か も し れ な い", Modality::Possible),
        ];
        for (text, expected) in table {
            assert_eq!(modality(&words(text)), expected, "{text}");
        }
    }

    #[test]
    fn denials_cancel_each_other_and_idioms_deny_nothing() {
        let table = [
            ("i don't eat fish", Polarity::Negative),
            ("i no longer smoke", Polarity::Negative),
            ("i never left without saying goodbye", Polarity::Positive),
            ("can't wait to see the fjord", Polarity::Positive),
            ("i couldn't be happier", Polarity::Positive),
            ("fisch esse ich nicht", Polarity::Negative),
            ("second floor , no lift", Polarity::Negative),
            ("we like fish", Polarity::Positive),
            ("without my glasses i can't read", Polarity::Negative),
            ("without my glasses i read well", Polarity::Positive),
            ("haven't touched wine since may , sleeping so much better", Polarity::Positive),
            ("i don't like hiking , climbing or diving", Polarity::Negative),
            ("ich habe keinen hund", Polarity::Negative),
            ("no fumo nunca", Polarity::Negative),
            ("je vis sans voiture", Polarity::Negative),
            ("у меня нет кота", Polarity::Negative),
            ("nikt nie pali", Polarity::Negative),
            ("魚 は 食 べ ま せ ん", Polarity::Negative),
        ];
        for (text, expected) in table {
            assert_eq!(polarity(&words(text)), expected, "{text}");
        }
    }
}
