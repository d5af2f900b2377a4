//! Lists of memories: every filter narrows, pages do not overlap, deleted ones are never listed.

use recall_core::candidate::MemoryType;
use recall_core::effect::{Effect, Words};
use recall_core::entity::{Entity, EntityKind, EntityRef};
use recall_core::id::{EntityId, TraceId};
use recall_core::memory::Status;
use recall_core::scope::{Owner, Scope};
use ulid::Ulid;

use super::ground::Ground;
use super::on_both;
use super::said::{at, call, claim, insert, memory, run, run_of, source, user_entity};
use crate::Store;
use crate::record::{MemoryFilter, PageRequest};

on_both! {
    pages_hold_every_memory_once_newest_first,
    every_filter_narrows,
    a_deleted_memory_is_not_listed_and_says_so_when_asked,
}

fn filter() -> MemoryFilter {
    MemoryFilter { namespace: "shop".into(), ..MemoryFilter::default() }
}

async fn pages_hold_every_memory_once_newest_first(ground: &Ground) {
    for number in 0..4 {
        let call = call(&format!("u{number}"), "s1", 1, &["a"]);
        let claims = [claim("a", "1"), claim("b", "2"), claim("c", "3")];
        ground.store.commit(&run(&call, 0, 0, &claims)).await.unwrap();
    }
    for limit in [1, 5, 12, 500] {
        let mut request = PageRequest { limit, cursor: None };
        let mut listed = Vec::new();
        loop {
            let page = ground.store.memories(&filter(), &request).await.unwrap();
            assert!(page.items.len() <= limit as usize && !page.items.is_empty());
            listed.extend(page.items.into_iter().map(|memory| (memory.created_at, memory.id)));
            let Some(cursor) = page.next_cursor else { break };
            request.cursor = Some(cursor);
        }
        let mut sorted = listed.clone();
        sorted.sort_by(|a, b| b.cmp(a));
        sorted.dedup();
        assert_eq!((listed.len(), &listed), (12, &sorted));
    }
}

/// Four memories: two of one call, one of an agent, one of an account; the first was said again in a later call.
async fn four(ground: &Ground) -> (TraceId, TraceId) {
    let first = call("u1", "s1", 1, &["I keep two GOATS.", "Priya plays chess."]);
    let mut goats = memory(&first, 0, &claim("animal", "GOATS"));
    goats.event_at = Some(at("2026-02-01T00:00:00Z"));
    let mut chess = memory(&first, 1, &claim("hobby", "chess"));
    let priya = EntityId::new(Ulid(77));
    chess.subject = EntityRef { id: priya.clone(), name: "Priya".into() };
    chess.memory_type = MemoryType::Preference;
    chess.status = Status::Disputed;
    let (goats_id, told) = (goats.id.clone(), goats.clone());
    let mut run_one = run_of(&first, 0, 0, vec![insert(goats, false), insert(chess, false)]);
    let aliases = vec!["user's sister".into()];
    run_one.changes.entities.push(Entity { id: priya, name: "Priya".into(), kind: EntityKind::Person, aliases });
    ground.store.commit(&run_one).await.unwrap();
    let mut agent = call("u1", "s2", 1, &["I live in Graz."]);
    agent.scope = Scope::new("shop".into(), Owner::User("u1".into()), Some("butler".into())).unwrap();
    ground.store.commit(&run(&agent, 0, 0, &[claim("home", "Graz")])).await.unwrap();
    let mut account = call("u1", "s3", 1, &["We use trains."]);
    account.scope = Scope::new("shop".into(), Owner::Account("u1".into()), None).unwrap();
    ground.store.commit(&run(&account, 0, 0, &[claim("travel", "trains")])).await.unwrap();
    let again = call("u1", "s4", 1, &["Goats, as I said."]);
    let more = Effect::AddSources {
        memory_id: goats_id,
        sources: vec![source(&again.turns[0])],
        confidence: 0.9,
        importance: 0.5,
        said: Box::new(told),
        words: Words::Stay,
    };
    ground.store.commit(&run_of(&again, 0, 1, vec![more])).await.unwrap();
    (first.trace_id, again.trace_id)
}

