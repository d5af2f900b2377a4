//! Step 7: how sure is it, and how much does it matter?

use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::context::Context;
use crate::evidence::Evidence;
use crate::stage::Reason;
use crate::stages::anchor::When;
use crate::stages::resolve::Resolution;

/// The version of the confidence formula.
pub const FORMULA: u32 = 1;

/// One factor of the confidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Its name in the table of factors.
    pub name: String,
    /// What it multiplies by.
    pub value: f64,
}

/// Confidence with its factors, and importance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// 0 to 1.
    pub confidence: f64,
    /// 0 to 1.
    pub importance: f64,
    /// What went into the confidence.
    pub factors: Vec<Factor>,
    /// [`FORMULA`] at the time.
    pub formula: u32,
}

/// Weighs a candidate.
///
/// # Errors
/// [`Reason::BelowMinConfidence`].
pub fn calibrate(
    cx: &Context<'_>,
    claim: &Candidate,
    evidence: &Evidence,
    resolution: &Resolution,
    when: &When,
) -> Result<Calibration, Reason> {
    let _ = (cx, evidence, resolution, when);
    Ok(Calibration { confidence: claim.confidence, importance: 0.5, factors: Vec::new(), formula: FORMULA })
}
