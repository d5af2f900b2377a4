//! One effect: a run is committed once, on the ground it was judged on, or not at all.

use recall_core::candidate::{MemoryType, Polarity};
use recall_core::context::NearKeys;
use recall_core::effect::Effect;
use recall_core::entity::{Entity, EntityKind, EntityRef};
use recall_core::id::EntityId;
use recall_core::memory::Status;
use recall_core::moment::Precision;
use recall_core::turn::{Said, Turn};
use serde_json::json;
use ulid::Ulid;

use super::ground::Ground;
use super::on_both;
use super::said::{at, call, claim, memory, run, run_of, scope, source};
use crate::record::Committed;
use crate::{Store, StoreError};

on_both! {
    a_run_committed_twice_has_one_effect,
    a_run_on_an_old_session_is_stale,
    a_run_on_an_old_epoch_is_stale,
    a_run_on_an_epoch_that_never_was_is_stale,
    a_refused_run_leaves_nothing_behind,
    text_with_a_nul_is_refused,
    every_field_of_a_memory_comes_back,
    a_call_without_changes_is_a_run,
    a_namespace_does_not_see_the_memory_of_another,
}

const TABLES: [&str; 9] =
    ["runs", "memories", "sources", "audit", "effects", "spans", "turns", "entities", "run_details"];

async fn sizes(ground: &Ground) -> Vec<i64> {
    let mut sizes = Vec::new();
    for table in TABLES {
        sizes.push(ground.count(table).await);
    }
    sizes
}

async fn a_run_committed_twice_has_one_effect(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I keep two goats.", "And a hen."]);
    let run = run(&call, 0, 0, &[claim("animal", "goats"), claim("animal", "hen")]);
    assert_eq!(ground.store.commit(&run).await.unwrap(), Committed::Now);
    let before = sizes(ground).await;
    assert_eq!(before, [1, 2, 2, 2, 2, 2, 2, 1, 1]);
    assert_eq!(ground.store.commit(&run).await.unwrap(), Committed::Before);
    assert_eq!(sizes(ground).await, before);
    assert_eq!(ground.number("SELECT max(version) FROM sessions").await, 1);
}

async fn a_run_on_an_old_session_is_stale(ground: &Ground) {
    let first = call("u1", "s1", 1, &["I keep two goats."]);
    ground.store.commit(&run(&first, 0, 0, &[])).await.unwrap();
    let second = call("u1", "s1", 2, &["And a hen."]);
    let old = run(&second, 0, 1, &[claim("animal", "hen")]);
    assert!(matches!(ground.store.commit(&old).await, Err(StoreError::Stale)));
    assert_eq!(ground.count("memories").await, 0);
    let fresh = run(&second, ground.store.window(&second).await.unwrap().version, 1, &[claim("animal", "hen")]);
    assert_eq!(ground.store.commit(&fresh).await.unwrap(), Committed::Now);
}

async fn a_run_on_an_old_epoch_is_stale(ground: &Ground) {
    let first = call("u1", "s1", 1, &["I keep two goats."]);
    ground.store.commit(&run(&first, 0, 0, &[claim("animal", "goats")])).await.unwrap();
    let epoch = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap().epoch;
    ground.raw("UPDATE scopes SET revision = revision + 1, epoch = revision + 1").await.unwrap();
    let second = call("u1", "s1", 2, &["And a hen."]);
    let old = run(&second, 1, epoch, &[claim("hobby", "chess")]);
    assert!(matches!(ground.store.commit(&old).await, Err(StoreError::Stale)));
    let epoch = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap().epoch;
    let fresh = run(&second, 1, epoch, &[claim("hobby", "chess")]);
    assert_eq!(ground.store.commit(&fresh).await.unwrap(), Committed::Now);
}

async fn a_run_on_an_epoch_that_never_was_is_stale(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I keep two goats."]);
    assert!(matches!(ground.store.commit(&run(&call, 0, 7, &[])).await, Err(StoreError::Stale)));
    assert_eq!(ground.count("scopes").await, 0);
}

async fn a_refused_run_leaves_nothing_behind(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I keep two goats."]);
    let mut bad = memory(&call, 0, &claim("animal", "goats"));
    bad.provenance.sources.clear();
    let run = run_of(&call, 0, 0, vec![super::said::insert(bad, false)]);
    let refused = ground.store.commit(&run).await;
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
    assert_eq!(sizes(ground).await, [0; 9]);
    let mut unknown = memory(&call, 0, &claim("animal", "goats"));
    unknown.provenance.sources[0].turn_id.0 = "no such turn".into();
    let refused = ground.store.commit(&run_of(&call, 0, 0, vec![super::said::insert(unknown, false)])).await;
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
    assert_eq!(sizes(ground).await, [0; 9]);
}

