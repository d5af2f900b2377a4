//! Is a plan told as done, a possibility as fact, a past state as present?

use super::ahead;
use super::alignment::Alignment;
use super::asked;
use super::claim::{Claim, Item, Kind, Language};
use super::passage::{Passage, Piece, Word};
use super::register::Register;
use super::wished;
use crate::lexicon::verbs::{self, Form};
use crate::reading::acts::Modality;
use crate::stage::Reason;

/// Compares how the claim stands to the world with how the words do.
///
/// # Errors
/// [`Reason::ModalityShift`].
pub(super) fn agrees(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Result<(), Reason> {
    if asked::lies_ahead(claim, passage, alignment, tense_told(claim) == Tense::Past) {
        return Err(Reason::ModalityShift);
    }
    let Some((item, words)) = predicate(claim, passage, alignment) else { return Ok(()) };
    if claim.language == Language::Other && words.iter().all(|word| wished::is_wished_abroad(claim, passage, word)) {
        return Err(Reason::ModalityShift);
    }
    let done = last_done(passage);
    let fits = words.iter().any(|word| {
        let Some(piece) = passage.pieces.get(word.piece) else { return true };
        let clause = passage.clause_words(piece.clause);
        let modal = modal_fits(claim, piece, &clause) || carried_out(piece, done);
        if claim.register == Register::Framed {
            let is_visit = tells_as_done(claim, item) && ahead::tells_of_appointment(claim, passage, piece, word);
            return (modal || claim.modality != Modality::Actual || !is_done(claim, item)) && !is_visit;
        }
        modal
            && !is_wish_fulfilled(claim, item, passage, piece)
            && !wished::is_wished(claim, passage, piece, word)
            && (!tells_as_done(claim, item)
                || carried_out(piece, done)
                || !ahead::lies_ahead(claim, passage, piece, word))
            && (matches!(claim.register, Register::Long | Register::Sentence)
                || tense_fits(claim, item, passage, piece, word)
                || tense_of(claim, item) == Tense::Past && carried_out(piece, done))
    });
    if fits { Ok(()) } else { Err(Reason::ModalityShift) }
}

/// What the claim says happens, with the words that carry it: a verb before any other word.
fn predicate<'a, 'b>(
    claim: &'a Claim,
    passage: &'b Passage<'_>,
    alignment: &Alignment,
) -> Option<(&'a Item, Vec<&'b Word<'b>>)> {
    let carried = |test: &dyn Fn(&Item) -> bool| {
        let mut pairs = claim.items.iter().zip(&alignment.focused);
        pairs
            .find(|(item, words)| !words.is_empty() && test(item))
            .map(|(item, words)| (item, words.iter().filter_map(|at| passage.words.get(*at)).collect::<Vec<_>>()))
    };
    let told = |item: &Item| {
        !matches!(item.kind, Kind::Frequency | Kind::Retelling | Kind::Modifier | Kind::Number | Kind::Calendar)
    };
    carried(&|item| told(item) && item.kind != Kind::Light && verbs::form(&item.text) != Form::Unclear)
        .or_else(|| carried(&|item| told(item) && item.kind != Kind::Light))
        .or_else(|| carried(&told))
}

/// A claim told as a fact needs words that tell a fact.
fn modal_fits(claim: &Claim, piece: &Piece, clause: &[&str]) -> bool {
    if claim.says(PLANNING) && matches!(piece.modality, Modality::Plan | Modality::Possible | Modality::Wish) {
        return true;
    }
    // "won't let us", "won't eat fish": a refusal is of now.
    if piece.modality == Modality::Plan
        && clause.contains(&"won't")
        && claim.says(REFUSED)
        && claim.items.iter().any(|item| item.negated)
    {
        return true;
    }
    if claim.says(DOUBTING) && piece.modality == Modality::Possible {
        return true;
    }
    match (claim.modality, piece.modality) {
        (Modality::Actual, Modality::Plan | Modality::Possible) => false,
        (Modality::Actual, Modality::Hypothetical) => !abandoned(clause),
        (Modality::Actual, Modality::Past) => claim.says(&["was", "were", "had"]),
        (Modality::Plan, Modality::Hypothetical) => !abandoned(clause) || claim.says(&["was", "were"]),
        _ => true,
    }
}

/// Words by which a claim says itself that it may not be so.
const DOUBTING: &[&str] =
    &["maybe", "perhaps", "possibly", "probably", "might", "could", "unsure", "whether", "depends"];

/// What somebody who won't do it does not do.
const REFUSED: &[&str] = &["allow", "let", "permit", "accept", "eat", "drink", "touch", "listen", "tolerate"];

/// Words by which a claim says itself that nothing is done yet.
const PLANNING: &[&str] =
    &["plan", "plans", "planning", "planned", "intends", "considering", "hopes", "wants", "aims", "open", "thinking"];

/// "was going to … but then did it".
fn carried_out(piece: &Piece, done: Option<usize>) -> bool {
    done.is_some_and(|done| piece.words.start <= done)
}

/// Where the quotes say last that something was done.
fn last_done(passage: &Passage<'_>) -> Option<usize> {
    let mut after = None;
    for (at, word) in passage.words.iter().enumerate().rev().filter(|(_, word)| word.quoted) {
        if &*word.text == "did"
            && matches!(after, Some("it" | "so" | "that" | "on" | "last" | "yesterday" | "today") | None)
        {
            return Some(at);
        }
        after = Some(&*word.text);
    }
    None
}

fn abandoned(clause: &[&str]) -> bool {
    const CUES: &[&str] = &[
        "nearly *",
        "almost *",
        "came close to",
        "this close to",
        "that close to",
        "so close to",
        "was going to",
        "were going to",
        "was about to",
        "was supposed to",
        "were supposed to",
        "was planning to",
    ];
    CUES.iter().any(|cue| crate::reading::modality::holds(clause, cue))
}

/// "I hope to open a bakery" told as "opened a bakery".
fn is_wish_fulfilled(claim: &Claim, item: &Item, passage: &Passage<'_>, piece: &Piece) -> bool {
    let words: Vec<&str> = passage.said(piece).iter().map(|word| &*word.text).collect();
    is_done(claim, item)
        && claim.modality == Modality::Actual
        && crate::reading::modality::modality(&words) == Modality::Wish
}

/// A claim of fact in the past, by its predicate where that is a verb, else by its first verb ("got into the choir").
fn tells_as_done(claim: &Claim, item: &Item) -> bool {
    let told = if verbs::form(&item.text) == Form::Past { tense_of(claim, item) } else { tense_told(claim) };
    claim.modality == Modality::Actual && told == Tense::Past
}

/// Tense of the first verb of a claim.
fn tense_told(claim: &Claim) -> Tense {
    let words: Vec<&str> = claim.words.iter().map(String::as_str).collect();
    let is_noun = |at: usize| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        verbs::form(next) == Form::Past || of_auxiliary(&words, at + 1).is_some()
    };
    let first = (0..words.len()).find_map(|at| {
        let word = words.get(at)?;
        of_auxiliary(&words, at).or_else(|| match verbs::form(word) {
            Form::Past => Some(Tense::Past),
            // "the sweep came": before another verb it is a noun.
            Form::Present if verbs::is_known(word) && !is_noun(at) => Some(Tense::Present),
            Form::Present | Form::Progressive | Form::Unclear => None,
        })
    });
    first.unwrap_or(Tense::Unclear)
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
        (Tense::Past, Tense::Present) => ahead::goes_on(claim, passage, piece),
        (Tense::Present, Tense::Past) => !is_state(&item.root) && !is_what_one_is(claim, item) || claim.says(&["used"]),
        _ => true,
    }
}

