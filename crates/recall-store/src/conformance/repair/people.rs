//! Entities made one and taken apart, and a person erased.

use recall_core::call::{Call, Lane};
use recall_core::context::NearKeys;
use recall_core::entity::EntityKind;
use recall_core::id::{BatchId, EntityId};
use recall_core::scope::Owner;
use recall_core::window::Earlier;

use super::delete::rows_with;
use crate::conformance::ground::Ground;
use crate::conformance::on_both;
use crate::conformance::people::{Told, deed, judge, lives, memories, of, prompt, staged, statuses, tell, told};
use crate::conformance::said::{call, scope};
use crate::deed::{Actor, Deed, Feedback};
use crate::entities::EntityPatch;
use crate::erasure::Erasure;
use crate::record::{Committed, DeadLetter, PageRequest, ToPark, Why};
use crate::tables::{Personal, TABLES};
use crate::{Store, StoreError};

on_both! {
    a_fragmented_entity_is_suspected_merged_and_taken_apart,
    a_suppressed_claim_survives_a_merge,
    an_entity_is_renamed_unless_another_bears_the_name,
    an_erased_person_leaves_no_word_and_no_id_and_can_come_back,
    nobody_else_is_touched_by_an_erasure,
    a_first_call_that_races_an_erasure_leaves_nothing,
    a_dead_call_of_an_erased_person_is_not_kept,
    what_an_erased_admin_of_an_account_did_stays_without_their_name,
}

fn owner(user: &str) -> Owner {
    Owner::User(user.into())
}

fn page() -> PageRequest {
    PageRequest { limit: 100, cursor: None }
}

async fn entity(ground: &Ground, user: &str, name: &str) -> EntityId {
    let all = ground.store.entities(("shop", &owner(user)), &page()).await.unwrap().items;
    all.into_iter().find(|entity| entity.name == name).unwrap().entity_id
}

/// Jonathan and Jonathon: three and two memories, one claim of both, and a home that changed.
async fn fragmented(ground: &Ground) {
    let likes = |who, what: &str| of(who, told("likes", what, &format!("{who} likes {what}")));
    tell(
        ground,
        "u1",
        "s1",
        1,
        &[likes("Jonathan", "chess"), likes("Jonathan", "tea"), of("Jonathan", lives("Graz", 1))],
    )
    .await;
    tell(ground, "u1", "s1", 11, &[likes("Jonathon", "chess"), of("Jonathon", lives("Linz", 2))]).await;
}

async fn a_fragmented_entity_is_suspected_merged_and_taken_apart(ground: &Ground) {
    fragmented(ground).await;
    let before = memories(ground, "u1").await;
    let suspected = ground.store.suspected_duplicates("shop", &owner("u1")).await.unwrap();
    let [pair] = suspected.as_slice() else { panic!("{suspected:?}") };
    assert_eq!((pair.entity.name.as_str(), pair.other.name.as_str()), ("Jonathan", "Jonathon"));
    assert!(pair.similarity > 0.85 && pair.similarity < 1.0);
    let (into, from) = (pair.entity.entity_id.clone(), pair.other.entity_id.clone());
    let done = ground.store.merge_entities(("shop", &from, &into), &deed()).await.unwrap();
    assert_eq!((done.gone.len(), done.returned.len()), (1, 0), "chess is told once now: {done:?}");
    let left = statuses(ground, "u1").await;
    assert_eq!(
        left,
        [
            ("Graz".to_owned(), "superseded"),
            ("Linz".into(), "active"),
            ("chess".into(), "active"),
            ("tea".into(), "active")
        ]
    );
    let found = memories(ground, "u1").await;
    assert!(found.iter().all(|memory| memory.subject.id == into && memory.subject.name == "Jonathan"));
    assert_eq!(found.iter().find(|memory| memory.value == "chess").unwrap().provenance.sources.len(), 2);
    // Named in the old way it is still the one.
    tell(ground, "u1", "s1", 21, &[of("Jonathon", told("likes", "rain", "Jonathon likes rain"))]).await;
    assert!(memories(ground, "u1").await.iter().all(|memory| memory.subject.id == into));
    let all = ground.store.entities(("shop", &owner("u1")), &page()).await.unwrap().items;
    assert_eq!(all.iter().find(|entity| entity.entity_id == from).unwrap().merged_into, Some(into.clone()));
    for (one, other) in [(&from, &into), (&into, &into)] {
        let answer = ground.store.merge_entities(("shop", one, other), &deed()).await;
        assert!(matches!(answer, Err(StoreError::Conflict(_))), "{answer:?}");
    }
    // Taken apart, everything is as before; what was learnt since stays.
    ground.store.unmerge_entity("shop", &from, &deed()).await.unwrap();
    let mut after = memories(ground, "u1").await;
    after.retain(|memory| memory.value != "rain");
    assert_eq!(after, before);
    let again = ground.store.unmerge_entity("shop", &from, &deed()).await;
    assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    let other = ground.store.unmerge_entity("other", &from, &deed()).await;
    assert!(matches!(other, Err(StoreError::Missing("entity"))), "{other:?}");
    assert_eq!(
        ground.number("SELECT count(*) FROM audit WHERE event_type = 'entity_merge' AND memory_id IS NULL").await,
        2
    );
}

