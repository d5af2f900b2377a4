//! Reprocessing runs: sessions of their own, calls that came to their end, and what becomes of cancelled and erased ones.

use recall_core::call::{Batch, Call, Lane};
use recall_core::id::BatchId;
use recall_core::scope::Owner;
use recall_core::turn::{Turn, TurnId};
use recall_core::window::Earlier;
use serde_json::json;
use ulid::Ulid;

use super::ground::Ground;
use super::on_both;
use super::people::{deed, judge, lives, memories, prompt, statuses, tell};
use super::said::{at, call, ring_turn, run, scope, turn};
use crate::batches::{BatchStatus, Ending, NewBatch};
use crate::erasure::Erasure;
use crate::record::{Committed, DeadLetter, PageRequest, TraceStatus};
use crate::{Store, StoreError};

on_both! {
    a_run_knows_its_own_session_and_leaves_the_live_one_alone,
    a_turn_is_read_once_by_a_run_whatever_live_calls_read,
    a_source_that_is_there_is_not_added_again,
    an_archive_of_older_turns_does_not_end_newer_ones,
    a_deleted_claim_stays_away_when_its_archive_is_read_again,
    a_run_is_found_again_by_its_command_until_it_ends,
    a_checkpoint_never_goes_back,
    calls_are_told_by_how_they_ended,
    calls_of_a_cancelled_run_are_dropped_with_a_reason,
    the_next_run_of_a_command_goes_on_with_the_sessions_of_a_cancelled_one,
    what_earlier_runs_read_of_a_session_travels_with_the_next_call,
    what_an_erased_person_had_said_before_is_refused_unless_the_person_is_named,
    state_goes_with_the_run,
}

const BY: (&str, &str) = ("operator:cli", "a test");

fn id(number: u128) -> BatchId {
    BatchId::new(Ulid(number))
}

fn of(number: u128, mut call: Call) -> Call {
    call.lane = Lane::Bulk;
    call.batch =
        Some(Batch { id: id(number), prompt_version: None, staged: false, erased_too: false, before: Vec::new() });
    call
}

async fn begin(ground: &Ground, number: u128) {
    let batch = NewBatch {
        id: id(number),
        namespace: "shop".into(),
        spec: json!({ "prompt": "v1" }),
        command_hash: "c".into(),
        archive_hash: "a".into(),
        calls: 7,
        turns: 21,
        actor: "operator:cli".into(),
        staged: false,
    };
    ground.store.create_batch(&batch).await.unwrap();
}

async fn a_run_knows_its_own_session_and_leaves_the_live_one_alone(ground: &Ground) {
    let live = call("u1", "s1", 1, &["I keep two goats."]);
    ground.store.commit(&run(&live, 0, 0, &[])).await.unwrap();
    let first = of(1, call("u1", "s1", 5, &["I play chess."]));
    let window = ground.store.window(&first).await.unwrap();
    assert_eq!((window.version, window.turns.len(), window.ring.len()), (0, 0, 0), "it starts empty");
    ground.store.commit(&run(&first, 0, 1, &[])).await.unwrap();
    let next = of(1, call("u1", "s1", 6, &["And go."]));
    let window = ground.store.window(&next).await.unwrap();
    assert_eq!((window.version, &window.turns), (1, &first.turns));
    assert_eq!(window.ring, first.turns.iter().map(ring_turn).collect::<Vec<_>>());
    let other = of(2, call("u1", "s1", 6, &["And go."]));
    assert_eq!(ground.store.window(&other).await.unwrap().version, 0, "another run");
    let window = ground.store.window(&call("u1", "s1", 2, &["They are loud."])).await.unwrap();
    assert_eq!((window.version, &window.turns), (1, &live.turns), "live as it was");
    let stale = ground.store.commit(&run(&next, 0, 2, &[])).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "judged on another version: {stale:?}");
    assert_eq!(ground.number("SELECT count(*) FROM runs WHERE batch_id IS NOT NULL").await, 1);
}

