//! Holds what is expected of a candidate against what the gate said.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::effect::Effect;
use recall_core::id::MemoryId;
use recall_core::memory::Memory;
use recall_core::moment::{Moment, Precision};
use recall_core::run::{Outcome, Verdict};
use serde::Deserialize;
use serde_json::Value;

use super::{Row, Seen, named};

/// What is right for one candidate. Fields that are absent are not judged; `null` is a value.
#[derive(Deserialize)]
pub(super) struct Expect {
    verdict: String,
    reason: Option<String>,
    #[serde(flatten)]
    fields: BTreeMap<String, Value>,
}

/// The row of one candidate.
pub(super) fn row(case: &str, place: usize, expect: &Expect, found: Option<&Verdict>, seen: &Seen<'_>) -> Row {
    let (verdict, _, reason) = found.map_or(("nothing", None, None), named);
    let right = verdict == expect.verdict;
    let mut tally = vec![("verdicts_right", f64::from(u8::from(right)), 1.0)];
    let reason = reason.map(|reason| reason.as_str().to_owned());
    let mut wrong = Vec::new();
    if right && expect.reason.is_some() {
        let same = reason == expect.reason;
        tally.push(("reasons_right", f64::from(u8::from(same)), 1.0));
        if !same {
            wrong.push(format!("reason {} instead of {}", text(&reason), text(&expect.reason)));
        }
    }
    if expect.verdict == "keep" {
        tally.push(("false_block", f64::from(u8::from(verdict != "keep" && verdict != "merge")), 1.0));
    } else {
        tally.push(("false_accept", f64::from(u8::from(verdict == "keep")), 1.0));
    }
    if !right {
        wrong.push(format!("{verdict} ({}) instead of {} ({})", text(&reason), expect.verdict, text(&expect.reason)));
    } else if let Some(verdict) = found {
        fields(expect, verdict, seen, &mut tally, &mut wrong);
    }
    let content = found.and_then(|verdict| verdict.candidate.as_ref()).map_or("", |candidate| &candidate.content);
    let line = || format!("{case}[{place}] {content:?}: {}", wrong.join("; "));
    Row { group: case.to_owned(), tally, points: Vec::new(), wrong: (!wrong.is_empty()).then(line) }
}

fn text(reason: &Option<String>) -> &str {
    reason.as_deref().unwrap_or("-")
}