async fn a_suppressed_claim_survives_a_merge(ground: &Ground) {
    fragmented(ground).await;
    let (into, from) = (entity(ground, "u1", "Jonathan").await, entity(ground, "u1", "Jonathon").await);
    let linz = memories(ground, "u1").await.into_iter().find(|memory| memory.value == "Linz").unwrap();
    ground.store.delete_memory("shop", &linz.id, &deed()).await.unwrap();
    ground.store.merge_entities(("shop", &from, &into), &deed()).await.unwrap();
    let near = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap();
    assert_eq!(near.suppressions[0].entities, [into]);
    ground.store.unmerge_entity("shop", &from, &deed()).await.unwrap();
    let near = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap();
    assert_eq!(near.suppressions[0].entities, [from]);
}

async fn an_entity_is_renamed_unless_another_bears_the_name(ground: &Ground) {
    fragmented(ground).await;
    let (one, user) = (entity(ground, "u1", "Jonathan").await, entity(ground, "u1", "user").await);
    let taken = EntityPatch { name: Some("JONATHON".into()), ..EntityPatch::default() };
    let answer = ground.store.update_entity(("shop", &one), &taken, &deed()).await;
    assert!(matches!(answer, Err(StoreError::Conflict(_))), "{answer:?}");
    let patch = EntityPatch {
        name: Some("Jonathan Weiss".into()),
        kind: Some(EntityKind::Person),
        add_aliases: vec!["Jonathan".into(), "Joni".into()],
        remove_aliases: Vec::new(),
    };
    let now = ground.store.update_entity(("shop", &one), &patch, &deed()).await.unwrap();
    assert_eq!((now.name.as_str(), now.kind.as_str(), now.aliases.len()), ("Jonathan Weiss", "person", 2));
    tell(ground, "u1", "s1", 21, &[of("Joni", told("likes", "rain", "Joni likes rain"))]).await;
    let rain = memories(ground, "u1").await.into_iter().find(|memory| memory.value == "rain").unwrap();
    assert_eq!(rain.subject.id, one);
    let gone = EntityPatch { remove_aliases: vec!["joni".into()], ..EntityPatch::default() };
    assert_eq!(ground.store.update_entity(("shop", &one), &gone, &deed()).await.unwrap().aliases, ["Jonathan"]);
    let owner_of = ground.store.update_entity(("shop", &user), &patch, &deed()).await;
    assert!(matches!(owner_of, Err(StoreError::Conflict(_))), "{owner_of:?}");
}

fn dead(call: &Call) -> DeadLetter {
    DeadLetter {
        id: call.trace_id.as_str().into(),
        namespace: Some("shop".into()),
        class: "permanent".into(),
        reason: "no".into(),
        attempts: 1,
        body: serde_json::to_vec(&serde_json::json!({ "call": call })).unwrap(),
        died_at: None,
    }
}

