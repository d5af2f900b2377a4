//! Calls whose claims are known by number.

use serde_json::{Value, json};

/// The body of a call with one to three claims that no other call makes, and how many they are.
pub fn call(session: u32, seq: u32) -> (Value, i64) {
    let things = ["kites", "lamps", "drums"];
    let claims = 1 + i64::from((session + seq) % 3);
    let words: Vec<String> =
        things.iter().zip(0..claims).map(|(thing, _)| format!("I own {} {thing}.", seq + 2)).collect();
    let body = json!({
        "scope": { "user_id": format!("user-{session}") },
        "session_id": format!("session-{session}"),
        "idempotency_key": format!("{session}-{seq}"),
        "metadata": { "seq": seq },
        "messages": [{ "id": format!("t{seq}"), "role": "user", "content": words.join(" ") }],
    });
    (body, claims)
}
