//! Bodies of requests: read whole within a limit, and read as the shape that is asked for, each fault with its place.

use axum::body::Body;
use axum::http::StatusCode;
use futures::StreamExt as _;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use super::problem::Problem;
use crate::door::Fault;

/// A body is read on to this multiple of the limit.
const READ_ON: usize = 8;

/// A body of at most `limit` bytes as a request.
///
/// # Errors
/// 400 where it is no JSON or no UTF-8, 413 where it is too large, 422 where a field is wrong.
pub(super) async fn read<T: DeserializeOwned>(body: Body, limit: usize) -> Result<T, Problem> {
    parse(&whole(body, limit).await?)
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
        let detail = format!("the body is larger than {limit} bytes; send less in one request");
        return Err(Problem::unreadable(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    Ok(kept)
}

/// The request from its bytes; a fault inside it is told with its place, never with its words.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if std::str::from_utf8(body).is_err() {
        return Err(Problem::unreadable(StatusCode::BAD_REQUEST, "the body is not UTF-8"));
    }
    // A list would be read as the fields in their order, which nobody means.
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return Err(Problem::invalid(vec![Fault::new("body", "must be an object, not a list")]));
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
