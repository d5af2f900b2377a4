//! Step 8: may it be kept? Deleted claims, injections, credentials, attributes of other systems.

pub mod injection;
pub mod secret;

use crate::candidate::Candidate;
use crate::context::Context;
use crate::evidence::Evidence;
use crate::stage::Reason;
use crate::stages::resolve::Resolution;

/// Checks a grounded candidate against what must not be kept.
///
/// # Errors
/// [`Reason::Secret`], [`Reason::Injection`], [`Reason::OwnedElsewhere`], [`Reason::Suppressed`] or [`Reason::SuppressedRestated`].
pub fn suppress(
    cx: &Context<'_>,
    claim: &Candidate,
    evidence: &Evidence,
    resolution: &Resolution,
) -> Result<(), Reason> {
    let _ = (cx, claim, evidence, resolution);
    Ok(())
}
