//! What the door to an OpenAI-compatible server needs to know. Plain values; the wiring reads them from the config.

use std::time::Duration;

use secrecy::SecretString;

use crate::LlmError;
use crate::cost::Price;

/// Settings of the door.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Such as `https://api.openai.com/v1`, `http://localhost:11434/v1`, or `https://<resource>.openai.azure.com`.
    pub base_url: String,
    /// The key; an empty one sends none.
    pub key: SecretString,
    /// How the server wants to be asked.
    pub style: Style,
    /// The model, then those to turn to when it fails, cannot be reached, or is refused. At least one.
    pub models: Vec<String>,
    /// Limits of time for one request.
    pub timeouts: Timeouts,
    /// The most tokens a request may hold, prompt and schema included; longer input is split.
    pub max_input_tokens: usize,
    /// The most tokens a reply may hold.
    pub max_output_tokens: u32,
    /// Requests a `remember` call may cost: the first, fallbacks and a repair. Each further part of a split input adds one.
    pub max_model_calls: u32,
    /// Parts an input may be split into; beyond it the call is [`LlmError::TooLong`].
    pub max_parts: usize,
    /// The longest wait a server is believed.
    pub longest_retry_after: Duration,
    /// What tokens cost.
    pub prices: Vec<Price>,
}

/// A server to turn to where the models before it are away or out of quota.
#[derive(Debug, Clone)]
pub struct Fallback {
    /// As [`Settings::base_url`].
    pub base_url: String,
    /// As [`Settings::key`].
    pub key: SecretString,
    /// As [`Settings::style`].
    pub style: Style,
    /// Its model.
    pub model: String,
}

/// How a server wants to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Style {
    /// `Authorization: Bearer …`, model in the body.
    OpenAi,
    /// `api-key: …`, the model is a deployment in the path, `api-version` in the query.
    Azure {
        /// Such as `2024-10-21`.
        api_version: String,
    },
}

/// Limits of time for one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the connection stands.
    pub connect: Duration,
    /// Between two pieces of the response; a server that queues requests is silent that long.
    pub read: Duration,
    /// For everything.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), read: Duration::from_secs(60), total: Duration::from_secs(120) }
    }
}

impl Settings {
    /// Settings for one model with everything else at its default.
    pub fn new(base_url: &str, key: SecretString, model: &str) -> Self {
        Self {
            base_url: base_url.into(),
            key,
            style: Style::OpenAi,
            models: vec![model.into()],
            timeouts: Timeouts::default(),
            max_input_tokens: 6_000,
            max_output_tokens: 2_000,
            max_model_calls: 3,
            max_parts: 16,
            longest_retry_after: Duration::from_secs(3600),
            prices: Vec::new(),
        }
    }

    /// Says what cannot work.
    pub(super) fn check(&self) -> Result<(), LlmError> {
        let wrong = |why: &str| Err(LlmError::Config(why.into()));
        if self.models.is_empty() || self.models.iter().any(|model| model.trim().is_empty()) {
            return wrong("models must name at least one model, and none of them empty");
        }
        if self.max_model_calls == 0 || self.max_parts == 0 {
            return wrong("max_model_calls and max_parts must be at least 1");
        }
        if self.max_input_tokens < 1_000 {
            return wrong("max_input_tokens must be at least 1000: the prompt alone takes 800");
        }
        check_url(&self.base_url)
    }
}

impl Fallback {
    /// Says what cannot work.
    pub(super) fn check(&self) -> Result<(), LlmError> {
        if self.model.trim().is_empty() {
            return Err(LlmError::Config("a fallback must name its model".into()));
        }
        check_url(&self.base_url)
    }
}

fn check_url(url: &str) -> Result<(), LlmError> {
    match reqwest::Url::parse(url) {
        // The path of the request is put behind it.
        Ok(url) if url.query().is_some() || url.fragment().is_some() => {
            Err(LlmError::Config("base_url must end with its path: no ? and no #".into()))
        }
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(()),
        Ok(_) | Err(_) => Err(LlmError::Config("base_url must be an http or https URL".into())),
    }
}
