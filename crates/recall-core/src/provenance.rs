//! Where a memory comes from. Part of the memory, never a log that can be pruned.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::candidate::SCHEMA_VERSION;
use crate::evidence::Source;
use crate::id::TraceId;
use crate::moment::Moment;
use crate::scope::Scope;
use crate::turn::TurnId;

/// What read the turns: provider, model and prompt, down to their hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedBy {
    /// `openai`, `rules`, `recorded`, or `literal` where no model was asked.
    pub provider: String,
    /// The model's identifier as the server reports it.
    pub model: String,
    /// First 16 hex digits of SHA-256 over the model identifier.
    pub model_version_hash: String,
    /// Version of the reply's schema.
    pub extractor_schema_version: u32,
    /// Name of the prompt, such as `extract`.
    pub prompt_name: String,
    /// Version of the prompt, such as `v1`.
    pub prompt_version: String,
    /// SHA-256 over the prompt's files, in hex.
    pub prompt_sha256: String,
}

impl ExtractedBy {
    /// Fills in the hash of the model and the schema version.
    pub fn new(provider: &str, model: &str, prompt: (&str, &str, &str)) -> Self {
        let (prompt_name, prompt_version, prompt_sha256) = prompt;
        let digest = hex::encode(Sha256::digest(model.as_bytes()));
        Self {
            provider: provider.into(),
            model: model.into(),
            model_version_hash: digest.chars().take(16).collect(),
            extractor_schema_version: SCHEMA_VERSION,
            prompt_name: prompt_name.into(),
            prompt_version: prompt_version.into(),
            prompt_sha256: prompt_sha256.into(),
        }
    }
}

/// The proof of a memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Ids of the turns it rests on (at least one).
    pub source_turn_ids: Vec<TurnId>,
    /// The session of those turns.
    pub source_session_id: String,
    /// The scope of those turns; equal to the memory's.
    pub source_scope: Scope,
    /// The turns with their verbatim quotes and spans.
    pub sources: Vec<Source>,
    /// What read them.
    pub extracted_by: ExtractedBy,
    /// When the pipeline ran, not when the words were said.
    pub extracted_at: Moment,
    /// The trace of the run.
    pub extraction_trace_id: TraceId,
}
