//! What a person deleted is gone from every table and is not learnt again in other words.

use serde_json::json;

use super::{call, candidate, desk, memory_with, plain_desk};
use crate::world::text;

#[tokio::test]
async fn a_deleted_claim_does_not_come_back_in_other_words() {
    let again = candidate("User is divorced", ("marital_status", "divorced"), ("t2", "I am divorced"));
    let world = desk(vec![
        vec![candidate(
            "User went through a divorce",
            ("marital_status", "divorce"),
            ("t1", "I went through a divorce"),
        )],
        vec![again.clone()],
        vec![candidate("User is divorced", ("marital_status", "divorced"), ("t3", "I am divorced"))],
    ])
    .await;
    let at = "2026-03-02T18:11:00+01:00";
    let first = world.remember(&call("kim", "s1", ("t1", at, "I went through a divorce last year."))).await;
    world.done(&first).await;
    let id = memory_with(&world, "kim", "divorce").await["id"].as_str().unwrap().to_owned();
    let deleted = world.done_with("DELETE", &format!("/v1/memories/{id}"), &json!({})).await;
    assert_eq!(deleted["memory_ids"], json!([id]));
    for (table, column) in [
        ("memories", "content"),
        ("sources", "quote"),
        ("statements", "said"),
        ("audit", "after"),
        ("audit", "verdict"),
        ("run_details", "verdicts"),
    ] {
        let left = format!("SELECT count(*) FROM {table} WHERE CAST({column} AS TEXT) LIKE '%divorce%'");
        assert_eq!(world.count(&left).await, 0, "{table}.{column}");
    }
    let (status, tombstone) = world.get(&format!("/v1/memories/{id}")).await;
    assert_eq!((status, &tombstone["content"]), (200, &json!("")));
    assert!(tombstone["deleted_at"].is_string());
    assert_eq!(tombstone["status"], "deleted");
    let second = world.remember(&call("kim", "s2", ("t2", at, "I am divorced, you know."))).await;
    let trace = world.done(&second).await;
    assert_eq!(trace["verdicts"][0]["reason"], "suppressed", "{trace:#}");
    assert!(world.memories("user_id=kim").await.is_empty());
    assert!(world.page("/metrics").await.contains("recall_suppressed_total{reason=\"suppressed\"} 1"));
    // Which entry did it, and the person may change their mind.
    let asked = json!({ "scope": { "user_id": "kim" }, "text": "User is divorced" });
    let found = world.done_with("POST", "/v1/suppressions/test", &asked).await;
    assert_eq!(found["suppression_id"], deleted["suppression_ids"][0]);
    let entry = found["suppression_id"].as_str().unwrap();
    world.done_with("DELETE", &format!("/v1/suppressions/{entry}?reason=asked%20for"), &json!({})).await;
    assert_eq!(world.done_with("POST", "/v1/suppressions/test", &asked).await["suppressed"], false);
    let third = world.remember(&call("kim", "s3", ("t3", at, "I am divorced, as I said."))).await;
    assert_eq!(world.done(&third).await["stored_count"], 1);
    let (status, refused) =
        world.send("POST", &format!("/v1/memories/{id}/restore"), &json!({ "reason": "please" })).await;
    assert_eq!(status, 409, "{refused}");
}

#[tokio::test]
async fn what_was_deleted_stays_so_under_a_new_secret() {
    let mut world = plain_desk().await;
    let at = "2026-03-02T18:11:00+01:00";
    let mut first = call("kim", "s1", ("t1", at, "I own a shotgun."));
    first["idempotency_key"] = json!("order 7");
    let trace = world.remember(&first).await;
    world.done(&trace).await;
    let id = memory_with(&world, "kim", "shotgun").await["id"].as_str().unwrap().to_owned();
    world.done_with("DELETE", &format!("/v1/memories/{id}"), &json!({})).await;
    world.stop_all();
    world.set("KEYS__ID", "k2");
    world.set("KEYS__SECRET", "a new secret of the tests");
    let refused = world.recall(&["memory", "forget", &id, "--reason", "a test"]);
    let told = text(&refused.stderr);
    assert!(!refused.status.success() && told.contains("\"k1\"") && told.contains("keys.older"), "{told}");
    world.set("KEYS__OLDER", r#"[{ id = "k1", secret = "a secret of the tests" }]"#);
    world.serve();
    assert_eq!(world.remember(&first).await, trace, "a key of a call meets its trace under the new secret, too");
    let again = world.remember(&call("kim", "s2", ("t2", at, "I own a shotgun."))).await;
    let told = world.done(&again).await;
    assert_eq!(told["verdicts"][0]["reason"], "suppressed", "{told:#}");
}
