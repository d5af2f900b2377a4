//! Canonical form of what a memory claims, so that other wordings of it meet the same key, and deleted claims are known again.
//!
//! [`attributes`] names what is claimed, `words` brings sentences to content words, `plain` reads the plain ones, `form` puts all
//! together, `fingerprint` keeps a form as keyed hashes.

pub mod attributes;
mod compare;
mod figures;
mod fingerprint;
mod form;
mod forms;
mod infer;
mod normaliser;
mod phase;
mod plain;
mod relatives;
mod spelling;
mod synonyms;
mod words;

use serde::{Deserialize, Serialize};

use crate::candidate::{Candidate, Polarity};
use crate::id::{EntityId, SuppressionId};

pub use compare::Match;
pub use fingerprint::{Fingerprints, HashedPart, PartKind, known_again, suppression_of};
pub use form::{Form, Statement, subject_of, tells_of_the_user};
pub use normaliser::Normaliser;
pub use phase::Phase;

/// The version of claim keys; part of every key.
const KEYS: u32 = 2;

/// Equal for equal claims of the same subject. The subject stands beside it, not inside, so that merging entities needs no new keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClaimKey(pub String);

/// The last sign of the key of a claim that its denial ends, and of the key of that denial.
const SIGNS: [char; 2] = ['+', '-'];

impl ClaimKey {
    /// The key of the claim that says the opposite; `None` where a claim ends by another value, or not at all.
    pub fn opposite(&self) -> Option<Self> {
        let [so, not_so] = SIGNS;
        match self.0.strip_suffix(so) {
            Some(topic) => Some(Self(format!("{topic}{not_so}"))),
            None => self.0.strip_suffix(not_so).map(|topic| Self(format!("{topic}{so}"))),
        }
    }

    /// What the claim is about: the same for a claim and its opposite.
    pub fn topic(&self) -> &str {
        self.0.trim_end_matches(SIGNS)
    }

    /// The key itself and that of the opposite.
    pub fn and_opposite(&self) -> impl Iterator<Item = Self> {
        std::iter::once(self.clone()).chain(self.opposite())
    }
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
    /// Hashes of value, content words, names, numbers and pairs of words.
    pub parts: Vec<HashedPart>,
    /// Number of the normaliser that made the parts; see [`Normaliser`].
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
