//! Runs that are killed and go on, and runs that are done again.

use super::{SESSIONS, TURNS, counts, newest, prepare, remembered, reprocess};
use crate::world::{Backends, World};

/// How often the process that feeds is killed.
const KILLS: usize = 5;
/// Turns of a call, so that every session has many.
const CUT: [&str; 2] = ["--turns-per-call", "1"];
/// Calls of a run.
const CALLS: usize = SESSIONS * TURNS;
/// Calls in flight: whoever feeds them has to be alive for more than these to be done, so that a kill comes before the last.
const IN_FLIGHT: &str = "4";

async fn world(backends: Backends) -> (World, String) {
    let mut world = World::new(backends).await;
    let file = prepare(&mut world).display().to_string();
    world.set("REPROCESS__CALLS_IN_FLIGHT", IN_FLIGHT);
    if backends == Backends::Services {
        world.work();
    }
    (world, file)
}

async fn runs(world: &World) -> i64 {
    world.count("SELECT count(*) FROM runs").await
}

/// What an undisturbed run leaves; doing it again must add nothing.
async fn undisturbed(backends: Backends) -> Vec<String> {
    let (world, file) = world(backends).await;
    let args = [CUT[0], CUT[1], &file];
    let (code, said) = reprocess(&world, &args);
    assert_eq!(code, Some(0), "{said}");
    let first = newest(&world);
    let calls = CALLS as u64;
    assert_eq!(
        (&first["calls"], &first["done"], &first["settled"]),
        (&calls.into(), &calls.into(), &calls.into()),
        "{first:#}"
    );
    assert_eq!(world.count("SELECT count(*) FROM batch_sessions").await, 0, "state goes with the run");
    assert_eq!(
        world.count("SELECT count(*) FROM sessions WHERE version > 0 OR last_turns <> '[]'").await,
        0,
        "live is untouched"
    );
    let before = counts(&world).await;
    assert!(before.iter().all(|count| *count > 0), "{before:?}");
    let (code, said) = reprocess(&world, &args);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(counts(&world).await, before);
    let second = newest(&world);
    assert_eq!(
        (&second["known"], &second["done"], &second["model_calls"]),
        (&calls.into(), &0.into(), &0.into()),
        "{second:#}"
    );
    assert_eq!(runs(&world).await as u64, calls);
    remembered(&world)
}

/// What is left after five kills, each some calls further on.
async fn killed(backends: Backends) -> Vec<String> {
    let (mut world, file) = world(backends).await;
    let args = [CUT[0], CUT[1], file.as_str()];
    let mut ids = std::collections::BTreeSet::new();
    for kill in 1..=KILLS {
        let place = world.reprocess(&args);
        let wanted = runs(&world).await + 6;
        world.until("some more calls to be done", || async { (runs(&world).await >= wanted).then_some(()) }).await;
        world.kill(place);
        assert!(runs(&world).await < CALLS as i64, "kill {kill} came after the last call");
        ids.insert(newest(&world)["run_id"].to_string());
    }
    let (code, said) = reprocess(&world, &args);
    assert_eq!(code, Some(0), "{said}");
    let run = newest(&world);
    ids.insert(run["run_id"].to_string());
    assert_eq!(ids.len(), 1, "the same command goes on with its run: {ids:?}");
    assert_eq!((&run["status"], &run["dead"], &run["dropped"]), (&"done".into(), &0.into(), &0.into()), "{run:#}");
    assert_eq!(run["done"], run["calls"], "{run:#}");
    assert_eq!(world.count("SELECT count(*) FROM turns").await as usize, CALLS);
    for table in ["parked", "attempts", "dead_letters"] {
        assert_eq!(world.count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    remembered(&world)
}

#[tokio::test]
async fn five_kills_end_in_the_memories_of_an_undisturbed_run_in_one_process() {
    let wanted = undisturbed(Backends::Embedded).await;
    assert!(wanted.len() > SESSIONS, "{}", wanted.len());
    assert_eq!(killed(Backends::Embedded).await, wanted);
}

#[tokio::test]
async fn five_kills_end_in_the_memories_of_an_undisturbed_run_in_a_fleet() {
    let wanted = undisturbed(Backends::Services).await;
    assert!(wanted.len() > SESSIONS, "{}", wanted.len());
    assert_eq!(killed(Backends::Services).await, wanted);
}
