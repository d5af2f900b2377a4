//! What an error response means. Servers agree on the status at best: the body may be OpenAI's shape, vLLM's with a numeric
//! code, plain text or a page of HTML. It is looked at for a few known words and then forgotten; no part of it is kept or logged.

use std::time::Duration;

use http::StatusCode;
use recall_core::class::Class;
use serde_json::Value;

use crate::LlmError;

/// A setting of the request that a server may not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// `response_format`.
    Format,
    /// `max_tokens` or its newer name.
    Limit,
    /// `temperature`.
    Temperature,
}

/// Why a request brought no reply.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// The error of the port.
    #[error(transparent)]
    Final(#[from] LlmError),
    /// The request does not fit the model; the server may say how many tokens would.
    #[error("request does not fit the model")]
    TooLong {
        /// Tokens of the model's window.
        window: Option<usize>,
    },
    /// The server does not know a setting of the request.
    #[error("server does not know a setting of the request (status {status})")]
    Unknown {
        /// The setting.
        feature: Feature,
        /// The status.
        status: u16,
    },
}

/// Reads an error response.
pub(super) fn of(status: StatusCode, body: &[u8], retry_after: Option<Duration>) -> Trouble {
    let text = String::from_utf8_lossy(body);
    let error = Shape::read(&text);
    let status_code = status.as_u16();
    match (status_code, error) {
        // These say nothing about the request, whatever words their body holds: a server that is busy may have "too many tokens" in work.
        (401 | 402 | 403 | 404 | 408 | 409 | 425 | 429 | 502.., _) => {
            LlmError::of_status(status_code, retry_after).into()
        }
        // llama.cpp of older builds reports a prompt that is too long as 500.
        (413, Shape { window, .. }) | (_, Shape { too_long: true, window, .. }) => Trouble::TooLong { window },
        (400 | 422 | 501, Shape { feature: Some(feature), .. }) => Trouble::Unknown { feature, status: status_code },
        _ => LlmError::of_status(status_code, retry_after).into(),
    }
}

/// The words that matter of an error body.
struct Shape {
    too_long: bool,
    window: Option<usize>,
    feature: Option<Feature>,
}

const TOO_LONG: [&str; 8] = [
    "exceed_context_size",
    "context_length_exceeded",
    "maximum context length",
    "context window",
    "context size",
    "string_above_max_length",
    "prompt is too long",
    "too many tokens",
];
const FEATURES: [(Feature, &[&str]); 3] = [
    (Feature::Limit, &["max_tokens", "max_completion_tokens"]),
    (Feature::Temperature, &["temperature"]),
    (Feature::Format, &["response_format", "json_schema", "json_object", "guided", "grammar", "schema", "structured"]),
];

impl Shape {
    fn read(text: &str) -> Self {
        let lower = text.to_lowercase();
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let error = value.get("error").filter(|error| error.is_object()).unwrap_or(&value);
        let param = error.get("param").and_then(Value::as_str).unwrap_or_default();
        let named = |words: &&(Feature, &[&str])| words.1.iter().any(|word| param.contains(word));
        let spoken = |words: &&(Feature, &[&str])| words.1.iter().any(|word| lower.contains(word));
        let feature = FEATURES.iter().find(named).or_else(|| FEATURES.iter().find(spoken));
        Self {
            too_long: TOO_LONG.iter().any(|word| lower.contains(word)),
            window: error.get("n_ctx").and_then(Value::as_u64).and_then(|window| usize::try_from(window).ok()),
            feature: feature.map(|(feature, _)| *feature),
        }
    }
}

/// Of two failures the one that lets the call come back sooner, else the first.
pub(super) fn sooner(first: Option<LlmError>, second: LlmError) -> LlmError {
    match (first, named_wait(&second)) {
        (None, _) => second,
        (Some(first), Some(wait)) if named_wait(&first).is_some_and(|other| wait < other) => second,
        (Some(first), _) => first,
    }
}

/// The wait an error names.
pub(super) fn named_wait(error: &LlmError) -> Option<Duration> {
    match error.class() {
        Class::Busy { retry_after } => retry_after,
        Class::Transient | Class::Permanent | Class::Bug => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(status: u16, body: &str) -> String {
        format!("{:?}", of(StatusCode::from_u16(status).unwrap(), body.as_bytes(), Some(Duration::from_secs(3))))
    }

    #[test]
    fn the_status_decides_whatever_the_shape_of_the_body() {
        let html = "<html><body><h1>502 Bad Gateway</h1></body></html>";
        let numeric = r#"{"error":{"code":400,"message":"no","type":"invalid_request_error"}}"#;
        let vllm = r#"{"object":"error","message":"no such thing","type":"BadRequestError","param":null,"code":400}"#;
        let table = [
            (429, "slow down", "Final(Limited { retry_after: Some(3s) })"),
            (503, "too many tokens in work, come later", "Final(Failed { status: 503, retry_after: Some(3s) })"),
            (500, "the request exceeds the context size", "TooLong { window: None }"),
            (501, "response_format is not built in", "Unknown { feature: Format, status: 501 }"),
            (429, r#"{"error":{"code":"insufficient_quota"}}"#, "Final(Limited { retry_after: Some(3s) })"),
            (402, "", "Final(Limited { retry_after: Some(3s) })"),
            (401, r#"{"error":{"code":401,"message":"Invalid API Key"}}"#, "Final(Rejected { status: 401 })"),
            (404, "model not found", "Final(Rejected { status: 404 })"),
            (502, html, "Final(Failed { status: 502, retry_after: Some(3s) })"),
            (
                503,
                r#"{"error":{"message":"Loading model","code":503}}"#,
                "Final(Failed { status: 503, retry_after: Some(3s) })",
            ),
            (400, numeric, "Final(Refused { status: 400 })"),
            (400, vllm, "Final(Refused { status: 400 })"),
            (413, html, "TooLong { window: None }"),
            (
                400,
                r#"{"error":{"code":400,"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}"#,
                "TooLong { window: Some(4096) }",
            ),
            (
                400,
                r#"{"error":{"code":"context_length_exceeded","message":"This model's maximum context length is 8192"}}"#,
                "TooLong { window: None }",
            ),
            (
                400,
                r#"{"error":{"param":"response_format","message":"not supported"}}"#,
                "Unknown { feature: Format, status: 400 }",
            ),
            (422, "guided decoding is off", "Unknown { feature: Format, status: 422 }"),
            (
                400,
                r#"{"error":{"param":"max_tokens","message":"use max_completion_tokens"}}"#,
                "Unknown { feature: Limit, status: 400 }",
            ),
            (
                400,
                r#"{"error":{"message":"'temperature' does not support 0 with this model"}}"#,
                "Unknown { feature: Temperature, status: 400 }",
            ),
        ];
        for (status, body, expected) in table {
            assert_eq!(told(status, body), expected, "{status} {body}");
        }
    }
}
