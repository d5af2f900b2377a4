//! Readiness: red with its reason while calls wait too long or something is away; liveness stays as it is.

use serde_json::Value;

use super::{Act, PARROT, model, world_with};
use crate::world::{Backends, World, one_turn};

async fn readiness(world: &World, status: u16) -> Value {
    world
        .until(&format!("/readyz to answer {status}"), || async {
            let (answered, body) = world.get("/readyz").await;
            (answered == status).then_some(body)
        })
        .await
}

#[tokio::test]
async fn it_is_red_while_calls_wait_and_nobody_works() {
    let mut world = World::new(Backends::Services).await;
    world.set("API__OLDEST_WAITING_SECONDS", "1");
    world.serve();
    readiness(&world, 200).await;
    world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    let red = readiness(&world, 503).await;
    assert!(red["work"].as_str().is_some_and(|work| work.contains("no worker lives")), "{red}");
    assert_eq!((&red["store"], &red["queue"], &red["ready"]), (&"ok".into(), &"ok".into(), &false.into()));
    assert_eq!(world.get("/healthz").await.0, 200);
    world.work();
    readiness(&world, 200).await;
}

#[tokio::test]
async fn it_is_red_while_the_oldest_call_waits_for_too_long() {
    let (url, _) = model(vec![Act::Fails(503, "60")]).await;
    let mut world = world_with(Backends::Embedded, &url).await;
    world.set("API__OLDEST_WAITING_SECONDS", "1");
    world.serve();
    readiness(&world, 200).await;
    world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    let red = readiness(&world, 503).await;
    assert!(red["work"].as_str().is_some_and(|work| work.contains("the oldest call waits for")), "{red}");
    assert_eq!(world.get("/healthz").await.0, 200);
    // On a busy machine the model may not have been asked yet.
    world
        .until("the call to be parked", || async {
            world.page("/metrics").await.contains("recall_waiting{place=\"parked\"} 1").then_some(())
        })
        .await;
}

#[tokio::test]
async fn it_is_red_without_its_database() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    readiness(&world, 200).await;
    world.lose_database().await;
    let red = readiness(&world, 503).await;
    assert_ne!(red["store"], "ok", "{red}");
    assert_eq!(world.get("/healthz").await.0, 200);
}
