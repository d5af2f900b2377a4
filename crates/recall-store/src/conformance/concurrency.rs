//! Many at once: races end in one row and `Stale`, never in two rows or an error of another kind.

use recall_core::context::NearKeys;
use recall_core::run::Run;

use super::ground::Ground;
use super::on_both;
use super::said::{Claim, call, claim, run, scope};
use crate::record::Committed;
use crate::{Store, StoreError};

on_both! {
    the_same_claim_from_two_sessions_at_once_is_one_active_row,
    one_value_of_a_single_valued_attribute_is_active,
    a_run_delivered_twice_at_once_has_one_effect,
    calls_of_different_scopes_do_not_wait_for_each_other_for_ever,
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