/// A person with something in every table.
async fn full_life(ground: &Ground, user: &str, word: &str) {
    let undated = |city: &str| Told { at: None, ..lives(city, 1) };
    let said = told("health", word, &format!("User suffers from {word}"));
    tell(ground, user, &format!("session {word}"), 1, &[said.clone(), undated(word)]).await;
    tell(
        ground,
        user,
        &format!("session {word}"),
        11,
        &[undated("Linz"), of("Jonathan", told("likes", word, &format!("Jonathan likes {word}")))],
    )
    .await;
    let all = memories(ground, user).await;
    let ill = all.iter().find(|memory| memory.attribute == "health").unwrap();
    ground.store.feedback(("shop", &ill.id), Feedback::Wrong, &deed()).await.unwrap();
    let jonathan = all.iter().find(|memory| memory.subject.name == "Jonathan").unwrap();
    ground.store.delete_memory("shop", &jonathan.id, &deed()).await.unwrap();
    let waiting = call(user, "s9", 1, &[&format!("waiting {word}")]);
    let parked = ToPark {
        trace_id: waiting.trace_id.clone(),
        session_key: waiting.session_key(),
        slot: 0,
        lane: Lane::Live,
        body: serde_json::to_vec(&serde_json::json!({ "call": waiting })).unwrap(),
        attempts: 0,
        wait_seconds: 900.0,
        why: Why::Failed { class: "transient".into(), reason: "timeout".into() },
    };
    ground.store.park(&parked).await.unwrap();
    staged(ground, (user, "s6", 1), (&[lives("Graz", 1)], 1), Some(&BatchId::new(ulid::Ulid(7)))).await;
    let letter = dead(&call(user, "s8", 1, &[&format!("dead {word}")]));
    ground.store.dead_letter(&letter).await.unwrap();
}

/// What a life leaves in the tables it reaches seldom.
async fn the_rest_of_it(ground: &Ground, user: &str, word: &str) {
    let holder = crate::bindings::holder(&owner(user));
    for text in [
        format!("INSERT INTO bindings (namespace, kind, id, holder) VALUES ('shop', 'session', '{word}', '{holder}')"),
        format!(
            "INSERT INTO entity_aliases (entity_id, alias_key, alias) SELECT entity_id, '{word}', '{word}' FROM entities LIMIT 1"
        ),
        "INSERT INTO swapped_places (batch, memory_id, scope_id, superseded_by)
            SELECT 'run_1', memory_id, scope_id, memory_id FROM memories LIMIT 1"
            .to_owned(),
        "INSERT INTO entity_merges (from_id, into_id, scope_id, moved, merged_at)
            SELECT entity_id, entity_id, scope_id, '{}', 1 FROM entities LIMIT 1"
            .to_owned(),
        "INSERT INTO spans (trace_id, ordinal, expires_at, stage, started_ns, took_ns, items, dropped)
            SELECT trace_id, 0, 1, 's', 0, 0, 0, '[]' FROM runs LIMIT 1"
            .to_owned(),
        format!(
            "INSERT INTO batch_sessions (batch_id, session_pk, scope_id, version, last_turns, ring)
            SELECT 'run_1', session_pk, scope_id, 1, '[\"{word}\"]', '[]' FROM sessions LIMIT 1"
        ),
        format!(
            "INSERT INTO batch_turns (batch_id, session_pk, turn_id) SELECT 'run_1', session_pk, '{word}' FROM sessions LIMIT 1"
        ),
        "INSERT INTO attempts (trace_id, alone, began_at) SELECT trace_id, 0, 1 FROM parked".to_owned(),
    ] {
        ground.raw(&text).await.unwrap();
    }
    let ill = memories(ground, user).await.into_iter().find(|memory| memory.attribute == "health").unwrap();
    ground.store.dispute(("shop", &ill.id, None), &deed()).await.unwrap();
}

async fn an_erased_person_leaves_no_word_and_no_id_and_can_come_back(ground: &Ground) {
    full_life(ground, "zoe-quokka", "zoster").await;
    the_rest_of_it(ground, "zoe-quokka", "zoster").await;
    let late = call("zoe-quokka", "s7", 1, &["said before"]);
    let judged = judge(ground, &late, &[lives("Graz", 1)], &prompt("v1")).await;
    let receipt = ground.store.erase("shop", &Erasure::of(owner("zoe-quokka")), &deed()).await.unwrap();
    for table in TABLES {
        match table.personal {
            Personal::FoundBy(_) => {
                let rows = receipt.rows.get(table.name).copied().unwrap_or_default();
                assert!(rows > 0, "{}: {:?}", table.name, receipt.rows);
            }
            Personal::Nothing(_) => assert!(!receipt.rows.contains_key(table.name), "{}", table.name),
        }
    }
    for marker in ["zoster", "zoe-quokka", "Jonathan"] {
        assert_eq!(rows_with(ground, marker).await, Vec::<String>::new(), "{marker}");
    }
    assert!(memories(ground, "zoe-quokka").await.is_empty());
    // Accepted before: dropped when it arrives, also where it was judged already.
    assert_eq!(ground.store.window(&late).await.unwrap().earlier, Earlier::Erased);
    assert_eq!(ground.store.commit(&judged).await.unwrap(), Committed::Before);
    assert!(memories(ground, "zoe-quokka").await.is_empty());
    // Whoever comes back is a new person.
    let mut back = call("zoe-quokka", "s1", 1, &["I live in Graz."]);
    back.accepted_at = crate::conformance::said::at("2100-01-01T00:00:00Z");
    assert_eq!(ground.store.window(&back).await.unwrap().earlier, Earlier::Nothing);
    let judged = judge(ground, &back, &[lives("Graz", 1)], &prompt("v1")).await;
    assert_eq!(ground.store.commit(&judged).await.unwrap(), Committed::Now);
    assert_eq!(statuses(ground, "zoe-quokka").await, [("Graz".to_owned(), "active")]);
    assert_eq!(
        ground.number("SELECT count(*) FROM audit WHERE event_type = 'erase' AND actor = 'api_key:desk'").await,
        1
    );
}

