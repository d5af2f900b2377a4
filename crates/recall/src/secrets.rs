//! Secrets of keys: how they look, how they are made, and what is kept of them.
//!
//! A key is `rcl_`, the ULID of its id, `_`, and 64 hexadecimal digits. The id is no secret; it says where to look. An issuer's secret is
//! the 64 digits alone: it never travels, it signs.

use recall_core::id::ApiKeyId;
use recall_core::keys::KeyRing;
use recall_store::api_keys::SecretPrint;
use secrecy::SecretString;
use ulid::Ulid;

use crate::config::ApiRole;

/// What a key begins with.
const SIGN: &str = "rcl_";
/// Digits of the secret that are shown, so that people can tell a new one from the one before.
const SHOWN: usize = 4;

/// A secret that was just made.
pub(crate) struct Fresh {
    /// What its holder is given, once.
    pub secret: SecretString,
    /// What is shown of it afterwards.
    pub prefix: String,
    /// What is kept of it.
    pub print: SecretPrint,
}

/// An id for a new key.
pub(crate) fn fresh_id() -> ApiKeyId {
    let milliseconds = crate::clock::now().microseconds() / 1000;
    ApiKeyId::new(Ulid::from_parts(u64::try_from(milliseconds).unwrap_or_default(), rand::random()))
}

/// A secret for a key.
pub(crate) fn fresh(ring: &KeyRing, id: &ApiKeyId, role: ApiRole) -> Fresh {
    let random = hex::encode(rand::random::<[u8; 32]>());
    let salt = (role == ApiRole::Issuer).then(|| random.clone());
    let digits = salt.as_ref().map_or(random, |salt| derived(ring.current(), id, salt));
    let shown: String = digits.chars().take(SHOWN).collect();
    let own = format!("{SIGN}{}_", id.ulid());
    let print = SecretPrint {
        hash: hex::encode(ring.current().digest(&hashed(id, &digits))),
        hash_key: ring.current().id().to_owned(),
        salt,
    };
    let secret = if role == ApiRole::Issuer { digits } else { format!("{own}{digits}") };
    Fresh { secret: secret.into(), prefix: format!("{own}{shown}"), print }
}

/// Id and secret of a key as it was sent; `None` where it is not of this shape.
pub(crate) fn parts(bearer: &str) -> Option<(ApiKeyId, &str)> {
    let (ulid, digits) = bearer.strip_prefix(SIGN)?.split_once('_')?;
    Some((ApiKeyId::new(Ulid::from_string(ulid).ok()?), digits))
}

/// Whether this is the secret that a print was made of. The comparison takes as long for a wrong one.
pub(crate) fn is(ring: &KeyRing, id: &ApiKeyId, print: &SecretPrint, digits: &str) -> bool {
    let (Some(key), Ok(hash)) = (ring.get(&print.hash_key), hex::decode(&print.hash)) else { return false };
    print.salt.is_none() && key.vouches(&hashed(id, digits), &hash)
}

/// What an issuer signs with; `None` of other keys, and where the key it is derived with is no longer kept.
pub(crate) fn signing(ring: &KeyRing, id: &ApiKeyId, print: &SecretPrint) -> Option<SecretString> {
    let digits = derived(ring.get(&print.hash_key)?, id, print.salt.as_deref()?);
    Some(digits.into())
}

fn hashed<'a>(id: &'a ApiKeyId, digits: &'a str) -> [&'a str; 3] {
    ["stored api key", id.as_str(), digits]
}

fn derived(key: &recall_core::keys::Key, id: &ApiKeyId, salt: &str) -> String {
    hex::encode(key.digest(&["signs tokens of users", id.as_str(), salt]))
}

#[cfg(test)]
mod tests {
    use recall_core::keys::Key;
    use secrecy::ExposeSecret as _;

    use super::*;

    fn ring(secret: &str) -> KeyRing {
        KeyRing::new(Key::new("k1", secret), Vec::new())
    }

    #[test]
    fn a_secret_is_known_again_and_no_other_is() {
        let (ring, id) = (ring("ours"), fresh_id());
        let made = fresh(&ring, &id, ApiRole::Service);
        let (found, digits) = parts(made.secret.expose_secret()).unwrap();
        assert_eq!((&found, digits.len()), (&id, 64));
        assert!(is(&ring, &id, &made.print, digits));
        assert!(!is(&ring, &fresh_id(), &made.print, digits), "of another key");
        assert!(!is(&self::ring("theirs"), &id, &made.print, digits), "of another installation");
        assert!(!is(&ring, &id, &made.print, &digits.replace(|_| true, "0")));
        assert!(made.secret.expose_secret().starts_with(&made.prefix));
        assert!(!made.print.hash.contains(digits) && signing(&ring, &id, &made.print).is_none());
    }

    #[test]
    fn what_an_issuer_signs_with_is_derived_again_and_opens_nothing_itself() {
        let (ring, id) = (ring("ours"), fresh_id());
        let made = fresh(&ring, &id, ApiRole::Issuer);
        let again = signing(&ring, &id, &made.print).unwrap();
        assert_eq!(again.expose_secret(), made.secret.expose_secret());
        assert!(!is(&ring, &id, &made.print, made.secret.expose_secret()));
        assert_ne!(made.print.salt.as_deref(), Some(made.secret.expose_secret()));
    }

    #[test]
    fn what_is_no_key_has_no_parts() {
        for text in
            ["", "rcl_", "rcl_x_y", "sk-1234", "rcl_01ARZ3NDEKTSV4RRFFQ69G5FAV", "key_01ARZ3NDEKTSV4RRFFQ69G5FAV_0"]
        {
            assert!(parts(text).is_none(), "{text}");
        }
    }
}
