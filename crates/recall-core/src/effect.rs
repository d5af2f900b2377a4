//! What a run changes, as values: the store only carries them out, and can undo them one by one.

use serde::{Deserialize, Serialize};

use crate::entity::{Entity, EntityKind};
use crate::evidence::Source;
use crate::id::{EntityId, MemoryId};
use crate::memory::Memory;
use crate::moment::Moment;

/// One change of a run. Ids inside are derived from the trace, so a repeated run says the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum Effect {
    /// A new memory (active, disputed, or superseded history).
    Insert {
        /// The row.
        memory: Box<Memory>,
        /// Set where at most one active memory of this subject may hold the attribute: `subject id` + attribute.
        single_valued: bool,
    },
    /// The same claim was said again. `valid_from` goes back to the earliest `said_at` of all its sources.
    AddSources {
        /// The memory that is there.
        memory_id: MemoryId,
        /// New sources; those already there (same session and turn) add nothing.
        sources: Vec<Source>,
        /// After recomputing.
        confidence: f64,
        /// After recomputing.
        importance: f64,
        /// The claim as this call alone tells it, with all it cites: what is left is judged again once another call is taken
        /// back ([`crate::stages::reconcile::replay`]).
        said: Box<Memory>,
        /// Which words tell the memory from now on.
        words: Words,
    },
    /// A memory that had lost its place, or was disputed, was said last and counts (again); what replaced it and until when are emptied.
    Activate {
        /// The memory.
        memory_id: MemoryId,
    },
    /// A later value replaces an older one.
    Supersede {
        /// The older memory.
        memory_id: MemoryId,
        /// What replaces it.
        by: MemoryId,
        /// When the later value was said.
        valid_until: Option<Moment>,
    },
    /// Two memories say different things and nobody can tell which holds.
    Dispute {
        /// One.
        memory_id: MemoryId,
        /// The other.
        with: MemoryId,
    },
}

/// What another statement of its claim does to the words of a memory: it is told in those that were said first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Words {
    /// They stay.
    Stay,
    /// This call said it before all others: its words take their place.
    Change,
}

/// What a call by itself calls a person or thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Naming {
    /// Whom.
    pub entity: EntityId,
    /// The name it goes by in this call.
    pub name: String,
    /// What the call takes it for.
    pub kind: EntityKind,
    /// Other names and roles it has there.
    pub aliases: Vec<String>,
}

/// Everything reconcile decided for a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    /// Entities this call makes known, with ids derived from the trace.
    pub entities: Vec<Entity>,
    /// Names learnt for known entities ("my sister Priya" after "my sister").
    pub aliases: Vec<(EntityId, String)>,
    /// What the call calls whom, known before or not: what is left of names once another call is taken back.
    #[serde(default)]
    pub namings: Vec<Naming>,
    /// In the order they must be carried out: what loses its place makes room first, so `by` of a [`Effect::Supersede`]
    /// may name a memory that a later [`Effect::Insert`] of the same list brings.
    pub effects: Vec<Effect>,
}
