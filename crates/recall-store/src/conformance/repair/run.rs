//! Reprocessing runs beside what is there: nobody sees them before they are swapped in, and what people did stays done.

use recall_core::context::NearKeys;
use recall_core::id::BatchId;
use recall_core::memory::{Memory, Status};
use ulid::Ulid;

use crate::batches::{BatchStatus, NewBatch};
use crate::conformance::ground::Ground;
use crate::conformance::on_both;
use crate::conformance::people::{deed, judge, lives, memories, of, prompt, staged, statuses, tell, told};
use crate::conformance::said::{call, scope};
use crate::deed::{Execution, Restatement, Turn};
use crate::record::{Committed, MemoryFilter, PageRequest, ToPark, Why};
use crate::swap::{Standing, Swap, Swapped};
use crate::{Store, StoreError, repair};

on_both! {
    what_a_run_says_is_seen_nowhere_before_it_is_swapped_in,
    a_run_is_in_no_live_call_s_way,
    whom_a_run_learnt_of_is_known_while_it_counts,
    whom_both_learnt_of_is_one,
    what_a_person_corrected_stays_corrected,
    what_was_forgotten_by_name_stays_forgotten,
    what_was_deleted_while_the_run_waited_stays_away,
    a_swap_that_was_stopped_goes_on,
    of_two_runs_the_one_swapped_in_last_counts,
    a_run_that_is_not_complete_is_not_swapped_in,
}

fn run() -> BatchId {
    BatchId::new(Ulid(rand::random()))
}

async fn moved(ground: &Ground, run: &BatchId, way: Swap) -> Swapped {
    ground.store.swap(("shop", run), (way, Execution::Real), &deed()).await.unwrap()
}

async fn of_value(ground: &Ground, value: &str) -> Memory {
    memories(ground, "u1").await.into_iter().find(|memory| memory.value == value).unwrap()
}

/// The one memory that waits.
async fn waiting(ground: &Ground) -> Memory {
    let id = "SELECT CAST(max(memory_id) AS TEXT) FROM memories WHERE trace_id IN (SELECT trace_id FROM staged_calls)";
    let mut reader = ground.store.reader(crate::fence::Reach::Tenant("shop")).await.unwrap();
    let row = sqlx::query(id).fetch_one(&mut *reader).await.unwrap();
    let id: String = sqlx::Row::get(&row, 0);
    drop(reader);
    ground.store.memory("shop", &id.parse().unwrap()).await.unwrap().unwrap()
}

async fn what_a_run_says_is_seen_nowhere_before_it_is_swapped_in(ground: &Ground) {
    let first = tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let run = run();
    let new = staged(ground, ("u1", "s1", 1), (&[lives("Linz", 1)], 1), Some(&run)).await;
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active")]);
    let page = PageRequest { limit: 10, cursor: None };
    let forgotten = MemoryFilter { namespace: "shop".into(), forgotten: true, ..MemoryFilter::default() };
    assert!(ground.store.memories(&forgotten, &page).await.unwrap().items.is_empty());
    let keys = NearKeys { attributes: vec!["home_city".into()], claims: Vec::new() };
    assert_eq!(ground.store.neighbours(&scope("u1"), &keys).await.unwrap().memories.len(), 1);
    assert!(ground.store.staged_neighbours(&scope("u1"), &run).await.unwrap().memories.is_empty());
    assert_eq!((ground.count("disputes").await, ground.count("staged_calls").await), (0, 1));
    for (event, rows) in [("insert", 1), ("stage", 1), ("supersede", 0)] {
        let number = format!("SELECT count(*) FROM audit WHERE event_type = '{event}'");
        assert_eq!(ground.number(&number).await, rows, "{event}");
    }
    let linz = waiting(ground).await;
    let story = ground.store.story("shop", &linz.id).await.unwrap().unwrap();
    let [aside] = story.aside.as_slice() else { panic!("{:?}", story.aside) };
    assert_eq!((&aside.run, aside.waits, story.gone), (&run, true, None));
    let refused = ground.store.turn_memory("shop", &linz.id, Turn::Restore, &deed()).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");

    let done = moved(ground, &run, Swap::In).await;
    assert_eq!(done.standing, Standing { calls: 1, scopes: 1, swapped: 1, replaced: 1 });
    assert_eq!((done.repaired.gone.len(), done.repaired.returned, done.repaired.traces), (1, vec![linz.id], 2));
    assert_eq!(statuses(ground, "u1").await, [("Linz".to_owned(), "active")]);
    for trace in [&first, &new] {
        let number = format!("SELECT count(*) FROM audit WHERE event_type = 'swap' AND trace_id = '{trace}'");
        assert_eq!(ground.number(&number).await, 1);
    }
    assert_eq!(moved(ground, &run, Swap::In).await.scopes, 0, "it is in");
    moved(ground, &run, Swap::Out).await;
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active")]);
    let again = moved(ground, &run, Swap::Out).await;
    assert_eq!((again.scopes, again.standing.swapped), (0, 0), "it is out");
}

