//! Scores of the `grounding` folder: statements against the turns or documents they were made from.

use std::collections::BTreeMap;

use recall_core::call::{Call, Lane, Mode};
use recall_core::candidate::{Candidate, Citation, MemoryType, Polarity};
use recall_core::context::{Context, Near, Stamp};
use recall_core::evidence::{Evidence, Support};
use recall_core::id::TraceId;
use recall_core::keys::{Key, KeyRing};
use recall_core::moment::Moment;
use recall_core::provenance::ExtractedBy;
use recall_core::reading;
use recall_core::scope::{Owner, Scope};
use recall_core::stage::Reason;
use recall_core::stages::ground::ground;
use recall_core::turn::{self, AtSource, Role, Turn, TurnId};
use recall_core::window::Window;
use serde_json::Value;

use super::second::Second;
use super::{Judge, Row, Scorer, ratios};

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[
    Scorer {
        stage: "grounding",
        file: "locomo_natural_labels",
        judge: Judge::Seconded(natural),
        summarise: with_calibration,
    },
    Scorer {
        stage: "grounding",
        file: "locomo_natural_labels2",
        judge: Judge::Seconded(natural),
        summarise: with_calibration,
    },
    Scorer { stage: "grounding", file: "locomo_facts", judge: Judge::Seconded(built), summarise: ratios },
    Scorer { stage: "grounding", file: "diasumfact_qmsum", judge: Judge::Seconded(utterances), summarise: balanced },
    Scorer { stage: "grounding", file: "summedits_sales_call", judge: Judge::Seconded(documents), summarise: balanced },
    Scorer {
        stage: "grounding",
        file: "summedits_sales_email",
        judge: Judge::Seconded(documents),
        summarise: balanced,
    },
    Scorer { stage: "grounding", file: "summedits_qmsumm", judge: Judge::Seconded(documents), summarise: balanced },
    Scorer { stage: "grounding", file: "begin", judge: Judge::Seconded(sentence), summarise: balanced },
    Scorer { stage: "grounding", file: "begin_long_source", judge: Judge::Seconded(sentence), summarise: balanced },
    Scorer { stage: "grounding", file: "faithdial_audit", judge: Judge::Seconded(sentence), summarise: balanced },
    Scorer { stage: "grounding", file: "dialfact_small", judge: Judge::Seconded(sentence), summarise: balanced },
];

type Verdict = Result<Evidence, Reason>;
/// A speaker and what was said.
type Said = (String, String);

/// Confidence that stands for a verdict when its calibration is measured.
fn likelihood(verdict: &Verdict) -> f64 {
    match verdict {
        Ok(evidence) if evidence.support == Support::Supported => 0.9,
        Ok(_) => 0.5,
        Err(_) => 0.1,
    }
}

fn natural(row: &Value, second: Option<&Second>) -> Vec<Row> {
    let verdict = locomo(row, second);
    let (label, statement) = (text(row, "label"), text(row, "statement"));
    let passed = f64::from(u8::from(verdict.is_ok()));
    let full = f64::from(u8::from(verdict.as_ref().is_ok_and(|found| found.support == Support::Supported)));
    let (tally, right) = match label.as_str() {
        "supported" => (vec![("pass_supported", passed, 1.0), ("supported_as_supported", full, 1.0)], full),
        "partial" => (vec![("flag_partial", 1.0 - full, 1.0)], 1.0 - full),
        _ => (vec![("block_unsupported", 1.0 - passed, 1.0)], 1.0 - passed),
    };
    let truth = f64::from(u8::from(label == "supported"));
    vec![Row {
        group: text(row, "group"),
        tally,
        points: vec![(likelihood(&verdict), truth)],
        wrong: (right < 1.0).then(|| format!("{label}: {} ({})", statement, told(&verdict))),
    }]
}

fn built(row: &Value, second: Option<&Second>) -> Vec<Row> {
    let verdict = locomo(row, second);
    let kind = text(row, "kind");
    let passed = f64::from(u8::from(verdict.is_ok()));
    let (metric, score) = match kind.as_str() {
        "natural" => ("pass_natural", passed),
        "wrong_turn" => ("block_wrong_turn", 1.0 - passed),
        "wrong_speaker" => ("block_wrong_speaker", 1.0 - passed),
        "value_swap" => ("block_value_swap", 1.0 - passed),
        _ => ("block_negation", 1.0 - passed),
    };
    vec![Row {
        group: text(row, "group"),
        tally: vec![(metric, score, 1.0)],
        points: Vec::new(),
        wrong: (score < 1.0).then(|| format!("{kind}: {} ({})", text(row, "statement"), told(&verdict))),
    }]
}

fn sentence(row: &Value, second: Option<&Second>) -> Vec<Row> {
    let source = [(String::new(), text(row, "source"))];
    let verdict = judge((&source, &[]), "", &text(row, "statement"), second);
    vec![two_sided(&text(row, "group"), &text(row, "label"), &text(row, "statement"), &verdict)]
}

fn documents(row: &Value, second: Option<&Second>) -> Vec<Row> {
    let source = [(String::new(), text(row, "source"))];
    statements(row, &source, second)
}

fn utterances(row: &Value, second: Option<&Second>) -> Vec<Row> {
    let said: Vec<(String, String)> = list(row, "utterances")
        .iter()
        .filter_map(Value::as_str)
        .map(|line| line.split_once(": ").unwrap_or(("", line)))
        .map(|(speaker, words)| (speaker.to_owned(), words.to_owned()))
        .collect();
    statements(row, &said, second)
}