async fn nobody_else_is_touched_by_an_erasure(ground: &Ground) {
    full_life(ground, "zoe", "zoster").await;
    full_life(ground, "bob", "gout").await;
    let before = (memories(ground, "bob").await, rows_with(ground, "gout").await);
    ground.store.erase("shop", &Erasure::of(owner("zoe")), &deed()).await.unwrap();
    assert_eq!((memories(ground, "bob").await, rows_with(ground, "gout").await), before);
    let none = ground.store.erase("other", &Erasure::of(owner("bob")), &deed()).await.unwrap();
    assert!(none.rows.values().all(|rows| *rows == 0), "{none:?}");
    assert_eq!((memories(ground, "bob").await, rows_with(ground, "gout").await), before);
}

/// Each round somebody unknown so far says a first thing in a scope the erasure cannot have seen yet.
async fn a_first_call_that_races_an_erasure_leaves_nothing(ground: &Ground) {
    for round in 0..20 {
        let user = format!("racer{round}");
        let first = call(&user, "s1", 1, &["I suffer from zoster."]);
        let judged =
            judge(ground, &first, &[told("health", "zoster", "User suffers from zoster")], &prompt("v1")).await;
        let who = Erasure::of(owner(&user));
        let by = deed();
        let (committed, erased) = tokio::join!(ground.store.commit(&judged), ground.store.erase("shop", &who, &by));
        committed.unwrap();
        erased.unwrap();
        assert_eq!(rows_with(ground, "zoster").await, Vec::<String>::new(), "round {round}");
    }
}

async fn a_dead_call_of_an_erased_person_is_not_kept(ground: &Ground) {
    let letter_of = |user: &str| dead(&call(user, "s1", 1, &["I suffer from zoster."]));
    ground.store.erase("shop", &Erasure::of(owner("zoe")), &deed()).await.unwrap();
    ground.store.dead_letter(&letter_of("zoe")).await.unwrap();
    assert_eq!(rows_with(ground, "zoster").await, Vec::<String>::new());
    ground.store.dead_letter(&letter_of("bob")).await.unwrap();
    assert_eq!(ground.count("dead_letters").await, 1);
}

async fn what_an_erased_admin_of_an_account_did_stays_without_their_name(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[lives("Graz", 1)]).await;
    let id = memories(ground, "u1").await[0].id.clone();
    let zoe = Deed::new(Actor::User("zoe-quokka".into()), "a test").unwrap();
    ground.store.dispute(("shop", &id, None), &zoe).await.unwrap();
    let acts = ground.number("SELECT count(*) FROM audit WHERE actor = 'user:zoe-quokka'").await;
    let receipt = ground.store.erase("shop", &Erasure::of(owner("zoe-quokka")), &deed()).await.unwrap();
    assert_eq!(i64::try_from(receipt.rows["audit"]).unwrap(), acts);
    assert_eq!(rows_with(ground, "zoe-quokka").await, Vec::<String>::new());
    let left =
        "SELECT count(*) FROM audit WHERE event_type = 'dispute' AND actor = 'user:erased' AND reason = 'a test'";
    assert!(acts > 0 && ground.number(left).await > 0);
    assert!(ground.raw("UPDATE audit SET actor = 'user:bob'").await.is_err(), "another name is no redaction");
}
