//! Tokens of users: a JWT (HS256) that the product's back end signs with an issuer's secret, without asking anybody. It names one
//! owner of one namespace and lives a day at most.

use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind, new_error};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Validation};
use recall_core::id::ApiKeyId;
use recall_core::scope::Owner;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use sha2::Sha256;

/// The longest a token may live from now on, in seconds: a day, and a minute for clocks that differ.
const LONGEST_SECONDS: i64 = 24 * 3600 + 60;

/// What a token says.
#[derive(Debug, Deserialize)]
struct Claims {
    /// The tenant.
    namespace: String,
    /// The person; exactly one of `user_id` and `account_id`.
    user_id: Option<String>,
    /// The account.
    account_id: Option<String>,
    /// The admin of the account who acts; stands in the audit log.
    sub: Option<String>,
    /// Until when it is taken, in seconds since 1970.
    exp: i64,
}

/// Who comes with a token.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Bearer {
    pub(super) namespace: String,
    pub(super) owner: Owner,
    /// The person who acts.
    pub(super) person: String,
}

/// The issuer a token names in its header (`kid`); `None` where it is no token.
pub(super) fn issuer(token: &str) -> Option<ApiKeyId> {
    let header = jsonwebtoken::decode_header(token).ok()?;
    if header.alg != Algorithm::HS256 {
        return None;
    }
    header.kid?.parse().ok()
}

/// Reads a token that one of these secrets signed; `None` for whatever is wrong with it. `now` in seconds.
pub(super) fn read(token: &str, secrets: &[SecretString], now: i64) -> Option<Bearer> {
    // Another one in place is as good; there is none in this process.
    let _placed = PROVIDER.install_default();
    let mut validation = Validation::new(Algorithm::HS256);
    validation.leeway = 0;
    validation.validate_nbf = true;
    // A token may be meant for several; whom it is for is said by the secret.
    validation.validate_aud = false;
    let claims = secrets.iter().find_map(|secret| {
        let key = DecodingKey::from_secret(secret.expose_secret().as_bytes()).ok()?;
        jsonwebtoken::decode::<Claims>(token, &key, &validation).ok()
    })?;
    bearer(claims.claims, now)
}

fn bearer(claims: Claims, now: i64) -> Option<Bearer> {
    let Claims { namespace, user_id, account_id, sub, exp } = claims;
    if exp <= now || exp - now > LONGEST_SECONDS || namespace.is_empty() || namespace == "*" {
        return None;
    }
    let (owner, person) = match (user_id, account_id) {
        (Some(user), None) if sub.as_ref().is_none_or(|sub| *sub == user) => (Owner::User(user.clone()), user),
        (None, Some(account)) => (Owner::Account(account), sub?),
        (_, _) => return None,
    };
    let (Owner::User(id) | Owner::Account(id)) = &owner;
    let fine = |text: &str| !text.is_empty() && text.len() <= MAX_ID_BYTES && !text.chars().any(char::is_control);
    (fine(id) && fine(&person)).then_some(Bearer { namespace, owner, person })
}

/// The longest id of a person, in bytes.
const MAX_ID_BYTES: usize = 256;

/// HS256 and nothing else, over the HMAC that is used everywhere here.
static PROVIDER: CryptoProvider =
    CryptoProvider { signer_factory: no_signer, verifier_factory: verifier, key_utils: KeyUtils::new_unimplemented() };

struct Hs256(Hmac<Sha256>);

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signed: &Vec<u8>) -> Result<(), signature::Error> {
        self.0.clone().chain_update(message).verify_slice(signed).map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    if *algorithm != Algorithm::HS256 {
        return Err(new_error(ErrorKind::InvalidAlgorithm));
    }
    let mac = Hmac::<Sha256>::new_from_slice(key.try_get_as_bytes()?);
    Ok(Box::new(Hs256(mac.map_err(|_| new_error(ErrorKind::InvalidKeyFormat))?)))
}

