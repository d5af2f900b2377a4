//! The keys of keyed hashes: where they come from, and that none is missing.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use recall_core::keys::{Key, KeyRing};
use recall_store::{KeyFault, SqlStore};
use secrecy::ExposeSecret;

use super::explained;
use crate::config::{Config, StoreUrl};

/// The key of keyed hashes: configured, or generated once beside the embedded store.
pub(crate) fn keys(config: &Config) -> anyhow::Result<KeyRing> {
    let secret = config.keys.secret.expose_secret();
    let secret = match (&config.store.url, secret.is_empty()) {
        (_, false) => secret.as_bytes().to_vec(),
        (StoreUrl::Embedded, true) => generated(&config.data_dir)?,
        (StoreUrl::Postgres(_), true) => {
            bail!("keys.secret is not set; a fleet needs one, the same for every process (RECALL__KEYS__SECRET)")
        }
    };
    let older = config.keys.older.iter().map(|key| Key::new(&key.id, key.secret.expose_secret().as_bytes()));
    let ring = KeyRing::new(Key::new(&config.keys.id, secret), older.collect());
    let ids: Vec<&str> = ring.all().map(Key::id).collect();
    if let Some(twice) = ids.iter().enumerate().find(|(at, id)| ids.iter().skip(at + 1).any(|other| other == *id)) {
        bail!("keys.id and keys.older name \"{}\" twice; every secret has an id of its own", twice.1);
    }
    Ok(ring)
}

fn generated(data_dir: &Path) -> anyhow::Result<Vec<u8>> {
    let path = data_dir.join("key");
    match std::fs::read(&path) {
        Ok(key) if key.len() == 32 => return Ok(key),
        Ok(_) => bail!("{} is no key of 32 bytes", path.display()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
    std::fs::create_dir_all(data_dir).with_context(|| format!("cannot make {}", data_dir.display()))?;
    let key: [u8; 32] = rand::random();
    // Written whole under another name first: two starters then agree on whichever came first.
    let mut file = tempfile::Builder::new().prefix("key").tempfile_in(data_dir)?;
    file.write_all(&key)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(&path) {
        Ok(_) => Ok(key.to_vec()),
        Err(_) => Ok(std::fs::read(&path)?),
    }
}

/// Writes down which keys are used.
///
/// # Errors
/// One has another secret than before, or one that hashes were made with is missing.
pub(super) async fn fix(store: &SqlStore) -> anyhow::Result<()> {
    match store.fix_keys().await.map_err(explained)? {
        None => Ok(()),
        Some(KeyFault::Other(id)) => bail!(
            "the secret of the key \"{id}\" is not the one this installation used under that id before: deleted claims and known turns \
             would not be recognised; set the secret back, or move it to keys.older and give a new one a new id"
        ),
        Some(KeyFault::Missing(id)) => bail!(
            "hashes of this installation were made with the key \"{id}\", which is neither keys.id nor in keys.older: deleted claims \
             would be learnt again; add it to keys.older with its secret"
        ),
    }
}
