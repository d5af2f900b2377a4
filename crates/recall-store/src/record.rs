//! What goes into a store and comes out of it besides the nouns of the core.

use recall_core::candidate::MemoryType;
use recall_core::id::{EntityId, MemoryId, TraceId};
use recall_core::memory::Status;
use recall_core::moment::Moment;
use recall_core::provenance::ExtractedBy;
use recall_core::run::{SpanRecord, TurnVerdict, Usage, Verdict};
use recall_core::scope::{Owner, Scope};
use serde::{Deserialize, Serialize};

/// How a commit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// Now.
    Now,
    /// The run of this trace was there already; nothing was written.
    Before,
}

/// A call that waits in the database.
#[derive(Debug, Clone, PartialEq)]
pub struct ToPark {
    /// Its trace.
    pub trace_id: TraceId,
    /// [`recall_core::call::Call::session_key`].
    pub session_key: String,
    /// Its partition.
    pub partition: u32,
    /// The message as it travels.
    pub body: Vec<u8>,
    /// Attempts charged so far.
    pub attempts: u32,
    /// Seconds from now, by the database's clock, before it is due.
    pub wait_seconds: f64,
    /// Why it waits: an error class, `behind`, or `queued` for the embedded queue.
    pub why: String,
}

/// Names a parked row as it was handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParkedKey {
    /// Place in the order of the table.
    pub seq: i64,
    /// Moved by every change of the row.
    pub revision: i64,
}

/// A parked call that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parked {
    /// The row.
    pub key: ParkedKey,
    /// Its trace.
    pub trace_id: TraceId,
    /// Its session.
    pub session_key: String,
    /// The message as it travels.
    pub body: Vec<u8>,
    /// Attempts charged so far.
    pub attempts: u32,
    /// An attempt at it began and never ended ([`crate::Store::begin_attempt`]); one that ended in parking did end.
    pub retried: bool,
}

/// Which partitions are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Partitions {
    /// All of them.
    All,
    /// These.
    Of(Vec<u32>),
}

/// A call that cannot be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeadLetter {
    /// Its trace, or the message id where the body could not be read.
    pub id: String,
    /// The tenant, where it is known.
    pub namespace: Option<String>,
    /// Class of the last error.
    pub class: String,
    /// The last error, without words of people.
    pub reason: String,
    /// Attempts charged.
    pub attempts: u32,
    /// The message as it came.
    #[serde(skip)]
    pub body: Vec<u8>,
    /// When it was put here; set by the store.
    pub died_at: Option<Moment>,
}

/// A worker's sign of life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beat {
    /// The worker's own random name.
    pub worker: String,
    /// Its version.
    pub version: String,
    /// Calls in flight.
    pub in_flight: u32,
    /// Partitions it holds.
    pub partitions: Vec<u32>,
}

/// A worker seen lately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveWorker {
    /// Its name.
    pub worker: String,
    /// Its version.
    pub version: String,
    /// Calls in flight.
    pub in_flight: u32,
    /// Partitions it holds.
    pub partitions: Vec<u32>,
    /// Seconds since its last sign, by the database's clock.
    pub seen_seconds_ago: u64,
}

/// A run as it is kept, with what is kept for a while only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The line of the list.
    #[serde(flatten)]
    pub summary: TraceSummary,
    /// What read the turns.
    pub extracted_by: Option<ExtractedBy>,
    /// What the pre-filter said of each turn; empty once the detail is over its time.
    pub turns: Vec<TurnVerdict>,
    /// One per candidate; empty once the detail is over its time.
    pub verdicts: Vec<Verdict>,
    /// Remarks.
    pub notes: Vec<String>,
    /// Timed steps; empty once over their time.
    pub spans: Vec<SpanRecord>,
    /// The memories this run wrote or added to.
    pub memory_ids: Vec<MemoryId>,
}

/// A run in one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceSummary {
    /// Its id.
    pub trace_id: TraceId,
    /// `done`, `queued`, `parked` or `dead`.
    pub status: TraceStatus,
    /// Whose it is; `None` for a dead letter that could not be read.
    pub scope: Option<Scope>,
    /// Its session.
    pub session_id: Option<String>,
    /// When the call was accepted.
    pub accepted_at: Option<Moment>,
    /// When the run was committed.
    pub committed_at: Option<Moment>,
    /// When an operator took back what it said.
    pub forgotten_at: Option<Moment>,
    /// Turns of the call.
    pub turn_count: u32,
    /// Candidates of the reply.
    pub candidate_count: u32,
    /// Memories written.
    pub stored_count: u32,
    /// Attempts charged.
    pub attempts: u32,
    /// What the model call used.
    pub usage: Usage,
    /// Class and text of the last error, where there is one.
    pub error: Option<String>,
}

/// Where a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceStatus {
    /// Accepted, not yet done.
    Queued,
    /// Waits for another attempt.
    Parked,
    /// Committed.
    Done,
    /// In the dead letters.
    Dead,
}

/// Which traces are listed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TraceFilter {
    /// The tenant.
    pub namespace: String,
    /// Of this owner only.
    pub owner: Option<Owner>,
    /// Committed at or after.
    pub since: Option<Moment>,
    /// Committed before.
    pub until: Option<Moment>,
    /// In this state.
    pub status: Option<TraceStatus>,
    /// Of this kind; calls that wait or are dead are of none yet.
    pub operation: Option<Operation>,
}

/// What a call was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Turns were read for what is worth keeping.
    Remember,
    /// Turns were kept as they stood.
    Literal,
    /// A person told a memory anew.
    Restate,
}

/// Which memories are listed. Deleted ones never are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemoryFilter {
    /// The tenant.
    pub namespace: String,
    /// Of this owner only.
    pub owner: Option<Owner>,
    /// Of this agent only.
    pub agent_id: Option<String>,
    /// Written or added to by this trace.
    pub trace_id: Option<TraceId>,
    /// Of this session.
    pub session_id: Option<String>,
    /// About this entity.
    pub subject: Option<EntityId>,
    /// About an entity of this name.
    pub subject_name: Option<String>,
    /// Of this type.
    pub memory_type: Option<MemoryType>,
    /// In this status; active, superseded, disputed and expired where absent.
    pub status: Option<Status>,
    /// Whose content holds this text, case aside.
    pub text: Option<String>,
    /// Written at or after.
    pub created_since: Option<Moment>,
    /// Written before.
    pub created_until: Option<Moment>,
    /// Happened at or after.
    pub event_since: Option<Moment>,
    /// Happened before.
    pub event_until: Option<Moment>,
}

/// How much of a list is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// At most this many, 1 to 500.
    pub limit: u32,
    /// Where the last page ended.
    pub cursor: Option<String>,
}

/// Part of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// Where the next page begins; `None` at the end.
    pub next_cursor: Option<String>,
}

/// What a sweep removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swept {
    /// Memories whose time was over.
    pub expired: u64,
    /// Windows of sessions, 24 hours after their last call.
    pub windows: u64,
    /// Details of runs, after the retention of their namespace.
    pub details: u64,
    /// Spans that were not dropped with their day, after 7 days.
    pub spans: u64,
    /// Dead letters, after 14 days.
    pub dead_letters: u64,
    /// Workers that left no sign for an hour.
    pub workers: u64,
}
