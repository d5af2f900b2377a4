//! Forgetting one memory, one call, a window, a prompt version; and restoring it.

use recall_core::id::{MemoryId, TraceId};
use recall_core::memory::{Memory, Status};
use recall_core::scope::Owner;
use ulid::Ulid;

use crate::conformance::ground::Ground;
use crate::conformance::on_both;
use crate::conformance::people::{deed, lives, memories, prompt, statuses, tell, tell_with, told};
use crate::deed::{Execution, TraceSelection, Turn};
use crate::record::{Committed, MemoryFilter, PageRequest};
use crate::{Store, StoreError};

on_both! {
    what_is_forgotten_can_be_found_by_who_would_restore_it,
    a_forgotten_memory_makes_room_and_comes_back,
    a_claim_learnt_again_and_its_restored_twin_are_one,
    a_window_of_calls_of_a_prompt_is_taken_back_and_restored,
    a_window_that_takes_long_is_taken_back_request_by_request,
    a_call_in_flight_is_judged_again_after_a_forget,
    what_is_not_there_is_missing,
    withdrawn_words_stay_for_restoring_and_are_not_shown,
}

fn by_trace(trace: &TraceId) -> TraceSelection {
    TraceSelection { namespace: "shop".into(), trace_ids: vec![trace.clone()], ..TraceSelection::default() }
}

async fn of_value(ground: &Ground, user: &str, value: &str) -> Memory {
    memories(ground, user).await.into_iter().find(|memory| memory.value == value).unwrap()
}

async fn a_forgotten_memory_makes_room_and_comes_back(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    tell(ground, "u1", "s1", 2, &[lives("Linz", 2)]).await;
    let linz = of_value(ground, "u1", "Linz").await;
    let done = ground.store.turn_memory("shop", &linz.id, Turn::Forget, &deed()).await.unwrap();
    assert_eq!((done.gone, done.changed.len()), (vec![linz.id.clone()], 1));
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active")]);
    assert!(ground.store.memory("shop", &linz.id).await.unwrap().unwrap().deleted_at.is_some());
    // Once more changes nothing.
    let again = ground.store.turn_memory("shop", &linz.id, Turn::Forget, &deed()).await.unwrap();
    assert_eq!(again, crate::deed::Repaired::default());
    let back = ground.store.turn_memory("shop", &linz.id, Turn::Restore, &deed()).await.unwrap();
    assert_eq!(back.returned, [linz.id]);
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "superseded"), ("Linz".to_owned(), "active")]);
    let audited = "SELECT count(*) FROM audit WHERE actor = 'api_key:desk' AND reason = 'a test' AND before IS NOT NULL
        AND after IS NOT NULL AND event_type IN ('forget', 'restore', 'update', 'supersede')";
    assert_eq!(ground.number(audited).await, 4);
}

