//! Messages and conversations of the OpenAI and the ShareGPT shape.

use serde_json::{Map, Value};

use super::{Archive, Conversation, Source};

/// Whether a value looks like one message.
pub(super) fn is_message(value: &Value) -> bool {
    let has = |field: &str| value.get(field).is_some_and(Value::is_string);
    has("role") || (has("from") && value.get("value").is_some())
}

/// The list of messages of a conversation, under any of its usual names.
pub(super) fn messages_of(value: &Value) -> Option<&Vec<Value>> {
    let named = ["messages", "conversations", "conversation", "turns", "items"];
    named.iter().find_map(|name| value.get(name).and_then(Value::as_array)).filter(|list| list.iter().any(is_message))
}

/// The id a conversation has in its file.
pub(super) fn id_of(value: &Value) -> Option<String> {
    let named = ["session_id", "conversation_id", "id"];
    named.iter().find_map(|name| value.get(name)).and_then(text)
}

/// Messages of lines, grouped by the session they name; those that name none are one conversation.
pub(super) fn by_session(source: &Source<'_>, messages: Vec<(usize, Value)>, archive: &mut Archive) {
    let mut sessions: Vec<(String, Vec<(usize, Value)>)> = Vec::new();
    for (line, message) in messages {
        let session = message.get("session_id").and_then(text).unwrap_or_else(|| source.session(0));
        match sessions.iter_mut().find(|(known, _)| *known == session) {
            Some((_, list)) => list.push((line, message)),
            None => sessions.push((session, vec![(line, message)])),
        }
    }
    for (session, messages) in sessions {
        conversation(source, session, messages, archive);
    }
}

/// Adds a conversation, each message brought to the shape the door takes.
pub(super) fn conversation(
    source: &Source<'_>,
    session_id: String,
    messages: Vec<(usize, Value)>,
    archive: &mut Archive,
) {
    let mut kept = Vec::with_capacity(messages.len());
    for (line, message) in messages {
        match shaped(&message) {
            Ok(message) => kept.push((line, message)),
            Err(reason) => archive.bad.push(source.bad(line, reason)),
        }
    }
    archive.conversations.push(Conversation { session_id, timezone: None, messages: kept });
}

fn shaped(message: &Value) -> Result<Value, String> {
    let named = message.get("role").or_else(|| message.get("from")).and_then(Value::as_str);
    let named = named.ok_or("a message has no role")?;
    let role = role(named).ok_or_else(|| format!("{named:?} is no role; use user, assistant, system or tool"))?;
    let content = message.get("content").or_else(|| message.get("value")).or_else(|| message.get("text"));
    let mut shaped = Map::new();
    shaped.insert("role".into(), role.into());
    shaped.insert("content".into(), content.cloned().unwrap_or(Value::Null));
    for (field, others) in
        [("id", ["id", "message_id"]), ("name", ["name", "author"]), ("timestamp", ["timestamp", "at"])]
    {
        let value =
            others.iter().chain(&["created_at"]).filter(|other| field == "timestamp" || **other != "created_at");
        if let Some(value) = value.filter_map(|other| message.get(*other)).find(|value| !value.is_null()) {
            let value = if field == "timestamp" { Some(value.clone()) } else { text(value).map(Value::String) };
            shaped.extend(value.map(|value| (field.to_owned(), value)));
        }
    }
    Ok(Value::Object(shaped))
}

/// The door's role of what formats call a speaker.
pub(super) fn role(named: &str) -> Option<&'static str> {
    match named.to_lowercase().as_str() {
        "user" | "human" | "me" | "prompter" | "customer" => Some("user"),
        "assistant" | "gpt" | "chatgpt" | "bot" | "ai" | "model" | "bing" | "bard" | "claude" => Some("assistant"),
        "system" | "developer" => Some("system"),
        "tool" | "function" | "observation" | "function_call" | "tool_call" => Some("tool"),
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
