//! What a person deleted is gone from every table and is not learnt again in other words.

use serde_json::json;

use super::{call, candidate, desk, memory_with};

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
