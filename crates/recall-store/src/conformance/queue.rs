//! Calls that wait: the order of a session, what is due, and what becomes of calls that cannot be done.

use recall_core::call::{Call, Lane};

use super::ground::Ground;
use super::on_both;
use super::said::{call, run};
use crate::record::{Backlog, Beat, Begun, Parked, Partitions, Report, Stage, ToPark, Why};
use crate::{KeyFault, Store};

on_both! {
    parked_calls_come_back_in_the_order_of_their_session,
    a_head_that_is_not_due_keeps_its_session_waiting,
    only_asked_partitions_and_no_more_than_the_limit_come_back,
    parking_again_moves_the_row_and_keeps_its_place,
    a_row_that_changed_is_not_removed,
    a_call_behind_parked_ones_waits_but_the_head_does_not,
    a_commit_takes_the_call_off_the_parked_ones,
    the_backlog_is_told_by_lane,
    attempts_that_ran_alone_and_never_ended_are_counted,
    a_call_that_is_taken_is_marked_as_begun,
    a_worker_is_seen_while_it_beats,
    a_generation_goes_through_its_stages_one_at_a_time,
    doors_that_live_and_have_not_moved_are_counted,
    the_secret_under_a_key_id_is_fixed_once,
}

/// No attempt at the call before.
const FRESH: Begun = Begun { alone: false, unfinished_alone: 0 };

fn body(call: &Call) -> Vec<u8> {
    serde_json::to_vec(&serde_json::json!({ "version": 1, "call": call })).unwrap()
}

fn parked(call: &Call, slot: u32, wait_seconds: f64) -> ToPark {
    ToPark {
        trace_id: call.trace_id.clone(),
        session_key: call.session_key(),
        slot,
        lane: Lane::Live,
        body: body(call),
        attempts: 1,
        wait_seconds,
        why: Why::Failed { class: "transient".into(), reason: "model server did not answer".into() },
    }
}

async fn due(ground: &Ground) -> Vec<Parked> {
    ground.store.take(&Partitions::All, &[], 100).await.unwrap()
}

async fn parked_calls_come_back_in_the_order_of_their_session(ground: &Ground) {
    let calls = [
        call("u1", "s1", 1, &["a"]),
        call("u1", "s2", 1, &["b"]),
        call("u1", "s1", 2, &["c"]),
        call("u1", "s1", 3, &["d"]),
    ];
    for call in &calls {
        ground.store.park(&parked(call, 0, 0.0)).await.unwrap();
    }
    let mut order = Vec::new();
    loop {
        let heads = due(ground).await;
        assert!(heads.len() <= 2, "one a session");
        let Some(head) = heads.first() else { break };
        order.push(head.trace_id.clone());
        assert!(ground.store.unpark(&head.key).await.unwrap());
    }
    assert_eq!(order, [0, 1, 2, 3].map(|index| calls[index].trace_id.clone()));
}

async fn a_head_that_is_not_due_keeps_its_session_waiting(ground: &Ground) {
    let (first, second) = (call("u1", "s1", 1, &["a"]), call("u1", "s1", 2, &["b"]));
    ground.store.park(&parked(&first, 0, 3600.0)).await.unwrap();
    ground.store.park(&parked(&second, 0, 0.0)).await.unwrap();
    assert!(due(ground).await.is_empty());
    ground.raw("UPDATE parked SET not_before = 0").await.unwrap();
    let [head] = due(ground).await.try_into().unwrap();
    assert_eq!((head.trace_id, head.body), (first.trace_id.clone(), body(&first)));
}

async fn only_asked_partitions_and_no_more_than_the_limit_come_back(ground: &Ground) {
    for slot in 100..106 {
        let row = parked(&call("u1", &format!("s{slot}"), 1, &["a"]), slot, 0.0);
        let lane = if slot == 105 { Lane::Bulk } else { Lane::Live };
        ground.store.park(&ToPark { lane, ..row }).await.unwrap();
    }
    let of = |lane, of, numbers| Partitions::Of { lane, of, numbers };
    for (asked, found) in [
        (of(Lane::Live, 4, vec![1, 3, 9]), vec!["s101", "s103"]),
        (of(Lane::Bulk, 4, vec![1]), vec!["s105"]),
        (of(Lane::Live, 1, vec![0]), vec!["s100", "s101", "s102", "s103", "s104"]),
        (of(Lane::Live, 50, vec![4]), vec!["s104"]),
        (of(Lane::Live, 50, Vec::new()), Vec::new()),
    ] {
        let heads = ground.store.take(&asked, &[], 100).await.unwrap();
        let sessions: Vec<&str> =
            heads.iter().map(|head| head.session_key.rsplit('\u{1e}').next().unwrap_or_default()).collect();
        assert_eq!(sessions, found, "{asked:?}");
    }
    assert_eq!(ground.store.take(&Partitions::All, &[], 4).await.unwrap().len(), 4);
}