async fn a_turn_is_read_once_by_a_run_whatever_live_calls_read(ground: &Ground) {
    ground.store.commit(&run(&call("u1", "s1", 1, &["I keep two goats.", "And a hen."]), 0, 0, &[])).await.unwrap();
    let again = of(1, call("u1", "s1", 1, &["I keep two goats.", "And a horse."]));
    let window = ground.store.window(&again).await.unwrap();
    assert_eq!((window.seen, window.rewritten), (vec![], vec![TurnId("2".into())]));
    ground.store.commit(&run(&again, 0, 1, &[])).await.unwrap();
    assert_eq!(ground.count("turns").await, 2, "turns are shared");
    let window = ground.store.window(&of(1, call("u1", "s1", 1, &["I keep two goats."]))).await.unwrap();
    assert_eq!(window.seen, [TurnId("1".into())]);
    let window = ground.store.window(&of(2, call("u1", "s1", 1, &["I keep two goats."]))).await.unwrap();
    assert!(window.seen.is_empty());
    // A session nobody was in live begins at its beginning.
    ground.store.commit(&run(&of(1, call("u1", "s2", 1, &["I play chess."])), 0, 2, &[])).await.unwrap();
    let live = call("u1", "s2", 2, &["And go."]);
    let window = ground.store.window(&live).await.unwrap();
    assert_eq!((window.version, window.turns.len()), (0, 0));
    ground.store.commit(&run(&live, 0, 3, &[])).await.unwrap();
}

/// The rows a run must not add where it says what is known.
async fn counts(ground: &Ground) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in ["memories", "sources", "entities", "audit"] {
        counts.push(ground.count(table).await);
    }
    counts
}

async fn a_source_that_is_there_is_not_added_again(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 3)]).await;
    let before = counts(ground).await;
    let told = [lives("Graz", 3)];
    let mut again = of(1, call("u1", "s1", 1, &[told[0].content.as_str()]));
    again.turns[0].at = told[0].at;
    let judged = judge(ground, &again, &told, &prompt("v2")).await;
    assert_eq!(ground.store.commit(&judged).await.unwrap(), Committed::Now);
    assert_eq!(counts(ground).await, before);
    assert_eq!(ground.count("runs").await, 2);
}

async fn an_archive_of_older_turns_does_not_end_newer_ones(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Linz", 20)]).await;
    let told = [lives("Graz", 3)];
    let mut old = of(1, call("u1", "s0", 1, &[told[0].content.as_str()]));
    old.turns[0].at = told[0].at;
    let judged = judge(ground, &old, &told, &prompt("v1")).await;
    ground.store.commit(&judged).await.unwrap();
    let mut stand = statuses(ground, "u1").await;
    stand.sort();
    assert_eq!(stand, [("Graz".to_owned(), "superseded"), ("Linz".to_owned(), "active")]);
}

async fn a_deleted_claim_stays_away_when_its_archive_is_read_again(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 3)]).await;
    let home = memories(ground, "u1").await[0].id.clone();
    ground.store.delete_memory("shop", &home, &deed()).await.unwrap();
    let again = of(1, call("u1", "s1", 1, &["User lives in Graz"]));
    let near = ground
        .store
        .neighbours(&again.scope, &recall_core::context::NearKeys { attributes: vec![], claims: vec![] })
        .await
        .unwrap();
    assert_eq!(near.suppressions.len(), 1, "the stage that keeps it away is told as for a live call");
    let window = ground.store.window(&again).await.unwrap();
    assert!(window.turns.is_empty() && window.earlier == Earlier::Nothing);
}

