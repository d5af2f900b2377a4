//! The number of partitions changes while calls flow and processes die: nothing is lost, doubled or overtaken, and the old queues go.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use recall_tests::Sent;

use super::NONE;
use crate::world::{Backends, World};

const SESSIONS: u32 = 8;

/// Sends calls through both doors until it is over, each session one after the other; a door that is gone is passed over.
async fn flow(world: &World, doors: &[String], first: u32, over: &AtomicBool) -> Vec<Sent> {
    let one = async |session: u32| {
        let mut tick = tokio::time::interval(Duration::from_millis(200));
        let mut sent: Vec<Sent> = Vec::new();
        while !over.load(Ordering::Relaxed) {
            tick.tick().await;
            let seq = first + sent.len() as u32;
            sent.push(world.send_until_safe_at(doors, session, seq).await);
        }
        sent
    };
    futures::future::join_all((0..SESSIONS).map(one)).await.concat()
}

/// Begins a change, has something happen in the middle of it, and waits until it is over.
async fn change(world: &World, partitions: u64, meanwhile: impl FnOnce()) {
    let number = partitions.to_string();
    let begun = world.recall(&["fleet", "repartition", &number]);
    assert!(begun.status.success(), "{}", world.log());
    let again = world.recall(&["fleet", "repartition", "3"]);
    assert!(!again.status.success(), "one change at a time");
    let closed = async || {
        let generations = world.json(&["fleet", "status", "--json"])["generations"].clone();
        (generations[0]["stage"] != "open").then_some(())
    };
    world.until("the entrances of the old queues to go", closed).await;
    meanwhile();
    only(world, partitions).await;
}

/// Waits until there are so many partitions and no others.
async fn only(world: &World, partitions: u64) {
    let over = async || {
        let generations = world.json(&["fleet", "status", "--json"])["generations"].clone();
        let left = generations.as_array().map(Vec::len);
        (left == Some(1) && generations[0]["partitions"] == partitions).then_some(())
    };
    world.until(&format!("{partitions} partitions and no others"), over).await;
}

async fn is_there(world: &World, queue: &str) -> bool {
    let connection = lapin::Connection::connect(&world.servers().broker, lapin::ConnectionProperties::default());
    let connection = connection.await.unwrap();
    let channel = connection.create_channel().await.unwrap();
    let passive = lapin::options::QueueDeclareOptions { passive: true, ..Default::default() };
    let name = format!("{}.{queue}", world.name());
    let there = channel.queue_declare(name.into(), passive, lapin::types::FieldTable::default()).await.is_ok();
    connection.close(200, "OK".into()).await.unwrap();
    there
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_number_of_partitions_changes_while_calls_flow_and_processes_die() {
    let mut world = World::new(Backends::Services).await;
    world.set("QUEUE__PARTITIONS", "8");
    world.serve();
    let first = world.door().to_owned();
    world.serve();
    let doors = [first, world.door().to_owned()];
    let worker = world.work();
    world.work();
    let over = AtomicBool::new(false);
    let changing = async |world: &World, partitions, dies| {
        change(world, partitions, || world.signal(dies, "KILL")).await;
        over.store(true, Ordering::Relaxed);
    };
    let (mut sent, ()) = tokio::join!(flow(&world, &doors, 0, &over), changing(&world, 12, worker));
    assert!(!is_there(&world, "remember.g1.p00").await && !is_there(&world, "bulk.g1.p07").await);
    world.work();
    over.store(false, Ordering::Relaxed);
    // Process 0 is the first door.
    let (more, ()) = tokio::join!(flow(&world, &doors, 1000, &over), changing(&world, 4, 0));
    sent.extend(more);
    assert!(!is_there(&world, "remember.g2.p11").await && is_there(&world, "remember.g3.p03").await);
    world.each_had_its_one_effect(&sent, &NONE).await;
}

#[tokio::test]
async fn without_a_worker_a_change_waits_and_calls_are_taken_all_the_same() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let mut sent = world.send_all(0..SESSIONS, 0..2).await;
    assert!(world.recall(&["fleet", "repartition", "6"]).status.success());
    let moved = async || (world.count("SELECT count(*) FROM doors WHERE generation = 2").await == 1).then_some(());
    world.until("the door to go over", moved).await;
    sent.extend(world.send_all(0..SESSIONS, 2..4).await);
    let newer = async || {
        let view = world.json(&["fleet", "status", "--json"]);
        (view["generations"].as_array().map(Vec::len) == Some(2) && view["live"]["queued"] == 4 * SESSIONS)
            .then_some(())
    };
    world.until("all calls to be counted in both", newer).await;
    world.work();
    only(&world, 6).await;
    world.each_had_its_one_effect(&sent, &NONE).await;
}
