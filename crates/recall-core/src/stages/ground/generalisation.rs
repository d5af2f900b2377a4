//! Is one occasion told as a habit, one thing as all?

use super::claim::{Claim, FREQUENCY, Kind};
use super::passage::{Passage, Word};
use super::support::Alignment;
use crate::lexicon::verbs::{self, Form};
use crate::stage::Reason;

/// Compares how often the claim says it happens with how often the words do.
///
/// # Errors
/// [`Reason::Overgeneralised`].
pub(super) fn fits(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> Result<(), Reason> {
    if claims_more_often(claim, passage) || tells_habit_of_occasion(claim, passage, alignment) {
        return Err(Reason::Overgeneralised);
    }
    Ok(())
}

/// Groups of words for about the same frequency; a claim may not climb from one to another.
const SAME_FREQUENCY: &[&[&str]] = &[
    &["often", "frequently", "regularly", "usually", "normally", "generally", "typically", "mostly", "lot"],
    &["always", "every", "constantly", "each", "whenever", "daily", "weekly", "all"],
    &["never", "nothing", "no", "not", "n't"],
    &["sometimes", "rarely", "occasionally"],
    &["prefer", "prefers", "favourite", "favorite", "rather", "better", "best"],
];

fn claims_more_often(claim: &Claim, passage: &Passage<'_>) -> bool {
    claim.items.iter().filter(|item| item.kind == Kind::Frequency && FREQUENCY.contains(&item.text.as_str())).any(
        |item| {
            let same = SAME_FREQUENCY.iter().find(|group| group.contains(&item.text.as_str()));
            !passage.words.iter().any(|word| {
                let text = &*word.text;
                text == item.text
                    || same.is_some_and(|group| group.contains(&text))
                    || (item.text == "never" && word.negated)
                    || (item.text == "every" && is_plural_day(text))
            })
        },
    )
}

fn is_plural_day(text: &str) -> bool {
    text.ends_with("days")
}

/// "shouts" of "shouted": the claim's verb stands in the present, the words in the past, and none of them says how often.
fn tells_habit_of_occasion(claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> bool {
    let verb = claim
        .items
        .iter()
        .zip(&alignment.carried)
        .find(|(item, _)| verbs::is_known(&item.text) && item.kind != Kind::Light);
    let Some((item, carried)) = verb else { return false };
    let habitual = item.text.ends_with('s') && !matches!(verbs::form(&item.text), Form::Past | Form::Progressive);
    let occasion = |word: &Word<'_>| {
        verbs::form(&word.text) == Form::Past && !passage.words.iter().any(|word| FREQUENCY.contains(&&*word.text))
    };
    habitual && !carried.is_empty() && carried.iter().filter_map(|at| passage.words.get(*at)).all(occasion)
}
