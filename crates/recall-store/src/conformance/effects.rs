//! What a run changes: rows end in their final state, every change is an effect row and an audit row.

use recall_core::candidate::MemoryType;
use recall_core::context::NearKeys;
use recall_core::effect::{Effect, Words};
use recall_core::entity::{Entity, EntityKind};
use recall_core::id::{EntityId, MemoryId};
use recall_core::memory::{Memory, Status, Wording};
use recall_core::moment::Precision;
use ulid::Ulid;

use super::ground::Ground;
use super::on_both;
use super::said::{at, call, claim, insert, memory, run, run_of, scope, source};
use crate::Store;

on_both! {
    a_later_value_replaces_the_active_one,
    the_same_claim_gathers_sources,
    a_source_that_is_there_adds_nothing,
    a_claim_said_earlier_holds_from_then_on,
    a_claim_said_earlier_is_told_in_those_words,
    a_value_that_returns_takes_the_place_of_the_one_that_retires,
    two_that_cannot_be_decided_are_both_disputed,
    what_is_made_and_replaced_in_one_run_ends_in_its_last_state,
    names_learnt_for_an_entity_are_found_again,
    suppressed_claims_are_part_of_the_snapshot,
}

pub(super) async fn load(ground: &Ground, id: &MemoryId) -> Memory {
    ground.store.memory("shop", id).await.unwrap().unwrap()
}

pub(super) async fn epoch(ground: &Ground) -> i64 {
    ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap().epoch
}

/// One memory of user u1 in session s1; the call and the memory.
pub(super) async fn one_memory(ground: &Ground) -> (recall_core::call::Call, Memory) {
    let call = call("u1", "s1", 1, &["I live in Graz."]);
    let kept = memory(&call, 0, &claim("home", "Graz"));
    ground.store.commit(&run_of(&call, 0, 0, vec![insert(kept.clone(), true)])).await.unwrap();
    (call, kept)
}

async fn a_later_value_replaces_the_active_one(ground: &Ground) {
    let (_, old) = one_memory(ground).await;
    let later = call("u1", "s1", 2, &["I moved to Linz."]);
    let new = memory(&later, 0, &claim("home", "Linz"));
    let until = at("2026-03-04T09:30:00+09:00");
    let replace = Effect::Supersede { memory_id: old.id.clone(), by: new.id.clone(), valid_until: Some(until) };
    let effects = vec![insert(new.clone(), true), replace];
    ground.store.commit(&run_of(&later, 1, epoch(ground).await, effects)).await.unwrap();
    let replaced = load(ground, &old.id).await;
    assert_eq!(
        (replaced.status, replaced.superseded_by, replaced.valid_until),
        (Status::Superseded, Some(new.id.clone()), Some(until))
    );
    assert_eq!(load(ground, &new.id).await.status, Status::Active);
    assert_eq!(
        ground.number("SELECT count(*) FROM effects WHERE kind = 'supersede' AND other_id IS NOT NULL").await,
        1
    );
    let audited =
        "SELECT count(*) FROM audit WHERE event_type = 'supersede' AND before IS NOT NULL AND after IS NOT NULL";
    assert_eq!(ground.number(audited).await, 1);
}

async fn the_same_claim_gathers_sources(ground: &Ground) {
    let (_, kept) = one_memory(ground).await;
    // Said again in another session: its turn 1 is another turn.
    let again = call("u1", "s2", 1, &["As I said, Graz."]);
    let more = Effect::AddSources {
        memory_id: kept.id.clone(),
        sources: vec![source(&again.turns[0])],
        confidence: 0.9,
        importance: 0.75,
        said: Box::new(kept.clone()),
        words: Words::Stay,
    };
    ground.store.commit(&run_of(&again, 0, epoch(ground).await, vec![more])).await.unwrap();
    let found = load(ground, &kept.id).await;
    let quotes: Vec<_> = found.provenance.sources.iter().map(|source| source.quote.as_str()).collect();
    assert_eq!(quotes, ["I live in Graz.", "As I said, Graz."]);
    assert_eq!((found.confidence, found.importance), (0.9, 0.75));
    assert_eq!(found.provenance.extraction_trace_id, kept.provenance.extraction_trace_id);
    let trace = ground.store.trace("shop", &again.trace_id).await.unwrap().unwrap();
    assert_eq!((trace.memory_ids, trace.summary.stored_count), (vec![kept.id], 0));
    assert_eq!(ground.number("SELECT count(*) FROM audit WHERE event_type = 'merge'").await, 1);
}

