//! A comparison made of trials.

use std::collections::BTreeMap;

use recall_llm::recorded::Header;

use super::{ArmInfo, Both, Decided, PLANTED, Protocol, Read, ReasonRow, Report, Row, Slice, Tenth, Times};
use crate::eval::compare::changes::changed;
use crate::eval::compare::counts::{Bin, counts};
use crate::eval::compare::lab::Arm;
use crate::eval::compare::matching::Agreement;
use crate::eval::compare::measures::{MEASURES, Measure};
use crate::eval::compare::set::Conversation;
use crate::eval::compare::statistics::{Compared, Effort, Pair, adjusted, compare, detectable, power};
use crate::eval::compare::trial::{Decider, Side, Trial};

/// What a comparison was made of.
pub(crate) struct Made<'m> {
    /// The arms, a first.
    pub arms: &'m [Arm; 2],
    /// How often and how long.
    pub repeats: u32,
    /// Turns of one call.
    pub turns_per_call: usize,
    /// How much is drawn.
    pub effort: Effort,
    /// How the tape came to be.
    pub recorded: Vec<Header>,
    /// How far the matcher agrees with people.
    pub matcher: Option<Agreement>,
}

impl Report {
    /// Counts trials and compares.
    pub(crate) fn new(made: Made<'_>, conversations: &[Conversation], trials: Vec<Trial>) -> Self {
        let pairs: Vec<Pair> = conversations.iter().map(|conversation| pair(conversation, &trials)).collect();
        let measures = rows(compare(&pairs, made.effort));
        let mut all = Pair::default();
        for pair in &pairs {
            all.a += &pair.a;
            all.b += &pair.b;
        }
        let [a, b] = made.arms;
        Self {
            format: 1,
            arms: Both { a: info(a, &trials), b: info(b, &trials) },
            protocol: Protocol {
                repeats: made.repeats,
                turns_per_call: made.turns_per_call,
                effort: made.effort,
                decided: decided(&trials),
                recorded: made.recorded,
            },
            slices: slices(conversations, &pairs, made.effort),
            reasons: reasons(&trials),
            reliability: Both { a: tenths(&all.a.bins), b: tenths(&all.b.bins) },
            answers: Both { a: times(&trials, Side::A), b: times(&trials, Side::B) },
            matcher: made.matcher,
            changed: changed(conversations, &trials),
            conversations: conversations
                .iter()
                .zip(&pairs)
                .map(|(conversation, pair)| read(conversation, pair))
                .collect(),
            measures,
            trials,
        }
    }
}

fn info(arm: &Arm, trials: &[Trial]) -> ArmInfo {
    let mut models: Vec<String> =
        trials.iter().filter(|trial| trial.arm == arm.side).flat_map(|trial| trial.models.clone()).collect();
    models.sort();
    models.dedup();
    ArmInfo { prompt: arm.prompt.version.clone(), prompt_sha256: arm.prompt.sha256.clone(), models }
}

fn read(conversation: &Conversation, pair: &Pair) -> Read {
    let headline = MEASURES.iter().filter(|measure| measure.headline);
    let both = |measure: &Measure| Both { a: (measure.of)(&pair.a), b: (measure.of)(&pair.b) };
    Read {
        id: conversation.id.clone(),
        language: conversation.language.clone().unwrap_or_else(|| "?".to_owned()),
        kind: conversation.kind.clone(),
        length: conversation.length(),
        turns: conversation.turns(),
        labels: conversation.labels.clone(),
        figures: headline.map(|measure| (measure.name, both(measure))).collect(),
    }
}

/// What both arms made of a conversation, all repeats added up.
pub(crate) fn pair(conversation: &Conversation, trials: &[Trial]) -> Pair {
    let mut pair = Pair::default();
    for trial in trials.iter().filter(|trial| trial.conversation == conversation.id) {
        let counted = counts(trial, conversation);
        match trial.arm {
            Side::A => pair.a += &counted,
            Side::B => pair.b += &counted,
        }
    }
    pair
}

