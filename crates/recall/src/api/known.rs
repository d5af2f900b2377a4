//! The keys that are known: those of the configuration, and those of the store, of which each is believed for some seconds without
//! asking again.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use recall_core::id::ApiKeyId;
use recall_core::keys::KeyRing;
use recall_core::moment::Moment;
use recall_store::api_keys::{SecretPrint, StoredKey};
use recall_store::deed::Actor;
use recall_store::{SqlStore, StoreError};
use secrecy::{ExposeSecret, SecretString};

use super::Keyholder;
use super::problem::Problem;
use super::tokens;
use crate::config::{ApiKeyConfig, ApiRole};
use crate::secrets;

/// How long a key is believed as it was read: a revoked one is dead after so long.
const BELIEVED: Duration = Duration::from_secs(5);
/// While the database does not answer, a key is taken as it was read last for so long: calls must go on into the queue.
const BELIEVED_ALONE: Duration = Duration::from_secs(600);
/// How long a known key waits for the database before it is taken as it was.
const PATIENCE: Duration = Duration::from_secs(1);
/// A secret that does not fit what is believed may be a new one: the database is asked again, at most so often for each key.
const DOUBTED: Duration = Duration::from_secs(1);
/// Keys remembered, unknown ones included.
const MOST: usize = 10_000;

/// What was read of a key.
#[derive(Clone)]
struct Seen {
    /// When it was read.
    read: Instant,
    /// When the database was asked last, whether or not it answered; `None` where it has to be asked again.
    asked: Option<Instant>,
    /// When a secret that did not fit made it be asked again.
    doubted: Option<Instant>,
    key: Option<Arc<StoredKey>>,
}

/// The keys that are known.
pub(crate) struct Keys {
    ring: Arc<KeyRing>,
    configured: Vec<([u8; 32], Keyholder)>,
    store: Arc<SqlStore>,
    seen: Mutex<HashMap<ApiKeyId, Seen>>,
    used: Mutex<HashSet<ApiKeyId>>,
    /// When the store was asked last whether there ever was a key, and what it said.
    any: Mutex<Option<(Instant, bool)>>,
}

impl Keys {
    /// The keys of the configuration, and those of a store.
    pub(crate) fn new(ring: Arc<KeyRing>, keys: &[ApiKeyConfig], store: Arc<SqlStore>) -> Self {
        let configured = keys.iter().map(|key| {
            let holder = Keyholder {
                actor: Actor::ApiKey(key.name.clone()),
                namespace: key.namespace.clone(),
                role: key.role,
                owner: None,
            };
            (ring.current().digest(&configured(key.key.expose_secret())), holder)
        });
        let configured = configured.collect();
        let (seen, used, any) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { ring, configured, store, seen, used, any }
    }

    /// Whether there is no key and never was one: then this host is trusted. One that is revoked does not open the door again.
    ///
    /// # Errors
    /// The database is away and was never asked before.
    pub(crate) async fn are_none(&self) -> Result<bool, Problem> {
        if !self.configured.is_empty() {
            return Ok(false);
        }
        let last = *lock(&self.any);
        match last {
            Some((_, true)) => return Ok(false),
            Some((asked, false)) if asked.elapsed() < BELIEVED => return Ok(true),
            Some((_, false)) | None => {}
        }
        let there = match (patient(last.is_some(), self.store.has_api_keys()).await, last) {
            (Ok(there), _) => there,
            (Err(_), Some((_, before))) => before,
            (Err(error), None) => return Err(error.into()),
        };
        *lock(&self.any) = Some((Instant::now(), there));
        Ok(!there)
    }

    /// Who comes with this.
    ///
    /// # Errors
    /// 401, the same for a key that never was, one that is over, and a wrong secret; 503 where the database would have to say.
    pub(super) async fn holder(&self, bearer: Option<&str>) -> Result<Keyholder, Problem> {
        if self.are_none().await? {
            let (actor, namespace) = (Actor::Operator("local".into()), "*".to_owned());
            return Ok(Keyholder { actor, namespace, role: ApiRole::Admin, owner: None });
        }
        let bearer = bearer.ok_or_else(Problem::unauthorised)?;
        let vouched =
            self.configured.iter().find(|(digest, _)| self.ring.current().vouches(&configured(bearer), digest));
        if let Some((_, holder)) = vouched {
            return Ok(holder.clone());
        }
        let found = match secrets::parts(bearer) {
            Some((id, digits)) => self.by_key(&id, digits).await?,
            None => self.by_token(bearer).await?,
        };
        found.ok_or_else(Problem::unauthorised)
    }

    async fn by_key(&self, id: &ApiKeyId, digits: &str) -> Result<Option<Keyholder>, StoreError> {
        self.vouched(id, |key| {
            let right = taken(key).any(|print| secrets::is(&self.ring, id, print, digits));
            let role = ApiRole::named(&key.role).filter(|_| right)?;
            let (actor, namespace) = (Actor::ApiKey(id.to_string()), key.namespace.clone());
            Some(Keyholder { actor, namespace, role, owner: None })
        })
        .await
    }

