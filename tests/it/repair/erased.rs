//! An erased person is in no table, and what the broker had set aside of theirs goes when a worker finds it.

use serde_json::json;

use super::call;
use crate::world::{Backends, World};

const AT: &str = "2026-03-02T18:11:00+01:00";
/// A word no table and no log of an empty installation holds.
const WORD: &str = "zoster";

/// Tables of which a row holds a text anywhere.
async fn tables_with(world: &World, text: &str) -> i64 {
    let dump = "query_to_xml(format('SELECT * FROM %I', table_name), false, true, '')";
    let tables = "information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'";
    world.count(&format!("SELECT count(*) FROM {tables} AND CAST({dump} AS TEXT) LIKE '%{text}%'")).await
}

/// A call of the person as the door writes it, accepted long ago.
fn message(id: &str) -> Vec<u8> {
    let turn = json!({ "id": id, "role": "user", "content": format!("I suffer from {WORD}."), "at": AT, "at_source": "stated" });
    let call = json!({
        "trace_id": id, "scope": { "namespace": "default", "user_id": "kim-quokka" }, "session_id": "s9", "turns": [turn],
        "accepted_at": AT,
    });
    serde_json::to_vec(&json!({ "version": 1, "call": call })).unwrap()
}

/// Waits until so many messages stand in the safety queues.
async fn astray(world: &World, number: i64) {
    let told = || async { (world.json(&["fleet", "status", "--json"])["astray"] == number).then_some(()) };
    world.until("the safety queues to hold that many", told).await;
}

#[tokio::test]
async fn nothing_of_an_erased_person_is_left_in_a_table_or_a_safety_queue() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let worker = world.work();
    let words = format!("I suffer from {WORD}.");
    let trace = world.remember(&call("kim-quokka", "s1", ("t1", AT, &words))).await;
    world.done(&trace).await;
    assert!(
        tables_with(&world, WORD).await > 3 && tables_with(&world, "kim-quokka").await > 0,
        "the look finds what is there"
    );
    world.kill(worker);
    let (unrouted, dead) = ("trc_01JQ0000000000000000000007", "trc_01JQ0000000000000000000008");
    world.slip_in("p99", unrouted, &message(unrouted)).await;
    world.slip_into_queue("dead", dead, &message(dead)).await;
    astray(&world, 2).await;
    world.done_with("POST", "/v1/people/erase", &json!({ "user_id": "kim-quokka", "reason": "asked for" })).await;
    world.work();
    astray(&world, 0).await;
    for text in [WORD, "kim-quokka"] {
        assert_eq!(tables_with(&world, text).await, 0, "{text}");
    }
    assert_eq!(world.json(&["dead", "list", "--json"]), json!([]));
    assert!(!world.log().contains(WORD), "no word in a log either");
}
