//! Scores of the `grounding` folder.

use super::Scorer;

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[];
