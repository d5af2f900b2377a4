//! What callers see of reprocessing runs that are swapped in and rolled back.

use recall_store::swap::{Aside, Standing, Swapped};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::repair::RepairedView;

/// What a swap or a rollback changed, or would change.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SwappedView {
    /// Scopes moved now; those that stood so already are not counted.
    pub scopes: u64,
    /// Memories that came and went; its `traces` are the calls that count now and those that do not any more.
    pub changes: RepairedView,
    /// How far the run is since.
    pub run: StandingView,
}

/// How far a run is swapped in.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub(crate) struct StandingView {
    /// Calls of the run.
    pub calls: u64,
    /// Scopes it read anything of.
    pub scopes: u64,
    /// Of these, those in which what it says counts.
    pub swapped: u64,
    /// Calls that do not count because the run read their turns again.
    pub replaced: u64,
}

/// A run that keeps calls of a memory aside.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AsideView {
    /// The run (`run_…`).
    pub run_id: String,
    /// Whether they are calls of that run, which wait until it is swapped in; else it read their turns again.
    pub waits: bool,
}

impl SwappedView {
    pub(crate) fn of(swapped: Swapped, dry_run: bool) -> Self {
        let changes = RepairedView { dry_run, ..RepairedView::from(swapped.repaired) };
        Self { scopes: swapped.scopes, changes, run: StandingView::from(swapped.standing) }
    }
}

impl From<Standing> for StandingView {
    fn from(standing: Standing) -> Self {
        let Standing { calls, scopes, swapped, replaced } = standing;
        Self { calls, scopes, swapped, replaced }
    }
}

impl From<Aside> for AsideView {
    fn from(aside: Aside) -> Self {
        Self { run_id: aside.run.to_string(), waits: aside.waits }
    }
}
