//! Step 1: drops turns with nothing to keep, before any model is asked.

use crate::reading::{ReadTurn, Reading};
use crate::stage::Reason;

/// Judges one turn of the call; `Ok` keeps it.
///
/// # Errors
/// The reason it is dropped.
pub fn prefilter(reading: &Reading, turn: &ReadTurn) -> Result<(), Reason> {
    let _ = (reading, turn);
    Ok(())
}
