//! `POST /v1/remember`: checked, handed to the queue, and answered only once the queue confirmed it.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State as Of};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures::StreamExt as _;
use recall_broker::{BrokerError, Envelope};
use recall_core::call::Lane;
use serde::Serialize;
use serde_json::error::Category;
use tracing::Instrument;
use utoipa::ToSchema;

use super::problem::Problem;
use super::{Keyholder, State};
use crate::door::{AbsentTime, Entry, Fault, Remember, admit};
use crate::telemetry;

/// A body is read on to this multiple of the limit.
const READ_ON: usize = 8;

/// The answer to an accepted call.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Accepted {
    /// Ask `/v1/traces/{trace_id}` how the call stands.
    pub trace_id: String,
    /// `queued`.
    pub status: &'static str,
}

/// Remember these turns. Answers once the call is durable; the work goes on afterwards.
#[utoipa::path(
    post, path = "/v1/remember", tag = "remember", request_body = Remember,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key again meets the same trace; with other turns it is refused.")),
    responses(
        (status = 202, description = "Durable; will be worked on.", body = Accepted),
        (status = 400, description = "Not JSON, or not UTF-8.", body = Problem),
        (status = 401, body = Problem, description = "No valid key."),
        (status = 413, body = Problem, description = "The body is too large."),
        (status = 422, body = Problem, description = "A field is wrong; every one is named."),
        (status = 503, body = Problem, description = "The queue is away or full; send it again."),
    )
)]
pub(super) async fn remember(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let began = Instant::now();
    let result = accept(&state, &keyholder, &headers, request).await;
    let status = match &result {
        Ok(_) => StatusCode::ACCEPTED.as_u16(),
        Err(problem) => problem.status,
    };
    let label = status.to_string();
    state.metrics.accept_seconds.with_label_values(&[&label]).observe(began.elapsed().as_secs_f64());
    match result {
        Ok(accepted) => {
            state.metrics.accepted.inc();
            (StatusCode::ACCEPTED, Json(accepted)).into_response()
        }
        Err(problem) => {
            state.metrics.refused.with_label_values(&[&label]).inc();
            problem.into_response()
        }
    }
}

async fn accept(
    state: &Arc<State>,
    keyholder: &Keyholder,
    headers: &HeaderMap,
    request: Request,
) -> Result<Accepted, Problem> {
    keyholder.may_remember()?;
    let body = whole(request.into_body(), state.max_body_bytes).await?;
    let mut remember = read(&body)?;
    if let Some(key) = headers.get("idempotency-key") {
        let key = key
            .to_str()
            .map_err(|_| Problem::invalid(vec![Fault::new("Idempotency-Key", "must be visible ASCII characters")]))?;
        remember.idempotency_key = Some(key.to_owned());
    }
    let namespace = match (keyholder.namespace.as_str(), &remember.scope.namespace) {
        ("*", Some(asked)) => asked.clone(),
        ("*", None) => "default".to_owned(),
        (own, _) => own.to_owned(),
    };
    let settings = (state.settings)(&namespace);
    let entry = Entry {
        now: crate::clock::now(),
        key: state.hashes.current(),
        namespace: &namespace,
        timezone: settings.timezone.as_deref(),
        absent: AbsentTime::Received,
        lane: Lane::Live,
    };
    let call = admit(remember, &entry).map_err(Problem::invalid)?;
    let id = call.trace_id.clone();
    let print = call.fingerprint(state.hashes.current());
    if state.recent.said_otherwise(&id, &print) {
        let message = "was used before for other turns; give every call a key of its own";
        return Err(Problem::invalid(vec![Fault::new("Idempotency-Key", message)]));
    }
    let trace_id = id.to_string();
    let asked = headers.get("traceparent").and_then(|value| value.to_str().ok());
    let span = tracing::info_span!("remember", trace_id);
    if let Some(asked) = asked {
        telemetry::join(&span, asked);
    }
    let traceparent = telemetry::traceparent(&span).or(asked.map(str::to_owned));
    let envelope = Envelope::new(call, traceparent);
    let publish = state.broker.publish(&envelope).instrument(span);
    tokio::time::timeout(state.confirm, publish).await.map_err(|_| BrokerError::Unavailable(None))??;
    state.recent.note(id, print);
    Ok(Accepted { trace_id, status: "queued" })
}

/// The whole body. One that is too large is read on for a while and thrown away: a client that is still sending would otherwise
/// see a broken pipe and not the answer.
async fn whole(body: Body, limit: usize) -> Result<Vec<u8>, Problem> {
    let (mut kept, mut seen) = (Vec::new(), 0);
    let mut parts = body.into_data_stream();
    while let Some(part) = parts.next().await {
        let part = part.map_err(|_| Problem::unreadable(StatusCode::BAD_REQUEST, "the body was cut"))?;
        seen += part.len();
        if seen <= limit {
            kept.extend_from_slice(&part);
        } else if seen > limit.saturating_mul(READ_ON) {
            break;
        }
    }
    if seen > limit {
        let detail = format!("the body is larger than {limit} bytes; send fewer messages in one call");
        return Err(Problem::unreadable(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    Ok(kept)
}

/// The request from its bytes; a fault inside it is told with its place, never with its words.
fn read(body: &[u8]) -> Result<Remember, Problem> {
    if std::str::from_utf8(body).is_err() {
        return Err(Problem::unreadable(StatusCode::BAD_REQUEST, "the body is not UTF-8"));
    }
    // Straight into the request, not through a free value: a field that stands twice is then refused.
    serde_json::from_slice(body).map_err(|error| match error.classify() {
        Category::Data => Problem::invalid(vec![Fault::new("body", error.to_string())]),
        Category::Io | Category::Syntax | Category::Eof => {
            let place = format!("the body is no JSON (line {} column {})", error.line(), error.column());
            Problem::unreadable(StatusCode::BAD_REQUEST, place)
        }
    })
}
