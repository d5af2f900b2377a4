//! Keyed hashes: what must be recognised again but not kept as words is kept as an HMAC.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// A secret for keyed hashes, with the id that is stored beside what it made.
#[derive(Clone)]
pub struct Key {
    id: String,
    secret: Vec<u8>,
}

impl Key {
    /// A key from its id and secret bytes (any length; 32 random bytes are right).
    pub fn new(id: impl Into<String>, secret: impl Into<Vec<u8>>) -> Self {
        Self { id: id.into(), secret: secret.into() }
    }

    /// The id stored beside hashes of this key.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// HMAC-SHA-256 over the parts, each closed by its length so that no two lists meet.
    pub fn digest(&self, parts: &[&str]) -> [u8; 32] {
        self.mac(parts).finalize().into_bytes().into()
    }

    /// Whether [`Key::digest`] of the parts is this, told in a time that does not depend on where they differ.
    pub fn vouches(&self, parts: &[&str], digest: &[u8]) -> bool {
        self.mac(parts).verify_slice(digest).is_ok()
    }

    fn mac(&self, parts: &[&str]) -> Hmac<Sha256> {
        // HMAC takes keys of every length, so the error case cannot occur; an empty key is its honest stand-in.
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.secret).unwrap_or_else(|_| Hmac::<Sha256>::new(&Default::default()));
        for part in parts {
            mac.update(part.as_bytes());
            mac.update(&(part.len() as u64).to_be_bytes());
        }
        mac
    }

    /// The first 16 bytes of [`Key::digest`] as 32 hexadecimal digits.
    pub fn fingerprint(&self, parts: &[&str]) -> String {
        hex::encode(self.digest(parts).iter().take(16).copied().collect::<Vec<u8>>())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The current key and those that older hashes were made with.
#[derive(Debug, Clone)]
pub struct KeyRing {
    current: Key,
    older: Vec<Key>,
}

impl KeyRing {
    /// A ring of the key new hashes are made with and the ones kept for reading, the oldest last.
    pub fn new(current: Key, older: Vec<Key>) -> Self {
        Self { current, older }
    }

    /// The key new hashes are made with.
    pub fn current(&self) -> &Key {
        &self.current
    }

    /// The key ids are derived with: the oldest kept, so that they stay the same when new hashes get a new key.
    pub fn lasting(&self) -> &Key {
        self.older.last().unwrap_or(&self.current)
    }

    /// Every key, the current one first, the oldest last.
    pub fn all(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.current).chain(&self.older)
    }

    /// The key of an id, where it is still kept.
    pub fn get(&self, id: &str) -> Option<&Key> {
        self.all().find(|key| key.id == id)
    }
}
