//! Dead letters: seen without words, sent on once, back with their story where they die again, dropped with a trail.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::{Act, PARROT, model, parrot, world_with};
use crate::world::{Backends, World, one_turn, text};

/// So often a call is asked about before it is dead: three attempts with a repair each.
const ASKED: usize = 6;

fn prose() -> Act {
    Act::Says("I would love to help you with that!".into())
}

fn happened(story: &Value) -> Vec<(&str, u64)> {
    let events = story["history"].as_array().unwrap().iter();
    events.map(|event| (event["event"].as_str().unwrap(), event["times"].as_u64().unwrap())).collect()
}

async fn a_dead_call_is_looked_at_sent_on_and_done(backends: Backends) {
    let acts = std::iter::repeat_n(prose(), ASKED).chain([parrot()]).collect();
    let (url, _) = model(acts).await;
    let mut world = world_with(backends, &url).await;
    world.start_all();
    let id = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    world.trace_until(&id, &["dead"]).await;

    let list = world.json(&["dead", "list", "--json"]);
    let letter = &list[0];
    assert_eq!((letter["id"].as_str(), letter["class"].as_str()), (Some(id.as_str()), Some("transient")), "{list:#}");
    assert_eq!((letter["attempts"].as_u64(), letter["session_id"].as_str()), (Some(3), Some("s")));
    assert_eq!(letter["scope"], json!({ "namespace": "default", "user_id": "u" }));
    assert!(letter["reason"].as_str().is_some_and(|reason| reason.contains("could not be used")), "{list:#}");
    let shown = text(&world.recall(&["dead", "list"]).stdout);
    assert!(shown.contains(&id) && shown.contains("transient"), "{shown}");
    let story = world.json(&["dead", "show", &id, "--json"]);
    assert_eq!(happened(&story), [("failed", 2), ("died", 1)], "{story:#}");
    let shown_too = text(&world.recall(&["dead", "show", &id]).stdout);
    assert!(![&list.to_string(), &shown, &story.to_string(), &shown_too].iter().any(|out| out.contains("parrot")));
    assert!(world.json(&["dead", "show", &id, "--json", "--payload"]).to_string().contains("parrot"));

    let first = world.json(&["dead", "requeue", &id, "--json"]);
    assert_eq!(first, json!([{ "id": id, "outcome": "requeued", "trace_id": id }]));
    let second = world.json(&["dead", "requeue", &id, "--json"]);
    assert!(matches!(second[0]["outcome"].as_str(), Some("waiting" | "done")), "{second}");
    assert_eq!(world.done(&id).await["stored_count"], 1);
    assert_eq!(world.json(&["dead", "list", "--json"]), json!([]));
    assert_eq!(world.json(&["dead", "requeue", &id, "--json"]), json!([{ "id": id, "outcome": "done" }]));
    assert_eq!(world.count("SELECT count(*) FROM runs").await, 1);
    assert_eq!(world.count("SELECT count(*) FROM memories").await, 1);
}

#[tokio::test]
async fn a_dead_call_is_looked_at_sent_on_and_done_in_one_process() {
    a_dead_call_is_looked_at_sent_on_and_done(Backends::Embedded).await;
}

#[tokio::test]
async fn a_dead_call_is_looked_at_sent_on_and_done_in_the_fleet() {
    a_dead_call_is_looked_at_sent_on_and_done(Backends::Services).await;
}

#[tokio::test]
async fn one_that_dies_again_comes_back_with_its_story_and_is_dropped_with_a_reason() {
    let (url, asked) = model(vec![prose()]).await;
    let mut world = world_with(Backends::Services, &url).await;
    world.start_all();
    let id = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    world.trace_until(&id, &["dead"]).await;
    let before = asked.load(Ordering::SeqCst);
    world.json(&["dead", "requeue", &id, "--json"]);
    world
        .until("it to die again", || async {
            (world.count("SELECT count(*) FROM dead_letters").await == 1).then_some(())
        })
        .await;
    assert_eq!(asked.load(Ordering::SeqCst), before + ASKED, "it has all its attempts again, and no more");
    let story = world.json(&["dead", "show", &id, "--json"]);
    assert_eq!(happened(&story), [("failed", 2), ("died", 1), ("requeued", 1), ("failed", 2), ("died", 1)]);

    let refused = world.recall(&["dead", "drop", &id]);
    assert!(text(&refused.stderr).contains("--reason"), "{}", text(&refused.stderr));
    let refused = world.recall(&["dead", "drop", &id, "--reason", "  "]);
    assert!(
        !refused.status.success() && text(&refused.stderr).contains("--reason must be"),
        "{}",
        text(&refused.stderr)
    );
    let dropped = json!([{ "id": id, "outcome": "dropped" }]);
    assert_eq!(world.json(&["dead", "drop", &id, "--reason", "answers are no use", "--json"]), dropped);
    assert_eq!(world.json(&["dead", "drop", &id, "--reason", "again", "--json"]), dropped);
    assert_eq!(world.json(&["dead", "requeue", &id, "--json"]), dropped, "what is dropped is gone");
    assert_eq!(world.trace_until(&id, &["dropped"]).await["status"], "dropped");
    assert_eq!(world.count("SELECT count(*) FROM call_events WHERE event = 'dropped'").await, 1);
    let unknown = world.recall(&["dead", "requeue", "trc_00000000000000000000000000"]);
    assert!(!unknown.status.success() && text(&unknown.stdout).contains("is no dead letter"));
}

