//! The model door of the configuration.

use std::sync::Arc;
use std::time::Duration;

use recall_core::settings::Judge as Asked;
use recall_llm::budget::Budget;
use recall_llm::openai::{OpenAi, Settings, Style, Timeouts};
use recall_llm::recorded::{Lookup, Recorded, Recorder, Tape};
use recall_llm::rules::Rules;
use recall_llm::{Extractor, Judge, LlmError};

use crate::config::{Config, ModelConfig, Provider};

/// The longest wait a server is believed: a longer one is asked again, since a server that is well must not be left alone for an hour.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(120);

/// What reads the turns, recorded where the configuration says so.
///
/// # Errors
/// Settings that cannot work.
pub(super) fn extractor(config: &ModelConfig, budget: &Arc<Budget>) -> Result<Arc<dyn Extractor>, LlmError> {
    match config.provider {
        Provider::Rules => recorded(config, Rules),
        Provider::Openai => recorded(config, OpenAi::new(settings(config), Arc::clone(budget))?),
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
pub(super) fn judge(config: &Config, budget: &Arc<Budget>) -> Result<Option<Arc<dyn Judge>>, LlmError> {
    let mut settings_of_all = std::iter::once(&config.settings).chain(config.namespaces.values());
    if settings_of_all.all(|settings| settings.judge == Asked::Off) {
        return Ok(None);
    }
    if config.model.provider != Provider::Openai {
        return Err(LlmError::Config(
            "a judge is asked for (judge = \"on\") and only model.provider \"openai\" has one".into(),
        ));
    }
    let mut model = settings(&config.model);
    if !config.model.judge_model.is_empty() {
        model.models = vec![config.model.judge_model.clone()];
    }
    Ok(Some(Arc::new(OpenAi::new(model, Arc::clone(budget))?)))
}

fn recorded<E: Extractor + 'static>(config: &ModelConfig, inner: E) -> Result<Arc<dyn Extractor>, LlmError> {
    if !config.record {
        return Ok(Arc::new(inner));
    }
    if config.tape.as_os_str().is_empty() {
        return Err(LlmError::Config("model.record is on but model.tape names no file".into()));
    }
    Ok(Arc::new(Recorder::append(inner, &config.tape)?))
}

fn settings(config: &ModelConfig) -> Settings {
    let style = match config.api_version.as_str() {
        "" => Style::OpenAi,
        version => Style::Azure { api_version: version.to_owned() },
    };
    let total = Duration::from_secs(config.timeout_seconds);
    Settings {
        style,
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
