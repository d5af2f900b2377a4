//! The rows of the data set: sessions, their turns as calls, and where the folder is.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{QUICK, TURNS_PER_CALL, words};
use crate::tree::root;

/// The calls of a session, as the file of it is cut.
pub(super) fn calls(row: &Value) -> Vec<Value> {
    let session = session_id(row);
    let at = said_at(row["date_time"].as_str().unwrap());
    let message = |turn: &Value| {
        let mut content = words(&turn["text"]);
        if let Some(caption) = turn["image_caption"].as_str() {
            content.push_str(&format!("\n[shares a picture: {caption}]"));
        }
        json!({ "id": turn["id"], "role": "user", "name": turn["speaker"], "content": content, "timestamp": at })
    };
    let messages: Vec<Value> = row["turns"].as_array().unwrap().iter().map(message).collect();
    let call = |(part, messages): (usize, &[Value])| {
        json!({
            "scope": { "user_id": "reader" }, "session_id": session, "messages": messages,
            "idempotency_key": format!("{session}/{part}"),
        })
    };
    messages.chunks(TURNS_PER_CALL).enumerate().map(call).collect()
}

pub(super) fn session_id(row: &Value) -> String {
    format!("{}-{}", words(&row["group"]), row["session"])
}

/// `4:04 pm on 20 January, 2023` in the form of the door.
pub(super) fn said_at(written: &str) -> String {
    let (clock, date) = written.split_once(" on ").unwrap();
    jiff::fmt::strtime::parse("%I:%M %p %d %B, %Y", format!("{clock} {date}"))
        .unwrap()
        .to_datetime()
        .unwrap()
        .to_string()
}

/// The sessions, or why this was not run.
pub(super) fn read() -> Option<Vec<Value>> {
    let shared = std::env::var_os("RECALL_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let path = shared.join("data/extraction/locomo_sessions.NC.dev.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        eprintln!("NOT RUN: there is no {} (RECALL_SHARED)", path.display());
        return None;
    };
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let whole = rows.len();
    let all = std::env::var("RECALL_LOCOMO").is_ok_and(|which| which == "all");
    let rows: Vec<Value> =
        rows.into_iter().filter(|row| all || row["session"].as_u64().is_some_and(|number| number <= QUICK)).collect();
    eprintln!("{} of {whole} sessions{}", rows.len(), if all { "" } else { " (RECALL_LOCOMO=all reads every one)" });
    Some(rows)
}
