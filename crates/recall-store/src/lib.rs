//! The store doors: everything durable but the queue. Both databases keep the same promises, shown by one conformance suite.

pub mod api_keys;
mod backlog;
pub mod batches;
mod bindings;
mod commit;
#[cfg(test)]
mod conformance;
mod dead;
pub mod deed;
mod dialect;
mod directory;
mod edits;
pub mod entities;
pub mod erasure;
mod error;
mod fence;
mod gather;
mod generations;
mod hashes;
mod list;
mod memory;
mod neighbours;
mod open;
mod parked;
pub mod record;
mod repair;
mod rows;
mod schema;
mod sql;
mod sql_store;
mod stored_memory;
pub mod swap;
mod table;
#[cfg(test)]
mod tables;
mod trace;
mod traces;
mod upkeep;

pub use upkeep::KeyFault;
mod window;
mod worker;

pub use directory::served_at;
pub use open::{Limits, Opening};
pub use sql_store::SqlStore;

use async_trait::async_trait;
use recall_core::call::Call;
use recall_core::class::Class;
use recall_core::context::{Near, NearKeys};
use recall_core::id::{BatchId, MemoryId, TraceId};
use recall_core::memory::Memory;
use recall_core::run::Run;
use recall_core::scope::Scope;
use recall_core::window::Window;

use record::{
    Backlog, Beat, Begun, CallEvent, Committed, DeadFilter, DeadLetter, LiveWorker, MemoryFilter, Page, PageRequest,
    Parked, ParkedKey, Partitions, Tenants, ToPark, Trace, TraceFilter, TraceSummary, Whereabouts,
};

