//! Keys of callers: made, rotated, revoked and found. A secret is never here, only its keyed hash; every change is an audit row.

mod rows;

use recall_core::id::{ApiKeyId, AuditId};
use recall_core::moment::Moment;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::AnyConnection;
use ulid::Ulid;

use crate::deed::Deed;
use crate::dialect::Statement;
use crate::fence::{Reach, Work};
use crate::list::{self, Place, Query};
use crate::record::{Page, PageRequest, Tenants};
use crate::repair::insert_rows;
use crate::rows::AuditRow;
use crate::sql::{self, Arg};
use crate::table::Json;
use crate::{SqlStore, StoreError};
pub(crate) use rows::{ANY, CREATE, FIND, REVOKE, ROTATE, USED};
use rows::{Stored, key_json};

/// What is kept of a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretPrint {
    /// Its keyed hash, in hexadecimal digits.
    pub hash: String,
    /// The id of the key the hash was made with.
    pub hash_key: String,
    /// What it is derived with, of a key that signs tokens of users.
    pub salt: Option<String>,
}

/// A key to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewKey {
    /// Its id.
    pub id: ApiKeyId,
    /// The tenant, or `*`.
    pub namespace: String,
    /// What it may do.
    pub role: String,
    /// What people call it.
    pub label: String,
    /// The beginning of the key, shown so that people can tell secrets apart.
    pub prefix: String,
    /// What is kept of its secret.
    pub secret: SecretPrint,
    /// Until when it is taken; for ever where absent.
    pub expires_at: Option<Moment>,
}

/// A key as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredKey {
    /// Its id.
    pub id: ApiKeyId,
    /// The tenant, or `*`.
    pub namespace: String,
    /// What it may do.
    pub role: String,
    /// What people call it.
    pub label: String,
    /// The beginning of the key.
    pub prefix: String,
    /// What is kept of its secret.
    pub secret: SecretPrint,
    /// The secret before the last rotation, and until when it is taken.
    pub former: Option<(SecretPrint, Moment)>,
    /// When it was made.
    pub created_at: Moment,
    /// By whom.
    pub created_by: String,
    /// Until when it is taken.
    pub expires_at: Option<Moment>,
    /// Since when it is not taken any more.
    pub revoked_at: Option<Moment>,
    /// When it was used last, to the minute.
    pub last_used_at: Option<Moment>,
}

impl SqlStore {
    /// Makes a key.
    ///
    /// # Errors
    /// The database is away.
    pub async fn create_key(&self, key: &NewKey, deed: &Deed) -> Result<StoredKey, StoreError> {
        self.within(create(self, key, deed)).await
    }

    /// Gives a key another secret; the one before is taken for `grace_seconds` more.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where these tenants have no such key; [`StoreError::Conflict`] where it is revoked.
    pub async fn rotate_key(
        &self,
        (tenants, id): (&Tenants, &ApiKeyId),
        (prefix, secret, grace_seconds): (&str, &SecretPrint, u32),
        deed: &Deed,
    ) -> Result<StoredKey, StoreError> {
        let args = vec![
            Arg::from(id.as_str()),
            Arg::from(prefix),
            Arg::from(secret.hash.as_str()),
            Arg::from(secret.hash_key.as_str()),
            Arg::Maybe(secret.salt.clone()),
            Arg::Number(i64::from(grace_seconds) * 1_000_000),
        ];
        let noted = json!({ "grace_seconds": grace_seconds, "prefix": prefix });
        self.within(change(self, (tenants, id), (&ROTATE, args), ("key_rotate", noted), deed)).await
    }

    /// Takes a key and every secret of it out of use for good.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where these tenants have no such key; [`StoreError::Conflict`] where it was revoked before.
    pub async fn revoke_key(&self, (tenants, id): (&Tenants, &ApiKeyId), deed: &Deed) -> Result<StoredKey, StoreError> {
        let args = vec![Arg::from(id.as_str())];
        self.within(change(self, (tenants, id), (&REVOKE, args), ("key_revoke", json!({})), deed)).await
    }

    /// Keys, newest first, revoked ones included.
    ///
    /// # Errors
    /// The database is away.
    pub async fn api_keys(&self, tenants: &Tenants, page: &PageRequest) -> Result<Page<StoredKey>, StoreError> {
        self.within(keys(self, tenants, page)).await
    }

    /// The key of an id, whosever it is.
    ///
    /// # Errors
    /// The database is away.
    pub async fn api_key(&self, id: &ApiKeyId) -> Result<Option<StoredKey>, StoreError> {
        self.within(async {
            find(self, &mut *self.reader(Reach::Every(Work::Keys)).await?, id)
                .await
                .map(|found| found.map(|(key, _)| key))
        })
        .await
    }

    /// Whether there is a key, or ever was one.
    ///
    /// # Errors
    /// The database is away.
    pub async fn has_api_keys(&self) -> Result<bool, StoreError> {
        self.within(async {
            let count: Option<i64> =
                sql::one(&mut *self.reader(Reach::Every(Work::Keys)).await?, self.text(&ANY), Vec::new()).await?;
            Ok(count.unwrap_or_default() > 0)
        })
        .await
    }

