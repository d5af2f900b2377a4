//! Bad input: every fault names its field and the way out, nothing is lost, nothing panics.

use serde_json::{Value, json};

use crate::world::{Backends, World, one_turn, text};

fn with(change: impl FnOnce(&mut Value)) -> Value {
    let mut call = one_turn("u", "s", "t1", "I row.");
    change(&mut call);
    call
}

fn deep(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| json!({ "a": inner }))
}

/// Body, the status it gets, and a field that must be named.
fn table() -> Vec<(&'static str, Value, u16, &'static str)> {
    let long = "long words ".repeat(100_000);
    let many: Vec<Value> = (0..10_000).map(|n| json!({ "role": "user", "content": format!("turn {n}") })).collect();
    vec![
        ("no messages", with(|call| call["messages"] = json!([])), 422, "messages"),
        ("an empty turn", with(|call| call["messages"][0]["content"] = json!("  ")), 422, "messages"),
        ("an unknown role", with(|call| call["messages"][0]["role"] = json!("wizard")), 422, "messages[0].role"),
        ("a turn of a megabyte", with(|call| call["messages"][0]["content"] = json!(long)), 422, "messages[0].content"),
        ("ten thousand turns", with(|call| call["messages"] = json!(many)), 422, "messages"),
        ("no scope", with(|call| drop(call.as_object_mut().unwrap().remove("scope"))), 422, "scope"),
        ("no owner", with(|call| call["scope"] = json!({})), 422, "scope"),
        ("two owners", with(|call| call["scope"] = json!({ "user_id": "a", "account_id": "b" })), 422, "scope"),
        ("a control character in an id", with(|call| call["scope"]["user_id"] = json!("a\u{1f}b")), 422, "user_id"),
        (
            "a time in the future",
            with(|call| call["messages"][0]["timestamp"] = json!("2093-01-01T00:00:00Z")),
            422,
            "messages[0].timestamp",
        ),
        (
            "no time at all",
            with(|call| call["messages"][0]["timestamp"] = json!("teatime")),
            422,
            "messages[0].timestamp",
        ),
        ("an unknown zone", with(|call| call["timezone"] = json!("Mars/Olympus")), 422, "timezone"),
        ("an end in the past", with(|call| call["expires_at"] = json!("2001-01-01T00:00:00Z")), 422, "expires_at"),
        ("an unknown field", with(|call| call["mesages"] = json!([])), 422, "mesages"),
        ("another shape", json!([1, 2]), 422, "body"),
        ("metadata a hundred levels deep", with(|call| call["metadata"] = deep(100)), 422, "metadata"),
        ("metadata with NUL", with(|call| call["metadata"] = json!({ "a": ["b\u{0}"] })), 422, "metadata"),
        (
            "the same turn id twice",
            with(|call| {
                let turn = call["messages"][0].clone();
                call["messages"].as_array_mut().unwrap().push(turn);
            }),
            422,
            "messages[1].id",
        ),
    ]
}

