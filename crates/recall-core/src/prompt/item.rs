//! One item of a reply: its fields under the names models give them, brought to their types, and checked against the limits.

use serde_json::{Map, Value};

use super::parse::{MAX_CONTENT_CHARS, MAX_EVIDENCE, MAX_QUOTE_CHARS, MAX_VALUE_CHARS};
use crate::candidate::{Candidate, Citation, MemoryType, Polarity};
use crate::turn::TurnId;

/// Subjects, attributes and time expressions are a few words.
const MAX_SHORT_CHARS: usize = 200;
/// What a confidence that cannot be read counts as.
const UNSURE: f64 = 0.5;

const CONTENT: &[&str] = &["content", "memory", "fact", "statement", "claim", "text"];
const EVIDENCE: &[&str] = &["evidence", "sources", "citations", "source"];
const TURN: &[&str] = &["turn_id", "turn", "id", "source_turn_id"];
const QUOTE: &[&str] = &["quote", "text", "evidence_quote"];

/// Kinds of memory under other names.
const TYPES: &[(MemoryType, &[&str])] = &[
    (
        MemoryType::Fact,
        &["fact", "facts", "attribute", "state", "status", "profile", "personal", "identity", "other", "skill"],
    ),
    (
        MemoryType::Preference,
        &["preference", "like", "dislike", "opinion", "interest", "hobby", "taste", "habit", "want"],
    ),
    (
        MemoryType::Event,
        &["event", "plan", "activity", "experience", "goal", "intention", "episode", "appointment", "milestone"],
    ),
    (MemoryType::Relation, &["relation", "relationship", "family", "person", "social", "connection", "contact"]),
];
const POSITIVE: &[&str] = &["positive", "pos", "+", "true", "yes", "affirmative", "affirmed", "neutral"];
const NEGATIVE: &[&str] = &["negative", "neg", "-", "false", "no", "negated", "denied"];
/// Words for how sure a model is.
const SURE: &[(&str, f64)] = &[
    ("certain", 0.95),
    ("very high", 0.95),
    ("high", 0.9),
    ("medium", 0.6),
    ("moderate", 0.6),
    ("low", 0.3),
    ("very low", 0.1),
];
/// Ways to write that there is nothing.
const NOTHING: &[&str] = &["", "null", "none", "n/a", "na", "unknown", "undefined"];

/// Whether a value is a candidate by itself.
pub(super) fn is_one(value: &Value) -> bool {
    value.as_object().is_some_and(|item| pick(item, CONTENT).is_some_and(Value::is_string))
}

/// Reads one item.
///
/// # Errors
/// The field that is wrong and how; never words of the reply.
pub(super) fn candidate(value: &Value) -> Result<Candidate, String> {
    let item = value.as_object().ok_or("item is not an object")?;
    let content = required(item, "content", CONTENT, MAX_CONTENT_CHARS)?;
    let value = match text(item, &["value", "object"])? {
        Some(value) => value,
        None => content.chars().take(MAX_VALUE_CHARS).collect(),
    };
    Ok(Candidate {
        memory_type: memory_type(item)?,
        subject: short(item, "subject", &["subject", "entity", "about"])?.ok_or("subject is missing")?,
        attribute: short(item, "attribute", &["attribute", "predicate", "category"])?.unwrap_or("statement".into()),
        value: within("value", value, MAX_VALUE_CHARS)?,
        polarity: polarity(item)?,
        evidence: evidence(item)?,
        time_expression: short(item, "time_expression", &["time_expression", "time", "when", "date"])?,
        confidence: confidence(item.get("confidence").or(item.get("score"))),
        content,
    })
}

fn pick<'a>(item: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| item.get(*name)).filter(|value| !value.is_null())
}

fn required(item: &Map<String, Value>, field: &str, names: &[&str], most: usize) -> Result<String, String> {
    match pick(item, names) {
        Some(Value::String(words)) if !words.trim().is_empty() => within(field, words.trim().to_owned(), most),
        Some(Value::String(_)) => Err(format!("{field} is empty")),
        Some(_) => Err(format!("{field} is not a text")),
        None => Err(format!("{field} is missing")),
    }
}

fn within(field: &str, words: String, most: usize) -> Result<String, String> {
    let length = words.chars().count();
    if length > most { Err(format!("{field} has {length} characters, the most is {most}")) } else { Ok(words) }
}

/// A short text; `None` where it is absent or written as nothing.
fn short(item: &Map<String, Value>, field: &str, names: &[&str]) -> Result<Option<String>, String> {
    text(item, names)?.map(|words| within(field, words, MAX_SHORT_CHARS)).transpose()
}

