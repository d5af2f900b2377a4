//! Step 3 (I-4): is it said? Blocks what the cited turns do not carry; the first objection decides.

mod assertion;
mod attribution;
mod claim;
mod generalisation;
mod modality;
mod passage;
mod person;
mod polarity;
mod quotes;
mod sources;
mod speaker;
mod support;

use crate::candidate::Candidate;
use crate::context::Context;
use crate::evidence::{Evidence, Support};
use crate::reading::{Reading, Speaker};
use crate::stage::Reason;
use crate::turn::TurnId;

use passage::Passage;
use quotes::Place;
use sources::Assistant;
use support::Evidenced;

/// Finds the sources of a candidate and how far they carry it.
///
/// # Errors
/// The first objection, in the order of the gate.
pub fn ground(cx: &Context<'_>, claim: &Candidate) -> Result<Evidence, Reason> {
    let cited = attribution::cited(cx.reading, claim)?;
    let places = quotes::locate(cx.reading, &cited)?;
    let (places, assistant) = sources::allowed(cx, claim, places)?;
    let carried = carried(cx, claim, &places, Evidenced::ByQuote);
    let (support, coverage) = match (carried, assistant) {
        (Err(reason), Assistant::SetAside) if is_unsupported(reason) => return Err(Reason::AssistantOnly),
        (carried, Assistant::Allowed | Assistant::SetAside) => carried?,
    };
    let reattributed = places.iter().filter(|place| place.moved_from.is_some()).map(|place| place.turn.turn.id.clone());
    Ok(Evidence { sources: quotes::sources(&places), support, coverage, reattributed: reattributed.collect() })
}

/// The same judgement for evidence that is given as whole turns, without quotes.
///
/// # Errors
/// The first objection, in the order of the gate.
pub fn ground_by_turns(cx: &Context<'_>, claim: &Candidate, turns: &[TurnId]) -> Result<Evidence, Reason> {
    if turns.is_empty() {
        return Err(Reason::NoSource);
    }
    let known = turns.iter().map(|id| cx.reading.turn(id).ok_or(Reason::UnknownSource));
    let places = known.map(|turn| turn.map(quotes::whole)).collect::<Result<Vec<_>, _>>()?;
    let (support, coverage) = carried(cx, claim, &places, Evidenced::ByTurn)?;
    Ok(Evidence { sources: quotes::sources(&places), support, coverage, reattributed: Vec::new() })
}

/// The objections that need the words of claim and sources, in their order.
fn carried(
    cx: &Context<'_>,
    candidate: &Candidate,
    places: &[Place<'_>],
    evidenced: Evidenced,
) -> Result<(Support, f64), Reason> {
    let claim = claim::read(candidate, &speakers(cx.reading));
    let passage = Passage::new(places);
    let alignment = support::align(cx, &claim, &passage);
    if evidenced == Evidenced::ByQuote {
        assertion::asserted(&claim, &passage, &alignment)?;
    }
    speaker::speaks(cx, &claim, &passage, &alignment, evidenced)?;
    let found = support::support(cx, &claim, &passage, &alignment, evidenced)?;
    polarity::agrees(&claim, &passage, &alignment)?;
    modality::agrees(&claim, &passage, &alignment, evidenced)?;
    if evidenced == Evidenced::ByQuote {
        generalisation::fits(&claim, &passage, &alignment)?;
    }
    Ok(found)
}

/// First names of everybody who speaks, folded.
fn speakers(reading: &Reading) -> Vec<String> {
    let names = reading.turns.iter().filter_map(|turn| match &turn.speaker {
        Speaker::Person(name) => name.as_deref(),
        Speaker::Assistant | Speaker::Nobody => None,
    });
    let mut names: Vec<String> =
        names.filter_map(|name| name.split_whitespace().next()).map(crate::text::fold).collect();
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

/// LAB ONLY
pub fn lab(cx: &Context<'_>, candidate: &Candidate) -> String {
    let places: Vec<Place<'_>> = if candidate.evidence.is_empty() {
        cx.reading.call_turns().map(quotes::whole).collect()
    } else {
        let Ok(cited) = attribution::cited(cx.reading, candidate) else { return "attr".into() };
        let Ok(places) = quotes::locate(cx.reading, &cited) else { return "quote".into() };
        let Ok((places, _)) = sources::allowed(cx, candidate, places) else { return "src".into() };
        places
    };
    let claim = claim::read(candidate, &speakers(cx.reading));
    let passage = Passage::new(&places);
    let al = support::align(cx, &claim, &passage);
    let mut out = format!("    agent {:?} lang {:?} mod {:?}\n", claim.agent, claim.language, claim.modality);
    for (i, item) in claim.items.iter().enumerate() {
        let w = |v: &Vec<usize>| {
            v.iter()
                .map(|a| {
                    format!(
                        "{}#{}{}",
                        passage.words[*a].text,
                        passage.words[*a].piece,
                        if passage.words[*a].negated { "-" } else { "" }
                    )
                })
                .collect::<Vec<_>>()
                .join(",")
        };
        out += &format!(
            "      {}{} {:?} [{}] -> [{}]\n",
            item.text,
            if item.negated { "-" } else { "" },
            item.kind,
            w(&al.carried[i]),
            w(&al.focused[i])
        );
    }
    for (i, p) in passage.pieces.iter().enumerate() {
        if al.carried.iter().flatten().any(|w| passage.words[*w].piece == i) || p.quoted {
            out += &format!(
                "      #{i} c{} {:?} {:?} {:?} q{} :: {}\n",
                p.clause,
                p.who,
                p.standing,
                p.modality,
                p.quoted,
                passage.said(p).iter().map(|w| w.text.to_string()).collect::<Vec<_>>().join(" ")
            );
        }
    }
    out
}
