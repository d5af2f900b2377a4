//! Dead letters with their story, and where a call is.

use recall_core::moment::Moment;
use serde::{Deserialize, Serialize};

/// A call that cannot be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeadLetter {
    /// Its trace, or the message id where the body could not be read.
    pub id: String,
    /// The tenant, where it is known.
    pub namespace: Option<String>,
    /// Class of the last error.
    pub class: String,
    /// The last error, without words of people.
    pub reason: String,
    /// Attempts charged.
    pub attempts: u32,
    /// The message as it came.
    #[serde(skip)]
    pub body: Vec<u8>,
    /// When it was put here; set by the store.
    pub died_at: Option<Moment>,
}

/// Whose dead letters are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tenants {
    /// Everybody's, those that could not be read included.
    All,
    /// Those of a namespace.
    One(String),
}

/// Which dead letters are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadFilter {
    /// Whose.
    pub tenants: Tenants,
    /// Whose last error is of this class.
    pub class: Option<String>,
    /// Whose last error has these words in it.
    pub reason: Option<String>,
    /// That died before this moment.
    pub died_before: Option<Moment>,
    /// Which come first.
    pub order: Order,
}

impl DeadFilter {
    /// All of these tenants, newest first.
    pub fn of(tenants: Tenants) -> Self {
        Self { tenants, class: None, reason: None, died_before: None, order: Order::NewestFirst }
    }
}

/// Which rows of a list come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// For people who look.
    NewestFirst,
    /// For what is done to one after the other.
    OldestFirst,
}

/// Where a call is.
#[derive(Debug, Clone, PartialEq)]
pub enum Whereabouts {
    /// In the dead letters.
    Dead(Box<DeadLetter>),
    /// In the database, waiting for its turn or for another attempt.
    Waiting,
    /// Committed.
    Done,
    /// Dropped by a person.
    Dropped,
    /// Nowhere in the database; it may be in the queue.
    Unknown,
}

/// Something that happened to a call that did not go through at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallEvent {
    /// What.
    pub event: Happened,
    /// Class of the error, where one is meant.
    pub class: String,
    /// The error, or why a person decided so; never words of a turn.
    pub reason: String,
    /// Who: a worker or a person.
    pub actor: String,
    /// How often in a row.
    pub times: u64,
    /// When first.
    pub first_at: Option<Moment>,
    /// When last.
    pub last_at: Option<Moment>,
}

/// What happened to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// An attempt failed and another follows.
    Failed,
    /// It went to the dead letters.
    Died,
    /// A person sent it on.
    Requeued,
    /// A person dropped it.
    Dropped,
}

impl Happened {
    /// As it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Died => "died",
            Self::Requeued => "requeued",
            Self::Dropped => "dropped",
        }
    }
}
