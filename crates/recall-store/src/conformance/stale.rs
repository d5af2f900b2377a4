//! What was judged on a state that is no longer so is refused, and judged again.

use recall_core::effect::{Effect, Words};
use recall_core::entity::{Entity, EntityKind};
use recall_core::id::{EntityId, MemoryId};
use recall_core::run::Run;
use ulid::Ulid;

use super::effects::{epoch, load, one_memory};
use super::ground::Ground;
use super::on_both;
use super::said::{call, claim, run, run_of, source};
use crate::{Store, StoreError};

on_both! {
    a_change_of_a_memory_that_is_gone_is_stale,
    a_change_judged_before_somebody_else_changed_the_memory_is_stale,
    a_claim_judged_before_a_neighbour_was_written_is_stale,
    a_claim_judged_on_a_scope_that_was_not_to_move_is_stale_once_it_did,
    an_entity_whose_name_is_taken_is_stale,
}

async fn a_change_of_a_memory_that_is_gone_is_stale(ground: &Ground) {
    let (_, kept) = one_memory(ground).await;
    ground.raw("UPDATE memories SET deleted_at = 1").await.unwrap();
    let again = call("u1", "s1", 2, &["Graz, again."]);
    let more = |id: &MemoryId| Effect::AddSources {
        memory_id: id.clone(),
        sources: vec![source(&again.turns[0])],
        confidence: 0.9,
        importance: 0.5,
        said: Box::new(kept.clone()),
        words: Words::Stay,
    };
    for id in [&kept.id, &MemoryId::new(Ulid(5))] {
        let stale = ground.store.commit(&run_of(&again, 1, epoch(ground).await, vec![more(id)])).await;
        assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    }
    // A memory of another scope is not there for this one.
    let theirs = call("u2", "s1", 1, &["I live in Graz."]);
    let stale = ground.store.commit(&run_of(&theirs, 0, 0, vec![more(&kept.id)])).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
}

async fn a_change_judged_before_somebody_else_changed_the_memory_is_stale(ground: &Ground) {
    let (_, kept) = one_memory(ground).await;
    let seen = epoch(ground).await;
    let more = |call: &recall_core::call::Call| Effect::AddSources {
        memory_id: kept.id.clone(),
        sources: vec![source(&call.turns[0])],
        confidence: 0.9,
        importance: 0.5,
        said: Box::new(kept.clone()),
        words: Words::Stay,
    };
    let (second, third) = (call("u1", "s2", 1, &["Graz."]), call("u1", "s3", 1, &["Graz!"]));
    ground.store.commit(&run_of(&second, 0, seen, vec![more(&second)])).await.unwrap();
    let stale = ground.store.commit(&run_of(&third, 0, seen, vec![more(&third)])).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    ground.store.commit(&run_of(&third, 0, epoch(ground).await, vec![more(&third)])).await.unwrap();
    assert_eq!(load(ground, &kept.id).await.provenance.sources.len(), 3);
}

async fn a_claim_judged_before_a_neighbour_was_written_is_stale(ground: &Ground) {
    let (second, third) = (call("u1", "s2", 1, &["A hen."]), call("u1", "s3", 1, &["A horse."]));
    ground.store.commit(&run(&second, 0, 0, &[claim("animal", "hen")])).await.unwrap();
    let stale = ground.store.commit(&run(&third, 0, 0, &[claim("animal", "horse")])).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "the hen might bear on the horse: {stale:?}");
    // What was written says nothing of this attribute.
    ground.store.commit(&run(&third, 0, 0, &[claim("hobby", "chess")])).await.unwrap();
}

async fn a_claim_judged_on_a_scope_that_was_not_to_move_is_stale_once_it_did(ground: &Ground) {
    let unmoved = |call: &recall_core::call::Call, claimed| Run { unmoved: true, ..run(call, 0, 0, &[claimed]) };
    let (first, second) = (call("u1", "s1", 1, &["Chess."]), call("u1", "s2", 1, &["A hen."]));
    ground.store.commit(&unmoved(&first, claim("hobby", "chess"))).await.unwrap();
    let stale = ground.store.commit(&unmoved(&second, claim("animal", "hen"))).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    let other = call("u2", "s1", 1, &["A hen."]);
    ground.store.commit(&unmoved(&other, claim("animal", "hen"))).await.unwrap();
}

async fn an_entity_whose_name_is_taken_is_stale(ground: &Ground) {
    let entity = |id: u128, name: &str| Entity {
        id: EntityId::new(Ulid(id)),
        name: name.into(),
        kind: EntityKind::Person,
        aliases: Vec::new(),
    };
    let mut first = run(&call("u1", "s1", 1, &["Priya rides."]), 0, 0, &[]);
    first.changes.entities.push(entity(1, "Priya"));
    ground.store.commit(&first).await.unwrap();
    let mut second = run(&call("u1", "s2", 1, &["PRIYA rides."]), 0, 0, &[]);
    second.changes.entities.push(entity(2, "PRIYA"));
    let stale = ground.store.commit(&second).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    let mut elsewhere = run(&call("u2", "s1", 1, &["Priya rides."]), 0, 0, &[]);
    elsewhere.changes.entities.push(entity(3, "Priya"));
    ground.store.commit(&elsewhere).await.unwrap();
}
