//! Stopping: what is under way gets its time, a second signal takes it away, and nothing is lost.

use std::sync::atomic::Ordering;

use super::{Act, PARROT, model, parrot, world_with};
use crate::world::{Backends, one_turn};

#[tokio::test]
async fn a_second_signal_leaves_at_once_and_the_call_is_done_by_the_next_worker() {
    let (url, asked) = model(vec![Act::Hangs, parrot()]).await;
    let mut world = world_with(Backends::Services, &url).await;
    world.serve();
    let busy = world.work();
    let id = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    world.until("the model to be asked", || async { (asked.load(Ordering::SeqCst) == 1).then_some(()) }).await;
    world.signal(busy, "TERM");
    world
        .until("the worker to say that it stops", || async {
            world.log().contains("a second signal leaves at once").then_some(())
        })
        .await;
    world.signal(busy, "TERM");
    // The drain time is 30 s, so that only the second signal can end it with this code.
    assert_eq!(world.ended(busy).await, Some(130));
    world.work();
    assert_eq!(world.done(&id).await["stored_count"], 1);
    assert_eq!(world.count("SELECT count(*) FROM attempts").await, 0);
}

#[tokio::test]
async fn one_signal_lets_what_is_under_way_end() {
    let (url, asked) = model(vec![Act::Fails(503, "1"), parrot()]).await;
    let mut world = world_with(Backends::Services, &url).await;
    world.serve();
    let busy = world.work();
    let id = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    world.until("the model to be asked", || async { (asked.load(Ordering::SeqCst) >= 1).then_some(()) }).await;
    world.signal(busy, "TERM");
    assert_eq!(world.ended(busy).await, Some(0));
    assert_eq!(world.done(&id).await["stored_count"], 1);
    assert_eq!(world.count("SELECT count(*) FROM workers").await, 0, "it took its leave");
}