    async fn by_token(&self, token: &str) -> Result<Option<Keyholder>, StoreError> {
        let Some(issuer) = tokens::issuer(token) else { return Ok(None) };
        self.vouched(&issuer, |key| {
            let secrets: Vec<SecretString> =
                taken(key).filter_map(|print| secrets::signing(&self.ring, &issuer, print)).collect();
            let said = tokens::read(token, &secrets, crate::clock::now().microseconds() / 1_000_000)?;
            let its_own = key.namespace == "*" || key.namespace == said.namespace;
            its_own.then_some(Keyholder {
                actor: Actor::User(said.person),
                namespace: said.namespace,
                role: ApiRole::User,
                owner: Some(said.owner),
            })
        })
        .await
    }

    /// Whom a key vouches for, as it is believed to be or, where that does not fit, as it is now.
    async fn vouched(
        &self,
        id: &ApiKeyId,
        fits: impl Fn(&StoredKey) -> Option<Keyholder>,
    ) -> Result<Option<Keyholder>, StoreError> {
        let mut holder = self.live(id).await?.and_then(|key| fits(&key));
        if holder.is_none() && self.doubt(id) {
            holder = self.live(id).await?.and_then(|key| fits(&key));
        }
        if holder.is_some() {
            lock(&self.used).insert(id.clone());
        }
        Ok(holder)
    }

    /// Has a key read again, where it was not doubted a moment ago.
    fn doubt(&self, id: &ApiKeyId) -> bool {
        let mut all = lock(&self.seen);
        let Some(seen) = all.get_mut(id) else { return false };
        if seen.doubted.is_some_and(|at| at.elapsed() < DOUBTED) {
            return false;
        }
        (seen.asked, seen.doubted) = (None, Some(Instant::now()));
        true
    }

    /// A key that is neither over nor revoked.
    async fn live(&self, id: &ApiKeyId) -> Result<Option<Arc<StoredKey>>, StoreError> {
        let key = self.known(id).await?;
        let now = crate::clock::now();
        Ok(key.filter(|key| key.revoked_at.is_none() && key.expires_at.is_none_or(|end| is_before(now, end))))
    }

    async fn known(&self, id: &ApiKeyId) -> Result<Option<Arc<StoredKey>>, StoreError> {
        let before = lock(&self.seen).get(id).cloned();
        let is_fresh = |seen: &&Seen| seen.asked.is_some_and(|asked| asked.elapsed() < BELIEVED);
        if let Some(seen) = before.as_ref().filter(is_fresh) {
            return Ok(seen.key.clone());
        }
        let now = Instant::now();
        let doubted = before.as_ref().and_then(|seen| seen.doubted);
        let seen = match (patient(before.is_some(), self.store.api_key(id)).await, before) {
            (Ok(found), _) => Seen { read: now, asked: Some(now), doubted, key: found.map(Arc::new) },
            (Err(_), Some(before)) if before.read.elapsed() < BELIEVED_ALONE => Seen { asked: Some(now), ..before },
            (Err(error), _) => return Err(error),
        };
        let key = seen.key.clone();
        let mut all = lock(&self.seen);
        if all.len() >= MOST {
            all.retain(|_, seen| seen.key.is_some() && seen.read.elapsed() < BELIEVED);
        }
        if all.len() < MOST {
            all.insert(id.clone(), seen);
        }
        Ok(key)
    }

    /// Forgets what was read of a key: in this process a change holds at once.
    pub(super) fn changed(&self, id: &ApiKeyId) {
        lock(&self.seen).remove(id);
        *lock(&self.any) = None;
    }

    /// Writes down which keys were used since it was asked last.
    pub(crate) async fn note_used(&self) {
        let used: Vec<ApiKeyId> = std::mem::take(&mut *lock(&self.used)).into_iter().collect();
        if used.is_empty() {
            return;
        }
        if let Err(error) = self.store.keys_used(&used).await {
            tracing::warn!(error = %error, "that keys were used could not be written down");
        }
    }
}

/// The secrets of a key that are taken now: its own, and for a while the one before.
fn taken(key: &StoredKey) -> impl Iterator<Item = &SecretPrint> {
    let former = key.former.as_ref().filter(|(_, until)| is_before(crate::clock::now(), *until));
    std::iter::once(&key.secret).chain(former.map(|(print, _)| print))
}

fn is_before(one: Moment, other: Moment) -> bool {
    one.microseconds() < other.microseconds()
}

fn configured(secret: &str) -> [&str; 2] {
    ["api-key", secret]
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the store: for a moment only where something is known that can stand in.
async fn patient<T>(is_known: bool, asking: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    if !is_known {
        return asking.await;
    }
    tokio::time::timeout(PATIENCE, asking).await.unwrap_or(Err(StoreError::Unavailable(None)))
}
