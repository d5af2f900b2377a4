//! What people did and said meanwhile: newer words, deletions, erasures.

use serde_json::{Value, json};

use super::{newest, reprocess};
use crate::world::{Backends, World, text};

/// A file with one conversation of ana.
fn archive(world: &World, name: &str, (session, at): (&str, &str), words: &[&str]) -> String {
    let messages: Vec<Value> = words
        .iter()
        .enumerate()
        .map(|(turn, words)| json!({ "id": format!("{session}-{turn}"), "role": "user", "content": words, "timestamp": at }))
        .collect();
    let path = world.folder().join(name);
    std::fs::write(&path, json!({ "session_id": session, "user_id": "ana", "messages": messages }).to_string() + "\n")
        .unwrap();
    path.display().to_string()
}

fn of_ana(world: &World) -> Vec<(String, String)> {
    let all = world.json(&["memory", "list", "--user", "ana", "--json"]);
    let word = |memory: &Value, field: &str| memory[field].as_str().unwrap().to_owned();
    let mut found: Vec<(String, String)> =
        all.as_array().unwrap().iter().map(|one| (word(one, "content"), word(one, "status"))).collect();
    found.sort();
    found
}

fn done(world: &World, args: &[&str]) {
    let output = world.recall(args);
    assert!(output.status.success(), "{args:?}: {}{}", text(&output.stdout), text(&output.stderr));
}

#[tokio::test]
async fn older_words_that_are_read_later_do_not_end_newer_ones() {
    let world = World::new(Backends::Embedded).await;
    let newer = archive(&world, "newer.jsonl", ("s2", "2026-05-02T10:00:00Z"), &["I live in Bergen."]);
    done(&world, &["remember", "--user", "ana", &newer]);
    let older = archive(&world, "older.jsonl", ("s1", "2024-05-02T10:00:00Z"), &["I live in Oslo."]);
    done(&world, &["reprocess", &older]);
    let found = of_ana(&world);
    let status =
        |city: &str| found.iter().find(|(content, _)| content.contains(city)).map(|(_, status)| status.as_str());
    assert_eq!((status("Bergen"), status("Oslo")), (Some("active"), Some("superseded")), "{found:?}");
}

#[tokio::test]
async fn what_was_remembered_live_is_known_and_what_was_deleted_stays_away() {
    let world = World::new(Backends::Embedded).await;
    let file = archive(&world, "a.jsonl", ("s1", "2025-05-02T10:00:00Z"), &["I live in Oslo.", "I own two boats."]);
    done(&world, &["remember", "--user", "ana", &file]);
    let before = super::counts(&world).await;
    done(&world, &["reprocess", &file]);
    assert_eq!(super::counts(&world).await, before, "the same claims from the same turns");
    assert_eq!(newest(&world)["done"], 1, "though the run read them itself");
    let all = world.json(&["memory", "list", "--user", "ana", "--text", "boats", "--json"]);
    done(&world, &["memory", "delete", all[0]["id"].as_str().unwrap(), "--reason", "asked for"]);
    let copy = archive(&world, "b.jsonl", ("s9", "2025-05-03T10:00:00Z"), &["I live in Oslo.", "I own two boats."]);
    done(&world, &["reprocess", &copy]);
    let found = of_ana(&world);
    assert!(found.len() == 1 && found[0].0.contains("Oslo"), "{found:?}");
}

#[tokio::test]
async fn an_erased_person_is_not_read_back_unless_named() {
    let world = World::new(Backends::Embedded).await;
    let file = archive(&world, "a.jsonl", ("s1", "2025-05-02T10:00:00Z"), &["I live in Oslo.", "I own two boats."]);
    done(&world, &["reprocess", &file]);
    assert_eq!(of_ana(&world).len(), 2);
    done(&world, &["person", "erase", "--user", "ana", "--reason", "asked for"]);
    let told = world.json(&["reprocess", "--dry-run", "--json", &file]);
    assert_eq!(told["refused_turns"], 2, "{told:#}");
    let (code, said) = reprocess(&world, &[&file]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(newest(&world)["spec"]["refused_turns"], 2);
    assert!(of_ana(&world).is_empty());
    let (code, said) = reprocess(&world, &["--include-erased", "ana", &file]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(of_ana(&world).len(), 2);
    let spec = newest(&world)["spec"].to_string();
    assert!(!spec.contains("ana"), "the run keeps no name: {spec}");
}
