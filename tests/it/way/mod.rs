//! The main job from outside: a turn is posted and becomes a memory with its proof, on both kinds of backends.

mod bad_input;
mod credentials;
mod fields;
mod files;
mod killed;
mod locomo;
pub(crate) mod model;
mod openapi;
mod prompts;
mod telemetry;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::world::{Backends, World, one_turn};

/// A conversation that says something of every kind a memory can hold.
fn conversation() -> Value {
    json!({
        "scope": { "namespace": "acme", "user_id": "u-1", "agent_id": "helper" },
        "session_id": "s-1",
        "metadata": { "channel": "web" },
        "expires_at": "2099-01-01T00:00:00Z",
        "messages": [
            { "id": "t1", "role": "user", "content": "Hello!", "timestamp": "2026-03-02T18:10:00+01:00" },
            { "id": "t2", "role": "user", "content": "I work at the aquarium as a vet.", "timestamp": "2026-03-02T18:11:00+01:00" },
            { "id": "t3", "role": "user", "content": "Yesterday I operated on an otter.", "timestamp": "2026-03-02T18:12:00+01:00" },
            { "id": "t4", "role": "user", "content": "My sister Liv lives in Narvik.", "timestamp": "2026-03-02T18:13:00+01:00" },
        ],
    })
}

async fn a_turn_becomes_a_memory_with_its_proof(backends: Backends) {
    let mut world = World::new(backends).await;
    world.start_all();
    let trace_id = world.remember(&conversation()).await;
    let trace = world.done(&format!("{trace_id}?namespace=acme")).await;
    assert_eq!(trace["turn_count"], 4, "{trace}");
    assert_eq!(trace["turns"][0]["dropped"], "greeting", "{trace}");
    let memories = world.memories(&format!("namespace=acme&trace_id={trace_id}")).await;
    assert!(memories.len() >= 3, "{memories:#?}");
    for memory in &memories {
        proves_itself(memory, &trace_id);
    }
    let job = memories.iter().find(|memory| memory["content"].as_str().unwrap().contains("aquarium")).expect("the job");
    assert_eq!(job["subject"]["name"], "user");
    assert_eq!(job["status"], "active");
    assert_eq!(job["valid_from"], "2026-03-02T18:11:00+01:00");
    assert_eq!(job["provenance"]["source_turn_ids"], json!(["t2"]));
    let otter =
        memories.iter().find(|memory| memory["content"].as_str().unwrap().contains("otter")).expect("the otter");
    assert_eq!(otter["event_at"], "2026-03-01T00:00:00+01:00");
    assert_eq!(otter["precision"], "day");
    let sister =
        memories.iter().find(|memory| memory["content"].as_str().unwrap().contains("Narvik")).expect("the sister");
    assert_eq!(sister["subject"]["name"], "Liv");
}

/// Every field that has a value for each memory has one, and the proof holds.
fn proves_itself(memory: &Value, trace_id: &str) {
    let turns = conversation();
    let turns = turns["messages"].as_array().unwrap();
    assert!(memory["id"].as_str().unwrap().starts_with("mem_"));
    assert_eq!(memory["scope"], json!({ "namespace": "acme", "user_id": "u-1", "agent_id": "helper" }));
    assert_eq!(memory["session_id"], "s-1");
    assert_eq!(memory["metadata"], json!({ "channel": "web" }));
    assert_eq!(memory["expires_at"], "2099-01-01T00:00:00+00:00");
    for field in [
        "content",
        "memory_type",
        "attribute",
        "value",
        "polarity",
        "precision",
        "status",
        "claim_key",
        "created_at",
        "valid_from",
    ] {
        assert!(memory[field].as_str().is_some_and(|text| !text.is_empty()), "{field} of {memory}");
    }
    for field in ["confidence", "importance"] {
        let weight = memory[field].as_f64().unwrap();
        assert!(weight > 0.0 && weight <= 1.0, "{field} of {memory}");
    }
    let proof = &memory["provenance"];
    assert_eq!(proof["extraction_trace_id"], trace_id);
    assert_eq!(proof["source_scope"], memory["scope"]);
    assert_eq!(proof["source_session_id"], "s-1");
    assert_eq!(proof["extracted_by"]["provider"], "rules");
    assert_eq!(proof["extracted_by"]["model_version_hash"].as_str().unwrap().len(), 16);
    assert!(proof["extracted_at"].as_str().is_some());
    for source in proof["sources"].as_array().unwrap() {
        let turn = turns.iter().find(|turn| turn["id"] == source["turn_id"]).expect("a turn of the call");
        let words: Vec<char> = turn["content"].as_str().unwrap().chars().collect();
        let span = source["start"].as_u64().unwrap() as usize..source["end"].as_u64().unwrap() as usize;
        assert_eq!(words[span].iter().collect::<String>(), source["quote"].as_str().unwrap());
    }
}

#[tokio::test]
async fn a_turn_becomes_a_memory_with_its_proof_in_one_process() {
    a_turn_becomes_a_memory_with_its_proof(Backends::Embedded).await;
}

#[tokio::test]
async fn a_turn_becomes_a_memory_with_its_proof_through_rabbitmq_and_postgres() {
    a_turn_becomes_a_memory_with_its_proof(Backends::Services).await;
}

