//! Canonical form of what a memory claims, so that other wordings of it meet the same key, and deleted claims are known again.
//!
//! [`attributes`] names what is claimed, `words` brings sentences to content words, `form` puts both together,
//! `fingerprint` keeps a form as keyed hashes.

pub mod attributes;
mod compare;
mod figures;
mod fingerprint;
mod form;
mod forms;
mod infer;
mod phase;
mod relatives;
mod spelling;
mod synonyms;
mod words;

use serde::{Deserialize, Serialize};

use crate::candidate::{Candidate, Polarity};
use crate::id::{EntityId, SuppressionId};

pub use compare::Match;
pub use fingerprint::{Fingerprints, HashedPart, PartKind, known_again, suppression_of};
pub use form::{Form, Statement, subject_of};
pub use phase::Phase;

/// The version of the normaliser that makes claim keys; part of every key.
pub const NORMALISER: u32 = 1;

/// Equal for equal claims of the same subject. The subject stands beside it, not inside, so that merging entities needs no new keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClaimKey(pub String);

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
    /// Hashes of value, content words, names, numbers and pairs of words.
    pub parts: Vec<HashedPart>,
    /// Normaliser that made the parts.
    pub normaliser: u32,
    /// Key that made the hashes.
    pub key_id: String,
}

/// Canonical attribute and claim key of a candidate, independent of its subject.
pub fn keys(candidate: &Candidate) -> (String, ClaimKey) {
    let form = Form::of(&Statement::from(candidate));
    let key = form.key();
    (form.attribute, key)
}

#[cfg(test)]
mod tests;
