//! The figures of a report counted again from its trials and labels, by other code: another way to count, another draw.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{arguments, world};
use crate::world::text;

/// Numerator and denominator of a measure.
type Ratio = (f64, f64);

fn list<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    value[field].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn number(yes: bool) -> f64 {
    if yes { 1.0 } else { 0.0 }
}

/// Ratios of a trial, by measure.
fn ratios(trial: &Value, labels: &Value) -> BTreeMap<&'static str, Ratio> {
    let memories = list(trial, "memories");
    let holds = |field: &str, id: &Value| memories.iter().any(|memory| list(memory, field).contains(id));
    let mut ratios: BTreeMap<&'static str, Ratio> = BTreeMap::new();
    let mut add = |name, above: f64, below: f64| {
        let ratio = ratios.entry(name).or_default();
        *ratio = (ratio.0 + above, ratio.1 + below);
    };
    for gold in list(labels, "gold").iter().filter(|gold| gold["replaced_by"].is_null()) {
        let found = holds("gold", &gold["id"]);
        let blocked = list(trial, "blocked").iter().any(|blocked| list(blocked, "gold").contains(&gold["id"]));
        add("recall", number(found), 1.0);
        add("supported_blocked", number(blocked && !found), number(blocked || found));
    }
    for falsehood in list(labels, "falsehoods") {
        add("resisted", number(!holds("falsehoods", &falsehood["id"])), 1.0);
    }
    for memory in memories {
        add("junk", number(memory["junk"] == true), 1.0);
        add("duplicates", number(memory["duplicate"] == true), 1.0);
        if let Some(supported) = memory["supported"].as_bool() {
            let off = memory["confidence"].as_f64().unwrap() - number(supported);
            add("precision", number(supported), 1.0);
            add("brier", off * off, 1.0);
        }
    }
    let calls = list(trial, "calls");
    let sum = |field: &str| calls.iter().filter_map(|call| call[field].as_f64()).sum::<f64>();
    add("prompt_tokens", sum("prompt_tokens"), 1.0);
    add("reply_tokens", sum("completion_tokens"), 1.0);
    add("memories", memories.len() as f64, 1.0);
    let timed = calls.iter().filter(|call| call["milliseconds"].is_number()).count();
    add("latency", sum("milliseconds") / 1e3, timed as f64);
    let of_timed = |call: &&Value| call["milliseconds"].is_number();
    let tokens: f64 = calls.iter().filter(of_timed).filter_map(|call| call["completion_tokens"].as_f64()).sum();
    add("tokens_per_second", tokens, sum("milliseconds") / 1e3);
    let blocked = list(trial, "blocked").len() as f64;
    let merged = trial["merged"].as_f64().unwrap() + list(trial, "history").len() as f64;
    add("blocked", blocked, blocked + merged + memories.len() as f64);
    ratios
}

fn calibration_error(report: &Value, arm: &str) -> f64 {
    let trials = list(report, "trials").iter().filter(|trial| trial["arm"] == arm);
    let memories: Vec<&Value> = trials.flat_map(|trial| list(trial, "memories")).collect();
    let mut tenths: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for memory in memories.iter().filter(|memory| memory["supported"].is_boolean()) {
        let confidence = memory["confidence"].as_f64().unwrap();
        let tenth = tenths.entry(((confidence * 10.0).floor() as i64).min(9)).or_default();
        tenth.0 += confidence;
        tenth.1 += number(memory["supported"] == true);
    }
    let decided = memories.iter().filter(|memory| memory["supported"].is_boolean()).count() as f64;
    tenths.values().map(|(confidence, supported)| (confidence - supported).abs()).sum::<f64>() / decided
}

/// Ratios by conversation, of arm a and b.
fn counted(report: &Value, measure: &str) -> Vec<[Ratio; 2]> {
    let conversation = |read: &Value| {
        ["a", "b"].map(|arm| {
            let trials = list(report, "trials").iter();
            let own = trials.filter(|trial| trial["conversation"] == read["id"] && trial["arm"] == arm);
            own.fold((0.0, 0.0), |sum, trial| {
                let one = ratios(trial, &read["labels"]).get(measure).copied().unwrap_or_default();
                (sum.0 + one.0, sum.1 + one.1)
            })
        })
    };
    list(report, "conversations").iter().map(conversation).collect()
}

