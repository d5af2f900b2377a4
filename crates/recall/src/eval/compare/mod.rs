//! Compares two versions of a prompt or a model: both read the same conversations through the same pipeline, nothing is kept, and what
//! each stored is held against what people found.
//!
//! Reading order: [`set`] are the conversations, [`run`] reads them with both arms, [`decide`] says what each memory is, [`counts`] and
//! [`measures`] make figures of it, [`statistics`] says how sure they are, [`report`] is all of it as data.

mod changes;
pub(crate) mod conditions;
mod counts;
mod dates;
mod decide;
pub(crate) mod judge;
pub(crate) mod lab;
pub(crate) mod matching;
pub(crate) mod measures;
pub(crate) mod page;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod set;
mod shown;
pub(crate) mod statistics;
mod taped;
pub(crate) mod text;
pub(crate) mod trial;
#[cfg(test)]
mod world;

use measures::{MEASURES, Measure};
use set::Conversation;
use statistics::{Effort, Figure};
use trial::Trial;

/// Says of every memory of every trial what labels say.
pub(crate) fn by_labels(trials: &mut [Trial], conversations: &[Conversation]) {
    for trial in trials {
        if let Some(conversation) = conversations.iter().find(|conversation| conversation.id == trial.conversation) {
            decide::by_labels(trial, conversation);
        }
    }
}

/// The headline measures of arm a, with their intervals.
pub(crate) fn headline(
    conversations: &[Conversation],
    trials: &[Trial],
    effort: Effort,
) -> Vec<(&'static Measure, Figure)> {
    let pairs: Vec<statistics::Pair> =
        conversations.iter().map(|conversation| report::pair(conversation, trials)).collect();
    let compared = statistics::compare(&pairs, effort);
    MEASURES
        .iter()
        .zip(compared)
        .filter(|(measure, _)| measure.headline)
        .map(|(measure, row)| (measure, row.a))
        .collect()
}
