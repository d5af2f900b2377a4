//! Does the claim say yes where the words say no, or no where they say yes?

use std::ops::Range;

use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Word};
use super::sources;
use super::support::Alignment;
use crate::lexicon::synonyms;
use crate::reading::Speaker;
use crate::stage::Reason;

/// Compares what is denied in the claim with what is denied in the words that carry it.
///
/// # Errors
/// [`Reason::PolarityFlip`].
pub(super) fn agrees(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Result<(), Reason> {
    let flipped = claim.parts().into_iter().any(|part| is_flipped(claim, passage, alignment, part));
    if flipped { Err(Reason::PolarityFlip) } else { Ok(()) }
}

/// A part of the claim goes by its first word that the passage carries.
fn is_flipped(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment, part: Range<usize>) -> bool {
    let items: Vec<(usize, &Item)> = part.filter_map(|at| claim.items.get(at).map(|item| (at, item))).collect();
    let denied = items.iter().any(|(_, item)| item.negated);
    for (at, item) in &items {
        if matches!(item.kind, Kind::Name | Kind::Number | Kind::Frequency | Kind::Calendar | Kind::Modifier) {
            continue;
        }
        let Some(carried) = alignment.carried.get(*at).filter(|carried| !carried.is_empty()) else { continue };
        let words: Vec<&Word<'_>> = carried.iter().filter_map(|at| passage.words.get(*at)).collect();
        return words.iter().all(|word| item.negated != (is_denied(passage, word) != is_opposite(item, word)));
    }
    denied && !items.is_empty() && !passage.words.iter().any(|word| is_denied(passage, word))
}

fn is_opposite(item: &Item, word: &Word<'_>) -> bool {
    item.root != *word.root && synonyms::opposite(&item.root, &word.root)
}

/// A question that was answered with no denies what it asks.
fn is_denied(passage: &Passage<'_>, word: &Word<'_>) -> bool {
    let turn = passage.pieces.get(word.piece).and_then(|piece| passage.turns.get(piece.turn));
    let asked = turn.is_some_and(|turn| turn.speaker == Speaker::Assistant);
    let refused =
        asked && passage.turns.iter().any(|turn| matches!(turn.speaker, Speaker::Person(_)) && sources::denies(turn));
    word.negated != refused
}