async fn a_run_is_in_no_live_call_s_way(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let mut live = call("u1", "s2", 20, &["User lives in Linz"]);
    live.turns[0].at = lives("Linz", 5).at;
    let judged = judge(ground, &live, &[lives("Linz", 5)], &prompt("v1")).await;
    staged(ground, ("u1", "s1", 1), (&[lives("Graz", 1)], 1), Some(&run())).await;
    assert_eq!(ground.store.commit(&judged).await.unwrap(), Committed::Now);
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "superseded"), ("Linz".to_owned(), "active")]);
}

async fn names(ground: &Ground) -> Vec<String> {
    let near = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap();
    let mut names: Vec<String> = near.entities.into_iter().map(|entity| entity.name).collect();
    names.sort();
    let owner = recall_core::scope::Owner::User("u1".into());
    let listed = ground.store.entities(("shop", &owner), &PageRequest { limit: 10, cursor: None }).await.unwrap();
    assert_eq!(listed.items.len(), names.len(), "a list shows whom a call knows");
    names
}

async fn whom_a_run_learnt_of_is_known_while_it_counts(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let run = run();
    let told_of =
        |name: &'static str, city: &str| of(name, told("home_city", city, &format!("{name} lives in {city}")));
    staged(ground, ("u1", "s1", 1), (&[told_of("Ida", "Lund"), told_of("Olaf", "Lund")], 2), Some(&run)).await;
    let again = staged(ground, ("u1", "s1", 9), (&[told_of("Ida", "Lund")], 1), Some(&run)).await;
    assert_eq!(names(ground).await, ["user"]);
    let known = ground.store.staged_neighbours(&scope("u1"), &run).await.unwrap().entities.len();
    assert_eq!((known, ground.count("entities").await), (3, 3), "the run knows whom it learnt of: {again}");
    moved(ground, &run, Swap::In).await;
    assert_eq!(names(ground).await, ["Ida", "Olaf", "user"]);
    let told_twice = of_value(ground, "Lund").await;
    assert_eq!(memories(ground, "u1").await.len(), 2, "{told_twice:?}");
    // Of Ida somebody else speaks, too.
    tell(ground, "u1", "s1", 30, &[of("Ida", told("likes", "tea", "Ida likes tea"))]).await;
    moved(ground, &run, Swap::Out).await;
    assert_eq!(names(ground).await, ["Ida", "user"]);
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active"), ("tea".to_owned(), "active")]);
}

async fn whom_both_learnt_of_is_one(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let run = run();
    let ida = |city: &str| of("Ida", told("home_city", city, &format!("Ida lives in {city}")));
    staged(ground, ("u1", "s1", 1), (&[ida("Lund"), lives("Graz", 1)], 2), Some(&run)).await;
    tell(ground, "u1", "s1", 20, &[of("Ida", told("likes", "tea", "Ida likes tea"))]).await;
    let before = statuses(ground, "u1").await;
    moved(ground, &run, Swap::In).await;
    assert_eq!(names(ground).await, ["Ida", "user"]);
    let subject = |memory: Memory| memory.subject.id;
    assert_eq!(subject(of_value(ground, "Lund").await), subject(of_value(ground, "tea").await));
    moved(ground, &run, Swap::Out).await;
    assert_eq!(statuses(ground, "u1").await, before);
    moved(ground, &run, Swap::In).await;
    assert_eq!(memories(ground, "u1").await.len(), 3);
}