async fn parking_again_moves_the_row_and_keeps_its_place(ground: &Ground) {
    let (first, second) = (call("u1", "s1", 1, &["a"]), call("u1", "s1", 2, &["b"]));
    ground.store.park(&parked(&first, 0, 0.0)).await.unwrap();
    ground.store.park(&parked(&second, 0, 0.0)).await.unwrap();
    let [before] = due(ground).await.try_into().unwrap();
    assert_eq!(before.begun, FRESH);
    ground.store.park(&ToPark { attempts: 2, body: b"another".to_vec(), ..parked(&first, 0, 0.0) }).await.unwrap();
    let [after] = due(ground).await.try_into().unwrap();
    assert_eq!((after.key.seq, after.attempts, after.begun), (before.key.seq, 2, FRESH));
    assert_eq!(after.body, before.body, "the message stays as it came");
    assert_ne!(after.key.revision, before.key.revision);
}

async fn a_row_that_changed_is_not_removed(ground: &Ground) {
    let first = call("u1", "s1", 1, &["a"]);
    ground.store.park(&parked(&first, 0, 0.0)).await.unwrap();
    let [handed_out] = due(ground).await.try_into().unwrap();
    ground.store.park(&parked(&first, 0, 0.0)).await.unwrap();
    assert!(!ground.store.unpark(&handed_out.key).await.unwrap());
    let [again] = due(ground).await.try_into().unwrap();
    assert!(ground.store.unpark(&again.key).await.unwrap());
    assert!(!ground.store.unpark(&again.key).await.unwrap());
}

async fn a_call_behind_parked_ones_waits_but_the_head_does_not(ground: &Ground) {
    let (first, second, third) =
        (call("u1", "s1", 1, &["a"]), call("u1", "s1", 2, &["b"]), call("u1", "s1", 3, &["c"]));
    ground.store.park(&parked(&first, 0, 3600.0)).await.unwrap();
    ground.store.park(&parked(&second, 0, 0.0)).await.unwrap();
    for (call, waits) in [(&first, false), (&second, true), (&third, true), (&call("u1", "s2", 1, &["d"]), false)] {
        assert_eq!(ground.store.window(call).await.unwrap().waiting, waits);
    }
}

async fn a_commit_takes_the_call_off_the_parked_ones(ground: &Ground) {
    let (first, second) = (call("u1", "s1", 1, &["a"]), call("u1", "s1", 2, &["b"]));
    ground.store.park(&parked(&first, 0, 0.0)).await.unwrap();
    ground.store.park(&parked(&second, 0, 0.0)).await.unwrap();
    ground.store.begin_attempt(&first.trace_id).await.unwrap();
    ground.store.commit(&run(&first, 0, 0, &[])).await.unwrap();
    assert_eq!(ground.count("attempts").await, 0);
    let [head] = due(ground).await.try_into().unwrap();
    assert_eq!(head.trace_id, second.trace_id);
}

async fn the_backlog_is_told_by_lane(ground: &Ground) {
    assert_eq!(ground.store.backlog().await.unwrap(), Backlog::default());
    ground.store.park(&parked(&call("u1", "s1", 1, &["a"]), 0, 0.0)).await.unwrap();
    ground.store.park(&ToPark { why: Why::Queued, ..parked(&call("u1", "s1", 2, &["b"]), 3, 0.0) }).await.unwrap();
    ground
        .store
        .park(&ToPark { why: Why::Queued, lane: Lane::Bulk, ..parked(&call("u1", "s2", 1, &["c"]), 4, 0.0) })
        .await
        .unwrap();
    ground.raw("UPDATE parked SET parked_at = parked_at - 100500000 WHERE seq = 1").await.unwrap();
    let told = ground.store.backlog().await.unwrap();
    assert_eq!((told.live.queued, told.live.parked, told.bulk.queued, told.bulk.parked), (1, 1, 1, 0));
    assert_eq!((told.waiting(), told.dead), (3, 0));
    assert!((100..200).contains(&told.oldest_seconds()), "{told:?}");
    assert!(told.bulk.oldest_seconds < 100, "{told:?}");
}

