//! What callers see of reprocessing runs: numbers and hashes.

use recall_store::batches::BatchRecord;
use recall_store::record::{DeadLetter, PageRequest};
use recall_store::swap::Standing;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::swap::StandingView;
use crate::letters::DeadView;

/// A reprocessing run.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct RunView {
    /// Its id (`run_…`).
    pub run_id: String,
    /// The tenant.
    pub namespace: String,
    /// `running`, `paused`, `cancelled` or `done`.
    pub status: String,
    /// Calls its archives hold.
    pub calls: u64,
    /// Turns they hold.
    pub turns: u64,
    /// So many calls from the beginning came to their end.
    pub settled: u64,
    /// So many of them had been done before the run.
    pub known: u64,
    /// Calls it did.
    pub done: u64,
    /// Calls among the dead letters.
    pub dead: u64,
    /// Calls that were dropped when they arrived: the run was cancelled, or their person erased.
    pub dropped: u64,
    /// Memories it wrote.
    pub memories: u64,
    /// Requests to the model.
    pub model_calls: u32,
    /// Tokens of prompts.
    pub prompt_tokens: u64,
    /// Tokens of replies.
    pub completion_tokens: u64,
    /// In millionths of the price table's currency unit.
    pub cost_micros: u64,
    /// What was asked for: prompt, model, how it was cut; no names.
    #[schema(value_type = Object)]
    pub spec: Value,
    /// SHA-256 over the archives.
    pub archive_sha256: String,
    /// Who asked for it.
    pub actor: String,
    /// Who moved it last.
    pub moved_by: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// When it began.
    pub created_at: String,
    /// When somebody last worked on it or moved it.
    pub changed_at: String,
    /// When it was done or cancelled.
    pub ended_at: Option<String>,
    /// How far it is swapped in, where it was to replace; of one run alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<StandingView>,
    /// Its dead letters, newest first, at most 50; of one run alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead_letters: Vec<DeadView>,
}

impl RunView {
    /// Dead letters that are shown of a run.
    pub(crate) const LETTERS: PageRequest = PageRequest { limit: 50, cursor: None };

    /// A run with how far it stands in and its dead letters.
    pub(crate) fn with(run: BatchRecord, standing: Option<Standing>, letters: &[DeadLetter]) -> Self {
        let standing = standing.map(StandingView::from);
        Self { standing, dead_letters: letters.iter().map(DeadView::from).collect(), ..Self::from(run) }
    }
}

impl From<BatchRecord> for RunView {
    fn from(run: BatchRecord) -> Self {
        Self {
            run_id: run.id.to_string(),
            namespace: run.namespace,
            status: run.status.as_str().to_owned(),
            calls: run.calls,
            turns: run.turns,
            settled: run.settled,
            known: run.known,
            done: run.done,
            dead: run.dead,
            dropped: run.dropped,
            memories: run.stored,
            model_calls: run.usage.model_calls,
            prompt_tokens: run.usage.prompt_tokens,
            completion_tokens: run.usage.completion_tokens,
            cost_micros: run.usage.cost_micros,
            spec: run.spec,
            archive_sha256: run.archive_hash,
            actor: run.actor,
            moved_by: run.moved_by,
            reason: run.reason,
            created_at: run.created_at.to_string(),
            changed_at: run.changed_at.to_string(),
            ended_at: run.ended_at.map(|at| at.to_string()),
            standing: None,
            dead_letters: Vec::new(),
        }
    }
}
