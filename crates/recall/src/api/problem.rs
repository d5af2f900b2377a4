//! Errors as callers see them (RFC 9457, `application/problem+json`).

use std::any::Any;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use recall_broker::BrokerError;
use recall_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::door::Fault;

/// A problem with a request, or of ours.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// The HTTP status again.
    pub status: u16,
    /// The kind of problem.
    pub title: &'static str,
    /// What happened and what to do.
    pub detail: String,
    /// Fields that are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Fault>,
    /// Seconds after which trying again makes sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl Problem {
    fn new(status: StatusCode, title: &'static str, detail: impl Into<String>) -> Self {
        Self { status: status.as_u16(), title, detail: detail.into(), errors: Vec::new(), retry_after: None }
    }

    /// 400: not JSON, or not of the shape.
    pub(crate) fn unreadable(status: StatusCode, detail: impl Into<String>) -> Self {
        let title =
            if status == StatusCode::PAYLOAD_TOO_LARGE { "request is too large" } else { "request is unreadable" };
        let detail = detail.into();
        Self { errors: vec![Fault::new("body", detail.clone())], ..Self::new(status, title, detail) }
    }

    /// 422: fields are wrong.
    pub(crate) fn invalid(errors: Vec<Fault>) -> Self {
        let first = errors.first().map(|fault| format!("{}: {}", fault.field, fault.detail));
        Self {
            errors,
            ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, "request is not valid", first.unwrap_or_default())
        }
    }

    /// 401.
    pub(crate) fn unauthorised() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "no valid key",
            "send Authorization: Bearer KEY with a key of this installation",
        )
    }

    /// 403.
    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "not allowed", detail)
    }

    /// 404.
    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not found", detail)
    }

    /// 409.
    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "not as things stand", detail)
    }

    /// 503 with the wait.
    pub(crate) fn unavailable(detail: impl Into<String>, retry_after: u64) -> Self {
        Self { retry_after: Some(retry_after), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "try again", detail) }
    }

    fn bug() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "a fault of ours",
            "the request met a fault of the server; nothing was accepted",
        )
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Cursor => {
                Self::invalid(vec![Fault::new("cursor", "is not one this list handed out; begin without it")])
            }
            StoreError::Missing(what) => Self::not_found(format!("this namespace has no such {what}")),
            StoreError::Conflict(why) => Self::conflict(why),
            StoreError::Unavailable(_) | StoreError::Failed(_) | StoreError::Stale => {
                tracing::warn!(error = &error as &dyn std::error::Error, "store failed");
                Self::unavailable("the database did not answer", 2)
            }
            StoreError::Refused { .. } | StoreError::Schema { .. } | StoreError::InUse(_) | StoreError::Corrupt(_) => {
                tracing::error!(error = &error as &dyn std::error::Error, "store failed");
                Self::bug()
            }
        }
    }
}

impl From<BrokerError> for Problem {
    fn from(error: BrokerError) -> Self {
        tracing::warn!(error = &error as &dyn std::error::Error, "queue failed");
        match error {
            BrokerError::Full => Self::unavailable("the queue is full; nothing was accepted", 30),
            BrokerError::Unwritable(_) => Self::bug(),
            BrokerError::Unavailable(_) | BrokerError::Mismatch(_) | BrokerError::Moved | BrokerError::Stopped => {
                Self::unavailable(
                    "the queue did not confirm; nothing is lost if you send the call again with the same Idempotency-Key",
                    2,
                )
            }
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.retry_after;
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Says every refusal as a problem, also those of the router and of what stands before it: a wrong method, a request that takes too
/// long, a path that cannot be read.
pub(super) async fn every_refusal(response: Response) -> Response {
    let status = response.status();
    let is_told =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| !kind.as_bytes().starts_with(b"text/"));
    if is_told || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let said = axum::body::to_bytes(body, MOST_SAID).await.unwrap_or_default();
    let mut told = of_router(status, &String::from_utf8_lossy(&said)).into_response();
    for (name, value) in &parts.headers {
        if *name != header::CONTENT_TYPE && *name != header::CONTENT_LENGTH {
            told.headers_mut().insert(name.clone(), value.clone());
        }
    }
    told
}

/// Bytes of a refusal that are read.
const MOST_SAID: usize = 4096;

fn of_router(status: StatusCode, said: &str) -> Problem {
    match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            let detail = "the route does not take this method; the header Allow says which it takes";
            Problem::new(status, "method not allowed", detail)
        }
        StatusCode::REQUEST_TIMEOUT => {
            Problem::new(status, "request took too long", "nothing is known of what it asked for; send it again")
        }
        StatusCode::BAD_REQUEST => Problem {
            errors: vec![Fault::new("path", said)],
            ..Problem::new(status, "request is unreadable", format!("path: {said}"))
        },
        _ => Problem::new(status, status.canonical_reason().unwrap_or("refused"), said),
    }
}

/// The answer where a handler panicked.
pub(super) fn panicked(_panic: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!("a handler panicked");
    Problem::bug().into_response()
}
