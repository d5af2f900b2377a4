//! What comes out otherwise: a memory as it stands against what it is judged to be, with its sources.

use recall_core::stages::reconcile::replay::Judged;
use serde_json::{Value, json};

use super::ground::Ground;
use super::rejudge::Verdict;
use super::unit::{Member, Unit};
use crate::StoreError;
use crate::commit::told_row;
use crate::rows::{MemoryRow, SourceRow};
use crate::stored_memory::text_of;

/// A memory that comes out otherwise than it stands.
pub(super) struct Change {
    pub(super) row: MemoryRow,
    pub(super) fresh: Vec<SourceRow>,
    pub(super) flipped: Vec<SourceRow>,
}

/// Every change of a unit, with the place of its member.
pub(super) fn changes(
    unit: &Unit,
    verdict: &Verdict,
    ground: &Ground,
    suppressed: &[String],
) -> Result<Vec<(usize, Change)>, StoreError> {
    let mut changes = Vec::new();
    for (at, member) in unit.members.iter().enumerate() {
        let change = match verdict.memories.get(&member.row.memory_id) {
            None => gone(member, verdict.leader(member), ground),
            Some(judged) => stands(member, judged, verdict, ground)?,
        };
        let same = change.fresh.is_empty() && change.flipped.is_empty() && change.row == member.row;
        let same = same && !suppressed.contains(&member.row.memory_id);
        if !same {
            changes.push((at, Change { row: MemoryRow { changed_revision: ground.revision, ..change.row }, ..change }));
        }
    }
    Ok(changes)
}

fn gone(member: &Member, leader: Option<&str>, ground: &Ground) -> Change {
    let mut row = MemoryRow { subject_id: member.subject_id().to_owned(), ..member.row.clone() };
    row.deleted_at = row.deleted_at.or(Some(ground.now));
    if let Some(leader) = leader {
        row.superseded_by = Some(leader.to_owned());
    }
    Change { row, fresh: Vec::new(), flipped: Vec::new() }
}

fn stands(member: &Member, judged: &Judged, verdict: &Verdict, ground: &Ground) -> Result<Change, StoreError> {
    let mut row = told_row(&member.row, &judged.memory, judged.single_valued)?;
    row.deleted_at = None;
    row.subject_id = member.subject_id().to_owned();
    let wanted = wanted(member, judged, verdict, ground)?;
    let there = member.sources.as_deref().unwrap_or_default();
    let same = |a: &SourceRow, b: &SourceRow| {
        (a.session_pk, &a.turn_id, &a.trace_id) == (b.session_pk, &b.turn_id, &b.trace_id)
    };
    let mut flipped = Vec::new();
    for source in there {
        let withdrawn = i64::from(!wanted.iter().any(|one| same(one, source)));
        if withdrawn != source.withdrawn {
            flipped.push(SourceRow { withdrawn, ..source.clone() });
        }
    }
    let next = there.iter().map(|source| source.ordinal + 1).max().unwrap_or_default();
    let missing = wanted.iter().filter(|one| !there.iter().any(|source| same(one, source)));
    let fresh: Vec<SourceRow> =
        missing.zip(next..).map(|(source, ordinal)| SourceRow { ordinal, ..source.clone() }).collect();
    // The anchor is one of those that count.
    let first = wanted.first();
    let anchor = there.iter().chain(&fresh).find(|source| first.is_some_and(|first| same(first, source)));
    row.anchor_source = anchor.map_or(row.anchor_source, |source| source.ordinal);
    let session = judged.brought_by.first().and_then(|at| verdict.events.told.get(*at));
    row.session_pk = session.map_or(row.session_pk, |said| said.session_pk);
    Ok(Change { row, fresh, flipped })
}

/// The sources a memory rests on by what counts now, each turn once.
fn wanted(member: &Member, judged: &Judged, verdict: &Verdict, ground: &Ground) -> Result<Vec<SourceRow>, StoreError> {
    let mut rows: Vec<SourceRow> = Vec::new();
    for (source, at) in judged.memory.provenance.sources.iter().zip(&judged.brought_by) {
        let Some(said) = verdict.events.told.get(*at) else { continue };
        if rows.iter().any(|row| row.session_pk == said.session_pk && row.turn_id == source.turn_id.as_str()) {
            continue;
        }
        rows.push(SourceRow {
            memory_id: member.row.memory_id.clone(),
            ordinal: 0,
            scope_id: ground.scope_id,
            session_pk: said.session_pk,
            turn_id: source.turn_id.as_str().to_owned(),
            trace_id: said.trace.clone(),
            origin: text_of(source.origin)?,
            quote: source.quote.clone(),
            start_char: i64::try_from(source.start).unwrap_or(i64::MAX),
            end_char: i64::try_from(source.end).unwrap_or(i64::MAX),
            withdrawn: 0,
        });
    }
    Ok(rows)
}

/// Whether it stands where only one may.
pub(super) fn counts(row: &MemoryRow) -> bool {
    row.status == "active" && row.deleted_at.is_none()
}

/// What a repair may change of a memory, without its words.
pub(super) fn standing(row: &MemoryRow) -> Value {
    json!({
        "status": row.status,
        "gone": row.gone.clone().or(row.deleted_at.map(|_| "withdrawn".to_owned())),
        "superseded_by": row.superseded_by,
        "valid_from": row.valid_from,
        "valid_until": row.valid_until,
        "confidence": row.confidence,
        "importance": row.importance,
        "extraction_trace_id": row.trace_id,
    })
}
