//! What users, detectors and the model can and cannot do to memories.

use serde_json::{Value, json};

use super::{ROOT, in_ten_minutes, keyed, made, memory_with, remembered, says, token, user};
use crate::world::Backends;

#[tokio::test]
async fn a_person_reads_corrects_deletes_exports_and_erases_what_is_theirs() {
    let world = keyed(Backends::Services).await;
    let (_, service) = made(&world, "shop", "service").await;
    let (_, support) = made(&world, "shop", "support").await;
    let issuer = made(&world, "shop", "issuer").await;
    let (ana, bob) = (user(&issuer, "shop", "ana"), user(&issuer, "shop", "bob"));
    remembered(&world, &service, &says("ana", "t1", "I live in Bergen.")).await;
    remembered(&world, &service, &says("bob", "t2", "I like rowing.")).await;
    let bergen = memory_with(&world, &support, "Bergen").await;
    let path = format!("/v1/memories/{}", bergen["id"].as_str().unwrap());
    let (_, own) = world.ask_as(Some(&ana), ("GET", "/v1/memories"), &Value::Null).await;
    assert_eq!(own["items"].as_array().unwrap().len(), 1, "only her own: {own}");
    let told = json!({ "content": "User lives in Oslo", "reason": "I moved" });
    assert_eq!(world.ask_as(Some(&bob), ("PATCH", &path), &told).await.0, 404);
    let (status, corrected) = world.ask_as(Some(&ana), ("PATCH", &path), &told).await;
    assert_eq!(status, 200, "{corrected}");
    let edit = json!({ "metadata": { "a": 1 }, "reason": "I moved" });
    assert_eq!(
        world.ask_as(Some(&ana), ("PATCH", &path), &edit).await.0,
        403,
        "what is set beside it is not hers to set"
    );
    let oslo = format!("/v1/memories/{}", corrected["memory_id"].as_str().unwrap());
    assert_eq!(world.ask_as(Some(&ana), ("DELETE", &oslo), &Value::Null).await.0, 200);
    let (_, audit) = world.ask_as(Some(&ana), ("GET", "/v1/audit?event_type=delete"), &Value::Null).await;
    assert_eq!(audit["items"][0]["actor"], "user:ana", "{audit}");
    let erase = json!({ "reason": "asked for" });
    let (status, receipt) = world.ask_as(Some(&ana), ("POST", "/v1/people/erase"), &erase).await;
    assert_eq!(status, 200, "{receipt}");
    let (_, left) = world.ask_as(Some(&support), ("GET", "/v1/memories"), &Value::Null).await;
    assert_eq!(left["items"].as_array().unwrap().len(), 1, "bob's stays: {left}");
}

#[tokio::test]
async fn every_admin_of_an_account_acts_in_its_scope_and_the_log_says_who() {
    let world = keyed(Backends::Services).await;
    let (_, service) = made(&world, "shop", "service").await;
    let (_, support) = made(&world, "shop", "support").await;
    let issuer = made(&world, "shop", "issuer").await;
    let mut call = says("x", "t1", "We are called Acme. I live in Bergen.");
    call["scope"] = json!({ "account_id": "acme" });
    remembered(&world, &service, &call).await;
    let bergen = memory_with(&world, &support, "Bergen").await;
    let path = format!("/v1/memories/{}", bergen["id"].as_str().unwrap());
    let admin = |account: &str, person: &str| {
        let claims = json!({ "namespace": "shop", "account_id": account, "sub": person, "exp": in_ten_minutes() });
        token(&issuer, &claims)
    };
    for person in ["ana", "bob"] {
        assert_eq!(world.ask_as(Some(&admin("acme", person)), ("GET", &path), &Value::Null).await.0, 200);
    }
    assert_eq!(world.ask_as(Some(&admin("other", "ana")), ("GET", &path), &Value::Null).await.0, 404);
    assert_eq!(world.ask_as(Some(&user(&issuer, "shop", "ana")), ("GET", &path), &Value::Null).await.0, 404);
    let doubt = json!({ "reason": "not so" });
    let (status, told) = world.ask_as(Some(&admin("acme", "bob")), ("POST", &format!("{path}/dispute")), &doubt).await;
    assert_eq!(status, 200, "{told}");
    let (_, audit) = world.ask_as(Some(&support), ("GET", "/v1/audit?actor=user:bob"), &Value::Null).await;
    assert_eq!(audit["items"][0]["event_type"], "dispute", "{audit}");
}

