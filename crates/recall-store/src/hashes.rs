//! Hashes of turns: a turn is recognised again without its words being kept, and never across scopes.

use recall_core::call::Call;
use recall_core::keys::{Key, KeyRing};
use recall_core::scope::Scope;
use recall_core::turn::Turn;
use recall_core::window::Earlier;

/// What the hash of a known turn says of a turn with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    Same,
    Other,
}

/// The keyed hash of who said what, bound to its scope.
pub(crate) fn of_turn(key: &Key, scope: &Scope, turn: &Turn) -> String {
    key.fingerprint(&["turn", &scope.key(), turn.role.as_str(), turn.content.as_str()])
}

/// Compares a turn with a stored hash. Where its key is no longer kept, the id alone decides.
pub(crate) fn compare(keys: &KeyRing, scope: &Scope, turn: &Turn, key_id: &str, hash: &str) -> Content {
    match keys.get(key_id) {
        Some(key) if of_turn(key, scope, turn) != hash => Content::Other,
        Some(_) | None => Content::Same,
    }
}

/// Whether the call committed under the trace id of `call` was this one. Where its key is no longer kept, the id alone decides.
pub(crate) fn earlier(keys: &KeyRing, call: &Call, key_id: &str, hash: &str) -> Earlier {
    match keys.get(key_id) {
        Some(key) if call.fingerprint(key) != hash => Earlier::AnotherCall,
        Some(_) | None => Earlier::ThisCall,
    }
}