#[tokio::test]
async fn later_calls_of_a_session_go_on_and_a_call_sent_on_goes_behind_them() {
    let acts = std::iter::repeat_n(prose(), ASKED).chain([parrot()]).collect();
    let (url, _) = model(acts).await;
    let mut world = world_with(Backends::Services, &url).await;
    world.start_all();
    let first = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    let second = world.remember(&one_turn("u", "s", "t2", "I live in Narvik.")).await;
    world.trace_until(&first, &["dead"]).await;
    world.done(&second).await;
    world.json(&["dead", "requeue", &first, "--json"]);
    world.done(&first).await;
    let order = "SELECT a.session_version - b.session_version FROM runs a, runs b WHERE a.trace_id = '{1}' AND b.trace_id = '{2}'";
    let order = order.replace("{1}", &first).replace("{2}", &second);
    assert_eq!(world.count(&order).await, 1);
}

async fn all_of_a_kind_are_sent_on_in_the_order_they_died(backends: Backends) {
    let acts = std::iter::repeat_n(prose(), 3 * ASKED).chain([parrot()]).collect();
    let (url, _) = model(acts).await;
    let mut world = world_with(backends, &url).await;
    world.set("WORKER__CONCURRENCY", "1");
    world.start_all();
    let mut ids = Vec::new();
    for number in 0..3 {
        ids.push(world.remember(&one_turn("u", "s", &format!("t{number}"), PARROT)).await);
        world.trace_until(&ids[number], &["dead"]).await;
    }
    let none = text(&world.recall(&["dead", "requeue", "--all", "--class", "permanent"]).stdout);
    assert!(none.contains("no dead letters of this kind"), "{none}");
    assert!(!world.recall(&["dead", "requeue", "--class", "bug"]).status.success(), "of all or by ids");
    assert!(!world.recall(&["dead", "requeue", "--all", &ids[0]]).status.success(), "one of both");
    let told = text(&world.recall(&["dead", "requeue", "--all", "--class", "transient", "--reason", "be used"]).stdout);
    assert_eq!(told.trim(), "3 requeued");
    assert_eq!(text(&world.recall(&["dead", "requeue", "--all"]).stdout).trim(), "no dead letters of this kind");
    for id in &ids {
        world.done(id).await;
    }
    let order = "SELECT count(*) FROM runs a JOIN runs b ON b.session_version = a.session_version + 1
        WHERE (a.trace_id = '{0}' AND b.trace_id = '{1}') OR (a.trace_id = '{1}' AND b.trace_id = '{2}')";
    let order = (0..3).fold(order.to_owned(), |text, place| text.replace(&format!("{{{place}}}"), &ids[place]));
    assert_eq!(world.count(&order).await, 2);
}

#[tokio::test]
async fn all_of_a_kind_are_sent_on_in_the_order_they_died_in_one_process() {
    all_of_a_kind_are_sent_on_in_the_order_they_died(Backends::Embedded).await;
}

#[tokio::test]
async fn all_of_a_kind_are_sent_on_in_the_order_they_died_in_the_fleet() {
    all_of_a_kind_are_sent_on_in_the_order_they_died(Backends::Services).await;
}

fn message(id: &str) -> Vec<u8> {
    let turn = json!({ "id": "t1", "role": "user", "content": PARROT, "at": "2026-03-02T18:10:00+01:00", "at_source": "stated" });
    let call = json!({
        "trace_id": id, "scope": { "namespace": "default", "user_id": "u" }, "session_id": "s", "turns": [turn],
        "accepted_at": "2026-03-02T18:10:00+01:00",
    });
    serde_json::to_vec(&json!({ "version": 1, "call": call })).unwrap()
}

#[tokio::test]
async fn what_the_broker_set_aside_is_a_dead_letter_like_any_other() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let id = "trc_01JQ0000000000000000000007";
    world.slip_in("p99", id, &message(id)).await;
    world
        .until("the safety queue to be told", || async {
            let told = text(&world.recall(&["dead", "list"]).stdout);
            told.contains(&format!("1 in {}.unrouted", world.name())).then_some(())
        })
        .await;
    world.work();
    let trace = world.trace_until(id, &["dead"]).await;
    assert!(trace["error"].as_str().is_some_and(|error| error.contains("no partition took the message")), "{trace}");
    assert_eq!(world.json(&["fleet", "status", "--json"])["astray"], 0);
    assert_eq!(world.json(&["dead", "requeue", id, "--json"])[0]["outcome"], "requeued");
    assert_eq!(world.done(id).await["stored_count"], 1);
}

