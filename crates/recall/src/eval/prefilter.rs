//! Scores of the `prefilter` folder.

use super::Scorer;

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[];
