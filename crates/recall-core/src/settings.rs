//! What a namespace may decide for itself. Plain values; where they come from is the wiring's business.

use serde::{Deserialize, Serialize};

/// Settings of a namespace, with the defaults of the product.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Take the assistant's own words as a source.
    pub extract_from_assistant: bool,
    /// A sentence added to the extraction prompt.
    pub custom_instruction: Option<String>,
    /// Turns whose mentions are kept for pronouns.
    pub ring_buffer_size: usize,
    /// Turns of the session before a call whose text is kept.
    pub window_turns: usize,
    /// Attributes that other systems own and that are never stored here (plan, balance, …).
    pub owned_elsewhere: Vec<String>,
    /// Claims below this confidence are dropped (`below_min_confidence`).
    pub min_confidence: f64,
    /// Days the stored trace of a call is kept.
    pub trace_retention_days: u32,
    /// What a session id belongs to.
    pub session_ids: SessionIds,
    /// What a turn id belongs to.
    pub turn_ids: TurnIds,
    /// IANA zone for times without offset; UTC where absent.
    pub timezone: Option<String>,
    /// Version of the extraction prompt.
    pub prompt_version: String,
    /// Whether a second model is asked about claims that grounding leaves in doubt.
    pub judge: Judge,
    /// Sentences that stand as examples in the extraction prompt; a claim made of them is an echo.
    pub prompt_examples: Vec<String>,
}

/// What a session id belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum SessionIds {
    /// Every owner numbers sessions anew.
    #[default]
    PerUser,
    /// A session id belongs to one owner of the namespace.
    Unique,
}

/// Whether a second model is asked about claims that grounding leaves in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// The words alone decide.
    #[default]
    Off,
    /// One request more for a call with doubtful claims; a claim that gets no opinion is dropped.
    On,
}

/// What a turn id belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum TurnIds {
    /// Every session numbers turns anew.
    #[default]
    PerSession,
    /// A turn id belongs to one scope of the namespace.
    Unique,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            extract_from_assistant: false,
            custom_instruction: None,
            ring_buffer_size: 20,
            window_turns: 6,
            owned_elsewhere: Vec::new(),
            min_confidence: 0.0,
            trace_retention_days: 7,
            session_ids: SessionIds::PerUser,
            turn_ids: TurnIds::PerSession,
            timezone: None,
            prompt_version: "v1".into(),
            judge: Judge::Off,
            prompt_examples: Vec::new(),
        }
    }
}
