//! What kind of failure an error is; the fate of a call follows from it and from nothing else.

use std::time::Duration;

/// The class of an error. (Dropping a claim is not an error.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// May succeed later; counts an attempt.
    Transient,
    /// May succeed later and is not the call's fault: 429, spent quota, rejected key, contention, a database away. Counts no attempt.
    Busy {
        /// How long the other side asked to wait, where it did.
        retry_after: Option<Duration>,
    },
    /// Will never succeed.
    Permanent,
    /// A broken invariant of ours.
    Bug,
}

impl Class {
    /// The class as a label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Transient => "transient",
            Self::Busy { .. } => "busy",
            Self::Permanent => "permanent",
            Self::Bug => "bug",
        }
    }
}
