//! A fleet in the middle of a change: messages of other versions in the same queues are read or set aside whole, and a process that
//! is set to other partitions does not begin.

use std::collections::BTreeSet;

use recall_tests::Sent;
use serde_json::{Value, json};

use crate::world::{Backends, World, text};

/// The message of a call as this version writes it, for a session of its own.
fn message(id: &str, session: &str) -> Value {
    let turn = json!({ "id": "t1", "role": "user", "content": "I own 7 kites.", "at": "2026-03-02T18:10:00+01:00", "at_source": "stated" });
    let call = json!({
        "trace_id": id, "scope": { "namespace": "default", "user_id": session }, "session_id": session, "turns": [turn],
        "accepted_at": "2026-03-02T18:10:00+01:00",
    });
    json!({ "version": 1, "call": call })
}

#[tokio::test]
async fn a_version_that_is_not_known_is_set_aside_whole_and_the_calls_around_it_go_on() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let mut sent = world.send_all(0..4, 0..1).await;
    let mut poison = BTreeSet::new();
    for (number, version) in [(1, json!(0)), (2, json!(2)), (3, json!("1")), (4, Value::Null)] {
        let id = format!("trc_01JQ000000000000000000000{number}");
        let mut foreign = message(&id, "foreign");
        foreign["version"] = version;
        foreign["call"]["shape_to_come"] = json!({ "turns": "elsewhere" });
        for partition in ["p00", "p03"] {
            world.slip_in(partition, &id, foreign.to_string().as_bytes()).await;
        }
        poison.insert(id);
    }
    sent.extend(world.send_all(0..4, 1..2).await);
    world.work();
    world.each_had_its_one_effect(&sent, &poison).await;
    for id in &poison {
        let story = world.json(&["dead", "show", id, "--json", "--payload"]);
        assert_eq!(story["class"], "permanent", "{story:#}");
        assert!(story.to_string().contains("elsewhere"), "the message is kept as it came: {story:#}");
    }
}

#[tokio::test]
async fn what_a_newer_writer_adds_to_a_known_version_is_passed_over() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let id = "trc_01JQ0000000000000000000008";
    let mut newer = message(id, "newer");
    newer["deadline"] = json!("2027-01-01T00:00:00Z");
    newer["call"]["mood"] = json!("calm");
    newer["call"]["turns"][0]["pitch"] = json!(3);
    world.slip_in("p01", id, newer.to_string().as_bytes()).await;
    world.work();
    let sent = [Sent { session: 0, seq: 0, trace_id: id.to_owned(), claims: 1 }];
    world.each_had_its_one_effect(&sent, &BTreeSet::new()).await;
}

#[tokio::test]
async fn processes_set_to_other_partitions_use_those_that_are_there_and_say_so() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let mut sent = world.send_all(0..6, 0..2).await;
    world.set("QUEUE__PARTITIONS", "8");
    world.serve();
    sent.extend(world.send_all(0..6, 2..4).await);
    world.set("QUEUE__PARTITIONS", "2");
    world.work();
    let told = text(&world.recall(&["fleet", "status"]).stdout);
    assert!(told.contains("queue.partitions is 2 here and the queues have 4"), "{told}");
    world.each_had_its_one_effect(&sent, &BTreeSet::new()).await;
}
