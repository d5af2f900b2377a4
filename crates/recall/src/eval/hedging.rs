//! Scores of the `hedging` folder: how sure a sentence makes one of its predicates, against what readers say.

use std::collections::BTreeMap;

use recall_core::reading::hedges::factuality;
use recall_core::text;
use serde_json::Value;

use super::{Judge, Row, Scorer};

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[Scorer {
    stage: "hedging",
    file: "uds_factuality",
    judge: Judge::Alone(judge),
    summarise: correlation_and_error,
}];

fn judge(row: &Value) -> Vec<Row> {
    let sentence = row.get("sentence").and_then(Value::as_str).unwrap_or_default();
    let tokens = text::tokens(sentence);
    let starts = predicate_start(row, sentence);
    let at = tokens.iter().position(|token| token.span.end > starts).unwrap_or_default();
    let found = factuality(&tokens, at);
    let right = row.get("mean").and_then(Value::as_f64).unwrap_or_default();
    let wrong = (found - right).abs() > 3.0;
    let predicate = row.get("predicate").and_then(Value::as_str).unwrap_or_default();
    vec![Row {
        group: row.get("group").and_then(Value::as_str).unwrap_or_default().to_owned(),
        tally: Vec::new(),
        points: vec![(found, right)],
        wrong: wrong.then(|| format!("{predicate:?} {found:.1} instead of {right:.1}: {sentence:?}")),
    }]
}

/// Byte at which the predicate begins: the row's own tokens are found in the sentence one after the other.
fn predicate_start(row: &Value, sentence: &str) -> usize {
    let tokens = row.get("tokens").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let index = row.get("predicate_token").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
    let mut at = 0;
    for (place, token) in tokens.iter().filter_map(Value::as_str).enumerate() {
        let rest = sentence.get(at..).unwrap_or_default();
        let start = at + rest.find(token).unwrap_or_default();
        if Some(place) == index {
            return start;
        }
        at = start + if rest.contains(token) { token.len() } else { 0 };
    }
    at
}

fn correlation_and_error(rows: &[&Row]) -> BTreeMap<&'static str, f64> {
    let points: Vec<(f64, f64)> = rows.iter().flat_map(|row| row.points.iter().copied()).collect();
    let n = points.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (found, right) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let together = sum(&|point| (point.0 - found) * (point.1 - right));
    let spread = (sum(&|point| (point.0 - found).powi(2)) * sum(&|point| (point.1 - right).powi(2))).sqrt();
    let error = sum(&|point| (point.0 - point.1).abs()) / n;
    BTreeMap::from([("pearson_r", if spread > 0.0 { together / spread } else { 0.0 }), ("mae", error)])
}
