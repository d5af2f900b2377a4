//! People and things memories are about, as people see and change them.

use recall_core::entity::EntityKind;
use recall_core::id::EntityId;
use serde::{Deserialize, Serialize};

use crate::table::row;

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

row! {
    /// A person or thing of a scope.
    EntityRow: "entities", "ON CONFLICT (entity_id) DO NOTHING" {
        entity_id: String,
        scope_id: i64,
        name: String,
        name_key: String,
        kind: String,
        created_at: i64,
        learnt_by: Option<String>,
        waits: i64,
    }
}

row! {
    /// Another name of an entity. One that only a reprocessing run knew is everybody's once somebody else learns it.
    AliasRow: "entity_aliases", "ON CONFLICT (entity_id, alias_key) DO UPDATE SET learnt_by = NULL, waits = 0
        WHERE excluded.learnt_by IS NULL" {
        entity_id: String,
        alias_key: String,
        alias: String,
        learnt_by: Option<String>,
        waits: i64,
    }
}
