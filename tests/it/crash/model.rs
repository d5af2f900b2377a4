//! A model server that reads the calls of these tests, and misbehaves once where it is told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::way::model::says;
use crate::world::{PATIENCE, World, stand_in};

/// What it does with the first request; all others are answered well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    IsAnswered,
    NeverAnswers,
    /// Answers in prose, also when it is asked to repair that.
    Babbles,
}

/// The server.
pub(super) struct Model {
    url: String,
    asked: Arc<Notify>,
}

impl Model {
    pub(super) async fn start(first: First) -> Self {
        let (requests, asked) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let tell = Arc::clone(&asked);
        let handler = move |Json(request): Json<Value>| {
            let number = requests.fetch_add(1, Ordering::SeqCst);
            tell.notify_one();
            async move {
                let content = match first {
                    First::NeverAnswers if number == 0 => std::future::pending().await,
                    First::Babbles if number < 2 => "I would love to help you with that!".to_owned(),
                    First::IsAnswered | First::NeverAnswers | First::Babbles => read(&request),
                };
                Json(says(&content).1).into_response()
            }
        };
        let address = stand_in(Router::new().route("/v1/chat/completions", post(handler))).await;
        Self { url: format!("{address}/v1"), asked }
    }

    /// Lets the processes that are started after this ask it.
    pub(super) fn serves(&self, world: &mut World) {
        world.set("MODEL__PROVIDER", "openai");
        world.set("MODEL__BASE_URL", &self.url);
        world.set("MODEL__MODEL", "stub-1");
    }

    /// Waits until it is asked.
    pub(super) async fn asked(&self) {
        let asked = tokio::time::timeout(PATIENCE, self.asked.notified()).await;
        assert!(asked.is_ok(), "the model was not asked");
    }
}

/// What a good model makes of a request: every "I own …" of the turns.
fn read(request: &Value) -> String {
    let messages = request["messages"].as_array().unwrap();
    // Behind them stand, where it is asked to repair its answer, that answer and the wish.
    let turns =
        messages.iter().find_map(|message| Some(message["content"].as_str()?.split_once("<turns>\n")?.1)).unwrap();
    let lines = turns.lines().filter_map(|line| line.strip_prefix('[')?.split_once(']'));
    let claims = lines.flat_map(|(id, words)| words.split("I own ").skip(1).map(move |claim| (id, claim)));
    let candidates: Vec<Value> = claims.map(|(id, claim)| candidate(id, claim.trim().trim_end_matches('.'))).collect();
    json!({ "candidates": candidates }).to_string()
}

fn candidate(turn: &str, value: &str) -> Value {
    json!({
        "content": format!("User owns {value}"), "memory_type": "fact", "subject": "user", "attribute": "owns", "value": value,
        "polarity": "positive", "evidence": [{ "turn_id": turn, "quote": format!("I own {value}") }],
        "time_expression": null, "confidence": 0.9,
    })
}
