//! Drives one call from the queue to the store, and many of them at once.
//!
//! Reading order: [`process`] is the way of a call; [`settle`] decides what becomes of its delivery; [`worker`] runs many.

mod arrival;
mod bury;
pub mod metrics;
mod near;
mod opinion;
pub mod probe;
pub mod process;
pub mod pulse;
pub mod scopes;
pub mod settle;
pub mod unwanted;
pub mod worker;

use std::sync::Arc;

use recall_core::keys::KeyRing;
use recall_core::prompt::Library;
use recall_core::retry::Schedule;
use recall_llm::{Extractor, Judge};
use recall_store::Store;

use metrics::Metrics;
use scopes::Scopes;

/// Everything a call is driven with. Cheap to clone.
#[derive(Clone)]
pub struct Ports {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The prompts a namespace may choose from.
    pub prompts: Library,
    /// The model door.
    pub extractor: Arc<dyn Extractor>,
    /// Who is asked about doubtful claims, where a namespace wants that.
    pub judge: Option<Arc<dyn Judge>>,
    /// Keys for hashes of what must not be kept as words.
    pub keys: Arc<KeyRing>,
    /// Counters.
    pub metrics: Arc<Metrics>,
    /// Waits between attempts.
    pub schedule: Arc<Schedule>,
    /// Whose turn it is in which scope.
    pub scopes: Arc<Scopes>,
    /// Calls run in company; one that may have ended a worker runs alone.
    pub company: Arc<tokio::sync::RwLock<()>>,
    /// Makes the span of a call part of the trace its `traceparent` names.
    pub join_trace: fn(&tracing::Span, &str),
}
