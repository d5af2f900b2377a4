//! One `remember` call at the server: its parts one after the other, with everything it may spend counted in one place.

use std::sync::Arc;

use async_openai::types::chat::ChatCompletionRequestMessage;
use recall_core::candidate::Candidate;
use recall_core::prompt::{Ask, Malformed, Prompt, Rendered, Reply, Unusable, parse, render};
use recall_core::provenance::ExtractedBy;
use recall_core::run::Usage;
use tracing::Instrument;

use super::OpenAi;
use super::messages::{assistant, length, repair, system, user};
use super::model::{Answer, End, Manner, Model, Schema};
use super::split;
use super::trouble::{Trouble, named_wait, sooner};
use crate::LlmError;
use crate::breaker::{Outage, Standing};
use crate::cost::cost_micros;
use crate::tokens;

/// Of a reply that could not be used this much is shown to the model again.
const SHOWN_CHARS: usize = 4_000;
/// Below this room a part is not split further.
const LEAST_ROOM: usize = 200;

/// What a call has spent and found so far.
pub(super) struct Run<'a> {
    door: &'a OpenAi,
    prompt: &'a Prompt,
    schema: &'a Schema,
    /// Requests that may still be sent.
    left: u32,
    parts: usize,
    model: String,
    pub(super) usage: Usage,
    notes: Vec<String>,
    pub(super) candidates: Vec<Result<Candidate, Malformed>>,
}

/// What became of a part.
pub(super) enum Part {
    /// Its candidates.
    Read(Vec<Result<Candidate, Malformed>>),
    /// It has to be cut to so many tokens.
    TooLong {
        /// Tokens for context and turns.
        room: usize,
    },
}

