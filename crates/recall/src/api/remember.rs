//! `POST /v1/remember`: checked, handed to the queue, and answered only once the queue confirmed it.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Request, State as Of};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use recall_broker::{BrokerError, Envelope};
use recall_core::call::Lane;
use recall_core::memory::Memory;
use recall_core::scope::Owner;
use serde::Serialize;
use serde_json::{Map, json};
use tracing::Instrument;
use utoipa::ToSchema;

use super::matrix::Verb;
use super::problem::Problem;
use super::{Keyholder, State, body};
use crate::door::{AbsentTime, Entry, Fault, Remember, ScopeFields, admit};
use crate::telemetry;

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
    keyholder.may(Verb::Remember)?;
    let mut remember: Remember = body::read(request.into_body(), state.max_body_bytes).await?;
    if let Some(key) = headers.get("idempotency-key") {
        let key = key
            .to_str()
            .map_err(|_| Problem::invalid(vec![Fault::new("Idempotency-Key", "must be visible ASCII characters")]))?;
        remember.idempotency_key = Some(key.to_owned());
    }
    let namespace = keyholder.namespace(remember.scope.namespace.as_deref())?;
    let traceparent = headers.get("traceparent").and_then(|value| value.to_str().ok());
    send(state, &namespace, remember, traceparent).await
}

/// Has a correction by the model judged as a turn of the assistant in the session of a memory.
pub(super) async fn propose(state: &Arc<State>, memory: &Memory, content: &str) -> Result<Accepted, Problem> {
    let (user_id, account_id) = match memory.scope.owner() {
        Owner::User(id) => (Some(id.clone()), None),
        Owner::Account(id) => (None, Some(id.clone())),
    };
    let namespace = memory.scope.namespace().to_owned();
    let agent_id = memory.scope.agent_id().map(str::to_owned);
    let remember = Remember {
        messages: json!([{ "role": "assistant", "content": content }]),
        scope: ScopeFields { namespace: Some(namespace.clone()), user_id, account_id, agent_id },
        session_id: Some(memory.session_id.clone()).filter(|session| !session.is_empty()),
        metadata: Map::new(),
        infer: true,
        timezone: None,
        expires_at: None,
        idempotency_key: None,
    };
    send(state, &namespace, remember, None).await
}

/// Has a checked call taken in by the queue.
async fn send(
    state: &Arc<State>,
    namespace: &str,
    remember: Remember,
    asked: Option<&str>,
) -> Result<Accepted, Problem> {
    let settings = (state.settings)(namespace);
    let entry = Entry {
        now: crate::clock::now(),
        key: state.hashes.lasting(),
        namespace,
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
