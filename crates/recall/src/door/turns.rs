//! From messages to turns: role, words, time, ids; every fault with the path of its field.

use std::collections::{HashMap, HashSet};

use jiff::tz::TimeZone;
use recall_core::call::{MAX_TURN_BYTES, MAX_TURNS};
use recall_core::keys::Key;
use recall_core::turn::{AtSource, Role, Said, Turn, TurnId};
use serde_json::Value;

use super::request::{Fault, Message};
use super::{AbsentTime, Entry, optional_id, scope, time};

/// The messages of a request, each read or with its fault.
pub(super) fn messages(messages: Value) -> Result<Vec<Result<Message, Fault>>, Fault> {
    let list = match messages {
        Value::String(text) => vec![serde_json::json!({ "role": "user", "content": text })],
        Value::Array(list) => list,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return Err(Fault::new("messages", "must be a list of messages, or one text"));
        }
    };
    if list.is_empty() {
        return Err(Fault::new("messages", "must hold at least one message"));
    }
    if list.len() > MAX_TURNS {
        let detail = format!(
            "holds {} messages; send at most {MAX_TURNS} in one call, the rest in further calls of the session",
            list.len()
        );
        return Err(Fault::new("messages", detail));
    }
    let read = |(place, value): (usize, Value)| {
        serde_json::from_value(value).map_err(|error| Fault::new(format!("messages[{place}]"), error.to_string()))
    };
    Ok(list.into_iter().enumerate().map(read).collect())
}

/// Turns with the ids the caller gave them.
pub(super) fn turns(
    messages: Vec<Result<Message, Fault>>,
    zone: &TimeZone,
    entry: &Entry<'_>,
    remarks: &mut Vec<String>,
    faults: &mut Vec<Fault>,
) -> Vec<(Option<String>, Turn)> {
    let mut turns = Vec::with_capacity(messages.len());
    let mut seen: HashSet<String> = HashSet::new();
    for (place, message) in messages.into_iter().enumerate() {
        let path = format!("messages[{place}]");
        let read = message.and_then(|message| turn(message, &path, zone, entry, remarks));
        match read {
            Ok((Some(id), _)) if !seen.insert(id.clone()) => {
                faults.push(Fault::new(format!("{path}.id"), "stands twice in this call; ids of turns must differ"));
            }
            Ok(turn) => turns.push(turn),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() && turns.iter().all(|(_, turn)| turn.content.as_str().trim().is_empty()) {
        faults.push(Fault::new("messages", "every message is empty; send at least one with words"));
    }
    let assumed = turns.iter().filter(|(_, turn)| turn.at_source == AtSource::Assumed).count();
    if assumed > 0 {
        let name = zone.iana_name().unwrap_or("UTC");
        remarks.push(format!("{assumed} turns gave a time without offset; it was read in {name}"));
    }
    turns
}

fn turn(
    message: Message,
    path: &str,
    zone: &TimeZone,
    entry: &Entry<'_>,
    remarks: &mut Vec<String>,
) -> Result<(Option<String>, Turn), Fault> {
    let field = |name: &str| format!("{path}.{name}");
    let role = role(&message.role).ok_or_else(|| {
        Fault::new(field("role"), format!("{:?} is no role; use user, assistant, system or tool", message.role))
    })?;
    let id = optional_id(&field("id"), message.id)?;
    let name = optional_id(&field("name"), message.name.filter(|name| !name.trim().is_empty()))?;
    let content = content(message.content, path, remarks)?;
    if content.len() > MAX_TURN_BYTES {
        let detail = format!(
            "holds {} bytes; at most {MAX_TURN_BYTES} are read, so cut it into several messages",
            content.len()
        );
        return Err(Fault::new(field("content"), detail));
    }
    let scope = message.scope.map(|scope_fields| scope(&scope_fields, entry.namespace, &field("scope"))).transpose()?;
    let (at, at_source) = match message.timestamp {
        Some(value) => time::time(&value, zone, entry.now).map_err(|detail| Fault::new(field("timestamp"), detail))?,
        None if entry.absent == AbsentTime::Received => (Some(entry.now), AtSource::Received),
        None => (None, AtSource::Unknown),
    };
    let turn = Turn { id: TurnId(String::new()), role, content: Said::new(content), at, at_source, name, scope };
    Ok((id, turn))
}

/// Roles of the OpenAI shape; `developer` is what `system` is called there now, `function` what `tool` was called.
fn role(name: &str) -> Option<Role> {
    match name {
        "user" => Some(Role::User),
        "assistant" => Some(Role::Assistant),
        "system" | "developer" => Some(Role::System),
        "tool" | "function" => Some(Role::Tool),
        _ => None,
    }
}

fn content(value: Value, path: &str, remarks: &mut Vec<String>) -> Result<String, Fault> {
    let text = match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect();
            if texts.len() < parts.len() {
                remarks.push(format!("{path}: {} parts without text were left out", parts.len() - texts.len()));
            }
            texts.join("\n")
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return Err(Fault::new(format!("{path}.content"), "must be a text or a list of parts"));
        }
    };
    if !text.contains('\0') {
        return Ok(text);
    }
    remarks.push(format!("{path}: NUL characters were replaced"));
    Ok(text.replace('\0', "\u{fffd}"))
}

/// Turns without an id get one from session, role, content and occurrence, so that the whole history sent again makes nothing new.
pub(super) fn with_ids(turns: Vec<(Option<String>, Turn)>, session: &str, key: &Key) -> Vec<Turn> {
    let mut occurrences: HashMap<(Role, String), usize> = HashMap::new();
    turns
        .into_iter()
        .map(|(id, mut turn)| {
            let occurrence = occurrences.entry((turn.role, turn.content.as_str().to_owned())).or_default();
            *occurrence += 1;
            let derived = || {
                let parts = ["turn", session, turn.role.as_str(), turn.content.as_str(), &occurrence.to_string()];
                TurnId::derived(&key.fingerprint(&parts))
            };
            turn.id = id.map_or_else(derived, TurnId);
            turn
        })
        .collect()
}
