//! Something else stands in the words where the claim has its own: another kind of animal, another name, the number of another thing.

use std::collections::HashSet;

use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Word};
use super::pronouns::PLACING;
use super::turned;
use crate::lexicon::senses::Senses;
use crate::lexicon::{bare, synonyms};

/// The passage has another word of the same kind where the claim has this one: "cat" for "dog", "Santa Potter" for "Harry Potter".
pub(super) fn is_replaced(claim: &Claim, passage: &Passage<'_>, item: &Item) -> bool {
    let claimed = |word: &Word<'_>| claim.items.iter().any(|other| other.root == *word.root);
    if item.kind != Kind::Name {
        return passage.words.iter().any(|word| synonyms::exclude(&item.root, &word.root) && !claimed(word))
            || stands_for_another(claim, passage, item);
    }
    let next = claim.items.iter().find(|other| other.kind == Kind::Name && other.at == item.at + 1);
    next.is_some_and(|next| {
        passage.words.windows(2).any(|pair| matches!(pair, [before, word] if bare(&word.text) == next.text && before.capital && !claimed(before)))
    })
}

/// "a sheep cheese stall" of "a goat cheese stall": before the same word stands another thing.
fn stands_for_another(claim: &Claim, passage: &Passage<'_>, item: &Item) -> bool {
    let is_thing = |senses: Option<&Senses>| senses.is_some_and(|senses| senses.is_thing && senses.is_concrete);
    let next = claim
        .items
        .iter()
        .find(|other| other.at == item.at + 1)
        .filter(|_| item.senses.is_some_and(|senses| senses.is_concrete));
    next.is_some_and(|next| {
        passage.words.windows(2).any(|pair| match pair {
            [before, word] => {
                bare(&word.text) == next.text
                    && before.piece == word.piece
                    && is_thing(before.senses)
                    && !claim.items.iter().any(|other| other.root == *before.root)
            }
            _ => false,
        })
    })
}

/// "was born in Turin" of "born in Porto but based in Turin": where the claim has one name the words have another, and the
/// claim's stands elsewhere.
pub(super) fn name_of_something_else(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let clauses = |carried: &[usize]| -> HashSet<usize> {
        carried.iter().filter_map(|at| passage.piece_of(*at)).map(|piece| piece.clause).collect()
    };
    let preposition = |item: &Item| {
        item.at.checked_sub(1).and_then(|at| claim.words.get(at)).filter(|word| PLACING.contains(&word.as_str()))
    };
    let pairs = || claim.items.iter().zip(&alignment.carried);
    let verb = pairs().find(|(item, carried)| item.kind == Kind::Plain && !carried.is_empty());
    let Some((_, verb)) = verb else { return false };
    let told_in = clauses(verb);
    let mut names = pairs().filter(|(item, carried)| item.kind == Kind::Name && !carried.is_empty());
    names.any(|(item, carried)| {
        let Some(preposition) = preposition(item) else { return false };
        let other = |pair: &[Word<'_>]| match pair {
            [before, name] => {
                is_same_way(&before.text, preposition)
                    && name.capital
                    && bare(&name.text) != item.text
                    && passage.pieces.get(name.piece).is_some_and(|piece| told_in.contains(&piece.clause))
            }
            _ => false,
        };
        clauses(carried).is_disjoint(&told_in) && passage.words.windows(2).any(other)
    })
}

/// By both a place is where something is or goes, or by both where it comes from.
fn is_same_way(one: &str, other: &str) -> bool {
    const THERE: &[&str] = &["in", "at", "to", "into", "near"];
    one == other || THERE.contains(&one) && THERE.contains(&other)
}

/// The number stands in the passage, and beside other words than those the claim puts it with.
pub(super) fn number_of_something_else(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let chunks_of = |kind: fn(Kind) -> bool| -> HashSet<usize> {
        let pairs = claim.items.iter().zip(&alignment.carried).filter(|(item, _)| kind(item.kind));
        pairs.flat_map(|(_, carried)| carried).filter_map(|at| passage.words.get(*at)).map(|word| word.chunk).collect()
    };
    let numbers = chunks_of(|kind| kind == Kind::Number);
    let others = chunks_of(|kind| matches!(kind, Kind::Plain | Kind::Role | Kind::Name));
    // "You have two dogs?" – "No, just the one": the number of the answer is the one of the question's things.
    if turned::is_put_right(passage) || numbers.is_empty() || others.is_empty() || !numbers.is_disjoint(&others) {
        return false;
    }
    // Only where the claim's words have a number of their own beside them.
    passage.words.iter().any(|word| others.contains(&word.chunk) && word.value.is_some())
}

/// "went up from 840 to 910": what was left behind is no longer so.
pub(super) fn value_left_behind(claim: &Claim, passage: &Passage<'_>) -> bool {
    if claim.says(&["from", "was", "were", "used", "before", "previously"]) {
        return false;
    }
    // "switched from Nordtel to Mycom", "moved from Tuesday to Wednesday"
    let claims = |word: &Word<'_>| claim.items.iter().any(|item| item.root == *word.root);
    let left = passage.words.windows(5).any(|run| match run {
        [verb, from, old, to, new] => {
            matches!(&*verb.text, "switched" | "switching" | "moved" | "changed" | "upgraded")
                && &*from.text == "from"
                && &*to.text == "to"
                && claims(old)
                && !claims(new)
        }
        _ => false,
    });
    if left && !claim.says(&["switched", "moved", "changed", "upgraded", "left"]) {
        return true;
    }
    passage.words.windows(4).any(|run| {
        let [from, old, to, new] = run else { return false };
        let claims = |word: &Word<'_>| word.value.is_some() && claim.items.iter().any(|item| item.value == word.value);
        &*from.text == "from" && &*to.text == "to" && new.value.is_some() && claims(old) && !claims(new)
    })
}
