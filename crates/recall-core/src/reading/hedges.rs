//! Words that take certainty away.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::text::Token;

/// Kinds of hedges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HedgeClass {
    /// "I think", "maybe".
    Epistemic,
    /// "about", "roughly".
    Approximative,
    /// "sometimes", "usually".
    Frequency,
    /// "she told me", "apparently".
    Hearsay,
    /// "if it rains".
    Conditional,
}

/// A hedge in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hedge {
    /// Byte range of the cue.
    pub span: Range<usize>,
    /// Byte range of what it hedges.
    pub reach: Range<usize>,
    /// Its kind.
    pub class: HedgeClass,
}

/// The hedges of a turn.
pub fn find(content: &str, tokens: &[Token]) -> Vec<Hedge> {
    let _ = (content, tokens);
    Vec::new()
}
