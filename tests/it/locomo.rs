//! LoCoMo, where the labelled sets are: sessions of two people with pictures, their labelled facts as a model's replies.
//!
//! Without `RECALL_LOCOMO=all` a fixed part of the sessions is read, so that the suites stay quick.
#![allow(clippy::print_stderr, reason = "which sessions were read, or why none, is for people to know")]

use std::path::{Path, PathBuf};

use recall_llm::recorded::Labelled;
use serde_json::{Value, json};

use crate::tree::root;
use crate::world::World;

/// Turns of one call, as `recall remember` cuts a file.
pub(crate) const TURNS_PER_CALL: usize = 20;
/// Sessions of the quick run: the first of every conversation.
const QUICK: u64 = 4;

/// The calls of a session, as the file of it is cut.
pub(crate) fn calls(row: &Value) -> Vec<Value> {
    let session = session_id(row);
    let at = said_at(row["date_time"].as_str().unwrap());
    let message = |turn: &Value| {
        let mut content = turn["text"].as_str().unwrap().to_owned();
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

pub(crate) fn session_id(row: &Value) -> String {
    format!("{}-{}", row["group"].as_str().unwrap(), row["session"])
}

/// `4:04 pm on 20 January, 2023` in the form of the door.
pub(crate) fn said_at(written: &str) -> String {
    let (clock, date) = written.split_once(" on ").unwrap();
    jiff::fmt::strtime::parse("%I:%M %p %d %B, %Y", format!("{clock} {date}"))
        .unwrap()
        .to_datetime()
        .unwrap()
        .to_string()
}

/// The sessions, or why this was not run.
pub(crate) fn read() -> Option<Vec<Value>> {
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

/// Writes sessions and tape, and has the world play it.
pub(crate) fn prepare(world: &mut World, rows: &[Value]) -> PathBuf {
    let (file, tape) = (world.folder().join("sessions.jsonl"), world.folder().join("tape.jsonl"));
    write_lines(&file, rows.iter().map(Value::to_string));
    let entry = |row: &Value| {
        let labelled: Labelled = serde_json::from_value(row.clone()).unwrap();
        serde_json::to_string(&labelled.entry(&session_id(row))).unwrap()
    };
    write_lines(&tape, rows.iter().map(entry));
    world.set("MODEL__PROVIDER", "recorded");
    world.set("MODEL__TAPE", &tape.display().to_string());
    file
}

fn write_lines(path: &Path, lines: impl Iterator<Item = String>) {
    std::fs::write(path, lines.map(|line| line + "\n").collect::<String>()).unwrap();
}
