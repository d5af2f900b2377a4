//! Time expressions of English, resolved against the turn's own time.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::moment::{Moment, Precision};

/// Where the end of a time expression lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// The period of the precision itself.
    Period,
    /// A range with a known last day.
    Range,
    /// From the start on, end unknown ("since March").
    OpenEnd,
    /// Up to the end, start unknown ("until May").
    OpenStart,
    /// Again and again ("every Monday").
    Recurring,
}

/// A time expression in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// First moment of the period in the past reading, else the only reading.
    pub start: Option<Moment>,
    /// First moment of the last day of a range.
    pub until: Option<Moment>,
    /// First moment of the period in the future reading, where the words leave it open ("on Friday").
    pub future: Option<Moment>,
    /// How exact it is.
    pub precision: Precision,
    /// Where its end lies.
    pub extent: Extent,
}

/// The time expressions of a text said at a moment.
pub fn find(text: &str, said_at: Moment) -> Vec<Dated> {
    let _ = (text, said_at);
    Vec::new()
}
