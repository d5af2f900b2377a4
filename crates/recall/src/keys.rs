//! Keys of callers as people make them, over HTTP and on the command line alike: checked, given a secret, and written down.

use recall_core::id::ApiKeyId;
use recall_core::keys::KeyRing;
use recall_core::moment::Moment;
use recall_store::api_keys::{NewKey, StoredKey};
use recall_store::deed::Deed;
use recall_store::record::Tenants;
use recall_store::{SqlStore, StoreError};
use secrecy::SecretString;

use crate::config::ApiRole;
use crate::door::fault_of_words;
use crate::secrets;

/// The longest time a former secret is taken: 30 days.
pub(crate) const MAX_GRACE_SECONDS: u32 = 30 * 24 * 3600;
/// The longest label, in bytes.
const MAX_LABEL_BYTES: usize = 100;
/// The longest name of a namespace, in bytes.
const MAX_NAMESPACE_BYTES: usize = 256;

/// A key as it is asked for.
pub(crate) struct Wanted {
    pub namespace: String,
    pub role: String,
    pub label: String,
    pub expires_at: Option<Moment>,
}

/// A key with its secret, which is nowhere else.
pub(crate) struct Made {
    pub key: StoredKey,
    pub secret: SecretString,
}

/// Why a key is not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    /// A field is wrong.
    #[error("{0} {1}")]
    Field(&'static str, String),
    /// The store did not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a key.
pub(crate) async fn create(store: &SqlStore, ring: &KeyRing, wanted: Wanted, deed: &Deed) -> Result<Made, Refused> {
    let role = ApiRole::named(&wanted.role)
        .filter(|role| *role != ApiRole::User)
        .ok_or_else(|| Refused::Field("role", "must be service, support, detector, agent, admin or issuer".into()))?;
    if let Some(fault) = fault_of_words(&wanted.label, MAX_LABEL_BYTES) {
        return Err(Refused::Field("label", fault));
    }
    let fault = (wanted.namespace != "*").then(|| fault_of_words(&wanted.namespace, MAX_NAMESPACE_BYTES)).flatten();
    if let Some(fault) = fault {
        return Err(Refused::Field("namespace", format!("{fault}, or \"*\"")));
    }
    if wanted.expires_at.is_some_and(|end| end.microseconds() <= crate::clock::now().microseconds()) {
        return Err(Refused::Field("expires_at", "is over already".into()));
    }
    let id = secrets::fresh_id();
    let fresh = secrets::fresh(ring, &id, role);
    let key = NewKey {
        id,
        namespace: wanted.namespace,
        role: role.as_str().to_owned(),
        label: wanted.label.trim().to_owned(),
        prefix: fresh.prefix,
        secret: fresh.print,
        expires_at: wanted.expires_at,
    };
    Ok(Made { key: store.create_key(&key, deed).await?, secret: fresh.secret })
}

/// Gives a key another secret; the one before is taken for so many seconds more.
pub(crate) async fn rotate(
    store: &SqlStore,
    ring: &KeyRing,
    (tenants, id): (&Tenants, &ApiKeyId),
    (grace_seconds, deed): (u32, &Deed),
) -> Result<Made, StoreError> {
    let there = store.api_key(id).await?.ok_or(StoreError::Missing("key"))?;
    let role = ApiRole::named(&there.role).ok_or_else(|| StoreError::Corrupt("api_keys.role".into()))?;
    let fresh = secrets::fresh(ring, id, role);
    let with = (fresh.prefix.as_str(), &fresh.print, grace_seconds);
    Ok(Made { key: store.rotate_key((tenants, id), with, deed).await?, secret: fresh.secret })
}
