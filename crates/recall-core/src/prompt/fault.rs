//! What can be wrong with a prompt, told so that its author finds the place.

use super::written::{MAX_VERSION_CHARS, Origin};
use crate::stage::{Reason, Stage};

/// What is wrong with a prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The version cannot be one.
    #[error(
        "a version is 1 to {MAX_VERSION_CHARS} lower-case letters, digits, \".\", \"_\" and \"-\", and begins with a letter or digit"
    )]
    Version,
    /// Other words are known under this name and version.
    #[error(
        "this version is known with other words ({known}): one that is there never changes, so give yours another version"
    )]
    OtherWords {
        /// Where the known ones come from.
        known: Origin,
    },
    /// A file that is not of its format.
    #[error("{file}: {why}")]
    File {
        /// Its name.
        file: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// An example that cannot be read, or whose reply the schema does not allow.
    #[error("examples.json, example {example}: {why}")]
    Example {
        /// Its number, from 1.
        example: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A candidate of an example that the gate would not keep.
    #[error("examples.json, example {example}, candidate {candidate}: turned away at {stage} ({reason})")]
    TurnedAway {
        /// Number of the example, from 1.
        example: usize,
        /// Number of the candidate in it, from 1.
        candidate: usize,
        /// The first stage that objected.
        stage: Stage,
        /// Why.
        reason: Reason,
    },
    /// A candidate of an example that the gate keeps but does not find wholly said.
    #[error(
        "examples.json, example {example}, candidate {candidate}: kept at ground, but its turns say it only in part"
    )]
    Weak {
        /// Number of the example, from 1.
        example: usize,
        /// Number of the candidate in it, from 1.
        candidate: usize,
    },
}

/// A prompt that is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("prompt {name}/{version} is not taken: {}", told(faults))]
pub struct InvalidPrompt {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What is wrong; never empty.
    pub faults: Vec<Fault>,
}

fn told(faults: &[Fault]) -> String {
    faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("; ")
}
