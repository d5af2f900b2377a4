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

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use recall_core::prompt::{Ask, Prompt, Reply};

use crate::budget::Budget;
use crate::tokens;
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
    /// Tokens of the constant part of each prompt, by its hash: counting them takes longer than making the rest of a request.
    constants: Mutex<HashMap<String, usize>>,
}

impl OpenAi {
    /// A door; the budget is that of the key.
    ///
    /// # Errors
    /// [`LlmError::Config`] says which setting cannot work.
    pub fn new(settings: Settings, budget: Arc<Budget>) -> Result<Self, LlmError> {
        settings.check()?;
        let client = door::client(settings.timeouts)?;
        let mut made = Self { client, models: Vec::new(), constants: Mutex::default(), settings };
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

    /// Tokens a request has left for context and turns; fewer where even those are enough, so that nothing has to be counted.
    fn room(&self, ask: &Ask) -> usize {
        let prompt = &*ask.prompt;
        let note = ask.custom_instruction.as_deref().unwrap_or_default();
        let left = |constant: usize, note: usize| {
            self.settings.max_input_tokens.saturating_sub(constant.saturating_add(note) + FRAME_TOKENS)
        };
        let least = left(prompt.system.len() + prompt.schema.len(), note.len());
        if split::fits_by_bytes(ask, least) { least } else { left(self.constant(prompt), tokens::count(note)) }
    }

    fn constant(&self, prompt: &Prompt) -> usize {
        let mut known = self.constants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tokens) = known.get(&prompt.sha256) {
            return *tokens;
        }
        let tokens = tokens::constant(prompt);
        known.insert(prompt.sha256.clone(), tokens);
        tokens
    }
}

#[async_trait]
impl Extractor for OpenAi {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        let prompt = &*ask.prompt;
        let schema = Schema::new(CANDIDATES, prompt)?;
        let mut run = Run::new(self, prompt, &schema, self.settings.max_model_calls);
        if ask.turns.is_empty() {
            return Ok(run.reply());
        }
        let mut waiting = VecDeque::from(run.split(ask, self.room(ask))?);
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
