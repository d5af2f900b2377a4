//! What a model proposes: a claim, the turns it cites, and verbatim quotes. Nothing here is believed yet.

use serde::{Deserialize, Serialize};

use crate::turn::TurnId;

/// The version of the reply's schema.
pub const SCHEMA_VERSION: u32 = 1;

/// What kind of memory a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryType {
    /// Something that is so.
    Fact,
    /// Something a person likes, dislikes or wants.
    Preference,
    /// Something that happened or will.
    Event,
    /// How two people or things stand to each other.
    Relation,
}

impl MemoryType {
    /// Every type, in the order of the schema.
    pub const ALL: [Self; 4] = [Self::Fact, Self::Preference, Self::Event, Self::Relation];

    /// The type as it stands in replies, rows and labels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Preference => "preference",
            Self::Event => "event",
            Self::Relation => "relation",
        }
    }
}

/// Whether a claim says that something is so, or that it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// It is so.
    #[default]
    Positive,
    /// It is not so.
    Negative,
}

impl Polarity {
    /// The polarity as it stands in replies and rows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
        }
    }
}

/// A turn a candidate cites, with the words it says stand there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Citation {
    /// The cited turn.
    pub turn_id: TurnId,
    /// Words said to be in it, verbatim.
    pub quote: String,
}

/// One proposed claim (`memory_candidates`, version 1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// One self-contained sentence, third person, in the language of the turn.
    pub content: String,
    /// The kind of memory.
    pub memory_type: MemoryType,
    /// `user`, or a name or role as said.
    pub subject: String,
    /// What is claimed of the subject, such as `employer`.
    pub attribute: String,
    /// Its value, such as `Volkswagen`.
    pub value: String,
    /// So or not so.
    #[serde(default)]
    pub polarity: Polarity,
    /// The turns it rests on.
    pub evidence: Vec<Citation>,
    /// The words that say when, such as `yesterday`.
    #[serde(default)]
    pub time_expression: Option<String>,
    /// The model's own confidence, 0 to 1.
    pub confidence: f64,
}
