//! Messages and conversations of the OpenAI and the ShareGPT shape, and of those like them that name a speaker instead of a role.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Archive, Conversation, Source, Whose};

/// Fields under which formats keep who speaks, as a role or a name.
const SPEAKERS: [&str; 4] = ["role", "from", "speaker", "sender"];
/// Fields under which formats keep the words.
const WORDS: [&str; 5] = ["content", "value", "text", "utterance", "message"];
/// Fields under which formats keep when something was said.
const TIMES: [&str; 4] = ["timestamp", "at", "created_at", "create_time"];
/// Fields under which formats keep the list of messages.
const LISTS: [&str; 10] = [
    "messages",
    "conversations",
    "conversation",
    "turns",
    "items",
    "dialog",
    "dialogue",
    "utterances",
    "chat_messages",
    "meeting_transcripts",
];

/// Whether a value looks like one message.
pub(super) fn is_message(value: &Value) -> bool {
    let has_words = WORDS.iter().any(|field| value.get(field).is_some());
    match SPEAKERS.iter().position(|field| value.get(field).is_some_and(Value::is_string)) {
        // An assistant that only calls a tool has a role and no words.
        Some(0) => true,
        Some(_) => has_words,
        None => false,
    }
}

/// The messages of a conversation, under any of the usual names; lists of lists, as of bursts, are one after the other.
pub(super) fn messages_of(value: &Value) -> Option<Vec<Value>> {
    if let Some(words) = value.get("messages").and_then(Value::as_str) {
        return Some(vec![serde_json::json!({ "role": "user", "content": words })]);
    }
    LISTS.iter().filter_map(|name| value.get(name).and_then(Value::as_array)).find_map(|list| {
        let flat: Vec<Value> = list.iter().flat_map(burst).cloned().collect();
        flat.iter().any(is_message).then_some(flat)
    })
}

fn burst(item: &Value) -> &[Value] {
    item.as_array().map_or(std::slice::from_ref(item), Vec::as_slice)
}

/// Messages of a list that was added at a time (`timestamp`): those that have none of their own were said then.
pub(super) fn dated(messages: Vec<Value>, value: &Value) -> Vec<Value> {
    let Some(at) = value.get("timestamp").filter(|at| at.is_string() || at.is_number()) else { return messages };
    let date = |mut message: Value| {
        let has_time = TIMES.iter().any(|field| message.get(field).is_some_and(|time| !time.is_null()));
        if let Some(fields) = message.as_object_mut().filter(|_| !has_time) {
            fields.insert("timestamp".into(), at.clone());
        }
        message
    };
    messages.into_iter().map(date).collect()
}

/// The id a conversation has in its file.
pub(super) fn id_of(value: &Value) -> Option<String> {
    let named = ["session_id", "conversation_id", "run_id", "id", "uuid"];
    named.iter().find_map(|name| value.get(name)).and_then(text)
}

/// Messages of lines, grouped by the session and the person they name; those that name none are one conversation.
pub(super) fn by_session(source: &Source<'_>, messages: Vec<(usize, Value)>, archive: &mut Archive) {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    for (line, message) in messages {
        let session = message.get("session_id").and_then(text).unwrap_or_else(|| source.session(0));
        let whose = Whose::of(&message);
        let place = *places.entry((session.clone(), format!("{whose:?}"))).or_insert_with(|| {
            groups.push(Group { session, whose, messages: Vec::new() });
            groups.len() - 1
        });
        groups.get_mut(place).into_iter().for_each(|group| group.messages.push((line, message.clone())));
    }
    for group in groups {
        let before = archive.conversations.len();
        conversation(source, group.session, group.messages, archive);
        archive.conversations.iter_mut().skip(before).for_each(|one| one.whose = group.whose.clone());
    }
}

struct Group {
    session: String,
    whose: Whose,
    messages: Vec<(usize, Value)>,
}

/// Adds a conversation, each message brought to the shape the door takes; messages without words are left out.
pub(super) fn conversation(
    source: &Source<'_>,
    session_id: String,
    messages: Vec<(usize, Value)>,
    archive: &mut Archive,
) {
    let mut kept = Vec::with_capacity(messages.len());
    for (line, message) in messages {
        match shaped(&message) {
            Ok(message) if message.get("content").is_some_and(is_blank) => {}
            Ok(message) => kept.push((line, message)),
            Err(reason) => archive.bad.push(source.bad(line, reason)),
        }
    }
    archive.conversations.push(Conversation { session_id, whose: Whose::default(), timezone: None, messages: kept });
}