fn fields(
    expect: &Expect,
    verdict: &Verdict,
    seen: &Seen<'_>,
    tally: &mut Vec<(&'static str, f64, f64)>,
    wrong: &mut Vec<String>,
) {
    for (field, right) in &expect.fields {
        let found = match field.as_str() {
            "support" => verdict.support.map_or(Value::Null, |support| json(&support)),
            "subject" => subject(verdict),
            "resolved" => resolved(verdict, right),
            "event_at" => event_at(verdict, right, expect.fields.get("precision")),
            "precision" => precision(verdict, right),
            "event_until" => event_until(verdict),
            "confidence_max" | "confidence_min" => confidence(verdict, seen),
            "source_turn_ids" => sources(verdict, seen),
            "replaces" => replaces(verdict, seen),
            _ => continue,
        };
        let same = match field.as_str() {
            "confidence_max" => found.as_f64() <= right.as_f64(),
            "confidence_min" => found.as_f64() >= right.as_f64(),
            "subject" => plain(&found) == plain(right),
            "source_turn_ids" => set(&found) == set(right),
            _ => found == *right,
        };
        tally.push(("fields_right", f64::from(u8::from(same)), 1.0));
        if !same {
            wrong.push(format!("{field} {found} instead of {right}"));
        }
    }
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn plain(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default().to_lowercase();
    let words = text.split_whitespace().map(|word| word.trim_end_matches("'s").trim_end_matches("\u{2019}s"));
    words
        .filter(|word| !matches!(*word, "the" | "a" | "an" | "my" | "our" | "his" | "her" | "their"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn set(value: &Value) -> BTreeSet<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn memory<'a>(verdict: &Verdict, seen: &'a Seen<'_>) -> Option<&'a Memory> {
    match &verdict.outcome {
        Outcome::Stored { memory_id, .. } | Outcome::Merged { memory_id } => seen.memory(memory_id),
        Outcome::Dropped(_) => None,
    }
}

fn subject(verdict: &Verdict) -> Value {
    verdict.resolution.as_ref().map_or(Value::Null, |resolution| Value::String(resolution.subject.name.clone()))
}

/// Equal to `right` where every pronoun named there is resolved as it says.
fn resolved(verdict: &Verdict, right: &Value) -> Value {
    let references = verdict.resolution.as_ref().map(|resolution| resolution.references.as_slice()).unwrap_or_default();
    let mut found = serde_json::Map::new();
    for (pronoun, entity) in right.as_object().into_iter().flatten() {
        let hit = references.iter().find(|resolved| resolved.pronoun.to_lowercase() == pronoun.to_lowercase());
        let names: &[String] = hit.map(|resolved| resolved.entity.as_slice()).unwrap_or_default();
        let same = match entity.as_str() {
            None => names.is_empty(),
            Some(entity) => same_people(entity, names),
        };
        let shown = if names.is_empty() { Value::Null } else { Value::String(names.join(" and ")) };
        found.insert(pronoun.clone(), if same { entity.clone() } else { shown });
    }
    Value::Object(found)
}

/// Order is free among people joined by "and"; an unnamed thing counts when the noun is the head of the phrase.
fn same_people(right: &str, found: &[String]) -> bool {
    let people = |text: &str| -> BTreeSet<String> {
        text.split(" and ").map(|name| plain(&Value::String(name.to_owned()))).collect()
    };
    let found = people(&found.join(" and "));
    let right = people(right);
    let head = |name: &String| name.rsplit(' ').next().map(str::to_owned).unwrap_or_default();
    found == right || (found.len() == 1 && found.iter().map(head).collect::<BTreeSet<_>>() == right)
}

fn event_at(verdict: &Verdict, right: &Value, precision: Option<&Value>) -> Value {
    let Some(when) = &verdict.when else { return Value::Null };
    let Some(at) = when.event_at else { return Value::Null };
    let date = at.civil().date();
    let Some(wanted) = right.as_str() else { return Value::String(date.to_string()) };
    if precision.and_then(Value::as_str) == Some("instant") {
        let same = wanted.parse::<Moment>().is_ok_and(|wanted| wanted.instant() == at.instant());
        return if same { right.clone() } else { Value::String(at.to_string()) };
    }
    let Ok(wanted) = wanted.parse::<jiff::civil::Date>() else { return Value::String(date.to_string()) };
    let same = match (precision, when.precision) {
        (Some(_), Precision::Instant) | (None, Precision::Instant | Precision::Day) => date == wanted,
        (None, Precision::Week) => (wanted - date).get_days() < 7 && wanted >= date,
        (None, Precision::Month | Precision::Season | Precision::Year | Precision::Unknown) => false,
        (Some(_), _) => date == wanted,
    };
    if same { right.clone() } else { Value::String(date.to_string()) }
}

fn precision(verdict: &Verdict, right: &Value) -> Value {
    let found = verdict.when.as_ref().map(|when| when.precision).unwrap_or_default();
    // A clock time is at least as exact as the day that is asked for.
    if found == Precision::Instant && right.as_str() == Some("day") { right.clone() } else { json(&found) }
}

fn event_until(verdict: &Verdict) -> Value {
    let until = verdict.when.as_ref().and_then(|when| when.event_until);
    until.map_or(Value::Null, |until| Value::String(until.civil().date().to_string()))
}

fn confidence(verdict: &Verdict, seen: &Seen<'_>) -> Value {
    let merged = |id: &MemoryId| {
        seen.changes.effects.iter().rev().find_map(|effect| match effect {
            Effect::AddSources { memory_id, confidence, .. } if memory_id == id => Some(*confidence),
            Effect::AddSources { .. }
            | Effect::Activate { .. }
            | Effect::Insert { .. }
            | Effect::Supersede { .. }
            | Effect::Dispute { .. } => None,
        })
    };
    match &verdict.outcome {
        Outcome::Merged { memory_id } => json(&merged(memory_id)),
        Outcome::Stored { memory_id, .. } => json(&seen.memory(memory_id).map(|memory| memory.confidence)),
        Outcome::Dropped(_) => Value::Null,
    }
}

fn sources(verdict: &Verdict, seen: &Seen<'_>) -> Value {
    let stored = memory(verdict, seen).map(|memory| &memory.provenance.source_turn_ids);
    let added = seen.changes.effects.iter().find_map(|effect| match (effect, &verdict.outcome) {
        (Effect::AddSources { memory_id, sources, .. }, Outcome::Merged { memory_id: id }) if memory_id == id => {
            Some(sources.iter().map(|source| source.turn_id.clone()).collect::<Vec<_>>())
        }
        _ => None,
    });
    json(&added.as_ref().or(stored))
}

fn replaces(verdict: &Verdict, seen: &Seen<'_>) -> Value {
    let Outcome::Stored { memory_id: id, .. } = &verdict.outcome else { return Value::Null };
    let other = seen.changes.effects.iter().find_map(|effect| match effect {
        Effect::Supersede { memory_id, by, .. } if by == id => Some(memory_id),
        Effect::Dispute { memory_id, with } if with == id => Some(memory_id),
        Effect::Dispute { memory_id, with } if memory_id == id => Some(with),
        Effect::Insert { .. }
        | Effect::AddSources { .. }
        | Effect::Activate { .. }
        | Effect::Supersede { .. }
        | Effect::Dispute { .. } => None,
    });
    other.and_then(|id| seen.memory(id)).map_or(Value::Null, |memory| Value::String(memory.content.clone()))
}
