//! Which conversations the arms read differently.

use std::collections::BTreeSet;

use super::set::Conversation;
use super::trial::{Side, Trial};

/// What an arm stored of a conversation, whatever the repeat.
fn stored<'t>(trials: &'t [Trial], conversation: &str, side: Side) -> BTreeSet<&'t str> {
    let its = trials.iter().filter(|trial| trial.conversation == conversation && trial.arm == side);
    its.flat_map(|trial| &trial.memories).map(|memory| memory.content.as_str()).collect()
}

/// How far the arms are apart: gold facts, falsehoods and supported memories first, then words.
fn distance(trials: &[Trial], conversation: &str) -> (usize, usize) {
    let of = |side: Side| {
        let its = trials.iter().filter(move |trial| trial.conversation == conversation && trial.arm == side);
        let told = its.flat_map(|trial| &trial.memories).flat_map(|memory| {
            let unsupported = (memory.found.supported == Some(false)).then_some(&memory.content);
            memory.found.gold.iter().chain(&memory.found.falsehoods).chain(unsupported)
        });
        told.cloned().collect::<BTreeSet<String>>()
    };
    let (a, b) = (of(Side::A), of(Side::B));
    let words =
        stored(trials, conversation, Side::A).symmetric_difference(&stored(trials, conversation, Side::B)).count();
    (a.symmetric_difference(&b).count(), words)
}

/// Ids of the conversations of which the arms stored different things, the furthest apart first.
pub(crate) fn changed(conversations: &[Conversation], trials: &[Trial]) -> Vec<String> {
    let apart = conversations.iter().map(|conversation| (distance(trials, &conversation.id), conversation));
    let mut apart: Vec<_> = apart.filter(|((_, words), _)| *words > 0).collect();
    apart.sort_by_key(|((found, words), _)| std::cmp::Reverse((*found, *words)));
    apart.into_iter().map(|(_, conversation)| conversation.id.clone()).collect()
}
