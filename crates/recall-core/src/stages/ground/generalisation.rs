//! Is one occasion told as a habit, one thing as all?

use std::collections::HashSet;

use super::agent::Agent;
use super::alignment::Alignment;
use super::claim::{Claim, FREQUENCY, Item, Kind};
use super::passage::{Passage, Word};
use super::pronouns::is_calendar;
use crate::lexicon::verbs::{self, Form};
use crate::stage::Reason;

/// Compares how often the claim says it happens with how often the words do.
///
/// # Errors
/// [`Reason::Overgeneralised`].
pub(super) fn fits(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Result<(), Reason> {
    let near = near(passage, alignment);
    if claims_more_often(claim, &near) || tells_habit_of_occasion(claim, passage, alignment, &near) {
        return Err(Reason::Overgeneralised);
    }
    Ok(())
}

/// The claim says that it happens more often than the words do, and the words say something of it.
pub(super) fn climbs(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    alignment.focused.iter().any(|carried| !carried.is_empty()) && claims_more_often(claim, &near(passage, alignment))
}

const NOW: &[&str] = &["i'm", "am", "is", "are", "we're", "he's", "she's", "they're"];

/// As a rule, not always.
const USUALLY: &[&str] =
    &["often", "frequently", "regularly", "usually", "normally", "generally", "typically", "mostly", "lot"];

/// Groups of words for about the same frequency; a claim may not climb from one to another.
const SAME_FREQUENCY: &[&[&str]] = &[
    USUALLY,
    &["always", "every", "constantly", "each", "whenever", "daily", "weekly", "all"],
    &["never", "nothing", "no", "not", "n't"],
    &["sometimes", "occasionally"],
    &["rarely", "seldom", "hardly", "barely", "scarcely"],
    &["prefer", "prefers", "favourite", "favorite", "rather", "better", "best", "always"],
];

fn claims_more_often(claim: &Claim, near: &[&Word<'_>]) -> bool {
    let every_other = near
        .windows(2)
        .any(|pair| matches!(pair, [every, other] if &*every.text == "every" && matches!(&*other.text, "other" | "second" | "third")));
    if every_other && claim.says(&["every"]) && !claim.says(&["other", "second", "third"]) {
        return true;
    }
    claim.items.iter().filter(|item| item.kind == Kind::Frequency && FREQUENCY.contains(&item.text.as_str())).any(
        |item| {
            let same = SAME_FREQUENCY.iter().copied().find(|group| group.contains(&item.text.as_str()));
            // "every Saturday" does not show "every Thursday".
            let day = claim.words.get(item.at + 1).filter(|next| next.ends_with("day") && is_calendar(next));
            let shown = near.iter().any(|word| {
                let text = &*word.text;
                if item.text == "every" && day.is_some() {
                    return is_plural_day(text) && !is_now_and_then(near) || is_every(near, day);
                }
                text == item.text
                    || same.is_some_and(|group| group.contains(&text))
                    || (item.text == "never" && word.negated)
                    || (item.text == "every" && is_plural_day(text) && !is_now_and_then(near))
            });
            !shown && (same != Some(USUALLY) || !is_mostly(near))
        },
    )
}

/// Words of the clauses that carry the claim, and of every quoted clause.
fn near<'a>(passage: &'a Passage<'_>, alignment: &Alignment) -> Vec<&'a Word<'a>> {
    let mut clauses: HashSet<usize> =
        alignment.focused.iter().flatten().filter_map(|at| passage.piece_of(*at)).map(|piece| piece.clause).collect();
    clauses.extend(
        passage
            .words
            .iter()
            .filter(|word| word.quoted)
            .filter_map(|word| passage.pieces.get(word.piece))
            .map(|piece| piece.clause),
    );
    let pieces = passage.pieces.iter().filter(|piece| clauses.contains(&piece.clause));
    pieces.flat_map(|piece| passage.said(piece)).collect()
}

/// "most mornings", "most of the time".
fn is_mostly(near: &[&Word<'_>]) -> bool {
    const TIMES: &[&str] =
        &["days", "mornings", "afternoons", "evenings", "nights", "weeks", "weekends", "months", "years", "times"];
    near.windows(2).any(|pair| matches!(pair, [most, times] if &*most.text == "most" && (TIMES.contains(&&*times.text) || is_plural_day(&times.text) || &*times.text == "of")))
}

fn is_every(near: &[&Word<'_>], day: Option<&String>) -> bool {
    let told = |pair: &[&Word<'_>]| match pair {
        [every, next] => {
            matches!(&*every.text, "every" | "each" | "always")
                && day.is_some_and(|day| next.text.trim_end_matches('s') == day)
        }
        _ => false,
    };
    near.windows(2).any(told)
}

/// "sometimes a film on Fridays" is not every Friday.
fn is_now_and_then(near: &[&Word<'_>]) -> bool {
    near.iter().any(|word| matches!(&*word.text, "sometimes" | "occasionally" | "rarely" | "seldom" | "hardly"))
}

fn is_plural_day(text: &str) -> bool {
    text.ends_with("days")
}

/// "shouts" of "shouted": the claim's verb stands in the present, the words in the past, and none of them says how often.
fn tells_habit_of_occasion(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment, near: &[&Word<'_>]) -> bool {
    // The word right after the one the claim speaks of is its verb, known or not.
    let leads = |item: &Item| item.at < 3 && claim.agent != Agent::Thing && !item.text.ends_with("ss");
    let is_verb = |item: &Item| item.kind != Kind::Light && (verbs::is_known(&item.text) || leads(item));
    let verb = claim.items.iter().zip(&alignment.focused).find(|(item, _)| is_verb(item));
    let Some((item, carried)) = verb else { return false };
    let habitual = item.text.ends_with('s') && !matches!(verbs::form(&item.text), Form::Past | Form::Progressive);
    // "I'm based in …" tells of now.
    let is_now = |at: usize| {
        at.checked_sub(1).and_then(|at| passage.words.get(at)).is_some_and(|word| NOW.contains(&&*word.text))
    };
    // "a rented flat" tells of no one occasion.
    let describes = |at: usize| {
        at.checked_sub(1)
            .and_then(|at| passage.words.get(at))
            .is_some_and(|word| matches!(&*word.text, "a" | "an" | "my" | "our"))
    };
    let occasion = |word: &Word<'_>| *word.root == item.root && verbs::form(&word.text) == Form::Past;
    habitual
        && !carried.is_empty()
        && carried.iter().all(|at| !is_now(*at) && !describes(*at) && passage.words.get(*at).is_none_or(occasion))
        && !near.iter().any(|word| FREQUENCY.contains(&&*word.text))
        && !is_mostly(near)
}
