//! Does the claim say yes where the words say no, or no where they say yes?

use std::ops::Range;

use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Word};
use super::sources;
use super::support::Alignment;
use crate::lexicon::synonyms;
use crate::lexicon::verbs::{self, Form};
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

/// A part of the claim goes by its verb, where the passage carries one; else by most of its words.
fn is_flipped(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment, part: Range<usize>) -> bool {
    let mut votes: Vec<(bool, bool)> = Vec::new();
    let mut denied = false;
    for at in part {
        let (Some(item), Some(focused)) = (claim.items.get(at), alignment.focused.get(at)) else { continue };
        denied |= item.negated;
        if matches!(item.kind, Kind::Name | Kind::Number | Kind::Frequency | Kind::Calendar | Kind::Modifier) {
            continue;
        }
        let words: Vec<&Word<'_>> = focused.iter().filter_map(|at| passage.words.get(*at)).collect();
        if !words.is_empty() {
            let flips = words.iter().all(|word| item.negated != (is_denied(passage, word) != is_opposite(item, word)));
            if flips && words.iter().all(|word| is_opposite(item, word)) {
                return true;
            }
            votes.push((is_verb(item), flips));
        }
    }
    if let Some((_, flips)) = votes.iter().find(|(verb, _)| *verb) {
        return *flips;
    }
    if votes.is_empty() {
        return denied && !passage.words.iter().any(|word| is_denied(passage, word));
    }
    votes.iter().filter(|(_, flips)| *flips).count() * 2 > votes.len()
}

fn is_verb(item: &Item) -> bool {
    item.kind != Kind::Light && (verbs::is_known(&item.text) || verbs::form(&item.text) != Form::Unclear)
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
