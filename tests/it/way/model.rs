//! A model server of the test's own that misbehaves: the call waits or is dead with its reason, and is never lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::world::{Backends, World, one_turn, stand_in};

/// Answers the n-th request as told, and all after the last one like the last.
pub(crate) async fn server(answers: Vec<(u16, Value)>) -> (String, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let handler = move || {
        let n = counter.fetch_add(1, Ordering::SeqCst);
        let (status, body) = answers[n.min(answers.len() - 1)].clone();
        async move { (StatusCode::from_u16(status).unwrap(), Json(body)).into_response() }
    };
    let address = stand_in(Router::new().route("/v1/chat/completions", post(handler))).await;
    let url = format!("{address}/v1");
    (url, asked)
}

pub(crate) fn says(content: &str) -> (u16, Value) {
    let message = json!({ "role": "assistant", "content": content });
    let choice = json!({ "index": 0, "finish_reason": "stop", "message": message });
    let usage = json!({ "prompt_tokens": 700, "completion_tokens": 80, "total_tokens": 780 });
    (
        200,
        json!({ "id": "x", "object": "chat.completion", "created": 1, "model": "stub-1", "choices": [choice], "usage": usage }),
    )
}

fn candidate(content: &str, value: &str, quote: &str) -> Value {
    json!({
        "content": content, "memory_type": "fact", "subject": "user", "attribute": "pet", "value": value, "polarity": "positive",
        "evidence": [{ "turn_id": "t1", "quote": quote }], "time_expression": null, "confidence": 0.9,
    })
}

pub(super) async fn world_with(answers: Vec<(u16, Value)>) -> (World, Arc<AtomicUsize>) {
    let (mut world, asked) = installed(answers).await;
    world.serve();
    (world, asked)
}

async fn installed(answers: Vec<(u16, Value)>) -> (World, Arc<AtomicUsize>) {
    let (url, asked) = server(answers).await;
    let mut world = World::new(Backends::Embedded).await;
    world.set("MODEL__PROVIDER", "openai");
    world.set("MODEL__BASE_URL", &url);
    world.set("MODEL__MODEL", "stub-1");
    world.set("MODEL__API_KEY", "sk-test");
    (world, asked)
}

#[tokio::test]
async fn what_the_model_invents_is_blocked_with_its_reason_and_what_was_said_is_kept() {
    let reply = json!({ "candidates": [
        candidate("User has a parrot called Rico", "parrot", "I have a parrot called Rico"),
        candidate("User has a parrot and three cats", "three cats", "I have a parrot called Rico"),
        candidate("User has a dog", "dog", "I have a dog"),
        { "content": "", "evidence": "none" },
    ]});
    let (world, _) = world_with(vec![says(&reply.to_string())]).await;
    let id = world.remember(&one_turn("u", "s", "t1", "I have a parrot called Rico.")).await;
    let trace = world.done(&id).await;
    let reasons: Vec<&str> =
        trace["verdicts"].as_array().unwrap().iter().map(|line| line["reason"].as_str().unwrap_or("kept")).collect();
    assert_eq!(reasons, ["kept", "unsupported_number", "quote_not_found", "malformed"], "{trace:#}");
    assert_eq!(trace["usage"]["model_calls"], 1);
    assert_eq!(trace["usage"]["prompt_tokens"], 700);
    let page = world.page("/metrics").await;
    assert!(page.contains("recall_hallucination_blocked_total{reason=\"quote_not_found\"} 1"), "{page}");
    assert!(page.contains("recall_memories_stored_total{type=\"fact\"} 1"), "{page}");
}

#[tokio::test]
async fn a_model_that_answers_prose_is_asked_once_more_and_then_the_call_is_kept_with_its_reason() {
    let (world, asked) = world_with(vec![says("I would love to help you with that!")]).await;
    let id = world.remember(&one_turn("u", "s", "t1", "I have a parrot called Rico.")).await;
    let trace = world.trace_until(&id, &["dead"]).await;
    assert!(trace["error"].as_str().is_some_and(|error| error.contains("could not be used")), "{trace}");
    assert!(asked.load(Ordering::SeqCst) >= 2);
    assert_eq!(world.count("SELECT count(*) FROM dead_letters").await, 1);
    assert_eq!(world.memories("user_id=u").await.len(), 0);
}

#[tokio::test]
async fn a_wrong_key_or_a_server_in_trouble_holds_the_call_until_it_is_mended() {
    let refused = json!({ "error": { "message": "bad key", "code": "invalid_api_key" } });
    let reply =
        json!({ "candidates": [candidate("User has a parrot called Rico", "parrot", "I have a parrot called Rico")] });
    let (world, _) = world_with(vec![(401, refused), (503, json!("<html>")), says(&reply.to_string())]).await;
    let id = world.remember(&one_turn("u", "s", "t1", "I have a parrot called Rico.")).await;
    let trace = world.done(&id).await;
    assert_eq!(trace["stored_count"], 1, "{trace}");
}

#[tokio::test]
async fn a_judge_decides_what_the_words_leave_open_and_nothing_is_kept_on_its_silence() {
    let (words, quote) =
        ("I spend my weekends up in the hills with the telescope.", "I spend my weekends up in the hills");
    let reply = json!({ "candidates": [
        candidate("User observes the sky at weekends", "", quote),
        candidate("User spends weekends up in the hills", "", quote),
    ]});
    let verdict = json!({ "verdicts": [{ "claim": 1, "verdict": "supported" }] });
    let answers =
        vec![says(&reply.to_string()), says(&verdict.to_string()), says(&reply.to_string()), (500, json!("<html>"))];
    let (mut world, asked) = installed(answers).await;
    world.set("SETTINGS__JUDGE", "on");
    world.serve();
    let reasons = |trace: &Value| -> Vec<String> {
        let lines = trace["verdicts"].as_array().unwrap().iter();
        lines.map(|line| line["reason"].as_str().unwrap_or("kept").to_owned()).collect()
    };
    let trace = world.done(&world.remember(&one_turn("u", "s", "t1", words)).await).await;
    assert_eq!(reasons(&trace), ["kept", "kept"], "{trace:#}");
    assert_eq!(
        (trace["usage"]["model_calls"].as_u64(), trace["usage"]["prompt_tokens"].as_u64()),
        (Some(2), Some(1400))
    );
    let trace = world.done(&world.remember(&one_turn("v", "s", "t1", words)).await).await;
    assert_eq!(reasons(&trace), ["judge_unavailable", "kept"], "{trace:#}");
    assert_eq!(trace["usage"]["model_calls"], 2, "the judge was asked, whatever it said: {trace:#}");
    assert_eq!(asked.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_judge_with_nothing_to_judge_costs_neither_a_request_nor_a_look_into_the_store() {
    let (mut world, asked) = installed(vec![says("{\"candidates\":[]}")]).await;
    world.set("SETTINGS__JUDGE", "on");
    world.serve();
    world.done(&world.remember(&one_turn("u", "s", "t1", "I have a parrot called Rico.")).await).await;
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    let page = world.page("/metrics").await;
    let looks = page.lines().find(|line| line.contains("_count") && line.contains("\"neighbours\""));
    assert!(looks.is_none(), "with nothing to judge nobody looks: {looks:?}");
}

#[tokio::test]
async fn a_judge_without_a_model_is_refused_at_the_start() {
    let mut world = World::new(Backends::Embedded).await;
    world.set("SETTINGS__JUDGE", "on");
    let refused = world.recall(&["serve"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("judge") && said.contains("openai"), "{said}");
}
