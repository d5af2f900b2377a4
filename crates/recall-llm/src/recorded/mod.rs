//! A tape of replies: recorded once from another extractor, or made from labelled data, and played back without any model.
//! Tests and evaluations rest on it, since a model never says the same twice.

mod facts;
mod recorder;
mod tape;

pub use facts::{Fact, Labelled, LabelledTurn};
pub use recorder::Recorder;
pub use tape::{Asked, Entry, Header, Item, Tape, Words, request_hash};

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use recall_core::candidate::Candidate;
use recall_core::prompt::{Ask, Malformed, Reply, parse};
use recall_core::provenance::ExtractedBy;
use recall_core::run::Usage;
use recall_core::turn::TurnId;

use crate::{Extractor, LlmError};

/// How a reply is found on the tape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// By session and exactly the asked turns; where the tape was recorded, also by prompt, context and sample, so that nothing answers
    /// a question that was never asked.
    Exact,
    /// By session: of everything recorded for it, what the asked turns carry. One tape then serves calls cut differently.
    BySession,
}

/// A failure that is played before a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The server answered with this status, and named this wait.
    Status(u16, Option<Duration>),
    /// The server did not answer.
    Silence,
    /// The reply could not be used.
    Unusable,
}

/// Plays a tape.
#[derive(Debug)]
pub struct Recorded {
    tape: Tape,
    lookup: Lookup,
    sample: u32,
    model: String,
    /// Played first, one a request.
    failures: Mutex<VecDeque<Failure>>,
}

impl Recorded {
    /// Plays a tape from its beginning.
    pub fn new(tape: Tape, lookup: Lookup) -> Self {
        Self { tape, lookup, sample: 0, model: String::new(), failures: Mutex::default() }
    }

    /// Plays the `sample`-th answer to each question, from 0.
    #[must_use]
    pub fn sample(self, sample: u32) -> Self {
        Self { sample, ..self }
    }

    /// Plays what this model answered only, by its configured name.
    #[must_use]
    pub fn of_model(self, model: &str) -> Self {
        Self { model: model.to_owned(), ..self }
    }

    /// How long the model took for the answer that [`Extractor::extract`] plays, where the tape says so.
    pub fn took(&self, ask: &Ask) -> Option<Duration> {
        let entry = self.tape.entry(&ask.session, &tape::turn_ids(&ask.turns), &self.asked(ask))?;
        entry.took_ms.map(Duration::from_millis)
    }

    fn asked(&self, ask: &Ask) -> Asked {
        Asked { model: self.model.clone(), ..Asked::new(ask, self.sample) }
    }

    /// Plays failures first, one for each request, in order.
    #[must_use]
    pub fn failing_first(self, failures: impl IntoIterator<Item = Failure>) -> Self {
        Self { failures: Mutex::new(failures.into_iter().collect()), ..self }
    }

    fn next_failure(&self) -> Option<Failure> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    fn exact(&self, ask: &Ask) -> Result<Reply, LlmError> {
        let asked = self.asked(ask);
        let entry = self.tape.entry(&ask.session, &tape::turn_ids(&ask.turns), &asked);
        let entry = entry.ok_or_else(|| not_recorded(ask, &asked))?;
        Ok(reply(ask, entry.model.as_str(), entry.usage, items(&entry.words)?))
    }

    fn by_session(&self, ask: &Ask) -> Result<Reply, LlmError> {
        let entries: Vec<&Entry> = self.tape.session(&ask.session).collect();
        let first =
            entries.first().ok_or_else(|| LlmError::NotRecorded { request: format!("session {}", ask.session) })?;
        let mut carried = Vec::new();
        for entry in &entries {
            // What a model made nothing of carries nothing.
            if matches!(entry.words, Words::Unusable { .. }) {
                continue;
            }
            carried.extend(items(&entry.words)?.into_iter().flatten().filter(|item| carries(ask, item)).map(Ok));
        }
        Ok(reply(ask, first.model.as_str(), Usage { model_calls: 1, ..Usage::default() }, carried))
    }
}

#[async_trait]
impl Extractor for Recorded {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        if let Some(failure) = self.next_failure() {
            return Err(failed(failure));
        }
        match self.lookup {
            Lookup::Exact => self.exact(ask),
            Lookup::BySession => self.by_session(ask),
        }
    }

    fn provider(&self) -> &'static str {
        "recorded"
    }
}

/// Whether the call has all that a candidate cites, and at least one of it as a turn to read.
fn carries(ask: &Ask, candidate: &Candidate) -> bool {
    let asked = |id: &TurnId| ask.turns.iter().any(|turn| turn.id == *id);
    let shown = |id: &TurnId| asked(id) || ask.context.iter().any(|turn| turn.id == *id);
    candidate.evidence.iter().all(|citation| shown(&citation.turn_id))
        && candidate.evidence.iter().any(|citation| asked(&citation.turn_id))
}

fn items(words: &Words) -> Result<Vec<Result<Candidate, Malformed>>, LlmError> {
    match words {
        Words::Raw { reply } => parse(reply).map_err(|why| LlmError::Unusable { why: why.to_string() }),
        Words::Items { candidates } => Ok(candidates.iter().cloned().map(Item::into_result).collect()),
        Words::Unusable { unusable } => Err(LlmError::Unusable { why: unusable.clone() }),
    }
}

fn reply(ask: &Ask, model: &str, usage: Usage, candidates: Vec<Result<Candidate, Malformed>>) -> Reply {
    Reply {
        candidates,
        extracted_by: ExtractedBy::new("recorded", model, ask.prompt.mark()),
        usage,
        further_parts: 0,
        notes: Vec::new(),
    }
}

fn not_recorded(ask: &Ask, asked: &Asked) -> LlmError {
    let turns: Vec<&str> = ask.turns.iter().map(|turn| turn.id.as_str()).collect();
    let hash: String = asked.prompt_sha256.chars().take(12).collect();
    LlmError::NotRecorded {
        request: format!(
            "session {}, turns {}, prompt {}/{} ({hash}), request {}, sample {}{}",
            ask.session,
            turns.join(" "),
            ask.prompt.name,
            asked.prompt_version,
            asked.request,
            asked.sample,
            if asked.model.is_empty() { String::new() } else { format!(", model {}", asked.model) }
        ),
    }
}

fn failed(failure: Failure) -> LlmError {
    match failure {
        Failure::Status(status, wait) => LlmError::of_status(status, wait),
        Failure::Silence => LlmError::Unreachable(None),
        Failure::Unusable => LlmError::Unusable { why: "played from a script".into() },
    }
}
