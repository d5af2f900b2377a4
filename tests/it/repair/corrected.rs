//! The wrong manager, and the disputed pair.

use serde_json::json;

use super::{call, candidate, desk, memory_with};
use crate::world::text;

#[tokio::test]
async fn the_wrong_manager_is_found_explained_and_corrected() {
    let said = "My manager is Olga, she sits in Bergen.";
    let world =
        desk(vec![vec![candidate("User's manager is Olga", ("manager", "Olga"), ("t1", "My manager is Olga"))]]).await;
    let trace = world.remember(&call("kim", "s1", ("t1", "2026-03-02T18:11:00+01:00", said))).await;
    world.done(&trace).await;
    let wrong = memory_with(&world, "kim", "Olga").await;
    let id = wrong["id"].as_str().unwrap();
    // Why does it say so?
    let (status, story) = world.get(&format!("/v1/memories/{id}/history")).await;
    assert_eq!(status, 200, "{story}");
    assert_eq!(story["memory"]["provenance"]["sources"][0]["quote"], "My manager is Olga");
    assert_eq!(story["traces"][0]["trace_id"], trace.as_str());
    assert_eq!(story["traces"][0]["verdicts"][0]["support"], "supported");
    assert_eq!(story["changes"][0]["event_type"], "insert");
    // It is put right, and the old one stays as history.
    let patch = json!({ "content": "User's manager is Henrik", "value": "Henrik", "reason": "ticket 12" });
    let restated = world.done_with("PATCH", &format!("/v1/memories/{id}"), &patch).await;
    let right = memory_with(&world, "kim", "Henrik").await;
    assert_eq!((&right["id"], &right["status"]), (&restated["memory_id"], &json!("active")));
    let old = memory_with(&world, "kim", "Olga").await;
    assert_eq!((&old["status"], &old["superseded_by"]), (&json!("superseded"), &right["id"]));
    let (_, log) = world.get(&format!("/v1/audit?memory_id={id}&event_type=supersede")).await;
    assert_eq!(log["items"][0]["reason"], "ticket 12", "{log}");
    assert_eq!(log["items"][0]["actor"], "operator:local");
    assert_eq!(
        (&log["items"][0]["before"]["status"], &log["items"][0]["after"]["status"]),
        (&json!("active"), &json!("superseded"))
    );
    // The same on the command line.
    let why = world.recall(&["memory", "why", id]);
    let told = text(&why.stdout);
    for part in ["My manager is Olga", "supported", "stub-1", "ticket 12", "superseded", right["id"].as_str().unwrap()]
    {
        assert!(told.contains(part), "{part:?} is missing in\n{told}{}", text(&why.stderr));
    }
    // The correction is a call of its own and can be taken back.
    let correction = restated["trace_id"].as_str().unwrap();
    world.done_with("POST", &format!("/v1/traces/{correction}/forget"), &json!({ "reason": "wrong ticket" })).await;
    assert_eq!(memory_with(&world, "kim", "Olga").await["status"], "active");
}

#[tokio::test]
async fn a_disputed_pair_is_shown_and_settled() {
    let at = "2026-03-02T18:11:00+01:00";
    let world = desk(vec![
        vec![candidate("User lives in Narvik", ("home_city", "Narvik"), ("t1", "I live in Narvik"))],
        vec![candidate("User lives in Tromsø", ("home_city", "Tromsø"), ("t2", "I live in Tromsø"))],
    ])
    .await;
    for (session, id, words) in [("s1", "t1", "I live in Narvik."), ("s2", "t2", "I live in Tromsø.")] {
        let trace = world.remember(&call("kim", session, (id, at, words))).await;
        world.done(&trace).await;
    }
    let (_, open) = world.get("/v1/disputes?user_id=kim").await;
    assert_eq!(open["items"].as_array().unwrap().len(), 1, "{open}");
    let sides = [&open["items"][0]["memory"]["value"], &open["items"][0]["with"]["value"]];
    assert!(sides.contains(&&json!("Narvik")) && sides.contains(&&json!("Tromsø")), "{sides:?}");
    let right = memory_with(&world, "kim", "Troms").await;
    let id = right["id"].as_str().unwrap();
    world.done_with("POST", &format!("/v1/memories/{id}/settle"), &json!({ "reason": "the user said so" })).await;
    assert_eq!(memory_with(&world, "kim", "Troms").await["status"], "active");
    assert_eq!(memory_with(&world, "kim", "Narvik").await["status"], "superseded");
    let (_, open) = world.get("/v1/disputes").await;
    assert_eq!(open["items"], json!([]));
    // A doubt about one memory, feedback and being read.
    let doubted =
        world.done_with("POST", &format!("/v1/memories/{id}/dispute"), &json!({ "reason": "detector" })).await;
    assert_eq!(doubted["changed"], 1);
    assert_eq!(memory_with(&world, "kim", "Troms").await["status"], "disputed");
    world.done_with("POST", &format!("/v1/memories/{id}/feedback"), &json!({ "feedback": "useful" })).await;
    let touched = world.done_with("POST", "/v1/memories/touch", &json!({ "memory_ids": [id] })).await;
    assert_eq!(touched["memories"], 1);
    assert_eq!(memory_with(&world, "kim", "Troms").await["access_count"], 1);
}