async fn what_a_person_corrected_stays_corrected(ground: &Ground) {
    let tea = told("likes", "tea", "User likes tea");
    tell(ground, "u1", "s1", 1, std::slice::from_ref(&tea)).await;
    let told = Restatement { content: "User likes cocoa".into(), attribute: None, value: Some("cocoa".into()) };
    let old = of_value(ground, "tea").await;
    ground.store.restate(("shop", &old.id), &told, &deed()).await.unwrap();
    let corrected = [("cocoa".to_owned(), "active"), ("tea".to_owned(), "superseded")];
    assert_eq!(statuses(ground, "u1").await, corrected);
    let run = run();
    staged(ground, ("u1", "s1", 1), (&[tea], 1), Some(&run)).await;
    moved(ground, &run, Swap::In).await;
    assert_eq!(statuses(ground, "u1").await, corrected, "the run read old words again");
    moved(ground, &run, Swap::Out).await;
    assert_eq!(statuses(ground, "u1").await, corrected);
    assert_eq!(of_value(ground, "tea").await.id, old.id);
}

async fn what_was_forgotten_by_name_stays_forgotten(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1), told("likes", "tea", "User likes tea")]).await;
    let run = run();
    let tea = told("likes", "tea", "User likes tea");
    staged(ground, ("u1", "s1", 1), (&[lives("Linz", 1), tea], 2), Some(&run)).await;
    moved(ground, &run, Swap::In).await;
    let tea = of_value(ground, "tea").await;
    ground.store.turn_memory("shop", &tea.id, Turn::Forget, &deed()).await.unwrap();
    moved(ground, &run, Swap::Out).await;
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active")]);
}

async fn what_was_deleted_while_the_run_waited_stays_away(ground: &Ground) {
    let plain = told("employer", "mill", "User lost their job at the mill");
    let other = told("work", "job loss", "User lost the job at the mill");
    tell(ground, "u1", "s1", 1, &[plain, lives("Graz", 1)]).await;
    let run = run();
    staged(ground, ("u1", "s1", 1), (&[other, lives("Graz", 1)], 2), Some(&run)).await;
    ground.store.delete_memory("shop", &of_value(ground, "mill").await.id, &deed()).await.unwrap();
    let done = moved(ground, &run, Swap::In).await;
    // What tells the same was deleted with it where it waited.
    assert_eq!((done.repaired.suppressed.len(), done.repaired.returned.len()), (0, 1));
    let graz = [("Graz".to_owned(), "active")];
    assert_eq!(statuses(ground, "u1").await, graz);
    ground.store.delete_memory("shop", &of_value(ground, "Graz").await.id, &deed()).await.unwrap();
    moved(ground, &run, Swap::Out).await;
    assert_eq!(statuses(ground, "u1").await, [], "deleted from the run, deleted from what stood before it");
}

async fn a_swap_that_was_stopped_goes_on(ground: &Ground) {
    let (run, by) = (run(), deed());
    for user in ["u1", "u2", "u3"] {
        tell(ground, user, "s1", 1, &[lives("Graz", 1)]).await;
        staged(ground, (user, "s1", 1), (&[lives("Linz", 1)], 1), Some(&run)).await;
    }
    let of_run = ("shop", &run);
    for way in [Swap::In, Swap::Out] {
        // As a process that dies after the first of them.
        let first = repair::swap::to_move(&ground.store, of_run, way).await.unwrap()[0];
        repair::swap::scope(&ground.store, ("shop", &run, first), (way, Execution::Real), &by).await.unwrap();
        let half = ground.store.standing(of_run).await.unwrap();
        let (swapped, value) = if way == Swap::In { (1, "Linz") } else { (2, "Graz") };
        assert_eq!((half.scopes, half.swapped, half.replaced), (3, swapped, swapped));
        assert_eq!(moved(ground, &run, way).await.scopes, 2);
        for user in ["u1", "u2", "u3"] {
            assert_eq!(statuses(ground, user).await, [(value.to_owned(), "active")]);
        }
    }
    let refused = ground.store.swap(("other", &run), (Swap::In, Execution::Real), &by).await;
    assert!(matches!(refused, Err(StoreError::Missing(_))), "{refused:?}");
}

