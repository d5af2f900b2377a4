//! Scores of the `prefilter` folder: which turns are kept before any model is asked.

use recall_core::call::{Call, Lane, Mode};
use recall_core::id::TraceId;
use recall_core::keys::Key;
use recall_core::moment::Moment;
use recall_core::pipeline;
use recall_core::reading;
use recall_core::scope::{Owner, Scope};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_core::window::Window;
use serde_json::Value;

use super::{Judge, Row, Scorer, ratios};

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[
    Scorer { stage: "prefilter", file: "locomo_turns", judge: Judge::Alone(chat), summarise: ratios },
    Scorer { stage: "prefilter", file: "swda_acts", judge: Judge::Alone(telephone), summarise: ratios },
];

/// `worthy` turns are to be kept, `skip` turns dropped; every kept turn is a model call.
fn chat(row: &Value) -> Vec<Row> {
    let kept = keeps(row);
    let label = text(row, "label");
    let mut tally = vec![("calls_rate", share(kept), 1.0)];
    match label {
        "worthy" => tally.push(("recall_worthy", share(kept), 1.0)),
        "skip" => tally.push(("skip_rate", share(!kept), 1.0)),
        _ => {}
    }
    let wrong = (label == "worthy" && !kept) || (label == "skip" && kept);
    vec![finished(row, tally, wrong)]
}

/// `informative` utterances are to be kept, `skip` ones (backchannels, thanks, closings) dropped.
fn telephone(row: &Value) -> Vec<Row> {
    let kept = keeps(row);
    let label = text(row, "label");
    let tally = match label {
        "informative" => vec![("kept_informative", share(kept), 1.0)],
        "skip" => vec![("dropped_skip", share(!kept), 1.0)],
        _ => Vec::new(),
    };
    let wrong = (label == "informative" && !kept) || (label == "skip" && kept);
    vec![finished(row, tally, wrong)]
}

fn finished(row: &Value, tally: Vec<(&'static str, f64, f64)>, wrong: bool) -> Row {
    let line = || format!("{} ({}) {}", text(row, "label"), text(row, "tag"), text(row, "text"));
    Row { group: text(row, "group").to_owned(), tally, points: Vec::new(), wrong: wrong.then(line) }
}

fn share(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The turn as one call, the turn before it as the other person's words in the window.
fn keeps(row: &Value) -> bool {
    let before = row.get("prev").and_then(Value::as_str);
    let window =
        Window { turns: before.map(|words| turn("before", "other", words)).into_iter().collect(), ..Window::default() };
    let speaker = text(row, "speaker");
    let Ok(scope) = Scope::new("eval".into(), Owner::User("eval".into()), None) else { return false };
    let call = call(scope, turn("row", speaker, text(row, "text")));
    pipeline::STAGES.read(&reading::read(window, call), &mut ()).iter().all(|verdict| verdict.dropped.is_none())
}

fn turn(id: &str, speaker: &str, words: &str) -> Turn {
    Turn {
        id: TurnId(id.to_owned()),
        role: Role::User,
        content: Said::new(words),
        at: None,
        at_source: AtSource::Unknown,
        name: Some(speaker.to_owned()),
        scope: None,
    }
}

fn call(scope: Scope, turn: Turn) -> Call {
    Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("eval", "eval"), "eval", "row"),
        scope,
        session_id: None,
        turns: vec![turn],
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        batch: None,
        accepted_at: Moment::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::Offset::UTC),
        remarks: Vec::new(),
    }
}