async fn a_run_is_found_again_by_its_command_until_it_ends(ground: &Ground) {
    begin(ground, 1).await;
    let found = ground.store.open_batch("shop", "c").await.unwrap().expect("it runs");
    assert_eq!((found.id, found.status, found.calls, found.turns), (id(1), BatchStatus::Running, 7, 21));
    assert_eq!(found.spec, json!({ "prompt": "v1" }));
    assert_eq!(ground.store.open_batch("shop", "d").await.unwrap(), None);
    assert_eq!(ground.store.open_batch("stall", "c").await.unwrap(), None);
    assert_eq!(ground.store.batch("stall", &id(1)).await.unwrap(), None);
    let paused = ground.store.move_batch(("shop", &id(1)), BatchStatus::Paused, BY).await.unwrap();
    assert_eq!((paused.status, paused.ended_at, paused.reason.as_deref()), (BatchStatus::Paused, None, Some("a test")));
    assert!(ground.store.open_batch("shop", "c").await.unwrap().is_some());
    let done = ground.store.move_batch(("shop", &id(1)), BatchStatus::Done, BY).await.unwrap();
    assert!(done.ended_at.is_some());
    assert_eq!(ground.store.open_batch("shop", "c").await.unwrap(), None);
    let again = ground.store.move_batch(("shop", &id(1)), BatchStatus::Running, BY).await;
    assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    let nobody = ground.store.move_batch(("stall", &id(1)), BatchStatus::Running, BY).await;
    assert!(matches!(nobody, Err(StoreError::Missing(_))), "{nobody:?}");
    begin(ground, 2).await;
    let page = |limit, cursor| PageRequest { limit, cursor };
    let first = ground.store.batches("shop", &page(1, None)).await.unwrap();
    let second = ground.store.batches("shop", &page(1, first.next_cursor)).await.unwrap();
    assert_eq!((&first.items[0].id, &second.items[0].id, second.next_cursor), (&id(2), &id(1), None));
    assert!(ground.store.batches("stall", &page(5, None)).await.unwrap().items.is_empty());
}

async fn a_checkpoint_never_goes_back(ground: &Ground) {
    begin(ground, 1).await;
    let (store, run) = (&ground.store, id(1));
    assert_eq!(store.checkpoint_batch(("shop", &run), (5, 2)).await.unwrap(), BatchStatus::Running);
    store.move_batch(("shop", &run), BatchStatus::Paused, BY).await.unwrap();
    assert_eq!(store.checkpoint_batch(("shop", &run), (3, 1)).await.unwrap(), BatchStatus::Paused);
    let found = store.batch("shop", &run).await.unwrap().unwrap();
    assert_eq!((found.settled, found.known), (5, 2));
    assert!(matches!(store.checkpoint_batch(("shop", &id(9)), (1, 1)).await, Err(StoreError::Missing(_))));
}

fn letter(call: &Call) -> DeadLetter {
    DeadLetter {
        id: call.trace_id.to_string(),
        namespace: Some("shop".into()),
        class: "permanent".into(),
        reason: "refused".into(),
        attempts: 1,
        body: serde_json::to_vec(&json!({ "call": call })).unwrap(),
        died_at: None,
    }
}

async fn calls_are_told_by_how_they_ended(ground: &Ground) {
    begin(ground, 1).await;
    let live = call("u1", "s1", 1, &["a"]);
    let mine = of(1, call("u1", "s1", 2, &["b"]));
    let dead = of(1, call("u1", "s1", 3, &["c"]));
    let dropped = of(1, call("u1", "s1", 4, &["d"]));
    let others = of(2, call("u1", "s1", 5, &["e"]));
    let waiting = of(1, call("u1", "s1", 6, &["f"]));
    ground.store.commit(&run(&live, 0, 0, &[])).await.unwrap();
    ground.store.commit(&run(&mine, 0, 1, &[])).await.unwrap();
    ground.store.dead_letter(&letter(&dead)).await.unwrap();
    ground.store.dead_letter(&letter(&others)).await.unwrap();
    for _ in 0..2 {
        ground.store.drop_call(&dropped, "cancelled", "its run was cancelled").await.unwrap();
    }
    let traces: Vec<_> = [&live, &mine, &dead, &dropped, &others, &waiting].map(|call| &call.trace_id).into();
    let mut found = ground.store.endings(("shop", &id(1)), &traces).await.unwrap();
    found.sort_by_key(|(trace, _)| traces.iter().position(|one| *one == trace));
    let expected = [
        (live.trace_id.clone(), Ending::Known),
        (mine.trace_id.clone(), Ending::Done),
        (dead.trace_id.clone(), Ending::Dead),
        (dropped.trace_id.clone(), Ending::Dropped),
    ];
    assert_eq!(found, expected);
    assert!(ground.store.endings(("stall", &id(1)), &traces).await.unwrap().is_empty());
    let sums = ground.store.batch("shop", &id(1)).await.unwrap().unwrap();
    assert_eq!((sums.done, sums.dead, sums.dropped), (1, 1, 1));
    assert_eq!((sums.usage.model_calls, sums.usage.prompt_tokens, sums.usage.cost_micros), (1, 812, 40));
}

