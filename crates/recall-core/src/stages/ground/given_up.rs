//! Does the claim give somebody what they have parted with: "has a car" of "sold my car", "has a cat" of "our cat died"?

use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Word};
use super::turned::run;
use crate::reading::acts::Modality;
use crate::stage::Reason;

/// A word that stands more often than this in a passage decides nothing.
const MOST: usize = 32;

/// Words right before the owner of a thing that is parted with.
const PARTED: &[&[&str]] = &[
    &["sold"],
    &["gave", "away"],
    &["given", "away"],
    &["rid", "of"],
    &["donated"],
    &["returned"],
    &["scrapped"],
    &["pawned"],
    &["lost"],
    &["threw", "away"],
    &["threw", "out"],
    &["traded", "in"],
    &["gave", "back"],
    &["handed", "back"],
    &["sent", "back"],
];

/// Words behind a thing or animal that is no more.
const GONE: &[&[&str]] =
    &[&["died"], &["passed", "away"], &["was", "stolen"], &["got", "stolen"], &["ran", "away"], &["was", "scrapped"]];

/// The objection to a claim that somebody has what the words say they have parted with.
pub(super) fn objection(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Option<Reason> {
    const HAVING: &[&str] = &["has", "owns", "drives", "rides", "keeps"];
    const TOLD: &[&str] = &[
        "had", "sold", "gave", "given", "rid", "donated", "returned", "scrapped", "pawned", "lost", "threw", "traded",
        "handed", "sent", "died", "passed", "stolen", "ran", "used", "late", "former",
    ];
    if !claim.says(HAVING) || claim.says(TOLD) {
        return None;
    }
    let told = |item: &Item| matches!(item.kind, Kind::Plain | Kind::Role) && !item.negated;
    let thing = claim.items.iter().zip(&alignment.carried).find(|(item, carried)| told(item) && !carried.is_empty());
    let gone = |at: &usize| is_parted_with(passage, *at) || is_gone(passage, *at);
    thing.filter(|(_, carried)| carried.len() <= MOST && carried.iter().all(gone)).map(|_| Reason::PolarityFlip)
}

/// "sold my old car": only the owner and a word or two stand between.
fn is_parted_with(passage: &Passage<'_>, at: usize) -> bool {
    const BETWEEN: usize = 2;
    let actual = passage.piece_of(at).is_some_and(|piece| piece.modality == Modality::Actual);
    let (words, place) = run(passage, at);
    let before = words.get(..place).unwrap_or_default();
    let owner = before.iter().rposition(|word| matches!(&*word.text, "my" | "our" | "the"));
    let owner = owner.filter(|owner| place - owner <= BETWEEN + 1);
    let Some(parting) = owner.and_then(|owner| before.get(..owner)) else { return false };
    actual && PARTED.iter().any(|phrase| ends_with(parting, phrase)) && !parting.iter().any(|word| word.negated)
}

/// "our old dog passed away": nothing but adverbs stands between.
fn is_gone(passage: &Passage<'_>, at: usize) -> bool {
    let (words, place) = run(passage, at);
    let owned = words
        .get(place.saturating_sub(3)..place)
        .is_some_and(|before| before.iter().any(|word| matches!(&*word.text, "my" | "our")));
    let behind = words.get(place + 1..).unwrap_or_default();
    // The name may stand between: "our cat Pudding died".
    let from = behind.iter().take_while(|word| word.capital || is_adverb(word)).count();
    let rest = behind.get(from..).unwrap_or_default();
    owned && GONE.iter().any(|phrase| starts_with(rest, phrase))
}

fn is_adverb(word: &Word<'_>) -> bool {
    matches!(&*word.text, "just" | "sadly" | "recently" | "finally" | "suddenly" | "has")
}

fn ends_with(words: &[Word<'_>], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && starts_with(words.get(words.len() - phrase.len()..).unwrap_or_default(), phrase)
}

fn starts_with(words: &[Word<'_>], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, part)| *word.text == **part)
}
