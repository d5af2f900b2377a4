//! What the judgement of a call may look at: the reading of its turns and a fresh snapshot of the scope.

use std::collections::BTreeMap;

use crate::claim::{ClaimKey, Suppression};
use crate::entity::{self, Entity, EntityKind};
use crate::id::EntityId;
use crate::keys::KeyRing;
use crate::memory::Memory;
use crate::moment::Moment;
use crate::prompt::Opinions;
use crate::provenance::ExtractedBy;
use crate::reading::Reading;

/// What the store needs to find the memories that a call may touch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NearKeys {
    /// Canonical attributes of the candidates.
    pub attributes: Vec<String>,
    /// Claim keys of the candidates and of their opposites.
    pub claims: Vec<ClaimKey>,
}

/// One snapshot of a scope, read after the model answered where there was anything to read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Near {
    /// Moved by every delete, suppress, lift, forget, restore, entity merge and settle; a commit names the one it saw.
    pub epoch: i64,
    /// Every entity of the scope.
    pub entities: Vec<Entity>,
    /// Entities that nobody knows of, since what was said of them was taken back or waits for a run, by their folded names: whoever says
    /// the name speaks of them.
    pub hidden: BTreeMap<String, EntityId>,
    /// Every suppressed claim of the scope.
    pub suppressions: Vec<Suppression>,
    /// Memories that are not deleted and share an attribute or the topic of a claim key with a candidate.
    pub memories: Vec<Memory>,
}

/// What a run writes into the provenance of everything it makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamp {
    /// When the pipeline ran. Never a date of an event.
    pub ran_at: Moment,
    /// What read the turns.
    pub extracted_by: ExtractedBy,
}

/// All that a stage sees.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The turns, read once.
    pub reading: &'a Reading,
    /// The scope as it stands.
    pub near: &'a Near,
    /// Keys for hashes of suppressed claims.
    pub keys: &'a KeyRing,
    /// Time and extractor of the run.
    pub stamp: &'a Stamp,
    /// What a judge said of doubtful claims; `None` where none is asked and the words alone decide.
    pub opinions: Option<&'a Opinions>,
}

impl Context<'_> {
    /// The entity that stands for the owner of the scope: the one the snapshot holds, so that a new key moves nobody, else
    /// [`entity::user_entity`] of the lasting key.
    pub fn user(&self) -> EntityId {
        let known = self.near.entities.iter().find(|entity| entity.kind == EntityKind::User);
        let new = || entity::user_entity(&self.reading.call.scope, self.keys.lasting());
        known.map_or_else(new, |entity| entity.id.clone())
    }
}
