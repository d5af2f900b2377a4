//! Any sequence of forgetting and restoring by trace ends in the state that running only the remaining calls gives.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use recall_core::entity::EntityKind;
use recall_core::id::TraceId;
use recall_core::memory::Memory;
use recall_core::moment::Moment;
use recall_core::scope::Owner;

use crate::conformance::ground::Ground;
use crate::conformance::on_both;
use crate::conformance::people::{Told, deed, memories, of, tell, told};
use crate::deed::{Execution, TraceSelection, Turn};
use crate::dialect::Dialect;
use crate::record::PageRequest;

on_both! {
    what_is_left_is_what_the_remaining_calls_alone_give,
}

/// A step: the next call, or a call that ran is forgotten or restored.
#[derive(Debug, Clone)]
enum Step {
    Call(Vec<Told>),
    Forget(usize),
    Restore(usize),
}

pub(super) fn statement() -> impl Strategy<Value = Told> {
    let kind = prop::sample::select(vec!["lives", "likes", "taste", "hates", "sister", "friend", "unsure"]);
    let value = prop::sample::select(vec!["Brno", "Graz", "Lund"]);
    let person = prop::sample::select(vec![EntityKind::Unknown, EntityKind::Person]);
    let aliases = prop::sample::subsequence(vec!["user's sister", "user's friend", "the neighbour"], 0..=2);
    let names = (person, aliases);
    (kind, value, prop::option::weighted(0.8, 0i64..6), names).prop_map(|(kind, value, time, (person, aliases))| {
        let at = time.and_then(|time| Moment::from_microseconds(1_700_000_000_000_000 + time * 3_600_000_000));
        let lives = told("home_city", value, &format!("User lives in {value}"));
        let told = match kind {
            "likes" => told("likes", value, &format!("User likes {value}")),
            "taste" => told("taste", value, &format!("User loves {value}")),
            "hates" => told("dislikes", value, &format!("User hates {value}")),
            "sister" => of("Ida", told("home_city", value, &format!("Ida lives in {value}"))),
            "friend" => of("Olaf", told("home_city", value, &format!("Olaf lives in {value}"))),
            "unsure" => Told { confidence: 0.5, ..lives },
            _ => lives,
        };
        match told.subject {
            "user" => Told { at, ..told },
            _ => Told { at, kind: person, aliases, ..told },
        }
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => prop::collection::vec(statement(), 1..3).prop_map(Step::Call),
        2 => (0usize..8).prop_map(Step::Forget),
        1 => (0usize..8).prop_map(Step::Restore),
    ];
    prop::collection::vec(step, 3..14)
}

pub(super) async fn turn(ground: &Ground, trace: &TraceId, turn: Turn) {
    let selection =
        TraceSelection { namespace: "shop".into(), trace_ids: vec![trace.clone()], ..TraceSelection::default() };
    let supposed = ground.store.turn_traces(&selection, (turn, Execution::DryRun), &deed()).await.unwrap();
    let done = ground.store.turn_traces(&selection, (turn, Execution::Real), &deed()).await.unwrap();
    assert_eq!(supposed, done, "a dry run says what comes");
}

pub(super) fn state(found: &[Memory]) -> BTreeSet<String> {
    let key = |memory: &Memory| format!("{} {}", memory.subject.name, memory.claim_key.0);
    let by_id = |id| found.iter().find(|other| other.id == id).map(key);
    let line = |memory: &Memory| {
        let cited: BTreeSet<String> =
            memory.provenance.sources.iter().map(|source| format!("{} {}", source.turn_id, source.quote)).collect();
        let until = memory.valid_until.map(Moment::instant);
        let by = memory.superseded_by.clone().map(by_id);
        let from = memory.valid_from.map(Moment::instant);
        format!(
            "{} {:?} {} {cited:?} by {by:?} {from:?}..{until:?} {:.9} {:.3} {} {:?}",
            key(memory),
            memory.content,
            memory.status.as_str(),
            memory.confidence,
            memory.importance,
            memory.session_id,
            memory.metadata
        )
    };
    found.iter().map(line).collect()
}

/// Runs the steps for one user, and only what is left of them for another; both states.
async fn both(ground: &Ground, steps: &[Step]) -> (BTreeSet<String>, BTreeSet<String>) {
    let name = format!("{:016x}", rand::random::<u64>());
    let (one, other) = (format!("a{name}"), format!("b{name}"));
    let mut calls: Vec<(TraceId, Vec<Told>, bool)> = Vec::new();
    for step in steps {
        match step {
            Step::Call(told) => {
                let number = calls.len();
                let trace = tell(ground, &one, &format!("s{}", number % 2), number * 10, told).await;
                calls.push((trace, told.clone(), true));
            }
            Step::Forget(at) | Step::Restore(at) => {
                let way = if matches!(step, Step::Forget(_)) { Turn::Forget } else { Turn::Restore };
                let Some((trace, _, counts)) = calls.get_mut(*at) else { continue };
                turn(ground, trace, way).await;
                *counts = way == Turn::Restore;
            }
        }
    }
    for (number, (_, told, _)) in calls.iter().enumerate().filter(|(_, (_, _, counts))| *counts) {
        tell(ground, &other, &format!("s{}", number % 2), number * 10, told).await;
    }
    (whole(ground, &one).await, whole(ground, &other).await)
}

/// What is remembered of a user, and whom the user is known to speak of, by which names.
async fn whole(ground: &Ground, user: &str) -> BTreeSet<String> {
    let owner = Owner::User(user.into());
    let listed = ground.store.entities(("shop", &owner), &PageRequest { limit: 100, cursor: None }).await.unwrap();
    // The owner is known whatever is taken back.
    let known = listed.items.into_iter().filter(|entity| entity.kind != EntityKind::User.as_str());
    let names =
        known.map(|entity| format!("{} {} {:?}: {}", entity.name, entity.kind, entity.aliases, entity.memories));
    state(&memories(ground, user).await).into_iter().chain(names).collect()
}

async fn what_is_left_is_what_the_remaining_calls_alone_give(ground: &Ground) {
    let cases = match ground.store.dialect {
        Dialect::Sqlite => 60,
        Dialect::Postgres => 12,
    };
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let runtime = tokio::runtime::Handle::current();
    let checked = tokio::task::block_in_place(|| {
        runner.run(&steps(), |steps| {
            let (left, alone) = runtime.block_on(both(ground, &steps));
            prop_assert_eq!(left, alone);
            Ok(())
        })
    });
    checked.unwrap();
    assert_eq!(ground.number("SELECT count(*) FROM audit WHERE reason IS NULL AND event_type = 'forget'").await, 0);
}
