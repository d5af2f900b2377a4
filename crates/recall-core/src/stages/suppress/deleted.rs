//! A deletion sticks: what a person deleted is not learnt again, not even in other words, unless they lift it themselves.

use std::collections::BTreeSet;

use crate::candidate::Candidate;
use crate::claim::{Fingerprints, Statement, Suppression, subject_of};
use crate::context::Context;
use crate::entity::{self, USER};
use crate::evidence::Evidence;
use crate::id::EntityId;
use crate::stage::Reason;
use crate::stages::calibrate::asks_to_remember;
use crate::stages::resolve::{Named, Resolution};
use crate::text;
use crate::turn::Role;

/// Holds a candidate against the deleted claims of the scope.
///
/// # Errors
/// [`Reason::Suppressed`]; [`Reason::SuppressedRestated`] where the user asks for it to be remembered.
pub(super) fn deleted(
    cx: &Context<'_>,
    claim: &Candidate,
    evidence: &Evidence,
    resolution: &Resolution,
) -> Result<(), Reason> {
    if cx.near.suppressions.is_empty() {
        return Ok(());
    }
    let mut views = views(cx, claim, resolution);
    let known_again = |suppressed: &Suppression| {
        views.iter_mut().any(|View { about, prints }| prints.claim_again(suppressed, |subject| about.contains(subject)))
    };
    if !cx.near.suppressions.iter().any(known_again) {
        return Ok(());
    }
    if restated(cx, evidence) { Err(Reason::SuppressedRestated) } else { Err(Reason::Suppressed) }
}

/// One way to say whom a candidate is about, with its parts seen so.
struct View<'a> {
    about: BTreeSet<EntityId>,
    prints: Fingerprints<'a>,
}

/// The subject as resolved; beside it the subject the sentence itself begins with, and the user where the subject is a
/// person the user has: the next reply may draw the line between subject and attribute elsewhere.
fn views<'a>(cx: &Context<'a>, claim: &Candidate, resolution: &Resolution) -> Vec<View<'a>> {
    let statement = Statement::from(claim);
    let said = subject_of(&claim.content);
    let mut about: BTreeSet<EntityId> = id_of(cx, &resolution.subject).into_iter().collect();
    about.extend(by_name(cx, &claim.subject));
    about.extend(by_name(cx, &said).filter(|_| said != USER));
    let mut views = vec![View {
        about,
        prints: Fingerprints::new(&Statement { subject: longer(&claim.subject, &said), ..statement }, cx.keys),
    }];
    if said.starts_with("user's ") {
        let user = BTreeSet::from([cx.user()]);
        let prints = Fingerprints::with_role(
            &Statement { subject: USER, ..statement },
            said.trim_start_matches("user's "),
            cx.keys,
        );
        views.push(View { about: user, prints });
    }
    views
}

/// The fuller of two namings of a subject, so that no word of it counts as part of the claim.
fn longer<'s>(one: &'s str, other: &'s str) -> &'s str {
    if text::fold(other).contains(&text::fold(one)) { other } else { one }
}

fn id_of(cx: &Context<'_>, named: &Named) -> Option<EntityId> {
    named.known.clone().or_else(|| by_name(cx, &named.name))
}

fn by_name(cx: &Context<'_>, name: &str) -> Option<EntityId> {
    let folded = text::fold(name);
    if folded == USER {
        return Some(cx.user());
    }
    let bears = |entity: &&entity::Entity| {
        std::iter::once(&entity.name).chain(&entity.aliases).any(|known| text::fold(known) == folded)
    };
    cx.near.entities.iter().find(bears).map(|entity| entity.id.clone())
}

/// Whether a user turn of the evidence asks for it to be remembered.
fn restated(cx: &Context<'_>, evidence: &Evidence) -> bool {
    evidence
        .sources
        .iter()
        .filter(|source| source.role == Role::User)
        .any(|source| cx.reading.turn(&source.turn_id).is_some_and(|read| asks_to_remember(&read.folded.text)))
}
