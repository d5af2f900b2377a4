//! Runs that are killed and go on, and runs that are done again: the suite's own archive, and LoCoMo where it is.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{SESSIONS, TURNS, counts, newest, prepare, remembered, reprocess};
use crate::locomo;
use crate::world::{Backends, World};

/// How often the process that feeds is killed.
const KILLS: usize = 5;
/// Calls in flight: whoever feeds them has to be alive for more than these to be done, so that a kill comes before the last.
const IN_FLIGHT: &str = "4";

/// What is read, and how.
struct Archive {
    world: World,
    args: Vec<String>,
}

impl Archive {
    /// The suite's own: a call a turn, so that every session has many.
    async fn own(backends: Backends) -> Self {
        let mut world = World::new(backends).await;
        let file = prepare(&mut world).display().to_string();
        Self::of(world, backends, &["--turns-per-call", "1", &file])
    }

    async fn locomo(backends: Backends, rows: &[Value]) -> Self {
        let mut world = World::new(backends).await;
        let file = locomo::prepare(&mut world, rows).display().to_string();
        Self::of(world, backends, &["--user", "reader", "--yes", "--turns-per-call", "5", &file])
    }

    fn of(mut world: World, backends: Backends, args: &[&str]) -> Self {
        world.set("REPROCESS__CALLS_IN_FLIGHT", IN_FLIGHT);
        if backends == Backends::Services {
            world.work();
        }
        Self { world, args: args.iter().map(ToString::to_string).collect() }
    }

    fn args(&self) -> Vec<&str> {
        self.args.iter().map(String::as_str).collect()
    }

    /// Reads to the end; the run.
    fn read(&self) -> Value {
        let (code, said) = reprocess(&self.world, &self.args());
        assert_eq!(code, Some(0), "{said}");
        newest(&self.world)
    }

    async fn count(&self, table: &str) -> i64 {
        self.world.count(&format!("SELECT count(*) FROM {table}")).await
    }
}

/// What must not depend on how a run went.
#[derive(Debug, PartialEq)]
struct Left {
    memories: Vec<String>,
    calls: u64,
    turns: i64,
}

/// What an undisturbed run leaves; doing it again must add nothing.
async fn undisturbed(archive: Archive) -> Left {
    let first = archive.read();
    let calls = first["calls"].as_u64().unwrap();
    assert_eq!((&first["done"], &first["settled"]), (&calls.into(), &calls.into()), "{first:#}");
    assert_eq!(archive.count("batch_sessions").await, 0, "state goes with the run");
    let live = archive.count("sessions WHERE version > 0 OR last_turns <> '[]'").await;
    assert_eq!(live, 0, "live is untouched");
    let before = counts(&archive.world).await;
    assert!(before.iter().all(|count| *count > 0), "{before:?}");
    let second = archive.read();
    assert_eq!(counts(&archive.world).await, before);
    assert_eq!(
        (&second["known"], &second["done"], &second["model_calls"]),
        (&calls.into(), &0.into(), &0.into()),
        "{second:#}"
    );
    assert_eq!(archive.count("runs").await as u64, calls);
    Left { memories: remembered(&archive.world), calls, turns: archive.count("turns").await }
}

/// What is left after five kills, each some calls further on.
async fn killed(mut archive: Archive, calls: u64) -> Left {
    let args = archive.args.clone();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut ids = BTreeSet::new();
    let further = (calls as i64 / (KILLS as i64 + 2)).min(60);
    for kill in 1..=KILLS {
        let place = archive.world.reprocess(&args);
        let wanted = archive.count("runs").await + further.max(1);
        let world = &archive.world;
        world.until("some more calls to be done", || async { (runs(world).await >= wanted).then_some(()) }).await;
        archive.world.kill(place);
        assert!(archive.count("runs").await < calls as i64, "kill {kill} came after the last call");
        ids.insert(newest(&archive.world)["run_id"].to_string());
    }
    let run = archive.read();
    ids.insert(run["run_id"].to_string());
    assert_eq!(ids.len(), 1, "the same command goes on with its run: {ids:?}");
    assert_eq!((&run["status"], &run["dead"], &run["dropped"]), (&"done".into(), &0.into(), &0.into()), "{run:#}");
    assert_eq!(run["done"], run["calls"], "{run:#}");
    for table in ["parked", "attempts", "dead_letters"] {
        assert_eq!(archive.count(table).await, 0, "{table}");
    }
    let turns = archive.count("turns").await;
    Left { memories: remembered(&archive.world), calls: run["calls"].as_u64().unwrap(), turns }
}

async fn runs(world: &World) -> i64 {
    world.count("SELECT count(*) FROM runs").await
}

async fn five_kills_change_nothing(backends: Backends) {
    let wanted = undisturbed(Archive::own(backends).await).await;
    assert!(wanted.memories.len() > SESSIONS, "{}", wanted.memories.len());
    assert_eq!((wanted.calls as usize, wanted.turns as usize), (SESSIONS * TURNS, SESSIONS * TURNS));
    assert_eq!(killed(Archive::own(backends).await, wanted.calls).await, wanted);
}

#[tokio::test]
async fn five_kills_end_in_the_memories_of_an_undisturbed_run_in_one_process() {
    five_kills_change_nothing(Backends::Embedded).await;
}

#[tokio::test]
async fn five_kills_end_in_the_memories_of_an_undisturbed_run_in_a_fleet() {
    five_kills_change_nothing(Backends::Services).await;
}

async fn locomo_after_five_kills(backends: Backends) {
    let Some(rows) = locomo::read() else { return };
    let wanted = undisturbed(Archive::locomo(backends, &rows).await).await;
    assert!(wanted.memories.len() > rows.len(), "{}", wanted.memories.len());
    for _ in 0..2 {
        let left = killed(Archive::locomo(backends, &rows).await, wanted.calls).await;
        assert_eq!(left, wanted);
    }
}

#[tokio::test]
async fn locomo_ends_in_the_same_memories_after_five_kills_twice_over_in_one_process() {
    locomo_after_five_kills(Backends::Embedded).await;
}

#[tokio::test]
async fn locomo_ends_in_the_same_memories_after_five_kills_twice_over_in_a_fleet() {
    locomo_after_five_kills(Backends::Services).await;
}
