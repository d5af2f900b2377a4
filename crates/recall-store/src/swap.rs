//! Reprocessing runs that stand beside what there is: which way they are moved, and how far they are.

use recall_core::id::BatchId;
use serde::{Deserialize, Serialize};

use crate::deed::{Deed, Execution, Repaired};
use crate::repair::swap;
use crate::{SqlStore, StoreError};

/// Which way a run is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swap {
    /// What it says counts, and calls whose turns it read again do not.
    In,
    /// What it says does not count, and those calls do again.
    Out,
}

/// How far a run is swapped in. A scope is moved as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Calls of the run.
    pub calls: u64,
    /// Scopes it read anything of.
    pub scopes: u64,
    /// Of these, those in which what it says counts.
    pub swapped: u64,
    /// Calls that do not count because the run read their turns again.
    pub replaced: u64,
}

/// What a swap changed, or would change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Swapped {
    /// Scopes moved now; those that stood so already are not counted.
    pub scopes: u64,
    /// Memories that came and went. Its `traces` are the calls that count now and those that do not any more.
    pub repaired: Repaired,
    /// How far the run is since.
    pub standing: Standing,
}

/// A run that keeps calls of a memory aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Aside {
    /// The run.
    pub run: BatchId,
    /// Whether they are calls of that run, which wait until it is swapped in; else it read their turns again and took their place.
    pub waits: bool,
}

impl SqlStore {
    /// Swaps a reprocessing run in, or rolls it back, one scope a transaction. Stopped half way it goes on where it stopped once it is
    /// asked again; [`SqlStore::standing`] says how far it is. A run that stands so already changes nothing. A dry run locks each
    /// scope for a moment and writes nothing.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where the namespace has no such run; [`StoreError::Conflict`] where it is not complete.
    pub async fn swap(
        &self,
        (namespace, run): (&str, &BatchId),
        (way, execution): (Swap, Execution),
        deed: &Deed,
    ) -> Result<Swapped, StoreError> {
        let mut swapped = Swapped::default();
        for scope_id in self.within(swap::to_move(self, (namespace, run), way)).await? {
            let moved = swap::scope(self, (namespace, run, scope_id), (way, execution), deed);
            swapped.repaired.add(self.within(moved).await?);
            swapped.scopes += 1;
        }
        swapped.standing = self.standing((namespace, run)).await?;
        Ok(swapped)
    }

    /// The same of a run that may stand nowhere, as one that only adds does.
    ///
    /// # Errors
    /// The database is away.
    pub async fn standing_if_any(&self, whose: (&str, &BatchId)) -> Result<Option<Standing>, StoreError> {
        match self.standing(whose).await {
            Ok(standing) => Ok(Some(standing)),
            Err(StoreError::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How far a reprocessing run is swapped in.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where the namespace has no such run.
    pub async fn standing(&self, (namespace, run): (&str, &BatchId)) -> Result<Standing, StoreError> {
        self.within(async { Ok(swap::standing(&swap::places(self, (namespace, run)).await?)) }).await
    }
}