/// What can go wrong at a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database is away, full, or takes no writes: whatever is asked of it now fails.
    #[error("database did not answer")]
    Unavailable(#[source] Option<Box<dyn std::error::Error + Send + Sync>>),
    /// The database answers and could not do what was asked: a statement took too long, a limit was met.
    #[error("database could not do it")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Somebody else changed the scope or the session meanwhile; judge again on a fresh snapshot.
    #[error("snapshot is stale")]
    Stale,
    /// The database refuses a row that breaks an invariant.
    #[error("database refuses the rows: {rule}")]
    Refused {
        /// The constraint.
        rule: String,
    },
    /// The database was made by another version of the schema.
    #[error("database schema is at version {found}, this build needs {needed}: {hint}")]
    Schema {
        /// What is there.
        found: i64,
        /// What is needed.
        needed: i64,
        /// The way out.
        hint: &'static str,
    },
    /// Another process works on this data directory.
    #[error("data directory is in use: {0}")]
    InUse(String),
    /// A cursor that this store did not hand out.
    #[error("cursor is not one of this list")]
    Cursor,
    /// What is to be changed is not there.
    #[error("no such {0}")]
    Missing(&'static str),
    /// What is asked for cannot be done as things stand.
    #[error("{0}")]
    Conflict(&'static str),
    /// A row that cannot be read back.
    #[error("row cannot be read: {0}")]
    Corrupt(String),
}

impl StoreError {
    /// What the error means for a call.
    pub fn class(&self) -> Class {
        match self {
            Self::Unavailable(_) | Self::Stale => Class::Busy { retry_after: None },
            Self::Failed(_) => Class::Transient,
            Self::Refused { .. } | Self::Corrupt(_) => Class::Bug,
            Self::Schema { .. } | Self::InUse(_) | Self::Cursor | Self::Missing(_) | Self::Conflict(_) => {
                Class::Permanent
            }
        }
    }
}

/// A store.
#[async_trait]
pub trait Store: Send + Sync {
    /// Brings the schema up to date; the names of what was applied. Safe with several starters at once.
    async fn migrate(&self) -> Result<Vec<String>, StoreError>;
    /// `Ok` while the database answers and has the schema of this build.
    async fn ready(&self) -> Result<(), StoreError>;

    /// The session before a call, in one round trip. Makes rows for nothing.
    async fn window(&self, call: &Call) -> Result<Window, StoreError>;
    /// One snapshot of a scope.
    async fn neighbours(&self, scope: &Scope, keys: &NearKeys) -> Result<Near, StoreError>;
    /// One snapshot of a scope for a call of a run that is not swapped in: suppressed claims, the entities everybody knows and
    /// those only the run knows, and no memory, since it may move none.
    async fn staged_neighbours(&self, scope: &Scope, batch: &BatchId) -> Result<Near, StoreError>;
    /// Commits a run in one transaction, its parked row removed with it.
    /// [`StoreError::Stale`] where session version or scope epoch moved, or a unique index says that another run was first.
    async fn commit(&self, run: &Run) -> Result<Committed, StoreError>;

    /// Puts a call behind the parked ones of its session. The same trace id again only moves its attempts
    /// and due time; queued again it stays as it is.
    async fn park(&self, call: &ToPark) -> Result<(), StoreError>;
    /// Takes heads of parked sessions that are due, oldest first: at most one a session, only of these partitions, none of the busy
    /// sessions. An attempt at each begins, as [`Store::begin_attempt`] says; the rows stay until they are unparked or committed.
    async fn take(&self, partitions: &Partitions, busy: &[String], limit: u32) -> Result<Vec<Parked>, StoreError>;
    /// Removes a parked call as it was handed out; `false` where it changed meanwhile.
    async fn unpark(&self, key: &ParkedKey) -> Result<bool, StoreError>;
    /// What waits, and what is dead.
    async fn backlog(&self) -> Result<Backlog, StoreError>;
    /// Keeps a call that cannot be done, and removes its parked row, in one transaction.
    async fn dead_letter(&self, letter: &DeadLetter) -> Result<(), StoreError>;
    /// Takes a call of a reprocessing run off the queue without doing it; class and reason stay as its event.
    async fn drop_call(&self, call: &Call, class: &str, reason: &str) -> Result<(), StoreError>;
    /// Notes that an attempt at a call begins. Commit, park and dead letter end all attempts at it.
    async fn begin_attempt(&self, trace_id: &TraceId) -> Result<Begun, StoreError>;
    /// Notes that the attempt that began last now runs with nothing beside it: until then its worker's end is not its fault.
    async fn runs_alone(&self, trace_id: &TraceId) -> Result<(), StoreError>;
    /// Takes back the marks of attempts at a call that turned out to be committed already.
    async fn end_attempts(&self, trace_id: &TraceId) -> Result<(), StoreError>;

    /// Renews a worker's heartbeat by the database's clock; the workers seen lately, this one included.
    async fn beat(&self, beat: &Beat) -> Result<Vec<LiveWorker>, StoreError>;
    /// The workers seen within the last minutes, those that fell silent included.
    async fn workers(&self) -> Result<Vec<LiveWorker>, StoreError>;
    /// Takes a worker off the list.
    async fn leave(&self, worker: &str) -> Result<(), StoreError>;

    /// A trace with its stored detail; `None` where this namespace has none of that id.
    async fn trace(&self, namespace: &str, id: &TraceId) -> Result<Option<Trace>, StoreError>;
    /// Traces of a namespace, newest first.
    async fn traces(&self, filter: &TraceFilter, page: &PageRequest) -> Result<Page<TraceSummary>, StoreError>;
    /// A memory of a namespace with its provenance.
    async fn memory(&self, namespace: &str, id: &MemoryId) -> Result<Option<Memory>, StoreError>;
    /// Memories of a namespace, newest first.
    async fn memories(&self, filter: &MemoryFilter, page: &PageRequest) -> Result<Page<Memory>, StoreError>;

    /// Dead letters, newest first.
    async fn dead_letters(&self, filter: &DeadFilter, page: &PageRequest) -> Result<Page<DeadLetter>, StoreError>;
    /// Where a call is; [`Whereabouts::Unknown`] where it is another tenant's.
    async fn whereabouts(&self, tenants: &Tenants, id: &str) -> Result<Whereabouts, StoreError>;
    /// What happened to a call that did not go through at once, in order; for 14 days, that it was dropped for ever.
    async fn events(&self, id: &str) -> Result<Vec<CallEvent>, StoreError>;
    /// Takes a dead letter out and puts its call behind what its session has waiting, in one transaction; `false` where it
    /// is no dead letter, or no more. The call may go on under another trace id than its letter's.
    async fn requeue(&self, letter: &str, call: &ToPark, actor: &str) -> Result<bool, StoreError>;
    /// Removes a dead letter for good and keeps that it was, by whom and why; `false` where it is no dead letter, or no more.
    async fn drop_dead(&self, letter: &DeadLetter, reason: &str, actor: &str) -> Result<bool, StoreError>;
}
