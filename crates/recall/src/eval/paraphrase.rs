//! Scores of the `paraphrase` folder: one sentence is a deleted claim, the other what a model says now.

use recall_core::candidate::Polarity;
use recall_core::claim::{Fingerprints, Statement, subject_of, suppression_of};
use recall_core::id::SuppressionId;
use recall_core::keys::{Key, KeyRing};
use serde_json::Value;

use super::{Judge, Row, Scorer, ratios};

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[
    Scorer { stage: "paraphrase", file: "locomo_claim_pairs", judge: Judge::Alone(judge_both), summarise: ratios },
    Scorer { stage: "paraphrase", file: "sick", judge: Judge::Alone(judge_both), summarise: ratios },
    Scorer { stage: "paraphrase", file: "mrpc", judge: Judge::Alone(judge_both), summarise: ratios },
    Scorer { stage: "paraphrase", file: "paws_wiki", judge: Judge::Alone(judge_different), summarise: ratios },
];

fn judge_both(row: &Value) -> Vec<Row> {
    judge(row, "suppressed_other")
}

fn judge_different(row: &Value) -> Vec<Row> {
    judge(row, "suppressed_different")
}

/// `overlap` rows are in no figure: whether a claim that says part of another is covered by its deletion is a matter of taste.
/// `entailed` rows (one says more than the other) have a figure of their own.
fn judge(row: &Value, other: &'static str) -> Vec<Row> {
    let text = |field: &str| row.get(field).and_then(Value::as_str).unwrap_or_default();
    let suppressed = suppressed_by(text("a"), text("b"));
    let metric = match text("label") {
        "overlap" => return Vec::new(),
        "same" => "caught_same",
        "entailed" => "suppressed_entailed",
        _ => other,
    };
    let wrong = suppressed != (metric == "caught_same");
    vec![Row {
        group: text("group").to_owned(),
        tally: vec![(metric, f64::from(u8::from(suppressed)), 1.0)],
        points: Vec::new(),
        wrong: wrong.then(|| format!("{metric}: {:?} / {:?}", text("a"), text("b"))),
    }]
}

/// Whether a claim is known again as a deleted one. The rows name no subject: it is set apart where both sentences begin with the
/// same one, else all words count as the claim.
fn suppressed_by(deleted: &str, claim: &str) -> bool {
    let subject = subject_of(deleted);
    let subject = if subject == subject_of(claim) { subject.as_str() } else { "" };
    let statement = |content| Statement { content, subject, attribute: "", value: "", polarity: Polarity::Positive };
    let ring = KeyRing::new(Key::new("eval", "eval"), Vec::new());
    let id = SuppressionId::new(ulid::Ulid(0));
    let suppression = suppression_of(&statement(deleted), Vec::new(), ring.current(), id);
    let found = Fingerprints::new(&statement(claim), &ring).compare(&suppression);
    found.is_some_and(|found| found.claims_the_same())
}
