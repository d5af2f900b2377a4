//! What callers see of repairs: counts, ids, the audit log, stories, disputes.

use recall_store::deed::{AuditEntry, Deleted, Dispute, Repaired, Restated, Story, SuppressionEntry};
use recall_store::entities::{EntityEntry, Suspicion};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::swap::AsideView;
use super::{MemoryView, TraceView};

/// Ids shown of each kind.
const SHOWN: usize = 100;

/// What a repair changed, or would change.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct RepairedView {
    /// Nothing was written.
    pub dry_run: bool,
    /// Calls that were taken back or restored.
    pub traces: u64,
    /// Calls the time of the request did not suffice for: the same request goes on with them. The other counts are without them.
    pub left: u64,
    /// Memories that are gone now.
    pub gone: usize,
    /// Memories that are there again.
    pub returned: usize,
    /// Memories that stand otherwise: sources, confidence, status or words.
    pub changed: usize,
    /// Memories that stay away because a person deleted their claim.
    pub suppressed: usize,
    /// The ids of these, at most 100 of each kind.
    pub memory_ids: MovedView,
}

/// Ids by what happened to them.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct MovedView {
    /// Gone now.
    pub gone: Vec<String>,
    /// There again.
    pub returned: Vec<String>,
    /// Otherwise.
    pub changed: Vec<String>,
    /// Kept away.
    pub suppressed: Vec<String>,
}

impl From<Repaired> for RepairedView {
    fn from(repaired: Repaired) -> Self {
        let ids = |list: &[recall_core::id::MemoryId]| list.iter().take(SHOWN).map(ToString::to_string).collect();
        Self {
            dry_run: false,
            traces: repaired.traces,
            left: repaired.left,
            gone: repaired.gone.len(),
            returned: repaired.returned.len(),
            changed: repaired.changed.len(),
            suppressed: repaired.suppressed.len(),
            memory_ids: MovedView {
                gone: ids(&repaired.gone),
                returned: ids(&repaired.returned),
                changed: ids(&repaired.changed),
                suppressed: ids(&repaired.suppressed),
            },
        }
    }
}

/// What a deletion left behind.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeletedView {
    /// The entries that keep the claim from being learnt again, one for each way it was told.
    pub suppression_ids: Vec<String>,
    /// Memories whose words are gone.
    pub memory_ids: Vec<String>,
}

impl From<Deleted> for DeletedView {
    fn from(deleted: Deleted) -> Self {
        Self {
            suppression_ids: deleted.suppression_ids.iter().map(ToString::to_string).collect(),
            memory_ids: deleted.memories.iter().map(ToString::to_string).collect(),
        }
    }
}

/// What became of a correction.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RestatedView {
    /// The memory that tells the claim now.
    pub memory_id: String,
    /// The call that the correction is; absent where the claim stayed as it was.
    pub trace_id: Option<String>,
    /// What changed.
    pub changes: RepairedView,
}

impl From<Restated> for RestatedView {
    fn from(restated: Restated) -> Self {
        Self {
            memory_id: restated.memory_id.to_string(),
            trace_id: Some(restated.trace_id.to_string()),
            changes: RepairedView::from(restated.repaired),
        }
    }
}

/// A row of the audit log.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditView {
    /// Its id (`aud_…`).
    pub audit_id: String,
    /// What happened.
    pub event_type: String,
    /// The memory it is about.
    pub memory_id: Option<String>,
    /// Who did it.
    pub actor: String,
    /// The call that brought it about.
    pub trace_id: Option<String>,
    /// When, by the database's clock.
    pub at: String,
    /// Why.
    pub reason: Option<String>,
    /// As it was.
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    /// As it is since.
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
    /// The verdict that let a memory in.
    #[schema(value_type = Option<Object>)]
    pub verdict: Option<Value>,
}

