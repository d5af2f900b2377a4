//! Is a plan told as done, a possibility as fact, a past state as present?

use super::claim::{Claim, Item, Kind};
use super::passage::{Passage, Piece, Word};
use super::support::{Alignment, Evidenced};
use crate::lexicon::verbs::{self, Form};
use crate::reading::acts::Modality;
use crate::stage::Reason;

/// Compares how the claim stands to the world with how the words do.
///
/// # Errors
/// [`Reason::ModalityShift`].
pub(super) fn agrees(
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
    evidenced: Evidenced,
) -> Result<(), Reason> {
    let Some((item, words)) = predicate(claim, passage, alignment) else { return Ok(()) };
    let fits = words.iter().any(|word| {
        let Some(piece) = passage.pieces.get(word.piece) else { return true };
        let clause = passage.clause_words(piece.clause);
        let modal = modal_fits(claim, piece, &clause);
        match evidenced {
            Evidenced::ByQuote => modal && tense_fits(claim, item, passage, piece, word),
            Evidenced::ByTurn => modal || claim.modality != Modality::Actual || !is_done(claim, item),
        }
    });
    if fits { Ok(()) } else { Err(Reason::ModalityShift) }
}

/// What the claim says happens, with the words that carry it.
fn predicate<'a, 'b>(
    claim: &'a Claim,
    passage: &'b Passage<'_>,
    alignment: &Alignment,
) -> Option<(&'a Item, Vec<&'b Word<'b>>)> {
    let pairs = claim.items.iter().zip(&alignment.carried).filter(|(item, carried)| {
        !carried.is_empty() && !matches!(item.kind, Kind::Frequency | Kind::Retelling | Kind::Modifier)
    });
    let strongest = |pairs: &mut dyn Iterator<Item = (&'a Item, &Vec<usize>)>| {
        pairs
            .next()
            .map(|(item, carried)| (item, carried.iter().filter_map(|at| passage.words.get(*at)).collect::<Vec<_>>()))
    };
    let verb =
        strongest(&mut pairs.clone().filter(|(item, _)| item.kind != Kind::Light && verbs::is_known(&item.text)));
    verb.or_else(|| strongest(&mut pairs.clone().filter(|(item, _)| item.kind != Kind::Light)))
        .or_else(|| strongest(&mut pairs.clone()))
}

/// A claim told as a fact needs words that tell a fact.
fn modal_fits(claim: &Claim, piece: &Piece, clause: &[&str]) -> bool {
    match (claim.modality, piece.modality) {
        (Modality::Actual, Modality::Plan | Modality::Possible) => carried_out(clause),
        (Modality::Actual, Modality::Hypothetical) => !abandoned(clause) || carried_out(clause),
        (Modality::Actual, Modality::Past) => claim.says(&["was", "were", "had"]),
        (Modality::Plan, Modality::Hypothetical) => !abandoned(clause) || claim.says(&["was", "were"]),
        _ => true,
    }
}

/// "was going to … but then did it".
fn carried_out(clause: &[&str]) -> bool {
    crate::reading::modality::holds(clause, "did it") || crate::reading::modality::holds(clause, "done")
}

fn abandoned(clause: &[&str]) -> bool {
    const CUES: &[&str] = &[
        "nearly *",
        "almost *",
        "was going to",
        "were going to",
        "was about to",
        "was supposed to",
        "were supposed to",
        "was planning to",
    ];
    CUES.iter().any(|cue| crate::reading::modality::holds(clause, cue))
}

fn is_done(claim: &Claim, item: &Item) -> bool {
    tense_of(claim, item) == Tense::Past
}

/// When a sentence places its verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tense {
    Past,
    Present,
    Unclear,
}

fn tense_fits(claim: &Claim, item: &Item, passage: &Passage<'_>, piece: &Piece, word: &Word<'_>) -> bool {
    let claimed = tense_of(claim, item);
    let said = tense_said(passage, piece, word);
    match (claimed, said) {
        (Tense::Past, Tense::Present) => carried_out(&passage.clause_words(piece.clause)),
        (Tense::Present, Tense::Past) => !is_state(&item.root) || claim.says(&["used"]),
        _ => true,
    }
}

/// Verbs that name a state: in the past they do not tell of the present.
fn is_state(root: &str) -> bool {
    const STATES: &[&str] = &[
        "live", "work", "own", "belong", "be", "run", "play", "studi", "date", "resid", "teach", "know", "stay",
        "manag",
    ];
    STATES.contains(&root)
}

fn tense_of(claim: &Claim, item: &Item) -> Tense {
    let before = claim.words.get(..item.at).unwrap_or_default();
    let near: Vec<&str> = before.iter().rev().take(3).map(String::as_str).collect();
    tense(&near, &item.text)
}

fn tense_said(passage: &Passage<'_>, piece: &Piece, word: &Word<'_>) -> Tense {
    let said = passage.said(piece);
    let at = said.iter().position(|other| std::ptr::eq(other, word)).unwrap_or_default();
    let near: Vec<&str> = said.iter().take(at).rev().take(3).map(|word| &*word.text).collect();
    tense(&near, &word.text)
}

/// Tense of a word with up to three words before it, the nearest first.
fn tense(before: &[&str], text: &str) -> Tense {
    for word in before {
        match *word {
            "was" | "were" | "did" | "didn't" | "had" | "has" | "have" | "i've" | "we've" | "wasn't" | "weren't" => {
                return Tense::Past;
            }
            "is" | "are" | "am" | "i'm" | "we're" | "he's" | "she's" | "they're" | "it's" | "isn't" | "aren't" => {
                return Tense::Present;
            }
            _ => {}
        }
    }
    match verbs::form(text) {
        Form::Past => Tense::Past,
        Form::Present => Tense::Present,
        Form::Progressive | Form::Unclear if verbs::is_known(text) && text.ends_with('s') => Tense::Present,
        Form::Progressive | Form::Unclear => Tense::Unclear,
    }
}
