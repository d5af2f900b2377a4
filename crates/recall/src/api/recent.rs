//! What the calls this door accepted lately said: an idempotency key that comes again with other turns is a mistake that the caller
//! should hear of at once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use recall_core::id::TraceId;

/// Ids remembered; beyond it the older half goes.
const MOST: usize = 100_000;

/// A call that was accepted.
struct Accepted {
    at: Instant,
    print: String,
}

/// The calls accepted lately.
#[derive(Default)]
pub(crate) struct Recent {
    ids: Mutex<HashMap<TraceId, Accepted>>,
}

impl Recent {
    /// Notes a call that was accepted now; `print` stands for what it said ([`recall_core::call::Call::fingerprint`]).
    pub(super) fn note(&self, id: TraceId, print: String) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.len() >= MOST {
            let mut times: Vec<Instant> = ids.values().map(|accepted| accepted.at).collect();
            times.sort_unstable();
            let middle = times.get(MOST / 2).copied();
            ids.retain(|_, accepted| Some(accepted.at) > middle);
        }
        ids.insert(id, Accepted { at: Instant::now(), print });
    }

    /// The id was given to a call that said something else.
    pub(super) fn said_otherwise(&self, id: &TraceId, print: &str) -> bool {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.get(id).is_some_and(|accepted| accepted.print != print)
    }
}
