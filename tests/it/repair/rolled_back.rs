//! A bad prompt: what its calls said is taken back over a window, with a dry run before it, and restored.

use std::collections::BTreeMap;

use futures::{StreamExt, stream};
use serde_json::{Value, json};

use super::{call, plain_desk};
use crate::world::{World, text};

/// People who each say one thing before the bad hour.
const PEOPLE: usize = 100;
/// What each of them says in it: 800 calls to be taken back.
const BAD: [&str; 8] = [
    "I live in Svendborg.",
    "I collect lighthouses.",
    "I play the bassoon.",
    "I work at a foundry.",
    "I love rhubarb.",
    "I hate escalators.",
    "I speak Welsh.",
    "I have a tortoise.",
];

/// Everything a reader sees of a person, but for times of writing.
async fn seen(world: &World) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for mut memory in world.memories("").await {
        let id = memory["id"].as_str().unwrap().to_owned();
        memory.as_object_mut().unwrap().remove("created_at");
        all.insert(id, memory);
    }
    all
}

/// Each of the people says the same, several at once; the calls.
async fn each_says(world: &World, turn: (&str, &str, &str)) -> Vec<String> {
    let said = |number: usize| async move { world.remember(&call(&format!("p{number}"), "s", turn)).await };
    stream::iter((0..PEOPLE).map(said)).buffered(16).collect().await
}

/// Waits until so many calls are done.
async fn committed(world: &World, calls: usize) {
    let all = || async { (world.count("SELECT count(*) FROM runs").await == calls as i64).then_some(()) };
    world.until("every call to be done", all).await;
}

#[tokio::test]
async fn a_bad_hour_is_rolled_back_after_a_dry_run_and_restored() {
    let world = plain_desk().await;
    each_says(&world, ("t1", "2026-03-02T18:11:00+01:00", "I live in Odense.")).await;
    committed(&world, PEOPLE).await;
    let good = seen(&world).await;
    let mut bad = Vec::new();
    for (turn, words) in BAD.iter().enumerate() {
        bad.extend(each_says(&world, (&format!("bad{turn}"), "2026-03-02T19:11:00+01:00", words)).await);
    }
    committed(&world, PEOPLE * (1 + BAD.len())).await;
    let mut since: Option<String> = None;
    for trace in &bad[..PEOPLE] {
        let at = world.done(trace).await["committed_at"].as_str().unwrap().to_owned();
        since = Some(since.map_or(at.clone(), |first| first.min(at)));
    }
    let ill = seen(&world).await;
    assert_eq!((good.len(), ill.len()), (PEOPLE, 9 * PEOPLE));
    let window = |dry_run: bool| json!({ "since": since, "until": "2100-01-01T00:00:00Z", "dry_run": dry_run, "reason": "prompt v2 was bad" });
    let supposed = world.done_with("POST", "/v1/traces/forget", &window(true)).await;
    assert_eq!(seen(&world).await, ill, "a dry run changes nothing");
    let done = world.done_with("POST", "/v1/traces/forget", &window(false)).await;
    assert_eq!((&supposed["dry_run"], &done["dry_run"]), (&json!(true), &json!(false)));
    for count in ["traces", "gone", "changed", "returned", "memory_ids"] {
        assert_eq!(supposed[count], done[count], "{count}");
    }
    let counts = (&done["traces"], &done["gone"], &done["changed"]);
    assert_eq!(counts, (&json!(8 * PEOPLE), &json!(8 * PEOPLE), &json!(PEOPLE)));
    assert_eq!(seen(&world).await, good, "as if the bad hour had not been");
    let (_, one) = world.get(&format!("/v1/traces/{}", bad[0])).await;
    assert!(one["forgotten_at"].is_string(), "{one}");
    // One call by itself, then the rest of the window.
    let alone = world
        .done_with("POST", &format!("/v1/traces/{}/restore", bad[0]), &json!({ "reason": "this one was right" }))
        .await;
    assert_eq!((&alone["traces"], &alone["returned"]), (&json!(1), &json!(1)));
    let rest = world.done_with("POST", "/v1/traces/restore", &window(false)).await;
    assert_eq!(rest["traces"], json!(8 * PEOPLE - 1));
    assert_eq!(seen(&world).await, ill, "restored as it was");
    let log =
        "SELECT count(*) FROM audit WHERE reason = 'prompt v2 was bad' AND memory_id IS NULL AND event_type = 'forget'";
    assert_eq!(world.count(log).await, 8 * PEOPLE as i64);
}

