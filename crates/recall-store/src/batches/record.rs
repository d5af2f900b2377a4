//! What is told of reprocessing runs.

use std::collections::HashMap;

use recall_core::id::BatchId;
use recall_core::keys::KeyRing;
use recall_core::moment::Moment;
use recall_core::run::Usage;
use recall_core::scope::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::repair::erase;

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BatchStatus {
    /// Its calls are fed, or wait for somebody to feed them.
    Running,
    /// No more calls are fed; those that wait in the queue are done.
    Paused,
    /// No more calls are fed; those that wait in the queue are dropped when they arrive.
    Cancelled,
    /// Every call came to its end.
    Done,
}

impl BatchStatus {
    /// As it stands in rows and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Cancelled => "cancelled",
            Self::Done => "done",
        }
    }
}

/// A run that begins.
#[derive(Debug, Clone, PartialEq)]
pub struct NewBatch {
    /// Its id.
    pub id: BatchId,
    /// The tenant.
    pub namespace: String,
    /// What was asked for, without words of people and without ids of theirs.
    pub spec: Value,
    /// Equal for the same command.
    pub command_hash: String,
    /// SHA-256 over the archives, in hex.
    pub archive_hash: String,
    /// Calls the archives hold.
    pub calls: u64,
    /// Turns they hold.
    pub turns: u64,
    /// Who asked for it.
    pub actor: String,
    /// What it says stands beside the memories until it is swapped in.
    pub staged: bool,
}

/// A run as it is kept, with what its calls came to so far.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchRecord {
    /// Its id.
    pub id: BatchId,
    /// The tenant.
    pub namespace: String,
    /// Where it stands.
    pub status: BatchStatus,
    /// What was asked for.
    pub spec: Value,
    /// SHA-256 over the archives, in hex.
    pub archive_hash: String,
    /// Calls the archives hold.
    pub calls: u64,
    /// Turns they hold.
    pub turns: u64,
    /// So many calls from the beginning came to their end.
    pub settled: u64,
    /// So many of them had been done before the run.
    pub known: u64,
    /// Calls it did.
    pub done: u64,
    /// Memories they wrote.
    pub stored: u64,
    /// Calls among the dead letters.
    pub dead: u64,
    /// Calls that were dropped when they arrived.
    pub dropped: u64,
    /// What the model calls used.
    pub usage: Usage,
    /// Who asked for it.
    pub actor: String,
    /// Who moved it last, where somebody did.
    pub moved_by: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// When it began.
    pub created_at: Moment,
    /// When somebody last worked on it or moved it.
    pub changed_at: Moment,
    /// When it was done or cancelled.
    pub ended_at: Option<Moment>,
}

/// How a call of a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// This run did it.
    Done,
    /// It was done before, or beside this run.
    Known,
    /// It is among the dead letters.
    Dead,
    /// It was dropped when it arrived.
    Dropped,
}

/// Who was erased, and when; told by hashes of owners alone.
#[derive(Debug, Clone, Default)]
pub struct Erasures {
    pub(super) keys: Option<KeyRing>,
    pub(super) at: HashMap<String, i64>,
}

impl Erasures {
    /// When the owner of a scope was erased last, in microseconds.
    pub fn of(&self, scope: &Scope) -> Option<i64> {
        let keys = self.keys.as_ref().filter(|_| !self.at.is_empty())?;
        erase::owner_hashes(keys, scope).iter().filter_map(|hash| self.at.get(hash)).max().copied()
    }
}
