//! Generations of the fleet's queues.

use serde::{Deserialize, Serialize};

/// A generation of queues: one number of partitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    /// Counted from 1.
    pub number: u32,
    /// Partitions of a lane.
    pub partitions: u32,
    /// How far it is.
    pub stage: Stage,
    /// Seconds since it came to this stage.
    pub stage_seconds: u64,
    /// Partitions of both lanes that were read to their end.
    pub read: u32,
}

/// How far a generation is. It leaves [`Stage::Open`] when there is a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Calls go in, or did until a moment ago.
    Open,
    /// Its entrances are taken away: no call goes in any more.
    Closed,
    /// A mark stands behind the last call of each queue.
    Marked,
    /// Each queue was read to its mark.
    Read,
    /// Its queues are taken away.
    Gone,
}

impl Stage {
    /// As it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Marked => "marked",
            Self::Read => "read",
            Self::Gone => "gone",
        }
    }

    /// The stage before.
    pub fn before(self) -> Option<Self> {
        match self {
            Self::Open => None,
            Self::Closed => Some(Self::Open),
            Self::Marked => Some(Self::Closed),
            Self::Read => Some(Self::Marked),
            Self::Gone => Some(Self::Read),
        }
    }
}