#[tokio::test]
async fn the_same_verbs_work_on_the_command_line() {
    let world = plain_desk().await;
    let trace = world.remember(&call("kim", "s", ("t1", "2026-03-02T18:11:00+01:00", "I collect lighthouses."))).await;
    world.done(&trace).await;
    let run = |args: &[&str]| {
        let output = world.recall(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let refused = world.recall(&["trace", "forget", "--reason", "all of it"]);
    assert!(text(&refused.stderr).contains("name calls by"), "{}", text(&refused.stderr));
    assert!(run(&["trace", "forget", &trace, "--reason", "a test", "--dry-run"]).contains("nothing was changed"));
    let told: Value = serde_json::from_str(&run(&["trace", "forget", &trace, "--reason", "a test", "--json"])).unwrap();
    assert_eq!(told["gone"], 1);
    let calls: Value =
        serde_json::from_str(&run(&["trace", "list", "--user", "kim", "--status", "done", "--json"])).unwrap();
    assert_eq!(calls[0]["trace_id"], trace.as_str());
    assert!(!run(&["trace", "list", "--until", "2001-01-01T00:00:00Z"]).contains(&trace));
    let refused = world.recall(&["trace", "list", "--since", "soon"]);
    assert!(text(&refused.stderr).contains("--since"), "{}", text(&refused.stderr));
    assert!(run(&["memory", "list"]).contains("no memories"));
    assert!(run(&["memory", "list", "--forgotten", "--trace", &trace]).contains("lighthouses"));
    run(&["trace", "restore", &trace, "--reason", "a test"]);
    let listed: Value = serde_json::from_str(&run(&["memory", "list", "--json"])).unwrap();
    let id = listed[0]["id"].as_str().unwrap().to_owned();
    run(&["memory", "forget", &id, "--reason", "a test"]);
    run(&["memory", "restore", &id, "--reason", "a test"]);
    run(&["memory", "dispute", &id, "--reason", "a test"]);
    assert!(run(&["disputes"]).contains("somebody doubts it"));
    run(&["memory", "settle", &id, "--reason", "a test"]);
    run(&["memory", "feedback", &id, "--feedback", "stale"]);
    let read = run(&["memory", "touch", &id, "mem_00000000000000000000000009"]);
    assert!(read.contains("1 noted, 1 not there"), "{read}");
    let log: Value = serde_json::from_str(&run(&["audit", "--memory", &id, "--json"])).unwrap();
    let events: Vec<&str> = log.as_array().unwrap().iter().map(|row| row["event_type"].as_str().unwrap()).collect();
    for event in ["insert", "forget", "restore", "dispute", "settle", "feedback"] {
        assert!(events.contains(&event), "{event} is missing in {events:?}");
    }
    assert!(run(&["audit", "--actor", "operator:local", "--event", "settle"]).contains("a test"));
    run(&["memory", "delete", &id, "--reason", "asked for"]);
    assert!(run(&["suppression", "list", "--user", "kim"]).contains("rsp_"));
    let added = run(&["suppression", "add", "User owns a shotgun", "--user", "kim", "--reason", "asked for"]);
    let entry = added.split_whitespace().last().unwrap().to_owned();
    assert!(run(&["suppression", "test", "User still owns a shotgun", "--user", "kim"]).contains(&entry));
    run(&["suppression", "lift", &entry, "--reason", "a test"]);
    assert!(run(&["suppression", "test", "User still owns a shotgun", "--user", "kim"]).contains("not suppressed"));
}
