//! Many at once: races end in one row and `Stale`, never in two rows or an error of another kind.

use std::future::Future;
use std::task::Poll;

use recall_core::call::Lane;
use recall_core::context::NearKeys;
use recall_core::effect::Effect;
use recall_core::run::Run;

use super::ground::Ground;
use super::on_both;
use super::said::{Claim, call, claim, run, scope};
use crate::record::{Committed, ToPark, Why};
use crate::{Store, StoreError};

on_both! {
    the_same_claim_from_two_sessions_at_once_is_one_active_row,
    one_value_of_a_single_valued_attribute_is_active,
    a_run_delivered_twice_at_once_has_one_effect,
    calls_of_different_scopes_do_not_wait_for_each_other_for_ever,
    runs_committed_at_once_fail_by_themselves,
    a_run_that_is_not_coming_after_all_keeps_nobody_waiting,
    calls_put_at_once_fail_by_themselves,
}

/// Commits until the ground holds still: the claim is left out where a neighbour says the same.
async fn settle(ground: &Ground, user: &str, session: &str, one: &Claim<'_>) {
    let call = call(user, session, 1, &["as said"]);
    for _ in 0..200 {
        let keys = NearKeys { attributes: vec![one.attribute.into()], claims: Vec::new() };
        let near = ground.store.neighbours(&scope(user), &keys).await.unwrap();
        let is_there = near.memories.iter().any(|memory| one.single_valued || memory.value == one.value);
        let claims = if is_there { Vec::new() } else { vec![one.clone()] };
        match ground.store.commit(&run(&call, 0, near.epoch, &claims)).await {
            Ok(Committed::Now) => return,
            Err(StoreError::Stale) => {}
            other => panic!("{other:?}"),
        }
    }
    panic!("contended for ever");
}

async fn the_same_claim_from_two_sessions_at_once_is_one_active_row(ground: &Ground) {
    for round in 0..20 {
        let user = format!("u{round}");
        let one = claim("home", "Graz");
        tokio::join!(
            settle(ground, &user, "s1", &one),
            settle(ground, &user, "s2", &one),
            settle(ground, &user, "s3", &one),
            settle(ground, &user, "s4", &one),
        );
    }
    assert_eq!(ground.number("SELECT count(*) FROM memories WHERE status = 'active'").await, 20);
    assert_eq!((ground.count("runs").await, ground.count("audit").await), (80, 20));
}

async fn one_value_of_a_single_valued_attribute_is_active(ground: &Ground) {
    let (graz, linz) = (
        Claim { attribute: "home", value: "Graz", single_valued: true },
        Claim { attribute: "home", value: "Linz", single_valued: true },
    );
    tokio::join!(settle(ground, "u1", "s1", &graz), settle(ground, "u1", "s2", &linz));
    assert_eq!(ground.count("memories").await, 1);
    // The index holds where nobody judges: a run that claims to have seen everything.
    let epoch = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap().epoch;
    let third = Claim { attribute: "home", value: "Wels", single_valued: true };
    let blind = run(&call("u1", "s3", 1, &["Wels."]), 0, epoch, &[third]);
    assert!(matches!(ground.store.commit(&blind).await, Err(StoreError::Stale)));
    let same = claim(
        "home",
        if ground.number("SELECT count(*) FROM memories WHERE value = 'Graz'").await == 1 { "Graz" } else { "Linz" },
    );
    let blind = run(&call("u1", "s3", 1, &["Again."]), 0, epoch, &[same]);
    assert!(matches!(ground.store.commit(&blind).await, Err(StoreError::Stale)));
    // Other attributes and other people have room.
    ground.store.commit(&run(&call("u1", "s3", 1, &["Wels."]), 0, epoch, &[claim("town", "Wels")])).await.unwrap();
    ground.store.commit(&run(&call("u2", "s1", 1, &["Graz."]), 0, 0, &[graz])).await.unwrap();
}

async fn a_run_delivered_twice_at_once_has_one_effect(ground: &Ground) {
    for round in 0..10 {
        let run: Run =
            run(&call(&format!("u{round}"), "s1", 1, &["I keep two goats."]), 0, 0, &[claim("animal", "goats")]);
        let (a, b, c) = tokio::join!(ground.store.commit(&run), ground.store.commit(&run), ground.store.commit(&run));
        let mut ends = [a.unwrap(), b.unwrap(), c.unwrap()];
        ends.sort_by_key(|end| *end != Committed::Now);
        assert_eq!(ends, [Committed::Now, Committed::Before, Committed::Before]);
    }
    assert_eq!((ground.count("runs").await, ground.count("memories").await), (10, 10));
}