async fn a_source_that_is_there_adds_nothing(ground: &Ground) {
    let (first, kept) = one_memory(ground).await;
    let again = call("u1", "s1", 2, &["Graz, again."]);
    let sources = vec![source(&first.turns[0]), source(&again.turns[0])];
    let more = Effect::AddSources {
        memory_id: kept.id.clone(),
        sources,
        confidence: 0.9,
        importance: 0.5,
        said: Box::new(kept.clone()),
        words: Words::Stay,
    };
    ground.store.commit(&run_of(&again, 1, epoch(ground).await, vec![more])).await.unwrap();
    assert_eq!(load(ground, &kept.id).await.provenance.source_turn_ids.len(), 2);
    assert_eq!(ground.count("sources").await, 2);
}

async fn a_claim_said_earlier_holds_from_then_on(ground: &Ground) {
    let (_, kept) = one_memory(ground).await;
    for (session, said, expected) in [
        ("s2", "2026-01-02T10:00:00-05:00", "2026-01-02T10:00:00-05:00"),
        ("s3", "2026-05-06T10:00:00Z", "2026-01-02T10:00:00-05:00"),
    ] {
        let mut again = call("u1", session, 1, &["Graz."]);
        again.turns[0].at = Some(at(said));
        let more = Effect::AddSources {
            memory_id: kept.id.clone(),
            sources: vec![source(&again.turns[0])],
            confidence: 0.9,
            importance: 0.5,
            said: Box::new(kept.clone()),
            words: Words::Stay,
        };
        ground.store.commit(&run_of(&again, 0, epoch(ground).await, vec![more])).await.unwrap();
        assert_eq!(load(ground, &kept.id).await.valid_from, Some(at(expected)));
    }
}

async fn a_claim_said_earlier_is_told_in_those_words(ground: &Ground) {
    let (_, kept) = one_memory(ground).await;
    let again = call("u1", "s2", 1, &["Graz is my home."]);
    let said = Wording {
        content: "Graz is the user's home.".into(),
        memory_type: MemoryType::Event,
        language: Some("eng".into()),
        event_at: Some(at("2026-01-02T00:00:00Z")),
        precision: Precision::Day,
        ..kept.wording()
    };
    let mut told = kept.clone();
    told.tell(&said);
    let more = Effect::AddSources {
        memory_id: kept.id.clone(),
        sources: vec![source(&again.turns[0])],
        confidence: 0.9,
        importance: 0.5,
        said: Box::new(told),
        words: Words::Change,
    };
    ground.store.commit(&run_of(&again, 0, epoch(ground).await, vec![more])).await.unwrap();
    let found = load(ground, &kept.id).await;
    assert_eq!(found.wording(), said);
    assert_eq!((found.claim_key, found.subject), (kept.claim_key, kept.subject));
    // Effects hold no words of people; the audit log keeps those of every statement.
    assert_eq!(ground.number("SELECT count(*) FROM effects WHERE CAST(detail AS TEXT) LIKE '%home.%'").await, 0);
    assert_eq!(ground.number("SELECT count(*) FROM audit WHERE CAST(after AS TEXT) LIKE '%home.%'").await, 1);
}

async fn a_value_that_returns_takes_the_place_of_the_one_that_retires(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I lived in Graz.", "Now Linz."]);
    let (graz, linz) = (memory(&call, 0, &claim("home", "Graz")), memory(&call, 1, &claim("home", "Linz")));
    let mut last = (graz.id.clone(), linz.id.clone());
    let moved = Effect::Supersede { memory_id: graz.id.clone(), by: linz.id.clone(), valid_until: None };
    ground.store.commit(&run_of(&call, 0, 0, vec![insert(graz, true), moved, insert(linz, true)])).await.unwrap();
    // There and back: whichever row the database happens to write first, the index has room.
    for round in 0..4 {
        let next = super::said::call("u1", "s1", 3 + round, &["And back."]);
        let (returns, retires) = last;
        let effects = vec![
            Effect::Supersede { memory_id: retires.clone(), by: returns.clone(), valid_until: None },
            Effect::Activate { memory_id: returns.clone() },
        ];
        let version = i64::try_from(round).unwrap() + 1;
        ground.store.commit(&run_of(&next, version, epoch(ground).await, effects)).await.unwrap();
        let returned = load(ground, &returns).await;
        assert_eq!((returned.status, returned.superseded_by, returned.valid_until), (Status::Active, None, None));
        assert_eq!(load(ground, &retires).await.status, Status::Superseded);
        last = (retires, returns);
    }
    assert_eq!(ground.number("SELECT count(*) FROM effects WHERE kind = 'activate'").await, 4);
}

