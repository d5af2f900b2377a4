//! What one run of the pipeline leaves behind: everything the write step commits in one transaction.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::candidate::Candidate;
use crate::effect::Changes;
use crate::evidence::Support;
use crate::id::MemoryId;
use crate::moment::Moment;
use crate::provenance::ExtractedBy;
use crate::stage::{Dropped, Reason, Stage};
use crate::stages::anchor::When;
use crate::stages::calibrate::Calibration;
use crate::stages::resolve::Resolution;
use crate::turn::{Turn, TurnId};
use crate::window::RingTurn;

/// What the pre-filter said of a turn: kept, or dropped with a reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnVerdict {
    /// The turn.
    pub turn_id: TurnId,
    /// `None` where it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<Reason>,
}

/// What became of one candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// A new memory.
    Stored {
        /// Its id.
        memory_id: MemoryId,
        /// How reconcile came to it: plain, or `newer_value`, `older_value`, `undecided`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Reason>,
    },
    /// Joined a memory that says the same.
    Merged {
        /// The memory that is there.
        memory_id: MemoryId,
    },
    /// Not kept.
    Dropped(Dropped),
}

/// The line of the trace for one candidate. Holds words of people: part of the stored trace, never of exported telemetry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What the model proposed; `None` where the reply's item could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<Candidate>,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Grounding's finding, where it got so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support: Option<Support>,
    /// References with distance and margin, where it got so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
    /// The time expression with its normal form, where it got so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// The factors of the confidence, where it got so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// What the model call used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Requests sent, repairs included.
    pub model_calls: u32,
    /// Tokens of prompts.
    pub prompt_tokens: u64,
    /// Tokens of replies.
    pub completion_tokens: u64,
    /// Cost in millionths of the price table's currency unit.
    pub cost_micros: u64,
}

impl Usage {
    /// Adds what another request used.
    pub fn add(&mut self, other: &Self) {
        self.model_calls += other.model_calls;
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.cost_micros += other.cost_micros;
    }
}

/// One timed step of a run, as stored beside the trace. Ids, counts and enums only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpanRecord {
    /// Position in the run, from 0.
    pub ordinal: u32,
    /// The step.
    pub stage: Stage,
    /// From the start of the run; in JSON `started_ms`, milliseconds.
    #[serde(rename = "started_ms", with = "milliseconds")]
    pub started: Duration,
    /// How long it took; in JSON `took_ms`, milliseconds.
    #[serde(rename = "took_ms", with = "milliseconds")]
    pub took: Duration,
    /// Items that went in (turns or candidates).
    pub items: u32,
    /// Items that ended there, by reason.
    pub dropped: Vec<(Reason, u32)>,
}

/// A finished run, ready to be committed.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The call, with turn ids as they are stored.
    pub call: Call,
    /// When the pipeline ran.
    pub ran_at: Moment,
    /// Attempts charged before this one.
    pub attempt: u32,
    /// [`crate::window::Window::version`] it was judged on.
    pub session_version: i64,
    /// [`crate::context::Near::epoch`] it was judged on.
    pub epoch: i64,
    /// That snapshot is from before the model was asked: it is out of date once anybody else committed in the scope, whatever it was.
    pub unmoved: bool,
    /// One per turn of the call.
    pub turns: Vec<TurnVerdict>,
    /// One per candidate, in the order of the reply.
    pub verdicts: Vec<Verdict>,
    /// What the run changes.
    pub changes: Changes,
    /// What read the turns; `None` where no model was asked.
    pub extracted_by: Option<ExtractedBy>,
    /// What it used.
    pub usage: Usage,
    /// Remarks for the reader of the trace (a time without offset was read as UTC, a turn id was renamed, …).
    pub notes: Vec<String>,
    /// Timed steps.
    pub spans: Vec<SpanRecord>,
    /// The session's new window.
    pub window: Vec<Turn>,
    /// The session's new ring buffer.
    pub ring: Vec<RingTurn>,
    /// W3C trace context of the request, where it had one.
    pub traceparent: Option<String>,
}

/// A duration as milliseconds with a fraction, as people read it.
mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(duration.as_secs_f64() * 1e3)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let milliseconds = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(milliseconds / 1e3).map_err(serde::de::Error::custom)
    }
}
