//! What one arm made of one conversation, as it stands in the report: every figure can be counted again from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One of the two versions that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// The version in use.
    A,
    /// The version that may take its place.
    B,
}

impl Side {
    /// Its letter.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }
}

/// One conversation read once by one arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trial {
    /// Its id.
    pub conversation: String,
    /// Which arm.
    pub arm: Side,
    /// Which of the repeats, from 0.
    pub repeat: u32,
    /// Models that answered, by the names servers gave.
    pub models: Vec<String>,
    /// What stood in the store at the end.
    pub memories: Vec<Stored>,
    /// Stored and replaced by something said later.
    pub history: Vec<String>,
    /// Candidates that joined a memory which says the same.
    pub merged: u32,
    /// Proposed and not kept.
    pub blocked: Vec<Blocked>,
    /// Turns the pre-filter dropped.
    pub turns_dropped: u32,
    /// In their order.
    pub calls: Vec<CallRecord>,
}

/// A memory that stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stored {
    /// One sentence.
    pub content: String,
    /// `user`, or a name or role.
    pub subject: String,
    /// It is told as not so.
    pub negative: bool,
    /// First day, as exact as it is known: `2026-03-02`, `2026-03`, `2026`.
    pub date: Option<String>,
    /// 0 to 1.
    pub confidence: f64,
    /// The words it rests on.
    pub quotes: Vec<Quote>,
    /// What it was found to be.
    #[serde(flatten)]
    pub found: Found,
}

/// Words of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Quote {
    /// The turn.
    pub turn: String,
    /// Who spoke.
    pub speaker: String,
    /// The words.
    pub words: String,
}

/// What a memory was found to be by labels or judge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Found {
    /// Gold facts it tells.
    pub gold: Vec<String>,
    /// Planted falsehoods it tells.
    pub falsehoods: Vec<String>,
    /// Whether the conversation shows it; `None` where nobody decided.
    pub supported: Option<bool>,
    /// Who decided.
    pub decided_by: Option<Decider>,
    /// Another memory of the trial tells the same.
    pub duplicate: bool,
    /// No label has anything to do with it.
    pub junk: bool,
}

/// Who decided whether a memory is supported. Never the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Decider {
    /// A gold fact, or the lack of one.
    Gold,
    /// It tells a planted falsehood.
    Falsehood,
    /// It tells what was replaced later.
    Replaced,
    /// A judge model outside the pipeline.
    Judge,
}

/// A candidate that was not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Blocked {
    /// The stage.
    pub stage: String,
    /// The reason.
    pub reason: String,
    /// What was proposed; empty where it could not be read.
    pub content: String,
    /// `user`, or a name or role.
    pub subject: String,
    /// It was told as not so.
    pub negative: bool,
    /// Gold facts it tells.
    pub gold: Vec<String>,
}

/// One call of the pipeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallRecord {
    /// Requests to the model, repairs included; none where the pre-filter left nothing to ask.
    pub model_calls: u32,
    /// Tokens of prompts.
    pub prompt_tokens: u64,
    /// Tokens of replies.
    pub completion_tokens: u64,
    /// In millionths of the price table's unit.
    pub cost_micros: u64,
    /// Time of the model's answer in milliseconds, where it was taken.
    pub milliseconds: Option<u64>,
    /// The reply could not be used, even after its repair: nothing of the call was kept.
    pub unusable: bool,
}

impl Trial {
    /// Candidates that were not kept, by reason.
    pub(crate) fn reasons(&self) -> BTreeMap<&str, (u64, u64)> {
        let mut reasons: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for blocked in &self.blocked {
            let count = reasons.entry(blocked.reason.as_str()).or_default();
            count.0 += 1;
            count.1 += u64::from(!blocked.gold.is_empty());
        }
        reasons
    }
}
