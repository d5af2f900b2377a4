//! What a call is judged against.

use recall_core::call::{Batch, Call};
use recall_core::context::{Near, NearKeys};
use recall_store::StoreError;

use crate::Ports;
use crate::process::outside;

/// A fresh snapshot of the scope of a call. What a staged call says stands beside the memories, so it is shown none.
pub(crate) async fn near(ports: &Ports, call: &Call, keys: &NearKeys) -> Result<Near, StoreError> {
    match &call.batch {
        Some(Batch { id, staged: true, .. }) => {
            outside(ports, "store", "neighbours", ports.store.staged_neighbours(&call.scope, id)).await
        }
        Some(_) | None => outside(ports, "store", "neighbours", ports.store.neighbours(&call.scope, keys)).await,
    }
}
