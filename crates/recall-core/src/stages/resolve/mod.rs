//! Step 5: who is meant? Pronouns through the ring buffer, names against known entities; never guessed.

use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::context::Context;
use crate::entity::{EntityKind, USER};
use crate::evidence::Evidence;
use crate::id::EntityId;
use crate::reading::references::roles;
use crate::stage::Reason;
use crate::text::fold;
use crate::turn::Role;

mod naming;

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
    /// Other names and roles it has here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// What this call by itself calls it and takes it for, where the entity is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<Alone>,
}

/// A person or thing as one call tells of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alone {
    /// The name that was said.
    pub name: String,
    /// What it is by these words.
    pub kind: EntityKind,
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
    let references = quoted(cx, evidence);
    let (said, meant) = meant_by(cx, &claim.subject, &references, evidence);
    let subject = naming::name(cx, &meant);
    let object = object(cx, claim, &subject);
    let unresolved = said == Subject::Open || leans_on_open(&claim.content, &references);
    Ok(Resolution { subject, object, references, unresolved })
}

/// What the subject of a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// A name or role, or a pronoun that was resolved.
    Named,
    /// A pronoun nobody can resolve.
    Open,
}

/// The name behind the subject of a claim: a pronoun becomes its antecedent, `user` the speaker where several speak.
fn meant_by(cx: &Context<'_>, subject: &str, references: &[Resolved], evidence: &Evidence) -> (Subject, String) {
    let name = roles::canonical(subject);
    if name == USER {
        return (Subject::Named, speaker(cx, evidence).unwrap_or(name));
    }
    let folded = fold(&name);
    if roles::person_of(&folded).is_none() && folded != "it" {
        return (Subject::Named, name);
    }
    let said = references.iter().filter(|resolved| {
        fold(&resolved.pronoun) == folded
            || roles::person_of(&folded)
                .is_some_and(|person| roles::person_of(&fold(&resolved.pronoun)) == Some(person))
    });
    let mut entities = said.map(|resolved| &resolved.entity).filter(|entity| !entity.is_empty());
    match (entities.next(), entities.next()) {
        (Some(one), None) => (Subject::Named, one.join(" and ")),
        (Some(one), Some(other)) if one == other => (Subject::Named, one.join(" and ")),
        (Some(_) | None, _) => (Subject::Open, name),
    }
}

/// The one who speaks the sources, in a conversation of several named people.
fn speaker(cx: &Context<'_>, evidence: &Evidence) -> Option<String> {
    let names = cx.reading.turns.iter().filter(|read| read.turn.role == Role::User);
    let mut names: Vec<&str> = names.filter_map(|read| read.turn.name.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    let source = evidence.sources.iter().find(|source| source.role == Role::User)?;
    source.speaker.clone().filter(|_| names.len() > 1)
}

/// The pronouns of the quotes, with main names of entities that are known.
fn quoted(cx: &Context<'_>, evidence: &Evidence) -> Vec<Resolved> {
    let mut found = Vec::new();
    for source in &evidence.sources {
        let Some(read) = cx.reading.turn(&source.turn_id) else { continue };
        let content = read.turn.content.as_str();
        let byte = |chars: usize| content.char_indices().nth(chars).map_or(content.len(), |(at, _)| at);
        let (start, end) = (byte(source.start), byte(source.end));
        for said in read.references.iter().filter(|said| start <= said.span.start && said.span.end <= end) {
            found.push(Resolved {
                pronoun: content.get(said.span.clone()).unwrap_or_default().to_owned(),
                entity: said.antecedents.iter().map(|name| naming::main_name(cx, name)).collect(),
                distance: said.distance,
                runner_up: said.runner_up.clone(),
                margin: said.margin,
            });
        }
    }
    found
}

/// The entity a value names: one that is known, or one that was mentioned by this very name.
fn object(cx: &Context<'_>, claim: &Candidate, subject: &Named) -> Option<Named> {
    let value = roles::canonical(&claim.value);
    let named = naming::name(cx, &value);
    let mentioned = named.known.is_some() || naming::is_mentioned(cx, &value) || roles::is_role(&value);
    (mentioned && named.name != subject.name && named.kind != EntityKind::Thing).then_some(named)
}

/// Whether a sentence means somebody by a pronoun that stays open in its quotes.
fn leans_on_open(content: &str, references: &[Resolved]) -> bool {
    let of = |resolved: &&Resolved| roles::person_of(&fold(&resolved.pronoun));
    roles::persons_meant(content).into_iter().any(|person| {
        let mut same = references.iter().filter(|resolved| of(resolved) == Some(person)).peekable();
        same.peek().is_some() && same.all(|resolved| resolved.entity.is_empty())
    })
}

#[cfg(test)]
mod tests;
