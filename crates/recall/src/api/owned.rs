//! Query parameters about what one owner holds: whose, in which tenant, and which part of a list. Once, so that every list asks alike.

use recall_core::scope::Owner;
use recall_store::record::PageRequest;
use serde::Deserialize;
use utoipa::IntoParams;

use super::Keyholder;
use super::memories::{limit, owner, wrong};
use super::problem::Problem;

/// Whose.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Whose {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
    /// This person; exactly one of `user_id` and `account_id`.
    user_id: Option<String>,
    /// This account.
    account_id: Option<String>,
}

impl Whose {
    /// Tenant and owner.
    pub(super) fn named(self, keyholder: &Keyholder) -> Result<(String, Owner), Problem> {
        let owner = keyholder.owner(owner(self.user_id, self.account_id)?)?;
        Ok((keyholder.namespace(self.namespace.as_deref())?, one(owner)?))
    }
}

/// Part of a list of what owners hold.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Owned {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
    /// Of this person; at most one of `user_id` and `account_id`.
    user_id: Option<String>,
    /// Of this account.
    account_id: Option<String>,
    /// At most this many, 1 to 500; 50 where absent.
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

impl Owned {
    /// Tenant, owner where one is named, and page.
    pub(super) fn asked(self, keyholder: &Keyholder) -> Result<(String, Option<Owner>, PageRequest), Problem> {
        let namespace = keyholder.namespace(self.namespace.as_deref())?;
        let page = PageRequest { limit: limit(self.limit)?, cursor: self.cursor };
        Ok((namespace, keyholder.owner(owner(self.user_id, self.account_id)?)?, page))
    }

    /// The same of a list that is always of one owner.
    pub(super) fn of_one(self, keyholder: &Keyholder) -> Result<(String, Owner, PageRequest), Problem> {
        let (namespace, owner, page) = self.asked(keyholder)?;
        Ok((namespace, one(owner)?, page))
    }
}

/// A request that is about exactly one owner has to name it.
pub(super) fn one(owner: Option<Owner>) -> Result<Owner, Problem> {
    owner.ok_or_else(|| wrong("user_id", "name whose: user_id or account_id"))
}