async fn a_claim_learnt_again_and_its_restored_twin_are_one(ground: &Ground) {
    let first = tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let old = of_value(ground, "u1", "Graz").await;
    ground.store.turn_traces(&by_trace(&first), (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    tell(ground, "u1", "s1", 2, &[lives("Graz", 2)]).await;
    let new = of_value(ground, "u1", "Graz").await;
    assert_ne!(old.id, new.id);
    ground.store.turn_traces(&by_trace(&first), (Turn::Restore, Execution::Real), &deed()).await.unwrap();
    let [one] = memories(ground, "u1").await.try_into().unwrap();
    assert_eq!((&one.id, one.provenance.sources.len()), (&old.id, 2));
    let twin = ground.store.memory("shop", &new.id).await.unwrap().unwrap();
    assert_eq!((twin.deleted_at.is_some(), twin.superseded_by), (true, Some(old.id)));
}

async fn a_window_of_calls_of_a_prompt_is_taken_back_and_restored(ground: &Ground) {
    for number in 0..6 {
        let user = format!("u{}", number % 3);
        let version = if number < 3 { "v1" } else { "v2" };
        let likes = told("likes", &format!("thing {number}"), &format!("User likes thing {number}"));
        tell_with(ground, (&user, "s", number + 1), &[lives("Graz", 1), likes], &prompt(version)).await;
    }
    let selection = TraceSelection {
        namespace: "shop".into(),
        prompt_version: Some("v2".into()),
        since: Some(crate::conformance::said::at("2020-01-01T00:00:00Z")),
        until: Some(crate::conformance::said::at("2100-01-01T00:00:00Z")),
        ..TraceSelection::default()
    };
    let before = ground.number("SELECT count(*) FROM audit").await;
    let supposed = ground.store.turn_traces(&selection, (Turn::Forget, Execution::DryRun), &deed()).await.unwrap();
    assert_eq!((supposed.traces, supposed.gone.len(), supposed.changed.len()), (3, 3, 3));
    assert_eq!(ground.number("SELECT count(*) FROM audit").await, before, "a dry run writes nothing");
    assert_eq!(memories(ground, "u0").await.len(), 3);
    let done = ground.store.turn_traces(&selection, (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    assert_eq!(done, supposed);
    assert_eq!(memories(ground, "u0").await.len(), 2);
    let one = TraceSelection { owner: Some(Owner::User("u0".into())), ..selection.clone() };
    let back = ground.store.turn_traces(&one, (Turn::Restore, Execution::Real), &deed()).await.unwrap();
    assert_eq!((back.traces, back.returned.len()), (1, 1));
    let rest = ground.store.turn_traces(&selection, (Turn::Restore, Execution::Real), &deed()).await.unwrap();
    assert_eq!((rest.traces, rest.returned.len()), (2, 2));
    for user in ["u0", "u1", "u2"] {
        assert_eq!(memories(ground, user).await.len(), 3);
        assert_eq!(of_value(ground, user, "Graz").await.provenance.sources.len(), 2);
    }
    // Another namespace has none of these.
    let other = TraceSelection { namespace: "other".into(), ..selection };
    let none = ground.store.turn_traces(&other, (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    assert_eq!(none.traces, 0);
}

async fn a_window_that_takes_long_is_taken_back_request_by_request(ground: &Ground) {
    for number in 0..5 {
        tell(ground, &format!("u{}", number % 3), "s", number + 1, &[lives("Graz", 1)]).await;
    }
    let past = Some(crate::conformance::said::at("2020-01-01T00:00:00Z"));
    let selection = TraceSelection { namespace: "shop".into(), since: past, ..TraceSelection::default() };
    let over = Some(std::time::Instant::now());
    let forget = async |execution| {
        let done = ground.store.turn_traces_until(over, &selection, (Turn::Forget, execution), &deed()).await.unwrap();
        (done.traces, done.left)
    };
    assert_eq!(forget(Execution::DryRun).await, (2, 3), "the calls of one person");
    let mut told = Vec::new();
    for _ in 0..4 {
        told.push(forget(Execution::Real).await);
    }
    assert_eq!(told, [(2, 3), (2, 1), (1, 0), (0, 0)]);
    assert_eq!(ground.number("SELECT count(*) FROM memories WHERE deleted_at IS NULL").await, 0);
}

async fn a_call_in_flight_is_judged_again_after_a_forget(ground: &Ground) {
    let first = tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let next = crate::conformance::said::call("u1", "s2", 2, &["User lives in Graz"]);
    let judged = crate::conformance::people::judge(ground, &next, &[lives("Graz", 2)], &prompt("v1")).await;
    ground.store.turn_traces(&by_trace(&first), (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    assert!(matches!(ground.store.commit(&judged).await, Err(StoreError::Stale)));
    let judged = crate::conformance::people::judge(ground, &next, &[lives("Graz", 2)], &prompt("v1")).await;
    assert_eq!(ground.store.commit(&judged).await.unwrap(), Committed::Now);
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active")]);
}

async fn what_is_not_there_is_missing(ground: &Ground) {
    let trace = tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let graz = of_value(ground, "u1", "Graz").await;
    for (namespace, id) in [("shop", MemoryId::new(Ulid(1))), ("other", graz.id.clone())] {
        let answer = ground.store.turn_memory(namespace, &id, Turn::Forget, &deed()).await;
        assert!(matches!(answer, Err(StoreError::Missing("memory"))), "{answer:?}");
    }
    let other = TraceSelection { namespace: "other".into(), ..by_trace(&trace) };
    for selection in [other, by_trace(&TraceId::new(Ulid(1)))] {
        let answer = ground.store.turn_traces(&selection, (Turn::Forget, Execution::Real), &deed()).await;
        assert!(matches!(answer, Err(StoreError::Missing("trace"))), "{answer:?}");
    }
    ground.store.turn_traces(&by_trace(&trace), (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    let answer = ground.store.turn_memory("shop", &graz.id, Turn::Restore, &deed()).await;
    assert!(matches!(answer, Err(StoreError::Conflict(_))), "its call is to be restored: {answer:?}");
}

async fn withdrawn_words_stay_for_restoring_and_are_not_shown(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 3)]).await;
    let second = tell(ground, "u1", "s2", 2, &[lives("Graz", 1)]).await;
    let whole = of_value(ground, "u1", "Graz").await;
    ground.store.turn_traces(&by_trace(&second), (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    let left = of_value(ground, "u1", "Graz").await;
    assert_eq!((left.provenance.sources.len(), left.confidence), (1, 0.9));
    assert!(left.valid_from > whole.valid_from);
    assert_eq!(ground.count("sources").await, 2);
    ground.store.turn_traces(&by_trace(&second), (Turn::Restore, Execution::Real), &deed()).await.unwrap();
    assert_eq!(of_value(ground, "u1", "Graz").await, whole);
    assert_eq!(whole.status, Status::Active);
}

async fn what_is_forgotten_can_be_found_by_who_would_restore_it(ground: &Ground) {
    let trace = tell(ground, "u1", "s1", 1, &[lives("Graz", 1), told("sport", "chess", "User plays chess")]).await;
    tell(ground, "u1", "s1", 11, &[told("drink", "tea", "User drinks tea")]).await;
    let forgotten = async |trace_id: Option<&TraceId>| {
        let filter = MemoryFilter {
            namespace: "shop".into(),
            forgotten: true,
            trace_id: trace_id.cloned(),
            ..MemoryFilter::default()
        };
        let page = ground.store.memories(&filter, &PageRequest { limit: 10, cursor: None }).await.unwrap();
        let mut values: Vec<String> = page.items.into_iter().map(|memory| memory.value).collect();
        values.sort();
        values
    };
    assert_eq!(forgotten(None).await, Vec::<String>::new());
    let selection =
        TraceSelection { namespace: "shop".into(), trace_ids: vec![trace.clone()], ..TraceSelection::default() };
    ground.store.turn_traces(&selection, (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    assert_eq!(forgotten(Some(&trace)).await, ["Graz", "chess"]);
    let tea = memories(ground, "u1").await.remove(0);
    ground.store.turn_memory("shop", &tea.id, Turn::Forget, &deed()).await.unwrap();
    assert_eq!(forgotten(None).await, ["Graz", "chess", "tea"]);
    ground.store.turn_traces(&selection, (Turn::Restore, Execution::Real), &deed()).await.unwrap();
    ground.store.delete_memory("shop", &tea.id, &deed()).await.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(forgotten(None).await, Vec::<String>::new(), "what is deleted is in neither list");
}
