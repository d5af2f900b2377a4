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
        Self::new(status, title, detail)
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

/// The answer where a handler panicked.
pub(super) fn panicked(_panic: Box<dyn Any + Send + 'static>) -> Response {
    tracing::error!("a handler panicked");
    Problem::bug().into_response()
}
