//! What each stored memory is: a gold fact, a planted falsehood, a repeat, or nothing anybody asked for. By labels, then by a judge
//! model outside the pipeline; never by the gate, whose verdict would always be its own.

use recall_core::evidence::Support;

use super::matching::{Told, closeness, same, tells, tells_falsehood};
use super::set::{Conversation, Gold, Labels};
use super::trial::{Blocked, Decider, Found, Stored, Trial};

/// What a judge said of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opinion {
    /// Nobody was to be asked.
    NoJudge,
    /// It was asked and gave no answer.
    Silent,
    /// What it said.
    Said(Support),
}

/// Finds what labels say of a trial.
pub(crate) fn by_labels(trial: &mut Trial, conversation: &Conversation) {
    let language = conversation.language.as_deref();
    if let Some(labels) = &conversation.labels {
        for memory in &mut trial.memories {
            memory.found = found(memory, labels, language);
        }
        for blocked in &mut trial.blocked {
            blocked.gold = proposed(blocked, labels, language);
        }
    }
    mark_duplicates(&mut trial.memories, language);
}

/// Decides what labels left open.
pub(crate) fn by_judge(memory: &mut Stored, labelled: bool, opinion: Opinion) {
    if memory.found.supported.is_some() {
        return;
    }
    let (supported, decided_by) = match opinion {
        Opinion::Said(support) => (Some(support == Support::Supported), Some(Decider::Judge)),
        // Where people wrote down what is worth keeping, what they did not write down is not.
        Opinion::NoJudge if labelled => (Some(false), Some(Decider::Gold)),
        Opinion::NoJudge | Opinion::Silent => (None, None),
    };
    (memory.found.supported, memory.found.decided_by) = (supported, decided_by);
}

fn found(memory: &Stored, labels: &Labels, language: Option<&str>) -> Found {
    let told = told(memory, language);
    let gold: Vec<&Gold> = labels.gold.iter().filter(|gold| tells(&told, gold)).collect();
    let nearest = gold.iter().map(|gold| closeness(&told, &gold.claim)).fold(0.0, f64::max);
    // A memory of something true that shares words with a falsehood tells the truth.
    let falsehoods = labels.falsehoods.iter().filter(|falsehood| {
        tells_falsehood(&told, falsehood) && (gold.is_empty() || closeness(&told, &falsehood.claim) > nearest)
    });
    let falsehoods: Vec<String> = falsehoods.map(|falsehood| falsehood.id.clone()).collect();
    let current = gold.iter().any(|gold| gold.replaced_by.is_none());
    let (supported, decided_by) = match (falsehoods.is_empty(), current, gold.is_empty()) {
        (false, _, _) => (Some(false), Some(Decider::Falsehood)),
        (true, true, _) => (Some(true), Some(Decider::Gold)),
        (true, false, false) => (Some(false), Some(Decider::Replaced)),
        (true, false, true) => (None, None),
    };
    Found {
        junk: gold.is_empty() && falsehoods.is_empty(),
        gold: gold.into_iter().map(|gold| gold.id.clone()).collect(),
        falsehoods,
        supported,
        decided_by,
        duplicate: false,
    }
}

fn proposed(blocked: &Blocked, labels: &Labels, language: Option<&str>) -> Vec<String> {
    let told = Told { content: &blocked.content, subject: &blocked.subject, negative: blocked.negative, language };
    labels.gold.iter().filter(|gold| tells(&told, gold)).map(|gold| gold.id.clone()).collect()
}

/// A memory repeats an earlier one where both tell the same gold facts, or the same words where there are no labels for them.
fn mark_duplicates(memories: &mut [Stored], language: Option<&str>) {
    let repeats = |one: &Stored, other: &Stored| match (one.found.gold.is_empty(), other.found.gold.is_empty()) {
        (false, false) => one.found.gold == other.found.gold,
        (true, true) => same(&told(one, language), &other.content) && same(&told(other, language), &one.content),
        (true, false) | (false, true) => false,
    };
    let marks: Vec<bool> = memories
        .iter()
        .enumerate()
        .map(|(at, memory)| memories.iter().take(at).any(|earlier| repeats(memory, earlier)))
        .collect();
    memories.iter_mut().zip(marks).for_each(|(memory, mark)| memory.found.duplicate = mark);
}

fn told<'m>(memory: &'m Stored, language: Option<&'m str>) -> Told<'m> {
    Told { content: &memory.content, subject: &memory.subject, negative: memory.negative, language }
}

#[cfg(test)]
mod tests;
