//! Scores of the `pronouns` folder: who is meant, in dialogue and in prose.

use std::collections::BTreeMap;

use recall_core::call::{Call, Lane, Mode};
use recall_core::id::TraceId;
use recall_core::keys::Key;
use recall_core::moment::Moment;
use recall_core::reading::references::Reference;
use recall_core::reading::{self, ReadTurn};
use recall_core::scope::{Owner, Scope};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_core::window::Window;
use serde_json::Value;

use super::{Row, Scorer, ratios};

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[
    Scorer { stage: "pronouns", file: "friends_pronouns3", judge: third_person, summarise: ratios },
    Scorer { stage: "pronouns", file: "friends_pronouns12", judge: first_and_second, summarise: ratios },
    Scorer { stage: "pronouns", file: "gap", judge: gap, summarise: f1_and_bias },
];

/// Right among answered, answered among the rows that can be answered, answered among those that cannot.
fn third_person(row: &Value) -> Vec<Row> {
    let mut lines = lines(row, "context");
    lines.push((text(row, "speaker"), text(row, "utterance")));
    let Some(last) = last_turn(&lines) else { return Vec::new() };
    let found = nth_reference(&last, &text(row, "pronoun"), earlier_equals(row));
    let answers = found.map(|found| found.antecedents.clone()).unwrap_or_default();
    let (right, answered) = (means(&answers, &text(row, "answer")), !answers.is_empty());
    let in_window = row.get("name_in_window_text").and_then(Value::as_bool).unwrap_or_default();
    let mut tally = Vec::new();
    if answered {
        tally.push(("precision", share(right), 1.0));
    }
    tally.push((if in_window { "coverage" } else { "answered_outside_window" }, share(answered), 1.0));
    let told = || {
        format!(
            "{}: {} is {}, not {}",
            text(row, "scene"),
            text(row, "utterance"),
            text(row, "answer"),
            answers.join(" and ")
        )
    };
    vec![Row { group: text(row, "scene"), tally, points: Vec::new(), wrong: (answered && !right).then(told) }]
}

/// "I" and "you" in a conversation of several.
fn first_and_second(row: &Value) -> Vec<Row> {
    let mut lines = lines(row, "prev");
    lines.push((text(row, "speaker"), text(row, "utterance")));
    let Some(last) = last_turn(&lines) else { return Vec::new() };
    let found = nth_reference(&last, &text(row, "pronoun"), 0);
    let right = found.is_some_and(|found| means(&found.antecedents, &text(row, "answer")));
    let first = row.get("person").and_then(Value::as_u64) == Some(1);
    let metric = if first { "accuracy_i" } else { "accuracy_you" };
    let told = || {
        format!(
            "{}: {} in \"{}\" is {}",
            text(row, "scene"),
            text(row, "pronoun"),
            text(row, "utterance"),
            text(row, "answer")
        )
    };
    vec![Row {
        group: text(row, "scene"),
        tally: vec![(metric, share(right), 1.0)],
        points: Vec::new(),
        wrong: (!right).then(told),
    }]
}

/// One of two names, or neither, in a paragraph of an encyclopaedia. The counts go into the tally; F1 is made of them.
fn gap(row: &Value) -> Vec<Row> {
    let prose = text(row, "text");
    let Some(read) = last_turn(&[(String::new(), prose.clone())]) else { return Vec::new() };
    let offset = row.get("pronoun_offset").and_then(Value::as_u64).unwrap_or_default();
    let at = prose.char_indices().nth(usize::try_from(offset).unwrap_or_default()).map_or(0, |(at, _)| at);
    let found = read.references.iter().find(|reference| reference.span.contains(&at));
    let answers = found.map(|found| found.antecedents.clone()).unwrap_or_default();
    let said = |key| overlaps(&answers, &text(row, key));
    let (a, b) = (said("a"), said("b"));
    let truth = text(row, "answer");
    let women = text(row, "gender") == "f";
    let mut tally = Vec::new();
    for (said, right) in [(a, truth == "a"), (b, truth == "b")] {
        let count = match (said, right) {
            (true, true) => {
                if women {
                    "women_found"
                } else {
                    "men_found"
                }
            }
            (true, false) => {
                if women {
                    "women_wrong"
                } else {
                    "men_wrong"
                }
            }
            (false, true) => {
                if women {
                    "women_missed"
                } else {
                    "men_missed"
                }
            }
            (false, false) => continue,
        };
        tally.push((count, 1.0, 1.0));
    }
    let right = (a, b) == (truth == "a", truth == "b");
    let told = || format!("{}: {} is {}, said {}", text(row, "id"), text(row, "pronoun"), truth, answers.join(" and "));
    vec![Row { group: text(row, "group"), tally, points: Vec::new(), wrong: (!right).then(told) }]
}

