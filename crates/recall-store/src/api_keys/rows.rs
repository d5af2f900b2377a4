//! Keys as rows: the statements about them, and how a row is read.

use recall_core::id::ApiKeyId;
use serde::Deserialize;

use super::{SecretPrint, StoredKey};
use crate::StoreError;
use crate::dialect::Statement;
use crate::stored_memory::utc;

/// A key `k` as JSON.
macro_rules! key_json {
    () => {
        "CAST({object}('id', k.key_id, 'namespace', k.namespace, 'role', k.role, 'label', k.label, 'prefix', k.prefix,
            'secret_hash', k.secret_hash, 'hash_key', k.hash_key, 'salt', k.salt, 'former_hash', k.former_hash,
            'former_key', k.former_key, 'former_salt', k.former_salt, 'former_until', k.former_until,
            'created_at', k.created_at, 'created_by', k.created_by, 'expires_at', k.expires_at,
            'revoked_at', k.revoked_at, 'last_used_at', k.last_used_at, 'now', {now}) AS TEXT)"
    };
}
pub(super) use key_json;

pub(crate) static FIND: Statement =
    Statement::new(concat!("SELECT ", key_json!(), " FROM api_keys k WHERE k.key_id = $1"));

/// Whether there ever was a key; one that is revoked counts.
pub(crate) static ANY: Statement =
    Statement::new("SELECT CAST(count(*) AS TEXT) FROM (SELECT 1 FROM api_keys LIMIT 1) one");

pub(crate) static CREATE: Statement = Statement::new(
    "INSERT INTO api_keys (key_id, namespace, role, label, prefix, secret_hash, hash_key, salt, created_at, created_by,
        expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, {now}, $9, nullif($10, 0))",
);

pub(crate) static ROTATE: Statement = Statement::new(
    "UPDATE api_keys SET former_hash = secret_hash, former_key = hash_key, former_salt = salt, former_until = {now} + $6,
        prefix = $2, secret_hash = $3, hash_key = $4, salt = $5
    WHERE key_id = $1 AND revoked_at IS NULL",
);

pub(crate) static REVOKE: Statement =
    Statement::new("UPDATE api_keys SET revoked_at = {now} WHERE key_id = $1 AND revoked_at IS NULL");

pub(crate) static USED: Statement =
    Statement::new("UPDATE api_keys SET last_used_at = {now} WHERE key_id {in texts $1}");

#[derive(Deserialize)]
pub(super) struct Stored {
    id: ApiKeyId,
    namespace: String,
    role: String,
    label: String,
    prefix: String,
    secret_hash: String,
    hash_key: String,
    salt: Option<String>,
    former_hash: Option<String>,
    former_key: Option<String>,
    former_salt: Option<String>,
    former_until: Option<i64>,
    created_at: i64,
    created_by: String,
    expires_at: Option<i64>,
    revoked_at: Option<i64>,
    last_used_at: Option<i64>,
    /// The database's clock.
    pub(super) now: i64,
}

impl Stored {
    /// The key of the row.
    pub(super) fn into_key(self) -> Result<StoredKey, StoreError> {
        let former = match (self.former_hash, self.former_key, self.former_until) {
            (Some(hash), Some(hash_key), Some(until)) => {
                Some((SecretPrint { hash, hash_key, salt: self.former_salt }, utc(until)?))
            }
            (_, _, _) => None,
        };
        Ok(StoredKey {
            id: self.id,
            namespace: self.namespace,
            role: self.role,
            label: self.label,
            prefix: self.prefix,
            secret: SecretPrint { hash: self.secret_hash, hash_key: self.hash_key, salt: self.salt },
            former,
            created_at: utc(self.created_at)?,
            created_by: self.created_by,
            expires_at: self.expires_at.map(utc).transpose()?,
            revoked_at: self.revoked_at.map(utc).transpose()?,
            last_used_at: self.last_used_at.map(utc).transpose()?,
        })
    }
}
