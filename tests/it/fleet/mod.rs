//! Operating the fleet from outside: dead letters, its state, readiness, stopping, and disks that fill up.

mod dead;
mod outage;
mod ready;
mod status;
mod stop;
mod trouble;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::world::{Backends, World, stand_in};

/// What a model server does with a request.
#[derive(Clone)]
pub(super) enum Act {
    /// Answers 200 with these words.
    Says(String),
    /// Answers with this status and `Retry-After`.
    Fails(u16, &'static str),
    /// Never answers.
    Hangs,
}

/// A model server that does one thing after the other, and the last one for ever; its base URL, and how often it was asked.
pub(super) async fn model(acts: Vec<Act>) -> (String, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let handler = move |Json(request): Json<Value>| {
        let number = counter.fetch_add(1, Ordering::SeqCst);
        let act = acts[number.min(acts.len() - 1)].clone();
        async move {
            match act {
                Act::Says(words) => {
                    (StatusCode::OK, HeaderMap::new(), Json(completion(&request["model"], &words))).into_response()
                }
                Act::Fails(status, retry_after) => {
                    let headers =
                        HeaderMap::from_iter([(axum::http::header::RETRY_AFTER, retry_after.parse().unwrap())]);
                    (StatusCode::from_u16(status).unwrap(), headers, Json(json!({}))).into_response()
                }
                Act::Hangs => std::future::pending().await,
            }
        }
    };
    let address = stand_in(Router::new().route("/v1/chat/completions", post(handler))).await;
    (format!("{address}/v1"), asked)
}

fn completion(model: &Value, words: &str) -> Value {
    json!({
        "id": "x", "object": "chat.completion", "created": 1, "model": model,
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": words } }],
        "usage": { "prompt_tokens": 700, "completion_tokens": 80, "total_tokens": 780 },
    })
}

/// What a model reads out of `PARROT`.
pub(super) fn parrot() -> Act {
    let candidate = json!({
        "content": "User has a parrot called Rico", "memory_type": "fact", "subject": "user", "attribute": "pet",
        "value": "parrot", "polarity": "positive", "evidence": [{ "turn_id": "t1", "quote": "I have a parrot called Rico" }],
        "time_expression": null, "confidence": 0.9,
    });
    Act::Says(json!({ "candidates": [candidate] }).to_string())
}

/// A turn with something to remember.
pub(super) const PARROT: &str = "I have a parrot called Rico.";

/// An installation whose model is that server.
pub(super) async fn world_with(backends: Backends, url: &str) -> World {
    let mut world = World::new(backends).await;
    world.set("MODEL__PROVIDER", "openai");
    world.set("MODEL__BASE_URL", url);
    world.set("MODEL__MODEL", "stub-1");
    world
}
