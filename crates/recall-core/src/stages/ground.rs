//! Step 3 (I-4): is it said? Blocks what the cited turns do not carry.

use crate::candidate::Candidate;
use crate::context::Context;
use crate::evidence::Evidence;
use crate::stage::Reason;

/// Finds the sources of a candidate and how far they carry it.
///
/// # Errors
/// The first objection, in the order of the gate.
pub fn ground(cx: &Context<'_>, claim: &Candidate) -> Result<Evidence, Reason> {
    let _ = (cx, claim);
    Err(Reason::NoSource)
}
