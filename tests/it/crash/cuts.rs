//! A network that breaks off again and again, wherever a request happens to be.

use super::relay::Relay;
use super::{NONE, Relays};
use crate::world::{Backends, World};

const SEED: u64 = 20_260_302;
/// Cuts of each kind of connection.
const ENOUGH: u32 = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_cut_anywhere_lose_and_double_nothing() {
    let mut world = World::new(Backends::Services).await;
    let relays = Relays::of(&world).await;
    world.go_to(&relays.servers);
    world.serve();
    world.work();
    world.work();
    // Enough for a connection to be made, and not for much more.
    relays.database.cut_after(24..120, SEED);
    relays.broker.cut_after(70..140, SEED);
    let mut sent = Vec::new();
    // How many chunks a round takes depends on the machine; there are rounds until there were cuts enough.
    for round in 0..60 {
        if round >= 10 && [&relays.database, &relays.broker].iter().all(|relay| relay.cuts() >= ENOUGH) {
            break;
        }
        sent.extend(world.send_all(0..12, round..round + 1).await);
        let runs = async || (world.count("SELECT count(*) FROM runs").await >= i64::from(round) * 8).then_some(());
        world.until("most of the calls to be done", runs).await;
    }
    let cuts = [&relays.database, &relays.broker].map(Relay::lay_down_the_shears);
    assert!(cuts.iter().all(|cuts| *cuts >= ENOUGH), "only {cuts:?} cuts: the network was too good");
    world.each_had_its_one_effect(&sent, &NONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_the_database_ends_lose_and_double_nothing() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    world.work();
    let mut sent = Vec::new();
    for round in 0..8 {
        sent.extend(world.send_all(0..12, round..round + 1).await);
        world.cut_connections().await;
    }
    world.each_had_its_one_effect(&sent, &NONE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_can_only_be_read_holds_the_calls_and_loses_none() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    world.work();
    let mut sent = world.send_all(0..4, 0..1).await;
    let setting = format!("ALTER DATABASE {} SET default_transaction_read_only", world.name());
    world.tell_server(&format!("{setting} = on")).await;
    world.cut_connections().await;
    sent.extend(world.send_all(0..4, 1..3).await);
    let told = async || world.log().contains("read-only transaction").then_some(());
    world.until("a worker to be refused", told).await;
    world.tell_server(&format!("{setting} = off")).await;
    world.cut_connections().await;
    world.each_had_its_one_effect(&sent, &NONE).await;
}
