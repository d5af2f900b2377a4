//! Literal memories (`infer: false`): the caller vouches for the words, so no model is asked and nothing has to be shown;
//! the turn itself is the claim and its proof. Scope, suppression, credentials and injections are still checked.

use crate::candidate::{Candidate, Citation, MemoryType, Polarity};
use crate::context::Context;
use crate::entity::USER;
use crate::evidence::{Evidence, Origin, Source, Support};
use crate::provenance::ExtractedBy;
use crate::reading::Reading;
use crate::run::TurnVerdict;
use crate::stage::Reason;
use crate::turn::{Role, TurnId};

/// The attribute of every literal memory.
pub const ATTRIBUTE: &str = "statement";

/// Every turn of a person is kept; other roles and empty turns are not.
pub fn turns(reading: &Reading) -> Vec<TurnVerdict> {
    let judge = |role: Role, content: &str, seen: bool| match role {
        Role::User if content.trim().is_empty() => Some(Reason::Empty),
        Role::User if seen => Some(Reason::Seen),
        Role::User => None,
        Role::Assistant | Role::System | Role::Tool => Some(Reason::Role),
    };
    reading
        .call
        .turns
        .iter()
        .map(|turn| TurnVerdict {
            turn_id: turn.id.clone(),
            dropped: judge(turn.role, turn.content.as_str(), reading.window.seen.contains(&turn.id)),
        })
        .collect()
}

/// One candidate for each kept turn, its words as they stand.
pub fn candidates(reading: &Reading, kept: &[TurnVerdict]) -> Vec<Candidate> {
    let is_kept = |id: &TurnId| kept.iter().any(|verdict| verdict.turn_id == *id && verdict.dropped.is_none());
    let turns = reading.call.turns.iter().filter(|turn| is_kept(&turn.id));
    turns
        .map(|turn| {
            let words = turn.content.as_str().trim();
            Candidate {
                content: words.to_owned(),
                memory_type: MemoryType::Fact,
                subject: turn.name.clone().unwrap_or_else(|| USER.to_owned()),
                attribute: ATTRIBUTE.to_owned(),
                value: words.to_owned(),
                polarity: Polarity::Positive,
                evidence: vec![Citation { turn_id: turn.id.clone(), quote: words.to_owned() }],
                time_expression: None,
                confidence: 1.0,
            }
        })
        .collect()
}

/// Who "read" a literal call: nobody.
pub fn extracted_by() -> ExtractedBy {
    ExtractedBy::new("literal", "none", ("literal", "v1", ""))
}

/// The turn itself as evidence.
///
/// # Errors
/// [`Reason::QuoteNotFound`] where the words do not stand in the turn, which only a defect of ours can bring about.
pub fn evidence(cx: &Context<'_>, claim: &Candidate) -> Result<Evidence, Reason> {
    let citation = claim.evidence.first().ok_or(Reason::NoSource)?;
    let read = cx.reading.turn(&citation.turn_id).ok_or(Reason::UnknownSource)?;
    let content = read.turn.content.as_str();
    let at = content.find(&citation.quote).ok_or(Reason::QuoteNotFound)?;
    let start = content.get(..at).map_or(0, |before| before.chars().count());
    let source = Source {
        turn_id: citation.turn_id.clone(),
        quote: citation.quote.clone(),
        start,
        end: start + citation.quote.chars().count(),
        origin: Origin::Call,
        role: read.turn.role,
        speaker: read.turn.name.clone(),
        said_at: read.turn.at,
    };
    Ok(Evidence { sources: vec![source], support: Support::Supported, coverage: 1.0, reattributed: Vec::new() })
}
