//! The model door of the configuration.

use std::sync::Arc;
use std::time::Duration;

use recall_core::provenance::ExtractedBy;
use recall_core::settings::Judge as Asked;
use recall_llm::budget::{Budget, Rates};
use recall_llm::openai::{Fallback, OpenAi, Settings, Style, Timeouts};
use recall_llm::recorded::{Header, Lookup, Recorded, Recorder, Tape};
use recall_llm::rules::Rules;
use recall_llm::{Extractor, Judge, LlmError};

use crate::config::{Config, ModelConfig, Provider};

/// The longest wait a server is believed: a longer one is asked again, since a server that is well must not be left alone for an hour.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(120);

/// What each key may be used for; a fleet shares it.
pub(crate) struct Budgets {
    first: Arc<Budget>,
    fallbacks: Vec<Arc<Budget>>,
}

impl Budgets {
    /// Those of the configuration.
    pub(crate) fn new(config: &ModelConfig) -> Self {
        let budget = |requests_per_minute, tokens_per_minute| {
            Arc::new(Budget::new(Rates { requests_per_minute, tokens_per_minute, ..Rates::default() }))
        };
        Self {
            first: budget(config.requests_per_minute, config.tokens_per_minute),
            fallbacks: config
                .fallback
                .iter()
                .map(|one| budget(one.requests_per_minute, one.tokens_per_minute))
                .collect(),
        }
    }

    /// Takes a part of every rate: `1 / workers alive`.
    pub(crate) fn set_share(&self, share: f64) {
        self.all().for_each(|budget| budget.set_share(share));
    }

    /// The pace of the slowest.
    pub(crate) fn pace(&self) -> f64 {
        self.all().map(|budget| budget.pace()).fold(1.0, f64::min)
    }

    fn all(&self) -> impl Iterator<Item = &Arc<Budget>> {
        std::iter::once(&self.first).chain(&self.fallbacks)
    }
}

/// What reads the turns, recorded where the configuration says so.
///
/// # Errors
/// Settings that cannot work.
pub(crate) fn extractor(config: &ModelConfig, budgets: &Budgets) -> Result<Arc<dyn Extractor>, LlmError> {
    match config.provider {
        Provider::Rules => recorded(config, Rules),
        Provider::Openai => recorded(config, openai(config, budgets)?),
        Provider::Recorded => {
            if config.tape.as_os_str().is_empty() {
                return Err(LlmError::Config("model.provider is \"recorded\" but model.tape names no file".into()));
            }
            Ok(Arc::new(Recorded::new(Tape::open(&config.tape)?, Lookup::BySession)))
        }
    }
}

/// Who is asked about doubtful claims; `None` where no namespace wants that.
///
/// # Errors
/// Settings that cannot work.
pub(super) fn judge(config: &Config, budgets: &Budgets) -> Result<Option<Arc<dyn Judge>>, LlmError> {
    let mut settings_of_all = std::iter::once(&config.settings).chain(config.namespaces.values());
    if settings_of_all.all(|settings| settings.judge == Asked::Off) {
        return Ok(None);
    }
    judge_of(&config.model, budgets).map(Some)
}

/// The judge of a model's settings.
///
/// # Errors
/// A provider that has none, or settings that cannot work.
pub(super) fn judge_of(config: &ModelConfig, budgets: &Budgets) -> Result<Arc<dyn Judge>, LlmError> {
    if config.provider != Provider::Openai {
        return Err(LlmError::Config(
            "a judge is asked for (judge = \"on\") and only model.provider \"openai\" has one".into(),
        ));
    }
    let mut model = settings(config);
    if !config.judge_model.is_empty() {
        model.models = vec![config.judge_model.clone()];
    }
    Ok(Arc::new(OpenAi::new(model, Arc::clone(&budgets.first))?))
}

fn recorded<E: Extractor + 'static>(config: &ModelConfig, inner: E) -> Result<Arc<dyn Extractor>, LlmError> {
    if !config.record {
        return Ok(Arc::new(inner));
    }
    if config.tape.as_os_str().is_empty() {
        return Err(LlmError::Config("model.record is on but model.tape names no file".into()));
    }
    Ok(Arc::new(Recorder::append(inner, &config.tape, header(config))?))
}

/// What a tape says of its making.
pub(crate) fn header(config: &ModelConfig) -> Header {
    let by = ExtractedBy::new("", &config.model, ("", "", ""));
    Header {
        recorded_by: concat!("recall ", env!("CARGO_PKG_VERSION")).to_owned(),
        command: std::iter::once("recall".to_owned())
            .chain(std::env::args().skip(1).map(without_secret))
            .collect::<Vec<_>>()
            .join(" "),
        model: config.model.clone(),
        model_version_hash: by.model_version_hash,
        recorded_at: crate::clock::now().to_string(),
    }
}

/// An argument without its value where its name says that it is one to keep, and with the server alone where it is an address: names,
/// passwords, paths and queries of addresses may let somebody in.
fn without_secret(argument: String) -> String {
    match argument.split_once('=') {
        Some((name, _)) if ["key", "secret", "password"].iter().any(|word| name.contains(word)) => {
            format!("{name}=…")
        }
        Some((name, address)) if name.contains("url") => format!("{name}={}", server(address)),
        Some(_) | None => argument,
    }
}

/// The server of an address.
fn server(address: &str) -> String {
    let Ok(url) = reqwest::Url::parse(address) else { return "…".to_owned() };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    url.host_str().map_or_else(|| "…".to_owned(), |host| format!("{}://{host}{port}", url.scheme()))
}

fn openai(config: &ModelConfig, budgets: &Budgets) -> Result<OpenAi, LlmError> {
    let mut door = OpenAi::new(settings(config), Arc::clone(&budgets.first))?;
    for (server, budget) in config.fallback.iter().zip(&budgets.fallbacks) {
        let fallback = Fallback {
            base_url: server.base_url.clone(),
            key: server.api_key.clone(),
            style: style(&server.api_version),
            model: server.model.clone(),
        };
        door = door.or_else_ask(&fallback, budget)?;
    }
    Ok(door)
}

fn style(api_version: &str) -> Style {
    match api_version {
        "" => Style::OpenAi,
        version => Style::Azure { api_version: version.to_owned() },
    }
}

fn settings(config: &ModelConfig) -> Settings {
    let total = Duration::from_secs(config.timeout_seconds);
    Settings {
        style: style(&config.api_version),
        models: std::iter::once(&config.model).chain(&config.fallback_models).cloned().collect(),
        timeouts: Timeouts { connect: Duration::from_secs(config.connect_seconds), read: total, total },
        max_input_tokens: config.max_prompt_tokens,
        max_output_tokens: config.max_reply_tokens,
        max_model_calls: config.call_budget,
        longest_retry_after: LONGEST_RETRY_AFTER,
        prices: config.prices.clone(),
        ..Settings::new(&config.base_url, config.api_key.clone(), &config.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_keeps_the_command_without_its_secrets() {
        let kept = |argument: &str| without_secret(argument.to_owned());
        assert_eq!(kept("model.api_key=sk-1"), "model.api_key=…");
        assert_eq!(
            kept("model.base_url=http://me:pw@host:8080/v1/t0ken?key=sk-1#x"),
            "model.base_url=http://host:8080"
        );
        assert_eq!(kept("model.base_url=me:pw@host"), "model.base_url=…");
        assert_eq!(kept("model.model=qwen"), "model.model=qwen");
        assert_eq!(kept("model.max_reply_tokens=1500"), "model.max_reply_tokens=1500");
        assert_eq!(kept("talk.jsonl"), "talk.jsonl");
    }
}