fn f1_and_bias(rows: &[&Row]) -> BTreeMap<&'static str, f64> {
    let count = |name: &str| -> f64 {
        rows.iter().flat_map(|row| &row.tally).filter(|(metric, ..)| *metric == name).map(|(_, count, _)| count).sum()
    };
    let f1 = |found: f64, wrong: f64, missed: f64| 2.0 * found / (2.0 * found + wrong + missed).max(1.0);
    let women = [count("women_found"), count("women_wrong"), count("women_missed")];
    let men = [count("men_found"), count("men_wrong"), count("men_missed")];
    let all: Vec<f64> = women.iter().zip(men).map(|(women, men)| women + men).collect();
    let of = |counts: &[f64]| match counts {
        [found, wrong, missed] => f1(*found, *wrong, *missed),
        _ => 0.0,
    };
    let (female, male) = (of(&women), of(&men));
    let mut scores = BTreeMap::from([("f1", of(&all)), ("f1_women", female), ("f1_men", male)]);
    if male > 0.0 {
        scores.insert("bias", female / male);
    }
    scores
}

fn share(yes: bool) -> f64 {
    if yes { 1.0 } else { 0.0 }
}

fn text(row: &Value, key: &str) -> String {
    row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn lines(row: &Value, key: &str) -> Vec<(String, String)> {
    let turns = row.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    turns.iter().map(|turn| (text(turn, "speaker"), text(turn, "text"))).collect()
}

/// How often the pronoun of the row stands in its utterance before the place that is asked for.
fn earlier_equals(row: &Value) -> usize {
    let place = row.get("pronoun_token").and_then(Value::as_u64).and_then(|place| usize::try_from(place).ok());
    let tokens = row.get("utterance_tokens").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let pronoun = text(row, "pronoun").to_lowercase();
    let before = tokens.iter().take(place.unwrap_or_default());
    before.filter(|token| token.as_str().is_some_and(|token| token.to_lowercase() == pronoun)).count()
}

fn nth_reference<'a>(read: &'a ReadTurn, pronoun: &str, nth: usize) -> Option<&'a Reference> {
    let pronoun = pronoun.to_lowercase();
    read.references.iter().filter(|reference| reference.pronoun == pronoun).nth(nth)
}

/// The one answer is the person, by full name or a part of it.
fn means(answers: &[String], person: &str) -> bool {
    let person = person.to_lowercase();
    let [answer] = answers else { return false };
    answer.to_lowercase().split_whitespace().all(|word| person.split_whitespace().any(|other| other == word))
}

/// One name is a part of the other.
fn overlaps(answers: &[String], name: &str) -> bool {
    means(answers, name) || answers.iter().any(|answer| means(&[name.to_owned()], answer))
}

/// Reads a conversation as one call and hands back its last turn.
fn last_turn(lines: &[(String, String)]) -> Option<ReadTurn> {
    let scope = Scope::new("eval".into(), Owner::User("eval".into()), None).ok()?;
    let turns = lines.iter().enumerate().map(|(place, (name, content))| Turn {
        id: TurnId(format!("t{place}")),
        role: Role::User,
        content: Said::new(content.clone()),
        at: None,
        at_source: AtSource::Unknown,
        name: (!name.is_empty()).then(|| name.clone()),
        scope: None,
    });
    let call = Call {
        trace_id: TraceId::from_idempotency_key(&Key::new("eval", "eval"), "eval", "eval"),
        scope,
        session_id: None,
        turns: turns.collect(),
        metadata: serde_json::Map::new(),
        expires_at: None,
        mode: Mode::Infer,
        lane: Lane::Live,
        accepted_at: Moment::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::Offset::UTC),
        remarks: Vec::new(),
    };
    reading::read(Window::default(), call).turns.pop()
}
