//! A run that stands beside what is remembered, is put in its place, and given up again.

use std::collections::BTreeSet;

use super::{SESSIONS, moved, newest, prepare, remembered, reprocess, row, session_id};
use crate::world::{Backends, World, text};
use recall_llm::recorded::Labelled;
use serde_json::{Value, json};

/// What is said while a run stands in, and what the tape makes of it.
const SAID_LIVE: &str = "I play the cello in a string quartet.";
const TOLD_LIVE: &str = "Ida plays the cello in a string quartet";

/// A tape on which every other fact is missing: what a more careful prompt would answer. It knows a session beside the archive, too.
fn sparing(world: &mut World) {
    let entry = |session: usize| {
        let mut row = row(session);
        let facts = row["facts"].as_array().unwrap().iter().step_by(2).cloned().collect();
        row["facts"] = Value::Array(facts);
        let labelled: Labelled = serde_json::from_value(row).unwrap();
        serde_json::to_string(&labelled.entry(&session_id(session))).unwrap() + "\n"
    };
    let tape = world.folder().join("sparing.jsonl");
    let live: Labelled = serde_json::from_value(json!({
        "turns": [{ "id": "L:0", "speaker": "Ida", "text": SAID_LIVE }],
        "facts": [{ "about": "Ida", "text": TOLD_LIVE, "evidence": ["L:0"] }],
    }))
    .unwrap();
    let live = serde_json::to_string(&live.entry("live")).unwrap() + "\n";
    std::fs::write(&tape, (0..SESSIONS).map(entry).collect::<String>() + &live).unwrap();
    world.set("MODEL__TAPE", &tape.display().to_string());
}

fn versions(world: &World) -> Vec<String> {
    let all = world.json(&["memory", "list", "--limit", "500", "--json"]);
    let version = |memory: &Value| memory["provenance"]["extracted_by"]["prompt_version"].as_str().unwrap().to_owned();
    let mut versions: Vec<String> = all.as_array().unwrap().iter().map(version).collect();
    versions.sort();
    versions.dedup();
    versions
}

/// Reads the archive with the first prompt, then beside it with a more careful one, and swaps: what stood before, and the run.
fn swapped(world: &mut World, backends: Backends) -> (Vec<String>, String) {
    let file = prepare(world).display().to_string();
    let worker = (backends == Backends::Services).then(|| world.work());
    let (code, said) = reprocess(world, &[&file]);
    assert_eq!(code, Some(0), "{said}");
    let former = remembered(world);
    assert_eq!(versions(world), ["v1"]);

    sparing(world);
    if let Some(place) = worker {
        world.kill(place);
        world.work();
    }
    let (code, said) = reprocess(world, &["--prompt", "v2", "--replace", &file]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(versions(world), ["v2"], "nothing of the first run counts");
    let replaced = remembered(world).len();
    assert!(replaced < former.len() && replaced >= SESSIONS, "{replaced} of {}", former.len());
    (former, newest(world)["run_id"].as_str().unwrap().to_owned())
}

async fn rolled_back_to_exactly_what_stood(backends: Backends) {
    let mut world = World::new(backends).await;
    let (former, id) = swapped(&mut world, backends);
    let replaced = remembered(&world);
    moved(&world, "rollback", &id, &["--dry-run"]);
    assert_eq!(remembered(&world), replaced, "a dry run changes nothing");
    moved(&world, "rollback", &id, &[]);
    assert_eq!(remembered(&world), former);
    assert_eq!(versions(&world), ["v1"]);
    moved(&world, "swap", &id, &[]);
    assert_eq!(remembered(&world), replaced);
}

#[tokio::test]
async fn a_run_that_replaces_is_rolled_back_to_exactly_what_stood_before_in_one_process() {
    rolled_back_to_exactly_what_stood(Backends::Embedded).await;
}

#[tokio::test]
async fn a_run_that_replaces_is_rolled_back_to_exactly_what_stood_before_in_a_fleet() {
    rolled_back_to_exactly_what_stood(Backends::Services).await;
}

/// What counts of lines of [`remembered`]: their contents.
fn active(lines: &[String]) -> BTreeSet<String> {
    let content = |line: &String| line.split(" | ").next().unwrap_or_default().to_owned();
    lines.iter().filter(|line| line.contains(" | active | ")).map(content).collect()
}

#[tokio::test]
async fn the_same_command_again_reads_nothing_and_swaps_in_what_was_rolled_back() {
    let mut world = World::new(Backends::Embedded).await;
    let (former, id) = swapped(&mut world, Backends::Embedded);
    let file = world.folder().join("talks.jsonl").display().to_string();
    let (replaced, before) = (remembered(&world), super::counts(&world).await);
    let args = ["--prompt", "v2", "--replace", file.as_str()];
    let (code, said) = reprocess(&world, &args);
    assert!(code == Some(0) && said.contains("nothing is read again"), "{said}");
    assert_eq!((super::counts(&world).await, remembered(&world)), (before, replaced.clone()));
    let swapped = || world.json(&["run", "show", &id, "--json"])["standing"]["swapped"].clone();
    assert_eq!(swapped(), 1);
    moved(&world, "rollback", &id, &[]);
    assert_eq!(swapped(), 0);
    assert_eq!(remembered(&world), former);
    let (code, said) = reprocess(&world, &args);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!((remembered(&world), newest(&world)["run_id"].as_str().unwrap()), (replaced.clone(), id.as_str()));
    let (code, said) = reprocess(&world, &[&args[..], &["--anew"]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert_ne!(newest(&world)["run_id"].as_str().unwrap(), id);
    assert_eq!(remembered(&world), replaced);
}

#[tokio::test]
async fn a_rollback_keeps_what_a_person_removed_away_and_what_was_said_meanwhile() {
    let mut world = World::new(Backends::Services).await;
    let (former, id) = swapped(&mut world, Backends::Services);
    let mut wanted = active(&former);

    let goats = world.json(&["memory", "list", "--text", "bought 4 goats", "--json"]);
    let goats = goats.as_array().unwrap().iter().find(|one| one["status"] == "active").unwrap().clone();
    let gone = world.recall(&["memory", "delete", goats["id"].as_str().unwrap(), "--reason", "asked for"]);
    assert!(gone.status.success(), "{}", text(&gone.stderr));
    world.serve();
    let message = json!({ "id": "L:0", "role": "user", "name": "Ida", "content": SAID_LIVE, "timestamp": "2026-03-01T18:00:00Z" });
    let live = json!({ "scope": { "user_id": "ida" }, "session_id": "live", "messages": [message] });
    let trace = world.remember(&live).await;
    world.done(&trace).await;

    moved(&world, "rollback", &id, &[]);
    assert!(wanted.remove(goats["content"].as_str().unwrap()), "the first prompt found it, too");
    assert!(wanted.insert(TOLD_LIVE.to_owned()));
    assert_eq!(active(&remembered(&world)), wanted);
}
