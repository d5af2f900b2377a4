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
async fn erasing_somebody_nobody_knows_says_that_nothing_was_found() {
    let world = super::plain_desk().await;
    let whom = json!({ "user_id": "nobody", "reason": "asked for" });
    let done = world.done_with("POST", "/v1/people/erase", &whom).await;
    assert_eq!(done["receipt"]["found"], false, "{done}");
    let rows = done["receipt"]["rows"].as_object().unwrap();
    assert!(rows.values().all(|rows| rows == 0), "{done}");
    let trace = world.remember(&call("kim", "s1", ("t1", AT, "I collect lighthouses."))).await;
    world.done(&trace).await;
    let of_another = json!({ "namespace": "other", "user_id": "kim", "reason": "asked for" });
    let theirs = world.done_with("POST", "/v1/people/erase", &of_another).await;
    assert_eq!(theirs["receipt"]["rows"], done["receipt"]["rows"], "nothing is told of another tenant");
    assert_eq!(theirs["receipt"]["found"], false);
    let whom = json!({ "user_id": "kim", "reason": "asked for" });
    assert_eq!(world.done_with("POST", "/v1/people/erase", &whom).await["receipt"]["found"], true);
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

/// A call of an account in which two people speak.
fn of_account() -> serde_json::Value {
    let turn = |id: &str, name: &str, words: &str| json!({ "id": id, "role": "user", "name": name, "content": words, "timestamp": AT });
    let ill = format!("I suffer from {WORD}.");
    let messages = [turn("t1", "bob", "I live in Graz."), turn("t2", "kim-quokka", &ill)];
    json!({ "scope": { "account_id": "mill" }, "session_id": "s1", "messages": messages })
}

#[tokio::test]
async fn what_an_erased_person_said_in_an_account_is_in_no_table_and_what_others_said_is() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let worker = world.work();
    let trace = world.remember(&of_account()).await;
    world.done(&trace).await;
    let before = tables_with(&world, WORD).await;
    assert!(before > 3, "the look finds what is there: {before}");
    world.kill(worker);
    // Accepted before, found by a worker after.
    let late = world.remember(&of_account()).await;
    let stray = "trc_01JQ0000000000000000000009";
    let mut message: serde_json::Value = serde_json::from_slice(&message(stray)).unwrap();
    message["call"]["scope"] = json!({ "namespace": "default", "account_id": "mill" });
    message["call"]["turns"][0]["name"] = json!("kim-quokka");
    world.slip_into_queue("dead", stray, &serde_json::to_vec(&message).unwrap()).await;
    astray(&world, 1).await;
    let asked = |dry_run: bool| json!({ "user_id": "kim-quokka", "reason": "asked for", "dry_run": dry_run });
    let supposed = world.done_with("POST", "/v1/people/erase", &asked(true)).await;
    assert_eq!((&supposed["dry_run"], tables_with(&world, WORD).await), (&json!(true), before));
    let done = world.done_with("POST", "/v1/people/erase", &asked(false)).await;
    let of = &done["receipt"]["accounts"];
    assert_eq!(of, &supposed["receipt"]["accounts"], "a dry run says what comes");
    assert_eq!((&of[0]["account_id"], &of[0]["rows"]["turns"]), (&json!("mill"), &json!(1)), "{of}");
    world.work();
    astray(&world, 0).await;
    world.done(&late).await;
    for text in [WORD, "kim-quokka"] {
        assert_eq!(tables_with(&world, text).await, 0, "{text}");
    }
    let left = world.memories("account_id=mill").await;
    assert_eq!(left.iter().map(|memory| &memory["value"]).collect::<Vec<_>>(), ["Graz"], "{left:#?}");
    assert_eq!(world.json(&["dead", "list", "--json"]), json!([]));
    let named = json!({ "account_id": "mill", "names": ["Kim"], "reason": "asked for" });
    assert_eq!(world.send("POST", "/v1/people/erase", &named).await.0, 422, "an account speaks under no name");
}