fn statements(row: &Value, source: &[Said], second: Option<&Second>) -> Vec<Row> {
    let group = text(row, "group");
    let judged = list(row, "statements").iter().map(|statement| {
        let said = text(statement, "text");
        let verdict = judge((source, &[]), "", &said, second);
        two_sided(&group, &text(statement, "label"), &said, &verdict)
    });
    judged.collect()
}

/// `generic` counts as supported; of every other set supported stands against the rest.
fn two_sided(group: &str, label: &str, statement: &str, verdict: &Verdict) -> Row {
    let supported = matches!(label, "supported" | "generic");
    let passed = verdict.is_ok();
    let tally = if supported {
        vec![("false_block", f64::from(u8::from(!passed)), 1.0)]
    } else {
        vec![("false_accept", f64::from(u8::from(passed)), 1.0)]
    };
    Row {
        group: group.to_owned(),
        tally,
        points: Vec::new(),
        wrong: (supported != passed).then(|| format!("{label}: {statement} ({})", told(verdict))),
    }
}

fn balanced(rows: &[&Row]) -> BTreeMap<&'static str, f64> {
    let mut metrics = ratios(rows);
    let errors: f64 = ["false_block", "false_accept"].iter().filter_map(|metric| metrics.get(metric)).sum();
    metrics.insert("balanced_accuracy", 1.0 - errors / 2.0);
    metrics
}

/// Adds the expected calibration error over the three verdicts.
fn with_calibration(rows: &[&Row]) -> BTreeMap<&'static str, f64> {
    let mut metrics = ratios(rows);
    let points: Vec<(f64, f64)> = rows.iter().flat_map(|row| row.points.iter().copied()).collect();
    let error: f64 = [0.1, 0.5, 0.9]
        .iter()
        .map(|level| {
            let bin: Vec<f64> =
                points.iter().filter(|(said, _)| (said - level).abs() < 0.01).map(|(_, truth)| *truth).collect();
            let truth = bin.iter().sum::<f64>();
            (truth - level * bin.len() as f64).abs()
        })
        .sum();
    metrics.insert("ece", error / points.len().max(1) as f64);
    metrics
}

fn told(verdict: &Verdict) -> String {
    match verdict {
        Ok(evidence) => format!("{:?}, {:.2}", evidence.support, evidence.coverage),
        Err(reason) => reason.to_string(),
    }
}

fn locomo(row: &Value, second: Option<&Second>) -> Verdict {
    let said = |turns: &[Value]| -> Vec<(String, String)> {
        turns.iter().map(|turn| (text(turn, "speaker"), with_caption(turn))).collect()
    };
    let (source, before) = (said(list(row, "source")), said(list(row, "prev")));
    judge((&source, &before), &text(row, "fact_about"), &text(row, "statement"), second)
}

/// A picture that was sent is part of what was said.
fn with_caption(turn: &Value) -> String {
    match turn.get("image_caption").and_then(Value::as_str) {
        Some(caption) => format!("{}\n{caption}.", text(turn, "text")),
        None => text(turn, "text"),
    }
}

/// The judgement of the product; a row without quotes cites its turns whole.
fn judge((source, before): (&[Said], &[Said]), subject: &str, statement: &str, second: Option<&Second>) -> Verdict {
    let turns = |said: &[(String, String)], prefix: &str| -> Vec<Turn> {
        said.iter().enumerate().map(|(at, (speaker, words))| turn(format!("{prefix}{at}"), speaker, words)).collect()
    };
    let Ok(scope) = Scope::new("eval".into(), Owner::User("eval".into()), None) else { return Err(Reason::NoSource) };
    let cited = turns(source, "t");
    let cite = |turn: &Turn| Citation { turn_id: turn.id.clone(), quote: turn.content.as_str().to_owned() };
    let evidence = cited.iter().map(cite).collect();
    let window = Window { turns: turns(before, "w"), ..Window::default() };
    let reading = reading::read(window, call(scope, cited));
    let keys = KeyRing::new(Key::new("eval", "eval"), Vec::new());
    let stamp =
        Stamp { ran_at: reading.call.accepted_at, extracted_by: ExtractedBy::new("eval", "eval", ("", "", "")) };
    let cx = Context { reading: &reading, near: &Near::default(), keys: &keys, stamp: &stamp, opinions: None };
    let candidate = candidate(subject, statement, evidence);
    match second {
        Some(second) => second.ground(&cx, &candidate),
        None => ground(&cx, &candidate),
    }
}

fn candidate(subject: &str, statement: &str, evidence: Vec<Citation>) -> Candidate {
    Candidate {
        content: statement.to_owned(),
        memory_type: MemoryType::Fact,
        subject: subject.to_owned(),
        attribute: String::new(),
        value: String::new(),
        polarity: Polarity::Positive,
        evidence,
        time_expression: None,
        confidence: 0.9,
    }
}

fn turn(id: String, speaker: &str, words: &str) -> Turn {
    Turn {
        id: TurnId(id),
        role: Role::User,
        content: turn::Said::new(words),
        at: None,
        at_source: AtSource::Unknown,
        name: (!speaker.is_empty()).then(|| speaker.to_owned()),
        scope: None,
    }
}

fn call(scope: Scope, turns: Vec<Turn>) -> Call {
    Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("eval", "eval"), "eval", "eval"),
        scope,
        session_id: None,
        turns,
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: Moment::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::Offset::UTC),
        remarks: Vec::new(),
    }
}

fn text(row: &Value, field: &str) -> String {
    row.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn list<'a>(row: &'a Value, field: &str) -> &'a [Value] {
    row.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}
