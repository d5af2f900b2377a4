//! A model server that answers after a fixed time: every plain first-person sentence of a user's turn becomes a candidate with its
//! verbatim quote. It counts what it is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use serde_json::{Value, json};

/// What the server was asked so far.
#[derive(Default)]
pub(crate) struct Asked {
    pub(crate) requests: AtomicU64,
    /// Characters of all messages; four of them are counted as a token.
    pub(crate) prompt_chars: AtomicU64,
    /// Characters of the response format that travels beside the messages.
    pub(crate) schema_chars: AtomicU64,
    pub(crate) in_flight: AtomicU64,
    pub(crate) most_in_flight: AtomicU64,
}

/// A running server.
pub(crate) struct Stub {
    pub(crate) url: String,
    pub(crate) asked: Arc<Asked>,
}

struct Manner {
    delay: Duration,
    asked: Arc<Asked>,
}

/// Starts a server that takes `delay` for an answer; it ends with this process.
#[allow(clippy::disallowed_methods, reason = "the server ends with the benchmark and holds no call of the product")]
pub(crate) async fn start(delay: Duration) -> Stub {
    let asked = Arc::new(Asked::default());
    let manner = Arc::new(Manner { delay, asked: Arc::clone(&asked) });
    let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(manner);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::task::spawn(async move { axum::serve(listener, router).await });
    Stub { url, asked }
}

async fn answer(State(manner): State<Arc<Manner>>, body: Bytes) -> axum::Json<Value> {
    let asked = &manner.asked;
    let now = asked.in_flight.fetch_add(1, Ordering::Relaxed) + 1;
    asked.most_in_flight.fetch_max(now, Ordering::Relaxed);
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let messages: Vec<&str> = request["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|message| message["content"].as_str())
        .collect();
    let chars: usize = messages.iter().map(|message| message.chars().count()).sum();
    let schema = request.get("response_format").map_or(0, |schema| schema.to_string().len());
    asked.requests.fetch_add(1, Ordering::Relaxed);
    asked.prompt_chars.fetch_add(chars as u64, Ordering::Relaxed);
    asked.schema_chars.fetch_add(schema as u64, Ordering::Relaxed);
    let candidates = messages.last().map(|turns| candidates(turns)).unwrap_or_default();
    let content = json!({ "candidates": candidates }).to_string();
    if !manner.delay.is_zero() {
        let _over = tokio::time::timeout(manner.delay, std::future::pending::<()>()).await;
    }
    asked.in_flight.fetch_sub(1, Ordering::Relaxed);
    let tokens = json!({ "prompt_tokens": chars.div_ceil(4), "completion_tokens": content.len().div_ceil(4),
        "total_tokens": chars.div_ceil(4) + content.len().div_ceil(4) });
    let message = json!({ "role": "assistant", "content": content });
    axum::Json(json!({
        "id": "stub", "object": "chat.completion", "created": 1, "model": "stub-1", "usage": tokens,
        "choices": [{ "index": 0, "finish_reason": "stop", "message": message }],
    }))
}

/// The candidates of the turns between `<turns>` and `</turns>`; code and questions hold none.
fn candidates(prompt: &str) -> Vec<Value> {
    let Some((_, turns)) = prompt.rsplit_once("<turns>\n") else { return Vec::new() };
    let mut found = Vec::new();
    for (id, words) in turns.lines().filter_map(user_turn) {
        let sentences = words.split_inclusive(['.', '!', '?']).map(str::trim);
        let stated = sentences.filter(|sentence| !sentence.ends_with('?')).filter_map(|sentence| {
            let quote = sentence.trim_end_matches(['.', '!']);
            Some(candidate(id, quote, quote.strip_prefix("I ")?))
        });
        found.extend(stated.take(2));
    }
    found
}

/// Id and words of a line `[id] user (time): words`.
fn user_turn(line: &str) -> Option<(&str, &str)> {
    let (id, rest) = line.strip_prefix('[')?.split_once("] ")?;
    let rest = rest.strip_prefix("user")?;
    let words = if rest.starts_with(" (") { rest.split_once("): ")?.1 } else { rest.strip_prefix(": ")? };
    Some((id, words))
}

fn candidate(id: &str, quote: &str, said: &str) -> Value {
    let attribute = said.split(' ').next().unwrap_or_default();
    json!({
        "evidence": [{ "turn_id": id, "quote": quote }], "content": format!("User {said}"), "memory_type": "fact", "subject": "user",
        "attribute": attribute, "value": said.strip_prefix(attribute).unwrap_or_default().trim(), "polarity": "positive",
        "time_expression": null, "confidence": 0.9,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_sentence_of_a_user_is_a_candidate_and_nothing_else_is() {
        let prompt = "<context>\n[c] user: I own a boat.\n</context>\n<turns>\n[a] user (2026-03-02 18:10): Hello! I own 7 kites. \
            Do I own more?\n[b] assistant: I own nothing.\n[d] user: Thanks.\n</turns>\n";
        let found = candidates(prompt);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0]["evidence"][0], json!({ "turn_id": "a", "quote": "I own 7 kites" }));
        assert_eq!((&found[0]["attribute"], &found[0]["value"]), (&json!("own"), &json!("7 kites")));
    }
}
