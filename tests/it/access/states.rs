//! The states of a memory: each can be left, by somebody who is named here and nobody has to be an admin for it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{keyed, made, memory_with, remembered, says, user};
use crate::world::{Backends, World};

/// Those who move memories.
struct People {
    service: String,
    support: String,
    detector: String,
    ana: String,
}

/// A state, how a memory of a word came into it, and who leads it out to which state.
struct Way {
    state: &'static str,
    out: &'static str,
    who: &'static str,
}

const WAYS: [Way; 7] = [
    Way { state: "active", who: "user", out: "deleted" },
    Way { state: "disputed", who: "user", out: "active" },
    Way { state: "superseded", who: "support", out: "active" },
    Way { state: "expired", who: "support", out: "active" },
    Way { state: "forgotten", who: "support", out: "active" },
    Way { state: "suppressed", who: "user and support", out: "active" },
    Way { state: "deleted", who: "user", out: "active" },
];

/// The state a memory is in: why it is gone, else its status.
async fn state(world: &World, id: &str) -> &'static str {
    for way in &WAYS {
        let there = format!(
            "SELECT count(*) FROM memories WHERE memory_id = '{id}' AND coalesce(gone, status) = '{}'",
            way.state
        );
        if world.count(&there).await == 1 {
            return way.state;
        }
    }
    "none of the table"
}

async fn done(world: &World, bearer: &str, (method, path): (&str, &str), body: Value) -> Value {
    let (status, answer) = world.ask_as(Some(bearer), (method, path), &body).await;
    assert!((200..300).contains(&status), "{method} {path}: {status} {answer}");
    answer
}

fn why() -> Value {
    json!({ "reason": "a walk" })
}

async fn suppression(world: &World, bearer: &str) -> String {
    let (_, page) = world.ask_as(Some(bearer), ("GET", "/v1/suppressions?user_id=ana"), &Value::Null).await;
    let open = page["items"].as_array().unwrap().iter().find(|entry| entry["lifted_at"].is_null());
    open.unwrap_or_else(|| panic!("{page:#}"))["suppression_id"].as_str().unwrap().to_owned()
}

/// Ana says something; its memory and its trace.
async fn told(world: &World, people: &People, turn: &str, (words, word): (&str, &str)) -> (String, String) {
    let trace = remembered(world, &people.service, &says("ana", turn, words)).await;
    let memory = memory_with(world, &people.support, word).await;
    (memory["id"].as_str().unwrap().to_owned(), trace)
}

/// Every value that the database lets a state have.
async fn of_the_database(world: &World) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let words = ["active", "superseded", "disputed", "expired", "forgotten", "suppressed", "deleted"];
    for word in words {
        let allowed = format!(
            "SELECT count(*) FROM pg_constraint WHERE conrelid = 'memories'::regclass AND contype = 'c'
                AND (pg_get_constraintdef(oid) LIKE '%status%''{word}''%' OR pg_get_constraintdef(oid) LIKE '%gone%''{word}''%')"
        );
        if world.count(&allowed).await > 0 {
            found.insert(word.to_owned());
        }
    }
    // A state nobody here knows would stand in the constraints beside these.
    let quoted = "SELECT CAST(sum(regexp_count(pg_get_constraintdef(oid), '''[a-z]+''')) AS BIGINT) FROM pg_constraint
        WHERE conrelid = 'memories'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) ~ '(status|gone) = ANY'";
    assert_eq!(world.count(quoted).await, words.len() as i64, "the database knows other states than this test");
    found
}

#[tokio::test]
async fn every_state_of_a_memory_can_be_left() {
    let world = keyed(Backends::Services).await;
    let issuer = made(&world, "shop", "issuer").await;
    let people = People {
        service: made(&world, "shop", "service").await.1,
        support: made(&world, "shop", "support").await.1,
        detector: made(&world, "shop", "detector").await.1,
        ana: user(&issuer, "shop", "ana"),
    };
    let mut walked = BTreeSet::new();
    for way in &WAYS {
        let id = enter(&world, &people, way.state).await;
        assert_eq!(state(&world, &id).await, way.state, "entered");
        let id = leave(&world, &people, (way.state, &id)).await;
        assert_eq!(state(&world, &id).await, way.out, "left {} by {}", way.state, way.who);
        walked.insert(way.state.to_owned());
    }
    assert_eq!(walked, of_the_database(&world).await);
}

