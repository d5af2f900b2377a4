//! Traces: what a run was, with its detail for as long as it is kept, and calls that are not a run yet.

use recall_core::call::{Call, Lane};
use recall_core::moment::Moment;
use recall_core::run::TurnVerdict;
use recall_core::scope::Owner;
use recall_core::settings::Settings;
use recall_core::stage::Reason;
use recall_core::turn::TurnId;

use super::ground::Ground;
use super::on_both;
use super::said::{at, call, claim, extractor, run};
use crate::record::{DeadLetter, PageRequest, ToPark, TraceFilter, TraceStatus, Why};
use crate::{Store, StoreError};

on_both! {
    a_trace_shows_what_happened,
    the_detail_of_a_trace_ends_and_the_trace_stays,
    spans_end_with_the_detail_of_their_trace,
    a_namespace_says_how_long_its_traces_are_kept,
    a_call_is_queued_parked_done_or_dead,
    traces_are_listed_newest_first_across_pages,
    traces_are_narrowed_by_owner_and_time,
    a_cursor_of_somebody_else_is_refused,
}

const ALL: PageRequest = PageRequest { limit: 100, cursor: None };

fn filter() -> TraceFilter {
    TraceFilter { namespace: "shop".into(), ..TraceFilter::default() }
}

fn parked(call: &Call, why: Why) -> ToPark {
    ToPark {
        trace_id: call.trace_id.clone(),
        session_key: call.session_key(),
        slot: 0,
        lane: Lane::Live,
        body: serde_json::to_vec(&serde_json::json!({ "version": 1, "call": call })).unwrap(),
        attempts: 2,
        wait_seconds: 0.0,
        why,
    }
}

fn dead(call: &Call) -> DeadLetter {
    DeadLetter {
        id: call.trace_id.as_str().into(),
        namespace: Some("shop".into()),
        class: "bug".into(),
        reason: "a stage panicked".into(),
        attempts: 3,
        body: parked(call, Why::Queued).body,
        died_at: None,
    }
}

async fn a_trace_shows_what_happened(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I keep two goats.", "Hi!"]);
    let mut run = run(&call, 0, 0, &[claim("animal", "goats")]);
    run.turns[1] = TurnVerdict { turn_id: TurnId("2".into()), dropped: Some(Reason::Greeting) };
    ground.store.commit(&run).await.unwrap();
    let trace = ground.store.trace("shop", &call.trace_id).await.unwrap().unwrap();
    assert_eq!(
        (trace.turns, trace.verdicts, trace.notes, trace.spans),
        (run.turns, run.verdicts, run.notes, run.spans)
    );
    assert_eq!((trace.extracted_by, trace.memory_ids.len()), (Some(extractor()), 1));
    let line = trace.summary;
    assert_eq!((line.status, line.scope, line.session_id), (TraceStatus::Done, Some(call.scope), Some("s1".into())));
    assert_eq!((line.turn_count, line.candidate_count, line.stored_count, line.attempts), (2, 1, 1, 1));
    assert_eq!((line.usage, line.accepted_at, line.error), (run.usage, Some(call.accepted_at), None));
    assert!(line.committed_at.unwrap() > at("2020-01-01T00:00:00Z"));
}

async fn the_detail_of_a_trace_ends_and_the_trace_stays(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I keep two goats."]);
    ground.store.commit(&run(&call, 0, 0, &[claim("animal", "goats")])).await.unwrap();
    let days = ground.number("SELECT (d.expires_at - r.committed_at) / 86400000000 FROM run_details d, runs r").await;
    assert_eq!(days, 7);
    ground.raw("UPDATE run_details SET expires_at = 5").await.unwrap();
    let trace = ground.store.trace("shop", &call.trace_id).await.unwrap().unwrap();
    assert_eq!((trace.turns.len(), trace.verdicts.len(), trace.memory_ids.len()), (0, 0, 1));
    assert_eq!(ground.store.sweep().await.unwrap().details, 1);
    assert_eq!(ground.number("SELECT count(*) FROM audit WHERE verdict IS NOT NULL").await, 1);
}