async fn calls_of_a_cancelled_run_are_dropped_with_a_reason(ground: &Ground) {
    begin(ground, 1).await;
    let waits = of(1, call("u1", "s1", 1, &["a"]));
    assert_eq!(ground.store.window(&waits).await.unwrap().earlier, Earlier::Nothing);
    ground.store.move_batch(("shop", &id(1)), BatchStatus::Cancelled, BY).await.unwrap();
    assert_eq!(ground.store.window(&waits).await.unwrap().earlier, Earlier::Cancelled);
    ground.store.drop_call(&waits, "cancelled", "its run was cancelled").await.unwrap();
    let events = ground.store.events(waits.trace_id.as_str()).await.unwrap();
    assert_eq!((events.len(), events[0].reason.as_str()), (1, "its run was cancelled"));
    let trace = ground.store.trace("shop", &waits.trace_id).await.unwrap();
    assert!(trace.is_none_or(|trace| trace.summary.status == TraceStatus::Dropped));
    // The same call of a later run is another matter.
    let mut later = waits.clone();
    later.batch = of(2, later.clone()).batch;
    assert_eq!(ground.store.window(&later).await.unwrap().earlier, Earlier::Nothing);
    assert!(ground.store.endings(("shop", &id(2)), &[&waits.trace_id]).await.unwrap().is_empty());
}

async fn the_next_run_of_a_command_goes_on_with_the_sessions_of_a_cancelled_one(ground: &Ground) {
    begin(ground, 1).await;
    let done = of(1, call("u1", "s1", 1, &["I keep two goats."]));
    ground.store.commit(&run(&done, 0, 0, &[])).await.unwrap();
    let dropped = of(1, call("u1", "s1", 2, &["And a hen."]));
    ground.store.move_batch(("shop", &id(1)), BatchStatus::Cancelled, BY).await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().states, 0);
    begin(ground, 2).await;
    let again = of(2, dropped.clone());
    let window = ground.store.window(&again).await.unwrap();
    assert_eq!((window.version, &window.turns), (1, &done.turns), "what was said before");
    assert_eq!(ground.store.window(&of(2, done.clone())).await.unwrap().seen, [TurnId("1".into())]);
    // Its message was in the queue first, and the next run's was left out beside it.
    let asked = [&done.trace_id, &dropped.trace_id];
    assert!(ground.store.taken_off(("shop", &id(2)), &asked).await.unwrap().is_empty());
    ground.store.drop_call(&dropped, "cancelled", "its run was cancelled").await.unwrap();
    assert_eq!(
        ground.store.taken_off(("shop", &id(2)), &asked).await.unwrap(),
        std::slice::from_ref(&dropped.trace_id)
    );
    assert!(ground.store.taken_off(("shop", &id(1)), &asked).await.unwrap().is_empty(), "its own end is no news to it");
    ground.store.move_batch(("shop", &id(2)), BatchStatus::Cancelled, BY).await.unwrap();
    ground.raw("UPDATE batches SET changed_at = 1").await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().states, 2, "words of a run nobody goes on with");
}

