//! The stories of people who operate a memory: through HTTP, on Postgres.

mod bad_input;
mod corrected;
mod deleted;
mod erased;
mod people;
mod rolled_back;

use serde_json::{Value, json};

use crate::way::model::{says, server};
use crate::world::{Backends, World};

/// One process on Postgres that asks a model of the test's own; each list of candidates is the answer to one call.
async fn desk(replies: Vec<Vec<Value>>) -> World {
    let mut world = World::new(Backends::Services).await;
    let answers = replies.into_iter().map(|candidates| says(&json!({ "candidates": candidates }).to_string()));
    let (url, _) = server(answers.collect()).await;
    world.set("QUEUE__URL", "embedded");
    world.set("MODEL__PROVIDER", "openai");
    world.set("MODEL__BASE_URL", &url);
    world.set("MODEL__MODEL", "stub-1");
    world.set("MODEL__API_KEY", "sk-test");
    world.serve();
    world
}

/// One process on Postgres that reads by rules.
async fn plain_desk() -> World {
    let mut world = World::new(Backends::Services).await;
    world.set("QUEUE__URL", "embedded");
    world.serve();
    world
}

/// A candidate about the user that cites one turn.
fn candidate(content: &str, (attribute, value): (&str, &str), (turn, quote): (&str, &str)) -> Value {
    json!({
        "content": content, "memory_type": "fact", "subject": "user", "attribute": attribute, "value": value,
        "polarity": "positive", "evidence": [{ "turn_id": turn, "quote": quote }], "time_expression": null, "confidence": 0.9,
    })
}

/// A call of one turn.
fn call(user: &str, session: &str, (id, at, words): (&str, &str, &str)) -> Value {
    json!({
        "scope": { "user_id": user }, "session_id": session,
        "messages": [{ "id": id, "role": "user", "content": words, "timestamp": at }],
    })
}

/// The memory of a user that holds a word, whatever its status.
async fn memory_with(world: &World, user: &str, word: &str) -> Value {
    let found = world.memories(&format!("user_id={user}&text={word}")).await;
    assert_eq!(found.len(), 1, "{word}: {found:#?}");
    found[0].clone()
}