impl<'a> Run<'a> {
    /// A run that may send so many requests.
    pub(super) fn new(door: &'a OpenAi, prompt: &'a Prompt, schema: &'a Schema, left: u32) -> Self {
        Self {
            door,
            prompt,
            schema,
            left,
            parts: 1,
            model: door.settings.models.first().cloned().unwrap_or_default(),
            usage: Usage::default(),
            notes: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Cuts an ask into parts of a size; each further part may send one request more.
    pub(super) fn split(&mut self, ask: &Ask, room: usize) -> Result<Vec<Ask>, LlmError> {
        let parts = split::split(ask, room).ok_or(LlmError::TooLong)?;
        let more = parts.len().saturating_sub(1);
        self.parts += more;
        if self.parts > self.door.settings.max_parts {
            return Err(LlmError::TooLong);
        }
        self.left = self.left.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        if more > 0 {
            self.notes.push(format!("input was split into {} parts", self.parts));
        }
        Ok(parts)
    }

    /// Cuts a part that proved too long.
    pub(super) fn split_again(&mut self, part: &Ask, room: usize) -> Result<Vec<Ask>, LlmError> {
        if room < LEAST_ROOM {
            return Err(LlmError::TooLong);
        }
        self.split(part, room)
    }

    /// Asks for the candidates of one part: the first model, or those after it where it fails.
    pub(super) async fn read(&mut self, part: &Ask) -> Result<Part, LlmError> {
        let rendered = render(part);
        let door = self.door;
        let mut failed: Option<(&Model, LlmError)> = None;
        let mut kept: Option<LlmError> = None;
        for model in &door.models {
            if let Some((before, error)) = failed.take() {
                if !turns_away(&error, before, model) || self.left == 0 {
                    failed = Some((before, error));
                    continue;
                }
                self.notes.push(format!("model {} gave no reply; {} was asked", before.name, model.name));
                kept = Some(sooner(kept, error));
            }
            let error = match model.standing() {
                Standing::Away(away) => LlmError::Away(away),
                Standing::Up | Standing::Trying => match self.read_with(model, part, &rendered).await {
                    Ok(read) => return Ok(read),
                    Err(error) => error,
                },
            };
            failed = Some((model, error));
        }
        let last = failed.map_or(LlmError::Config("no model is named".into()), |(_, error)| error);
        Err(sooner(kept, last))
    }

    async fn read_with(&mut self, model: &Model, part: &Ask, rendered: &Rendered) -> Result<Part, LlmError> {
        let mut messages = vec![system(&rendered.system), user(&rendered.user)];
        let first = match self.send(model, &messages).await {
            Ok(answer) => answer,
            Err(Trouble::Final(error)) => return Err(error),
            Err(Trouble::Unknown { status, .. }) => return Err(LlmError::Refused { status }),
            Err(Trouble::TooLong { window }) => {
                // The server did no work for it: the request is not charged.
                self.left += 1;
                return Ok(Part::TooLong { room: self.smaller(part, window) });
            }
        };
        let why = match Self::usable(&first, rendered) {
            Ok(candidates) => return Ok(Part::Read(candidates)),
            Err(why) => why,
        };
        match first.end {
            // A reply that hit the limit would hit it again; less to read is less to write.
            End::Cut if self.divisible(part) => return Ok(Part::TooLong { room: half(part) }),
            End::Refused => return Err(LlmError::Unusable { why: "model would not answer".into() }),
            End::Cut | End::Whole => {}
        }
        if self.left == 0 {
            return Err(LlmError::Unusable { why: why.to_string() });
        }
        let shown: String = first.words.chars().take(SHOWN_CHARS).collect();
        messages.push(assistant(&shown));
        messages.push(user(&repair(why)));
        self.notes.push(format!("{why}; the model was asked to repair it"));
        match self.send(model, &messages).await {
            Ok(second) => match Self::usable(&second, rendered) {
                Ok(candidates) => Ok(Part::Read(candidates)),
                Err(why) => Err(LlmError::Unusable { why: why.to_string() }),
            },
            Err(Trouble::Final(error)) => Err(error),
            Err(Trouble::TooLong { .. } | Trouble::Unknown { .. }) => Err(LlmError::Unusable { why: why.to_string() }),
        }
    }

    /// Candidates of an answer with the real ids of their turns.
    fn usable(answer: &Answer, rendered: &Rendered) -> Result<Vec<Result<Candidate, Malformed>>, Unusable> {
        let mut candidates = parse(&answer.words)?;
        for candidate in candidates.iter_mut().flatten() {
            rendered.restore(candidate);
        }
        Ok(candidates)
    }

    /// Sends one request; refusals of settings are followed at once, since the server did no work for them.
    pub(super) async fn send(
        &mut self,
        model: &Model,
        messages: &[ChatCompletionRequestMessage],
    ) -> Result<Answer, Trouble> {
        if self.left == 0 {
            return Err(LlmError::Unusable { why: "budget of model calls is spent".into() }.into());
        }
        self.left -= 1;
        let sent = self.usage.model_calls;
        let mut manner = model.manner();
        loop {
            match self.send_once(model, manner, messages).await {
                Err(Trouble::Unknown { feature, status }) => match manner.without(feature) {
                    Some(simpler) => manner = simpler,
                    None => return Err(LlmError::Refused { status }.into()),
                },
                Ok(answer) => {
                    model.remember(manner);
                    return Ok(answer);
                }
                Err(other) => {
                    // What our own limits held back cost nothing: another model may still be asked.
                    self.left += u32::from(self.usage.model_calls == sent);
                    return Err(other);
                }
            }
        }
    }

    async fn send_once(
        &mut self,
        model: &Model,
        manner: Manner,
        messages: &[ChatCompletionRequestMessage],
    ) -> Result<Answer, Trouble> {
        let estimate = self.estimate(messages);
        let reserved = model.budget.reserve(estimate).await?;
        let leave = match model.breaker.leave() {
            Err(away) => {
                model.budget.unsent(reserved);
                return Err(LlmError::Away(away).into());
            }
            Ok(leave) => leave,
        };
        self.usage.model_calls += 1;
        let span = tracing::info_span!("outside", peer = "model", operation = "chat", class = tracing::field::Empty);
        let answered = model.ask(manner, messages, self.schema).instrument(span.clone()).await;
        match &answered {
            Ok(answer) => {
                span.record("class", "ok");
                leave.answered();
                self.charge(model, answer);
                let used = answer.prompt_tokens + answer.completion_tokens;
                model.budget.settle(reserved, if used == 0 { estimate } else { used });
            }
            Err(Trouble::Final(error)) => {
                span.record("class", error.class().as_str());
                match Outage::of(error) {
                    Some(why) => leave.failed(why, named_wait(error)),
                    None => leave.answered(),
                }
            }
            Err(Trouble::TooLong { .. } | Trouble::Unknown { .. }) => {
                span.record("class", "refused");
                leave.answered();
            }
        }
        match (answered, model.breaker.standing()) {
            // The call is not at fault, so that it is not charged an attempt.
            (Err(Trouble::Final(error)), Standing::Away(away)) if Outage::of(&error).is_some() => {
                Err(LlmError::Away(away).into())
            }
            (answered, _) => answered,
        }
    }

    fn charge(&mut self, model: &Model, answer: &Answer) {
        let name = answer.model.clone().unwrap_or_else(|| model.name.clone());
        self.usage.prompt_tokens += answer.prompt_tokens;
        self.usage.completion_tokens += answer.completion_tokens;
        let prices = &self.door.settings.prices;
        self.usage.cost_micros += cost_micros(prices, &name, answer.prompt_tokens, answer.completion_tokens);
        self.model = name;
    }

    /// About what a request will use: its bytes by four, and a quarter of what the reply may hold.
    fn estimate(&self, messages: &[ChatCompletionRequestMessage]) -> u64 {
        let bytes: usize = messages.iter().map(length).sum::<usize>() + self.prompt.schema.len();
        (bytes / 4) as u64 + u64::from(self.door.settings.max_output_tokens / 4)
    }

    /// Room for the next try after the server said that a part is too long.
    fn smaller(&self, part: &Ask, window: Option<usize>) -> usize {
        let constant = self.door.settings.max_input_tokens - self.door.room(part);
        let reply = self.door.settings.max_output_tokens as usize;
        // Our tokens are not the model's own: a tenth is left over.
        let said = window.map(|window| window.saturating_sub(constant + reply) * 9 / 10);
        half(part).min(said.filter(|room| *room >= LEAST_ROOM).unwrap_or(usize::MAX))
    }

    fn divisible(&self, part: &Ask) -> bool {
        half(part) >= LEAST_ROOM && self.parts < self.door.settings.max_parts && self.left > 0
    }

    /// What was found and spent.
    pub(super) fn reply(self) -> Reply {
        Reply {
            candidates: self.candidates,
            extracted_by: ExtractedBy::new("openai", &self.model, self.prompt.mark()),
            usage: self.usage,
            further_parts: u32::try_from(self.parts - 1).unwrap_or(u32::MAX),
            notes: self.notes,
        }
    }
}

/// Whether another model may do better. Models of one key share its quota.
fn turns_away(error: &LlmError, asked: &Model, next: &Model) -> bool {
    match Outage::of(error) {
        Some(Outage::Unreachable | Outage::Failing | Outage::Rejected) => true,
        Some(Outage::Limited) => !Arc::ptr_eq(&asked.budget, &next.budget),
        None => false,
    }
}

/// Half of what the turns and context of a part take.
fn half(part: &Ask) -> usize {
    part.turns.iter().chain(&part.context).map(|turn| tokens::count(turn.content.as_str()) + 40).sum::<usize>() / 2
}
