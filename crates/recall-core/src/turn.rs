//! One message of a conversation.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::scope::Scope;

/// What people said. Its `Debug` form prints the length only, so that no log line can carry the words.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(transparent)]
pub struct Said(String);

impl Said {
    /// Wraps words.
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Said({} bytes)", self.0.len())
    }
}

/// Who speaks a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A person.
    User,
    /// The model.
    Assistant,
    /// Instructions of the product.
    System,
    /// Output of a tool.
    Tool,
}

impl Role {
    /// The role as it stands in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }
}

/// Where the time of a turn comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum AtSource {
    /// The caller gave an instant with its offset.
    Stated,
    /// The caller gave a time without offset; the call's time zone, else UTC, was assumed.
    Assumed,
    /// The caller gave none; the time of acceptance stands in.
    Received,
    /// Nobody knows (an archive without times).
    #[default]
    Unknown,
}

/// The caller's own name of a turn, unique within its session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TurnId(pub String);

/// What ids begin with that no caller gave.
const DERIVED: &str = "auto-";

impl TurnId {
    /// The id of a turn that has none, from what it is.
    pub fn derived(fingerprint: &str) -> Self {
        Self(format!("{DERIVED}{fingerprint}"))
    }

    /// Whether no caller gave it.
    pub fn is_derived(&self) -> bool {
        self.0.starts_with(DERIVED)
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The caller's id, or one derived from session, role, content and occurrence.
    pub id: TurnId,
    /// Who speaks.
    pub role: Role,
    /// The words, verbatim.
    pub content: Said,
    /// When it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Moment>,
    /// Where `at` comes from.
    #[serde(default)]
    pub at_source: AtSource,
    /// Name of the speaker, where the caller told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The scope the caller wrote on the turn itself, where it did; it must be the call's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
}