async fn every_filter_narrows(ground: &Ground) {
    let (first, again) = four(ground).await;
    let own = user_entity(&super::said::scope("u1"));
    let (past, future) = (Some(at("2020-01-01T00:00:00Z")), Some(at("2100-01-01T00:00:00Z")));
    let cases: Vec<(&str, MemoryFilter, usize)> = vec![
        ("all", filter(), 4),
        ("other namespace", MemoryFilter { namespace: "other".into(), ..filter() }, 0),
        ("user", MemoryFilter { owner: Some(Owner::User("u1".into())), ..filter() }, 3),
        ("account", MemoryFilter { owner: Some(Owner::Account("u1".into())), ..filter() }, 1),
        ("agent", MemoryFilter { agent_id: Some("butler".into()), ..filter() }, 1),
        ("trace that wrote", MemoryFilter { trace_id: Some(first), ..filter() }, 2),
        ("trace that added", MemoryFilter { trace_id: Some(again), ..filter() }, 1),
        ("session", MemoryFilter { session_id: Some("s1".into()), ..filter() }, 2),
        ("subject", MemoryFilter { subject: Some(own), ..filter() }, 1),
        ("subject by name", MemoryFilter { subject_name: Some("PRIYA".into()), ..filter() }, 1),
        ("subject by other name", MemoryFilter { subject_name: Some("User’s sister".into()), ..filter() }, 1),
        ("subject nobody has", MemoryFilter { subject_name: Some("Nobody".into()), ..filter() }, 0),
        ("type", MemoryFilter { memory_type: Some(MemoryType::Preference), ..filter() }, 1),
        ("status", MemoryFilter { status: Some(Status::Disputed), ..filter() }, 1),
        ("text", MemoryFilter { text: Some("goats".into()), ..filter() }, 1),
        ("text with a wildcard", MemoryFilter { text: Some("g%s".into()), ..filter() }, 0),
        ("written since", MemoryFilter { created_since: past, ..filter() }, 4),
        ("written since later", MemoryFilter { created_since: future, ..filter() }, 0),
        ("written until", MemoryFilter { created_until: future, ..filter() }, 4),
        ("written until earlier", MemoryFilter { created_until: past, ..filter() }, 0),
        ("happened since", MemoryFilter { event_since: past, ..filter() }, 1),
        ("happened until", MemoryFilter { event_until: past, ..filter() }, 0),
    ];
    for (what, filter, expected) in cases {
        let found = ground.store.memories(&filter, &PageRequest { limit: 50, cursor: None }).await.unwrap();
        assert_eq!(found.items.len(), expected, "{what}");
        assert_eq!(found.next_cursor, None);
    }
}

async fn a_deleted_memory_is_not_listed_and_says_so_when_asked(ground: &Ground) {
    let call = call("u1", "s1", 1, &["a"]);
    let kept = memory(&call, 0, &claim("a", "1"));
    ground.store.commit(&run_of(&call, 0, 0, vec![insert(kept.clone(), false)])).await.unwrap();
    ground.raw("UPDATE memories SET deleted_at = 1772000000000000").await.unwrap();
    let listed = ground.store.memories(&filter(), &PageRequest { limit: 50, cursor: None }).await.unwrap();
    assert!(listed.items.is_empty());
    let found = ground.store.memory("shop", &kept.id).await.unwrap().unwrap();
    assert_eq!((found.status, found.deleted_at.is_some()), (Status::Active, true));
    // Its claim has room again.
    let again = super::said::call("u1", "s1", 2, &["a"]);
    ground.store.commit(&run(&again, 1, 1, &[claim("a", "1")])).await.unwrap();
}
