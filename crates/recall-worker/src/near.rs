//! What a call is judged against.

use recall_core::call::{Batch, Call};
use recall_core::candidate::Candidate;
use recall_core::context::{Near, NearKeys};
use recall_core::window::Window;
use recall_store::StoreError;

use crate::Ports;
use crate::process::outside;

/// The snapshot of the scope of a call that is known, else a fresh one. What a staged call says stands beside the memories, so it is shown
/// none.
pub(crate) async fn near(ports: &Ports, call: &Call, keys: &NearKeys, known: Option<Near>) -> Result<Near, StoreError> {
    if let Some(known) = known {
        return Ok(known);
    }
    match &call.batch {
        Some(Batch { id, staged: true, .. }) => {
            outside(ports, "store", "neighbours", ports.store.staged_neighbours(&call.scope, id)).await
        }
        Some(_) | None => outside(ports, "store", "neighbours", ports.store.neighbours(&call.scope, keys)).await,
    }
}

/// The snapshot of a scope that needs no asking: nothing was ever committed in it, or there is nothing to be judged.
pub(crate) fn known_before(window: &Window, proposed: &[Candidate]) -> Option<Near> {
    let epoch = window.scope_revision;
    (epoch == 0 || proposed.is_empty()).then(|| Near { epoch, ..Near::default() })
}
