//! Judging memories again from what counts now, and writing what comes out otherwise than it stands.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::claim::{self, Statement};
use recall_core::id::MemoryId;
use recall_core::memory::{Memory, Status};
use recall_core::stages::reconcile::replay::{self, Judged};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::ground::{Ground, Noted, insert, update};
use super::unit::{self, Events, Member, Unit};
use crate::commit::told_row;
use crate::deed::Repaired;
use crate::rows::{DisputeRow, MemoryRow, SourceRow};
use crate::stored_memory::{parsed, text_of};
use crate::{SqlStore, StoreError, neighbours, sql};

pub(crate) static VACATE: crate::dialect::Statement =
    crate::dialect::Statement::new("UPDATE memories SET status = 'superseded' WHERE memory_id {in texts $1}");

/// What comes out otherwise once memories are judged again.
pub(super) struct Plan {
    unit: Unit,
    verdict: Verdict,
    changes: Vec<(usize, Change)>,
    suppressed: Vec<String>,
}

/// Judges what `seeds` bear on again and writes what comes out otherwise. `event` is what the audit log calls the coming and going
/// of memories.
pub(super) async fn rejudge(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &mut Ground,
    (seeds, event): (&BTreeSet<String>, &str),
) -> Result<Repaired, StoreError> {
    if seeds.is_empty() {
        return Ok(Repaired::default());
    }
    let unit = unit::load(store, work, ground, seeds).await?;
    let plan = plan(store, work, ground, unit).await?;
    plan.write(store, work, ground, event).await?;
    plan.summary()
}

/// Works out what comes out otherwise; writes nothing.
pub(super) async fn plan(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    mut unit: Unit,
) -> Result<Plan, StoreError> {
    let suppressions = neighbours::suppressions(store, work, ground.scope_id).await?;
    let mut verdict = Verdict::of(&unit)?;
    let mut suppressed = Vec::new();
    let is_deleted_claim = |member: &Member, verdict: &Verdict| {
        let judged = verdict.memories.get(&member.row.memory_id).filter(|_| member.row.deleted_at.is_some());
        judged.is_some_and(|judged| {
            let memory = &judged.memory;
            claim::known_again(&Statement::from(memory), &about(memory), &suppressions, &store.keys).is_some()
        })
    };
    // What a person deleted does not come back by restoring, in whatever words.
    while let Some(member) = unit.members.iter_mut().find(|member| is_deleted_claim(member, &verdict)) {
        member.row.gone = Some("suppressed".to_owned());
        suppressed.push(member.row.memory_id.clone());
        verdict = Verdict::of(&unit)?;
    }
    let changes = changes(&unit, &verdict, ground, &suppressed)?;
    Ok(Plan { unit, verdict, changes, suppressed })
}

fn about(memory: &Memory) -> Vec<recall_core::id::EntityId> {
    vec![memory.subject.id.clone()]
}

/// Where memories stand by what counts now.
struct Verdict {
    memories: BTreeMap<String, Judged>,
    disputed: BTreeSet<(MemoryId, MemoryId)>,
    events: Events,
}

impl Verdict {
    fn of(unit: &Unit) -> Result<Self, StoreError> {
        let mut events = unit.events()?;
        let replayed = replay::replay(std::mem::take(&mut events.events));
        let memories = replayed.memories.into_iter().map(|judged| (judged.memory.id.as_str().to_owned(), judged));
        Ok(Self { memories: memories.collect(), disputed: replayed.disputed, events })
    }

    /// The memory that tells the claim of a member that has no statement of its own left to tell.
    fn leader(&self, member: &Member) -> Option<&str> {
        let own: BTreeSet<&str> = member.statements.iter().flatten().map(|said| said.trace.as_str()).collect();
        let leads = |judged: &&Judged| {
            let brought = judged.brought_by.iter().filter_map(|at| self.events.told.get(*at));
            brought.into_iter().any(|said| own.contains(said.trace.as_str()))
                && judged.memory.claim_key.0 == member.row.claim_key
        };
        self.memories.values().find(leads).map(|judged| judged.memory.id.as_str())
    }

