//! A person erased who spoke in scopes of accounts: their words go, and what others said stands as if they had never spoken.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use recall_core::call::{Batch, Call, Lane};
use recall_core::effect::Effect;
use recall_core::id::BatchId;
use recall_core::memory::Memory;
use recall_core::scope::{Owner, Scope};
use recall_core::window::Earlier;

use super::delete::rows_with;
use super::remaining::{state, statement};
use crate::conformance::ground::Ground;
use crate::conformance::on_both;
use crate::conformance::people::{Told, committed, deed, judge, lives, of, prompt, tell, told};
use crate::conformance::said::{at, call, ring_turn, run_of, source};
use crate::deed::{Actor, Deed, Execution, Restatement};
use crate::dialect::Dialect;
use crate::erasure::{Erasure, Receipt};
use crate::record::{Committed, DeadLetter, MemoryFilter, PageRequest, ToPark, Why};
use crate::{Store, StoreError};

on_both! {
    what_an_erased_person_said_in_an_account_goes_and_what_others_said_stays,
    a_claim_of_two_stands_on_the_other_alone,
    words_of_an_erased_person_are_cut_out_of_calls_of_an_account_that_wait_or_are_dead,
    turns_of_an_erased_person_in_flight_to_an_account_are_left_out,
    a_person_is_erased_under_every_name_they_speak_under,
    whoever_erases_themselves_is_not_named_by_it,
    what_is_left_of_an_account_is_what_the_others_alone_give,
}

const ZOE: &str = "zoe-quokka";

fn acme() -> Scope {
    Scope::new("shop".into(), Owner::Account("acme".into()), None).unwrap()
}

/// A call of an account: who says what.
fn of_account(session: &str, first: usize, said: &[(&str, &str)]) -> Call {
    let words: Vec<&str> = said.iter().map(|(_, words)| *words).collect();
    let mut call = call("nobody", session, first, &words);
    call.scope = acme();
    for (turn, (name, _)) in call.turns.iter_mut().zip(said) {
        turn.name = Some((*name).to_owned());
    }
    call
}

/// Takes a call of an account the whole way, with its window, names and verdicts kept; each turn tells one claim.
async fn say(ground: &Ground, call: &Call, told: &[Told]) {
    let mut call = call.clone();
    for (turn, told) in call.turns.iter_mut().zip(told) {
        turn.at = told.at;
    }
    let mut run = judge(ground, &call, told, &prompt("v1")).await;
    run.window.clone_from(&call.turns);
    run.ring = call.turns.iter().map(ring_turn).collect();
    run.verdicts = run_of(&call, 0, 0, run.changes.effects.clone()).verdicts;
    assert_eq!(ground.store.commit(&run).await.unwrap(), Committed::Now);
}

async fn remembered(ground: &Ground) -> Vec<Memory> {
    let filter =
        MemoryFilter { namespace: "shop".into(), owner: Some(acme().owner().clone()), ..MemoryFilter::default() };
    ground.store.memories(&filter, &PageRequest { limit: 500, cursor: None }).await.unwrap().items
}

async fn standing(ground: &Ground) -> Vec<(String, &'static str, usize)> {
    let line = |memory: Memory| (memory.value, memory.status.as_str(), memory.provenance.sources.len());
    let mut lines: Vec<_> = remembered(ground).await.into_iter().map(line).collect();
    lines.sort();
    lines
}

fn zoe(execution: Execution) -> Erasure {
    Erasure { execution, ..Erasure::of(Owner::User(ZOE.into())) }
}

async fn erase(ground: &Ground, erasure: &Erasure) -> Receipt {
    ground.store.erase("shop", erasure, &deed()).await.unwrap()
}

fn stack() -> Told {
    of("Team", told("database", "Postgres", "The team uses Postgres"))
}