fn no_signer(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    Err(new_error(ErrorKind::InvalidAlgorithm))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut text = String::new();
        for chunk in bytes.chunks(3) {
            let whole = chunk.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
            for place in 0..=chunk.len() {
                text.push(char::from(DIGITS[(whole >> (18 - 6 * place) & 63) as usize]));
            }
        }
        text
    }

    /// A token as a back end in any language would make it.
    fn token(header: &Value, claims: &Value, secret: &str) -> String {
        let text = format!("{}.{}", base64(header.to_string().as_bytes()), base64(claims.to_string().as_bytes()));
        let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap().chain_update(&text);
        format!("{text}.{}", base64(&mac.finalize().into_bytes()))
    }

    fn header() -> Value {
        json!({ "alg": "HS256", "typ": "JWT", "kid": "key_01ARZ3NDEKTSV4RRFFQ69G5FAV" })
    }

    fn now() -> i64 {
        crate::clock::now().microseconds() / 1_000_000
    }

    fn read_one(claims: &Value) -> Option<Bearer> {
        read(&token(&header(), claims, SECRET), &[SECRET.to_owned().into()], now())
    }

    #[test]
    fn a_token_names_one_owner_and_who_acts() {
        let exp = now() + 600;
        let ana = read_one(&json!({ "namespace": "shop", "user_id": "ana", "exp": exp })).unwrap();
        assert_eq!((ana.owner, ana.person.as_str()), (Owner::User("ana".into()), "ana"));
        let admin = read_one(&json!({ "namespace": "shop", "account_id": "acme", "sub": "bob", "exp": exp })).unwrap();
        assert_eq!((admin.owner, admin.person.as_str()), (Owner::Account("acme".into()), "bob"));
        assert_eq!(issuer(&token(&header(), &json!({}), SECRET)).unwrap().as_str(), "key_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    }

    #[test]
    fn whatever_is_wrong_with_a_token_it_is_none() {
        let (good, exp) = (json!({ "namespace": "shop", "user_id": "ana", "exp": now() + 600 }), now() + 600);
        for (wrong, claims) in [
            ("expired", json!({ "namespace": "shop", "user_id": "ana", "exp": now() - 1 })),
            ("without an end", json!({ "namespace": "shop", "user_id": "ana" })),
            ("an end that is no number", json!({ "namespace": "shop", "user_id": "ana", "exp": "9999999999" })),
            ("too long a life", json!({ "namespace": "shop", "user_id": "ana", "exp": now() + 30 * 24 * 3600 })),
            ("not yet", json!({ "namespace": "shop", "user_id": "ana", "exp": exp, "nbf": now() + 300 })),
            ("nobody", json!({ "namespace": "shop", "exp": exp })),
            (
                "two owners",
                json!({ "namespace": "shop", "user_id": "ana", "account_id": "acme", "sub": "b", "exp": exp }),
            ),
            ("an account without its admin", json!({ "namespace": "shop", "account_id": "acme", "exp": exp })),
            ("another's name", json!({ "namespace": "shop", "user_id": "ana", "sub": "bob", "exp": exp })),
            ("every tenant", json!({ "namespace": "*", "user_id": "ana", "exp": exp })),
            ("an empty id", json!({ "namespace": "shop", "user_id": "", "exp": exp })),
        ] {
            assert_eq!(read_one(&claims), None, "{wrong}");
        }
        let secrets = [SecretString::from(SECRET)];
        assert!(read(&token(&header(), &good, SECRET), &secrets, now()).is_some());
        assert_eq!(read(&token(&header(), &good, "another"), &secrets, now()), None, "signed by another");
        for algorithm in ["none", "HS384", "HS512", "RS256"] {
            let header = json!({ "alg": algorithm, "kid": "key_01ARZ3NDEKTSV4RRFFQ69G5FAV" });
            let text = token(&header, &good, SECRET);
            assert!(issuer(&text).is_none() && read(&text, &secrets, now()).is_none(), "{algorithm}");
        }
        let mut unsigned = token(&header(), &good, SECRET);
        unsigned.truncate(unsigned.rfind('.').unwrap() + 1);
        assert_eq!(read(&unsigned, &secrets, now()), None);
    }
}
