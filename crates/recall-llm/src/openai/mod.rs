//! Any OpenAI-compatible server: OpenAI, Azure, Ollama, vLLM, llama.cpp. Strict schema where the server has it, simpler manners
//! where not; one repair; long input split with nothing lost; a total budget of requests a call. It retries nothing by itself:
//! whether and when a call is tried again is decided in one place, by the worker.

mod answer;
mod door;
mod headers;
mod judging;
mod messages;
mod model;
mod run;
mod settings;
mod split;
mod trouble;

pub use settings::{Fallback, Settings, Style, Timeouts};

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use recall_core::prompt::{Ask, EXTRACT, Prompt, Reply, builtin};

use crate::budget::Budget;
use crate::{Extractor, LlmError, Standing};
use door::Door;
use model::{CANDIDATES, Model, Schema};
use run::{Part, Run};

/// What stands beside the turns in a request: roles, fences, the frame of the schema.
const FRAME_TOKENS: usize = 60;

/// The door to an OpenAI-compatible server.
pub struct OpenAi {
    settings: Settings,
    client: reqwest::Client,
    models: Vec<Model>,
    prompts: Vec<Prompt>,
}

impl OpenAi {
    /// A door with the compiled-in prompts; the budget is that of the key.
    ///
    /// # Errors
    /// [`LlmError::Config`] says which setting cannot work.
    pub fn new(settings: Settings, budget: Arc<Budget>) -> Result<Self, LlmError> {
        settings.check()?;
        let client = door::client(settings.timeouts)?;
        let mut made = Self { client, models: Vec::new(), prompts: Vec::new(), settings };
        for model in made.settings.models.clone() {
            let Settings { base_url, key, style, .. } = &made.settings;
            let server = Fallback { base_url: base_url.clone(), key: key.clone(), style: style.clone(), model };
            made.know(&server, &budget)?;
        }
        Ok(made)
    }

    /// Knows one more server, with a budget of its own, that is asked where the models before it are away or out of quota.
    ///
    /// # Errors
    /// [`LlmError::Config`] says which setting cannot work.
    pub fn or_else_ask(mut self, server: &Fallback, budget: &Arc<Budget>) -> Result<Self, LlmError> {
        server.check()?;
        self.know(server, budget)?;
        Ok(self)
    }

    fn know(&mut self, server: &Fallback, budget: &Arc<Budget>) -> Result<(), LlmError> {
        let door = Door {
            client: self.client.clone(),
            total: self.settings.timeouts.total,
            longest_retry_after: self.settings.longest_retry_after,
            budget: budget.clone(),
        };
        self.models.push(Model::new(server, self.settings.max_output_tokens, door)?);
        Ok(())
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
        let schema = Schema::new(CANDIDATES, prompt)?;
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

    fn standing(&self) -> Standing {
        let all = self.models.iter().map(Model::standing);
        // The best one counts; of those that are away the one that is asked first.
        let rank = |standing: &Standing| match standing {
            Standing::Up => (0, Duration::ZERO),
            Standing::Trying => (1, Duration::ZERO),
            Standing::Away(away) => (2, away.again),
        };
        all.min_by_key(rank).unwrap_or(Standing::Up)
    }
}
