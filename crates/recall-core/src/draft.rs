//! What reconcile is handed: a candidate with everything the stages before it found.

use crate::candidate::Candidate;
use crate::evidence::Evidence;
use crate::stages::anchor::When;
use crate::stages::calibrate::Calibration;
use crate::stages::resolve::Resolution;

/// A candidate that passed stages 3 to 8, with what they found.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// What the model proposed.
    pub candidate: Candidate,
    /// What it rests on.
    pub evidence: Evidence,
    /// Whom it is about.
    pub resolution: Resolution,
    /// When it was.
    pub when: When,
    /// How sure it is.
    pub calibration: Calibration,
}
