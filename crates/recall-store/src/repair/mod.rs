//! Repairing memories: forgetting and restoring, deleting, correcting, settling, merging, erasing. Each deed writes down a fact about a
//! scope under its lock, and has what it bears on judged again; nothing is undone step by step.

mod accounts;
mod audit;
mod change;
pub(crate) mod complete;
mod delete;
mod doubt;
mod entities;
pub(crate) mod erase;
pub(crate) mod expire;
mod forget;
mod ground;
mod merge;
mod names;
pub(crate) mod owners;
mod places;
mod rejudge;
mod restate;
pub(crate) mod speakers;
#[cfg(test)]
pub(crate) mod statements;
mod suppressed;
pub(crate) mod swap;
mod unit;

pub(crate) use ground::insert as insert_rows;

use std::time::Instant;

use recall_core::id::{EntityId, MemoryId, SuppressionId};
use recall_core::scope::{Owner, Scope};

use crate::deed::{
    AuditEntry, AuditFilter, Deed, Deleted, Dispute, Edit, Execution, Feedback, Repaired, Restated, Restatement, Story,
    SuppressionEntry, TraceSelection, Turn,
};
use crate::entities::{EntityEntry, EntityPatch, Suspicion};
use crate::erasure::{Erasure, Receipt};
use crate::record::{Page, PageRequest};
use crate::{SqlStore, StoreError};

impl SqlStore {
    /// Whether a memory, entity, suppressed claim or committed call of this id is of this owner.
    ///
    /// # Errors
    /// The database is away.
    pub async fn is_of(&self, (namespace, owner): (&str, &Owner), id: &str) -> Result<bool, StoreError> {
        self.within(suppressed::is_of(self, (namespace, owner), id)).await
    }

    /// Forgets or restores one memory: what it replaced counts again, what it joined stands without it.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where it was deleted for good, or where restoring is for its calls to do.
    pub async fn turn_memory(
        &self,
        namespace: &str,
        id: &MemoryId,
        turn: Turn,
        deed: &Deed,
    ) -> Result<Repaired, StoreError> {
        self.within(forget::memory(self, (namespace, id), turn, deed)).await
    }

    /// Forgets or restores all that calls said, some hundred calls of one scope in a transaction. Stopped half way it goes on where it
    /// stopped once it is asked again. A dry run writes nothing and locks nothing.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where a named call is not one of the namespace.
    pub async fn turn_traces(
        &self,
        selection: &TraceSelection,
        turning: (Turn, Execution),
        deed: &Deed,
    ) -> Result<Repaired, StoreError> {
        self.turn_traces_until(None, selection, turning, deed).await
    }

    /// The same for a time: what it does not suffice for is counted as left, and done when asked again. Some of it is always done.
    ///
    /// # Errors
    /// As [`SqlStore::turn_traces`].
    pub async fn turn_traces_until(
        &self,
        end: Option<Instant>,
        selection: &TraceSelection,
        turning: (Turn, Execution),
        deed: &Deed,
    ) -> Result<Repaired, StoreError> {
        forget::traces(self, end, selection, turning, deed).await
    }

    /// Deletes a memory for good: its words, and those of hidden twins, leave every row; the claim is suppressed.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where it was deleted before.
    pub async fn delete_memory(&self, namespace: &str, id: &MemoryId, deed: &Deed) -> Result<Deleted, StoreError> {
        self.within(delete::delete(self, (namespace, id), deed)).await
    }

    /// Suppressed claims of an owner, newest first, lifted ones included.
    ///
    /// # Errors
    /// The database is away.
    pub async fn suppressions(
        &self,
        (namespace, owner): (&str, &Owner),
        page: &PageRequest,
    ) -> Result<Page<SuppressionEntry>, StoreError> {
        self.within(suppressed::list(self, namespace, owner, page)).await
    }

    /// Suppresses what a sentence claims, so that it is not learnt; what is remembered stays.
    ///
    /// # Errors
    /// The database is away.
    pub async fn suppress(&self, scope: &Scope, sentence: &str, deed: &Deed) -> Result<SuppressionId, StoreError> {
        self.within(suppressed::add(self, (scope, sentence), deed)).await
    }

    /// Lets a claim be learnt again; lifted twice is lifted.
    ///
    /// # Errors
    /// [`StoreError::Missing`].
    pub async fn lift(&self, namespace: &str, id: &SuppressionId, deed: &Deed) -> Result<(), StoreError> {
        self.within(suppressed::lift(self, (namespace, id), deed)).await
    }

    /// The entry that would keep a sentence from being remembered.
    ///
    /// # Errors
    /// The database is away.
    pub async fn would_suppress(&self, scope: &Scope, sentence: &str) -> Result<Option<SuppressionId>, StoreError> {
        self.within(suppressed::test(self, scope, sentence)).await
    }

    /// Puts a claim told anew by a person in the place of a memory; a call of its own, so that it can be taken back.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where the memory is gone, or the words must not be kept.
    pub async fn restate(
        &self,
        (namespace, id): (&str, &MemoryId),
        told: &Restatement,
        deed: &Deed,
    ) -> Result<Restated, StoreError> {
        self.within(restate::restate(self, (namespace, id), told, deed)).await
    }

