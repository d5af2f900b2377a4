//! A worker that dies at each boundary between receipt and acknowledgement, and the worker after it.

use recall_tests::Sent;

use super::model::{First, Model};
use super::relay::{Hold, Relay, Trap};
use super::{NONE, Relays};
use crate::world::{Backends, World};

/// The first statement about a call: the session before it.
const WINDOW: &[u8] = b"FROM namespaces n WHERE";
/// The first statement after the model's reply.
const NEIGHBOURS: &[u8] = b"FROM suppressions p WHERE";
/// The first statement of the transaction that commits a run, and the one that writes everything.
const FIRST_OF_COMMIT: &[u8] = b"pg_advisory_xact_lock_shared";
const ALL_OF_COMMIT: &[u8] = b"WITH document AS";
const COMMIT: &[u8] = b"COMMIT\0";
/// The numbers of `basic.ack` in a frame of AMQP.
const ACK: &[u8] = b"\0\x3c\0\x50";

/// An installation with two calls in each of three sessions, and a worker that stands behind relays.
struct Scene {
    world: World,
    relays: Relays,
    model: Model,
    sent: Vec<Sent>,
}

impl Scene {
    async fn new(first: First) -> Self {
        let mut world = World::new(Backends::Services).await;
        let model = Model::start(first).await;
        model.serves(&mut world);
        world.serve();
        let sent = world.send_all(0..3, 0..2).await;
        let relays = Relays::of(&world).await;
        Self { world, relays, model, sent }
    }

    /// Starts the worker that will die; its place.
    fn first_worker(&mut self) -> usize {
        self.world.go_to(&self.relays.servers);
        self.world.work()
    }

    /// Kills it, and lets another do the rest.
    async fn dies_and_another_takes_over(mut self, worker: usize) {
        self.world.kill(worker);
        self.relays.database.cut();
        self.relays.broker.cut();
        let servers = self.world.servers().clone();
        self.world.go_to(&servers);
        self.world.work();
        self.world.each_had_its_one_effect(&self.sent, &NONE).await;
    }

    async fn dies_where(mut self, relay: impl Fn(&Relays) -> &Relay, words: Vec<&'static [u8]>) {
        relay(&self.relays).set(Trap { words, hold: Hold::Request });
        let worker = self.first_worker();
        relay(&self.relays).sprung().await;
        self.dies_and_another_takes_over(worker).await;
    }

    async fn runs(&self) -> i64 {
        self.world.count("SELECT count(*) FROM runs").await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_its_first_query() {
    Scene::new(First::IsAnswered).await.dies_where(|relays| &relays.database, vec![WINDOW]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_it_waits_for_the_model() {
    let mut scene = Scene::new(First::NeverAnswers).await;
    let worker = scene.first_worker();
    scene.model.asked().await;
    scene.dies_and_another_takes_over(worker).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn once_the_model_has_answered() {
    Scene::new(First::IsAnswered).await.dies_where(|relays| &relays.database, vec![NEIGHBOURS]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_the_first_statement_of_its_commit() {
    Scene::new(First::IsAnswered).await.dies_where(|relays| &relays.database, vec![FIRST_OF_COMMIT]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_everything_written_and_not_committed() {
    Scene::new(First::IsAnswered).await.dies_where(|relays| &relays.database, vec![ALL_OF_COMMIT, COMMIT]).await;
}

/// With one call at a time the first run in the store is the one whose answer is held.
async fn scene_of_one_at_a_time(first: First) -> Scene {
    let mut scene = Scene::new(first).await;
    scene.world.set("WORKER__CONCURRENCY", "1");
    scene
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_commit_it_never_heard_of() {
    let mut scene = scene_of_one_at_a_time(First::IsAnswered).await;
    scene.relays.database.set(Trap { words: vec![ALL_OF_COMMIT, COMMIT], hold: Hold::Answer });
    let worker = scene.first_worker();
    scene.relays.database.sprung().await;
    scene.world.until("the commit to reach the server", || async { (scene.runs().await == 1).then_some(()) }).await;
    scene.dies_and_another_takes_over(worker).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_commit_it_could_not_acknowledge() {
    let mut scene = scene_of_one_at_a_time(First::IsAnswered).await;
    scene.relays.broker.set(Trap { words: vec![ACK], hold: Hold::Request });
    let worker = scene.first_worker();
    scene.relays.broker.sprung().await;
    assert!(scene.runs().await >= 1, "acknowledged before it was committed");
    scene.dies_and_another_takes_over(worker).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_call_it_parked_and_could_not_acknowledge() {
    let mut scene = scene_of_one_at_a_time(First::Babbles).await;
    scene.relays.broker.set(Trap { words: vec![ACK], hold: Hold::Request });
    let worker = scene.first_worker();
    scene.relays.broker.sprung().await;
    let parked = "SELECT count(*) FROM call_events WHERE event = 'failed'";
    assert_eq!(scene.world.count(parked).await, 1, "acknowledged before it was parked");
    scene.dies_and_another_takes_over(worker).await;
}
