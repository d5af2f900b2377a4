//! Calls that cannot be done: kept with their story, sent on once however often it is asked, dropped with a trail.

use recall_core::call::{Call, Lane};
use recall_core::moment::Moment;

use super::ground::Ground;
use super::on_both;
use super::said::{call, run};
use crate::Store;
use crate::record::{
    CallEvent, DeadFilter, DeadLetter, Happened, Order, PageRequest, Partitions, Tenants, ToPark, TraceStatus,
    Whereabouts, Why,
};

on_both! {
    a_dead_letter_is_kept_with_its_reason,
    dead_letters_are_listed_by_tenant_and_class,
    dead_letters_are_gone_through_from_the_oldest,
    a_requeued_call_goes_behind_its_session_once,
    a_call_that_dies_again_comes_back_with_its_story,
    a_dropped_call_leaves_its_id_and_why,
    a_failure_repeated_is_one_row_and_a_story_has_an_end,
    whereabouts_tell_a_tenant_of_its_own_calls_only,
}

fn body(call: &Call) -> Vec<u8> {
    serde_json::to_vec(&serde_json::json!({ "version": 1, "call": call })).unwrap()
}

fn letter(call: &Call) -> DeadLetter {
    DeadLetter {
        id: call.trace_id.as_str().into(),
        namespace: Some("shop".into()),
        class: "permanent".into(),
        reason: "payload is too long".into(),
        attempts: 3,
        body: body(call),
        died_at: None,
    }
}

fn waiting(call: &Call, why: Why) -> ToPark {
    ToPark {
        trace_id: call.trace_id.clone(),
        session_key: call.session_key(),
        slot: 0,
        lane: Lane::Live,
        body: body(call),
        attempts: 0,
        wait_seconds: 0.0,
        why,
    }
}

fn all() -> DeadFilter {
    DeadFilter::of(Tenants::All)
}

fn whole() -> PageRequest {
    PageRequest { limit: 100, cursor: None }
}

fn story(events: &[CallEvent]) -> Vec<(Happened, &str, &str, u64)> {
    events.iter().map(|event| (event.event, event.reason.as_str(), event.actor.as_str(), event.times)).collect()
}

async fn place(ground: &Ground, call: &Call) -> Whereabouts {
    ground.store.whereabouts(&Tenants::All, call.trace_id.as_str()).await.unwrap()
}

async fn requeue(ground: &Ground, call: &ToPark) -> bool {
    ground.store.requeue(call.trace_id.as_str(), call, "kim").await.unwrap()
}

async fn a_dead_letter_is_kept_with_its_reason(ground: &Ground) {
    let call = call("u1", "s1", 1, &["a"]);
    ground.store.park(&waiting(&call, Why::Behind)).await.unwrap();
    ground.store.begin_attempt(&call.trace_id).await.unwrap();
    let letter = letter(&call);
    ground.store.dead_letter(&letter).await.unwrap();
    ground.store.dead_letter(&letter).await.unwrap();
    let unreadable = DeadLetter { id: "not a trace".into(), namespace: None, body: vec![0, 255], ..letter.clone() };
    ground.store.dead_letter(&unreadable).await.unwrap();
    assert_eq!((ground.count("parked").await, ground.count("attempts").await), (0, 0));
    let page = PageRequest { limit: 1, cursor: None };
    let first = ground.store.dead_letters(&all(), &page).await.unwrap();
    let second = ground.store.dead_letters(&all(), &PageRequest { cursor: first.next_cursor, ..page }).await.unwrap();
    assert_eq!(second.next_cursor, None);
    let mut kept = [first.items, second.items].concat();
    assert!(kept[0].died_at >= kept[1].died_at && kept[1].died_at.is_some());
    kept.sort_by_key(|letter| letter.namespace.is_none());
    let undated: Vec<_> = kept.into_iter().map(|letter| DeadLetter { died_at: None, ..letter }).collect();
    assert_eq!(undated, [letter, unreadable]);
    ground.raw("UPDATE dead_letters SET died_at = 5 WHERE namespace IS NULL").await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().dead_letters, 1);
    let ended = ground.store.events("not a trace").await.unwrap();
    assert_eq!(ended.last().map(|event| (event.event, event.actor.as_str())), Some((Happened::Dropped, "sweep")));
}

