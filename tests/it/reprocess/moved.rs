//! Runs that are paused, resumed and cancelled by others, and archives that changed under them.

use super::{SESSIONS, newest, prepare, remembered, reprocess};
use crate::world::{Backends, World, text};

fn moved(world: &World, verb: &str, id: &str) {
    let output = world.recall(&["run", verb, id, "--reason", "a test"]);
    assert!(output.status.success(), "{verb}: {}", text(&output.stderr));
}

#[tokio::test]
async fn a_run_is_paused_resumed_and_cancelled_from_elsewhere_and_what_waits_is_dropped_with_a_reason() {
    let mut world = World::new(Backends::Services).await;
    world.set("REPROCESS__CALLS_IN_FLIGHT", "6");
    let file = prepare(&mut world).display().to_string();
    let place = world.reprocess(&["--turns-per-call", "4", &file]);
    let id = newest(&world)["run_id"].as_str().unwrap().to_owned();
    moved(&world, "pause", &id);
    assert_eq!(newest(&world)["status"], "paused");
    moved(&world, "resume", &id);
    let waiting = || async {
        let status = world.json(&["fleet", "status", "--json"]);
        (status["bulk"]["queued"] == 6).then_some(())
    };
    world.until("six calls to wait in the bulk lane", waiting).await;
    moved(&world, "cancel", &id);
    assert_eq!(world.ended(place).await, Some(1));
    world.work();
    world.until("the waiting calls to be dropped", || async { (newest(&world)["dropped"] == 6).then_some(()) }).await;
    let run = newest(&world);
    assert_eq!(
        (&run["status"], &run["done"], &run["reason"]),
        (&"cancelled".into(), &0.into(), &"a test".into()),
        "{run:#}"
    );
    let told =
        "SELECT count(*) FROM call_events WHERE event = 'dropped' AND reason = 'its reprocessing run was cancelled'";
    assert_eq!(world.count(told).await, 6);
    let again = world.recall(&["run", "resume", &id, "--reason", "a test"]);
    assert!(!again.status.success() && text(&again.stderr).contains("has ended"), "{}", text(&again.stderr));
    // The same command is another run, and its calls are done though calls of the same ids were dropped.
    let (code, said) = reprocess(&world, &["--turns-per-call", "4", &file]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(newest(&world)["done"], newest(&world)["calls"]);
    assert_ne!(newest(&world)["run_id"], id.as_str());
}

#[tokio::test]
async fn a_run_of_one_process_is_cancelled_through_that_process() {
    let mut world = World::new(Backends::Embedded).await;
    let file = prepare(&mut world).display().to_string();
    world.set("REPROCESS__CALLS_IN_FLIGHT", "1");
    let place = world.reprocess(&["--turns-per-call", "4", &file]);
    let id = newest(&world)["run_id"].as_str().unwrap().to_owned();
    moved(&world, "cancel", &id);
    assert_eq!(world.ended(place).await, Some(1));
    let run = newest(&world);
    assert_eq!(run["status"], "cancelled");
    assert!(run["settled"].as_u64() < run["calls"].as_u64(), "{run:#}");
    world.set("REPROCESS__CALLS_IN_FLIGHT", "16");
    // The same command begins another run, which goes on where the first was ended: in the end nothing tells that it ever was.
    let (code, said) = reprocess(&world, &["--turns-per-call", "4", &file]);
    assert_eq!(code, Some(0), "{said}");
    let again = newest(&world);
    assert_ne!(again["run_id"], run["run_id"]);
    assert_eq!((&again["status"], &again["settled"]), (&"done".into(), &again["calls"]), "{again:#}");
    let mut other = World::new(Backends::Embedded).await;
    let undisturbed = prepare(&mut other).display().to_string();
    let (code, said) = reprocess(&other, &["--turns-per-call", "4", &undisturbed]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(remembered(&world), remembered(&other));
}

#[tokio::test]
async fn a_conversation_that_stands_twice_in_an_archive_is_read_once() {
    let mut world = World::new(Backends::Embedded).await;
    let file = prepare(&mut world);
    let whole = std::fs::read_to_string(&file).unwrap();
    let first = whole.lines().next().unwrap();
    std::fs::write(&file, format!("{whole}{first}\n{first}\n")).unwrap();
    let path = file.display().to_string();
    let (code, said) = reprocess(&world, &[&path]);
    assert_eq!(code, Some(0), "{said}");
    let run = newest(&world);
    let sessions = SESSIONS as u64;
    assert_eq!(
        (&run["calls"], &run["done"], &run["known"]),
        (&(sessions + 2).into(), &sessions.into(), &2.into()),
        "{run:#}"
    );
    let (code, said) = reprocess(&world, &["--turns-per-call", "7", &path, &path]);
    assert_eq!(code, Some(0), "a file named twice: {said}");
}

#[tokio::test]
async fn a_changed_archive_is_refused_and_so_is_another_command_for_the_same_run() {
    let mut world = World::new(Backends::Services).await;
    let file = prepare(&mut world);
    let path = file.display().to_string();
    let place = world.reprocess(&[&path]);
    let id = newest(&world)["run_id"].as_str().unwrap().to_owned();
    world.kill(place);
    let (code, said) = reprocess(&world, &["--resume", &id, "--turns-per-call", "5", &path]);
    assert!(code == Some(1) && said.contains("no unfinished run of this command"), "{said}");
    let whole = std::fs::read_to_string(&file).unwrap();
    let shorter: String = whole.lines().take(SESSIONS - 1).map(|line| line.to_owned() + "\n").collect();
    std::fs::write(&file, shorter).unwrap();
    let (code, said) = reprocess(&world, &[&path]);
    assert!(code == Some(1) && said.contains("the archives changed since") && said.contains(&id), "{said}");
    std::fs::write(&file, whole).unwrap();
    world.work();
    let (code, said) = reprocess(&world, &["--resume", &id, &path]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(newest(&world)["run_id"], id.as_str());
}

#[tokio::test]
async fn calls_that_cannot_be_done_are_dead_letters_of_their_run() {
    let mut world = World::new(Backends::Embedded).await;
    let file = prepare(&mut world);
    let tape = world.folder().join("tape.jsonl");
    let whole = std::fs::read_to_string(&tape).unwrap();
    std::fs::write(&tape, whole.lines().skip(2).map(|line| line.to_owned() + "\n").collect::<String>()).unwrap();
    let (code, said) = reprocess(&world, &[&file.display().to_string()]);
    assert_eq!(code, Some(1), "{said}");
    let run = newest(&world);
    assert_eq!(
        (&run["status"], &run["dead"], &run["done"]),
        (&"done".into(), &2.into(), &((SESSIONS - 2) as u64).into()),
        "{run:#}"
    );
    let shown = world.json(&["run", "show", run["run_id"].as_str().unwrap(), "--json"]);
    let letters = shown["dead_letters"].as_array().unwrap();
    assert!(letters.len() == 2 && letters.iter().all(|letter| letter["lane"] == "bulk"), "{shown:#}");
    assert!(letters[0]["reason"].as_str().unwrap().contains("tape holds no reply"), "{shown:#}");
}
