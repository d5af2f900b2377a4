//! Repairing memories: forgetting and restoring, deleting, correcting, settling, merging, erasing. Each deed writes down a fact about a
//! scope under its lock, and has what it bears on judged again; nothing is undone step by step.

mod forget;
mod ground;
mod rejudge;
mod unit;

use recall_core::id::MemoryId;

use crate::deed::{Deed, Execution, Repaired, TraceSelection, Turn};
use crate::{SqlStore, StoreError};

#[cfg(test)]
pub(crate) static STATEMENTS: &[&crate::dialect::Statement] = &[
    &forget::FIND,
    &forget::KNOWN,
    &forget::MARK,
    &forget::SAID_BY,
    &forget::SET_GONE,
    &forget::UNMARK,
    &ground::LOCK,
    &ground::LOOK,
    &unit::DISPUTES,
    &unit::KEYS,
    &unit::MERGED,
    &unit::UNIT,
];

impl SqlStore {
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
        (turn, execution): (Turn, Execution),
        deed: &Deed,
    ) -> Result<Repaired, StoreError> {
        let batches = self.within(forget::batches(self, selection, (turn, execution))).await?;
        let mut whole = Repaired::default();
        for batch in &batches {
            whole.add(match execution {
                Execution::Real => self.within(forget::batch(self, batch, turn, deed)).await?,
                Execution::DryRun => self.within(forget::suppose(self, batch, turn, deed)).await?,
            });
        }
        Ok(whole)
    }
}
