//! What a candidate was shown to rest on.

use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::stage::Reason;
use crate::turn::{Role, TurnId};

/// Whether a turn belongs to this call or to the session before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A turn of the session before this call.
    Window,
    /// A turn of this call.
    Call,
}

/// A turn a claim rests on, with the words and where they stand in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The turn.
    pub turn_id: TurnId,
    /// The words as they stand in the turn, not as the model wrote them.
    pub quote: String,
    /// Where the quote begins in the turn, in characters (Unicode scalar values).
    pub start: usize,
    /// Where it ends, exclusive, in characters.
    pub end: usize,
    /// This call or the window.
    pub origin: Origin,
    /// Who spoke the turn.
    pub role: Role,
    /// Name of the speaker, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// When it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_at: Option<Moment>,
}

/// How far the cited turns carry a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// The turns say the opposite.
    Contradicted,
    /// The turns do not say it.
    Unsupported,
    /// The turns say it but for a detail that changes little.
    Partial,
    /// The turns say it.
    Supported,
}

impl Support {
    /// How far the turns carry a claim that grounding turned away; `None` where it did not come to weighing words.
    pub fn behind(reason: Reason) -> Option<Self> {
        const UNSUPPORTED: &[Reason] = &[
            Reason::UnsupportedName,
            Reason::UnsupportedNumber,
            Reason::UnsupportedDetail,
            Reason::ModalityShift,
            Reason::Overgeneralised,
        ];
        if reason == Reason::PolarityFlip {
            return Some(Self::Contradicted);
        }
        UNSUPPORTED.contains(&reason).then_some(Self::Unsupported)
    }
}

/// Outcome of grounding for a claim that passed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// At least one, at least one of this call; in the order of the conversation.
    pub sources: Vec<Source>,
    /// [`Support::Supported`] or [`Support::Partial`].
    pub support: Support,
    /// Share of the claim's content words the sources carry, 0 to 1.
    pub coverage: f64,
    /// Turns a quote was moved to because it stood there and not in the turn named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reattributed: Vec<TurnId>,
}
