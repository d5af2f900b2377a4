//! Calls that wait, attempts at them, and the workers that see to them.

use recall_core::call::Lane;
use recall_core::id::TraceId;
use serde::{Deserialize, Serialize};

/// A call that waits in the database.
#[derive(Debug, Clone, PartialEq)]
pub struct ToPark {
    /// Its trace.
    pub trace_id: TraceId,
    /// [`recall_core::call::Call::session_key`].
    pub session_key: String,
    /// The place of its session among all sessions; a partition is this modulo their number.
    pub slot: u32,
    /// Its lane.
    pub lane: Lane,
    /// The message as it travels.
    pub body: Vec<u8>,
    /// Attempts charged so far.
    pub attempts: u32,
    /// Seconds from now, by the database's clock, before it is due.
    pub wait_seconds: f64,
    /// Why it waits.
    pub why: Why,
}

/// Why a call waits in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The embedded queue keeps it; nobody tried it yet.
    Queued,
    /// A person sent it on from the dead letters.
    Requeued,
    /// Other calls of its session wait ahead of it.
    Behind,
    /// An attempt failed.
    Failed {
        /// Class of the error.
        class: String,
        /// The error, without words of people.
        reason: String,
    },
}

impl Why {
    /// As it stands in the row: the class of the error, or the name of the variant.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Queued => "queued",
            Self::Requeued => "requeued",
            Self::Behind => "behind",
            Self::Failed { class, .. } => class,
        }
    }
}

/// Names a parked row as it was handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParkedKey {
    /// Place in the order of the table.
    pub seq: i64,
    /// Moved by every change of the row.
    pub revision: i64,
}

/// A parked call that was due and is handed out.
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
    /// The attempt that begins with it; one that ended in parking did end.
    pub begun: Begun,
}

/// An attempt that begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begun {
    /// An attempt before it began and never ended: whatever ended its worker, this one must run with nothing beside it.
    pub alone: bool,
    /// Attempts before it that ran alone and never ended.
    pub unfinished_alone: u32,
}

/// Which partitions are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Partitions {
    /// All of them.
    All,
    /// These of a lane.
    Of {
        /// The lane.
        lane: Lane,
        /// How many partitions it has.
        of: u32,
        /// Which of them.
        numbers: Vec<u32>,
    },
}

/// A worker's sign of life.
#[derive(Debug, Clone, PartialEq)]
pub struct Beat {
    /// The worker's own random name.
    pub worker: String,
    /// Its version.
    pub version: String,
    /// Calls in flight.
    pub in_flight: u32,
    /// Partitions it holds.
    pub partitions: Vec<u32>,
    /// How it is doing.
    pub report: Report,
}

/// What a worker says of itself besides that it lives.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Calls that came to an end within the last minute, done or dead.
    pub last_minute: u32,
    /// When the oldest call it holds was accepted, in microseconds.
    pub oldest_accepted_at: Option<i64>,
    /// Why it takes no calls; `None` while it does.
    pub paused: Option<String>,
    /// Part of its share of the model's rate it uses: 1, less after a 429.
    pub pace: f64,
    /// The generation of queues it reads; 0 where it does not tell.
    #[serde(default)]
    pub generation: u32,
}

/// A worker that gave a sign of life within the last minutes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveWorker {
    /// Its name.
    pub worker: String,
    /// Its version.
    pub version: String,
    /// Calls in flight.
    pub in_flight: u32,
    /// Partitions it holds.
    pub partitions: Vec<u32>,
    /// How it is doing.
    #[serde(flatten)]
    pub report: Report,
    /// Seconds since its first sign.
    pub since_seconds: u64,
    /// Seconds since its last sign, by the database's clock.
    pub seen_seconds_ago: u64,
    /// Age of the oldest call it holds, in seconds, by the database's clock against the door's.
    pub oldest_seconds: Option<u64>,
    /// Seen within the last four seconds.
    pub alive: bool,
}

/// Calls that wait in the database, by lane.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backlog {
    /// Of conversations going on now.
    pub live: LaneBacklog,
    /// Of archives.
    pub bulk: LaneBacklog,
    /// Dead letters.
    pub dead: u64,
    /// Age of the oldest dead letter, in seconds.
    pub oldest_dead_seconds: u64,
}

impl Backlog {
    /// Calls that wait, in both lanes.
    pub fn waiting(&self) -> u64 {
        [&self.live, &self.bulk].into_iter().map(|lane| lane.queued + lane.parked).sum()
    }

    /// Age of the oldest of them, in seconds.
    pub fn oldest_seconds(&self) -> u64 {
        self.live.oldest_seconds.max(self.bulk.oldest_seconds)
    }
}

/// Calls of a lane that wait in the database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneBacklog {
    /// In the embedded queue, not tried yet.
    pub queued: u64,
    /// Waiting for another attempt, or behind one that does.
    pub parked: u64,
    /// Age of the oldest, in seconds since it came here.
    pub oldest_seconds: u64,
}
