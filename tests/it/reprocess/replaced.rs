//! A run that stands beside what is remembered, is put in its place, and given up again.

use super::{SESSIONS, newest, prepare, remembered, reprocess, row, session_id};
use crate::world::{Backends, World};
use recall_llm::recorded::Labelled;
use serde_json::Value;

/// A tape on which every other fact is missing: what a more careful prompt would answer.
fn sparing(world: &mut World) {
    let entry = |session: usize| {
        let mut row = row(session);
        let facts = row["facts"].as_array().unwrap().iter().step_by(2).cloned().collect();
        row["facts"] = Value::Array(facts);
        let labelled: Labelled = serde_json::from_value(row).unwrap();
        serde_json::to_string(&labelled.entry(&session_id(session))).unwrap() + "\n"
    };
    let tape = world.folder().join("sparing.jsonl");
    std::fs::write(&tape, (0..SESSIONS).map(entry).collect::<String>()).unwrap();
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

#[tokio::test]
async fn a_run_that_replaces_takes_the_place_of_what_it_read_and_is_rolled_back_to_exactly_that() {
    let mut world = World::new(Backends::Embedded).await;
    let file = prepare(&mut world).display().to_string();
    let (code, said) = reprocess(&world, &[&file]);
    assert_eq!(code, Some(0), "{said}");
    let former = remembered(&world);
    assert_eq!(versions(&world), ["v1"]);

    sparing(&mut world);
    let (code, said) = reprocess(&world, &["--prompt", "v2", "--replace", &file]);
    assert_eq!(code, Some(0), "{said}");
    let replaced = remembered(&world);
    assert_eq!(versions(&world), ["v2"], "nothing of the first run counts");
    assert!(replaced.len() < former.len() && replaced.len() >= SESSIONS, "{} of {}", replaced.len(), former.len());

    let id = newest(&world)["run_id"].as_str().unwrap().to_owned();
    let dry = world.recall(&["run", "rollback", &id, "--reason", "worse", "--dry-run"]);
    assert!(dry.status.success());
    assert_eq!(remembered(&world), replaced, "a dry run changes nothing");
    let back = world.recall(&["run", "rollback", &id, "--reason", "worse"]);
    assert!(back.status.success());
    assert_eq!(remembered(&world), former);
    assert_eq!(versions(&world), ["v1"]);

    let again = world.recall(&["run", "swap", &id, "--reason", "better after all"]);
    assert!(again.status.success());
    assert_eq!(remembered(&world), replaced);
}
