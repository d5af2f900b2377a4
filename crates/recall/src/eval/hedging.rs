//! Scores of the `hedging` folder.

use super::Scorer;

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[];
