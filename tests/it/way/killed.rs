//! Killing a process loses no accepted call and doubles none.

use std::collections::BTreeSet;

use crate::world::{Backends, World, one_turn};

const CALLS: usize = 500;
const SESSIONS: usize = 50;

async fn accept_all(world: &World) -> Vec<String> {
    let mut ids = Vec::with_capacity(CALLS);
    for n in 0..CALLS {
        let (user, session) = (format!("u{}", n % SESSIONS), format!("s{}", n % SESSIONS));
        ids.push(
            world.remember(&one_turn(&user, &session, &format!("t{n}"), &format!("I own {} boats.", n + 2))).await,
        );
    }
    ids
}

/// Every accepted call ran once, with exactly its own memory.
async fn every_call_has_its_one_effect(world: &World, ids: &[String]) {
    world
        .until("all calls to be committed", || async {
            (world.count("SELECT count(*) FROM runs").await == CALLS as i64).then_some(())
        })
        .await;
    let distinct: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(distinct.len(), CALLS);
    let double =
        "SELECT count(*) FROM (SELECT memory_id FROM sources GROUP BY memory_id HAVING count(*) > 1) AS doubled";
    assert_eq!(world.count(double).await, 0, "a memory with two sources");
    assert_eq!(world.count("SELECT count(*) FROM memories").await, CALLS as i64);
    assert_eq!(world.count("SELECT count(*) FROM audit WHERE event_type = 'insert'").await, CALLS as i64);
    assert_eq!(world.count("SELECT count(*) FROM parked").await, 0);
    assert_eq!(world.count("SELECT count(*) FROM dead_letters").await, 0);
    for id in [&ids[0], &ids[CALLS / 2], &ids[CALLS - 1]] {
        assert_eq!(world.done(id).await["stored_count"], 1);
    }
}

#[tokio::test]
async fn a_worker_killed_in_the_middle_of_five_hundred_calls_leaves_every_call_done_once() {
    let mut world = World::new(Backends::Services).await;
    world.serve();
    let ids = accept_all(&world).await;
    let worker = world.work();
    world
        .until("some calls to be committed", || async {
            (world.count("SELECT count(*) FROM runs").await >= 20).then_some(())
        })
        .await;
    world.kill(worker);
    assert!(world.count("SELECT count(*) FROM runs").await < CALLS as i64, "the kill came after the last call");
    world.work();
    every_call_has_its_one_effect(&world, &ids).await;
}

#[tokio::test]
async fn one_process_killed_with_calls_in_its_queue_goes_on_where_it_was() {
    let mut world = World::new(Backends::Embedded).await;
    world.serve();
    let ids = accept_all(&world).await;
    world.kill(0);
    world.serve();
    every_call_has_its_one_effect(&world, &ids).await;
}
