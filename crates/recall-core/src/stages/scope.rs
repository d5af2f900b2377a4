//! Step 4 (I-5): does every source belong to the scope of the call?

use crate::context::Context;
use crate::evidence::Evidence;
use crate::stage::Reason;

/// Checks the scope of every source.
///
/// # Errors
/// [`Reason::ScopeMismatch`] or [`Reason::TurnOfOtherScope`].
pub fn scope(cx: &Context<'_>, evidence: &Evidence) -> Result<(), Reason> {
    let reading = cx.reading;
    if reading.window.session_bound_elsewhere {
        return Err(Reason::ScopeMismatch);
    }
    for source in &evidence.sources {
        let stated = reading.turn(&source.turn_id).and_then(|read| read.turn.scope.as_ref());
        if stated.is_some_and(|scope| *scope != reading.call.scope) {
            return Err(Reason::ScopeMismatch);
        }
        if reading.window.bound_elsewhere.contains(&source.turn_id) {
            return Err(Reason::TurnOfOtherScope);
        }
    }
    Ok(())
}
