//! Calls this door accepted lately: an id made from an idempotency key carries no time, so that it cannot tell by itself that its call
//! is still on its way.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use recall_core::id::TraceId;

/// How long an accepted call may be on its way.
pub(super) const ON_ITS_WAY: Duration = Duration::from_secs(600);
/// Ids remembered; beyond it the older half goes.
const MOST: usize = 100_000;

/// The ids of calls accepted lately.
#[derive(Default)]
pub(crate) struct Recent {
    ids: Mutex<HashMap<TraceId, Instant>>,
}

impl Recent {
    /// Notes a call that was accepted now.
    pub(super) fn note(&self, id: TraceId) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.len() >= MOST {
            let mut times: Vec<Instant> = ids.values().copied().collect();
            times.sort_unstable();
            let middle = times.get(MOST / 2).copied();
            ids.retain(|_, at| Some(*at) > middle);
        }
        ids.insert(id, Instant::now());
    }

    /// The call was accepted here and may still be on its way.
    pub(super) fn holds(&self, id: &TraceId) -> bool {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.get(id).is_some_and(|at| at.elapsed() < ON_ITS_WAY)
    }
}
