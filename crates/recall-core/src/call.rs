//! One `remember` request: what a chat back end asks to be remembered, and the unit of everything after.

use serde::{Deserialize, Serialize};

use crate::id::{BatchId, TraceId};
use crate::keys::Key;
use crate::moment::Moment;
use crate::scope::Scope;
use crate::turn::{Turn, TurnId};

/// The most turns a call may hold.
pub const MAX_TURNS: usize = 200;
/// The longest content of a turn, in bytes.
pub const MAX_TURN_BYTES: usize = 256 * 1024;

/// Which queue a call waits in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// A conversation going on now.
    #[default]
    Live,
    /// Archives; never in the way of live calls.
    Bulk,
}

/// What is to be done with the turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Ask the model what is worth keeping.
    #[default]
    Infer,
    /// Keep each user turn as it stands (`infer: false`).
    Literal,
}

/// The reprocessing run a call belongs to. Its sessions have a state of their own: live windows are neither read nor written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// The run.
    pub id: BatchId,
    /// The extraction prompt it asks with; that of the namespace where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_version: Option<String>,
    /// What its calls say does not count before the run is swapped in.
    #[serde(default)]
    pub staged: bool,
    /// Its person was named: turns count though they were said before the person was erased.
    #[serde(default)]
    pub erased_too: bool,
    /// The last turns of its session before it that earlier runs had read, so that this run was not given them; oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Turn>,
}

/// A checked `remember` request, as it travels through the queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The trace of this call.
    pub trace_id: TraceId,
    /// Whose memory it is.
    pub scope: Scope,
    /// The conversation; a call without one is a session of its own, named by its trace id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// 1 to [`MAX_TURNS`] turns, in the order they were said.
    pub turns: Vec<Turn>,
    /// What the caller wants to find again beside the memories; never read by the pipeline.
    #[serde(default)]
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// When memories of this call stop counting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Moment>,
    /// Infer or literal.
    #[serde(default)]
    pub mode: Mode,
    /// Live or bulk.
    #[serde(default)]
    pub lane: Lane,
    /// The reprocessing run; none for a conversation going on now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<Batch>,
    /// When the door accepted it.
    pub accepted_at: Moment,
    /// What the door changed or assumed, for the reader of the trace; never words of people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl Call {
    /// The conversation this call belongs to: the caller's id, else the trace id.
    pub fn session(&self) -> &str {
        self.session_id.as_deref().unwrap_or(self.trace_id.as_str())
    }

    /// One text that is equal exactly for calls of the same session of the same scope in the same reprocessing run, or in none.
    pub fn session_key(&self) -> String {
        let live = format!("{}\u{1e}{}", self.scope.key(), self.session());
        match &self.batch {
            Some(batch) => format!("{live}\u{1e}{}", batch.id),
            None => live,
        }
    }

    /// Calls of a person erased at this time or later are of before, in microseconds: when a live call was accepted, and of a reprocessed one
    /// also when its earliest turn was said; one that may have been said at any time was said before.
    pub fn erasable_since(&self) -> i64 {
        let turns = self.turns.iter().map(|turn| self.turn_erasable_since(turn)).min();
        turns.unwrap_or_else(|| self.accepted_at.microseconds())
    }

    /// The same of one turn and whoever spoke it.
    pub fn turn_erasable_since(&self, turn: &Turn) -> i64 {
        let accepted = self.accepted_at.microseconds();
        match &self.batch {
            Some(batch) if !batch.erased_too => turn.at.map_or(i64::MIN, Moment::microseconds).min(accepted),
            Some(_) | None => accepted,
        }
    }

    /// The call without some of its turns, also where they stand before it.
    #[must_use]
    pub fn without(mut self, turns: &[TurnId]) -> Self {
        let is_kept = |turn: &Turn| !turns.contains(&turn.id);
        self.turns.retain(is_kept);
        self.batch.iter_mut().for_each(|batch| batch.before.retain(is_kept));
        self
    }

    /// Turns that were said before it and travel with it.
    pub fn before(&self) -> &[Turn] {
        self.batch.as_ref().map(|batch| batch.before.as_slice()).unwrap_or_default()
    }

    /// Stands for whose turns the call holds and what they say, 16 bytes in hexadecimal, so that a repeat can be told from another
    /// call under the same idempotency key. Times are left out, since each acceptance stamps those that the caller left open, and
    /// ids of turns, since the store may rename one.
    pub fn fingerprint(&self, key: &Key) -> String {
        let scope = self.scope.key();
        let turns = self.turns.iter().flat_map(|turn| [turn.role.as_str(), turn.content.as_str()]);
        key.fingerprint(&["call", &scope, self.session()].into_iter().chain(turns).collect::<Vec<_>>())
    }
}