#[tokio::test]
async fn every_fault_of_a_call_is_named_with_its_field_and_nothing_is_accepted() {
    let mut world = World::new(Backends::Embedded).await;
    world.serve();
    for (what, body, status, field) in table() {
        let (found, answer) = world.post(&body).await;
        assert_eq!(found, status, "{what}: {answer}");
        let named = answer["errors"].to_string();
        assert!(named.contains(field), "{what}: {answer}");
        assert!(answer["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{what}: {answer}");
    }
    for (what, body, status) in [
        ("not JSON", b"{oops".to_vec(), 400),
        ("not UTF-8", b"{\"messages\":\"\xff\xfe\"}".to_vec(), 400),
        ("too large", vec![b' '; 9_000_000], 413),
        (
            "a field that stands twice",
            br#"{"messages":"I row.","scope":{"user_id":"a"},"scope":{"user_id":"b"}}"#.to_vec(),
            422,
        ),
    ] {
        let (found, answer) = world.post_bytes(body).await;
        assert_eq!(found, status, "{what}: {answer}");
    }
    assert_eq!(world.count("SELECT count(*) FROM parked").await, 0);
    let (status, answer) = world.get("/v1/traces/trc_nonsense").await;
    assert_eq!((status, answer["errors"][0]["field"].as_str()), (422, Some("trace_id")), "{answer}");
    let (status, _) = world.get("/v1/memories/mem_00000000000000000000000000").await;
    assert_eq!(status, 404);
    for wrong in ["cursor=nonsense", "user=ana", "limit=-1", "limit=0", "limit=1&limit=2", "user_id=%00", "type=thing"]
    {
        let (status, answer) = world.get(&format!("/v1/memories?{wrong}")).await;
        assert_eq!((status, answer["errors"].is_array()), (422, true), "{wrong}: {answer}");
    }
}

#[tokio::test]
async fn odd_but_honest_words_are_carried_safely() {
    let mut world = World::new(Backends::Services).await;
    world.start_all();
    let odd = [
        "I live in Z\u{fc}rich \u{1f3d4}\u{fe0f} and love \u{0631}\u{0642}\u{0635} \u{0e01}\u{0e34}\u{0e19}",
        "I like tea\u{0}with NUL",
        "I like e\u{301}clairs\u{200b} and na\u{ef}ve caf\u{e9}s",
        "\u{202e}I like mirrors",
    ];
    for (n, words) in odd.iter().enumerate() {
        let id = world.remember(&one_turn("odd", "s", &format!("t{n}"), words)).await;
        world.done(&id).await;
    }
    let mut call = one_turn("odd", "s", "t9", "I moved here on Monday.");
    call["messages"][0]["timestamp"] = json!("2026-03-04T10:00:00");
    call["timezone"] = json!("Europe/Lisbon");
    let trace = world.done(&world.remember(&call).await).await;
    assert!(trace["notes"].to_string().contains("without offset"), "{trace}");
}

#[tokio::test]
async fn the_door_answers_503_and_says_when_to_come_back_while_the_broker_is_away() {
    let mut world = World::new(Backends::Services).await;
    world.set("QUEUE__URL", "amqp://guest:guest@127.0.0.1:9/%2f");
    world.set("API__CONFIRM_SECONDS", "1");
    world.serve();
    let (status, answer) = world.post(&one_turn("u", "s", "t1", "I row.")).await;
    assert_eq!(status, 503, "{answer}");
    assert!(answer["retry_after"].as_u64().is_some(), "{answer}");
    let (status, answer) = world.get("/readyz").await;
    assert_eq!(status, 503, "{answer}");
    assert_ne!(answer["queue"], "ok", "{answer}");
    assert_eq!(world.get("/healthz").await.0, 200);
}

#[tokio::test]
async fn a_database_that_is_away_is_named_with_the_way_out() {
    let mut world = World::new(Backends::Services).await;
    world.set("STORE__URL", "postgres://nobody@127.0.0.1:9/none");
    let output = world.recall(&["memory", "list"]);
    let said = crate::world::text(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("store.url"), "{said}");
}

#[tokio::test]
async fn without_keys_a_web_page_can_neither_write_nor_read() {
    let mut world = World::new(Backends::Embedded).await;
    world.serve();
    for (header, value) in [("host", "evil.example"), ("origin", "http://evil.example")] {
        assert_eq!(world.get_with("/v1/memories", (header, value)).await, 403, "{header}");
    }
    assert_eq!(world.get_with("/v1/memories", ("origin", "http://localhost:3000")).await, 200);
    let output = world.recall(&[
        "--set",
        "api.keys=[{name=\"a\",key=\"short\",namespace=\"n\",role=\"admin\"}]",
        "config",
        "show",
    ]);
    assert!(crate::world::text(&output.stderr).contains("at least 16 bytes"), "{output:?}");
}

#[tokio::test]
async fn a_turn_id_used_again_for_other_words_is_a_turn_of_its_own() {
    let mut world = World::new(Backends::Embedded).await;
    world.start_all();
    world.done(&world.remember(&one_turn("u", "s", "m1", "I live in Rome.")).await).await;
    let mut call = one_turn("u", "s", "m1", "I have a dog.");
    call["messages"][0]["timestamp"] = json!("2026-05-05T10:00:00+02:00");
    let trace = world.done(&world.remember(&call).await).await;
    assert!(trace["notes"].to_string().contains("m1~"), "{trace}");
    let memories = world.memories("user_id=u&text=dog").await;
    let source = &memories[0]["provenance"]["sources"][0];
    assert_eq!(source["said_at"], "2026-05-05T10:00:00+02:00", "{source}");
}

#[tokio::test]
async fn a_worker_with_another_secret_is_refused_since_it_would_learn_again_what_was_deleted() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    world.set("KEYS__SECRET", "another secret");
    for command in [&["work"][..], &["serve"], &["suppression", "add", "User owns a kite", "--reason", "asked for"]] {
        let refused = world.recall(command);
        let said = text(&refused.stderr);
        assert!(!refused.status.success() && said.contains("the key \"k1\""), "{command:?}: {said}");
    }
    world.set("KEYS__ID", "k2");
    let refused = text(&world.recall(&["work"]).stderr);
    assert!(refused.contains("keys.older"), "{refused}");
    world.set("KEYS__OLDER", r#"[{ id = "k1", secret = "a secret of the tests" }]"#);
    world.work();
}
