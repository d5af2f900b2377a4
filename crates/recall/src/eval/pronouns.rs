//! Scores of the `pronouns` folder.

use super::Scorer;

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[];