async fn spans_end_with_the_detail_of_their_trace(ground: &Ground) {
    ground.store.sweep().await.unwrap();
    let calls = [call("u1", "s1", 1, &["a"]), call("u1", "s1", 2, &["b"])];
    ground.store.commit(&run(&calls[0], 0, 0, &[])).await.unwrap();
    ground.store.commit(&run(&calls[1], 1, 1, &[])).await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().spans, 0);
    let first = "WHERE trace_id IN (SELECT trace_id FROM runs WHERE session_version = 1)";
    for table in ["run_details", "spans"] {
        ground.raw(&format!("UPDATE {table} SET expires_at = 5 {first}")).await.unwrap();
    }
    let shown = async |call: &Call| ground.store.trace("shop", &call.trace_id).await.unwrap().unwrap().spans.len();
    assert_eq!((shown(&calls[0]).await, shown(&calls[1]).await), (0, 2), "what is over its time is not shown");
    let swept = ground.store.sweep().await.unwrap();
    assert_eq!((swept.details, swept.spans), (1, 2));
    assert_eq!((ground.count("run_details").await, ground.count("spans").await), (1, 2));
    assert_eq!(shown(&calls[1]).await, 2);
}

async fn a_namespace_says_how_long_its_traces_are_kept(ground: &Ground) {
    let longer = Settings { trace_retention_days: 30, ..Settings::default() };
    ground.store.put_settings("shop", &longer).await.unwrap();
    ground.store.sweep().await.unwrap();
    ground.store.commit(&run(&call("u1", "s1", 1, &["a"]), 0, 0, &[])).await.unwrap();
    for table in ["run_details", "spans"] {
        let days = format!(
            "SELECT max((k.expires_at - r.committed_at) / 86400000000) FROM {table} k JOIN runs r ON r.trace_id = k.trace_id"
        );
        assert_eq!(ground.number(&days).await, 30, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_of_spans_that_is_over_goes_as_one() {
    let ground = Ground::postgres().await;
    // Accepted before there were partitions.
    ground.store.commit(&run(&call("u1", "s1", 1, &["a"]), 0, 0, &[])).await.unwrap();
    let old = "CREATE TABLE spans_d3 PARTITION OF spans FOR VALUES FROM (259200000000) TO (345600000000)";
    ground.raw(old).await.unwrap();
    ground.store.sweep().await.unwrap();
    let made = "SELECT count(*) FROM pg_class WHERE relname LIKE 'spans\\_d%' AND relkind = 'r' AND relname <> 'spans_default'";
    // Today, seven days of retention and three ahead, without the day on which the first call ends.
    assert_eq!(ground.number(made).await, 1 + 7 + 3 - 1, "the third day of 1970 is gone");
    let strays = "SELECT count(*) FROM spans WHERE tableoid = 'spans_default'::regclass";
    assert_eq!((ground.number(strays).await, ground.count("spans").await), (2, 2));
    // Its rows end on the day before, and another call comes.
    ground.raw("UPDATE spans SET expires_at = 5").await.unwrap();
    ground.raw("UPDATE run_details SET expires_at = 5").await.unwrap();
    assert_eq!(ground.store.sweep().await.unwrap().spans, 2);
    ground.store.commit(&run(&call("u1", "s1", 2, &["b"]), 1, 1, &[])).await.unwrap();
    assert_eq!(ground.number(made).await, 1 + 7 + 3);
    assert_eq!((ground.number(strays).await, ground.count("spans").await), (0, 2));
}

async fn a_call_is_queued_parked_done_or_dead(ground: &Ground) {
    let calls: Vec<Call> = (0..4).map(|number| call("u1", &format!("s{number}"), 1, &["a", "b"])).collect();
    ground.store.park(&parked(&calls[0], Why::Queued)).await.unwrap();
    ground
        .store
        .park(&parked(
            &calls[1],
            Why::Failed { class: "transient".into(), reason: "model server did not answer".into() },
        ))
        .await
        .unwrap();
    ground.store.dead_letter(&dead(&calls[2])).await.unwrap();
    ground.store.commit(&run(&calls[3], 0, 0, &[])).await.unwrap();
    let expected = [
        (TraceStatus::Queued, None),
        (TraceStatus::Parked, Some("transient: model server did not answer")),
        (TraceStatus::Dead, Some("bug: a stage panicked")),
        (TraceStatus::Done, None),
    ];
    for (call, (status, error)) in calls.iter().zip(expected) {
        let line = ground.store.trace("shop", &call.trace_id).await.unwrap().unwrap().summary;
        assert_eq!((line.status, line.error.as_deref()), (status, error));
        assert_eq!((line.scope.as_ref(), line.session_id.as_ref()), (Some(&call.scope), call.session_id.as_ref()));
        assert_eq!((line.accepted_at, line.turn_count), (Some(call.accepted_at), 2));
        assert!(ground.store.trace("other", &call.trace_id).await.unwrap().is_none());
    }
    assert!(ground.store.trace("shop", &call("u1", "s9", 1, &["a"]).trace_id).await.unwrap().is_none());
}

async fn traces_are_listed_newest_first_across_pages(ground: &Ground) {
    let mut ids = Vec::new();
    for number in 0..9 {
        let call = call("u1", &format!("s{number}"), 1, &["a"]);
        match number % 3 {
            0 => ground.store.park(&parked(&call, Why::Queued)).await.unwrap(),
            1 => ground.store.dead_letter(&dead(&call)).await.unwrap(),
            _ => ground.store.commit(&run(&call, 0, ground_epoch(ground).await, &[])).await.map(|_| ()).unwrap(),
        }
        // Later calls later: the clock of SQLite counts milliseconds, and these calls come faster.
        let (id, at) = (call.trace_id.as_str(), number + 1);
        let dated = format!(
            "UPDATE parked SET parked_at = {at} WHERE trace_id = '{id}';
            UPDATE dead_letters SET died_at = {at} WHERE id = '{id}';
            UPDATE runs SET committed_at = {at} WHERE trace_id = '{id}'"
        );
        ground.raw(&dated).await.unwrap();
        ids.push(call.trace_id);
    }
    ids.reverse();
    let mut listed = Vec::new();
    let mut request = PageRequest { limit: 2, cursor: None };
    loop {
        let page = ground.store.traces(&filter(), &request).await.unwrap();
        assert!(page.items.len() <= 2);
        listed.extend(page.items.into_iter().map(|line| line.trace_id));
        let Some(cursor) = page.next_cursor else { break };
        request.cursor = Some(cursor);
    }
    assert_eq!(listed, ids);
}

async fn ground_epoch(ground: &Ground) -> i64 {
    let keys = recall_core::context::NearKeys::default();
    ground.store.neighbours(&super::said::scope("u1"), &keys).await.unwrap().epoch
}

async fn traces_are_narrowed_by_owner_and_time(ground: &Ground) {
    for user in ["u1", "u2"] {
        ground.store.commit(&run(&call(user, "s1", 1, &["a"]), 0, 0, &[])).await.unwrap();
        ground.store.park(&parked(&call(user, "s1", 2, &["b"]), Why::Queued)).await.unwrap();
        ground.store.dead_letter(&dead(&call(user, "s1", 3, &["c"]))).await.unwrap();
    }
    let count = async |filter: TraceFilter| ground.store.traces(&filter, &ALL).await.unwrap().items.len();
    assert_eq!(count(filter()).await, 6);
    assert_eq!(count(TraceFilter { owner: Some(Owner::User("u1".into())), ..filter() }).await, 3);
    assert_eq!(count(TraceFilter { owner: Some(Owner::Account("u1".into())), ..filter() }).await, 0);
    let moment: Option<Moment> = Some(at("2020-01-01T00:00:00Z"));
    assert_eq!(count(TraceFilter { since: moment, ..filter() }).await, 6);
    assert_eq!(count(TraceFilter { until: moment, ..filter() }).await, 0);
    assert_eq!(count(TraceFilter { namespace: "other".into(), ..filter() }).await, 0);
}

async fn a_cursor_of_somebody_else_is_refused(ground: &Ground) {
    for cursor in ["", "zz", "00", "7b7d", "7b226174223a312c226964223a225c7530303030227d"] {
        let answer = ground.store.traces(&filter(), &PageRequest { limit: 5, cursor: Some(cursor.into()) }).await;
        assert!(matches!(answer, Err(StoreError::Cursor)), "{cursor}: {answer:?}");
    }
}
