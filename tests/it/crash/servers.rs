//! Servers that die under load and come back over what they left, and a disk that fills up and is freed.

use std::io::Write;
use std::path::Path;

use super::NONE;
use super::own::{Own, not_run};
use crate::world::{Backends, Servers, World, execute};

const SESSIONS: u32 = 6;

async fn runs(world: &World, at_least: i64) {
    let done = async || {
        let ledger = world.ledger().await?;
        (ledger.runs.len() as i64 >= at_least).then_some(())
    };
    world.until(&format!("{at_least} runs"), done).await;
}

/// Sends calls, and has the server end in these ways meanwhile, each after some more calls are done.
async fn ends_under_load(mut world: World, server: &Own, ways: &[&'static str]) {
    world.serve();
    world.work();
    let mut sent = Vec::new();
    for (round, way) in (0..).zip(ways) {
        let calls = round * 8..round * 8 + 8;
        let ending = async {
            runs(&world, i64::from(calls.start * SESSIONS + 4)).await;
            server.must(way).await;
            server.must("start").await;
        };
        let (accepted, ()) = tokio::join!(world.send_all(0..SESSIONS, calls.clone()), ending);
        sent.extend(accepted);
    }
    world.each_had_its_one_effect(&sent, &NONE).await;
}

#[tokio::test]
async fn a_database_that_dies_and_comes_back_has_lost_and_doubled_nothing() {
    let Some(server) = Own::start(&["postgresql"]) else { return };
    let servers = Servers { database: server.url.clone(), ..Servers::of_this_run() };
    let world = World::on(Backends::Services, servers).await;
    ends_under_load(world, &server, &["kill", "stop"]).await;
}

#[tokio::test]
async fn a_broker_that_dies_and_comes_back_has_lost_and_doubled_nothing() {
    let Some(server) = Own::start(&["rabbitmq"]) else { return };
    let servers = Servers { broker: server.url.clone(), ..Servers::of_this_run() };
    let world = World::on(Backends::Services, servers).await;
    ends_under_load(world, &server, &["kill", "stop"]).await;
}

#[tokio::test]
async fn a_broker_short_of_memory_is_told_of_at_once_and_has_lost_nothing() {
    let Some(server) = Own::start(&["rabbitmq"]) else { return };
    let servers = Servers { broker: server.url.clone(), ..Servers::of_this_run() };
    let mut world = World::on(Backends::Services, servers).await;
    world.serve();
    world.work();
    let mut sent = world.send_all(0..SESSIONS, 0..2).await;
    server.must("alarm").await;
    // A broker tells whoever sends something; what it was sent it may keep, and takes once it is well.
    let (body, _) = recall_tests::call(0, 2);
    let refused = async || {
        let answer = world.post_and_hear_when(&body).await;
        (answer == (503, Some(2))).then_some(())
    };
    world.until("the door to refuse a call", refused).await;
    let (status, answer) = world.get("/readyz").await;
    assert_eq!((status, answer["queue"] != "ok"), (503, true), "{answer}");
    server.must("calm").await;
    sent.extend(world.send_all(0..SESSIONS, 2..4).await);
    world.each_had_its_one_effect(&sent, &NONE).await;
}

/// Takes all the room that is left on a disk.
fn fill(disk: &Path) {
    let mut ballast = std::fs::File::create(disk.join("ballast")).unwrap();
    while ballast.write_all(&[1; 4096]).is_ok() {}
}

#[tokio::test]
async fn a_database_whose_disk_is_full_holds_the_calls_until_there_is_room() {
    let Some(server) = Own::start(&["postgresql", "32m"]) else { return };
    let Some(disk) = &server.disk else { return not_run("a disk that can be filled may not be mounted here") };
    execute(&server.url, &format!("CREATE TABLESPACE small LOCATION '{}'", disk.display())).await;
    execute(&server.url, "GRANT CREATE ON TABLESPACE small TO PUBLIC").await;
    execute(&server.url, "ALTER SYSTEM SET default_tablespace = small").await;
    execute(&server.url, "SELECT pg_reload_conf()").await;
    let servers = Servers { database: server.url.clone(), ..Servers::of_this_run() };
    let mut world = World::on(Backends::Services, servers).await;
    world.serve();
    world.work();
    let mut sent = world.send_all(0..SESSIONS, 0..1).await;
    runs(&world, 1).await;
    fill(disk);
    sent.extend(world.send_all(0..SESSIONS, 1..30).await);
    let full = async || world.log().contains("No space left on device").then_some(());
    world.until("the database to run out of room", full).await;
    assert!(world.ledger().await.unwrap().runs.len() < sent.len(), "everything fitted");
    std::fs::remove_file(disk.join("ballast")).unwrap();
    world.each_had_its_one_effect(&sent, &NONE).await;
}