async fn two_that_cannot_be_decided_are_both_disputed(ground: &Ground) {
    let (_, one) = one_memory(ground).await;
    let other_call = call("u1", "s2", 1, &["I live in Linz."]);
    let mut other = memory(&other_call, 0, &claim("home", "Linz"));
    other.status = Status::Disputed;
    let dispute = Effect::Dispute { memory_id: other.id.clone(), with: one.id.clone() };
    let effects = vec![insert(other.clone(), true), dispute];
    ground.store.commit(&run_of(&other_call, 0, epoch(ground).await, effects)).await.unwrap();
    assert_eq!(load(ground, &one.id).await.status, Status::Disputed);
    assert_eq!(load(ground, &other.id).await.status, Status::Disputed);
    assert_eq!(ground.number("SELECT count(*) FROM disputes WHERE settled_at IS NULL").await, 1);
    assert_eq!(ground.number("SELECT count(DISTINCT memory_id) FROM audit WHERE event_type = 'dispute'").await, 2);
}

async fn what_is_made_and_replaced_in_one_run_ends_in_its_last_state(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I lived in Graz.", "Now Linz.", "Linz, yes."]);
    let (old, new) = (memory(&call, 0, &claim("home", "Graz")), memory(&call, 1, &claim("home", "Linz")));
    let effects = vec![
        insert(old.clone(), true),
        Effect::Supersede { memory_id: old.id.clone(), by: new.id.clone(), valid_until: None },
        insert(new.clone(), true),
        Effect::AddSources {
            memory_id: new.id.clone(),
            sources: vec![source(&call.turns[2])],
            confidence: 0.8,
            importance: 0.5,
            said: Box::new(new.clone()),
            words: Words::Stay,
        },
    ];
    ground.store.commit(&run_of(&call, 0, 0, effects)).await.unwrap();
    assert_eq!(load(ground, &old.id).await.superseded_by, Some(new.id.clone()));
    let found = load(ground, &new.id).await;
    assert_eq!((found.confidence, found.provenance.sources.len()), (0.8, 2));
    assert_eq!((ground.count("effects").await, ground.count("audit").await), (4, 4));
}

async fn names_learnt_for_an_entity_are_found_again(ground: &Ground) {
    let (_, _) = one_memory(ground).await;
    let next = call("u1", "s1", 2, &["My sister Priya rides."]);
    let priya = EntityId::new(Ulid(42));
    let mut learnt = run(&next, 1, epoch(ground).await, &[]);
    let aliases = vec!["user's sister".into()];
    learnt.changes.entities =
        vec![Entity { id: priya.clone(), name: "Priya".into(), kind: EntityKind::Person, aliases }];
    learnt.changes.aliases = vec![(priya.clone(), "Pri".into()), (priya.clone(), "pri".into())];
    ground.store.commit(&learnt).await.unwrap();
    let near = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap();
    let found = near.entities.iter().find(|entity| entity.id == priya).unwrap();
    assert_eq!((found.name.as_str(), found.kind, found.aliases.len()), ("Priya", EntityKind::Person, 2));
    assert!(found.aliases.contains(&"user's sister".to_owned()) && found.aliases.contains(&"Pri".to_owned()));
    assert_eq!(near.entities.len(), 2);
}

async fn suppressed_claims_are_part_of_the_snapshot(ground: &Ground) {
    let (_, _) = one_memory(ground).await;
    let (kept, lifted) = ("rsp_00000000000000000000000001", "rsp_00000000000000000000000002");
    let row = |id: &str, lifted_at: &str| {
        format!(
        "INSERT INTO suppressions (suppression_id, scope_id, entities, polarity, attribute, parts, normaliser, key_id,
            created_at, lifted_at)
        SELECT '{id}', scope_id, '[\"ent_00000000000000000000000001\"]', 'negative', 'h',
            '[{{\"hash\":\"ab\",\"weight\":1.5}}]', 1, 'k1', 1, {lifted_at} FROM scopes"
    )
    };
    ground.raw(&format!("{}; {}", row(kept, "NULL"), row(lifted, "5"))).await.unwrap();
    let near = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap();
    let [only] = near.suppressions.as_slice() else { panic!("one is lifted: {:?}", near.suppressions) };
    assert_eq!((only.id.as_str(), only.parts[0].weight, only.entities.len()), (kept, 1.5, 1));
}