async fn the_same_call_sent_again_changes_nothing(backends: Backends) {
    let mut world = World::new(backends).await;
    world.start_all();
    let mut call = one_turn("u-2", "s-2", "t1", "I keep two goats behind the house.");
    call["idempotency_key"] = json!("once");
    let first = world.remember(&call).await;
    assert_eq!(world.get(&format!("/v1/traces/{first}")).await.0, 200, "an accepted call is known at once");
    assert_eq!(world.remember(&call).await, first);
    world.done(&first).await;
    assert_eq!(world.remember(&call).await, first);
    // A call behind it in the same session is done only after the repeats were seen.
    let behind = world.remember(&one_turn("u-2", "s-2", "t2", "I sold one of the goats.")).await;
    world.done(&behind).await;
    let ids: BTreeSet<String> =
        world.memories("user_id=u-2").await.iter().map(|memory| memory["id"].to_string()).collect();
    assert_eq!(world.count("SELECT count(*) FROM runs").await, 2);
    assert_eq!(ids.len() as i64, world.count("SELECT count(*) FROM memories").await);
    // The whole history sent again, as many clients do: what was processed is context, not a source.
    let mut again = one_turn("u-2", "s-2", "t1", "I keep two goats behind the house.");
    again["messages"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "id": "t3", "role": "user", "content": "I bought a donkey." }));
    let trace = world.done(&world.remember(&again).await).await;
    assert_eq!(trace["turns"][0]["dropped"], "seen", "{trace}");
}

#[tokio::test]
async fn the_same_call_sent_again_changes_nothing_in_one_process() {
    the_same_call_sent_again_changes_nothing(Backends::Embedded).await;
}

#[tokio::test]
async fn the_same_call_sent_again_changes_nothing_through_services() {
    the_same_call_sent_again_changes_nothing(Backends::Services).await;
}

async fn a_key_used_for_two_calls_is_told_to_the_caller_and_loses_neither(backends: Backends) {
    let mut world = World::new(backends).await;
    world.start_all();
    let mut call = one_turn("u-4", "s-4", "t1", "I keep two goats behind the house.");
    call["idempotency_key"] = json!("once");
    let first = world.remember(&call).await;
    world.done(&first).await;
    let mut other = one_turn("u-4", "s-4", "t2", "I play the cello on Fridays.");
    other["idempotency_key"] = json!("once");
    let (status, problem) = world.post(&other).await;
    assert_eq!((status, problem["errors"][0]["field"].as_str()), (422, Some("Idempotency-Key")), "{problem}");
    // Another door, or the same one later, cannot know; the worker does, and keeps the second call for a person to decide.
    world.stop_all();
    world.start_all();
    assert_eq!(world.remember(&other).await, first);
    world
        .until("the second call is a dead letter", || async {
            (world.count("SELECT count(*) FROM dead_letters").await == 1).then_some(())
        })
        .await;
    assert_eq!(world.done(&first).await["status"], "done");
    assert_eq!(world.count("SELECT count(*) FROM runs").await, 1);
}

#[tokio::test]
async fn a_key_used_for_two_calls_is_told_to_the_caller_and_loses_neither_in_one_process() {
    a_key_used_for_two_calls_is_told_to_the_caller_and_loses_neither(Backends::Embedded).await;
}

#[tokio::test]
async fn a_key_used_for_two_calls_is_told_to_the_caller_and_loses_neither_through_services() {
    a_key_used_for_two_calls_is_told_to_the_caller_and_loses_neither(Backends::Services).await;
}

#[tokio::test]
async fn a_literal_memory_cites_its_own_turn_and_still_passes_the_last_checks() {
    let mut world = World::new(Backends::Embedded).await;
    world.start_all();
    let mut call = one_turn("u-3", "s-3", "t1", "The boiler code word is on the fridge.");
    call["infer"] = json!(false);
    let id = world.remember(&call).await;
    world.done(&id).await;
    let memories = world.memories(&format!("trace_id={id}")).await;
    assert_eq!(memories.len(), 1);
    assert_eq!(memories[0]["content"], "The boiler code word is on the fridge.");
    assert_eq!(memories[0]["provenance"]["extracted_by"]["provider"], "literal");
    let mut call = one_turn("u-3", "s-3", "t2", "My password is Hedgehog_4431_x");
    call["infer"] = json!(false);
    let trace = world.done(&world.remember(&call).await).await;
    assert_eq!(trace["verdicts"][0]["reason"], "secret", "{trace}");
    assert_eq!(trace["stored_count"], 0);
}

#[tokio::test]
async fn one_person_never_sees_or_feeds_the_memory_of_another() {
    let mut world = World::new(Backends::Services).await;
    world.start_all();
    let one = world.remember(&one_turn("ann", "s", "t1", "I collect lighthouses.")).await;
    let other = world.remember(&one_turn("bob", "s", "t1", "I collect lighthouses.")).await;
    world.done(&one).await;
    world.done(&other).await;
    assert_eq!(world.memories("user_id=ann").await.len(), 1);
    assert_eq!(world.memories("user_id=bob").await.len(), 1);
    assert_eq!(world.memories("namespace=elsewhere").await.len(), 0);
    let (status, _) = world.get(&format!("/v1/traces/{one}?namespace=elsewhere")).await;
    assert!(status == 404 || status == 200, "{status}");
}
