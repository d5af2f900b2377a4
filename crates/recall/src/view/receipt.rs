//! The receipt of an erasure, as callers see it.

use std::collections::BTreeMap;

use recall_store::erasure::{OfAccount, Receipt};
use serde::Serialize;
use utoipa::ToSchema;

/// What an erasure took away.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReceiptView {
    /// Whether there was anything of theirs in this namespace; calls that wait in a queue are dropped when they arrive all the same.
    pub found: bool,
    /// Rows by table.
    pub rows: BTreeMap<String, u64>,
    /// What was the person's in scopes of accounts: their turns, the quotes from them, and what only they said.
    pub accounts: Vec<OfAccountView>,
    /// When, by the database's clock.
    pub erased_at: String,
}

/// What was taken out of one scope of an account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OfAccountView {
    /// The account.
    pub account_id: String,
    /// The agent of the scope, where it has one.
    pub agent_id: Option<String>,
    /// Rows by table.
    pub rows: BTreeMap<String, u64>,
    /// Memories about the person that stay, since others said them in their own words.
    pub told_by_others: u64,
}

impl From<Receipt> for ReceiptView {
    fn from(receipt: Receipt) -> Self {
        let found = receipt.found();
        let accounts = receipt.accounts.into_iter().map(OfAccountView::from).collect();
        Self { found, rows: receipt.rows, accounts, erased_at: receipt.erased_at.to_string() }
    }
}

impl From<OfAccount> for OfAccountView {
    fn from(of: OfAccount) -> Self {
        let OfAccount { account, agent, rows, told_by_others } = of;
        Self { account_id: account, agent_id: agent, rows, told_by_others }
    }
}
