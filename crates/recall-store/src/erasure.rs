//! Erasing a person: whom, under which names they speak, and the receipt of what was taken away.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::moment::Moment;
use recall_core::scope::Owner;
use serde::{Deserialize, Serialize};

use crate::deed::Execution;

/// Rows by table.
pub type Rows = BTreeMap<String, u64>;

/// Whom to erase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// The person, or the account.
    pub owner: Owner,
    /// Names a person speaks under in scopes of accounts besides their own id, as turns give them.
    pub names: Vec<String>,
    /// Whether it is done, or only worked out.
    pub execution: Execution,
}

impl Erasure {
    /// The erasure of an owner who goes by their own id alone.
    pub fn of(owner: Owner) -> Self {
        Self { owner, names: Vec::new(), execution: Execution::Real }
    }

    /// Whose turns in scopes of accounts are the person's. An account speaks nowhere.
    pub(crate) fn speakers(&self) -> BTreeSet<String> {
        match &self.owner {
            Owner::User(id) => self.names.iter().chain([id]).cloned().collect(),
            Owner::Account(_) => BTreeSet::new(),
        }
    }
}

/// What an erasure took away.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Rows of the person's own scopes by table.
    pub rows: Rows,
    /// What was theirs in scopes of accounts.
    pub accounts: Vec<OfAccount>,
    /// When, by the database's clock.
    pub erased_at: Moment,
}

impl Receipt {
    /// Whether there was anything to take away.
    pub fn found(&self) -> bool {
        self.rows.values().chain(self.accounts.iter().flat_map(|of| of.rows.values())).any(|rows| *rows > 0)
    }
}

/// What an erasure took out of one scope of an account: the person's turns, their quotes, and what only they said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfAccount {
    /// The account.
    pub account: String,
    /// The agent of the scope, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Rows by table.
    pub rows: Rows,
    /// Memories about the person that stay, since others said them in their own words.
    pub told_by_others: u64,
}
