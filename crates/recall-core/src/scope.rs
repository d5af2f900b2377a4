//! Whose memory something is. A scope is checked once, when it is made, and never changes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The longest id of a caller, in bytes.
pub const MAX_ID_BYTES: usize = 256;

/// Stands for every tenant where a key is bound to one; no tenant has this name.
pub const EVERY: &str = "*";

/// Who owns what is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// One person.
    User(String),
    /// An account whose admins share it.
    Account(String),
}

impl Owner {
    /// Whether it can be one.
    ///
    /// # Errors
    /// [`InvalidScope::Id`] names the field that is empty, too long, or holds control characters.
    pub fn check(&self) -> Result<(), InvalidScope> {
        match self {
            Self::User(id) => check_id("user_id", id),
            Self::Account(id) => check_id("account_id", id),
        }
    }
}

/// Namespace, owner and optional agent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "RawScope", into = "RawScope")]
pub struct Scope {
    namespace: String,
    owner: Owner,
    agent_id: Option<String>,
}

/// Why something is not a scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidScope {
    /// Neither or both owners were named.
    #[error("scope must name exactly one of user_id and account_id")]
    Owner,
    /// An id is empty, too long, or holds control characters.
    #[error("scope.{0} must be 1 to {MAX_ID_BYTES} bytes without control characters")]
    Id(&'static str),
    /// The name that stands for every tenant was given as one.
    #[error("scope.namespace {EVERY:?} stands for every tenant and is the name of none")]
    Every,
}

impl Scope {
    /// A checked scope.
    ///
    /// # Errors
    /// [`InvalidScope`] names the field that is empty, too long, holds control characters, or stands for every tenant.
    pub fn new(namespace: String, owner: Owner, agent_id: Option<String>) -> Result<Self, InvalidScope> {
        check_id("namespace", &namespace)?;
        if namespace == EVERY {
            return Err(InvalidScope::Every);
        }
        owner.check()?;
        if let Some(agent) = &agent_id {
            check_id("agent_id", agent)?;
        }
        Ok(Self { namespace, owner, agent_id })
    }

    /// The tenant.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The person or account.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    /// The agent the memory is kept for, where it is kept apart.
    pub fn agent_id(&self) -> Option<&str> {
        self.agent_id.as_deref()
    }

    /// One text that is equal exactly for equal scopes: the key of its row, of queues and of hashes.
    pub fn key(&self) -> String {
        let (kind, owner) = match &self.owner {
            Owner::User(id) => ('u', id),
            Owner::Account(id) => ('a', id),
        };
        let agent = self.agent_id.as_deref().map(|agent| format!("\u{1f}{agent}")).unwrap_or_default();
        format!("{}\u{1f}{kind}\u{1f}{owner}{agent}", self.namespace)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, owner) = match &self.owner {
            Owner::User(id) => ("user", id),
            Owner::Account(id) => ("account", id),
        };
        write!(f, "{}/{kind}:{owner}", self.namespace)?;
        self.agent_id.as_ref().map_or(Ok(()), |agent| write!(f, "/agent:{agent}"))
    }
}

fn check_id(field: &'static str, id: &str) -> Result<(), InvalidScope> {
    let fine = !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.chars().any(char::is_control);
    if fine { Ok(()) } else { Err(InvalidScope::Id(field)) }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScope {
    namespace: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent_id: Option<String>,
}

impl TryFrom<RawScope> for Scope {
    type Error = InvalidScope;
    fn try_from(raw: RawScope) -> Result<Self, InvalidScope> {
        let owner = match (raw.user_id, raw.account_id) {
            (Some(user), None) => Owner::User(user),
            (None, Some(account)) => Owner::Account(account),
            (None, None) | (Some(_), Some(_)) => return Err(InvalidScope::Owner),
        };
        Self::new(raw.namespace, owner, raw.agent_id)
    }
}

impl From<Scope> for RawScope {
    fn from(scope: Scope) -> Self {
        let (user_id, account_id) = match scope.owner {
            Owner::User(id) => (Some(id), None),
            Owner::Account(id) => (None, Some(id)),
        };
        Self { namespace: scope.namespace, user_id, account_id, agent_id: scope.agent_id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_owner_is_asked_for() {
        let both = r#"{"namespace":"n","user_id":"u","account_id":"a"}"#;
        assert!(serde_json::from_str::<Scope>(both).unwrap_err().to_string().contains("exactly one"));
        let none = r#"{"namespace":"n"}"#;
        assert!(serde_json::from_str::<Scope>(none).is_err());
    }

    #[test]
    fn keys_of_different_scopes_never_meet() {
        let user = Scope::new("n".into(), Owner::User("x".into()), None).expect("scope");
        let account = Scope::new("n".into(), Owner::Account("x".into()), None).expect("scope");
        let agent = Scope::new("n".into(), Owner::User("x".into()), Some("g".into())).expect("scope");
        assert_ne!(user.key(), account.key());
        assert_ne!(user.key(), agent.key());
    }

    #[test]
    fn control_characters_cannot_forge_a_key() {
        assert_eq!(Scope::new("n".into(), Owner::User("x\u{1f}g".into()), None), Err(InvalidScope::Id("user_id")));
    }
}
