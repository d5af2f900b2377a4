//! The HTTP service under async-openai: one request, one response, no retries. It keeps what the library hides (status, waits,
//! limits), bounds what it leaves open (time, size), and lets no body of an error out.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use http::{HeaderMap, HeaderValue, header};
use secrecy::{ExposeSecret, SecretString};

use super::settings::{Fallback, Style, Timeouts};
use super::trouble::{self, Trouble};
use super::{answer, headers};
use crate::LlmError;
use crate::budget::Budget;

/// The longest response that is read, in bytes.
const MAX_BODY: usize = 4 * 1024 * 1024;
/// Of an error only its beginning is looked at.
const MAX_ERROR_BODY: usize = 64 * 1024;
/// And so long at most: what the status says must not be lost because its page never ends.
const ERROR_BODY_TIME: Duration = Duration::from_secs(1);

type BoxFuture<T> = std::pin::Pin<Box<dyn std::future::Future<Output = T> + Send>>;

/// A client with our limits; certificates are those of the web and of this machine, and none are needed for plain http.
pub(super) fn client(timeouts: Timeouts) -> Result<reqwest::Client, LlmError> {
    let wrong = |error: &dyn std::fmt::Display| LlmError::Config(format!("TLS cannot be set up: {error}"));
    let mut roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    // A machine without certificates, or with broken ones, still has those of the web.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(&error))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .connect_timeout(timeouts.connect)
        .read_timeout(timeouts.read)
        // Whether a request is tried again is not decided here.
        .retry(reqwest::retry::never())
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| wrong(&error.without_url()))
}

/// Where a model is asked and with which key.
#[derive(Clone)]
pub(super) struct Address {
    base: String,
    query: Vec<(String, String)>,
    headers: HeaderMap,
    key: SecretString,
}

impl Address {
    pub(super) fn new(server: &Fallback) -> Result<Self, LlmError> {
        let (base, model) = (server.base_url.trim_end_matches('/'), &server.model);
        let secret = server.key.expose_secret();
        let (base, query, name, value) = match &server.style {
            Style::OpenAi => (base.to_owned(), vec![], header::AUTHORIZATION, format!("Bearer {secret}")),
            Style::Azure { api_version } => {
                let query = vec![("api-version".to_owned(), api_version.clone())];
                let name = header::HeaderName::from_static("api-key");
                (format!("{base}/openai/deployments/{model}"), query, name, secret.to_owned())
            }
        };
        let mut headers = HeaderMap::new();
        if !secret.is_empty() {
            let wrong = |_| LlmError::Config("key holds characters that cannot stand in a header".into());
            let mut value = HeaderValue::from_str(&value).map_err(wrong)?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(Self { base, query, headers, key: server.key.clone() })
    }
}

impl async_openai::config::Config for Address {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        self.query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    fn api_base(&self) -> &str {
        &self.base
    }

    fn api_key(&self) -> &SecretString {
        &self.key
    }
}

/// The service itself.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) client: reqwest::Client,
    pub(super) total: Duration,
    pub(super) longest_retry_after: Duration,
    pub(super) budget: Arc<Budget>,
}

impl tower::Service<HttpRequestFactory> for Door {
    type Response = reqwest::Response;
    type Error = OpenAIError;
    type Future = BoxFuture<Result<reqwest::Response, OpenAIError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), OpenAIError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequestFactory) -> Self::Future {
        let door = self.clone();
        Box::pin(async move {
            let request = request.build().await?;
            let answered = tokio::time::timeout(door.total, door.exchange(request)).await;
            let answered = answered.unwrap_or_else(|late| Err(LlmError::Unreachable(Some(Box::new(late))).into()));
            answered.map_err(|trouble| OpenAIError::Boxed(Box::new(trouble)))
        })
    }
}

impl Door {
    async fn exchange(&self, request: reqwest::Request) -> Result<reqwest::Response, Trouble> {
        let response = self.client.execute(request).await.map_err(unreachable)?;
        let status = response.status();
        if let Some(wait) = headers::exhausted_for(response.headers(), self.longest_retry_after) {
            self.budget.close_for(wait);
        }
        if status.is_success() {
            let body = read(response, MAX_BODY).await?;
            let body = body.ok_or_else(|| LlmError::Unusable { why: format!("response exceeds {MAX_BODY} bytes") })?;
            return Ok(http::Response::new(answer::normalise(&body)?).into());
        }
        let mut wait = headers::retry_after(response.headers(), self.longest_retry_after);
        if status.as_u16() == 429 {
            wait = Some(self.budget.slow_down(wait));
        }
        // A body that is too long, breaks off, or does not end says no more than the status does.
        let body = tokio::time::timeout(ERROR_BODY_TIME.min(self.total / 4), read(response, MAX_ERROR_BODY)).await;
        let body = body.ok().and_then(Result::ok).flatten().unwrap_or_default();
        Err(trouble::of(status, &body, wait))
    }
}

/// Reads a body; `None` where it is longer than allowed.
async fn read(mut response: reqwest::Response, most: usize) -> Result<Option<Vec<u8>>, LlmError> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(unreachable)? {
        if body.len() + piece.len() > most {
            return Ok(None);
        }
        body.extend_from_slice(&piece);
    }
    Ok(Some(body))
}

/// The address may hold a name and password of its own; it stays out of the error.
fn unreachable(error: reqwest::Error) -> LlmError {
    LlmError::Unreachable(Some(Box::new(error.without_url())))
}
