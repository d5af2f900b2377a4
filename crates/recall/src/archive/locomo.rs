//! LoCoMo: conversations of two people over many sessions, one line a session or one value a sample.

use serde_json::{Value, json};

use super::{Archive, Conversation, Source, Whose};

/// One session a value: `turns` of `speaker` and `text`.
pub(super) fn is_session(value: &Value) -> bool {
    value
        .get("turns")
        .and_then(Value::as_array)
        .is_some_and(|turns| turns.iter().any(|turn| turn.get("speaker").is_some()))
}

/// One sample a value: `session_1`, `session_1_date_time`, …, in it or in its `conversation`.
pub(super) fn is_sample(value: &Value) -> bool {
    !numbers(sessions_of(value)).is_empty()
}

fn sessions_of(value: &Value) -> &Value {
    value.get("conversation").unwrap_or(value)
}

/// Numbers of the sessions of a sample, in order.
fn numbers(sessions: &Value) -> Vec<u32> {
    let fields = sessions.as_object().into_iter().flatten().filter(|(_, turns)| turns.is_array());
    let mut numbers: Vec<u32> = fields.filter_map(|(name, _)| name.strip_prefix("session_")?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// Adds a session.
pub(super) fn session(source: &Source<'_>, line: usize, value: &Value, archive: &mut Archive) {
    let group = value.get("group").or_else(|| value.get("sample_id")).and_then(Value::as_str);
    let group = group.unwrap_or(source.stem);
    let number = value.get("session").map(Value::to_string).unwrap_or_else(|| "1".into());
    let said_at = value.get("date_time").and_then(Value::as_str);
    let turns = value.get("turns").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    add(source, line, format!("{group}-{number}"), said_at, turns, archive);
}

/// Adds every session of a sample.
pub(super) fn sample(source: &Source<'_>, line: usize, value: &Value, place: usize, archive: &mut Archive) {
    let group = value.get("sample_id").and_then(Value::as_str).map_or_else(|| source.session(place), str::to_owned);
    let sessions = sessions_of(value);
    for number in numbers(sessions) {
        let turns = sessions.get(format!("session_{number}")).and_then(Value::as_array).map(Vec::as_slice);
        let said_at = sessions.get(format!("session_{number}_date_time")).and_then(Value::as_str);
        add(source, line, format!("{group}-{number}"), said_at, turns.unwrap_or_default(), archive);
    }
}

fn add(
    source: &Source<'_>,
    line: usize,
    session_id: String,
    said_at: Option<&str>,
    turns: &[Value],
    archive: &mut Archive,
) {
    let said_at = match said_at.map(|text| (text, moment(text))) {
        Some((_, Some(moment))) => Some(moment),
        Some((text, None)) => {
            archive.bad.push(source.bad(line, format!("{text:?} is no time like \"4:04 pm on 20 January, 2023\"")));
            None
        }
        None => None,
    };
    let mut messages = Vec::with_capacity(turns.len());
    for turn in turns {
        match message(turn, said_at.as_deref()) {
            Some(message) => messages.push((line, message)),
            None => archive.bad.push(source.bad(line, "a turn has no speaker")),
        }
    }
    archive.conversations.push(Conversation { session_id, whose: Whose::default(), timezone: None, messages });
}

/// Both speakers are people, so both have role `user` and their name.
fn message(turn: &Value, said_at: Option<&str>) -> Option<Value> {
    let text = |names: [&str; 2]| names.iter().find_map(|name| turn.get(*name)).and_then(Value::as_str);
    let speaker = text(["speaker", "name"])?;
    let words = text(["text", "content"]).unwrap_or_default();
    let content = match text(["image_caption", "blip_caption"]) {
        Some(caption) => format!("{words}\n[shares a picture: {caption}]"),
        None => words.to_owned(),
    };
    let mut message = json!({ "role": "user", "name": speaker, "content": content });
    let fields = message.as_object_mut()?;
    fields.extend(text(["id", "dia_id"]).map(|id| ("id".to_owned(), Value::from(id))));
    fields.extend(said_at.map(|at| ("timestamp".to_owned(), Value::from(at))));
    Some(message)
}

/// `4:04 pm on 20 January, 2023` as `2023-01-20T16:04:00`; without offset, so the call's time zone applies.
fn moment(text: &str) -> Option<String> {
    let (clock, date) = text.split_once(" on ")?;
    let at = jiff::fmt::strtime::parse("%I:%M %p %d %B, %Y", format!("{} {}", clock.trim(), date.trim())).ok()?;
    Some(at.to_datetime().ok()?.to_string())
}