async fn text_with_a_nul_is_refused(ground: &Ground) {
    let mut call = call("u1", "s1", 1, &["I keep two goats."]);
    let with_nul = Turn { content: Said::new("go\0ats"), ..call.turns[0].clone() };
    let mut run_with_nul = run(&call, 0, 0, &[claim("animal", "go\0ats")]);
    run_with_nul.window = vec![with_nul];
    let refused = ground.store.commit(&run_with_nul).await;
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
    call.session_id = Some("s\0".into());
    let refused = ground.store.window(&call).await;
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
}

async fn every_field_of_a_memory_comes_back(ground: &Ground) {
    let mut call = call("u1", "s1", 1, &["Ich mag „Äpfel“ 🍏\n\\u0000 \u{202e}.", "Also my sister Orla."]);
    call.scope = recall_core::scope::Scope::new(
        "shop".into(),
        recall_core::scope::Owner::Account("acme \"&\" sons".into()),
        Some("agent-7".into()),
    )
    .unwrap();
    let sister = EntityId::new(Ulid(99));
    let mut kept = memory(&call, 0, &claim("likes", "„Äpfel“ 🍏 \\u0000"));
    kept.memory_type = MemoryType::Relation;
    kept.object = Some(EntityRef { id: sister.clone(), name: "Orla".into() });
    kept.polarity = Polarity::Negative;
    kept.confidence = 0.1 + 0.7;
    kept.importance = 1.0 / 3.0;
    kept.language = None;
    kept.event_at = Some(at("2026-02-28T00:00:00+09:00"));
    kept.event_until = Some(at("2026-03-02T00:00:00.000001-03:30"));
    kept.precision = Precision::Week;
    kept.status = Status::Disputed;
    kept.valid_until = Some(at("2027-01-01T00:00:00Z"));
    kept.expires_at = Some(at("1969-12-31T23:59:59-11:00"));
    kept.last_accessed_at = Some(at("2026-03-05T00:00:00Z"));
    kept.access_count = 3;
    kept.metadata = json!({ "a": [1, 2.5, null, true], "ß": { "nested": "„" }, "big": 9_007_199_254_740_993_i64 })
        .as_object()
        .unwrap()
        .clone();
    kept.provenance.sources.push(source(&call.turns[1]));
    kept.provenance.source_turn_ids.push(call.turns[1].id.clone());
    let plain = memory(&call, 1, &claim("hobby", "chess"));
    kept.superseded_by = Some(plain.id.clone());
    let effects = vec![super::said::insert(kept.clone(), false), super::said::insert(plain, true)];
    let mut run = run_of(&call, 0, 0, effects);
    run.changes.entities.push(Entity { id: sister, name: "Orla".into(), kind: EntityKind::Person, aliases: vec![] });
    ground.store.commit(&run).await.unwrap();
    let found = ground.store.memory("shop", &kept.id).await.unwrap().unwrap();
    assert_ne!(found.created_at, kept.created_at, "the database's clock dates the row");
    kept.created_at = found.created_at;
    assert_eq!(found, kept);
    let keys = NearKeys { attributes: vec!["likes".into()], claims: vec![] };
    assert_eq!(ground.store.neighbours(&call.scope, &keys).await.unwrap().memories, [kept]);
}

async fn a_call_without_changes_is_a_run(ground: &Ground) {
    let mut call = call("u1", "s1", 1, &["hello"]);
    call.session_id = None;
    let run = run(&call, 0, 0, &[]);
    assert_eq!(ground.store.commit(&run).await.unwrap(), Committed::Now);
    assert_eq!(sizes(ground).await, [1, 0, 0, 0, 0, 2, 1, 1, 1]);
    assert_eq!(ground.number("SELECT count(*) FROM sessions WHERE CAST(last_turns AS TEXT) = '[]'").await, 1);
    let trace = ground.store.trace("shop", &call.trace_id).await.unwrap().unwrap();
    assert_eq!(trace.summary.session_id, None);
}

async fn a_namespace_does_not_see_the_memory_of_another(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I keep two goats."]);
    let run = run(&call, 0, 0, &[claim("animal", "goats")]);
    ground.store.commit(&run).await.unwrap();
    let Effect::Insert { memory, .. } = &run.changes.effects[0] else { panic!("an insert") };
    assert!(ground.store.memory("shop", &memory.id).await.unwrap().is_some());
    assert!(ground.store.memory("other", &memory.id).await.unwrap().is_none());
    assert!(ground.store.trace("other", &call.trace_id).await.unwrap().is_none());
}