/// Brings a memory into a state.
async fn enter(world: &World, people: &People, state: &str) -> String {
    match state {
        "active" => told(world, people, "a1", ("I collect lighthouses.", "lighthouses")).await.0,
        "disputed" => {
            let (id, _) = told(world, people, "b1", ("I play the bassoon.", "bassoon")).await;
            done(world, &people.detector, ("POST", &format!("/v1/memories/{id}/dispute")), why()).await;
            id
        }
        "superseded" => {
            let (id, _) = told(world, people, "c1", ("I live in Odense.", "Odense")).await;
            let later = json!({
                "scope": { "user_id": "ana" }, "session_id": "later",
                "messages": [{ "id": "c2", "role": "user", "content": "I live in Aarhus.", "timestamp": "2026-05-02T18:10:00+01:00" }],
            });
            remembered(world, &people.service, &later).await;
            id
        }
        "expired" => {
            let (id, _) = told(world, people, "d1", ("I like rowing.", "rowing")).await;
            // The sweep that ends what is over comes by every ten minutes; this is what it writes.
            let over = format!("UPDATE memories SET status = 'expired', expires_at = 1 WHERE memory_id = '{id}'");
            let hurt = format!("WITH ended AS ({over} RETURNING 1) SELECT count(*) FROM ended");
            assert_eq!(world.count(&hurt).await, 1);
            id
        }
        "forgotten" => {
            let (id, _) = told(world, people, "e1", ("I have a tortoise.", "tortoise")).await;
            done(world, &people.support, ("POST", &format!("/v1/memories/{id}/forget")), why()).await;
            id
        }
        "suppressed" => {
            let (id, trace) = told(world, people, "f1", ("I own a shotgun.", "shotgun")).await;
            done(world, &people.support, ("POST", &format!("/v1/traces/{trace}/forget")), why()).await;
            let kept = json!({ "scope": { "user_id": "ana" }, "text": "User owns a shotgun", "reason": "a walk" });
            done(world, &people.support, ("POST", "/v1/suppressions"), kept).await;
            done(world, &people.support, ("POST", &format!("/v1/traces/{trace}/restore")), why()).await;
            id
        }
        _ => {
            let (id, _) = told(world, people, "g1", ("I speak Welsh.", "Welsh")).await;
            done(world, &people.ana, ("DELETE", &format!("/v1/memories/{id}")), Value::Null).await;
            id
        }
    }
}

/// Leads a memory out of a state; the memory that counts then.
async fn leave(world: &World, people: &People, (state, id): (&str, &str)) -> String {
    let memory = format!("/v1/memories/{id}");
    match state {
        "active" => {
            done(world, &people.ana, ("DELETE", &memory), Value::Null).await;
        }
        "disputed" => {
            done(world, &people.ana, ("POST", &format!("{memory}/settle")), why()).await;
        }
        "superseded" => {
            let by = memory_with(world, &people.support, "Aarhus").await;
            let trace = by["provenance"]["extraction_trace_id"].as_str().unwrap();
            done(world, &people.support, ("POST", &format!("/v1/traces/{trace}/forget")), why()).await;
        }
        "expired" => {
            let off = json!({ "expires_at": "2100-01-01T00:00:00Z", "reason": "a walk" });
            done(world, &people.support, ("PATCH", &memory), off).await;
        }
        "forgotten" => {
            done(world, &people.support, ("POST", &format!("{memory}/restore")), why()).await;
        }
        "suppressed" => {
            let entry = suppression(world, &people.ana).await;
            done(world, &people.ana, ("DELETE", &format!("/v1/suppressions/{entry}?reason=a%20walk")), Value::Null)
                .await;
            done(world, &people.support, ("POST", &format!("{memory}/restore")), why()).await;
        }
        // What was deleted is gone for good; lifted, its claim may be learnt again.
        _ => {
            let entry = suppression(world, &people.ana).await;
            done(world, &people.ana, ("DELETE", &format!("/v1/suppressions/{entry}?reason=a%20walk")), Value::Null)
                .await;
            return told(world, people, "g2", ("I speak Welsh.", "Welsh")).await.0;
        }
    }
    id.to_owned()
}