/// "is a saddler" of "was a saddler", "is vegan" of "was vegan".
fn is_what_one_is(claim: &Claim, item: &Item) -> bool {
    let before = claim.words.get(item.at.saturating_sub(2)..item.at).unwrap_or_default();
    let is = match before {
        [is, article] if matches!(article.as_str(), "a" | "an" | "the") => is == "is",
        [.., is] => is == "is",
        [] => false,
    };
    is && verbs::form(&item.text) == Form::Unclear
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
    let words: Vec<&str> = claim.words.iter().map(String::as_str).collect();
    tense(&words, item.at)
}

fn tense_said(passage: &Passage<'_>, piece: &Piece, word: &Word<'_>) -> Tense {
    let said = passage.said(piece);
    let at = said.iter().position(|other| std::ptr::eq(other, word)).unwrap_or_default();
    let words: Vec<&str> = said.iter().map(|word| &*word.text).collect();
    tense(&words, at)
}

/// Tense of the word at a place: its own form with its auxiliary, else the nearest auxiliary before it, else after it.
fn tense(words: &[&str], at: usize) -> Tense {
    const NEAR: usize = 3;
    const FAR: usize = 8;
    let text = words.get(at).copied().unwrap_or_default();
    let before = words.get(at.saturating_sub(FAR)..at).unwrap_or_default();
    let close = before.get(before.len().saturating_sub(NEAR)..).unwrap_or_default();
    let from = at - close.len();
    if came_to(words.get(..at).unwrap_or_default()) {
        return Tense::Past;
    }
    let close = (from..at).rev().find_map(|at| of_auxiliary(words, at));
    match verbs::form(text) {
        // "is closed", "is self-taught": how something is now after it was done.
        Form::Past => return if close == Some(Tense::Present) { Tense::Unclear } else { close.unwrap_or(Tense::Past) },
        Form::Present if verbs::is_known(text) => return close.unwrap_or(Tense::Present),
        Form::Progressive => return close.unwrap_or(Tense::Unclear),
        Form::Present | Form::Unclear => {}
    }
    if verbs::is_known(text) && text.ends_with('s') {
        return Tense::Present;
    }
    let earlier = (at.saturating_sub(FAR)..at).rev().find_map(|at| of_auxiliary(words, at));
    earlier
        .or_else(|| (at + 1..words.len().min(at + FAR)).find_map(|at| of_auxiliary(words, at)))
        .unwrap_or(Tense::Unclear)
}

