//! Step 9: what does it change? Merge, supersede, keep as history, dispute, or keep; independent of the order of arrival.

use crate::context::Context;
use crate::effect::Changes;
use crate::pipeline::Draft;
use crate::run::Outcome;

/// Decides for every draft, in the order of the reply; what an earlier one stored is known to the later ones.
/// The outcomes stand in the order of the drafts.
pub fn reconcile(cx: &Context<'_>, drafts: &[Draft]) -> (Changes, Vec<Outcome>) {
    let _ = (cx, drafts);
    (Changes::default(), Vec::new())
}