    /// Notes that keys were used within the last minute.
    ///
    /// # Errors
    /// The database is away.
    pub async fn keys_used(&self, ids: &[ApiKeyId]) -> Result<(), StoreError> {
        self.within(async {
            let mut work = self.begin(Reach::Every(Work::Keys)).await?;
            sql::execute(&mut work, self.text(&USED), vec![sql::json(&ids)?]).await?;
            Ok(work.commit().await?)
        })
        .await
    }
}

async fn find(
    store: &SqlStore,
    work: &mut AnyConnection,
    id: &ApiKeyId,
) -> Result<Option<(StoredKey, i64)>, StoreError> {
    let found: Option<Stored> = sql::one(work, store.text(&FIND), vec![Arg::from(id.as_str())]).await?;
    found
        .map(|stored| {
            let now = stored.now;
            Ok((stored.into_key()?, now))
        })
        .transpose()
}

async fn create(store: &SqlStore, key: &NewKey, deed: &Deed) -> Result<StoredKey, StoreError> {
    let args = vec![
        Arg::from(key.id.as_str()),
        Arg::from(key.namespace.as_str()),
        Arg::from(key.role.as_str()),
        Arg::from(key.label.as_str()),
        Arg::from(key.prefix.as_str()),
        Arg::from(key.secret.hash.as_str()),
        Arg::from(key.secret.hash_key.as_str()),
        Arg::Maybe(key.secret.salt.clone()),
        Arg::Text(deed.actor.to_string()),
        Arg::Number(key.expires_at.map(Moment::microseconds).unwrap_or_default()),
    ];
    let mut work = store.begin(Reach::Every(Work::Keys)).await?;
    sql::execute(&mut work, store.text(&CREATE), args).await?;
    let noted = json!({ "prefix": key.prefix, "expires_at": key.expires_at.map(|at| at.to_string()) });
    let made = note(store, &mut work, &key.id, ("key_create", noted), deed).await?;
    work.commit().await?;
    Ok(made)
}

async fn change(
    store: &SqlStore,
    (tenants, id): (&Tenants, &ApiKeyId),
    (how, args): (&'static Statement, Vec<Arg>),
    noted: (&'static str, Value),
    deed: &Deed,
) -> Result<StoredKey, StoreError> {
    let mut work = store.begin(Reach::Every(Work::Keys)).await?;
    let (there, _) = find(store, &mut work, id).await?.ok_or(StoreError::Missing("key"))?;
    if let Tenants::One(own) = tenants
        && *own != there.namespace
    {
        return Err(StoreError::Missing("key"));
    }
    if sql::execute(&mut work, store.text(how), args).await? == 0 {
        return Err(StoreError::Conflict("the key is revoked; make another one"));
    }
    let changed = note(store, &mut work, id, noted, deed).await?;
    work.commit().await?;
    Ok(changed)
}

/// The key as it stands now, with the audit row of what was done to it.
async fn note(
    store: &SqlStore,
    work: &mut AnyConnection,
    id: &ApiKeyId,
    (event, noted): (&str, Value),
    deed: &Deed,
) -> Result<StoredKey, StoreError> {
    let (key, now) = find(store, work, id).await?.ok_or(StoreError::Missing("key"))?;
    let digest = Sha256::digest(format!("{id} {event} {now}"));
    let random = digest.iter().take(16).fold(0, |sum, byte| (sum << 8) | u128::from(*byte));
    let audit_id = AuditId::new(Ulid::from_parts(u64::try_from(now / 1000).unwrap_or_default(), random));
    let mut after = json!({ "key_id": id, "label": key.label, "role": key.role });
    if let (Value::Object(after), Value::Object(noted)) = (&mut after, noted) {
        after.extend(noted);
    }
    let row = AuditRow {
        audit_id: audit_id.as_str().to_owned(),
        event_type: event.to_owned(),
        namespace: key.namespace.clone(),
        scope_id: None,
        memory_id: None,
        actor: deed.actor.to_string(),
        trace_id: None,
        at: now,
        reason: Some(deed.reason.clone()),
        before: None,
        after: Some(Json(after)),
        verdict: None,
    };
    insert_rows(store, work, &[row]).await?;
    Ok(key)
}

async fn keys(store: &SqlStore, tenants: &Tenants, page: &PageRequest) -> Result<Page<StoredKey>, StoreError> {
    let mut query = Query::new(concat!("SELECT ", key_json!(), " FROM api_keys k WHERE true"));
    if let Tenants::One(own) = tenants {
        query.with(" AND k.namespace = ?", own.as_str().into());
    }
    query.newest_first(("k.created_at", "k.key_id"), &Place::after(page)?, page);
    let mut connection = store.reader(Reach::Every(Work::Keys)).await?;
    let stored: Vec<Stored> = sql::many(&mut connection, query.sql(store.dialect), query.args).await?;
    let keys = stored.into_iter().map(Stored::into_key).collect::<Result<Vec<_>, _>>()?;
    Ok(list::page(keys, page, |key| Place { at: key.created_at.microseconds(), id: key.id.as_str().to_owned() }))
}