/// "got to meet", "managed to sell": what one got to do is done.
fn came_to(before: &[&str]) -> bool {
    let Some([.., have, verb, to]) = before.get(before.len().saturating_sub(3)..) else { return false };
    *to == "to"
        && matches!(
            *verb,
            "got"
                | "managed"
                | "learnt"
                | "learned"
                | "remembered"
                | "failed"
                | "refused"
                | "forgot"
                | "declined"
                | "neglected"
        )
        && !have.ends_with("'ve")
        && *have != "have"
}

fn of_auxiliary(words: &[&str], at: usize) -> Option<Tense> {
    match *words.get(at)? {
        "was" | "were" | "did" | "didn't" | "had" | "wasn't" | "weren't" => Some(Tense::Past),
        "is" | "are" | "am" | "i'm" | "im" | "hes" | "shes" | "theyre" | "we're" | "he's" | "she's" | "they're"
        | "it's" | "isn't" | "aren't" | "you're" => Some(Tense::Present),
        "has" | "have" | "i've" | "we've" | "they've" | "you've" => perfect(words, at),
        _ => None,
    }
}

/// "has sold" and the question "have you sold" are past, "has been ill" goes on, "has a dog" is present.
fn perfect(words: &[&str], at: usize) -> Option<Tense> {
    const PASSED_OVER: &[&str] =
        &["just", "already", "never", "ever", "also", "finally", "recently", "not", "you", "he", "she", "they"];
    let next = words.iter().skip(at + 1).find(|word| !PASSED_OVER.contains(word))?;
    match verbs::form(next) {
        _ if matches!(*next, "been" | "got") => Some(Tense::Unclear),
        Form::Past => Some(Tense::Past),
        Form::Present | Form::Progressive | Form::Unclear => Some(Tense::Present),
    }
}