    /// Open disputes that have no row yet.
    fn disputes(&self, unit: &Unit, ground: &Ground) -> Vec<DisputeRow> {
        let open = |id: &MemoryId| {
            self.memories.get(id.as_str()).is_some_and(|judged| judged.memory.status == Status::Disputed)
        };
        let pairs = self.disputed.iter().filter(|(one, other)| open(one) && open(other) && !unit.is_disputed(one, other));
        let trace_of = |id: &MemoryId| {
            self.memories.get(id.as_str()).map(|judged| judged.memory.provenance.extraction_trace_id.as_str().to_owned())
        };
        let row = |(one, other): &(MemoryId, MemoryId)| DisputeRow {
            memory_id: one.as_str().to_owned(),
            with_id: Some(other.as_str().to_owned()),
            scope_id: ground.scope_id,
            trace_id: trace_of(other),
            opened_at: ground.now,
            opened_revision: ground.revision,
        };
        pairs.map(row).collect()
    }
}

/// A memory that comes out otherwise than it stands.
struct Change {
    row: MemoryRow,
    fresh: Vec<SourceRow>,
    flipped: Vec<SourceRow>,
}

fn changes(
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
fn wanted(
    member: &Member,
    judged: &Judged,
    verdict: &Verdict,
    ground: &Ground,
) -> Result<Vec<SourceRow>, StoreError> {
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

/// What a change is to the one it happens to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    Gone,
    Returned,
    Suppressed,
    Changed,
}

impl Plan {
    fn moves(&self) -> impl Iterator<Item = (Move, &MemoryRow, &MemoryRow)> {
        self.changes.iter().filter_map(|(at, change)| {
            let before = &self.unit.members.get(*at)?.row;
            let moved = match (before.deleted_at, change.row.deleted_at) {
                _ if self.suppressed.contains(&before.memory_id) => Move::Suppressed,
                (None, Some(_)) => Move::Gone,
                (Some(_), None) => Move::Returned,
                (None, None) | (Some(_), Some(_)) => Move::Changed,
            };
            Some((moved, before, &change.row))
        })
    }

    /// What changes, in ids.
    pub(super) fn summary(&self) -> Result<Repaired, StoreError> {
        let mut repaired = Repaired::default();
        for (moved, before, _) in self.moves() {
            let list = match moved {
                Move::Gone => &mut repaired.gone,
                Move::Returned => &mut repaired.returned,
                Move::Suppressed => &mut repaired.suppressed,
                Move::Changed => &mut repaired.changed,
            };
            list.push(parsed("memory_id", before.memory_id.clone())?);
        }
        Ok(repaired)
    }

    /// Writes what comes out otherwise.
    pub(super) async fn write(
        &self,
        store: &SqlStore,
        work: &mut AnyConnection,
        ground: &mut Ground,
        event: &str,
    ) -> Result<(), StoreError> {
        for (moved, before, after) in self.moves() {
            let called = match moved {
                Move::Suppressed => "suppress",
                Move::Gone | Move::Returned => event,
                Move::Changed if after.status == "superseded" && before.status != "superseded" => "supersede",
                Move::Changed => "update",
            };
            ground.note(Noted {
                event: called,
                memory: Some(&before.memory_id),
                before: Some(standing(before)),
                after: Some(standing(after)),
                ..Noted::default()
            });
        }
        let fresh: Vec<SourceRow> = self.changes.iter().flat_map(|(_, change)| change.fresh.iter().cloned()).collect();
        insert(store, work, &fresh).await?;
        let flipped: Vec<&SourceRow> = self.changes.iter().flat_map(|(_, change)| &change.flipped).collect();
        update(store, work, &["memory_id", "ordinal"], &flipped).await?;
        // The unique indexes look at each row as it is written: those that count leave their places before anything takes one.
        let leaving: Vec<&str> =
            self.moves().filter(|(_, before, _)| counts(before)).map(|(_, before, _)| before.memory_id.as_str()).collect();
        sql::execute(work, store.text(&VACATE), vec![sql::json(&leaving)?]).await?;
        let rows: Vec<&MemoryRow> = self.changes.iter().map(|(_, change)| &change.row).collect();
        update(store, work, &["memory_id"], &rows).await?;
        insert(store, work, &self.verdict.disputes(&self.unit, ground)).await
    }
}

fn counts(row: &MemoryRow) -> bool {
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