async fn what_earlier_runs_read_of_a_session_travels_with_the_next_call(ground: &Ground) {
    let first = of(1, call("u1", "s1", 1, &["I keep two goats.", "And a hen.", "They are loud."]));
    ground.store.commit(&run(&first, 0, 0, &[])).await.unwrap();
    let mut next = of(2, call("u1", "s1", 3, &["They are loud.", "She lays eggs."]));
    let ids = |turns: &[Turn]| turns.iter().map(|turn| turn.id.0.clone()).collect::<Vec<_>>();
    let mut carried = first.turns.clone();
    carried.push(turn("2", "And other words under this id."));
    carried.push(turn("9", "Nobody has read this."));
    next.batch.as_mut().unwrap().before = carried.clone();
    let window = ground.store.window(&next).await.unwrap();
    assert_eq!((ids(&window.before), ids(&window.turns)), (vec!["1".to_owned(), "2".to_owned()], vec![]));
    assert_eq!(window.seen, [TurnId("3".into())], "what is said again was read");
    // What the run itself knows is not told once more.
    let mut own = of(2, call("u1", "s1", 1, &["I keep two goats."]));
    own.turns[0].at = None;
    ground.store.commit(&run(&own, 0, 1, &[])).await.unwrap();
    let window = ground.store.window(&next).await.unwrap();
    assert_eq!((ids(&window.turns), ids(&window.before)), (vec!["1".to_owned()], vec!["2".to_owned()]));
    let mut elsewhere = of(2, call("u1", "s2", 7, &["She lays eggs."]));
    elsewhere.batch.as_mut().unwrap().before = carried;
    assert_eq!(ground.store.window(&elsewhere).await.unwrap().before, []);
}

async fn what_an_erased_person_had_said_before_is_refused_unless_the_person_is_named(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 3)]).await;
    let none = ground.store.erasures("shop").await.unwrap();
    assert_eq!(none.of(&scope("u1")), None);
    ground.store.erase("shop", &Erasure::of(Owner::User("u1".into())), &deed()).await.unwrap();
    let erasures = ground.store.erasures("shop").await.unwrap();
    let erased_at = erasures.of(&scope("u1")).expect("erased");
    assert_eq!(erasures.of(&scope("u2")), None);
    let accepted_after = |mut call: Call| {
        call.accepted_at = at("2100-01-01T00:00:00Z");
        call
    };
    let before = accepted_after(of(1, call("u1", "s1", 1, &["I live in Graz."])));
    assert!(before.turns[0].at.unwrap().microseconds() < erased_at);
    let judged = judge(ground, &before, &[lives("Graz", 3)], &prompt("v1")).await;
    let earlier = async |call: &Call| ground.store.window(call).await.unwrap().earlier;
    assert_eq!(earlier(&before).await, Earlier::Erased);
    assert_eq!(ground.store.commit(&judged).await.unwrap(), Committed::Before);
    assert!(memories(ground, "u1").await.is_empty());
    let mut unknown = before.clone();
    unknown.turns[0].at = None;
    assert_eq!(earlier(&unknown).await, Earlier::Erased, "nobody knows when it was said");
    let mut after = before.clone();
    after.turns[0].at = Some(at("2099-01-01T00:00:00Z"));
    assert_eq!(earlier(&after).await, Earlier::Nothing);
    let mut named = before.clone();
    named.batch.as_mut().unwrap().erased_too = true;
    assert_eq!(earlier(&named).await, Earlier::Nothing);
    named.accepted_at = at("2026-03-04T01:00:00+01:00");
    assert_eq!(earlier(&named).await, Earlier::Erased, "erased while the call was on its way");
}

async fn state_goes_with_the_run(ground: &Ground) {
    begin(ground, 1).await;
    begin(ground, 2).await;
    for number in [1, 2] {
        let call = of(number, call("u1", "s1", 1, &["I keep two goats."]));
        let epoch = i64::try_from(number).unwrap() - 1;
        ground.store.commit(&run(&call, 0, epoch, &[])).await.unwrap();
    }
    assert_eq!((ground.count("batch_sessions").await, ground.count("batch_turns").await), (2, 2));
    ground.store.move_batch(("shop", &id(1)), BatchStatus::Done, BY).await.unwrap();
    assert_eq!((ground.count("batch_sessions").await, ground.count("batch_turns").await), (1, 1));
    // A call that was on its way when the run ended.
    let late = of(1, call("u1", "s1", 2, &["And a hen."]));
    ground.store.commit(&run(&late, 0, 2, &[])).await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().states, 2);
    assert_eq!((ground.count("batch_sessions").await, ground.count("batch_turns").await), (1, 1));
    ground.raw("UPDATE batches SET changed_at = 1 WHERE ended_at IS NULL").await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().states, 1, "words of a run nobody goes on with");
    assert_eq!((ground.count("batch_sessions").await, ground.count("batch_turns").await), (0, 1));
}
