//! `recall fleet status`: who works, who owns what, what waits.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Act, PARROT, model, world_with};
use crate::world::{Backends, World, one_turn, text};

fn alive(view: &Value) -> BTreeSet<&str> {
    let workers = view["workers"].as_array().unwrap().iter();
    workers.filter(|worker| worker["alive"] == true).map(|worker| worker["worker"].as_str().unwrap()).collect()
}

async fn fleet_of(world: &World, workers: usize) -> Value {
    world
        .until(&format!("{workers} workers that own everything"), || async {
            let view = world.json(&["fleet", "status", "--json"]);
            let names = alive(&view);
            let owners = view["partitions"].as_array().unwrap().iter();
            let owned =
                owners.clone().all(|partition| partition["worker"].as_str().is_some_and(|name| names.contains(name)));
            (names.len() == workers && owned == (workers > 0)).then_some(view)
        })
        .await
}

#[tokio::test]
async fn partitions_move_when_a_worker_joins_and_when_one_dies() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let nobody = fleet_of(&world, 0).await;
    assert!(nobody["partitions"].as_array().unwrap().iter().all(|partition| partition["worker"].is_null()));
    let call = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    let waiting = world
        .until("the waiting call to be counted", || async {
            let view = world.json(&["fleet", "status", "--json"]);
            (view["live"]["queued"] == 1).then_some(view)
        })
        .await;
    assert_eq!(
        (&waiting["bulk"]["queued"], &waiting["live"]["parked"], &waiting["queue"]),
        (&0.into(), &0.into(), &"ok".into())
    );
    let (status, trace) = world.get(&format!("/v1/traces/{call}")).await;
    assert_eq!((status, &trace["status"]), (200, &"queued".into()), "{trace}");
    assert!(trace["notes"][0].as_str().is_some_and(|note| note.contains("it waits in the queue")), "{trace}");
    let first = world.work();
    fleet_of(&world, 1).await;
    world.done(&call).await;
    world.work();
    let both = fleet_of(&world, 2).await;
    assert!(both["workers"].as_array().unwrap().iter().all(|worker| worker["version"] == env!("CARGO_PKG_VERSION")));
    world.kill(first);
    let left = fleet_of(&world, 1).await;
    assert_eq!(left["workers"].as_array().unwrap().len(), 2, "the dead one is still shown");
    assert_eq!(left["live"]["queued"], 0);
    let shown = text(&world.recall(&["fleet", "status"]).stdout);
    assert!(shown.contains("partitions 4, with a worker 4, without 0"), "{shown}");
    assert!(shown.contains("oldest waiting") && shown.contains("pace 100 %"), "{shown}");
}

#[tokio::test]
async fn one_process_shows_itself_and_what_it_parked() {
    let (url, _) = model(vec![Act::Fails(503, "5")]).await;
    let mut world = world_with(Backends::Embedded, &url).await;
    world.serve();
    world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    let view = world
        .until("the call in flight", || async {
            let view = world.json(&["fleet", "status", "--json"]);
            (view["in_flight"] == 1).then_some(view)
        })
        .await;
    assert_eq!(alive(&view).len(), 1);
    assert_eq!(view["partitions"].as_array().unwrap().len(), 32);
    assert_eq!(view["workers"][0]["partitions"].as_array().unwrap().len(), 32);
}

#[tokio::test]
async fn a_worker_tells_those_who_watch_it_what_it_counts() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let worker = world.work_watched();
    let id = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    world.done(&id).await;
    let page = world.page_at(&format!("{worker}/metrics")).await;
    assert!(page.contains("recall_committed_total 1"), "{page}");
    assert!(page.contains("recall_model_away{why=\"unreachable\"} 0"), "{page}");
    assert_eq!(world.page_at(&format!("{worker}/readyz")).await, "ok");
    assert_eq!(world.page_at(&format!("{worker}/healthz")).await, "ok");
}