#[tokio::test]
async fn a_message_that_is_no_call_can_be_dropped_but_not_sent_on() {
    let mut world = World::new(Backends::Services).await;
    world.start_all();
    world.slip_in("p00", "m-1", b"no call at all").await;
    world
        .until("the dead letter", || async {
            (world.count("SELECT count(*) FROM dead_letters").await == 1).then_some(())
        })
        .await;
    let refused = world.recall(&["dead", "requeue", "m-1"]);
    assert!(!refused.status.success() && text(&refused.stdout).contains("cannot be read"), "{}", text(&refused.stdout));
    let dropped = world.json(&["dead", "drop", "m-1", "--reason", "noise", "--json"]);
    assert_eq!(dropped[0]["outcome"], "dropped");
}

#[tokio::test]
async fn over_http_an_admin_decides_about_the_dead_letters_of_its_own_tenant() {
    let (url, _) = model(vec![prose()]).await;
    let mut world = world_with(Backends::Embedded, &url).await;
    let key = |name: &str, namespace: &str, role: &str| {
        format!(
            "{{ name = \"{name}\", key = \"{name}-secret-of-the-tests\", namespace = \"{namespace}\", role = \"{role}\" }}"
        )
    };
    let keys = [
        key("root", "*", "admin"),
        key("acme", "acme", "admin"),
        key("other", "other", "admin"),
        key("chat", "acme", "service"),
    ];
    world.set("API__KEYS", &format!("[{}]", keys.join(", ")));
    world.serve();
    let bearer = |name: &str| format!("Bearer {name}-secret-of-the-tests");
    let mut call = one_turn("u", "s", "t1", PARROT);
    call["scope"]["namespace"] = json!("acme");
    let (status, accepted) = world.post_to("/v1/remember", &[("authorization", &bearer("chat"))], &call).await;
    assert_eq!(status, 202, "{accepted}");
    let id = accepted["trace_id"].as_str().unwrap();
    world
        .until("the dead letter", || async {
            (world.count("SELECT count(*) FROM dead_letters").await == 1).then_some(())
        })
        .await;
    let get = async |name: &str, path: &str| world.get_with(path, ("authorization", &bearer(name))).await;
    let one = format!("/v1/dead/{id}");
    assert_eq!((get("acme", "/v1/dead").await, get("chat", "/v1/dead").await), (200, 403));
    assert_eq!((get("acme", &one).await, get("other", &one).await, get("chat", &one).await), (200, 404, 403));
    assert_eq!(get("acme", "/v1/fleet").await, 403);
    assert_eq!(get("root", "/v1/fleet").await, 200);
    let post = async |name: &str, path: &str, body: Value| {
        world.post_to(path, &[("authorization", &bearer(name))], &body).await
    };
    let (_, foreign) = post("other", "/v1/dead/requeue", json!({ "ids": [id] })).await;
    assert_eq!(foreign["items"], json!([{ "id": id, "outcome": "unknown" }]));
    for (body, field) in [
        (json!({ "ids": [] , "reason": "x" }), "ids"),
        (json!({ "ids": [id], "reason": " " }), "reason"),
        (json!({ "ids": [id] }), "body"),
        (json!({ "ids": [id], "reason": "x", "all": true }), "body"),
    ] {
        let (status, problem) = post("acme", "/v1/dead/drop", body).await;
        assert_eq!((status, problem["errors"][0]["field"].as_str()), (422, Some(field)), "{problem}");
    }
    // The command line goes through the process that holds the directory, with its admin key.
    assert_eq!(world.json(&["dead", "drop", id, "--reason", "no use", "--json"])[0]["outcome"], "dropped");
    let actor =
        "SELECT count(*) FROM call_events WHERE event = 'dropped' AND actor = 'api_key:root' AND reason = 'no use'";
    assert_eq!(world.count(actor).await, 1);
}

#[tokio::test]
async fn a_call_under_a_key_that_was_used_before_goes_on_under_a_trace_of_its_own() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let worker = world.work();
    let keyed = |id: &str, words: &str| {
        let mut call = one_turn("u", "s", id, words);
        call["idempotency_key"] = json!("once");
        call
    };
    let first = world.remember(&keyed("t1", "I keep two goats behind the house.")).await;
    world.done(&first).await;
    // Another door does not know what the first one accepted.
    world.serve();
    assert_eq!(world.remember(&keyed("t2", "I live in Narvik.")).await, first);
    world
        .until("the second call to be kept", || async {
            (world.count("SELECT count(*) FROM dead_letters").await == 1).then_some(())
        })
        .await;
    let list = world.json(&["dead", "list", "--json"]);
    let letter = list[0]["id"].as_str().unwrap();
    assert!(letter.starts_with(&first) && letter != first, "{list}");
    let decided = world.json(&["dead", "requeue", letter, "--json"]);
    let second = decided[0]["trace_id"].as_str().unwrap().to_owned();
    assert_ne!(second, first, "{decided}");
    assert_eq!(world.done(&second).await["stored_count"], 1);
    assert_eq!(world.json(&["dead", "list", "--json"]), json!([]));
    world.kill(worker);
}
