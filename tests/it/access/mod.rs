//! Who may do what: every route with every role and with another tenant's key, the life of keys, and tokens of users.

mod keys;
mod roles;
mod routes;
mod states;
mod table;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::world::{Backends, World, one_turn};

/// The key of the configuration, for every tenant.
const ROOT: &str = "root-0123456789abcdef0123456789abcdef";

/// One process on Postgres with a key of its configuration.
async fn keyed(backends: Backends) -> World {
    let mut world = World::new(backends).await;
    world.set("QUEUE__URL", "embedded");
    world.set("API__KEYS", &format!(r#"[{{ name = "root", key = "{ROOT}", namespace = "*", role = "admin" }}]"#));
    world.serve();
    world
}

/// Makes a key; its id and its secret.
async fn made(world: &World, namespace: &str, role: &str) -> (String, String) {
    let wanted =
        json!({ "namespace": namespace, "role": role, "label": format!("{role} of {namespace}"), "reason": "a test" });
    let (status, answer) = world.ask_as(Some(ROOT), ("POST", "/v1/keys"), &wanted).await;
    assert_eq!(status, 200, "{answer}");
    (answer["key"]["key_id"].as_str().unwrap().into(), answer["secret"].as_str().unwrap().into())
}

fn in_ten_minutes() -> i64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    i64::try_from(since).unwrap() + 600
}

/// A token as the back end of a product signs it.
fn token((issuer, secret): &(String, String), claims: &Value) -> String {
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let text = format!("{}.{}", part(&json!({ "alg": "HS256", "typ": "JWT", "kid": issuer })), part(claims));
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap().chain_update(&text);
    format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

/// The token of a person of a namespace.
fn user(issuer: &(String, String), namespace: &str, id: &str) -> String {
    token(issuer, &json!({ "namespace": namespace, "user_id": id, "exp": in_ten_minutes() }))
}

/// Has turns remembered by a service key; the trace, once it is done.
async fn remembered(world: &World, service: &str, body: &Value) -> String {
    let (status, answer) = world.ask_as(Some(service), ("POST", "/v1/remember"), body).await;
    assert_eq!(status, 202, "{answer}");
    let trace = answer["trace_id"].as_str().unwrap().to_owned();
    let path = format!("/v1/traces/{trace}");
    world
        .until("the call to be done", || async {
            let (_, trace) = world.ask_as(Some(service), ("GET", &path), &Value::Null).await;
            (trace["status"] == "done").then_some(())
        })
        .await;
    trace
}

/// The one memory of a person that holds a word, as support sees it.
async fn memory_with(world: &World, support: &str, word: &str) -> Value {
    let (status, page) = world.ask_as(Some(support), ("GET", &format!("/v1/memories?text={word}")), &Value::Null).await;
    assert_eq!(status, 200, "{page}");
    let items = page["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{word}: {page:#}");
    items[0].clone()
}

/// A call of one turn that holds one claim.
fn says(user: &str, turn: &str, words: &str) -> Value {
    one_turn(user, &format!("session of {turn}"), turn, words)
}
