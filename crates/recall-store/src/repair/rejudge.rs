//! Judging memories again from what counts now, and writing what comes out otherwise than it stands.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::claim::{self, Statement};
use recall_core::id::MemoryId;
use recall_core::memory::{Memory, Status};
use recall_core::stages::reconcile::replay::{self, Judged};
use sqlx::AnyConnection;

use super::change::{Change, changes, counts, standing};
use super::ground::{Ground, Noted, insert, update};
use super::unit::{self, Events, Member, Unit};
use crate::deed::Repaired;
use crate::rows::{DisputeRow, MemoryRow, SourceRow};
use crate::stored_memory::parsed;
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
pub(super) struct Verdict {
    pub(super) memories: BTreeMap<String, Judged>,
    disputed: BTreeSet<(MemoryId, MemoryId)>,
    pub(super) events: Events,
}

impl Verdict {
    fn of(unit: &Unit) -> Result<Self, StoreError> {
        let mut events = unit.events()?;
        let replayed = replay::replay(std::mem::take(&mut events.events));
        let memories = replayed.memories.into_iter().map(|judged| (judged.memory.id.as_str().to_owned(), judged));
        Ok(Self { memories: memories.collect(), disputed: replayed.disputed, events })
    }

    /// The memory that tells the claim of a member that has no statement of its own left to tell.
    pub(super) fn leader(&self, member: &Member) -> Option<&str> {
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
        let pairs =
            self.disputed.iter().filter(|(one, other)| open(one) && open(other) && !unit.is_disputed(one, other));
        let trace_of = |id: &MemoryId| {
            self.memories
                .get(id.as_str())
                .map(|judged| judged.memory.provenance.extraction_trace_id.as_str().to_owned())
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

    /// Memories that something else takes the place of than before, or nothing any more: as they stand, and as they come out.
    pub(super) fn moved_places(&self) -> impl Iterator<Item = (&MemoryRow, &MemoryRow)> {
        let moved = self.moves().map(|(_, before, after)| (before, after));
        moved.filter(|(before, after)| before.deleted_at.is_none() && before.superseded_by != after.superseded_by)
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
        let leaving: Vec<&str> = self
            .moves()
            .filter(|(_, before, _)| counts(before))
            .map(|(_, before, _)| before.memory_id.as_str())
            .collect();
        sql::execute(work, store.text(&VACATE), vec![sql::json(&leaving)?]).await?;
        let rows: Vec<&MemoryRow> = self.changes.iter().map(|(_, change)| &change.row).collect();
        update(store, work, &["memory_id"], &rows).await?;
        insert(store, work, &self.verdict.disputes(&self.unit, ground)).await
    }
}