#[tokio::test]
async fn a_detector_flags_as_disputed_and_changes_nothing_else() {
    let world = keyed(Backends::Services).await;
    let (_, service) = made(&world, "shop", "service").await;
    let (_, detector) = made(&world, "shop", "detector").await;
    remembered(&world, &service, &says("ana", "t1", "I live in Bergen.")).await;
    let before = memory_with(&world, &detector, "Bergen").await;
    assert!(before["provenance"]["sources"][0]["quote"].is_string(), "a detector reads quotes: {before}");
    let path = format!("/v1/memories/{}", before["id"].as_str().unwrap());
    let why = json!({ "reason": "another source says otherwise" });
    let (status, told) = world.ask_as(Some(&detector), ("POST", &format!("{path}/dispute")), &why).await;
    assert_eq!(status, 200, "{told}");
    let mut after = world.ask_as(Some(&detector), ("GET", &path), &Value::Null).await.1;
    assert_eq!(after["status"], "disputed");
    after["status"] = before["status"].clone();
    assert_eq!(after, before, "nothing but the flag");
    for verb in ["settle", "forget", "restore"] {
        assert_eq!(world.ask_as(Some(&detector), ("POST", &format!("{path}/{verb}")), &why).await.0, 403, "{verb}");
    }
    let told = json!({ "content": "User lives in Oslo", "reason": "better known" });
    assert_eq!(world.ask_as(Some(&detector), ("PATCH", &path), &told).await.0, 403);
    assert_eq!(world.ask_as(Some(&detector), ("DELETE", &path), &Value::Null).await.0, 403);
}

#[tokio::test]
async fn what_the_model_would_correct_has_to_pass_the_gate() {
    let world = keyed(Backends::Services).await;
    let (_, service) = made(&world, "shop", "service").await;
    let (_, support) = made(&world, "shop", "support").await;
    let (_, agent) = made(&world, "shop", "agent").await;
    remembered(&world, &service, &says("ana", "t1", "I live in Bergen.")).await;
    let before = memory_with(&world, &support, "Bergen").await;
    let path = format!("/v1/memories/{}", before["id"].as_str().unwrap());
    let (_, seen) = world.ask_as(Some(&agent), ("GET", &path), &Value::Null).await;
    assert_eq!((&seen["content"], &seen["provenance"]), (&before["content"], &Value::Null), "content only: {seen}");
    assert!(!seen.to_string().contains("I live in"), "no quote: {seen}");
    let told = json!({ "content": "I live in Oslo.", "reason": "the model thinks so" });
    let (status, accepted) = world.ask_as(Some(&agent), ("PATCH", &path), &told).await;
    assert_eq!((status, &accepted["status"]), (202, &json!("queued")), "{accepted}");
    let trace = format!("/v1/traces/{}", accepted["trace_id"].as_str().unwrap());
    let done = world
        .until("the proposal to be judged", || async {
            let (_, trace) = world.ask_as(Some(&support), ("GET", &trace), &Value::Null).await;
            (trace["status"] == "done").then_some(trace)
        })
        .await;
    assert_eq!((&done["stored_count"], &done["turns"][0]["dropped"]), (&json!(0), &json!("role")), "{done:#}");
    let after = memory_with(&world, &support, "Bergen").await;
    assert_eq!(after, before, "by the word of the model alone nothing changes");
    let (_, oslo) = world.ask_as(Some(ROOT), ("GET", "/v1/memories?namespace=shop&text=Oslo"), &Value::Null).await;
    assert_eq!(oslo["items"], json!([]));
    let edit = json!({ "expires_at": "2099-01-01T00:00:00Z", "reason": "the model thinks so" });
    assert_eq!(world.ask_as(Some(&agent), ("PATCH", &path), &edit).await.0, 403);
}
