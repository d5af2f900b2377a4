//! What the words set apart: "the ferry instead of the bridge", "three of the nine", "on Tuesday, no wait, Thursday", "no lift".

use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Word};
use super::pronouns::is_calendar;
use super::turned::run;
use crate::lexicon::{bare, stop, synonyms, verbs};
use crate::stage::Reason;

/// A word that stands more often than this in a passage decides nothing.
const MOST: usize = 32;

/// The objection to a claim that puts together what the words set apart.
pub(super) fn objection(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Option<Reason> {
    let pairs = || claim.items.iter().zip(&alignment.carried);
    if pairs().any(|(item, carried)| {
        is_left_out(claim, passage, alignment, (item, carried)) || is_lacked(passage, item, carried)
    }) {
        return Some(Reason::PolarityFlip);
    }
    if is_whole_of_part(claim, passage) {
        return Some(Reason::UnsupportedNumber);
    }
    if let Some(reason) = pairs().find_map(|(item, carried)| taken_back(claim, passage, item, carried)) {
        return Some(reason);
    }
    let apart = rival_stands_there(claim, passage, alignment) || has_another_deed(claim, passage, alignment);
    apart.then_some(Reason::UnsupportedDetail)
}

fn is_told(item: &Item) -> bool {
    matches!(item.kind, Kind::Plain | Kind::Name | Kind::Role)
}

/// "the bridge" of "the ferry instead of the bridge", "the yellow ones" of "all except the yellow ones".
fn is_left_out(
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
    (item, carried): (&Item, &[usize]),
) -> bool {
    const LEAVING: &[&str] = &["except", "excluding", "apart", "instead", "rather", "unlike"];
    let left_out = |at: &usize| {
        let (words, place) = run(passage, *at);
        let before = words.get(..place).unwrap_or_default();
        let leaving = before.iter().rposition(|word| LEAVING.contains(&&*word.text));
        leaving.is_some_and(|from| {
            let (word, next) = (before.get(from), before.get(from + 1).map_or("", |next| &*next.text));
            let rest = before.get(from..).unwrap_or_default();
            let is = match word.map_or("", |word| &*word.text) {
                "instead" => next == "of",
                "rather" => next == "than",
                "apart" => next == "from",
                _ => true,
            };
            // "I don't eat meat except chicken": what is left out of a denial is so.
            is && !before.iter().any(|word| word.negated)
                && !rest.iter().any(|word| matches!(&*word.text, "when" | "if" | "on"))
        })
    };
    (is_told(item) || item.kind == Kind::Number)
        && !item.negated
        && !claim.says(LEAVING)
        && (1..=MOST).contains(&carried.len())
        && carried.iter().all(left_out)
        && carried.iter().any(|at| stands_whole_in(claim, passage, alignment, *at))
}

/// All that is told and said stands in the run of a word: of what is left out nothing else is told.
fn stands_whole_in(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment, at: usize) -> bool {
    let (words, place) = run(passage, at);
    let from = at - place;
    let inside = |other: &usize| (from..from + words.len()).contains(other);
    let mut told =
        claim.items.iter().zip(&alignment.carried).filter(|(item, carried)| is_told(item) && !carried.is_empty());
    told.all(|(_, carried)| carried.iter().take(MOST).any(inside))
}

/// "has a dishwasher" of "a lift but no dishwasher".
fn is_lacked(passage: &Passage<'_>, item: &Item, carried: &[usize]) -> bool {
    let lacked = |at: &usize| {
        let before = at.checked_sub(1).and_then(|at| passage.words.get(at));
        passage.words.get(*at).is_some_and(|word| word.negated)
            && before.is_some_and(|before| matches!(&*before.text, "no" | "without"))
    };
    item.kind == Kind::Plain
        && !item.negated
        && !verbs::is_known(&item.text)
        && (1..=MOST).contains(&carried.len())
        && carried.iter().all(lacked)
}

/// "nine nests survived" of "three of the nine nests survived".
fn is_whole_of_part(claim: &Claim, passage: &Passage<'_>) -> bool {
    let claims = |word: &Word<'_>| word.value.is_some() && claim.items.iter().any(|item| item.value == word.value);
    let part = |words: &[Word<'_>]| match words {
        [part, of, owner, whole] => {
            let between = matches!(&*owner.text, "the" | "my" | "our" | "those" | "these");
            part.value.is_some() && &*of.text == "of" && between && claims(whole) && !claims(part)
        }
        _ => false,
    };
    passage.words.windows(4).take(MOST * MOST).any(part)
}

/// "on Tuesday" of "on Tuesday, no wait, Thursday": what is said first is taken back for another of its sort.
fn taken_back(claim: &Claim, passage: &Passage<'_>, item: &Item, carried: &[usize]) -> Option<Reason> {
    let reason = match item.kind {
        Kind::Number | Kind::Calendar => Reason::UnsupportedNumber,
        Kind::Name => Reason::UnsupportedName,
        Kind::Plain | Kind::Role => Reason::UnsupportedDetail,
        Kind::Light | Kind::Retelling | Kind::Frequency | Kind::Modifier | Kind::Comparative => return None,
    };
    let is_taken_back = |at: &usize| {
        marked_behind(passage, *at).is_some_and(|behind| {
            let claimed = |word: &Word<'_>| claim.items.iter().any(|item| item.root == *word.root);
            behind.clone().any(|other| {
                passage.words.get(other).is_some_and(|word| !claimed(word))
                    && replaces(passage, item, *at, other, &behind)
            })
        })
    };
    ((1..=MOST).contains(&carried.len()) && carried.iter().all(is_taken_back)).then_some(reason)
}

/// The words behind "no wait", "scratch that" and the like, where such words stand near behind a place.
fn marked_behind(passage: &Passage<'_>, at: usize) -> Option<std::ops::Range<usize>> {
    const REACH: usize = 6;
    const AFTER: usize = 8;
    const MARKS: &[[&str; 2]] = &[
        ["no", "wait"],
        ["wait", "no"],
        ["i", "mean"],
        ["i", "meant"],
        ["scratch", "that"],
        ["strike", "that"],
        ["make", "that"],
        ["or", "rather"],
        ["no", "sorry"],
        ["sorry", "no"],
        ["no", "actually"],
        ["actually", "no"],
    ];
    let end = passage.words.len();
    let near = passage.words.get(at + 1..(at + 1 + REACH).min(end)).unwrap_or_default();
    let marks = |pair: &[Word<'_>]| matches!(pair, [first, second] if MARKS.iter().any(|[one, two]| *first.text == **one && *second.text == **two));
    let from = at + 1 + near.windows(2).position(marks)? + 2;
    Some(from..(from + AFTER).min(end))
}

/// The word at `other` is of the sort of the item at `at`: a number for a number, a place behind the same preposition, a rival.
fn replaces(passage: &Passage<'_>, item: &Item, at: usize, other: usize, behind: &std::ops::Range<usize>) -> bool {
    let (Some(word), Some(new)) = (passage.words.get(at), passage.words.get(other)) else { return false };
    let sort = |word: &Word<'_>| (word.value.is_some(), is_calendar(bare(&word.text)));
    let before = |at: usize| at.checked_sub(1).and_then(|at| passage.words.get(at)).map(|word| word.text.clone());
    match item.kind {
        Kind::Number | Kind::Calendar => sort(new) == sort(word),
        Kind::Name => {
            let is_name = new.capital && !stop::is_function(&new.text) && sort(new) == (false, false);
            is_name && (other == behind.start || before(at) == before(other))
        }
        Kind::Plain | Kind::Role => synonyms::exclude(&word.root, &new.root),
        Kind::Light | Kind::Retelling | Kind::Frequency | Kind::Modifier | Kind::Comparative => false,
    }
}

/// "the left knee swells" of "the left knee is fine, the right one swells": where the rest of the claim stands, its rival stands.
fn rival_stands_there(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let pairs =
        || claim.items.iter().zip(&alignment.carried).filter(|(_, carried)| (1..=MOST).contains(&carried.len()));
    let claimed = |word: &Word<'_>| claim.items.iter().any(|item| item.root == *word.root);
    pairs().filter(|(item, _)| item.kind == Kind::Plain).any(|(item, carried)| {
        let rival = |at: &usize| {
            let (words, place) = run(passage, *at);
            let from = at - place;
            !carried.iter().any(|own| (from..from + words.len()).contains(own))
                && words.iter().any(|word| {
                    (synonyms::exclude(&item.root, &word.root) || synonyms::exclude(&item.text, &word.text))
                        && !claimed(word)
                })
        };
        pairs().any(|(other, places)| {
            other.at > item.at + 1 && matches!(other.kind, Kind::Plain | Kind::Number) && places.iter().all(rival)
        })
    })
}

/// "failed the lab exam" of "failed chemistry, skipped the lab exam": the verb has another object, and the object another verb.
fn has_another_deed(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let pairs: Vec<(&Item, &Vec<usize>)> = claim.items.iter().zip(&alignment.carried).collect();
    let claimed = |word: &Word<'_>| {
        claim.items.iter().any(|item| item.root == *word.root || synonyms::same(&item.root, &word.root))
    };
    let is_deed = |word: &Word<'_>| {
        (verbs::is_known(&word.text) || verbs::form(&word.text) == verbs::Form::Past)
            && !stop::is_function(&word.text)
            && !stop::is_light(&word.root)
    };
    pairs.windows(2).any(|pair| {
        let [(deed, done), (object, objects)] = pair else { return false };
        let on_another = |at: &usize| {
            let (words, place) = run(passage, *at);
            let from = at - place;
            let behind = words.get(place + 1..).unwrap_or_default();
            let next = behind.iter().find(|word| !matches!(&*word.text, "a" | "an" | "the" | "my" | "our"));
            !objects.iter().any(|own| (from..from + words.len()).contains(own))
                && next.is_some_and(|next| !stop::is_function(&next.text) && !claimed(next) && next.value.is_none())
        };
        let by_another = |at: &usize| {
            let (words, place) = run(passage, *at);
            let before = words.get(..place).unwrap_or_default();
            before.first().is_some_and(|first| is_deed(first) && !claimed(first))
        };
        deed.kind == Kind::Plain
            && verbs::form(&deed.text) == verbs::Form::Past
            && is_told(object)
            && (1..=MOST).contains(&done.len())
            && (1..=MOST).contains(&objects.len())
            && done.iter().all(on_another)
            && objects.iter().all(by_another)
    })
}
