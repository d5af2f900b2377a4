//! What goes into a store and comes out of it besides the nouns of the core.

mod calls;
mod generations;
mod letters;

use recall_core::candidate::MemoryType;
use recall_core::id::{EntityId, MemoryId, TraceId};
use recall_core::memory::Status;
use recall_core::moment::Moment;
use recall_core::provenance::ExtractedBy;
use recall_core::run::{SpanRecord, TurnVerdict, Usage, Verdict};
use recall_core::scope::{Owner, Scope};
use serde::{Deserialize, Serialize};

pub use calls::{Backlog, Beat, Begun, LaneBacklog, LiveWorker, Parked, ParkedKey, Partitions, Report, ToPark, Why};

pub use generations::{Generation, Stage};
pub use letters::{CallEvent, DeadFilter, DeadLetter, Happened, Order, Tenants, Whereabouts};

/// How a commit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// Now.
    Now,
    /// The run of this trace was there already; nothing was written.
    Before,
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
    /// Was in the dead letters, and a person dropped it.
    Dropped,
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
    /// Those that were forgotten, instead of those that count; what was deleted for good is in neither.
    pub forgotten: bool,
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
    /// Events of calls, after 14 days; that one was dropped is never removed.
    pub events: u64,
    /// Workers and doors that left no sign for an hour.
    pub workers: u64,
    /// Sessions and turns as reprocessing runs knew them, once those ended.
    pub states: u64,
}
