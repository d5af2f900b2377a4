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
    /// A person or thing of a scope. One that nobody knew of is known again once somebody speaks of it.
    EntityRow: "entities", "ON CONFLICT (entity_id) DO UPDATE SET waits = 0, name = excluded.name, name_key = excluded.name_key,
        kind = CASE WHEN entities.by_hand = 1 THEN entities.kind ELSE excluded.kind END WHERE excluded.waits = 0 AND entities.waits = 1 AND entities.merged_into IS NULL" {
        entity_id: String,
        scope_id: i64,
        name: String,
        name_key: String,
        kind: String,
        created_at: i64,
        waits: i64,
    }
}

row! {
    /// Another name of an entity. One that a person gave stays theirs.
    AliasRow: "entity_aliases", "ON CONFLICT (entity_id, alias_key) DO UPDATE SET by_hand = 1 WHERE excluded.by_hand = 1" {
        entity_id: String,
        alias_key: String,
        alias: String,
        by_hand: i64,
    }
}

row! {
    /// What a call calls an entity.
    NameRow: "names_said", "" {
        trace_id: String,
        ordinal: i64,
        scope_id: i64,
        entity_id: String,
        name: String,
        name_key: String,
        kind: Option<String>,
    }
}