async fn attempts_that_ran_alone_and_never_ended_are_counted(ground: &Ground) {
    let (one, other) = (call("u1", "s1", 1, &["a"]), call("u1", "s2", 1, &["b"]));
    for (alone, unfinished_alone) in [(false, 0), (true, 0), (true, 1), (true, 2)] {
        let begun = ground.store.begin_attempt(&one.trace_id).await.unwrap();
        assert_eq!(begun, Begun { alone, unfinished_alone });
        // One that only waits to run alone is not charged, however often its worker ends.
        assert_eq!(ground.store.begin_attempt(&one.trace_id).await.unwrap(), Begun { alone: true, unfinished_alone });
        if alone {
            ground.store.runs_alone(&one.trace_id).await.unwrap();
        }
    }
    assert_eq!(ground.store.begin_attempt(&one.trace_id).await.unwrap().unfinished_alone, 3);
    assert_eq!(ground.store.begin_attempt(&other.trace_id).await.unwrap(), FRESH);
    // Sent again while it is out, a call is where it was.
    ground.store.park(&ToPark { why: Why::Queued, ..parked(&other, 0, 0.0) }).await.unwrap();
    assert!(ground.store.begin_attempt(&other.trace_id).await.unwrap().alone);
    // A parked call ended its attempt; what it is handed out for next is a new one.
    ground.store.park(&parked(&one, 0, 0.0)).await.unwrap();
    let heads = due(ground).await;
    let head = heads.iter().find(|head| head.trace_id == one.trace_id).unwrap();
    assert_eq!(head.begun, FRESH);
    ground.store.end_attempts(&one.trace_id).await.unwrap();
    assert_eq!(ground.store.begin_attempt(&one.trace_id).await.unwrap(), FRESH);
}

async fn a_call_that_is_taken_is_marked_as_begun(ground: &Ground) {
    let (one, other) = (call("u1", "s1", 1, &["a"]), call("u1", "s2", 1, &["b"]));
    for call in [&one, &other] {
        ground.store.park(&parked(call, 0, 0.0)).await.unwrap();
    }
    let busy = [other.session_key()];
    let alone = |unfinished_alone| Begun { alone: true, unfinished_alone };
    for begun in [FRESH, alone(0), alone(0)] {
        let [taken] = ground.store.take(&Partitions::All, &busy, 9).await.unwrap().try_into().unwrap();
        assert_eq!((taken.trace_id, taken.begun), (one.trace_id.clone(), begun));
    }
    ground.store.runs_alone(&one.trace_id).await.unwrap();
    let begun: Vec<Begun> = due(ground).await.into_iter().map(|taken| taken.begun).collect();
    assert_eq!(begun, [alone(1), FRESH], "what was busy before is not marked");
}

async fn a_worker_is_seen_while_it_beats(ground: &Ground) {
    let beat = |worker: &str, in_flight| Beat {
        worker: worker.into(),
        version: "0.1.0".into(),
        in_flight,
        partitions: vec![3, 5],
        report: Report { last_minute: in_flight * 10, paused: Some("model is away".into()), ..Report::default() },
    };
    assert_eq!(ground.store.beat(&beat("a", 1)).await.unwrap().len(), 1);
    ground.store.beat(&beat("b", 2)).await.unwrap();
    let alive = ground.store.beat(&beat("a", 7)).await.unwrap();
    let seen: Vec<_> =
        alive.iter().map(|worker| (worker.worker.as_str(), worker.in_flight, worker.partitions.len())).collect();
    assert_eq!(seen, [("a", 7, 2), ("b", 2, 2)]);
    assert_eq!(alive[0].report, beat("a", 7).report);
    ground
        .raw("UPDATE workers SET seen_at = seen_at - 5000000, began_at = began_at - 99000000 WHERE worker = 'b'")
        .await
        .unwrap();
    assert_eq!(ground.store.beat(&beat("a", 0)).await.unwrap().len(), 1);
    let [a, b] = ground.store.workers().await.unwrap().try_into().unwrap();
    assert_eq!((a.alive, b.alive), (true, false), "one that fell silent is shown for a while");
    assert!((94..120).contains(&b.since_seconds) && (5..60).contains(&b.seen_seconds_ago), "{b:?}");
    ground.store.leave("a").await.unwrap();
    assert_eq!(ground.count("workers").await, 1);
    ground.raw("UPDATE workers SET seen_at = 5").await.unwrap();
    assert!(ground.store.workers().await.unwrap().is_empty());
    assert_eq!(ground.store.sweep().await.unwrap().workers, 1);
}

