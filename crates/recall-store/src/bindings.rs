//! Ids that a namespace wants to be unique: the first scope or owner that uses one holds it.

use recall_core::call::Call;
use recall_core::scope::{Owner, Scope};
use recall_core::settings::{SessionIds, Settings, TurnIds};
use serde::Deserialize;

use crate::rows::BindingRow;

/// What is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Session,
    Turn,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Turn => "turn",
        }
    }
}

/// The holder of a session id: the owner, whichever agent asks.
pub(crate) fn owner(scope: &Scope) -> String {
    holder(scope.owner())
}

/// How holders that are accounts begin.
pub(crate) const OF_ACCOUNTS: &str = "a\u{1f}";

/// An owner as one text.
pub(crate) fn holder(owner: &Owner) -> String {
    match owner {
        Owner::User(id) => format!("u\u{1f}{id}"),
        Owner::Account(id) => format!("{OF_ACCOUNTS}{id}"),
    }
}

/// Namespace and owner out of a session key ([`Call::session_key`]).
pub(crate) fn of_session_key(key: &str) -> (&str, Option<String>) {
    let scope = key.split('\u{1e}').next().unwrap_or_default();
    let mut parts = scope.split('\u{1f}');
    let namespace = parts.next().unwrap_or_default();
    let owner = parts.next().zip(parts.next()).map(|(kind, owner)| format!("{kind}\u{1f}{owner}"));
    (namespace, owner)
}

/// The rows a call claims under the settings of its namespace.
pub(crate) fn claimed(settings: &Settings, call: &Call) -> Vec<BindingRow> {
    let row = |kind: Kind, id: &str, holder: String| BindingRow {
        namespace: call.scope.namespace().to_owned(),
        kind: kind.as_str().to_owned(),
        id: id.to_owned(),
        holder,
    };
    let mut rows = Vec::new();
    if let (SessionIds::Unique, Some(session)) = (settings.session_ids, &call.session_id) {
        rows.push(row(Kind::Session, session, owner(&call.scope)));
    }
    if settings.turn_ids == TurnIds::Unique {
        rows.extend(call.turns.iter().map(|turn| row(Kind::Turn, turn.id.as_str(), call.scope.key())));
    }
    rows
}