fn rows(compared: Vec<Compared>) -> Vec<Row> {
    let headline = |measure: &Measure, p: Option<f64>| p.filter(|_| measure.headline);
    let probabilities: Vec<Option<f64>> =
        MEASURES.iter().zip(&compared).map(|(measure, row)| headline(measure, row.difference.p)).collect();
    MEASURES
        .iter()
        .zip(compared)
        .zip(adjusted(&probabilities))
        .map(|((measure, compared), adjusted_p)| {
            let deviation = compared.difference.deviation.filter(|_| measure.headline);
            Row {
                name: measure.name,
                title: measure.title,
                unit: measure.unit,
                better: measure.better,
                headline: measure.headline,
                compared,
                adjusted_p,
                power: deviation.map(|deviation| power(PLANTED, deviation)),
                detectable: deviation.map(detectable),
            }
        })
        .collect()
}

fn slices(conversations: &[Conversation], pairs: &[Pair], effort: Effort) -> Vec<Slice> {
    let language = |conversation: &Conversation| conversation.language.clone().unwrap_or_else(|| "?".to_owned());
    type Name<'n> = &'n dyn Fn(&Conversation) -> String;
    let by: [(&'static str, Name<'_>); 3] = [
        ("type", &|conversation| conversation.kind.clone()),
        ("length", &|conversation| conversation.length().to_owned()),
        ("language", &language),
    ];
    let mut slices = Vec::new();
    for (by, name) in by {
        let mut parts: BTreeMap<String, Vec<Pair>> = BTreeMap::new();
        for (conversation, pair) in conversations.iter().zip(pairs) {
            parts.entry(name(conversation)).or_default().push(*pair);
        }
        let mut parts: Vec<(String, Vec<Pair>)> = parts.into_iter().collect();
        // "9 to 20" comes before "over 20" and after "1 to 8".
        parts.sort_by_key(|(name, _)| name.starts_with("over"));
        for (name, pairs) in parts {
            let measures = rows(compare(&pairs, effort)).into_iter().filter(|row| row.headline).collect();
            slices.push(Slice { by, name, conversations: pairs.len(), measures });
        }
    }
    slices
}

fn reasons(trials: &[Trial]) -> Vec<ReasonRow> {
    let mut rows: BTreeMap<String, ReasonRow> = BTreeMap::new();
    for trial in trials {
        for (reason, (count, gold)) in trial.reasons() {
            let row = rows.entry(reason.to_owned()).or_insert_with(|| ReasonRow {
                reason: reason.to_owned(),
                a: (0, 0),
                b: (0, 0),
            });
            let side = match trial.arm {
                Side::A => &mut row.a,
                Side::B => &mut row.b,
            };
            side.0 += count;
            side.1 += gold;
        }
    }
    let mut rows: Vec<ReasonRow> = rows.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.a.0 + row.b.0));
    rows
}

fn tenths(bins: &[Bin]) -> Vec<Tenth> {
    let places = bins.iter().enumerate();
    places
        .map(|(place, bin)| Tenth {
            from: place as f64 / bins.len() as f64,
            memories: bin.memories,
            confidence: (bin.memories > 0.0).then(|| bin.confidence / bin.memories),
            supported: (bin.memories > 0.0).then(|| bin.supported / bin.memories),
        })
        .collect()
}

fn times(trials: &[Trial], side: Side) -> Option<Times> {
    let calls = trials.iter().filter(|trial| trial.arm == side).flat_map(|trial| &trial.calls);
    let mut taken: Vec<u64> = calls.filter_map(|call| call.milliseconds).collect();
    taken.sort_unstable();
    let at = |share: f64| taken.get((share * (taken.len().checked_sub(1)? as f64)).round() as usize).copied();
    let seconds = |milliseconds: u64| milliseconds as f64 / 1e3;
    Some(Times { answers: taken.len(), median: at(0.5).map(seconds)?, p95: at(0.95).map(seconds)? })
}

fn decided(trials: &[Trial]) -> Decided {
    let mut decided = Decided::default();
    for memory in trials.iter().flat_map(|trial| &trial.memories) {
        match memory.found.decided_by {
            Some(Decider::Judge) => decided.by_judge += 1,
            Some(Decider::Gold | Decider::Falsehood | Decider::Replaced) => decided.by_labels += 1,
            None => decided.by_nobody += 1,
        }
    }
    decided
}