async fn the_secret_under_a_key_id_is_fixed_once(ground: &Ground) {
    assert_eq!(ground.store.fix_keys().await.unwrap(), None);
    assert_eq!(ground.store.fix_keys().await.unwrap(), None, "the same again");
    assert_eq!(ground.count("hash_keys").await, 2, "the current one and an older one");
    // As if hashes had been made with a key that is not kept.
    ground.raw("INSERT INTO hash_keys (key_id, proof, created_at) VALUES ('k9', '', 1)").await.unwrap();
    assert_eq!(ground.store.fix_keys().await.unwrap(), Some(KeyFault::Missing("k9".into())));
    ground.raw("DELETE FROM hash_keys WHERE key_id = 'k9'").await.unwrap();
    // As if the installation had begun with another secret under this id.
    ground.raw("UPDATE hash_keys SET proof = 'made with another secret' WHERE key_id = 'k1'").await.unwrap();
    assert_eq!(ground.store.fix_keys().await.unwrap(), Some(KeyFault::Other("k1".into())));
}

async fn stages(ground: &Ground) -> Vec<(u32, u32, Stage)> {
    let all = ground.store.generations().await.unwrap();
    all.into_iter().map(|one| (one.number, one.partitions, one.stage)).collect()
}

async fn a_generation_goes_through_its_stages_one_at_a_time(ground: &Ground) {
    let store = &ground.store;
    assert_eq!(store.next_generation(3).await.unwrap(), None, "nothing began");
    store.begin_generations(2).await.unwrap();
    store.begin_generations(64).await.unwrap();
    assert_eq!(stages(ground).await, [(1, 2, Stage::Open)], "the first number holds");
    assert_eq!(store.next_generation(3).await.unwrap(), Some(2));
    assert_eq!(store.next_generation(4).await.unwrap(), None, "one change at a time");
    assert!(!store.to_stage(1, Stage::Marked).await.unwrap(), "it is not closed");
    assert!(store.to_stage(1, Stage::Closed).await.unwrap());
    assert!(!store.to_stage(1, Stage::Closed).await.unwrap(), "another was quicker");
    store.note_end(1, Lane::Live, 0).await.unwrap();
    assert!(store.to_stage(1, Stage::Marked).await.unwrap());
    for (lane, partition) in [(Lane::Live, 1), (Lane::Bulk, 0), (Lane::Bulk, 0)] {
        store.note_end(1, lane, partition).await.unwrap();
        assert!(!store.finish_reading(1).await.unwrap(), "one is missing");
    }
    store.note_end(1, Lane::Bulk, 1).await.unwrap();
    assert_eq!(store.generations().await.unwrap()[0].read, 4);
    assert!(store.finish_reading(1).await.unwrap());
    assert_eq!(stages(ground).await, [(1, 2, Stage::Read), (2, 3, Stage::Open)]);
    assert_eq!(store.next_generation(4).await.unwrap(), None, "its queues are still there");
    assert!(store.to_stage(1, Stage::Gone).await.unwrap());
    assert_eq!((stages(ground).await, ground.count("fleet_ends").await), (vec![(2, 3, Stage::Open)], 0));
    assert_eq!(store.next_generation(4).await.unwrap(), Some(3));
}

async fn doors_that_live_and_have_not_moved_are_counted(ground: &Ground) {
    let store = &ground.store;
    store.beat_door("a", 1).await.unwrap();
    store.beat_door("b", 2).await.unwrap();
    assert_eq!(store.doors_before(2).await.unwrap(), 1);
    store.beat_door("a", 2).await.unwrap();
    assert_eq!((store.doors_before(2).await.unwrap(), store.doors_before(3).await.unwrap()), (0, 2));
    ground.raw("UPDATE doors SET seen_at = seen_at - 5000000 WHERE door = 'b'").await.unwrap();
    assert_eq!(store.doors_before(3).await.unwrap(), 1, "one that fell silent is not waited for");
    store.leave_door("a").await.unwrap();
    assert_eq!(store.doors_before(3).await.unwrap(), 0);
    ground.raw("UPDATE doors SET seen_at = 5").await.unwrap();
    assert_eq!(store.sweep().await.unwrap().workers, 1);
}
