//! What is compared or counted keeps its place: "louder than the fridge" is not said of the fridge, "the third time" is not three days.

use std::ops::Range;

use super::agent::Agent;
use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Word};
use crate::lexicon::{bare, synonyms};

/// A word that stands more often than this in a passage decides nothing.
const MOST: usize = 32;

/// How far before "than" the word stands that compares.
const REACH: usize = 6;

/// "the fridge is louder than the kettle" of "the kettle is louder than the fridge".
pub(super) fn is_turned(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let Some(than) = claim.words.iter().rposition(|word| word == "than" || word == "as").filter(|at| *at > 1) else {
        return false;
    };
    let compares = claim.items.iter().rposition(|item| item.at < than);
    let side = |holds: &dyn Fn(usize) -> bool| -> Vec<usize> {
        let told = |item: &Item| matches!(item.kind, Kind::Plain | Kind::Name | Kind::Role);
        let items = claim.items.iter().enumerate();
        items.filter(|(at, item)| Some(*at) != compares && told(item) && holds(item.at)).map(|(at, _)| at).collect()
    };
    let (left, right) = (side(&|at| at < than), side(&|at| at > than));
    let stands = |item: &usize, range: &Range<usize>| {
        alignment.carried.get(*item).is_some_and(|carried| carried.iter().take(MOST).any(|at| range.contains(at)))
    };
    let by = claim.words.get(than).map_or("", String::as_str);
    let sides = around(passage, by);
    let holds = |before: &Range<usize>, after: &Range<usize>| {
        if right.is_empty() {
            // "taller than the user": the other side is the speaker.
            let of_user = claim.words.get(than..).is_some_and(|words| words.iter().any(|word| word == "user"));
            return !of_user || has_speaker(passage, after) || !has_agent(claim, passage, after);
        }
        let exchanged = right.iter().all(|item| stands(item, before))
            && (left.iter().any(|item| stands(item, after)) || has_agent(claim, passage, after));
        !exchanged || right.iter().all(|item| stands(item, after))
    };
    let measures = claim
        .items
        .iter()
        .rfind(|item| item.at < than && (item.kind == Kind::Comparative || item.text.ends_with("er")));
    // "earns more than" of "earn less than": the same two, and the other way to compare them.
    let contrary = |before: &Range<usize>, after: &Range<usize>| {
        let words = passage.words.get(before.clone()).unwrap_or_default();
        let near = words.iter().rev().take(REACH).find(|word| {
            measures.is_some_and(|item| item.root == *word.root || synonyms::opposite(&item.root, &word.root))
        });
        let about = right.iter().any(|item| stands(item, after)) || right.is_empty() && has_speaker(passage, after);
        about && near.zip(measures).is_some_and(|(word, item)| item.root != *word.root)
    };
    let of_speaker = |(before, after): (&Range<usize>, &Range<usize>)| {
        let stands_there = right.iter().any(|item| stands(item, after));
        !stands_there && other_side_is_speaker(claim, passage, (than, &right), (before, after))
    };
    // Of several comparisons those count that have the claim's other side.
    let ours: Vec<(Range<usize>, Range<usize>)> =
        sides.iter().filter(|(_, after)| right.iter().any(|item| stands(item, after))).cloned().collect();
    let sides = if ours.is_empty() { sides } else { ours };
    !sides.is_empty()
        && !sides
            .iter()
            .any(|(before, after)| holds(before, after) && !contrary(before, after) && !of_speaker((before, after)))
}

/// "as long as the sister's" of "as long as mine": the other side is the speaker, not somebody else.
fn other_side_is_speaker(
    claim: &Claim,
    passage: &Passage<'_>,
    (than, right): (usize, &[usize]),
    (before, after): (&Range<usize>, &Range<usize>),
) -> bool {
    let somebody = |item: &Item| matches!(item.kind, Kind::Role | Kind::Name);
    let named = right.iter().filter_map(|item| claim.items.get(*item)).any(somebody);
    let words = claim.words.get(..than).unwrap_or_default();
    let of_user = words.iter().any(|word| word == "user" || word == "user's");
    let mine = |word: &Word<'_>| matches!(&*word.text, "my" | "our");
    named
        && of_user
        && has_speaker(passage, after)
        && !has_speaker(passage, before)
        && !passage.words.get(before.clone()).unwrap_or_default().iter().any(mine)
}

/// The words of a clause on either side of each such word.
fn around(passage: &Passage<'_>, by: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let clause = |at: usize| passage.piece_of(at).map(|piece| piece.clause);
    let thans = passage.words.iter().enumerate().filter(|(_, word)| &*word.text == by).take(MOST);
    let around = thans.map(|(than, _)| {
        let from = (0..than).rev().take_while(|at| clause(*at) == clause(than)).last().unwrap_or(than);
        let to = (than..passage.words.len()).take_while(|at| clause(*at) == clause(than)).last().unwrap_or(than);
        (from..than, than + 1..to + 1)
    });
    around.collect()
}

fn has_speaker(passage: &Passage<'_>, range: &Range<usize>) -> bool {
    let words = passage.words.get(range.clone()).unwrap_or_default();
    words.iter().any(|word| matches!(&*word.text, "i" | "i'm" | "me" | "us" | "we" | "mine" | "ours" | "myself"))
}

/// The one the claim speaks of stands there.
fn has_agent(claim: &Claim, passage: &Passage<'_>, range: &Range<usize>) -> bool {
    let said = |names: &[String]| {
        let words = passage.words.get(range.clone()).unwrap_or_default();
        words.iter().any(|word| names.iter().any(|name| name == bare(&word.text)))
    };
    match &claim.agent {
        Agent::User => has_speaker(passage, range),
        Agent::Named(names) | Agent::Relative { words: names, .. } => said(names),
        Agent::Assistant | Agent::Open | Agent::Thing => false,
    }
}

/// "three days" of "the third time": which one in a row it is says nothing of how many of something else there are.
pub(super) fn counts_times(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let counted = |item: &Item| claim.words.get(item.at + 1).filter(|next| next.ends_with('s')).map(|next| stem(next));
    claim.items.iter().zip(&alignment.carried).any(|(item, carried)| {
        let Some(unit) = counted(item).filter(|_| item.kind == Kind::Number && !is_ordinal(&item.text)) else {
            return false;
        };
        let in_a_row = |at: &usize| {
            let word = passage.words.get(*at);
            let next = passage.words.get(at + 1).map(|next| stem(&next.text));
            word.is_some_and(|word| is_ordinal(&word.text))
                && next.is_some_and(|next| next != unit && next != "birthday" && next != "anniversary")
        };
        !carried.is_empty() && carried.iter().all(in_a_row)
    })
}

fn stem(word: &str) -> &str {
    word.trim_end_matches('s')
}

fn is_ordinal(text: &str) -> bool {
    matches!(text, "first" | "second" | "third")
        || text.len() > 3 && text.ends_with("th") && text != "month"
        || text.starts_with(|c: char| c.is_ascii_digit())
            && ["st", "nd", "rd", "th"].iter().any(|end| text.ends_with(end))
}
