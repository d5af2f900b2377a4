//! Step 8: may it be kept? Credentials, injections, attributes of other systems, deleted claims – in this order.

mod deleted;

pub mod injection;
pub mod secret;

use std::collections::HashSet;

use crate::candidate::Candidate;
use crate::claim::attributes;
use crate::context::Context;
use crate::evidence::Evidence;
use crate::stage::Reason;
use crate::stages::resolve::Resolution;
use crate::turn::TurnId;

/// Checks a grounded candidate against what must not be kept.
///
/// # Errors
/// [`Reason::Secret`], [`Reason::Injection`], [`Reason::OwnedElsewhere`], [`Reason::Suppressed`] or [`Reason::SuppressedRestated`].
pub fn suppress(
    cx: &Context<'_>,
    claim: &Candidate,
    evidence: &Evidence,
    resolution: &Resolution,
) -> Result<(), Reason> {
    let words = rests_on(cx, evidence);
    if words.iter().any(|words| secret::claims_secret(claim, words)) || repeats_another_secret(cx, claim) {
        return Err(Reason::Secret);
    }
    if injection::claims_authority(claim) || words.iter().any(|words| injection::claims_role(claim, words)) {
        return Err(Reason::Injection);
    }
    owned_elsewhere(cx, claim)?;
    deleted::deleted(cx, claim, evidence, resolution)
}

/// The turns a candidate rests on, each once and whole: what makes a word a credential or a role a claim may stand beside the quote.
fn rests_on<'a>(cx: &'a Context<'_>, evidence: &'a Evidence) -> Vec<&'a str> {
    let mut seen: HashSet<&TurnId> = HashSet::new();
    let mut words = Vec::new();
    for source in &evidence.sources {
        match cx.reading.turn(&source.turn_id) {
            Some(read) if seen.insert(&source.turn_id) => words.push(read.turn.content.as_str()),
            Some(_) => {}
            None => words.push(source.quote.as_str()),
        }
    }
    words
}

/// Whether a claim repeats what a turn it does not cite tells to be a credential. Most claims have no word that could be one.
fn repeats_another_secret(cx: &Context<'_>, claim: &Candidate) -> bool {
    (secret::has_made_word(&claim.content) || secret::has_made_word(&claim.value))
        && cx.reading.turns.iter().any(|read| secret::claims_secret(claim, read.turn.content.as_str()))
}

/// Attributes that the namespace says other systems own.
fn owned_elsewhere(cx: &Context<'_>, claim: &Candidate) -> Result<(), Reason> {
    let owned = &cx.reading.window.settings.owned_elsewhere;
    if owned.is_empty() {
        return Ok(());
    }
    let (attribute, _) = attributes::canonical(&claim.attribute);
    let theirs = owned.iter().any(|raw| attributes::canonical(raw).0 == attribute);
    if theirs { Err(Reason::OwnedElsewhere) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