/// What Zoe says goes where others said it, too, where it took the place of theirs, and where nobody else said it.
async fn a_team(ground: &Ground) {
    let office = |city: &str, day: u32| of("Office", lives(city, day));
    say(
        ground,
        &of_account("s1", 1, &[("bob", "The team uses Postgres"), ("bob", "The office is in Graz")]),
        &[stack(), office("Graz", 1)],
    )
    .await;
    say(
        ground,
        &of_account(
            "s1",
            11,
            &[(ZOE, "The team uses Postgres"), (ZOE, "The office is in zoster city"), (ZOE, "I suffer from zoster")],
        ),
        &[stack(), office("zoster city", 2), of(ZOE, told("health", "zoster", "zoe-quokka suffers from zoster"))],
    )
    .await;
    say(
        ground,
        &of_account("s2", 1, &[("bob", "Ida leads the project"), (ZOE, "Zosterina does")]),
        &[
            of("Ida", told("role", "lead", "Ida leads the project")),
            of("Zosterina", told("role", "zoster", "Zosterina is zoster")),
        ],
    )
    .await;
}

async fn what_an_erased_person_said_in_an_account_goes_and_what_others_said_stays(ground: &Ground) {
    a_team(ground).await;
    let stack = remembered(ground).await.into_iter().find(|memory| memory.value == "Postgres").unwrap();
    let anew = Restatement { content: "The team loves zoster".into(), attribute: None, value: Some("zoster".into()) };
    let admin = Deed::new(Actor::User(ZOE.into()), "a test").unwrap();
    ground.store.restate(("shop", &stack.id), &anew, &admin).await.unwrap();
    tell(ground, "bob", "s1", 1, &[lives("Graz", 1)]).await;
    let alias = "INSERT INTO entity_aliases (entity_id, alias_key, alias)
        SELECT entity_id, 'zosterines', 'Zosterines' FROM entities WHERE name = 'Team'";
    ground.raw(alias).await.unwrap();
    let (words, ids) = (rows_with(ground, "zoster").await, rows_with(ground, ZOE).await);
    let there = [
        "audit",
        "entities",
        "entity_aliases",
        "memories",
        "names_said",
        "run_details",
        "sessions",
        "sources",
        "statements",
    ];
    assert_eq!(words, there, "the test sees words");
    assert!(ids.contains(&"turns".to_owned()) && ids.contains(&"audit".to_owned()), "{ids:?}");
    let before = state(&remembered(ground).await);
    let supposed = erase(ground, &zoe(Execution::DryRun)).await;
    assert_eq!(state(&remembered(ground).await), before, "a dry run changes nothing");
    assert_eq!((rows_with(ground, "zoster").await, rows_with(ground, ZOE).await), (words, ids));
    let receipt = erase(ground, &zoe(Execution::Real)).await;
    assert_eq!(receipt.accounts, supposed.accounts, "a dry run says what comes");
    for marker in ["zoster", "Zoster", ZOE] {
        assert_eq!(rows_with(ground, marker).await, Vec::<String>::new(), "{marker}");
    }
    let left = [("Graz", "active", 1), ("Postgres", "active", 1), ("lead", "active", 1)];
    assert_eq!(standing(ground).await, left.map(|(value, status, sources)| (value.to_owned(), status, sources)));
    let [of] = receipt.accounts.as_slice() else { panic!("{receipt:?}") };
    assert_eq!((of.account.as_str(), of.agent.as_deref(), of.told_by_others), ("acme", None, 0));
    assert_eq!(of.rows["turns"], 5, "four turns and the memory told anew: {of:?}");
    for table in ["memories", "sources", "statements", "entities", "sessions", "audit", "run_details"] {
        assert!(of.rows[table] > 0, "{table}: {of:?}");
    }
    assert!(receipt.rows.values().sum::<u64>() > 0, "what she did stays without her name: {receipt:?}");
    let told = "SELECT count(*) FROM audit WHERE event_type = 'erase' AND actor = 'api_key:desk' AND scope_id IS NULL";
    assert_eq!(ground.number(told).await, 1, "she has no scope of her own");
    // Done again there is nothing left; the history sent again is not learnt again.
    assert_eq!(erase(ground, &zoe(Execution::Real)).await.accounts, []);
    let mut again = of_account("s1", 11, &[(ZOE, "The team uses Postgres")]);
    again.accepted_at = at("2100-01-01T00:00:00Z");
    assert_eq!(ground.store.window(&again).await.unwrap().seen, [again.turns[0].id.clone()]);
}

