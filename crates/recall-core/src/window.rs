//! The session before a call: the text of its last turns, and who was mentioned in a few more.

use serde::{Deserialize, Serialize};

use crate::reading::references::Mention;
use crate::settings::Settings;
use crate::turn::{Role, Turn, TurnId};

/// One turn in the ring buffer: no text, only who was mentioned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RingTurn {
    /// The turn.
    pub turn_id: TurnId,
    /// Who spoke it.
    pub role: Role,
    /// Name of the speaker, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// Whom and what it mentions.
    pub mentions: Vec<Mention>,
}

/// What was committed before under the trace id of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Earlier {
    /// Nothing.
    #[default]
    Nothing,
    /// The call itself: its message came again.
    ThisCall,
    /// Other turns: one idempotency key was used for two calls.
    AnotherCall,
    /// Nothing, and nothing is to be: its person was erased after it was accepted, or, of an archive, after it was said.
    Erased,
    /// Nothing, and nothing is to be: its reprocessing run was cancelled.
    Cancelled,
}

/// What the store knows of a session when a call of it begins.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Window {
    /// Settings of the namespace.
    pub settings: Settings,
    /// Calls of this session committed so far; a commit names the version it was judged on.
    pub version: i64,
    /// Revision of the scope, 0 where nothing was ever committed in it: then there is nothing to judge a call against.
    pub scope_revision: i64,
    /// What was committed under the trace id of this call before.
    pub earlier: Earlier,
    /// Other calls of this session are parked ahead of this one.
    pub waiting: bool,
    /// The last [`Settings::window_turns`] turns before this call, oldest first.
    pub turns: Vec<Turn>,
    /// The last [`Settings::ring_buffer_size`] turns before this call, oldest first.
    pub ring: Vec<RingTurn>,
    /// Turns after those that were read before under another reprocessing run; they go into the window once they are read.
    pub before: Vec<Turn>,
    /// Turns of this call that were processed before: same id, same content.
    pub seen: Vec<TurnId>,
    /// Turns of this call whose id was processed before with other content.
    pub rewritten: Vec<TurnId>,
    /// Turns of this call whose id is bound to another scope (namespaces with unique turn ids).
    pub bound_elsewhere: Vec<TurnId>,
    /// Turns of this call of an account whose speaker was erased after the call was accepted, or, of an archive, after they were said.
    pub erased: Vec<TurnId>,
    /// The session id is bound to another owner (namespaces with unique session ids).
    pub session_bound_elsewhere: bool,
}
