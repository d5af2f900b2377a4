//! The model of an arm: what the tape holds is played, the rest is asked where a model may be asked, and kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use recall_core::prompt::{Ask, Reply};
use recall_llm::recorded::{Recorded, Recorder};
use recall_llm::{Extractor, LlmError, Standing};

/// The model of an arm for one sample.
pub(crate) struct Taped {
    played: Option<Recorded>,
    live: Live,
    took: Mutex<HashMap<(String, String), Duration>>,
}

/// Who is asked where the tape has nothing.
pub(crate) enum Live {
    /// Nobody: a miss is an error.
    Nobody,
    /// A model whose answers are kept.
    Kept(Recorder<Arc<dyn Extractor>>),
    /// Rules, whose answers cost nothing and are the same every time.
    Free(Arc<dyn Extractor>),
}

impl Taped {
    /// A model that is played before it is asked.
    pub(super) fn new(played: Option<Recorded>, live: Live) -> Self {
        Self { played, live, took: Mutex::default() }
    }

    /// How long the answer about these turns of a session took when it was given.
    pub(super) fn took<'t>(&self, session: &str, turns: impl IntoIterator<Item = &'t str>) -> Option<Duration> {
        let took = self.took.lock().unwrap_or_else(PoisonError::into_inner);
        turns.into_iter().find_map(|turn| took.get(&(session.to_owned(), turn.to_owned())).copied())
    }

    fn note(&self, ask: &Ask, took: Option<Duration>) {
        let (Some(took), Some(turn)) = (took, ask.turns.first()) else { return };
        let key = (ask.session.clone(), turn.id.as_str().to_owned());
        self.took.lock().unwrap_or_else(PoisonError::into_inner).insert(key, took);
    }

    async fn ask(&self, ask: &Ask, missed: LlmError) -> Result<Reply, LlmError> {
        match &self.live {
            Live::Nobody => Err(missed),
            Live::Kept(model) => {
                let (answered, took) = model.timed(ask).await;
                self.note(ask, Some(took));
                answered
            }
            Live::Free(rules) => rules.extract(ask).await,
        }
    }
}

#[async_trait]
impl Extractor for Taped {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        let missed = LlmError::NotRecorded { request: format!("session {}", ask.session) };
        let missed = match &self.played {
            None => missed,
            Some(played) => match played.extract(ask).await {
                Err(missed @ LlmError::NotRecorded { .. }) => missed,
                answered => {
                    self.note(ask, played.took(ask));
                    return answered;
                }
            },
        };
        self.ask(ask, missed).await
    }

    fn provider(&self) -> &'static str {
        "recorded"
    }

    fn standing(&self) -> Standing {
        Standing::Up
    }
}
