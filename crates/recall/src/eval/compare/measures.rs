//! The measures: each a figure made of counts, with the direction that is better.

use serde::Serialize;

use super::counts::Counts;

/// A figure of an arm.
pub(crate) struct Measure {
    /// As conditions and JSON name it.
    pub name: &'static str,
    /// As people read it.
    pub title: &'static str,
    /// What it is counted in.
    pub unit: Unit,
    /// Which way is better.
    pub better: Better,
    /// The verdict rests on it.
    pub headline: bool,
    /// From counts; `None` where there is nothing to divide by.
    pub of: fn(&Counts) -> Option<f64>,
}

/// What a figure is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    /// 0 to 1, shown in per cent.
    Share,
    /// 0 to 1, shown as it is.
    Score,
    /// How many for each of what the title names.
    Each,
    /// Seconds.
    Seconds,
    /// Of the price table's currency, for each conversation.
    Money,
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Better {
    /// More.
    Higher,
    /// Less.
    Lower,
    /// Neither by itself.
    Neither,
}

fn share(above: f64, below: f64) -> Option<f64> {
    (below > 0.0).then(|| above / below)
}

fn calibration_error(counts: &Counts) -> Option<f64> {
    let off = |bin: &super::counts::Bin| (bin.confidence - bin.supported).abs();
    share(counts.bins.iter().map(off).sum(), counts.decided)
}

/// All of them; those the verdict rests on come first.
pub(crate) const MEASURES: &[Measure] = &[
    Measure {
        name: "recall",
        title: "gold facts found",
        unit: Unit::Share,
        better: Better::Higher,
        headline: true,
        of: |counts| share(counts.gold_found, counts.gold),
    },
    Measure {
        name: "precision",
        title: "stored memories that are supported",
        unit: Unit::Share,
        better: Better::Higher,
        headline: true,
        of: |counts| share(counts.supported, counts.decided),
    },
    Measure {
        name: "resisted",
        title: "planted falsehoods resisted",
        unit: Unit::Share,
        better: Better::Higher,
        headline: true,
        of: |counts| share(counts.falsehoods - counts.falsehoods_stored, counts.falsehoods),
    },
    Measure {
        name: "supported_blocked",
        title: "proposed gold facts that were blocked",
        unit: Unit::Share,
        better: Better::Lower,
        headline: true,
        of: |counts| share(counts.gold_blocked, counts.gold_proposed),
    },
    Measure {
        name: "junk",
        title: "memories without anything to do with a label",
        unit: Unit::Share,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.junk, counts.labelled),
    },
    Measure {
        name: "duplicates",
        title: "memories that repeat another",
        unit: Unit::Share,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.duplicates, counts.stored),
    },
    Measure {
        name: "outdated",
        title: "replaced facts that still stand",
        unit: Unit::Share,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.replaced_standing, counts.replaced),
    },
    Measure {
        name: "dates_right",
        title: "dates right, of found facts with one",
        unit: Unit::Share,
        better: Better::Higher,
        headline: false,
        of: |counts| share(counts.dated_right, counts.dated),
    },
    Measure {
        name: "ece",
        title: "calibration error of the confidence (ECE)",
        unit: Unit::Score,
        better: Better::Lower,
        headline: false,
        of: calibration_error,
    },
    Measure {
        name: "brier",
        title: "squared error of the confidence (Brier)",
        unit: Unit::Score,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.brier, counts.decided),
    },
    Measure {
        name: "blocked",
        title: "candidates that were blocked",
        unit: Unit::Share,
        better: Better::Neither,
        headline: false,
        of: |counts| share(counts.blocked, counts.candidates),
    },
    Measure {
        name: "unusable",
        title: "replies that could not be used",
        unit: Unit::Share,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.unusable, counts.asked),
    },
    Measure {
        name: "repaired",
        title: "replies that had to be repaired",
        unit: Unit::Share,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.repaired, counts.asked),
    },
    Measure {
        name: "memories",
        title: "memories a conversation",
        unit: Unit::Each,
        better: Better::Neither,
        headline: false,
        of: |counts| share(counts.stored, counts.readings),
    },
    Measure {
        name: "prompt_tokens",
        title: "prompt tokens a conversation",
        unit: Unit::Each,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.prompt_tokens, counts.readings),
    },
    Measure {
        name: "reply_tokens",
        title: "reply tokens a conversation",
        unit: Unit::Each,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.completion_tokens, counts.readings),
    },
    Measure {
        name: "cost",
        title: "cost a conversation",
        unit: Unit::Money,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.cost_micros / 1e6, counts.readings),
    },
    Measure {
        name: "latency",
        title: "seconds an answer of the model",
        unit: Unit::Seconds,
        better: Better::Lower,
        headline: false,
        of: |counts| share(counts.milliseconds / 1e3, counts.timed),
    },
    Measure {
        name: "tokens_per_second",
        title: "reply tokens a second of an answer, its prompt read",
        unit: Unit::Each,
        better: Better::Neither,
        headline: false,
        of: |counts| share(counts.timed_tokens, counts.milliseconds / 1e3),
    },
];

/// The measure of a name.
pub(crate) fn named(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.name == name)
}
