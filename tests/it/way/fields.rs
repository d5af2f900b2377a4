//! Every field of a memory is set by the step that is named for it.

use serde_json::{Value, json};

use super::model::{says, world_with};
use crate::world::World;

fn candidate(content: &str, kind: &str, subject: &str, claim: (&str, &str), cited: (&str, &str)) -> Value {
    json!({
        "content": content, "memory_type": kind, "subject": subject, "attribute": claim.0, "value": claim.1,
        "polarity": "positive", "evidence": [{ "turn_id": cited.0, "quote": cited.1 }], "time_expression": null, "confidence": 0.9,
    })
}

fn call(turns: &[(&str, &str, &str)]) -> Value {
    let message =
        |(id, at, words): &(&str, &str, &str)| json!({ "id": id, "role": "user", "timestamp": at, "content": words });
    json!({
        "scope": { "user_id": "u", "agent_id": "a" }, "session_id": "s", "metadata": { "channel": "web" },
        "messages": turns.iter().map(message).collect::<Vec<_>>(),
    })
}

/// Two calls: the first says where the user lives and more, the second that the user moved.
async fn world() -> (World, Vec<Value>) {
    let turns = [
        ("t1", "2026-03-02T18:11:00+01:00", "I live in Odense with my wife Signe, and I love the harbour there."),
        ("t2", "2026-03-02T18:12:00+01:00", "From 3 to 9 August we are on Samsø."),
        ("t3", "2026-03-02T18:13:00+01:00", "Maybe I will learn to sail."),
        ("t4", "2026-03-02T18:14:00+01:00", "I never eat liver. Please remember that I am allergic to mussels!"),
    ];
    let first = json!({ "candidates": [
        candidate("User lives in Odense", "fact", "user", ("home_city", "Odense"), ("t1", "I live in Odense")),
        candidate("User's wife is Signe", "relation", "user", ("wife", "Signe"), ("t1", "my wife Signe")),
        candidate("User is on Samsø from 3 to 9 August", "event", "user", ("holiday", "Samsø"), ("t2", "From 3 to 9 August we are on Samsø")),
        candidate("User may learn to sail", "event", "user", ("plan", "sailing"), ("t3", "Maybe I will learn to sail")),
        { "content": "User never eats liver", "memory_type": "preference", "subject": "user", "attribute": "diet", "value": "liver",
          "polarity": "negative", "evidence": [{ "turn_id": "t4", "quote": "I never eat liver" }], "time_expression": null, "confidence": 0.9 },
        candidate("User is allergic to mussels", "fact", "user", ("allergy", "mussels"), ("t4", "Please remember that I am allergic to mussels!")),
    ]});
    let second = json!({ "candidates": [
        candidate("User lives in Svendborg", "fact", "user", ("home_city", "Svendborg"), ("t5", "I live in Svendborg now")),
    ]});
    let (world, _) = world_with(vec![says(&first.to_string()), says(&second.to_string())]).await;
    let one = world.remember(&call(&turns)).await;
    let trace = world.done(&one).await;
    assert_eq!(trace["stored_count"], 6, "{trace:#}");
    let two = world.remember(&call(&[("t5", "2026-04-20T09:00:00+02:00", "We moved! I live in Svendborg now.")])).await;
    let trace = world.done(&two).await;
    assert_eq!(trace["stored_count"], 1, "{trace:#}");
    let memories = world.memories("user_id=u").await;
    (world, memories)
}

fn of<'m>(memories: &'m [Value], words: &str) -> &'m Value {
    memories
        .iter()
        .find(|memory| memory["content"].as_str().unwrap().contains(words))
        .unwrap_or_else(|| panic!("{words}"))
}

#[tokio::test]
async fn every_field_of_a_memory_is_set_by_the_step_named_for_it() {
    let (world, memories) = world().await;
    let home = of(&memories, "Odense");
    let moved = of(&memories, "Svendborg");
    // From the candidate, after resolution.
    assert_eq!((&home["memory_type"], &home["polarity"]), (&json!("fact"), &json!("positive")));
    assert_eq!(
        (&home["attribute"], &home["value"], &home["subject"]["name"]),
        (&json!("home_city"), &json!("Odense"), &json!("user"))
    );
    assert_eq!(of(&memories, "liver")["polarity"], "negative");
    assert_eq!(of(&memories, "wife")["object"]["name"], "Signe");
    // Calibrate.
    assert!(of(&memories, "sail")["confidence"].as_f64() < home["confidence"].as_f64());
    assert!(of(&memories, "mussels")["importance"].as_f64() > home["importance"].as_f64(), "asked to remember");
    // Read.
    assert_eq!(home["language"], "eng");
    // Anchor.
    let holiday = of(&memories, "Samsø");
    assert_eq!((&holiday["event_at"], &holiday["precision"]), (&json!("2026-08-03T00:00:00+01:00"), &json!("day")));
    assert_eq!(holiday["event_until"], "2026-08-09T00:00:00+01:00");
    assert_eq!((&home["event_at"], &home["precision"]), (&Value::Null, &json!("unknown")));
    // Reconcile.
    assert_eq!((&home["status"], &moved["status"]), (&json!("superseded"), &json!("active")));
    assert_eq!(home["valid_from"], "2026-03-02T18:11:00+01:00");
    assert_eq!(home["valid_until"], "2026-04-20T07:00:00+00:00");
    assert_eq!(home["superseded_by"], moved["id"]);
    assert_eq!(moved["valid_until"], Value::Null);
    // The call, and the write.
    assert_eq!(home["metadata"], json!({ "channel": "web" }));
    assert_eq!(home["scope"], json!({ "namespace": "default", "user_id": "u", "agent_id": "a" }));
    assert_eq!((&home["access_count"], &home["last_accessed_at"]), (&json!(0), &Value::Null));
    assert!(home["created_at"].as_str().is_some());
    let proof = &home["provenance"]["extracted_by"];
    assert_eq!(
        (&proof["provider"], &proof["model"], &proof["prompt_version"]),
        (&json!("openai"), &json!("stub-1"), &json!("v1"))
    );
    assert_eq!(proof["prompt_sha256"].as_str().unwrap().len(), 64);
    // Every change is in the audit log.
    assert_eq!(world.count("SELECT count(*) FROM audit WHERE event_type = 'insert'").await, 7);
    assert_eq!(world.count("SELECT count(*) FROM audit WHERE event_type = 'supersede'").await, 1);
}
