//! People and things memories are about, as people see and change them.

use recall_core::entity::EntityKind;
use recall_core::id::EntityId;
use serde::{Deserialize, Serialize};

/// An entity as people see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityEntry {
    /// `ent_…`
    pub entity_id: EntityId,
    /// Main name.
    pub name: String,
    /// `user`, `person`, …
    pub kind: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// The entity it became part of.
    pub merged_into: Option<EntityId>,
    /// Memories about it that are there.
    pub memories: u64,
}

/// Two entities that may be one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Suspicion {
    /// The one with more memories.
    pub entity: EntityEntry,
    /// The other.
    pub other: EntityEntry,
    /// Jaro-Winkler similarity of the closest pair of names, 0 to 1.
    pub similarity: f64,
}

/// What is changed of an entity.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntityPatch {
    /// Another main name.
    pub name: Option<String>,
    /// Another kind.
    pub kind: Option<EntityKind>,
    /// Other names learnt.
    pub add_aliases: Vec<String>,
    /// Other names that are not theirs.
    pub remove_aliases: Vec<String>,
}