    /// Changes what leaves the claim as it is.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where the memory is gone.
    pub async fn edit(&self, (namespace, id): (&str, &MemoryId), edit: &Edit, deed: &Deed) -> Result<(), StoreError> {
        self.within(restate::edit(self, (namespace, id), edit, deed)).await
    }

    /// Doubts a memory, or sets it against another of its scope.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where one of them does not count.
    pub async fn dispute(
        &self,
        (namespace, id, with): (&str, &MemoryId, Option<&MemoryId>),
        deed: &Deed,
    ) -> Result<Repaired, StoreError> {
        self.within(doubt::dispute(self, (namespace, id, with), deed)).await
    }

    /// Settles every open dispute of a memory in its favour.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where it is not disputed.
    pub async fn settle(&self, namespace: &str, kept: &MemoryId, deed: &Deed) -> Result<Repaired, StoreError> {
        self.within(doubt::settle(self, (namespace, kept), deed)).await
    }

    /// Open disputes with both sides, newest first.
    ///
    /// # Errors
    /// The database is away.
    pub async fn disputes(
        &self,
        (namespace, owner): (&str, Option<&Owner>),
        page: &PageRequest,
    ) -> Result<Page<Dispute>, StoreError> {
        self.within(doubt::disputes(self, (namespace, owner), page)).await
    }

    /// Notes what somebody thought of a memory; it changes nothing else.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where the memory is gone.
    pub async fn feedback(
        &self,
        (namespace, id): (&str, &MemoryId),
        feedback: Feedback,
        deed: &Deed,
    ) -> Result<(), StoreError> {
        self.within(doubt::feedback(self, (namespace, id), feedback, deed)).await
    }

    /// Notes that memories were read; how many of them are there.
    ///
    /// # Errors
    /// The database is away.
    pub async fn touch(&self, namespace: &str, ids: &[MemoryId]) -> Result<u64, StoreError> {
        self.within(doubt::touch(self, namespace, ids)).await
    }

    /// Rows of the audit log, newest first.
    ///
    /// # Errors
    /// The database is away.
    pub async fn audit(&self, filter: &AuditFilter, page: &PageRequest) -> Result<Page<AuditEntry>, StoreError> {
        self.within(audit::list(self, filter, page)).await
    }

    /// The whole story of a memory; `None` where the namespace has none of that id.
    ///
    /// # Errors
    /// The database is away.
    pub async fn story(&self, namespace: &str, id: &MemoryId) -> Result<Option<Story>, StoreError> {
        self.within(audit::story(self, namespace, id)).await
    }

    /// Entities of an owner, newest first, merged ones included.
    ///
    /// # Errors
    /// The database is away.
    pub async fn entities(
        &self,
        (namespace, owner): (&str, &Owner),
        page: &PageRequest,
    ) -> Result<Page<EntityEntry>, StoreError> {
        self.within(entities::list(self, (namespace, owner), page)).await
    }

    /// Pairs of entities of an owner that may be one, most alike first.
    ///
    /// # Errors
    /// The database is away.
    pub async fn suspected_duplicates(&self, namespace: &str, owner: &Owner) -> Result<Vec<Suspicion>, StoreError> {
        self.within(entities::suspected(self, namespace, owner)).await
    }

    /// Changes name, kind or other names of an entity.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where another one bears the name.
    pub async fn update_entity(
        &self,
        (namespace, id): (&str, &EntityId),
        patch: &EntityPatch,
        deed: &Deed,
    ) -> Result<EntityEntry, StoreError> {
        self.within(entities::update(self, (namespace, id), patch, deed)).await
    }

    /// Makes one entity part of another; memories, objects and suppressed claims are pointed anew.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where the two cannot be one.
    pub async fn merge_entities(
        &self,
        (namespace, from, into): (&str, &EntityId, &EntityId),
        deed: &Deed,
    ) -> Result<Repaired, StoreError> {
        self.within(merge::merge(self, (namespace, from, into), deed)).await
    }

    /// Takes a merged entity out of the other again; what was learnt since stays with the other.
    ///
    /// # Errors
    /// [`StoreError::Missing`]; [`StoreError::Conflict`] where it is part of no other.
    pub async fn unmerge_entity(&self, namespace: &str, from: &EntityId, deed: &Deed) -> Result<Repaired, StoreError> {
        self.within(merge::unmerge(self, (namespace, from), deed)).await
    }

    /// Erases an owner: every word and id of theirs leaves every table, also what they said in scopes of accounts; calls accepted
    /// before are dropped when they arrive. The person can come back. A dry run tells the same and changes nothing.
    ///
    /// # Errors
    /// The database is away.
    pub async fn erase(&self, namespace: &str, erasure: &Erasure, deed: &Deed) -> Result<Receipt, StoreError> {
        self.within(erase::erase(self, (namespace, erasure), deed)).await
    }
}
