//! Step 6: when was it? From the words and the turn's own time, never from a clock.

use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::context::Context;
use crate::evidence::Evidence;
use crate::moment::{Moment, Precision};
use crate::reading::dates::Extent;
use crate::stage::Reason;
use crate::turn::TurnId;

/// When what a candidate tells happened.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct When {
    /// First moment of the period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_at: Option<Moment>,
    /// First moment of the last day of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_until: Option<Moment>,
    /// How exact it is.
    pub precision: Precision,
    /// Where the end lies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<Extent>,
    /// The words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// The turn whose time anchored them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchored_on: Option<TurnId>,
    /// Several readings fit and the words do not decide.
    #[serde(default)]
    pub ambiguous: bool,
}

/// Chooses the time expression of a candidate and its reading.
///
/// # Errors
/// None today: no expression, no date.
pub fn anchor(cx: &Context<'_>, claim: &Candidate, evidence: &Evidence) -> Result<When, Reason> {
    let _ = (cx, claim, evidence);
    Ok(When::default())
}
