//! The fragmented entity, and the erased person.

use serde_json::{Value, json};

use super::{call, desk};
use crate::world::{World, text};

const AT: &str = "2026-03-02T18:11:00+01:00";

fn about(subject: &str, content: &str, (attribute, value): (&str, &str), (turn, quote): (&str, &str)) -> Value {
    json!({
        "content": content, "memory_type": "preference", "subject": subject, "attribute": attribute, "value": value,
        "polarity": "positive", "evidence": [{ "turn_id": turn, "quote": quote }], "time_expression": null, "confidence": 0.9,
    })
}

/// Kim tells of Jonathan, and later of the same man in another spelling.
async fn world() -> World {
    let likes = |name: &str, what: &str, turn: &'static str| {
        let words = format!("{name} likes {what}");
        about(name, &words, ("likes", what), (turn, &words))
    };
    let world = desk(vec![
        vec![likes("Jonathan", "chess", "t1"), likes("Jonathan", "tea", "t1"), likes("Jonathan", "rowing", "t1")],
        vec![likes("Jonathon", "chess", "t2"), likes("Jonathon", "sauna", "t2")],
    ])
    .await;
    let first = "Jonathan likes chess. Jonathan likes tea. Jonathan likes rowing.";
    for (session, turn, words) in [("s1", "t1", first), ("s2", "t2", "Jonathon likes chess. Jonathon likes sauna.")] {
        let trace = world.remember(&call("kim", session, (turn, AT, words))).await;
        let done = world.done(&trace).await;
        assert!(done["stored_count"].as_u64() > Some(1), "{done:#}");
    }
    world
}

async fn told_of(world: &World, name: &str) -> Vec<String> {
    let found = world.memories(&format!("user_id=kim&subject={name}")).await;
    let mut values: Vec<String> = found.iter().map(|memory| memory["value"].as_str().unwrap().to_owned()).collect();
    values.sort();
    values
}

#[tokio::test]
async fn a_fragmented_entity_is_found_merged_verified_and_taken_apart() {
    let world = world().await;
    let (_, pairs) = world.get("/v1/entities/duplicates?user_id=kim").await;
    assert_eq!(pairs["items"].as_array().unwrap().len(), 1, "{pairs}");
    let pair = &pairs["items"][0];
    assert_eq!((&pair["entity"]["name"], &pair["other"]["name"]), (&json!("Jonathan"), &json!("Jonathon")));
    let (into, from) = (pair["entity"]["entity_id"].as_str().unwrap(), pair["other"]["entity_id"].as_str().unwrap());
    let merge = json!({ "into": into, "reason": "one man, two spellings" });
    let done = world.done_with("POST", &format!("/v1/entities/{from}/merge"), &merge).await;
    assert_eq!(done["gone"], 1, "chess is told once now: {done}");
    for name in ["Jonathan", "Jonathon"] {
        assert_eq!(told_of(&world, name).await, ["chess", "rowing", "sauna", "tea"], "{name}");
    }
    let (_, pairs) = world.get("/v1/entities/duplicates?user_id=kim").await;
    assert_eq!(pairs["items"], json!([]));
    let (status, again) = world.send("POST", &format!("/v1/entities/{from}/merge"), &merge).await;
    assert_eq!(status, 409, "{again}");
    let (status, foreign) = world.send("POST", &format!("/v1/entities/{from}/merge?namespace=other"), &merge).await;
    assert_eq!(status, 404, "{foreign}");
    world.done_with("POST", &format!("/v1/entities/{from}/unmerge"), &json!({ "reason": "two men after all" })).await;
    assert_eq!(told_of(&world, "Jonathan").await, ["chess", "rowing", "tea"]);
    assert_eq!(told_of(&world, "Jonathon").await, ["chess", "sauna"]);
    // A better name, and the same on the command line.
    let patch =
        json!({ "name": "Jonathan Weiss", "add_aliases": ["Jonathan"], "kind": "person", "reason": "full name" });
    let named = world.done_with("PATCH", &format!("/v1/entities/{into}"), &patch).await;
    assert_eq!((&named["name"], &named["kind"]), (&json!("Jonathan Weiss"), &json!("person")));
    let (status, taken) =
        world.send("PATCH", &format!("/v1/entities/{into}"), &json!({ "name": "jonathon", "reason": "x" })).await;
    assert_eq!(status, 409, "{taken}");
    let merged = world.recall(&["entity", "merge", from, "--into", into, "--reason", "a test"]);
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    let listed = text(&world.recall(&["entity", "list", "--user", "kim"]).stdout);
    assert!(listed.contains("Jonathan Weiss") && listed.contains("Jonathon"), "{listed}");
}

#[tokio::test]
async fn a_person_is_exported_erased_and_can_come_back() {
    let world = world().await;
    let export = world.page("/v1/people/export?user_id=kim").await;
    let lines: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (kind, least) in [("memory", 5), ("entity", 3), ("audit", 5)] {
        let found = lines.iter().filter(|line| line["kind"] == kind).count();
        assert!(found >= least, "{found} of {kind}");
    }
    let printed = text(&world.recall(&["person", "export", "--user", "kim"]).stdout);
    assert_eq!(printed.lines().count(), lines.len());
    let (status, refused) = world.send("POST", "/v1/people/erase", &json!({ "reason": "asked for" })).await;
    assert_eq!((status, &refused["errors"][0]["field"]), (422, &json!("user_id")));
    let erase = json!({ "user_id": "kim", "reason": "asked for" });
    let receipt = world.done_with("POST", "/v1/people/erase", &erase).await;
    assert_eq!(receipt["receipt"]["rows"]["memories"], 5, "{receipt}");
    assert!(world.memories("user_id=kim").await.is_empty());
    assert_eq!(world.page("/v1/people/export?user_id=kim").await, "");
    for (table, column) in [
        ("memories", "content"),
        ("entities", "name"),
        ("sources", "quote"),
        ("scopes", "owner"),
        ("sessions", "session_id"),
    ] {
        let left = format!(
            "SELECT count(*) FROM {table} WHERE CAST({column} AS TEXT) LIKE '%Jonath%' OR CAST({column} AS TEXT) IN ('kim', 's1')"
        );
        assert_eq!(world.count(&left).await, 0, "{table}");
    }
    // Whoever comes back is a new person.
    let trace = world.remember(&call("kim", "s1", ("t3", AT, "Jonathon likes chess. Jonathon likes sauna."))).await;
    let done = world.done(&trace).await;
    assert_eq!(done["status"], "done");
    assert_eq!(world.count("SELECT count(*) FROM audit WHERE event_type = 'erase'").await, 1);
}
