//! Scores the stages on labelled rows: one scorer a file, one table of all scorers. Compares prompts and models in [`compare`].

mod cases;
pub(crate) mod compare;
pub(crate) mod gate;
mod grounding;
mod hedging;
mod injection;
mod paraphrase;
mod prefilter;
mod pronouns;
pub(crate) mod second;
mod temporal;

use std::collections::BTreeMap;

use second::Second;
use serde_json::Value;

/// What one row of a file adds to the scores.
pub(crate) struct Row {
    /// Conversation, document or dialogue: rows of one group are resampled together.
    pub group: String,
    /// Metric, numerator and denominator of this row.
    pub tally: Vec<(&'static str, f64, f64)>,
    /// Predicted and true value, for metrics that are no ratio.
    pub points: Vec<(f64, f64)>,
    /// What is wrong with the row, in one line, where something is.
    pub wrong: Option<String>,
}

/// How a line is judged.
pub(crate) enum Judge {
    /// By the words.
    Alone(fn(&Value) -> Vec<Row>),
    /// With a second opinion, where one is asked.
    Seconded(fn(&Value, Option<&Second>) -> Vec<Row>),
}

impl Judge {
    fn rows(&self, line: &Value, second: Option<&Second>) -> Vec<Row> {
        match self {
            Self::Alone(judge) => judge(line),
            Self::Seconded(judge) => judge(line, second),
        }
    }
}

/// How a file of rows is scored.
pub(crate) struct Scorer {
    /// Folder of the file.
    pub stage: &'static str,
    /// Name of the file before `.dev.jsonl`, without the licence tag.
    pub file: &'static str,
    /// Judges one line of the file; several where a line holds several statements.
    pub judge: Judge,
    /// Turns rows into metrics; [`ratios`] where every metric is one.
    pub summarise: fn(&[&Row]) -> BTreeMap<&'static str, f64>,
}

/// Every metric as the sum of its numerators over the sum of its denominators.
pub(crate) fn ratios(rows: &[&Row]) -> BTreeMap<&'static str, f64> {
    let mut sums: BTreeMap<&'static str, (f64, f64)> = BTreeMap::new();
    for (metric, numerator, denominator) in rows.iter().flat_map(|row| &row.tally) {
        let sum = sums.entry(metric).or_default();
        sum.0 += numerator;
        sum.1 += denominator;
    }
    let defined = sums.into_iter().filter(|(_, (_, below))| *below > 0.0);
    defined.map(|(metric, (above, below))| (metric, above / below)).collect()
}

/// Every scorer, in the order of the pipeline.
pub(crate) fn scorers() -> impl Iterator<Item = &'static Scorer> {
    let tables = [
        prefilter::SCORERS,
        grounding::SCORERS,
        pronouns::SCORERS,
        temporal::SCORERS,
        hedging::SCORERS,
        paraphrase::SCORERS,
        injection::SCORERS,
        cases::SCORERS,
    ];
    tables.into_iter().flatten()
}
