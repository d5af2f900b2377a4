//! `recall reprocess` and `recall run`: archives read again, stopped at any point, paused and cancelled from elsewhere.

mod archives;
mod grown;
mod halved;
mod killed;
mod moved;
mod people;
mod replaced;

use std::path::PathBuf;

use recall_llm::recorded::Labelled;
use serde_json::{Value, json};

use crate::world::{World, text};

/// Sessions of the tests' own archive.
const SESSIONS: usize = 12;
/// Turns of each.
const TURNS: usize = 16;
/// Rows that a second run must not add to.
const TABLES: [&str; 4] = ["memories", "sources", "entities", "audit"];

/// What somebody says in a turn of a session, and the fact in it.
fn said(session: usize, turn: usize) -> (String, String) {
    let kept = ["goats", "geese", "bees", "ducks", "sheep"][session % 5];
    let (count, town) = (turn + 2, format!("Town{}", (session * 7 + turn * 3) % 11));
    if turn.is_multiple_of(4) {
        (format!("I moved to {town} this spring."), format!("Ida lives in {town}"))
    } else {
        (format!("I bought {count} {kept} from a farmer near {town}."), format!("Ida bought {count} {kept}"))
    }
}

/// A session as a labelled row: 16 turns, each said a day after the one before.
fn row(session: usize) -> Value {
    let id = |turn: usize| format!("S{session}:{turn}");
    let turns: Vec<Value> =
        (0..TURNS).map(|turn| json!({ "id": id(turn), "speaker": "Ida", "text": said(session, turn).0 })).collect();
    let facts: Vec<Value> = (0..TURNS)
        .map(|turn| json!({ "about": "Ida", "text": said(session, turn).1, "evidence": [id(turn)] }))
        .collect();
    json!({ "turns": turns, "facts": facts })
}

fn session_id(session: usize) -> String {
    format!("talk-{session}")
}

/// Writes the tests' own archive and its tape, and has the world play it; the archive.
fn prepare(world: &mut World) -> PathBuf {
    let (file, tape) = (world.folder().join("talks.jsonl"), world.folder().join("tape.jsonl"));
    let conversation = |session: usize| {
        let message = |turn: usize| {
            let at = format!("2025-{:02}-{:02}T18:00:00Z", session % 12 + 1, turn + 1);
            json!({ "id": format!("S{session}:{turn}"), "role": "user", "name": "Ida", "content": said(session, turn).0, "timestamp": at })
        };
        let messages: Vec<Value> = (0..TURNS).map(message).collect();
        json!({ "session_id": session_id(session), "user_id": "ida", "messages": messages }).to_string() + "\n"
    };
    let entry = |session: usize| {
        let labelled: Labelled = serde_json::from_value(row(session)).unwrap();
        serde_json::to_string(&labelled.entry(&session_id(session))).unwrap() + "\n"
    };
    std::fs::write(&file, (0..SESSIONS).map(conversation).collect::<String>()).unwrap();
    std::fs::write(&tape, (0..SESSIONS).map(entry).collect::<String>()).unwrap();
    world.set("MODEL__PROVIDER", "recorded");
    world.set("MODEL__TAPE", &tape.display().to_string());
    file
}

/// Runs `recall reprocess` to its end; exit code and what it said on standard error.
fn reprocess(world: &World, args: &[&str]) -> (Option<i32>, String) {
    let args: Vec<&str> = ["reprocess"].iter().chain(args).copied().collect();
    let output = world.recall(&args);
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// Moves a run that stands beside what is remembered.
fn moved(world: &World, verb: &str, id: &str, more: &[&str]) {
    let args = [&["run", verb, id, "--reason", "weighed again"], more].concat();
    let output = world.recall(&args);
    assert!(output.status.success(), "{verb}: {}", text(&output.stderr));
}

/// The newest run.
fn newest(world: &World) -> Value {
    world.json(&["run", "list", "--json"])[0].clone()
}

async fn counts(world: &World) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in TABLES {
        counts.push(world.count(&format!("SELECT count(*) FROM {table}")).await);
    }
    counts
}

/// Everything remembered, a line a memory, sorted: what must not depend on how a run went.
fn remembered(world: &World) -> Vec<String> {
    let all = world.json(&["memory", "list", "--limit", "5000", "--json"]);
    let all = all.as_array().unwrap();
    let words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let content = |id: &Value| all.iter().find(|one| one["id"] == *id).map(|one| words(&one["content"]));
    let line = |memory: &Value| {
        let fields = [
            "content",
            "memory_type",
            "attribute",
            "value",
            "status",
            "event_at",
            "valid_from",
            "valid_until",
            "claim_key",
        ];
        let mut parts: Vec<String> = fields.iter().map(|field| words(&memory[*field])).collect();
        parts.push(content(&memory["superseded_by"]).unwrap_or_default());
        let sources = memory["provenance"]["sources"].as_array().unwrap();
        let mut sources: Vec<String> =
            sources.iter().map(|source| format!("{} {}", words(&source["turn_id"]), words(&source["quote"]))).collect();
        sources.sort();
        parts.extend(sources);
        parts.join(" | ")
    };
    let mut lines: Vec<String> = all.iter().map(line).collect();
    lines.sort();
    lines
}
