//! Parts of a turn that are not the speaker's own words.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// What a part of a turn is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// `<recalled…>…</recalled…>`: memories handed to the conversation.
    Recalled,
    /// Somebody else's words.
    Quotation,
    /// A program.
    Code,
    /// Log lines, stack traces, records.
    Log,
}

/// A part of a turn that is not the speaker's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Byte range in the turn.
    pub span: Range<usize>,
    /// What it is.
    pub kind: BlockKind,
}

/// The blocks of a turn, in order, not overlapping.
pub fn find(content: &str) -> Vec<Block> {
    let _ = content;
    Vec::new()
}
