//! Prompts against each other, through the binary: a stand-in for the model that reads better with one prompt than with the other, a
//! tape that makes a repeat cost nothing, a report whose figures can be counted again, a page that can be read.

mod again;
mod pictures;
mod tape;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::tree;
use crate::way::model::says;
use crate::world::{Backends, World, stand_in};

/// Conversations of the set.
const CONVERSATIONS: usize = 12;
/// Facts of a conversation.
const FACTS: usize = 4;
const THINGS: [&str; 5] = ["parrot", "donkey", "turtle", "hamster", "falcon"];
const NAMES: [&str; 7] = ["Rico", "Ada", "Bruno", "Mila", "Otto", "Zora", "Finn"];

fn thing(conversation: usize, fact: usize) -> (&'static str, &'static str) {
    (THINGS[(conversation + fact) % THINGS.len()], NAMES[(2 * conversation + fact) % NAMES.len()])
}

/// A labelled conversation as the set keeps it.
fn conversation(number: usize) -> String {
    let language = if number.is_multiple_of(3) { "no" } else { "en" };
    let kind = if number.is_multiple_of(2) { "short" } else { "hedged" };
    let mut lines = vec![json!({
        "kind": "conversation", "id": format!("pets-{number}"), "language": language, "type": kind,
        "timezone": "Europe/Oslo", "scope": { "user_id": "ana" },
    })];
    for fact in 0..FACTS {
        let (thing, name) = thing(number, fact);
        lines.push(json!({
            "kind": "turn", "session": "s1", "turn_id": format!("t{fact}"), "role": "user", "name": null,
            "content": format!("I have a {thing} called {name}."), "timestamp": "2026-03-02T18:11:00+01:00",
        }));
    }
    for fact in 0..FACTS {
        let (thing, name) = thing(number, fact);
        lines.push(json!({
            "kind": "gold", "id": format!("g{fact}"), "claim": format!("User has a {thing} called {name}"), "subject": "user",
            "keywords": [[thing], [name]], "turns": [format!("t{fact}")], "date": null, "hedged": false,
            "polarity": "positive", "replaced_by": null,
        }));
    }
    lines.push(json!({
        "kind": "falsehood", "id": "f1", "claim": "User has a crocodile", "keywords": [["crocodile"]], "turns": ["t0"],
        "why": "nobody said so",
    }));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// What a model proposes for a request: with the first prompt it misses two facts of five and makes one up now and then.
fn proposed(request: &Value) -> Value {
    let text = |place: usize| request["messages"][place]["content"].as_str().unwrap_or_default().to_owned();
    let second = text(0).starts_with(tree::read("prompts/extract/v2/system.txt").trim_end());
    let asked = text(1);
    let turns = asked.split("<turns>").nth(1).unwrap_or_default();
    let mut candidates = Vec::new();
    for line in turns.lines() {
        let Some((head, words)) = line.split_once("): ") else { continue };
        let id = head.trim_start_matches('[').split(']').next().unwrap_or_default();
        let Some((thing, name)) = words.strip_prefix("I have a ").and_then(|rest| rest.split_once(" called ")) else {
            continue;
        };
        let name = name.trim_end_matches('.');
        if second || (thing.len() + name.len()) % 5 > 1 {
            candidates.push(candidate(id, words, &format!("User has a {thing} called {name}"), name));
        }
        if !second && name == "Zora" {
            candidates.push(candidate(id, words, "User has a crocodile called Zora", name));
        }
    }
    json!({ "candidates": candidates })
}

fn candidate(turn: &str, words: &str, content: &str, name: &str) -> Value {
    json!({
        "content": content, "memory_type": "fact", "subject": "user", "attribute": "pet", "value": name, "polarity": "positive",
        "evidence": [{ "turn_id": turn, "quote": words }], "time_expression": null, "confidence": 0.9,
    })
}

/// A world with the set in its folder and a model behind a server; how often that was asked.
async fn world() -> (World, PathBuf, Arc<AtomicUsize>) {
    let mut world = World::new(Backends::Embedded).await;
    let data = world.folder().join("conversations");
    std::fs::create_dir(&data).unwrap();
    for number in 0..CONVERSATIONS {
        std::fs::write(data.join(format!("pets-{number}.jsonl")), conversation(number)).unwrap();
    }
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let handler = move |Json(request): Json<Value>| {
        counter.fetch_add(1, Ordering::SeqCst);
        async move { Json(says(&proposed(&request).to_string()).1) }
    };
    let address = stand_in(Router::new().route("/v1/chat/completions", post(handler))).await;
    world.set("MODEL__PROVIDER", "openai");
    world.set("MODEL__BASE_URL", &format!("{address}/v1"));
    world.set("MODEL__MODEL", "stub-1");
    world.set("MODEL__API_KEY", "sk-test");
    world.set("WORKER__CONCURRENCY", "2");
    (world, data, asked)
}

/// The arguments of a comparison of both prompts.
fn arguments<'a>(data: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["eval", "prompts", "--a", "v1", "--b", "v2", "--data", data, "--tape", "tape.jsonl"];
    arguments.extend(more);
    arguments
}