async fn a_claim_of_two_stands_on_the_other_alone(ground: &Ground) {
    // Both told it in one call and the model cited both; of the second claim only the answer is hers.
    let call = of_account(
        "s1",
        1,
        &[
            ("bob", "The team uses Postgres"),
            (ZOE, "Right, Postgres"),
            ("bob", "Where is the office?"),
            (ZOE, "In Linz"),
        ],
    );
    let claims = [stack(), stack(), of("Office", told("city", "Linz", "The office is in Linz"))];
    let mut run = judge(ground, &call, &claims, &prompt("v1")).await;
    run.changes.effects.retain(|effect| matches!(effect, Effect::Insert { .. }));
    for effect in &mut run.changes.effects {
        let Effect::Insert { memory, .. } = effect else { continue };
        let cited = if memory.value == "Linz" { &call.turns[2..4] } else { &call.turns[0..2] };
        memory.provenance.sources = cited.iter().map(source).collect();
        memory.provenance.source_turn_ids = cited.iter().map(|turn| turn.id.clone()).collect();
    }
    ground.store.commit(&run).await.unwrap();
    assert_eq!(standing(ground).await, [("Linz".to_owned(), "active", 2), ("Postgres".to_owned(), "active", 2)]);
    erase(ground, &zoe(Execution::Real)).await;
    assert_eq!(standing(ground).await, [("Postgres".to_owned(), "active", 1)]);
    for marker in ["Linz", "Right", ZOE] {
        assert_eq!(rows_with(ground, marker).await, Vec::<String>::new(), "{marker}");
    }
}

fn body(call: &Call) -> Vec<u8> {
    serde_json::to_vec(&serde_json::json!({ "version": 1, "call": call })).unwrap()
}

fn waiting(call: &Call) -> ToPark {
    ToPark {
        trace_id: call.trace_id.clone(),
        session_key: call.session_key(),
        slot: 0,
        lane: Lane::Live,
        body: body(call),
        attempts: 0,
        wait_seconds: 900.0,
        why: Why::Failed { class: "transient".into(), reason: "timeout".into() },
    }
}

fn dead(call: &Call) -> DeadLetter {
    DeadLetter {
        id: call.trace_id.as_str().into(),
        namespace: Some("shop".into()),
        class: "permanent".into(),
        reason: "no".into(),
        attempts: 1,
        body: body(call),
        died_at: None,
    }
}

fn mixed(first: usize) -> Call {
    of_account("s9", first, &[("bob", "Graz is fine"), (ZOE, "I suffer from zoster")])
}

/// A call of a run that tells what was said before it.
fn carrying(first: usize, before: &Call) -> Call {
    let id = BatchId::new(ulid::Ulid(1));
    let before = before.turns.clone();
    let batch = Batch { id, prompt_version: None, staged: false, erased_too: false, before };
    Call { batch: Some(batch), ..of_account("s9", first, &[("bob", "Graz is fine")]) }
}

fn hers(first: usize) -> Call {
    of_account("s8", first, &[(ZOE, "I suffer from zoster")])
}

async fn words_of_an_erased_person_are_cut_out_of_calls_of_an_account_that_wait_or_are_dead(ground: &Ground) {
    for call in [mixed(1), hers(1)] {
        ground.store.park(&waiting(&call)).await.unwrap();
    }
    ground.store.park(&waiting(&carrying(51, &mixed(1)))).await.unwrap();
    for call in [mixed(11), hers(11), of_account("s7", 1, &[("bob", "I met zoe-quokka")])] {
        ground.store.dead_letter(&dead(&call)).await.unwrap();
    }
    let receipt = erase(ground, &zoe(Execution::Real)).await;
    assert_eq!((receipt.accounts[0].rows["parked"], receipt.accounts[0].rows["dead_letters"]), (3, 2));
    // And out of those that fail or die afterwards.
    for call in [mixed(21), hers(21)] {
        ground.store.park(&waiting(&call)).await.unwrap();
        ground.store.dead_letter(&dead(&Call { trace_id: mixed(31).trace_id, ..call })).await.unwrap();
    }
    assert_eq!((ground.count("parked").await, ground.count("dead_letters").await), (3, 3));
    assert_eq!(rows_with_bytes(ground, "zoster").await, 0);
    assert_eq!(rows_with_bytes(ground, "Graz is fine").await, 5, "what others said waits on");
    assert_eq!(rows_with_bytes(ground, ZOE).await, 1, "what others say of somebody is theirs");
}