async fn of_two_runs_the_one_swapped_in_last_counts(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let (one, other) = (run(), run());
    staged(ground, ("u1", "s1", 1), (&[lives("Linz", 1)], 1), Some(&one)).await;
    staged(ground, ("u1", "s1", 1), (&[lives("Wels", 1)], 1), Some(&other)).await;
    let steps = [
        (&one, Swap::In, "Linz"),
        (&other, Swap::In, "Wels"),
        (&one, Swap::Out, "Wels"),
        (&one, Swap::In, "Linz"),
        (&other, Swap::Out, "Linz"),
        (&other, Swap::In, "Wels"),
        (&other, Swap::Out, "Linz"),
        (&one, Swap::Out, "Graz"),
    ];
    for (number, (run, way, value)) in steps.into_iter().enumerate() {
        moved(ground, run, way).await;
        assert_eq!(statuses(ground, "u1").await, [(value.to_owned(), "active")], "step {number}");
    }
    assert_eq!(of_value(ground, "Graz").await.status, Status::Active);
}

async fn a_run_that_is_not_complete_is_not_swapped_in(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let run = run();
    staged(ground, ("u1", "s1", 1), (&[lives("Linz", 1)], 1), Some(&run)).await;
    let mut late = call("u1", "s1", 2, &["Thanks!"]);
    late.batch = Some(recall_core::call::Batch {
        id: run.clone(),
        prompt_version: None,
        staged: true,
        erased_too: false,
        before: Vec::new(),
    });
    let parked = ToPark {
        trace_id: late.trace_id.clone(),
        session_key: late.session_key(),
        slot: 0,
        lane: recall_core::call::Lane::Bulk,
        body: serde_json::to_vec(&late).unwrap(),
        attempts: 1,
        wait_seconds: 600.0,
        why: Why::Failed { class: "transient".into(), reason: "model server did not answer".into() },
    };
    ground.store.park(&parked).await.unwrap();
    let refused = ground.store.swap(("shop", &run), (Swap::In, Execution::Real), &deed()).await;
    assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
    let judged = judge(ground, &late, &[], &prompt("v2")).await;
    assert_eq!(ground.store.commit(&judged).await.unwrap(), Committed::Now);
    let refused = async |why: &str| {
        let refused = ground.store.swap(("shop", &run), (Swap::In, Execution::Real), &deed()).await;
        assert!(matches!(refused, Err(StoreError::Conflict(told)) if told.contains(why)), "{refused:?}");
    };
    let by = ("operator:cli", "a test");
    let batch = |id: &BatchId| NewBatch {
        id: id.clone(),
        namespace: "shop".into(),
        spec: serde_json::json!({}),
        command_hash: "c".into(),
        archive_hash: "a".into(),
        calls: 2,
        turns: 2,
        actor: "operator:cli".into(),
        staged: true,
    };
    ground.store.create_batch(&batch(&run)).await.unwrap();
    refused("is not done").await;
    ground.store.move_batch(("shop", &run), BatchStatus::Paused, by).await.unwrap();
    refused("is not done").await;
    ground.store.move_batch(("shop", &run), BatchStatus::Done, by).await.unwrap();
    assert_eq!(moved(ground, &run, Swap::In).await.standing.calls, 2);
    ground.raw("UPDATE batches SET status = 'cancelled'").await.unwrap();
    refused("will never be complete").await;
    assert_eq!(moved(ground, &run, Swap::Out).await.standing.swapped, 0, "what was swapped in is given back");
}
