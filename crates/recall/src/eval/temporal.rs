//! Scores of the `temporal` folder.

use super::Scorer;

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[];
