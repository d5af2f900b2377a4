//! The life of keys: made, listed, rotated, revoked; over HTTP and on the command line.

use serde_json::{Value, json};

use super::{ROOT, keyed, made, says, user};
use crate::world::{Backends, World, text};

async fn works(world: &World, bearer: &str) -> bool {
    let (status, answer) = world.ask_as(Some(bearer), ("GET", "/v1/memories?user_id=ana"), &Value::Null).await;
    assert!([200, 401].contains(&status), "{answer}");
    status == 200
}

async fn until_refused(world: &World, bearer: &str) {
    world.until("the key to be refused", || async { (!works(world, bearer).await).then_some(()) }).await;
}

#[tokio::test]
async fn a_key_is_rotated_without_locking_anybody_out_and_revoked_within_seconds() {
    let mut world = keyed(Backends::Services).await;
    let run = |args: &[&str]| world.json(&[args, &["--json"]].concat());
    let create =
        ["key", "create", "--namespace", "shop", "--role", "support", "--label", "desk", "--reason", "new desk"];
    let key = run(&create);
    let (id, first) = (key["key"]["key_id"].as_str().unwrap().to_owned(), key["secret"].as_str().unwrap().to_owned());
    assert!(works(&world, &first).await);
    let rotated = run(&["key", "rotate", &id, "--grace", "24h", "--reason", "a year is over"]);
    let second = rotated["secret"].as_str().unwrap().to_owned();
    assert_ne!(first, second);
    assert!(rotated["key"]["former_until"].is_string(), "{rotated}");
    assert!(works(&world, &first).await && works(&world, &second).await, "both are taken meanwhile");
    let rotated = run(&["key", "rotate", &id, "--grace", "0s", "--reason", "it leaked"]);
    let third = rotated["secret"].as_str().unwrap().to_owned();
    until_refused(&world, &second).await;
    assert!(works(&world, &third).await && !works(&world, &first).await);
    run(&["key", "revoke", &id, "--reason", "the desk is closed"]);
    until_refused(&world, &third).await;
    let again = world.recall(&["key", "revoke", &id, "--reason", "again"]);
    assert!(!again.status.success() && text(&again.stderr).contains("the key is revoked"), "{}", text(&again.stderr));
    // No secret is anywhere, and who did what is in the log.
    let listed = text(&world.recall(&["key", "list"]).stdout);
    let audit = world.json(&["audit", "--namespace", "shop", "--json"]);
    for secret in [&first, &second, &third] {
        let digits = secret.rsplit_once('_').unwrap().1;
        assert!(!listed.contains(digits) && !audit.to_string().contains(digits) && !world.log().contains(digits));
        assert_eq!(
            world.count(&format!("SELECT count(*) FROM api_keys k WHERE CAST(k AS TEXT) LIKE '%{digits}%'")).await,
            0
        );
    }
    assert!(listed.contains("desk") && listed.contains("revoked"), "{listed}");
    let events: Vec<(&str, &str)> = audit
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["event_type"].as_str().unwrap(), row["reason"].as_str().unwrap()))
        .collect();
    let expected = [
        ("key_revoke", "the desk is closed"),
        ("key_rotate", "it leaked"),
        ("key_rotate", "a year is over"),
        ("key_create", "new desk"),
    ];
    assert_eq!(events, expected);
    assert_eq!(audit[0]["actor"], "operator:local");
    // That it was used is written down beside the requests, at the latest when the process stops.
    world.signal(0, "TERM");
    assert_eq!(world.ended(0).await, Some(0));
    let keys = world.json(&["key", "list", "--namespace", "shop", "--json"]);
    assert!(keys[0]["last_used_at"].is_string(), "{keys}");
}

#[tokio::test]
async fn an_admin_of_a_tenant_manages_its_keys_and_no_others() {
    let world = keyed(Backends::Services).await;
    let (_, admin) = made(&world, "shop", "admin").await;
    let ask = async |bearer: &str, method: &str, path: &str, body: Value| {
        world.ask_as(Some(bearer), (method, path), &body).await
    };
    let wanted = json!({ "role": "service", "label": "chat", "reason": "a test" });
    let (status, own) = ask(&admin, "POST", "/v1/keys", wanted.clone()).await;
    assert_eq!((status, &own["key"]["namespace"]), (200, &json!("shop")), "{own}");
    let (_, listed) = ask(&admin, "GET", "/v1/keys", Value::Null).await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 2, "{listed}");
    for namespace in ["stall", "*"] {
        let mut other = wanted.clone();
        other["namespace"] = json!(namespace);
        assert_eq!(ask(&admin, "POST", "/v1/keys", other).await.0, 403, "{namespace}");
    }
    let by = listed["items"][0]["created_by"].as_str().unwrap();
    assert!(by.starts_with("api_key:key_"), "{by}");
    for (field, body) in [
        ("role", json!({ "role": "user", "label": "x", "reason": "a test" })),
        ("role", json!({ "role": "boss", "label": "x", "reason": "a test" })),
        ("label", json!({ "role": "admin", "label": " ", "reason": "a test" })),
        ("reason", json!({ "role": "admin", "label": "x", "reason": "" })),
        (
            "expires_at",
            json!({ "role": "admin", "label": "x", "reason": "a test", "expires_at": "2001-01-01T00:00:00Z" }),
        ),
    ] {
        let (status, told) = ask(ROOT, "POST", "/v1/keys", body).await;
        assert_eq!((status, told["errors"][0]["field"].as_str().unwrap_or_default()), (422, field), "{told}");
    }
    let late = json!({ "grace_seconds": 9_999_999, "reason": "a test" });
    let path = format!("/v1/keys/{}/rotate", own["key"]["key_id"].as_str().unwrap());
    assert_eq!(ask(&admin, "POST", &path, late).await.0, 422);
}