/// Messages that hold a text.
async fn rows_with_bytes(ground: &Ground, text: &str) -> i64 {
    let holds = match ground.store.dialect {
        Dialect::Postgres => format!("position('{text}' IN convert_from(body, 'UTF8')) > 0"),
        Dialect::Sqlite => format!("instr(CAST(body AS TEXT), '{text}') > 0"),
    };
    let of = |table: &str| format!("(SELECT count(*) FROM {table} WHERE {holds})");
    ground.number(&format!("SELECT {} + {}", of("parked"), of("dead_letters"))).await
}

async fn turns_of_an_erased_person_in_flight_to_an_account_are_left_out(ground: &Ground) {
    let call = mixed(1);
    let claims = [of("Graz", told("rating", "fine", "Graz is fine")), of(ZOE, told("health", "zoster", "zoster"))];
    let judged = judge(ground, &call, &claims, &prompt("v1")).await;
    erase(ground, &zoe(Execution::Real)).await;
    assert!(matches!(ground.store.commit(&judged).await, Err(StoreError::Stale)), "it is judged again, without her");
    let window = ground.store.window(&call).await.unwrap();
    assert_eq!((window.earlier, window.erased.as_slice()), (Earlier::Nothing, [call.turns[1].id.clone()].as_slice()));
    let rest = call.clone().without(&window.erased);
    committed(ground, &rest, &claims[..1], &prompt("v1")).await;
    assert_eq!(standing(ground).await, [("fine".to_owned(), "active", 1)]);
    assert_eq!(ground.store.window(&call).await.unwrap().earlier, Earlier::ThisCall, "the message comes again");
    assert_eq!(rows_with(ground, "zoster").await, Vec::<String>::new());
    assert_eq!(ground.store.window(&hers(1)).await.unwrap().earlier, Earlier::Erased);
    // Nor is what she said before told to a call that carries it.
    let window = ground.store.window(&carrying(51, &call)).await.unwrap();
    assert_eq!((window.earlier, window.before.as_slice()), (Earlier::Nothing, &rest.turns[..]));
    // In a scope of its own a person's name means nobody else, and whoever comes back is heard.
    let mut named = crate::conformance::said::call("bob", "s1", 1, &["I live in Graz"]);
    named.turns[0].name = Some(ZOE.into());
    assert_eq!(ground.store.window(&named).await.unwrap().erased, []);
    let back = Call { accepted_at: at("2100-01-01T00:00:00Z"), ..mixed(41) };
    assert_eq!(ground.store.window(&back).await.unwrap().erased, []);
}

async fn a_person_is_erased_under_every_name_they_speak_under(ground: &Ground) {
    say(
        ground,
        &of_account("s1", 1, &[("Zoë Q", "I suffer from zoster"), ("bob", "Zoë Q runs the desk")]),
        &[
            of("Zoë Q", told("health", "zoster", "Zoë Q suffers from zoster")),
            of("Zoë Q", told("role", "desk", "Zoë Q runs the desk")),
        ],
    )
    .await;
    assert_eq!(erase(ground, &zoe(Execution::Real)).await.accounts, [], "nobody said that this is her");
    let named = Erasure { names: vec!["Zoë Q".into()], ..zoe(Execution::Real) };
    let receipt = erase(ground, &named).await;
    assert_eq!((receipt.accounts[0].rows["turns"], receipt.accounts[0].told_by_others), (1, 1));
    assert_eq!(standing(ground).await, [("desk".to_owned(), "active", 1)]);
    assert_eq!(rows_with(ground, "zoster").await, Vec::<String>::new());
    let late = of_account("s1", 11, &[("Zoë Q", "I suffer from zoster")]);
    assert_eq!(ground.store.window(&late).await.unwrap().earlier, Earlier::Erased);
    let own = crate::conformance::said::call("Zoë Q", "s1", 1, &["I live in Graz"]);
    assert_eq!(ground.store.window(&own).await.unwrap().earlier, Earlier::Nothing, "a name is no owner");
}

