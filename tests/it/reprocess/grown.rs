//! Archives that grew: new turns of sessions that were read before are read as if the whole had been read at once.

use recall_llm::recorded::Labelled;
use serde_json::{Value, json};

use super::{newest, remembered, reprocess};
use crate::world::{Backends, World};

/// What is said in a session, and the fact in each turn. Of whom the last one tells is said in the first.
const SAID: [(&str, &str); 4] = [
    ("My sister Ida is a nurse.", "User's sister Ida is a nurse"),
    ("She works at the hospital in Oslo.", "Ida works at the hospital in Oslo"),
    ("It rained all day.", ""),
    ("She moved to Bergen.", "Ida moved to Bergen"),
];

fn id(turn: usize) -> String {
    format!("t{turn}")
}

fn prepare(world: &mut World) {
    let turns: Vec<Value> =
        (0..SAID.len()).map(|turn| json!({ "id": id(turn), "speaker": "Ana", "text": SAID[turn].0 })).collect();
    let facts: Vec<Value> = (0..SAID.len())
        .filter(|turn| !SAID[*turn].1.is_empty())
        .map(|turn| json!({ "about": "Ida", "text": SAID[turn].1, "evidence": [id(turn)] }))
        .collect();
    let labelled: Labelled = serde_json::from_value(json!({ "turns": turns, "facts": facts })).unwrap();
    let tape = world.folder().join("tape.jsonl");
    std::fs::write(&tape, serde_json::to_string(&labelled.entry("talk")).unwrap() + "\n").unwrap();
    world.set("MODEL__PROVIDER", "recorded");
    world.set("MODEL__TAPE", &tape.display().to_string());
}

/// The archive with so many turns.
fn archive(world: &World, turns: usize) -> String {
    let message = |turn: usize| {
        let at = format!("2025-04-{:02}T18:00:00Z", turn + 1);
        json!({ "id": id(turn), "role": "user", "content": SAID[turn].0, "timestamp": at })
    };
    let messages: Vec<Value> = (0..turns).map(message).collect();
    let file = world.folder().join("talk.jsonl");
    let talk = json!({ "session_id": "talk", "user_id": "ana", "messages": messages });
    std::fs::write(&file, talk.to_string() + "\n").unwrap();
    file.display().to_string()
}

/// Reads the archive as it grows; what is remembered then, and the last run.
async fn read(backends: Backends, turns_per_call: &str, grown: &[usize]) -> (Vec<String>, Value) {
    let mut world = World::new(backends).await;
    prepare(&mut world);
    if backends == Backends::Services {
        world.work();
    }
    for turns in grown {
        let file = archive(&world, *turns);
        let (code, said) = reprocess(&world, &["--turns-per-call", turns_per_call, &file]);
        assert_eq!(code, Some(0), "{said}");
    }
    (remembered(&world), newest(&world))
}

/// A way of growing ends where reading at once does; so many calls of the last run were known.
async fn ends_as_at_once(backends: Backends, turns_per_call: &str, grown: &[usize], known: u64) {
    let (at_once, _) = read(backends, turns_per_call, &[SAID.len()]).await;
    assert!(at_once.iter().any(|line| line.contains("Ida moved to Bergen")), "{at_once:#?}");
    let (remembered, run) = read(backends, turns_per_call, grown).await;
    assert_eq!(remembered, at_once, "{turns_per_call} turns a call, {grown:?}");
    assert_eq!(run["known"], known, "{run:#}");
}

#[tokio::test]
async fn a_pronoun_of_a_new_turn_finds_whom_an_old_one_named_however_the_archive_grew() {
    for (turns_per_call, grown, known) in
        [("1", vec![1, 3, 4], 3), ("2", vec![2, 4], 1), ("3", vec![2, 4], 0), ("3", vec![3, 4], 1)]
    {
        ends_as_at_once(Backends::Embedded, turns_per_call, &grown, known).await;
    }
}

#[tokio::test]
async fn a_pronoun_of_a_new_turn_finds_whom_an_old_one_named_in_a_fleet() {
    ends_as_at_once(Backends::Services, "1", &[2, 4], 2).await;
}
