//! Spans, metrics and logs carry ids, counts and enums: a word planted in a turn stands in the store and nowhere else.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;

use crate::world::{Backends, World, one_turn, stand_in};

const MARKER: &str = "Zanzibarquokka";

/// A collector of spans that keeps what it is sent.
async fn collector() -> (String, Arc<Mutex<Vec<u8>>>) {
    let kept: Arc<Mutex<Vec<u8>>> = Arc::default();
    let keep = Arc::clone(&kept);
    let handler = move |body: Bytes| async move { keep.lock().unwrap().extend_from_slice(&body) };
    let address = stand_in(Router::new().route("/v1/traces", post(handler))).await;
    let url = format!("{address}/v1/traces");
    (url, kept)
}

fn holds(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|part| part == word.as_bytes())
}

async fn a_word_of_a_turn_leaves_in_no_span_log_or_metric(backends: Backends) {
    let (url, kept) = collector().await;
    let mut world = World::new(backends).await;
    world.set("TELEMETRY__OTLP_ENDPOINT", &url);
    world.set("TELEMETRY__LOG", "trace");
    world.set("TELEMETRY__FORMAT", "json");
    world.start_all();
    let id =
        world.remember(&one_turn(MARKER, "s", "t1", &format!("I live in {MARKER} and my name is {MARKER}."))).await;
    let trace = world.done(&id).await;
    assert!(trace.to_string().contains(MARKER), "the stored trace holds what was said: {trace}");
    let (status, _) = world.post(&one_turn("u", "s", MARKER, &"\u{7}".repeat(0))).await;
    assert_eq!(status, 422);
    world
        .until("spans of the call", || async {
            let bytes = kept.lock().unwrap().clone();
            (holds(&bytes, "ground") && holds(&bytes, "outside") && holds(&bytes, &id)).then_some(())
        })
        .await;
    assert!(!holds(&kept.lock().unwrap(), MARKER), "in an exported span");
    let log = world.log();
    assert!(log.len() > 200, "a log that says nothing proves nothing");
    let leak = log.lines().find(|line| line.contains(MARKER));
    assert_eq!(leak, None, "in the log");
    assert!(!world.page("/metrics").await.contains(MARKER), "in a metric");
}

#[tokio::test]
async fn a_word_of_a_turn_leaves_in_no_span_log_or_metric_of_one_process() {
    a_word_of_a_turn_leaves_in_no_span_log_or_metric(Backends::Embedded).await;
}

#[tokio::test]
async fn a_word_of_a_turn_leaves_in_no_span_log_or_metric_of_the_fleet() {
    a_word_of_a_turn_leaves_in_no_span_log_or_metric(Backends::Services).await;
}

#[tokio::test]
async fn the_openapi_file_names_every_route() {
    let mut world = World::new(Backends::Embedded).await;
    world.serve();
    let (_, file) = world.get("/openapi.json").await;
    assert!(file["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")), "{file}");
    for route in
        ["/v1/remember", "/v1/traces", "/v1/traces/{trace_id}", "/v1/memories", "/healthz", "/readyz", "/metrics"]
    {
        assert!(!file["paths"][route].is_null(), "{route}");
    }
}
