//! Step 9: what does it change? Merge, supersede, keep as history, dispute, or keep; independent of the order of arrival.

mod cast;
mod entry;
mod ledger;
pub mod replay;
mod standing;

use crate::candidate::MemoryType;
use crate::claim::attributes::Holds;
use crate::claim::{Form, Statement};
use crate::context::Context;
use crate::draft::Draft;
use crate::effect::Changes;
use crate::entity::EntityRef;
use crate::evidence::{Origin, Source};
use crate::id::MemoryId;
use crate::memory::{Memory, Status};
use crate::moment::Precision;
use crate::provenance::Provenance;
use crate::run::Outcome;
use crate::stage::Reason;
use crate::stages::suppress::secret;

use cast::Cast;
use ledger::{Booked, Ledger};

/// Decides for every draft, in the order of the reply; what an earlier one stored is known to the later ones.
/// The outcomes stand in the order of the drafts.
pub fn reconcile(cx: &Context<'_>, drafts: &[Draft]) -> (Changes, Vec<Outcome>) {
    let mut cast = Cast::new(cx);
    let mut ledger = Ledger::new(&cx.near.memories);
    let outcomes = drafts.iter().enumerate().map(|(ordinal, draft)| {
        let subject = cast.subject(draft);
        let object = cast.object(draft);
        let form = Form::of(&Statement::from(&draft.candidate));
        let memory = memory(cx, draft, &form, (subject, object), ordinal);
        let memory_id = memory.id.clone();
        outcome(memory_id, ledger.book(memory, form, place(cx, draft)))
    });
    let outcomes: Vec<Outcome> = outcomes.collect();
    let effects = ledger.into_effects();
    let (entities, aliases, namings) = cast.into_news();
    (Changes { entities, aliases, namings, effects }, outcomes)
}

fn outcome(memory_id: MemoryId, booked: Booked) -> Outcome {
    let (status, replaces) = match booked {
        Booked::Joined(memory_id) => return Outcome::Merged { memory_id },
        Booked::Made { status, replaces } => (status, replaces),
    };
    let reason = match status {
        Status::Active if replaces => Some(Reason::NewerValue),
        Status::Active | Status::Expired => None,
        Status::Superseded => Some(Reason::OlderValue),
        Status::Disputed => Some(Reason::Undecided),
    };
    Outcome::Stored { memory_id, reason }
}

/// Turn of the call and character in it where the draft's last words begin.
fn place(cx: &Context<'_>, draft: &Draft) -> (usize, usize) {
    let turns: Vec<_> = cx.reading.call_turns().map(|read| &read.turn.id).collect();
    let places = draft.evidence.sources.iter().filter(|source| source.origin == Origin::Call);
    places
        .filter_map(|source| Some((turns.iter().position(|id| **id == source.turn_id)?, source.start)))
        .max()
        .unwrap_or_default()
}

/// The row of a draft as it would stand alone.
fn memory(cx: &Context<'_>, draft: &Draft, form: &Form, who: (EntityRef, Option<EntityRef>), ordinal: usize) -> Memory {
    let call = &cx.reading.call;
    let (subject, object) = who;
    let claim = &draft.candidate;
    Memory {
        id: MemoryId::new(call.trace_id.derive("memory", ordinal)),
        scope: call.scope.clone(),
        session_id: call.session().to_owned(),
        content: claim.content.clone(),
        memory_type: claim.memory_type,
        subject,
        attribute: form.attribute.clone(),
        value: claim.value.clone(),
        object,
        polarity: claim.polarity,
        confidence: draft.calibration.confidence,
        importance: draft.calibration.importance,
        language: language(cx, draft),
        event_at: draft.when.event_at,
        event_until: draft.when.event_until,
        precision: draft.when.precision,
        status: Status::Active,
        valid_from: draft.evidence.sources.iter().filter_map(|source| source.said_at).min(),
        valid_until: None,
        superseded_by: None,
        deleted_at: None,
        expires_at: call.expires_at,
        metadata: call.metadata.clone(),
        created_at: cx.stamp.ran_at,
        last_accessed_at: None,
        access_count: 0,
        claim_key: form.key(),
        occurrence: occurrence(draft, form),
        provenance: provenance(cx, draft),
    }
}

/// What happens can happen again: an event of another date is another event. A state is the same on every day.
fn occurrence(draft: &Draft, form: &Form) -> String {
    let dated = draft.candidate.memory_type == MemoryType::Event && form.holds == Holds::Open;
    let date = draft.when.event_at.filter(|_| dated).map(|at| at.civil().date());
    let told = draft.when.precision;
    let precision = if told == Precision::Instant { Precision::Day } else { told };
    date.map(|date| format!("{date} {}", precision.as_str())).unwrap_or_default()
}

fn provenance(cx: &Context<'_>, draft: &Draft) -> Provenance {
    let call = &cx.reading.call;
    let mut sources: Vec<Source> = Vec::new();
    for source in &draft.evidence.sources {
        if !sources.iter().any(|there| there.turn_id == source.turn_id) {
            sources.push(Source { quote: clean(cx, source), ..source.clone() });
        }
    }
    Provenance {
        source_turn_ids: sources.iter().map(|source| source.turn_id.clone()).collect(),
        source_session_id: call.session().to_owned(),
        source_scope: call.scope.clone(),
        sources,
        extracted_by: cx.stamp.extracted_by.clone(),
        extracted_at: cx.stamp.ran_at,
        extraction_trace_id: call.trace_id.clone(),
    }
}

/// A quote without the credentials that may stand beside the claim in it, also where only the rest of the turn tells that it is one.
fn clean(cx: &Context<'_>, source: &Source) -> String {
    let whole = cx.reading.turn(&source.turn_id).map_or(source.quote.as_str(), |read| read.turn.content.as_str());
    let start = if cx.reading.turn(&source.turn_id).is_some() { source.start } else { 0 };
    secret::blanked_quote(cx.reading, secret::redact_within(&source.quote, whole, start))
}

/// Language of the last cited turn of the call whose language is sure.
fn language(cx: &Context<'_>, draft: &Draft) -> Option<String> {
    let cited = draft.evidence.sources.iter().rev().filter(|source| source.origin == Origin::Call);
    cited.filter_map(|source| cx.reading.turn(&source.turn_id)?.language()).next().map(str::to_owned)
}

#[cfg(test)]
mod tests;
