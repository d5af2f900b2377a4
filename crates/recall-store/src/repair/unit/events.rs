//! What bears on where the memories of a unit stand, in its order: statements that count, places people gave away, doubts and
//! decisions, times that are over.

use std::collections::BTreeSet;

use recall_core::id::MemoryId;
use recall_core::moment::Moment;
use recall_core::stages::reconcile::replay::{Event, Told};

use super::{Disputed, Events, Member, Place, Said, Unit};
use crate::StoreError;
use crate::stored_memory::{moment, parsed, utc};

impl Said {
    fn counts(&self) -> bool {
        self.forgotten.is_none() && self.aside == 0
    }

    /// When its words were said last.
    fn last_said(&self) -> Option<Moment> {
        self.said.0.provenance.sources.iter().filter_map(|source| source.said_at).max()
    }
}

impl Member {
    fn is_told(&self) -> bool {
        self.statements.iter().flatten().any(Said::counts)
    }
}

impl Unit {
    /// Everything that was said and done and counts, in its order.
    pub(in crate::repair) fn events(&self) -> Result<Events, StoreError> {
        let mut ordered: Vec<((i64, u8), Event)> = Vec::new();
        let mut said: Vec<(&Member, &Said)> = Vec::new();
        for member in self.members.iter().filter(|member| member.row.gone.is_none()) {
            let counting = member.statements.iter().flatten().filter(|said| said.counts());
            said.extend(counting.map(|said| (member, said)));
        }
        said.sort_by_key(|(_, said)| (said.revision, said.ordinal));
        for calls in said.chunk_by(|(_, a), (_, b)| a.revision == b.revision) {
            let Some((_, first)) = calls.first() else { continue };
            let told = calls.iter().map(|(member, said)| self.told(member, said)).collect::<Result<Vec<_>, _>>()?;
            ordered.push(((first.revision, 0), Event::Told(told)));
            for (member, said) in calls {
                let Some(replaced) = said.replaces.clone() else { continue };
                let memory: MemoryId = parsed("replaces", replaced)?;
                let by: MemoryId = parsed("memory_id", member.row.memory_id.clone())?;
                let from = said.said.0.valid_from;
                let old = self.members.iter().find(|old| old.row.memory_id == memory.as_str());
                let told_instead = old.map_or(Ok(Vec::new()), |old| self.told_instead(old, said.last_said()))?;
                for (at, memory) in told_instead.into_iter().filter(|(_, memory)| *memory != by) {
                    ordered.push(((at.max(said.revision), 1), Event::Replaced { memory, by: by.clone(), from }));
                }
                ordered.push(((said.revision, 1), Event::Replaced { memory, by, from }));
            }
        }
        self.disputes.iter().for_each(|disputed| disputed.tell(&mut ordered));
        self.endings(&mut ordered)?;
        ordered.sort_by_key(|(at, _)| *at);
        let told = said.into_iter().map(|(_, said)| said.clone()).collect();
        Ok(Events { events: ordered.into_iter().map(|(_, event)| event).collect(), told })
    }

    /// Memories that tell the claim of one whose calls a run keeps aside; see [`Self::tellers`]. Whichever calls tell a claim, what a
    /// person did about it stays done.
    fn told_instead(&self, old: &Member, until: Option<Moment>) -> Result<Vec<(i64, MemoryId)>, StoreError> {
        if old.is_told() || old.statements.iter().flatten().all(|said| said.aside == 0) {
            return Ok(Vec::new());
        }
        self.tellers(old, (until, i64::MAX))
    }

    /// Memories that told a claim up to a revision, with the last one that did; none where one of them was said after `until`.
    fn tellers(&self, old: &Member, (until, at): (Option<Moment>, i64)) -> Result<Vec<(i64, MemoryId)>, StoreError> {
        let counts = |said: &&Said| said.counts() && said.revision <= at;
        let tells = |member: &&Member| {
            let (row, claim) = (&member.row, &old.row);
            row.gone.is_none()
                && member.subject_id() == old.subject_id()
                && (&row.claim_key, &row.occurrence) == (&claim.claim_key, &claim.occurrence)
                && member.statements.iter().flatten().any(|said| counts(&said))
        };
        let tellers: Vec<&Member> = self.members.iter().filter(tells).collect();
        let told = || tellers.iter().flat_map(|member| member.statements.iter().flatten()).filter(counts);
        if told().any(|said| said.last_said() > until) {
            return Ok(Vec::new());
        }
        let last = told().map(|said| said.revision).max().unwrap_or_default();
        tellers.iter().map(|member| Ok((last, parsed("memory_id", member.row.memory_id.clone())?))).collect()
    }

    /// Times that are over, and places that were taken by what is deleted for good.
    fn endings(&self, ordered: &mut Vec<((i64, u8), Event)>) -> Result<(), StoreError> {
        let loaded: BTreeSet<&str> = self.members.iter().map(|member| member.row.memory_id.as_str()).collect();
        for member in &self.members {
            let row = &member.row;
            let id: MemoryId = parsed("memory_id", row.memory_id.clone())?;
            // A time that was put off, or taken away, is not over.
            if row.status == "expired" && row.expires_at.is_some_and(|at| at <= self.now) {
                let last = member.statements.iter().flatten().map(|said| said.revision).max().unwrap_or_default();
                ordered.push(((last, 3), Event::Expired(id)));
            } else if let Some(by) = row.superseded_by.as_ref().filter(|by| !loaded.contains(by.as_str())) {
                let by: MemoryId = parsed("superseded_by", by.clone())?;
                let from = moment(row.valid_until, row.valid_until_offset)?;
                let at = self.deleted.get(&by).copied().unwrap_or(i64::MAX);
                // What was told since was judged without what is gone.
                ordered.push(((at, 0), Event::Replaced { memory: id, by, from }));
            }
        }
        for Place { memory, by, until, at } in &self.places {
            let old = self.members.iter().find(|old| old.row.memory_id == memory.as_str());
            let tellers = old.map_or(Ok(Vec::new()), |old| self.tellers(old, (*until, *at)))?;
            let lost = |(_, memory)| ((*at, 0), Event::Replaced { memory, by: by.clone(), from: *until });
            ordered.extend(tellers.into_iter().map(lost));
        }
        Ok(())
    }

    /// A statement with the entities it names as they are known now.
    fn told(&self, member: &Member, said: &Said) -> Result<Told, StoreError> {
        let mut memory = said.said.0.clone();
        memory.id = parsed("memory_id", member.row.memory_id.clone())?;
        memory.subject.id = parsed("subject_id", member.subject_id().to_owned())?;
        memory.subject.name.clone_from(&member.subject);
        if let Some(object) = &mut memory.object {
            while let Some(merged) = self.merged.get(&object.id) {
                (object.id, object.name) = (merged.into.clone(), merged.name.clone());
            }
        }
        Ok(Told { memory, place: (said.turn, said.char) })
    }
}

impl Disputed {
    fn tell(&self, ordered: &mut Vec<((i64, u8), Event)>) {
        let by_hand = self.trace.is_none();
        let doubted = std::iter::once(&self.memory).chain(&self.with).filter(|_| by_hand);
        ordered.extend(doubted.map(|id| ((self.opened, 2), Event::Doubted(id.clone()))));
        let (Some(revision), Some(kept)) = (self.settled, self.kept.clone()) else { return };
        let lost = if kept == self.memory { self.with.as_ref().unwrap_or(&kept) } else { &self.memory }.clone();
        let from = self.settled_at.and_then(|at| utc(at).ok());
        ordered.push(((revision, 2), Event::Settled { kept, lost, from }));
    }
}