fn values(counted: impl Iterator<Item = [Ratio; 2]>) -> [f64; 2] {
    let mut sums = [(0.0, 0.0); 2];
    for pair in counted {
        for (sum, one) in sums.iter_mut().zip(pair) {
            *sum = (sum.0 + one.0, sum.1 + one.1);
        }
    }
    sums.map(|(above, below)| above / below)
}

/// Draws of another kind than the product's.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_figure_of_the_report_is_the_one_counted_from_its_trials() {
    let (world, data, _) = world().await;
    let data = data.display().to_string();
    let output = world.recall(&arguments(&data, &["--json", "report.json", "--repeats", "2"]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&std::fs::read(world.folder().join("report.json")).unwrap()).unwrap();
    let mut seen = 0;
    for row in list(&report, "measures") {
        let name = row["name"].as_str().unwrap();
        let [a, b] = match name {
            "ece" => [calibration_error(&report, "a"), calibration_error(&report, "b")],
            "outdated" | "dates_right" => {
                assert!(row["a"]["value"].is_null(), "nothing was replaced or dated: {row}");
                continue;
            }
            "cost" | "unusable" | "repaired" => [0.0, 0.0],
            _ => values(counted(&report, name).into_iter()),
        };
        for (found, right) in [(&row["a"], a), (&row["b"], b), (&row["difference"], b - a)] {
            let value = found["value"].as_f64().unwrap_or(f64::NAN);
            assert!((value - right).abs() < 1e-9, "{name}: {value} instead of {right}");
            let (low, high) = (found["low"].as_f64().unwrap(), found["high"].as_f64().unwrap());
            assert!(low <= value + 1e-12 && value <= high + 1e-12, "{name}: {found}");
        }
        seen += 1;
    }
    assert_eq!(seen, 17);
    let recall = list(&report, "measures").iter().find(|row| row["name"] == "recall").unwrap();
    intervals_agree(&report, recall);
    assert!(recall["b"]["value"] == 1.0 && recall["a"]["value"].as_f64().unwrap() < 0.9, "{recall}");
    slices_agree(&report);
}

/// Interval and probability of the difference, drawn with other dice.
fn intervals_agree(report: &Value, row: &Value) {
    let counted = counted(report, "recall");
    let mut dice = Dice(7);
    let difference = |[a, b]: [f64; 2]| b - a;
    let mut drawn: Vec<f64> =
        (0..4000).map(|_| difference(values((0..counted.len()).map(|_| counted[dice.below(counted.len())])))).collect();
    drawn.sort_by(f64::total_cmp);
    for (field, place) in [("low", 100), ("high", 3899)] {
        let told = row["difference"][field].as_f64().unwrap();
        assert!((told - drawn[place]).abs() < 0.02, "{field}: {told} against {}", drawn[place]);
    }
    let seen = difference(values(counted.iter().copied())).abs();
    let as_large = (0..4000).filter(|_| {
        let swapped = counted.iter().map(|[a, b]| if dice.below(2) == 0 { [*a, *b] } else { [*b, *a] });
        difference(values(swapped)).abs() >= seen - 1e-12
    });
    let p = as_large.count() as f64 / 4000.0;
    let told = row["difference"]["p"].as_f64().unwrap();
    assert!((told - p).abs() < 0.02, "p {told} against {p}");
}

/// The parts of each kind have all conversations, and their figures are those of theirs.
fn slices_agree(report: &Value) {
    for (by, field) in [("type", "type"), ("language", "language"), ("length", "length")] {
        let slices: Vec<&Value> = list(report, "slices").iter().filter(|slice| slice["by"] == by).collect();
        let all: u64 = slices.iter().map(|slice| slice["conversations"].as_u64().unwrap()).sum();
        assert_eq!(all as usize, list(report, "conversations").len(), "{by}");
        for slice in slices {
            let places = list(report, "conversations").iter().zip(counted(report, "recall"));
            let own = places.filter(|(read, _)| read[field] == slice["name"]).map(|(_, pair)| pair);
            let right = values(own);
            let row = list(slice, "measures").iter().find(|row| row["name"] == "recall").unwrap();
            assert!((row["b"]["value"].as_f64().unwrap() - right[1]).abs() < 1e-9, "{slice}");
            assert!((row["a"]["value"].as_f64().unwrap() - right[0]).abs() < 1e-9, "{slice}");
        }
    }
}
