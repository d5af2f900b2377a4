//! Which turns a claim names: at least one, all of them known, one of them of this call.

use crate::candidate::Candidate;
use crate::evidence::Origin;
use crate::reading::{ReadTurn, Reading};
use crate::stage::Reason;

/// A citation whose turn is known.
pub(super) struct Cited<'a> {
    /// The turn.
    pub turn: &'a ReadTurn,
    /// The words that are said to stand in it.
    pub quote: &'a str,
}

/// The turns of every citation.
pub(super) fn cited<'a>(reading: &'a Reading, claim: &'a Candidate) -> Result<Vec<Cited<'a>>, Reason> {
    if claim.evidence.is_empty() {
        return Err(Reason::NoSource);
    }
    let known = claim.evidence.iter().map(|citation| {
        let turn = reading.turn(&citation.turn_id).ok_or(Reason::UnknownSource)?;
        Ok(Cited { turn, quote: &citation.quote })
    });
    let cited = known.collect::<Result<Vec<_>, Reason>>()?;
    if cited.iter().all(|cited| cited.turn.origin == Origin::Window) {
        return Err(Reason::UnknownSource);
    }
    Ok(cited)
}