fn is_blank(content: &Value) -> bool {
    content.is_null() || content.as_str().is_some_and(|words| words.trim().is_empty())
}

fn shaped(message: &Value) -> Result<Value, String> {
    let mut shaped = Map::new();
    let stated = ["role", "from"].iter().find_map(|field| message.get(*field)).and_then(Value::as_str);
    let spoken = ["speaker", "sender"].iter().find_map(|field| message.get(*field)).and_then(Value::as_str);
    match (stated, spoken) {
        (Some(named), _) => {
            let role =
                role(named).ok_or_else(|| format!("{named:?} is no role; use user, assistant, system or tool"))?;
            shaped.insert("role".into(), role.into());
        }
        (None, Some(speaker)) => shaped.extend(by_speaker(speaker)),
        (None, None) => return Err("a message has no role".into()),
    }
    let content = WORDS.iter().find_map(|field| message.get(*field).filter(|value| !value.is_null()));
    shaped.insert("content".into(), content.map(words).unwrap_or_default());
    let named =
        |fields: &[&str]| fields.iter().find_map(|field| message.get(*field).filter(|value| !value.is_null())).cloned();
    let mut add = |field: &str, value: Option<Value>| {
        if let Some(value) = value.filter(|_| !shaped.contains_key(field)) {
            shaped.insert(field.to_owned(), value);
        }
    };
    let plain = |value: Value| text(&value).map(Value::String);
    add("id", named(&["id", "message_id", "uuid"]).and_then(plain));
    add("name", named(&["name", "author"]).and_then(plain));
    add("timestamp", named(&TIMES));
    Ok(Value::Object(shaped))
}

/// Names of roles are roles; every other speaker is a person with a name.
pub(super) fn by_speaker(speaker: &str) -> Map<String, Value> {
    let speaker = speaker.trim();
    let mut fields = Map::new();
    match role(speaker) {
        Some(role) => drop(fields.insert("role".into(), role.into())),
        None => {
            fields.insert("role".into(), "user".into());
            fields.extend((!speaker.is_empty()).then(|| ("name".to_owned(), Value::from(called(speaker)))));
        }
    }
    fields
}

/// What a speaker is called in a sentence: an id is no name and its figures would be read as numbers, so that letters made of it
/// stand for it, the same for the same id; a bare number is whom a recorder could not name.
fn called(speaker: &str) -> String {
    let figures = speaker.chars().filter(char::is_ascii_digit).count();
    let is_id = speaker.len() >= 16 && figures > 3 && speaker.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    if is_id {
        let letter = |c: char| c.to_digit(16).and_then(|digit| char::from_digit(digit + 10, 36));
        let letters: String = speaker.chars().filter_map(letter).take(6).collect();
        return format!("Speaker {}", letters.to_uppercase());
    }
    if speaker.chars().all(|c| c.is_ascii_digit()) { format!("Speaker {speaker}") } else { speaker.to_owned() }
}

/// Words of a message, of its parts that are text, or of an object that holds either; what holds none is left as it is, for the
/// door to name.
fn words(content: &Value) -> Value {
    match content {
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(part).collect();
            texts.join("\n").into()
        }
        Value::Object(fields) => match (fields.get("parts"), part(content)) {
            (Some(parts), _) => words(parts),
            (None, Some(text)) => text.into(),
            (None, None) => content.clone(),
        },
        Value::Number(number) => number.to_string().into(),
        Value::Null | Value::Bool(_) | Value::String(_) => content.clone(),
    }
}

fn part(part: &Value) -> Option<&str> {
    let is_text = part.get("type").and_then(Value::as_str).is_none_or(|kind| kind.ends_with("text"));
    let named = || ["text", "value"].iter().find_map(|field| part.get(*field)).and_then(Value::as_str);
    part.as_str().or_else(|| named().filter(|_| is_text))
}

/// The door's role of what formats call a speaker.
pub(super) fn role(named: &str) -> Option<&'static str> {
    match named.to_lowercase().as_str() {
        "user" | "human" | "me" | "prompter" | "customer" => Some("user"),
        "assistant" | "gpt" | "chatgpt" | "bot" | "ai" | "model" | "bing" | "bard" | "claude" => Some("assistant"),
        "system" | "developer" => Some("system"),
        "tool" | "function" | "observation" | "function_call" | "tool_call" | "function_response" | "tool_response" => {
            Some("tool")
        }
        _ => None,
    }
}

pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
