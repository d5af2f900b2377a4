//! What people do to memories after they were written: who acts and why, on what, and what came of it.

use std::fmt;

use recall_core::id::{EntityId, MemoryId, SuppressionId, TraceId};
use recall_core::moment::Moment;
use recall_core::scope::Owner;
use serde::{Deserialize, Serialize};

use crate::record::Trace;
use crate::swap::Aside;

/// The longest reason, in bytes.
pub const MAX_REASON_BYTES: usize = 500;

/// Who does something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A program with an API key, by the key's name.
    ApiKey(String),
    /// The person whose memory it is.
    User(String),
    /// A worker of the fleet.
    Worker(String),
    /// Somebody at the command line of the installation.
    Operator(String),
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ApiKey(name) => write!(f, "api_key:{name}"),
            Self::User(id) => write!(f, "user:{id}"),
            Self::Worker(name) => write!(f, "worker:{name}"),
            Self::Operator(name) => write!(f, "operator:{name}"),
        }
    }
}

/// Why a reason is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must say why, in 1 to {MAX_REASON_BYTES} bytes without control characters")]
pub struct InvalidReason;

/// Who does something, and why. Both stand in the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    pub(crate) actor: Actor,
    pub(crate) reason: String,
}

impl Deed {
    /// A deed with its reason.
    ///
    /// # Errors
    /// The reason is empty, too long, or holds control characters.
    pub fn new(actor: Actor, reason: &str) -> Result<Self, InvalidReason> {
        let reason = reason.trim();
        let fine = !reason.is_empty() && reason.len() <= MAX_REASON_BYTES && !reason.chars().any(char::is_control);
        if fine { Ok(Self { actor, reason: reason.to_owned() }) } else { Err(InvalidReason) }
    }

    /// The same deed where a person who does it is erased by it: the audit log does not name them again.
    pub(crate) fn erasing(&self, owner: &Owner) -> Self {
        let oneself = matches!((&self.actor, owner), (Actor::User(id), Owner::User(erased)) if id == erased);
        let actor = if oneself { Actor::User("erased".to_owned()) } else { self.actor.clone() };
        Self { actor, reason: self.reason.clone() }
    }
}

/// Whether something is done, or only shown as it would come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// Done.
    Real,
    /// Worked out the whole way and taken back.
    DryRun,
}

/// Which way traces are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// What the calls said does not count any more.
    Forget,
    /// It counts again.
    Restore,
}

/// Which committed calls are meant. Conditions narrow each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TraceSelection {
    /// The tenant.
    pub namespace: String,
    /// These calls only; any where empty.
    pub trace_ids: Vec<TraceId>,
    /// Of this owner only.
    pub owner: Option<Owner>,
    /// Committed at or after.
    pub since: Option<Moment>,
    /// Committed before.
    pub until: Option<Moment>,
    /// Read with this version of the prompt.
    pub prompt_version: Option<String>,
}

/// What a deed changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Repaired {
    /// Calls that were taken back or restored.
    pub traces: u64,
    /// Memories that are gone now.
    pub gone: Vec<MemoryId>,
    /// Memories that are there again.
    pub returned: Vec<MemoryId>,
    /// Memories that stand otherwise: sources, confidence, status or words.
    pub changed: Vec<MemoryId>,
    /// Memories that would be there again, but a person deleted their claim.
    pub suppressed: Vec<MemoryId>,
    /// Calls the time did not suffice for.
    pub left: u64,
}

impl Repaired {
    pub(crate) fn add(&mut self, other: Self) {
        self.traces += other.traces;
        self.gone.extend(other.gone);
        self.returned.extend(other.returned);
        self.changed.extend(other.changed);
        self.suppressed.extend(other.suppressed);
        self.left += other.left;
    }
}

/// What a deletion left behind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Deleted {
    /// The entries that keep the claim from being learnt again, one for each way it was told.
    pub suppression_ids: Vec<SuppressionId>,
    /// Memories whose words are gone: the one named, and all that the entries would keep from being learnt again.
    pub memories: Vec<MemoryId>,
}

/// A row of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// `aud_…`
    pub audit_id: String,
    /// `insert`, `merge`, `supersede`, …
    pub event_type: String,
    /// The memory it is about, where it is about one.
    pub memory_id: Option<MemoryId>,
    /// `api_key:…`, `user:…`, `worker:…`, `operator:…`
    pub actor: String,
    /// The call that brought it about, where one did.
    pub trace_id: Option<TraceId>,
    /// When, by the database's clock.
    pub at: Moment,
    /// Why, where somebody did it.
    pub reason: Option<String>,
    /// As it was.
    pub before: Option<serde_json::Value>,
    /// As it is since.
    pub after: Option<serde_json::Value>,
    /// The verdict that let a memory in.
    pub verdict: Option<serde_json::Value>,
}

/// Which audit rows are listed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AuditFilter {
    /// The tenant.
    pub namespace: String,
    /// About this memory.
    pub memory_id: Option<MemoryId>,
    /// About memories of this owner.
    pub owner: Option<Owner>,
    /// Of this call.
    pub trace_id: Option<TraceId>,
    /// Of this kind.
    pub event_type: Option<String>,
    /// By this actor.
    pub actor: Option<String>,
    /// At or after.
    pub since: Option<Moment>,
    /// Before.
    pub until: Option<Moment>,
}

/// The whole story of a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Story {
    /// As it stands.
    pub memory: recall_core::memory::Memory,
    /// Why it is gone on its own account, where it is.
    pub gone: Option<String>,
    /// Reprocessing runs that keep calls of it aside.
    pub aside: Vec<Aside>,
    /// Every change, oldest first.
    pub changes: Vec<AuditEntry>,
    /// The calls that said it, oldest first, with their stages as long as they are kept.
    pub traces: Vec<Trace>,
}

/// A suppressed claim as people see it: it holds no word of the claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SuppressionEntry {
    /// `rsp_…`
    pub suppression_id: SuppressionId,
    /// Subject and object of the claim.
    pub entities: Vec<EntityId>,
    /// Their names, where they have one.
    pub names: Vec<String>,
    /// `positive` or `negative`.
    pub polarity: String,
    /// When it was added.
    pub created_at: Moment,
    /// When it was lifted.
    pub lifted_at: Option<Moment>,
}

/// An open dispute, both sides shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispute {
    /// One side.
    pub memory: recall_core::memory::Memory,
    /// The other; `None` where somebody only doubts the one.
    pub with: Option<recall_core::memory::Memory>,
    /// When it was opened.
    pub opened_at: Moment,
}

/// What somebody thought of a memory that was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// It helped.
    Useful,
    /// It is not so.
    Wrong,
    /// It was so.
    Stale,
}

/// A claim told anew.
#[derive(Debug, Clone, PartialEq)]
pub struct Restatement {
    /// One self-contained sentence.
    pub content: String,
    /// What is claimed of the subject; as before where absent.
    pub attribute: Option<String>,
    /// Its value; read from the sentence where absent.
    pub value: Option<String>,
}

/// What became of a claim told anew.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Restated {
    /// The memory that tells it now: a new one, or the one that told it already.
    pub memory_id: MemoryId,
    /// The call that the restatement is; forgetting it takes the correction back.
    pub trace_id: TraceId,
    /// What changed.
    pub repaired: Repaired,
}

/// A change that leaves the claim as it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Other metadata.
    Metadata(serde_json::Map<String, serde_json::Value>),
    /// Another end, or none.
    ExpiresAt(Option<Moment>),
}
