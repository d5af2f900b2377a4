//! Any OpenAI-compatible server: OpenAI, Azure, Ollama, vLLM, llama.cpp. Strict schema where the server has it, simpler manners
//! where not; one repair; long input split with nothing lost; a total budget of requests a call. It retries nothing by itself:
//! whether and when a call is tried again is decided in one place, by the worker.

mod answer;
mod door;
mod headers;
mod judging;
mod model;
mod run;
mod settings;
mod split;
mod trouble;

pub use settings::{Settings, Style, Timeouts};

use std::collections::VecDeque;
use std::sync::Arc;

use async_trait::async_trait;
use recall_core::prompt::{Ask, EXTRACT, Prompt, Reply, builtin};
use serde_json::value::RawValue;

use crate::budget::Budget;
use crate::{Extractor, LlmError};
use door::Door;
use model::Model;
use run::{Part, Run};

/// What stands beside the turns in a request: roles, fences, the frame of the schema.
const FRAME_TOKENS: usize = 60;

/// The door to an OpenAI-compatible server.
pub struct OpenAi {
    settings: Settings,
    models: Vec<Model>,
    budget: Arc<Budget>,
    prompts: Vec<Prompt>,
}

impl OpenAi {
    /// A door with the compiled-in prompts; the budget is that of the key.
    ///
    /// # Errors
    /// [`LlmError::Config`] says which setting cannot work.
    pub fn new(settings: Settings, budget: Arc<Budget>) -> Result<Self, LlmError> {
        settings.check()?;
        let door = Door {
            client: door::client(settings.timeouts)?,
            total: settings.timeouts.total,
            longest_retry_after: settings.longest_retry_after,
            budget: budget.clone(),
        };
        let models = settings.models.iter().map(|name| Model::new(&settings, name, door.clone()));
        let models = models.collect::<Result<_, _>>()?;
        Ok(Self { settings, models, budget, prompts: Vec::new() })
    }

    /// Knows one more prompt, for comparing versions that are not compiled in; it wins over a compiled-in one of its version.
    #[must_use]
    pub fn with_prompt(mut self, prompt: Prompt) -> Self {
        self.prompts.push(prompt);
        self
    }

    fn prompt(&self, version: &str) -> Result<&Prompt, LlmError> {
        let own = self.prompts.iter().find(|prompt| prompt.version == version);
        own.or_else(|| builtin(version)).ok_or_else(|| LlmError::Config(format!("no prompt {EXTRACT} of that version")))
    }

    /// Tokens a request has left for context and turns.
    fn room(&self, ask: &Ask, prompt: &Prompt) -> usize {
        let note = ask.custom_instruction.as_deref().map(split::tokens).unwrap_or_default();
        let constant = split::tokens(&prompt.system) + split::tokens(&prompt.schema) + note + FRAME_TOKENS;
        self.settings.max_input_tokens.saturating_sub(constant)
    }
}

#[async_trait]
impl Extractor for OpenAi {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        let prompt = self.prompt(&ask.prompt_version)?;
        let schema = RawValue::from_string(prompt.schema.clone());
        let schema = schema.map_err(|_| LlmError::Config("schema of the prompt is not JSON".into()))?;
        let mut run = Run::new(self, prompt, &schema, self.settings.max_model_calls);
        if ask.turns.is_empty() {
            return Ok(run.reply());
        }
        let mut waiting = VecDeque::from(run.split(ask, self.room(ask, prompt))?);
        while let Some(part) = waiting.pop_front() {
            match run.read(&part).await? {
                Part::Read(candidates) => run.candidates.extend(candidates),
                Part::TooLong { room } => {
                    // The parts of a part take its place, so that the order of the conversation stays.
                    for piece in run.split_again(&part, room)?.into_iter().rev() {
                        waiting.push_front(piece);
                    }
                }
            }
        }
        Ok(run.reply())
    }

    fn provider(&self) -> &'static str {
        "openai"
    }
}