async fn calls_of_different_scopes_do_not_wait_for_each_other_for_ever(ground: &Ground) {
    // Each person's calls take turns with everybody else's on the same few connections.
    let people: Vec<String> = (0..24).map(|number| format!("p{number}")).collect();
    let one = claim("home", "Graz");
    for chunk in people.chunks(4) {
        let [a, b, c, d] = chunk else { panic!("chunks of four") };
        tokio::join!(
            settle(ground, a, "s1", &one),
            settle(ground, b, "s1", &one),
            settle(ground, c, "s1", &one),
            settle(ground, d, "s1", &one)
        );
    }
    assert_eq!(ground.count("memories").await, 24);
}

async fn runs_committed_at_once_fail_by_themselves(ground: &Ground) {
    // What is wrong with the first is seen with its row, with the second only at the end of the transaction.
    let people: Vec<_> = (0..12).map(|number| call(&format!("p{number}"), "s1", 1, &["Two goats."])).collect();
    let runs = people.iter().enumerate().map(|(number, call)| {
        let mut run = run(call, 0, 0, &[claim("animal", "goats")]);
        let Some(Effect::Insert { memory, .. }) = run.changes.effects.first_mut() else { panic!("one claim") };
        match number {
            3 => memory.provenance.sources[0].turn_id.0 = "no such turn".into(),
            7 => memory.provenance.sources.clear(),
            _ => {}
        }
        run
    });
    let runs: Vec<Run> = runs.collect();
    let [a, b, c, d, e, f, g, h, i, j, k, l] = &runs[..] else { panic!("twelve") };
    let commit = |run| ground.store.commit(run);
    let ended = tokio::join!(
        commit(a),
        commit(b),
        commit(c),
        commit(d),
        commit(e),
        commit(f),
        commit(g),
        commit(h),
        commit(i),
        commit(j),
        commit(k),
        commit(l),
    );
    let (a, b, c, d, e, f, g, h, i, j, k, l) = ended;
    for (number, end) in [a, b, c, d, e, f, g, h, i, j, k, l].into_iter().enumerate() {
        match number {
            3 | 7 => assert!(matches!(end, Err(StoreError::Refused { .. })), "{number}: {end:?}"),
            _ => assert_eq!(end.unwrap(), Committed::Now, "{number}"),
        }
    }
    assert_eq!((ground.count("runs").await, ground.count("memories").await), (10, 10));
}

async fn a_run_that_is_not_coming_after_all_keeps_nobody_waiting(ground: &Ground) {
    let run = |number| run(&call(&format!("p{number}"), "s1", 1, &["A hen."]), 0, 0, &[]);
    let runs: [Run; 4] = [run(0), run(1), run(2), run(3)];
    // The second stands behind the first, whenever that is written, and goes away.
    let leaving = async {
        let mut second = Box::pin(ground.store.commit(&runs[1]));
        assert!(one_step(&mut second).await.is_none());
        for _ in 0..10_000 {
            tokio::task::yield_now().await;
        }
    };
    let (first, ()) = tokio::join!(ground.store.commit(&runs[0]), leaving);
    assert_eq!(first.unwrap(), Committed::Now);
    // This one goes away while it is written.
    let mut third = Box::pin(ground.store.commit(&runs[2]));
    assert!(one_step(&mut third).await.is_none());
    drop(third);
    assert_eq!(ground.store.commit(&runs[3]).await.unwrap(), Committed::Now);
    for run in &runs {
        ground.store.commit(run).await.unwrap();
    }
    assert_eq!(ground.count("runs").await, 4);
}

/// Lets a future take one step; its answer, where it has one.
async fn one_step<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    std::future::poll_fn(|cx| match std::pin::Pin::new(&mut *future).poll(cx) {
        Poll::Ready(answer) => Poll::Ready(Some(answer)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

async fn calls_put_at_once_fail_by_themselves(ground: &Ground) {
    let put = |number: u64| {
        let call = call("u1", &format!("s{number}"), 1, &["A hen."]);
        let session_key = if number == 5 { "with a \0".into() } else { call.session_key() };
        let row = ToPark {
            trace_id: call.trace_id.clone(),
            session_key,
            slot: 0,
            lane: Lane::Live,
            body: b"x".to_vec(),
            attempts: 0,
            wait_seconds: 0.0,
            why: Why::Queued,
        };
        async move { ground.store.park(&row).await }
    };
    let first = tokio::join!(put(0), put(1), put(2), put(3), put(4), put(5), put(6), put(7), put(8), put(9));
    let (a, b, c, d, e, bad, f, g, h, i) = first;
    assert!(matches!(bad, Err(StoreError::Refused { .. })), "{bad:?}");
    for end in [a, b, c, d, e, f, g, h, i] {
        end.unwrap();
    }
    assert_eq!(ground.count("parked").await, 9);
}
