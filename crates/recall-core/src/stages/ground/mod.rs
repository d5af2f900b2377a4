//! Step 3 (I-4): is it said? Blocks what the cited turns do not carry; the first objection decides.

mod agent;
mod ahead;
mod alignment;
mod apart;
mod asked;
mod assertion;
mod attribution;
mod beside;
mod bond;
mod claim;
mod compared;
mod document;
mod endings;
mod exchanged;
mod generalisation;
mod given_up;
mod home;
mod kin;
mod known;
mod leaving_out;
mod modality;
mod names;
mod passage;
mod person;
mod phrases;
mod polarity;
mod possessed;
mod pronouns;
mod quotes;
mod register;
mod replaced;
mod runs;
mod shorthand;
mod sources;
mod speaker;
mod spelling;
mod support;
#[cfg(test)]
mod tests;
mod third;
mod turned;
mod unreached;
mod value;
mod wished;
mod withdrawn;

use std::collections::HashSet;

use crate::candidate::Candidate;
use crate::context::Context;
use crate::evidence::{Evidence, Support};
use crate::reading::references::Part;
use crate::reading::{Reading, Speaker};
use crate::stage::Reason;

use passage::Passage;
use quotes::Place;
use register::Register;
use sources::Assistant;
use support::Lack;

/// Finds the sources of a candidate and how far they carry it.
///
/// # Errors
/// The first objection, in the order of the gate.
pub fn ground(cx: &Context<'_>, claim: &Candidate) -> Result<Evidence, Reason> {
    let cited = attribution::cited(cx.reading, claim)?;
    let places = quotes::locate(cx.reading, &cited)?;
    let (places, assistant) = sources::allowed(cx, claim, places)?;
    let carried = carried(cx, claim, &places);
    let (support, coverage) = match (carried, assistant) {
        (Err(reason), Assistant::SetAside) if is_unsupported(reason) => return Err(Reason::AssistantOnly),
        (carried, Assistant::Allowed | Assistant::SetAside) => carried?,
    };
    let reattributed = places.iter().filter(|place| place.moved_from.is_some()).map(|place| place.turn.turn.id.clone());
    Ok(Evidence { sources: quotes::sources(&places), support, coverage, reattributed: reattributed.collect() })
}

/// The most words with content a claim may have. What has more is no single claim, and nobody could show all of it.
const MOST_ITEMS: usize = 200;

/// The objections that need the words of claim and sources, in their order.
fn carried(cx: &Context<'_>, candidate: &Candidate, places: &[Place<'_>]) -> Result<(Support, f64), Reason> {
    let mut claim = claim::read(candidate, &speakers(cx.reading));
    if claim.items.len() > MOST_ITEMS {
        return Err(Reason::UnsupportedDetail);
    }
    let passage = Passage::new(places);
    if document::rests_on_text(candidate, &claim, &passage) {
        claim.register = Register::Document;
        return against_text(cx, candidate, &claim, &passage);
    }
    let mut alignment = alignment::align(&claim, &passage);
    alignment::refocus(&bond::standings(cx, &claim, &passage), &claim, &passage, &mut alignment);
    assertion::asserted(&claim, &passage, &alignment)?;
    withdrawn::stands(cx, &claim, &passage, &alignment)?;
    speaker::speaks(cx, &claim, &passage, &alignment)?;
    exchanged::keeps_parties(&claim, &passage, &alignment)?;
    let found = support::support(cx, &claim, &passage, &alignment);
    let unshown = matches!(found, Err(Lack::Unshown(Reason::UnsupportedDetail)));
    if unshown && polarity::takes_back(&claim, &passage, &alignment) {
        return Err(Reason::PolarityFlip);
    }
    let found = second_opinion(cx, candidate, found)?;
    value::stands(cx, candidate, &claim, &passage)?;
    polarity::agrees(&claim, &passage, &alignment)?;
    modality::agrees(&claim, &passage, &alignment)?;
    generalisation::fits(&claim, &passage, &alignment)?;
    Ok(found)
}

/// The objections that are left where nobody of the conversation is spoken of.
fn against_text(
    cx: &Context<'_>,
    candidate: &Candidate,
    claim: &claim::Claim,
    passage: &Passage<'_>,
) -> Result<(Support, f64), Reason> {
    let alignment = alignment::align(claim, passage);
    let found = document::support(cx, claim, passage, &alignment);
    let found = second_opinion(cx, candidate, found)?;
    value::stands(cx, candidate, claim, passage)?;
    polarity::agrees(claim, passage, &alignment)?;
    Ok(found)
}

/// Where a judge is asked, it decides what the words leave open: a detail they do not show, or show in part. Nothing that they refute,
/// and no name or number they lack, is open. A doubtful claim without an opinion is turned away.
fn second_opinion(
    cx: &Context<'_>,
    candidate: &Candidate,
    found: Result<(Support, f64), Lack>,
) -> Result<(Support, f64), Reason> {
    /// Of a claim whose words are not in the sources, as far as its confidence is concerned.
    const SHOWN_BY_MEANING: f64 = 0.5;
    let Some(opinions) = cx.opinions else { return found.map_err(Lack::reason) };
    let coverage = match found {
        Ok((Support::Partial, coverage)) => coverage,
        Err(Lack::Unshown(Reason::UnsupportedDetail)) => SHOWN_BY_MEANING,
        decided => return decided.map_err(Lack::reason),
    };
    match opinions.of(candidate) {
        Some(support @ (Support::Supported | Support::Partial)) => Ok((support, coverage)),
        Some(Support::Unsupported | Support::Contradicted) => Err(Reason::UnsupportedDetail),
        None => Err(Reason::JudgeUnavailable),
    }
}

/// First names of everybody who speaks or is called out in the conversation, folded.
fn speakers(reading: &Reading) -> Vec<String> {
    let spoken = reading.turns.iter().filter_map(|turn| match &turn.speaker {
        Speaker::Person(name) => name.as_deref(),
        Speaker::Assistant | Speaker::Nobody => None,
    });
    let called = reading.turns.iter().flat_map(|turn| &turn.mentions).filter(|mention| mention.part == Part::Vocative);
    let names = spoken.chain(called.map(|mention| mention.name.as_str()));
    let firsts: HashSet<&str> = names.filter_map(|name| name.split(known::parts_names).next()).collect();
    let mut names: Vec<String> = firsts.into_iter().map(crate::text::fold).collect();
    names.sort();
    names.dedup();
    names
}

fn is_unsupported(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::UnsupportedName | Reason::UnsupportedNumber | Reason::UnsupportedDetail | Reason::NotAsserted
    )
}
