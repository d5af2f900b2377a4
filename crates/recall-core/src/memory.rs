//! A claim that passed every stage and was written.

use serde::{Deserialize, Serialize};

use crate::candidate::{MemoryType, Polarity};
use crate::claim::ClaimKey;
use crate::entity::EntityRef;
use crate::id::MemoryId;
use crate::moment::{Moment, Precision};
use crate::provenance::Provenance;
use crate::scope::Scope;

/// Where a memory stands. Deletion is apart (`deleted_at`), so that restoring finds the status it had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It counts.
    Active,
    /// A value said later replaced it.
    Superseded,
    /// Another memory says otherwise and nobody can tell which is newer.
    Disputed,
    /// Its time is over.
    Expired,
}

impl Status {
    /// The status as it stands in rows and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Superseded => "superseded",
            Self::Disputed => "disputed",
            Self::Expired => "expired",
        }
    }
}

/// A memory with its provenance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Its id.
    pub id: MemoryId,
    /// Whose memory it is; never changes.
    pub scope: Scope,
    /// The session it was said in.
    pub session_id: String,
    /// One self-contained sentence.
    pub content: String,
    /// The kind of memory.
    pub memory_type: MemoryType,
    /// Whom or what it is about.
    pub subject: EntityRef,
    /// What is claimed of the subject, in canonical form.
    pub attribute: String,
    /// Its value.
    pub value: String,
    /// The entity the value names, where it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<EntityRef>,
    /// So or not so.
    pub polarity: Polarity,
    /// 0 to 1, after calibration.
    pub confidence: f64,
    /// 0 to 1: explicit request to remember, repetition, single mention.
    pub importance: f64,
    /// ISO 639-3 code, where the language is sure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// When it happened: the first moment of the period. Never the time of extraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_at: Option<Moment>,
    /// Last day of a range; absent for points and open intervals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_until: Option<Moment>,
    /// How exact `event_at` is.
    pub precision: Precision,
    /// Where it stands.
    pub status: Status,
    /// Said from this moment on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Moment>,
    /// Until a later value was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Moment>,
    /// The memory that replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<MemoryId>,
    /// When it was deleted or forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Moment>,
    /// When it stops counting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Moment>,
    /// The caller's metadata of the call.
    #[serde(default)]
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// When the row was written.
    pub created_at: Moment,
    /// When it was last handed out by touch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_accessed_at: Option<Moment>,
    /// How often it was touched.
    pub access_count: i64,
    /// Canonical form of the claim.
    pub claim_key: ClaimKey,
    /// Which of the events with this claim key it is: its date as `2023-05-01 day`; empty where it has none, and for what is no event.
    pub occurrence: String,
    /// The proof.
    pub provenance: Provenance,
}

/// How a statement tells a claim: other statements of the same claim have other words, and the same key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wording {
    /// One self-contained sentence.
    pub content: String,
    /// The kind of memory.
    pub memory_type: MemoryType,
    /// What is claimed of the subject, in canonical form.
    pub attribute: String,
    /// Its value.
    pub value: String,
    /// The entity the value names, where it names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<EntityRef>,
    /// So or not so: "likes" denied is the claim that "dislikes" tells.
    #[serde(default)]
    pub polarity: Polarity,
    /// ISO 639-3 code, where the language is sure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// When it happened, as this statement has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_at: Option<Moment>,
    /// Last day of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_until: Option<Moment>,
    /// How exact `event_at` is.
    pub precision: Precision,
}

impl Memory {
    /// Where it stands for whoever looks at it: its status, or why it does not count. What was deleted for good has no words.
    pub fn standing(&self) -> &'static str {
        match self.deleted_at {
            None => self.status.as_str(),
            Some(_) if self.content.is_empty() => "deleted",
            Some(_) => "withdrawn",
        }
    }

    /// The words it is told in.
    pub fn wording(&self) -> Wording {
        Wording {
            content: self.content.clone(),
            memory_type: self.memory_type,
            attribute: self.attribute.clone(),
            value: self.value.clone(),
            object: self.object.clone(),
            polarity: self.polarity,
            language: self.language.clone(),
            event_at: self.event_at,
            event_until: self.event_until,
            precision: self.precision,
        }
    }

    /// Tells it in other words.
    pub fn tell(&mut self, wording: &Wording) {
        let Wording {
            content,
            memory_type,
            attribute,
            value,
            object,
            polarity,
            language,
            event_at,
            event_until,
            precision,
        } = wording.clone();
        (self.content, self.memory_type, self.attribute, self.value) = (content, memory_type, attribute, value);
        (self.object, self.polarity, self.language) = (object, polarity, language);
        (self.event_at, self.event_until, self.precision) = (event_at, event_until, precision);
    }
}