impl From<AuditEntry> for AuditView {
    fn from(entry: AuditEntry) -> Self {
        Self {
            audit_id: entry.audit_id,
            event_type: entry.event_type,
            memory_id: entry.memory_id.map(|id| id.to_string()),
            actor: entry.actor,
            trace_id: entry.trace_id.map(|id| id.to_string()),
            at: entry.at.to_string(),
            reason: entry.reason,
            before: entry.before,
            after: entry.after,
            verdict: entry.verdict,
        }
    }
}

/// The whole story of a memory.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StoryView {
    /// As it stands, with turns, quotes, model and prompt.
    pub memory: MemoryView,
    /// Reprocessing runs that keep calls of it aside.
    pub aside: Vec<AsideView>,
    /// Every change, oldest first.
    pub changes: Vec<AuditView>,
    /// The calls that said it, oldest first, with each stage's verdict as long as it is kept.
    pub traces: Vec<TraceView>,
}

impl From<Story> for StoryView {
    fn from(story: Story) -> Self {
        Self {
            memory: MemoryView::from(&story.memory),
            aside: story.aside.into_iter().map(AsideView::from).collect(),
            changes: story.changes.into_iter().map(AuditView::from).collect(),
            traces: story.traces.iter().map(TraceView::from).collect(),
        }
    }
}

/// A suppressed claim. It holds no word of what was claimed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SuppressionView {
    /// Its id (`rsp_…`).
    pub suppression_id: String,
    /// Whom it is about, as far as they have a name.
    pub names: Vec<String>,
    /// `positive` or `negative`.
    pub polarity: String,
    /// When it was added.
    pub created_at: String,
    /// When it was lifted.
    pub lifted_at: Option<String>,
}

impl From<SuppressionEntry> for SuppressionView {
    fn from(entry: SuppressionEntry) -> Self {
        Self {
            suppression_id: entry.suppression_id.to_string(),
            names: entry.names,
            polarity: entry.polarity,
            created_at: entry.created_at.to_string(),
            lifted_at: entry.lifted_at.map(|at| at.to_string()),
        }
    }
}

/// An open dispute.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DisputeView {
    /// One side.
    pub memory: MemoryView,
    /// The other; absent where somebody only doubts the one.
    pub with: Option<MemoryView>,
    /// When it was opened.
    pub opened_at: String,
}

impl From<&Dispute> for DisputeView {
    fn from(dispute: &Dispute) -> Self {
        Self {
            memory: MemoryView::from(&dispute.memory),
            with: dispute.with.as_ref().map(MemoryView::from),
            opened_at: dispute.opened_at.to_string(),
        }
    }
}

/// A person or thing memories are about.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EntityEntryView {
    /// Its id (`ent_…`).
    pub entity_id: String,
    /// Its main name.
    pub name: String,
    /// `user`, `person`, `animal`, `place`, `organisation`, `thing` or `unknown`.
    pub kind: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// The entity it became part of.
    pub merged_into: Option<String>,
    /// Memories about it that are there.
    pub memories: u64,
}

impl From<EntityEntry> for EntityEntryView {
    fn from(entry: EntityEntry) -> Self {
        Self {
            entity_id: entry.entity_id.to_string(),
            name: entry.name,
            kind: entry.kind,
            aliases: entry.aliases,
            merged_into: entry.merged_into.map(|id| id.to_string()),
            memories: entry.memories,
        }
    }
}

/// Two entities that may be one.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SuspicionView {
    /// The one with more memories.
    pub entity: EntityEntryView,
    /// The other.
    pub other: EntityEntryView,
    /// How alike the closest pair of their names is (Jaro-Winkler), 0 to 1.
    pub similarity: f64,
}

impl From<Suspicion> for SuspicionView {
    fn from(suspicion: Suspicion) -> Self {
        Self {
            entity: EntityEntryView::from(suspicion.entity),
            other: EntityEntryView::from(suspicion.other),
            similarity: suspicion.similarity,
        }
    }
}
