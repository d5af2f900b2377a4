//! Scores of the `pronouns` folder: who is meant, in dialogue and in prose.

use std::collections::BTreeMap;

use recall_core::call::{Call, Lane, Mode};
use recall_core::id::TraceId;
use recall_core::keys::Key;
use recall_core::moment::Moment;
use recall_core::reading::references::{self, Antecedent, Reference};
use recall_core::reading::{self, ReadTurn};
use recall_core::scope::{Owner, Scope};
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use recall_core::window::Window;
use serde_json::Value;

use super::{Judge, Row, Scorer, ratios};

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[
    Scorer { stage: "pronouns", file: "friends_pronouns3", judge: Judge::Alone(third_person), summarise: ratios },
    Scorer { stage: "pronouns", file: "friends_pronouns12", judge: Judge::Alone(first_and_second), summarise: ratios },
    Scorer { stage: "pronouns", file: "gap", judge: Judge::Alone(gap), summarise: f1_and_bias },
];

/// Right among answered, answered among the rows that can be answered, answered among those that cannot.
/// A noun ("the doctor") is right where the data says that this noun stands for the person.
fn third_person(row: &Value) -> Vec<Row> {
    let mut lines = lines(row, "context");
    lines.push((text(row, "speaker"), text(row, "utterance")));
    let Some(last) = last_turn(&lines) else { return Vec::new() };
    let found = nth_reference(&last, &text(row, "pronoun"), earlier_equals(row));
    let answers = found.map(|found| found.antecedents.clone()).unwrap_or_default();
    let person = text(row, "answer");
    let right = means(&answers, &person) || is_noun_of(&answers, &person, row);
    let answered = !answers.is_empty();
    let in_window = row.get("name_in_window_text").and_then(Value::as_bool).unwrap_or_default();
    let mut tally = Vec::new();
    if answered {
        tally.push(("precision", share(right), 1.0));
    }
    tally.push((if in_window { "coverage" } else { "answered_outside_window" }, share(answered), 1.0));
    let told =
        || format!("{}: {} is {person}, not {}", text(row, "scene"), text(row, "utterance"), answers.join(" and "));
    vec![Row { group: text(row, "scene"), tally, points: Vec::new(), wrong: (answered && !right).then(told) }]
}

/// The answer ends in a noun that was used for the person in the window.
fn is_noun_of(answers: &[String], person: &str, row: &Value) -> bool {
    let [answer] = answers else { return false };
    let head = answer.to_lowercase().rsplit(' ').next().map(str::to_owned).unwrap_or_default();
    let mentions = row.get("mentions_in_window").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    mentions.iter().any(|mention| {
        let part = |at: usize| mention.get(at).and_then(Value::as_str).unwrap_or_default();
        part(0) == person && part(1).to_lowercase() == head
    })
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

/// One of two names, or neither, in a paragraph of an encyclopaedia. As in the published baselines the two names are
/// given and the better one counts, where nobody else leads it by far; `f1_resolved` is what the product itself would
/// say, which rather stays silent than guess.
fn gap(row: &Value) -> Vec<Row> {
    let prose = text(row, "text");
    let Some(read) = last_turn(&[(String::new(), prose.clone())]) else { return Vec::new() };
    let byte = |key| {
        let offset = row.get(key).and_then(Value::as_u64).and_then(|offset| usize::try_from(offset).ok());
        prose.char_indices().nth(offset.unwrap_or_default()).map_or(0, |(at, _)| at)
    };
    let at = byte("pronoun_offset");
    let ranking = references::ranking(std::slice::from_ref(&read), at);
    let score = |name: &str, start: usize| {
        let named = |antecedent: &&Antecedent| overlaps(std::slice::from_ref(&antecedent.name), name);
        let there = |antecedent: &&Antecedent| {
            antecedent.places.iter().any(|place| (start.saturating_sub(12)..start + name.len()).contains(place))
        };
        let exact = ranking.iter().find(|antecedent| named(antecedent) && there(antecedent));
        exact.or_else(|| ranking.iter().find(named)).map(|antecedent| antecedent.score)
    };
    let (a, b) = (score(&text(row, "a"), byte("a_offset")), score(&text(row, "b"), byte("b_offset")));
    let best = ranking.first().map_or(0.0, |antecedent| antecedent.score);
    let wins = |own: Option<f64>, other: Option<f64>| {
        own.is_some_and(|own| other.is_none_or(|other| own > other) && own >= best - FAR)
    };
    let chosen = (wins(a, b), wins(b, a));
    let found = read.references.iter().find(|reference| reference.span.contains(&at));
    let answers = found.map(|found| found.antecedents.clone()).unwrap_or_default();
    let said = (overlaps(&answers, &text(row, "a")), overlaps(&answers, &text(row, "b")));
    let truth = text(row, "answer");
    let truth = (truth == "a", truth == "b");
    let women = text(row, "gender") == "f";
    let mut tally = counts(chosen, truth, if women { &WOMEN } else { &MEN });
    tally.extend(counts(said, truth, &RESOLVED));
    let told = || format!("{}: {} is {}", text(row, "id"), text(row, "pronoun"), text(row, "answer"));
    vec![Row { group: text(row, "group"), tally, points: Vec::new(), wrong: (chosen != truth).then(told) }]
}

/// Points by which somebody else has to lead, so that it is neither of the two.
const FAR: f64 = 2.0;
/// Names of found, wrong and missed.
const WOMEN: [&str; 3] = ["women_found", "women_wrong", "women_missed"];
const MEN: [&str; 3] = ["men_found", "men_wrong", "men_missed"];
const RESOLVED: [&str; 3] = ["resolved_found", "resolved_wrong", "resolved_missed"];

fn counts(said: (bool, bool), truth: (bool, bool), names: &[&'static str; 3]) -> Vec<(&'static str, f64, f64)> {
    let [found, wrong, missed] = *names;
    let one = |said: bool, right: bool| match (said, right) {
        (true, true) => Some(found),
        (true, false) => Some(wrong),
        (false, true) => Some(missed),
        (false, false) => None,
    };
    let names = [one(said.0, truth.0), one(said.1, truth.1)];
    names.into_iter().flatten().map(|name| (name, 1.0, 1.0)).collect()
}

/// F1 over both names, and how the F1 of women stands to that of men.
fn f1_and_bias(rows: &[&Row]) -> BTreeMap<&'static str, f64> {
    let count = |name: &str| -> f64 {
        rows.iter().flat_map(|row| &row.tally).filter(|(metric, ..)| *metric == name).map(|(_, count, _)| count).sum()
    };
    let f1 = |found: f64, wrong: f64, missed: f64| 2.0 * found / (2.0 * found + wrong + missed).max(1.0);
    let of = |names: &[&str; 3]| names.map(count);
    let ([a, b, c], [d, e, f], [g, h, i]) = (of(&WOMEN), of(&MEN), of(&RESOLVED));
    let (women, men) = (f1(a, b, c), f1(d, e, f));
    let mut scores = BTreeMap::from([
        ("f1", f1(a + d, b + e, c + f)),
        ("f1_women", women),
        ("f1_men", men),
        ("f1_resolved", f1(g, h, i)),
        ("precision_resolved", g / (g + h).max(1.0)),
    ]);
    if men > 0.0 {
        scores.insert("bias", women / men);
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
        batch: None,
        accepted_at: Moment::new(jiff::Timestamp::UNIX_EPOCH, jiff::tz::Offset::UTC),
        remarks: Vec::new(),
    };
    reading::read(Window::default(), call).turns.pop()
}
