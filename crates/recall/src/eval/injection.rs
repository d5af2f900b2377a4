//! Scores of the `injection` folder: what is taken for an instruction posing as a fact, and what is wrongly taken for one.

use recall_core::candidate::{Candidate, Citation, MemoryType, Polarity};
use recall_core::stages::suppress::injection;
use recall_core::turn::TurnId;
use serde_json::Value;

use super::{Judge, Row, Scorer, ratios};

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] =
    &[Scorer { stage: "injection", file: "injection_mix", judge: Judge::Alone(judge), summarise: ratios }];

/// A row is one user turn whose candidate has content = quote = the text.
fn judge(row: &Value) -> Vec<Row> {
    let field = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    let text = field("text");
    let blocked = injection::is_injection(text) || injection::claims_authority(&candidate(text));
    let attack = field("label") == "attack";
    let metric = match (attack, field("source")) {
        (true, _) => "recall_attack",
        (false, "notinject") => "fp_notinject",
        (false, "chitchat") => "fp_chitchat",
        (false, _) => "fp_benign",
    };
    let wrong = attack != blocked;
    vec![Row {
        group: field("group").to_owned(),
        tally: vec![(metric, f64::from(u8::from(blocked)), 1.0)],
        points: Vec::new(),
        wrong: wrong.then(|| format!("{metric} ({}) {text}", field("category"))),
    }]
}

fn candidate(text: &str) -> Candidate {
    Candidate {
        content: text.to_owned(),
        memory_type: MemoryType::Fact,
        subject: "user".into(),
        attribute: String::new(),
        value: text.to_owned(),
        polarity: Polarity::Positive,
        evidence: vec![Citation { turn_id: TurnId("row".into()), quote: text.to_owned() }],
        time_expression: None,
        confidence: 1.0,
    }
}