async fn dead_letters_are_listed_by_tenant_and_class(ground: &Ground) {
    let (one, two) = (call("u1", "s1", 1, &["a"]), call("u1", "s2", 1, &["b"]));
    ground.store.dead_letter(&letter(&one)).await.unwrap();
    ground.store.dead_letter(&DeadLetter { class: "bug".into(), ..letter(&two) }).await.unwrap();
    let other = DeadLetter { id: "m-1".into(), namespace: None, ..letter(&one) };
    ground.store.dead_letter(&other).await.unwrap();
    // The clock of a database may stand still for as long as it takes to write three rows.
    for (at, id) in [(1, one.trace_id.as_str()), (2, two.trace_id.as_str()), (3, "m-1")] {
        ground.raw(&format!("UPDATE dead_letters SET died_at = {at} WHERE id = '{id}'")).await.unwrap();
    }
    let ids = async |tenants: Tenants, class: Option<&str>| {
        let filter = DeadFilter { class: class.map(str::to_owned), ..DeadFilter::of(tenants) };
        let page = ground.store.dead_letters(&filter, &whole()).await.unwrap();
        page.items.into_iter().map(|letter| letter.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(Tenants::All, None).await, ["m-1", two.trace_id.as_str(), one.trace_id.as_str()]);
    assert_eq!(ids(Tenants::One("shop".into()), None).await, [two.trace_id.as_str(), one.trace_id.as_str()]);
    assert_eq!(ids(Tenants::One("shop".into()), Some("bug")).await, [two.trace_id.as_str()]);
    assert!(ids(Tenants::One("elsewhere".into()), None).await.is_empty());
    assert_eq!(ground.store.backlog().await.unwrap().dead, 3);
}

async fn dead_letters_are_gone_through_from_the_oldest(ground: &Ground) {
    let dead = [(5, "m-1", "timeout"), (5, "m-2", "no model answered"), (7, "m-0", "timeout"), (9, "m-3", "timeout")];
    let kind = letter(&call("u1", "s1", 1, &["a"]));
    for (at, id, reason) in dead {
        ground.store.dead_letter(&DeadLetter { id: id.into(), reason: reason.into(), ..kind.clone() }).await.unwrap();
        ground.raw(&format!("UPDATE dead_letters SET died_at = {at} WHERE id = '{id}'")).await.unwrap();
    }
    let died_before = Moment::from_microseconds(9);
    let oldest = DeadFilter { order: Order::OldestFirst, died_before, ..all() };
    let mut found = Vec::new();
    let mut cursor = None;
    loop {
        let page = ground.store.dead_letters(&oldest, &PageRequest { limit: 2, cursor }).await.unwrap();
        found.extend(page.items.into_iter().map(|letter| letter.id));
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(found, ["m-1", "m-2", "m-0"]);
    let timeouts = DeadFilter { reason: Some("time".into()), ..oldest };
    let found = ground.store.dead_letters(&timeouts, &whole()).await.unwrap().items;
    assert_eq!(found.iter().map(|letter| letter.id.as_str()).collect::<Vec<_>>(), ["m-1", "m-0"]);
}

async fn a_requeued_call_goes_behind_its_session_once(ground: &Ground) {
    let (dead, behind) = (call("u1", "s1", 1, &["a"]), call("u1", "s1", 2, &["b"]));
    ground.store.dead_letter(&letter(&dead)).await.unwrap();
    ground.store.park(&waiting(&behind, Why::Behind)).await.unwrap();
    let again = waiting(&dead, Why::Requeued);
    assert!(requeue(ground, &again).await);
    assert!(!requeue(ground, &again).await, "a second time it is no dead letter any more");
    assert_eq!(place(ground, &dead).await, Whereabouts::Waiting);
    assert_eq!((ground.count("dead_letters").await, ground.count("parked").await), (0, 2));
    let [head] = ground.store.take(&Partitions::All, &[], 9).await.unwrap().try_into().unwrap();
    assert_eq!(head.trace_id, behind.trace_id, "what the session has waiting stays ahead");
    let trace = ground.store.trace("shop", &dead.trace_id).await.unwrap().unwrap();
    assert_eq!(trace.summary.status, TraceStatus::Queued);
    ground.store.commit(&run(&behind, 0, 0, &[])).await.unwrap();
    ground.store.commit(&run(&dead, 1, 1, &[])).await.unwrap();
    assert_eq!(place(ground, &dead).await, Whereabouts::Done);
    assert!(!requeue(ground, &again).await);
    assert_eq!(ground.count("parked").await, 0);
}

async fn a_call_that_dies_again_comes_back_with_its_story(ground: &Ground) {
    let call = call("u1", "s1", 1, &["a"]);
    let failed = Why::Failed { class: "transient".into(), reason: "model server did not answer".into() };
    ground.store.park(&waiting(&call, failed.clone())).await.unwrap();
    ground.store.park(&waiting(&call, failed)).await.unwrap();
    ground.store.dead_letter(&letter(&call)).await.unwrap();
    requeue(ground, &waiting(&call, Why::Requeued)).await;
    ground.store.dead_letter(&DeadLetter { reason: "still too long".into(), ..letter(&call) }).await.unwrap();
    let Whereabouts::Dead(kept) = place(ground, &call).await else { panic!("dead again") };
    assert_eq!(kept.reason, "still too long");
    let events = ground.store.events(call.trace_id.as_str()).await.unwrap();
    assert_eq!(
        story(&events),
        [
            (Happened::Failed, "model server did not answer", "worker:test", 2),
            (Happened::Died, "payload is too long", "worker:test", 1),
            (Happened::Requeued, "", "kim", 1),
            (Happened::Died, "still too long", "worker:test", 1),
        ]
    );
    assert!(events[0].first_at <= events[0].last_at && events[0].last_at <= events[1].first_at);
}

async fn a_dropped_call_leaves_its_id_and_why(ground: &Ground) {
    let call = call("u1", "s1", 1, &["a"]);
    let letter = letter(&call);
    ground.store.dead_letter(&letter).await.unwrap();
    assert!(ground.store.drop_dead(&letter, "sent twice by mistake", "kim").await.unwrap());
    assert!(!ground.store.drop_dead(&letter, "again", "kim").await.unwrap());
    assert_eq!(place(ground, &call).await, Whereabouts::Dropped);
    assert!(!requeue(ground, &waiting(&call, Why::Requeued)).await, "what is dropped is gone");
    let trace = ground.store.trace("shop", &call.trace_id).await.unwrap().unwrap();
    assert_eq!(trace.summary.status, TraceStatus::Dropped);
    assert!(ground.store.trace("elsewhere", &call.trace_id).await.unwrap().is_none());
    ground.raw("UPDATE call_events SET last_at = 5").await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().events, 1, "that it died; not that it was dropped");
    let events = ground.store.events(call.trace_id.as_str()).await.unwrap();
    assert_eq!(story(&events), [(Happened::Dropped, "sent twice by mistake", "kim", 1)]);
}

async fn a_failure_repeated_is_one_row_and_a_story_has_an_end(ground: &Ground) {
    let call = call("u1", "s1", 1, &["a"]);
    for number in 0..240 {
        let reason = if number % 4 < 2 { "left" } else { "right" };
        let failed = Why::Failed { class: "busy".into(), reason: reason.into() };
        ground.store.park(&waiting(&call, failed)).await.unwrap();
    }
    let events = ground.store.events(call.trace_id.as_str()).await.unwrap();
    assert_eq!(events.len(), 100);
    assert!(events.iter().take(99).all(|event| event.times == 2));
    ground.store.dead_letter(&letter(&call)).await.unwrap();
    assert_eq!(ground.store.events(call.trace_id.as_str()).await.unwrap().last().unwrap().event, Happened::Died);
}

async fn whereabouts_tell_a_tenant_of_its_own_calls_only(ground: &Ground) {
    let calls: Vec<Call> = (0..5).map(|number| call("u1", &format!("s{number}"), 1, &["a"])).collect();
    ground.store.dead_letter(&letter(&calls[0])).await.unwrap();
    ground.store.park(&waiting(&calls[1], Why::Queued)).await.unwrap();
    ground.store.commit(&run(&calls[2], 0, 0, &[])).await.unwrap();
    ground.store.dead_letter(&letter(&calls[3])).await.unwrap();
    ground.store.drop_dead(&letter(&calls[3]), "no use", "kim").await.unwrap();
    let mut dead = letter(&calls[0]);
    for (at, call) in calls.iter().enumerate() {
        let ask = async |tenants: Tenants| ground.store.whereabouts(&tenants, call.trace_id.as_str()).await.unwrap();
        assert_eq!(ask(Tenants::One("elsewhere".into())).await, Whereabouts::Unknown);
        let mine = ask(Tenants::One("shop".into())).await;
        assert_eq!(mine, ask(Tenants::All).await);
        if let Whereabouts::Dead(letter) = &mine {
            dead.died_at = letter.died_at;
        }
        let expected = [
            Whereabouts::Dead(Box::new(dead.clone())),
            Whereabouts::Waiting,
            Whereabouts::Done,
            Whereabouts::Dropped,
            Whereabouts::Unknown,
        ];
        assert_eq!(mine, expected[at]);
    }
}