/// A text out of a text, number, yes or no, or a list of them.
fn text(item: &Map<String, Value>, names: &[&str]) -> Result<Option<String>, String> {
    let Some(value) = pick(item, names) else { return Ok(None) };
    let field = names.first().copied().unwrap_or_default();
    let words = match value {
        Value::Array(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(plain).collect();
            parts.map(|parts| parts.join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => plain(value),
    };
    let words = words.ok_or_else(|| format!("{field} is not a text"))?;
    let words = words.trim();
    Ok((!NOTHING.contains(&words.to_lowercase().as_str())).then(|| words.to_owned()))
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(words) => Some(words.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn memory_type(item: &Map<String, Value>) -> Result<MemoryType, String> {
    let Some(name) = text(item, &["memory_type", "type", "kind"])? else { return Ok(MemoryType::Fact) };
    let name = name.to_lowercase();
    let known = TYPES.iter().find(|(_, names)| names.contains(&name.as_str()));
    known.map(|(memory_type, _)| *memory_type).ok_or_else(|| "memory_type is not of the schema".to_owned())
}

fn polarity(item: &Map<String, Value>) -> Result<Polarity, String> {
    let Some(name) = text(item, &["polarity"])? else { return Ok(Polarity::Positive) };
    let name = name.to_lowercase();
    if POSITIVE.contains(&name.as_str()) {
        return Ok(Polarity::Positive);
    }
    if NEGATIVE.contains(&name.as_str()) {
        return Ok(Polarity::Negative);
    }
    Err("polarity is not of the schema".into())
}

/// The cited turns. An item that cites none is kept: that it cites none is for grounding to say.
fn evidence(item: &Map<String, Value>) -> Result<Vec<Citation>, String> {
    let cited = match pick(item, EVIDENCE) {
        Some(Value::Array(parts)) => parts.iter().map(|part| citation(part, item)).collect(),
        Some(Value::Null) => Ok(Vec::new()),
        Some(one) => citation(one, item).map(|one| vec![one]),
        None => flat_evidence(item),
    }?;
    match cited.len() {
        length if length > MAX_EVIDENCE => Err(format!("evidence cites {length} turns, the most is {MAX_EVIDENCE}")),
        _ => Ok(cited),
    }
}

/// One part of the evidence: an object, or the bare id of a turn whose quote stands beside the list.
fn citation(part: &Value, item: &Map<String, Value>) -> Result<Citation, String> {
    let Some(object) = part.as_object() else {
        let id = plain(part).ok_or("evidence is not of the schema")?;
        return cite(id, text(item, &["quote", "evidence_quote"])?);
    };
    let id = text(object, TURN)?.ok_or("evidence names no turn")?;
    cite(id, text(object, QUOTE)?)
}

/// `turn_id` or `source_turn_ids` and one quote, beside each other in the item itself.
fn flat_evidence(item: &Map<String, Value>) -> Result<Vec<Citation>, String> {
    let ids = match pick(item, &["source_turn_ids", "turn_ids", "turn_id"]) {
        Some(Value::Array(ids)) => ids.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    };
    ids.into_iter().map(|id| citation(id, item)).collect()
}

fn cite(turn_id: String, quote: Option<String>) -> Result<Citation, String> {
    let turn_id = within("turn_id", turn_id.trim().to_owned(), crate::scope::MAX_ID_BYTES)?;
    let quote = within("quote", quote.unwrap_or_default(), MAX_QUOTE_CHARS)?;
    Ok(Citation { turn_id: TurnId(turn_id), quote })
}

/// 0 to 1, whatever the scale it was given on: up to 2 is a slip above 1, up to 10 is out of ten, up to 100 is a percentage.
fn confidence(value: Option<&Value>) -> f64 {
    let number = match value {
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(words)) => spoken(words),
        Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => None,
    };
    match number.filter(|number| number.is_finite()) {
        None => UNSURE,
        Some(number) if number <= 0.0 => 0.0,
        Some(number) if number <= 1.0 => number,
        Some(number) if number <= 2.0 || number > 100.0 => 1.0,
        Some(number) if number <= 10.0 => number / 10.0,
        Some(number) => number / 100.0,
    }
}

fn spoken(words: &str) -> Option<f64> {
    let words = words.trim().to_lowercase();
    if let Some(percent) = words.strip_suffix('%') {
        return percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0);
    }
    SURE.iter().find(|(word, _)| *word == words).map(|(_, sure)| *sure).or_else(|| words.replace(',', ".").parse().ok())
}
