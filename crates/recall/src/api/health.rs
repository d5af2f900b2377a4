//! Is it alive, is it ready, what does it count?

use std::sync::Arc;

use axum::Json;
use axum::extract::State as Of;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::State;

/// The process answers.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = String, description = "`ok`")))]
pub(super) async fn healthz() -> &'static str {
    "ok"
}

/// Store and queue answer, so a call would be accepted and worked on.
#[utoipa::path(
    get, path = "/readyz", tag = "health",
    responses((status = 200, body = Object, description = "Ready."), (status = 503, body = Object, description = "What is away."))
)]
pub(super) async fn readyz(Of(state): Of<Arc<State>>) -> Response {
    let store = state.store.ready().await;
    let queue = state.broker.ready().await;
    let ready = store.is_ok() && queue.is_ok();
    let said = |error: Option<String>| error.unwrap_or_else(|| "ok".to_owned());
    let body = json!({
        "ready": ready,
        "store": said(store.err().map(|error| error.to_string())),
        "queue": said(queue.err().map(|error| error.to_string())),
    });
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(body)).into_response()
}

/// Prometheus metrics of this process.
#[utoipa::path(get, path = "/metrics", tag = "health", responses((status = 200, body = String, description = "Prometheus text format.")))]
pub(super) async fn metrics(Of(state): Of<Arc<State>>) -> Response {
    if let Ok(depth) = state.broker.depth().await {
        state.metrics.waiting.with_label_values(&["queue"]).set(i64::try_from(depth.ready).unwrap_or(i64::MAX));
        state.metrics.waiting.with_label_values(&["astray"]).set(i64::try_from(depth.astray).unwrap_or(i64::MAX));
    }
    if let Ok((parked, oldest)) = state.store.parked_depth().await {
        state.metrics.waiting.with_label_values(&["parked"]).set(i64::try_from(parked).unwrap_or(i64::MAX));
        state.metrics.oldest_parked_seconds.set(i64::try_from(oldest).unwrap_or(i64::MAX));
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], state.metrics.render()).into_response()
}