async fn whoever_erases_themselves_is_not_named_by_it(ground: &Ground) {
    a_team(ground).await;
    let oneself = Deed::new(Actor::User(ZOE.into()), "a test").unwrap();
    for user in [ZOE, "bob"] {
        tell(ground, user, "s1", 1, &[lives("Graz", 1)]).await;
    }
    ground.store.erase("shop", &zoe(Execution::Real), &oneself).await.unwrap();
    assert_eq!(rows_with(ground, ZOE).await, Vec::<String>::new());
    let told = "SELECT count(*) FROM audit WHERE event_type = 'erase' AND actor = 'user:erased' AND memory_id IS NULL";
    assert_eq!(ground.number(told).await, 2, "in her own scope and in the account's");
}

/// Calls of an account: who says what, call by call.
fn calls() -> impl Strategy<Value = Vec<Vec<(&'static str, Told)>>> {
    let speaker = prop::sample::select(vec![ZOE, ZOE, "bob", "eve"]);
    prop::collection::vec(prop::collection::vec((speaker, statement()), 1..4), 2..8)
}

async fn tell_all(ground: &Ground, scope: &Scope, calls: &[Vec<(&'static str, Told)>], heard: impl Fn(&str) -> bool) {
    for (number, said) in calls.iter().enumerate() {
        let words: Vec<(&str, &str)> = said.iter().map(|(name, told)| (*name, told.content.as_str())).collect();
        let mut call = of_account(&format!("s{}", number % 2), number * 10, &words);
        call.scope = scope.clone();
        // Nobody who spoke before them is meant.
        call.accepted_at = at("2100-01-01T00:00:00Z");
        for (turn, (_, told)) in call.turns.iter_mut().zip(said) {
            turn.at = told.at;
        }
        call.turns.retain(|turn| turn.name.as_deref().is_some_and(&heard));
        let told: Vec<Told> = said.iter().filter(|(name, _)| heard(name)).map(|(_, told)| told.clone()).collect();
        if !told.is_empty() {
            committed(ground, &call, &told, &prompt("v1")).await;
        }
    }
}

async fn left_in(ground: &Ground, scope: &Scope) -> BTreeSet<String> {
    let filter =
        MemoryFilter { namespace: "shop".into(), owner: Some(scope.owner().clone()), ..MemoryFilter::default() };
    state(&ground.store.memories(&filter, &PageRequest { limit: 500, cursor: None }).await.unwrap().items)
}

async fn what_is_left_of_an_account_is_what_the_others_alone_give(ground: &Ground) {
    let cases = match ground.store.dialect {
        Dialect::Sqlite => 40,
        Dialect::Postgres => 8,
    };
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let runtime = tokio::runtime::Handle::current();
    let both = async |calls: &[Vec<(&'static str, Told)>]| {
        let name = format!("{:016x}", rand::random::<u64>());
        let scope = |kind: &str| Scope::new("shop".into(), Owner::Account(format!("{kind}{name}")), None).unwrap();
        let (one, other) = (scope("a"), scope("b"));
        tell_all(ground, &one, calls, |_| true).await;
        erase(ground, &zoe(Execution::Real)).await;
        tell_all(ground, &other, calls, |name| name != ZOE).await;
        (left_in(ground, &one).await, left_in(ground, &other).await)
    };
    let checked = tokio::task::block_in_place(|| {
        runner.run(&calls(), |calls| {
            let (left, alone) = runtime.block_on(both(&calls));
            prop_assert_eq!(left, alone);
            Ok(())
        })
    });
    checked.unwrap();
}
