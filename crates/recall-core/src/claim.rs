//! Canonical form of what a memory claims, so that other wordings of it meet the same key.

use serde::{Deserialize, Serialize};

use crate::candidate::Polarity;
use crate::id::{EntityId, SuppressionId};

/// The version of the normaliser that makes claim keys; part of every key.
pub const NORMALISER: u32 = 1;

/// Equal for equal claims of the same subject. The subject stands beside it, not inside, so that merging entities needs no new keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClaimKey(pub String);

/// One part of a claim as a keyed hash, with its weight in a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HashedPart {
    /// 32 hex digits.
    pub hash: String,
    /// Above 0.
    pub weight: f64,
}

/// A claim that was deleted, kept as keyed hashes of its parts so that it can be recognised but not read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Suppression {
    /// Its id.
    pub id: SuppressionId,
    /// The subject, and an object entity where there was one; re-pointed when entities merge.
    pub entities: Vec<EntityId>,
    /// So or not so: the opposite is another claim.
    pub polarity: Polarity,
    /// Hash of the canonical attribute.
    pub attribute: String,
    /// Hashes of content words and numbers.
    pub parts: Vec<HashedPart>,
    /// Normaliser that made the parts.
    pub normaliser: u32,
    /// Key that made the hashes.
    pub key_id: String,
}

/// Canonical attribute and claim key of a candidate, independent of its subject.
pub fn keys(candidate: &crate::candidate::Candidate) -> (String, ClaimKey) {
    (candidate.attribute.clone(), ClaimKey(candidate.content.clone()))
}
