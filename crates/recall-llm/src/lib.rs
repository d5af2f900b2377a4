//! The model doors: something that reads turns and proposes claims. Nothing it says is believed here.

pub mod breaker;
pub mod budget;
pub mod cost;
pub mod openai;
pub mod recorded;
pub mod rules;
pub mod tokens;
pub mod wait;

use async_trait::async_trait;
use recall_core::class::Class;
use recall_core::prompt::{Ask, Doubts, Opinions, Reply};
use recall_core::run::Usage;
use std::time::Duration;

pub use breaker::{Away, Outage, Standing};

/// What can go wrong at a model. Texts of requests and replies are never part of an error.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// No connection, a timeout, a connection cut.
    #[error("model server did not answer")]
    Unreachable(#[source] Option<Box<dyn std::error::Error + Send + Sync>>),
    /// 429, a spent quota, or our own budget of requests.
    #[error("model server asked to wait")]
    Limited {
        /// How long, where it said so.
        retry_after: Option<Duration>,
    },
    /// 401 or 403, or 404 and its kin where the server knows no such model: not the fault of the call.
    #[error("model server rejected the key or the model (status {status})")]
    Rejected {
        /// The status.
        status: u16,
    },
    /// 5xx.
    #[error("model server failed (status {status})")]
    Failed {
        /// The status.
        status: u16,
        /// How long to wait, where it said so.
        retry_after: Option<Duration>,
    },
    /// Another 4xx: the request itself is wrong.
    #[error("model server refuses the request (status {status})")]
    Refused {
        /// The status.
        status: u16,
    },
    /// A reply that cannot be used, after the repair.
    #[error("reply of the model could not be used: {why}")]
    Unusable {
        /// What is wrong; never words of the reply.
        why: String,
    },
    /// One turn alone is over the model's limit even after splitting.
    #[error("turn exceeds the limit of the model")]
    TooLong,
    /// The tape holds no reply to this request.
    #[error(
        "tape holds no reply for {request}; it answers only what it was recorded for: the same turns, cut into calls as then, prompt and model"
    )]
    NotRecorded {
        /// Session, turns, prompt and hash of the request.
        request: String,
    },
    /// Every model is away, and none is asked for now.
    #[error("no model is asked for now: {}", .0.why)]
    Away(Away),
    /// Settings that cannot work.
    #[error("model settings are wrong: {0}")]
    Config(String),
}

impl LlmError {
    /// The error of a response's status, with the wait it names.
    pub fn of_status(status: u16, retry_after: Option<Duration>) -> Self {
        match status {
            402 | 429 => Self::Limited { retry_after },
            // A model or path the server does not have is no fault of the call, just as a rejected key is not.
            401 | 403 | 404 | 405 | 410 => Self::Rejected { status },
            408 | 409 | 425 => Self::Failed { status, retry_after },
            400..=499 => Self::Refused { status },
            _ => Self::Failed { status, retry_after },
        }
    }

    /// What the error means for a call.
    pub fn class(&self) -> Class {
        match self {
            Self::Unreachable(_) | Self::Unusable { .. } => Class::Transient,
            Self::Failed { retry_after: None, .. } => Class::Transient,
            Self::Failed { retry_after, .. } | Self::Limited { retry_after } => {
                Class::Busy { retry_after: *retry_after }
            }
            Self::Away(away) => Class::Busy { retry_after: Some(away.again) },
            Self::Rejected { .. } => Class::Busy { retry_after: None },
            Self::Refused { .. } | Self::TooLong | Self::NotRecorded { .. } | Self::Config(_) => Class::Permanent,
        }
    }
}

/// Something that reads turns and proposes claims.
#[async_trait]
pub trait Extractor: Send + Sync {
    /// Proposes claims for the asked turns. One answer a call, repair and splitting included.
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError>;
    /// `openai`, `rules` or `recorded`.
    fn provider(&self) -> &'static str;
    /// Whether it can be asked now: away only where all its models are.
    fn standing(&self) -> Standing {
        Standing::Up
    }
}

/// Something that says of doubtful claims whether their turns show them.
#[async_trait]
pub trait Judge: Send + Sync {
    /// One request about these doubts of a call that spent so many of its budget already, with no repair and no second try: what gets no
    /// opinion is dropped by the caller. Doubts that do not fit into the request are left out of it.
    async fn judge(&self, doubts: &Doubts, spent: u32) -> Result<Judged, Unjudged>;
}

/// What a judge answered and used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judged {
    /// Its opinions; a claim it left out has none.
    pub opinions: Opinions,
    /// How many doubts it was shown.
    pub shown: usize,
    /// What was used.
    pub usage: Usage,
}

/// A judge that gave no opinion at all, and what was used all the same.
#[derive(Debug, thiserror::Error)]
#[error("judge gave no opinion")]
pub struct Unjudged {
    /// Why.
    #[source]
    pub error: LlmError,
    /// What was used.
    pub usage: Usage,
}

/// A shared extractor is one, so that a [`recorded::Recorder`] can stand around any.
#[async_trait]
impl<E: Extractor + ?Sized> Extractor for std::sync::Arc<E> {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        (**self).extract(ask).await
    }

    fn provider(&self) -> &'static str {
        (**self).provider()
    }

    fn standing(&self) -> Standing {
        (**self).standing()
    }
}
