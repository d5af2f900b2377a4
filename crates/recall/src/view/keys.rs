//! What callers see of keys: everything but the secret.

use recall_core::moment::Moment;
use recall_store::api_keys::StoredKey;
use serde::Serialize;
use utoipa::ToSchema;

/// A key.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyView {
    /// Its id (`key_…`); stands in the audit log as `api_key:key_…`.
    pub key_id: String,
    /// What its secret begins with.
    pub prefix: String,
    /// The tenant, or `*`.
    pub namespace: String,
    /// What it may do.
    pub role: String,
    /// What people call it.
    pub label: String,
    /// `active`, `expired` or `revoked`.
    pub status: &'static str,
    /// When it was made.
    pub created_at: String,
    /// By whom.
    pub created_by: String,
    /// Until when it is taken.
    pub expires_at: Option<String>,
    /// Since when it is not taken any more.
    pub revoked_at: Option<String>,
    /// When it was used last, to the minute.
    pub last_used_at: Option<String>,
    /// Until when the secret before the last rotation is taken, too.
    pub former_until: Option<String>,
}

impl From<StoredKey> for KeyView {
    fn from(key: StoredKey) -> Self {
        let text = |moment: Option<Moment>| moment.map(|moment| moment.to_string());
        let now = crate::clock::now().microseconds();
        let is_over = |end: &Moment| end.microseconds() <= now;
        let status = match (&key.revoked_at, &key.expires_at) {
            (Some(_), _) => "revoked",
            (None, Some(end)) if is_over(end) => "expired",
            (None, _) => "active",
        };
        let former = key.former.map(|(_, until)| until).filter(|until| status == "active" && !is_over(until));
        Self {
            key_id: key.id.to_string(),
            prefix: key.prefix,
            namespace: key.namespace,
            role: key.role,
            label: key.label,
            status,
            created_at: key.created_at.to_string(),
            created_by: key.created_by,
            expires_at: text(key.expires_at),
            revoked_at: text(key.revoked_at),
            last_used_at: text(key.last_used_at),
            former_until: text(former),
        }
    }
}
