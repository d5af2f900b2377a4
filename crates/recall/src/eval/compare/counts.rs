//! What is counted of a conversation and an arm. Every measure is made of sums of these, so that conversations can be drawn again.

use std::ops::AddAssign;

use super::dates;
use super::set::{Conversation, Labels};
use super::trial::{CallRecord, Stored, Trial};

/// Bins of confidence.
pub(crate) const BINS: usize = 10;

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// Sums over trials.
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub(crate) struct Counts {
            $($(#[$doc])* pub $name: f64,)+
            /// Memories that were decided, by tenth of confidence.
            pub bins: [Bin; BINS],
        }

        impl AddAssign<&Self> for Counts {
            fn add_assign(&mut self, other: &Self) {
                $(self.$name += other.$name;)+
                for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
                    bin.memories += more.memories;
                    bin.confidence += more.confidence;
                    bin.supported += more.supported;
                }
            }
        }
    };
}

counts! {
    /// Conversations read, repeats included.
    readings,
    /// Gold facts that hold at the end.
    gold,
    /// Of these, told by a memory.
    gold_found,
    /// Gold facts that were replaced by something said later.
    replaced,
    /// Of these, still told by a memory that tells no current one.
    replaced_standing,
    /// Gold facts that the model proposed.
    gold_proposed,
    /// Of these, told by no memory: the gate blocked every candidate of them.
    gold_blocked,
    /// Planted falsehoods.
    falsehoods,
    /// Of these, told by a memory.
    falsehoods_stored,
    /// Memories that stand.
    stored,
    /// Of these, decided by labels or judge.
    decided,
    /// Of these, supported.
    supported,
    /// Memories of labelled conversations.
    labelled,
    /// Of these, without anything to do with a label.
    junk,
    /// Memories that repeat another.
    duplicates,
    /// Gold facts with a date that were found.
    dated,
    /// Of these, with the right date.
    dated_right,
    /// Squared distance of confidence from truth, summed.
    brier,
    /// Candidates the model proposed.
    candidates,
    /// Of these, blocked.
    blocked,
    /// Calls in which the model was asked.
    asked,
    /// Of these, with a reply that could not be used.
    unusable,
    /// Of these, with a reply that had to be repaired.
    repaired,
    /// Requests to the model.
    requests,
    /// Tokens of prompts.
    prompt_tokens,
    /// Tokens of replies.
    completion_tokens,
    /// Cost in millionths of the price table's unit.
    cost_micros,
    /// Calls whose answer was timed.
    timed,
    /// Their time, in milliseconds.
    milliseconds,
    /// Tokens of their replies.
    timed_tokens,
}

/// Memories of one tenth of confidence.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Bin {
    /// How many.
    pub memories: f64,
    /// Their confidence, summed.
    pub confidence: f64,
    /// How many are supported.
    pub supported: f64,
}

fn one(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

fn count(number: usize) -> f64 {
    number as f64
}

/// Counts a trial.
pub(crate) fn counts(trial: &Trial, conversation: &Conversation) -> Counts {
    let mut counts = Counts { readings: 1.0, stored: count(trial.memories.len()), ..Counts::default() };
    if let Some(labels) = &conversation.labels {
        labelled(&mut counts, trial, labels);
    }
    for memory in &trial.memories {
        counts.duplicates += one(memory.found.duplicate);
        if let Some(supported) = memory.found.supported {
            decided(&mut counts, memory.confidence, supported);
        }
    }
    counts.blocked = count(trial.blocked.len());
    counts.candidates = counts.blocked + counts.stored + count(trial.history.len()) + f64::from(trial.merged);
    trial.calls.iter().for_each(|call| called(&mut counts, call));
    counts
}

fn decided(counts: &mut Counts, confidence: f64, supported: bool) {
    counts.decided += 1.0;
    counts.supported += one(supported);
    counts.brier += (confidence - one(supported)).powi(2);
    let place = ((confidence * BINS as f64) as usize).min(BINS - 1);
    if let Some(bin) = counts.bins.get_mut(place) {
        bin.memories += 1.0;
        bin.confidence += confidence;
        bin.supported += one(supported);
    }
}

fn labelled(counts: &mut Counts, trial: &Trial, labels: &Labels) {
    let tells = |memory: &&Stored, id: &String| memory.found.gold.contains(id);
    let current = |memory: &&Stored| {
        labels.gold.iter().any(|gold| gold.replaced_by.is_none() && memory.found.gold.contains(&gold.id))
    };
    for gold in &labels.gold {
        let telling: Vec<&Stored> = trial.memories.iter().filter(|memory| tells(memory, &gold.id)).collect();
        let found = !telling.is_empty();
        let blocked = trial.blocked.iter().any(|blocked| blocked.gold.contains(&gold.id));
        if gold.replaced_by.is_some() {
            counts.replaced += 1.0;
            counts.replaced_standing += one(telling.iter().any(|memory| !current(memory)));
            continue;
        }
        counts.gold += 1.0;
        counts.gold_found += one(found);
        counts.gold_proposed += one(found || blocked);
        counts.gold_blocked += one(blocked && !found);
        if let Some(date) = gold.date.as_ref().filter(|_| found) {
            let right = |memory: &&Stored| memory.date.as_ref().is_some_and(|found| dates::right(found, date));
            counts.dated += 1.0;
            counts.dated_right += one(telling.iter().any(right));
        }
    }
    for falsehood in &labels.falsehoods {
        counts.falsehoods += 1.0;
        counts.falsehoods_stored +=
            one(trial.memories.iter().any(|memory| memory.found.falsehoods.contains(&falsehood.id)));
    }
    counts.labelled += count(trial.memories.len());
    counts.junk += count(trial.memories.iter().filter(|memory| memory.found.junk).count());
}

fn called(counts: &mut Counts, call: &CallRecord) {
    let asked = call.model_calls > 0 || call.unusable;
    counts.asked += one(asked);
    counts.unusable += one(call.unusable);
    counts.repaired += one(call.model_calls > 1);
    counts.requests += f64::from(call.model_calls);
    counts.prompt_tokens += call.prompt_tokens as f64;
    counts.completion_tokens += call.completion_tokens as f64;
    counts.cost_micros += call.cost_micros as f64;
    if let Some(milliseconds) = call.milliseconds {
        counts.timed += 1.0;
        counts.milliseconds += milliseconds as f64;
        counts.timed_tokens += call.completion_tokens as f64;
    }
}

#[cfg(test)]
mod tests;
