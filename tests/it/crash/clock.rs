//! Workers whose clocks are off by a day, one early and one late.

use std::path::Path;
use std::process::Command;

use super::NONE;
use super::model::{First, Model};
use super::own::not_run;
use crate::tree::root;
use crate::world::{Backends, World};

const DAY: i64 = 86_400;

/// Builds what bends a clock; `None` where there is no compiler of C for it.
fn bent_clock(folder: &Path) -> Option<String> {
    let library = folder.join("clock.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(root().join("tests/it/crash/clock.c"));
    compiler.status().is_ok_and(|status| status.success()).then(|| library.display().to_string())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_a_day_early_and_a_day_late_do_every_call_once_and_in_order() {
    let mut world = World::new(Backends::Services).await;
    let Some(library) = bent_clock(&world.folder()) else { return not_run("no cc to build a bent clock with") };
    // Its first call is parked, so that waiting is tried under these clocks as well.
    Model::start(First::Babbles).await.serves(&mut world);
    world.serve();
    let off_by = |seconds: i64| [format!("LD_PRELOAD={library}"), format!("RECALL_TEST_CLOCK={seconds}")];
    let [load, off] = off_by(DAY);
    let early = world.work_by(&["env", &load, &off]);
    let mut sent = world.send_all(0..8, 0..2).await;
    let begun = async || (world.count("SELECT count(*) FROM runs").await >= 4).then_some(());
    world.until("the early worker to have done something", begun).await;
    let [load, off] = off_by(-DAY);
    world.work_by(&["env", &load, &off]);
    sent.extend(world.send_all(0..8, 2..4).await);
    world.kill(early);
    sent.extend(world.send_all(0..8, 4..6).await);
    world.each_had_its_one_effect(&sent, &NONE).await;
    // By the clock of the database, every run was a day early or late.
    for off in ["ran_at - committed_at", "committed_at - ran_at"] {
        let bent = format!("SELECT count(*) FROM runs WHERE {off} > 80000000000");
        assert!(world.count(&bent).await > 0, "nothing was done with {off}");
    }
}