#[tokio::test]
async fn the_first_key_closes_the_door_that_was_open_on_this_host() {
    let mut world = World::new(Backends::Embedded).await;
    world.serve();
    assert_eq!(world.get("/v1/memories").await.0, 200);
    let wanted = json!({ "namespace": "*", "role": "admin", "label": "first", "reason": "a test" });
    let (status, first) = world.send("POST", "/v1/keys", &wanted).await;
    assert_eq!(status, 200, "{first}");
    assert_eq!(world.get("/v1/memories").await.0, 401, "this process knows at once");
    let secret = first["secret"].as_str().unwrap();
    assert!(works(&world, secret).await);
    // Revoked, it opens no door either: an installation that had a key stays closed.
    let path = format!("/v1/keys/{}/revoke", first["key"]["key_id"].as_str().unwrap());
    assert_eq!(world.ask_as(Some(secret), ("POST", &path), &json!({ "reason": "lost" })).await.0, 200);
    assert_eq!(world.get("/v1/memories").await.0, 401);
    assert!(!works(&world, secret).await);
    // The way back in: the command line, while nothing serves the directory.
    world.stop_all();
    let create =
        ["key", "create", "--namespace", "*", "--role", "admin", "--label", "second", "--reason", "lost", "--json"];
    let second = world.json(&create);
    world.serve();
    assert!(works(&world, second["secret"].as_str().unwrap()).await);
}

#[tokio::test]
async fn without_any_key_the_door_stays_on_this_host() {
    let mut world = World::new(Backends::Embedded).await;
    world.set("API__LISTEN", "0.0.0.0:0");
    let refused = world.recall(&["serve"]);
    assert!(!refused.status.success());
    assert!(text(&refused.stderr).contains("recall key create"), "{}", text(&refused.stderr));
    world.json(&["key", "create", "--role", "admin", "--label", "a", "--reason", "a test", "--json"]);
    world.serve();
}

#[tokio::test]
async fn tokens_of_users_end_with_the_key_that_signs_them() {
    let world = keyed(Backends::Services).await;
    let issuer = made(&world, "shop", "issuer").await;
    let ana = user(&issuer, "shop", "ana");
    assert!(works(&world, &ana).await);
    let path = format!("/v1/keys/{}", issuer.0);
    let rotate = json!({ "grace_seconds": 3600, "reason": "a test" });
    let (_, rotated) = world.ask_as(Some(ROOT), ("POST", &format!("{path}/rotate")), &rotate).await;
    let renewed = (issuer.0.clone(), rotated["secret"].as_str().unwrap().to_owned());
    assert!(works(&world, &ana).await && works(&world, &user(&renewed, "shop", "ana")).await);
    let why = json!({ "reason": "a test" });
    assert_eq!(world.ask_as(Some(ROOT), ("POST", &format!("{path}/revoke")), &why).await.0, 200);
    assert!(!works(&world, &ana).await && !works(&world, &user(&renewed, "shop", "ana")).await);
}

#[tokio::test]
async fn calls_go_on_into_the_queue_under_a_known_key_while_the_database_is_away() {
    let mut world = World::new(Backends::Services).await;
    world.set("API__KEYS", &format!(r#"[{{ name = "root", key = "{ROOT}", namespace = "*", role = "admin" }}]"#));
    world.serve();
    let (_, service) = made(&world, "shop", "service").await;
    let (_, unknown) = made(&world, "shop", "service").await;
    let call = says("ana", "t1", "I live in Bergen.");
    let remember = async |bearer: &str| world.ask_as(Some(bearer), ("POST", "/v1/remember"), &call).await.0;
    assert_eq!(remember(&service).await, 202);
    world.lose_database().await;
    // A secret that does not fit makes the door ask again, in vain; what it knew of the key still stands.
    let wrong = format!("{}_{}", service.rsplit_once('_').unwrap().0, "0".repeat(64));
    assert_eq!(remember(&wrong).await, 401);
    assert_eq!(remember(&service).await, 202);
    assert_eq!(remember(&unknown).await, 503, "nobody can say whether it is one");
    assert_eq!(remember(ROOT).await, 202, "a configured key needs no database");
}
