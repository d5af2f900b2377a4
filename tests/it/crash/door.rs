//! A door that dies with a call in its hands: the client hears nothing, sends the call again under its key, and the call has one effect.

use super::relay::{Hold, Relay, Trap};
use super::{NONE, Relays};
use crate::world::{Backends, World};

/// The numbers of `basic.publish` in a frame of AMQP.
const PUBLISH: &[u8] = b"\0\x3c\0\x28";

async fn queued(world: &World, messages: i64) {
    let waits = async || (world.ledger().await?.queued == messages).then_some(());
    world.until(&format!("{messages} messages in the queues"), waits).await;
}

/// Sends the first call to the door, which dies once `when` is over; what the relay holds is lost, and no answer comes.
async fn dies_unheard(world: &mut World, relay: &Relay, when: impl AsyncFnOnce(&World)) {
    let dying = async {
        relay.sprung().await;
        when(world).await;
        world.signal(0, "KILL");
        relay.cut();
    };
    let (heard, ()) = tokio::join!(world.send_once(0, 0), dying);
    assert_eq!(heard, None, "the door was to die before its answer");
    assert_eq!(world.ended(0).await, None);
}

/// The client sends its call again, and one behind it; the queues hold so many messages then, and each call has its one effect.
async fn is_sent_again(mut world: World, messages: i64) {
    let servers = world.servers().clone();
    world.go_to(&servers);
    world.serve();
    let sent = world.send_all(0..1, 0..2).await;
    queued(&world, messages).await;
    world.work();
    world.each_had_its_one_effect(&sent, &NONE).await;
}

async fn with_a_relay_before_the_broker() -> (World, Relays) {
    let mut world = World::new(Backends::Services).await;
    let relays = Relays::of(&world).await;
    world.go_to(&relays.servers);
    world.serve();
    (world, relays)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_call_reached_the_broker() {
    let (mut world, relays) = with_a_relay_before_the_broker().await;
    relays.broker.set(Trap { words: vec![PUBLISH], hold: Hold::Request });
    dies_unheard(&mut world, &relays.broker, async |_| ()).await;
    queued(&world, 0).await;
    is_sent_again(world, 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_the_brokers_confirm_on_its_way() {
    let (mut world, relays) = with_a_relay_before_the_broker().await;
    relays.broker.set(Trap { words: vec![PUBLISH], hold: Hold::Answer });
    dies_unheard(&mut world, &relays.broker, async |world| queued(world, 1).await).await;
    is_sent_again(world, 3).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_its_answer_on_its_way() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let door = world.door().to_owned();
    let relay = Relay::before(&door).await;
    world.reach_the_door_at(relay.address());
    relay.set(Trap { words: vec![b"POST /v1/remember"], hold: Hold::Answer });
    dies_unheard(&mut world, &relay, async |world| {
        let accepted = async || {
            let page = world.page_at(&format!("http://{door}/metrics")).await;
            page.contains("recall_accepted_total 1").then_some(())
        };
        world.until("the door to accept the call", accepted).await;
    })
    .await;
    is_sent_again(world, 3).await;
}
