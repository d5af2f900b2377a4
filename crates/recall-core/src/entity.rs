//! People and things memories are about.

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::id::EntityId;
use crate::keys::Key;
use crate::scope::Scope;

/// What an entity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum EntityKind {
    /// The owner of the scope.
    User,
    /// Another person.
    Person,
    /// An animal.
    Animal,
    /// A place.
    Place,
    /// A company, school, club.
    Organisation,
    /// A thing.
    Thing,
    /// Not known.
    #[default]
    Unknown,
}

impl EntityKind {
    /// The kind as it stands in rows and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Person => "person",
            Self::Animal => "animal",
            Self::Place => "place",
            Self::Organisation => "organisation",
            Self::Thing => "thing",
            Self::Unknown => "unknown",
        }
    }
}

/// The name of the entity that stands for the owner of a scope.
pub const USER: &str = "user";

/// An entity of a scope. Names are unique in it after folding; a role seen from the user (`user's sister`) is a name, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entity {
    /// Its id.
    pub id: EntityId,
    /// The main name.
    pub name: String,
    /// What it is.
    pub kind: EntityKind,
    /// Other names and roles (`user's sister` of an entity named Priya).
    #[serde(default)]
    pub aliases: Vec<String>,
}

/// An entity as a memory points to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityRef {
    /// Its id.
    pub id: EntityId,
    /// Its main name.
    pub name: String,
}

/// The entity that stands for the owner of a scope: always the same for the same scope and key.
pub fn user_entity(scope: &Scope, key: &Key) -> EntityId {
    let digest = key.digest(&["user entity", &scope.key()]);
    EntityId::new(Ulid(digest.iter().take(16).fold(0, |sum, byte| (sum << 8) | u128::from(*byte))))
}
