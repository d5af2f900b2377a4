//! Deleting: no word is left in any table, the claim does not come back in other words, and nobody can take it back.

use std::collections::BTreeSet;

use recall_core::claim::{Normaliser, Statement};
use recall_core::context::NearKeys;
use recall_core::memory::Memory;
use sqlx::{AssertSqlSafe, Row};

use crate::conformance::ground::Ground;
use crate::conformance::on_both;
use crate::conformance::people::{deed, judge, lives, memories, prompt, statuses, tell, told};
use crate::conformance::said::{call, run_of, scope};
use crate::deed::{Execution, TraceSelection, Turn};
use crate::dialect::Dialect;
use crate::record::{Committed, PageRequest};
use crate::{Store, StoreError};

on_both! {
    no_word_of_a_deleted_claim_is_left,
    a_deleted_claim_is_known_again_in_other_words_until_it_is_lifted,
    a_claim_deleted_under_an_older_normaliser_stays_away,
    a_call_in_flight_does_not_bring_a_deleted_claim_back,
    a_call_in_flight_does_not_bring_a_deleted_word_back_into_the_window,
    a_deleted_memory_is_final_and_its_call_can_still_be_moved,
    restoring_does_not_bring_back_what_was_deleted_in_other_words,
    deleting_takes_what_tells_the_same_under_another_attribute,
    what_stood_in_dispute_with_a_deleted_memory_counts_again,
    the_audit_log_takes_nothing_but_its_redaction,
}

/// Every row of every table that holds this text.
pub(super) async fn rows_with(ground: &Ground, word: &str) -> Vec<String> {
    let tables = match ground.store.dialect {
        Dialect::Postgres => {
            "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
        }
        Dialect::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    };
    let mut found = Vec::new();
    for row in sqlx::query(tables).fetch_all(&ground.store.reading).await.unwrap() {
        let table: String = row.get(0);
        let whole = match ground.store.dialect {
            Dialect::Postgres => format!("SELECT count(*) FROM {table} t WHERE CAST(t AS TEXT) LIKE '%{word}%'"),
            Dialect::Sqlite => {
                let columns = sqlx::query(AssertSqlSafe(format!("SELECT name FROM pragma_table_info('{table}')")));
                let columns = columns.fetch_all(&ground.store.reading).await.unwrap();
                let holds: Vec<String> = columns
                    .iter()
                    .map(|column| format!("CAST({} AS TEXT) LIKE '%{word}%'", column.get::<String, _>(0)))
                    .collect();
                format!("SELECT count(*) FROM {table} WHERE {}", holds.join(" OR "))
            }
        };
        if ground.number(&whole).await > 0 {
            found.push(table);
        }
    }
    found.sort();
    found
}

async fn only(ground: &Ground, user: &str) -> Memory {
    let [one] = memories(ground, user).await.try_into().unwrap();
    one
}

fn illness() -> crate::conformance::people::Told {
    told("health", "zoster", "User suffers from zoster")
}

async fn no_word_of_a_deleted_claim_is_left(ground: &Ground) {
    let call = call("u1", "s1", 1, &["I suffer from zoster."]);
    let mut run = judge(ground, &call, &[illness()], &prompt("v1")).await;
    run.window = call.turns.clone();
    run.verdicts = run_of(&call, 0, 0, run.changes.effects.clone()).verdicts;
    ground.store.commit(&run).await.unwrap();
    tell(ground, "u1", "s2", 2, &[told("health", "zoster", "User suffers from zoster")]).await;
    let one = only(ground, "u1").await;
    let there = rows_with(ground, "zoster").await;
    assert_eq!(there, ["audit", "memories", "run_details", "sessions", "sources", "statements"], "the test sees words");
    let done = ground.store.delete_memory("shop", &one.id, &deed()).await.unwrap();
    assert_eq!((done.memories, done.suppression_ids.len()), (vec![one.id.clone()], 1));
    assert_eq!(rows_with(ground, "zoster").await, Vec::<String>::new());
    let tombstone = ground.store.memory("shop", &one.id).await.unwrap().unwrap();
    assert_eq!((tombstone.content.as_str(), tombstone.deleted_at.is_some()), ("", true));
    let kept = "SELECT count(*) FROM audit WHERE event_type IN ('insert', 'merge', 'suppress', 'delete')";
    assert_eq!(ground.number(kept).await, 4, "who did what stays known");
}

async fn a_deleted_claim_is_known_again_in_other_words_until_it_is_lifted(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[told("marital_status", "divorced", "User went through a divorce")]).await;
    let done = ground.store.delete_memory("shop", &only(ground, "u1").await.id, &deed()).await.unwrap();
    let suppressed = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap().suppressions;
    let again = Statement { subject: "user", ..Statement::sentence("User is divorced", "user") };
    assert_eq!(suppressed.len(), 1);
    let user = ground.store.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap().entities[0].id.clone();
    assert!(recall_core::claim::known_again(&again, &[user], &suppressed, &ground.store.keys).is_some());
    let [id] = done.suppression_ids.try_into().unwrap();
    let tried = |words: &'static str| async move { ground.store.would_suppress(&scope("u1"), words).await.unwrap() };
    assert_eq!(tried("User is divorced").await, Some(id.clone()));
    assert_eq!(tried("User is married").await, None);
    assert_eq!(ground.store.would_suppress(&scope("u2"), "User is divorced").await.unwrap(), None);
    let owner = recall_core::scope::Owner::User("u1".into());
    let page = PageRequest { limit: 10, cursor: None };
    let listed = ground.store.suppressions(("shop", &owner), &page).await.unwrap().items;
    assert_eq!((listed.len(), listed[0].names.as_slice()), (1, ["user".to_owned()].as_slice()));
    let missing = ground.store.lift("other", &id, &deed()).await;
    assert!(matches!(missing, Err(StoreError::Missing(_))), "{missing:?}");
    ground.store.lift("shop", &id, &deed()).await.unwrap();
    assert_eq!(tried("User is divorced").await, None);
    assert!(ground.store.suppressions(("shop", &owner), &page).await.unwrap().items[0].lifted_at.is_some());
    // By hand, for somebody of whom nothing is known yet.
    let added = ground.store.suppress(&scope("u3"), "User owns a shotgun", &deed()).await.unwrap();
    assert_eq!(ground.store.would_suppress(&scope("u3"), "User still owns a shotgun").await.unwrap(), Some(added));
}

async fn a_claim_deleted_under_an_older_normaliser_stays_away(ground: &Ground) {
    let told_of = |content: &str| told("care", "psychologist", content);
    tell(ground, "u1", "s1", 1, &[told_of("User sees a psychologist")]).await;
    ground.store.delete_memory("shop", &only(ground, "u1").await.id, &deed()).await.unwrap();
    for normaliser in Normaliser::ALL.map(Normaliser::number) {
        // An entry of a claim in plain words is the same in every version but for its number.
        ground.raw(&format!("UPDATE suppressions SET normaliser = {normaliser}")).await.unwrap();
        let again = "User sees a psychologist on Mondays";
        assert!(ground.store.would_suppress(&scope("u1"), again).await.unwrap().is_some(), "version {normaliser}");
        tell(ground, "u1", "s2", 10 + normaliser as usize, &[told_of(again)]).await;
        assert!(memories(ground, "u1").await.is_empty(), "version {normaliser}");
    }
    ground.raw("UPDATE suppressions SET normaliser = 0").await.unwrap();
    assert_eq!(ground.store.would_suppress(&scope("u1"), "User sees a psychologist").await.unwrap(), None);
}

async fn a_call_in_flight_does_not_bring_a_deleted_claim_back(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[illness()]).await;
    let next = call("u1", "s2", 1, &["zoster again"]);
    let judged = judge(ground, &next, &[illness()], &prompt("v1")).await;
    ground.store.delete_memory("shop", &only(ground, "u1").await.id, &deed()).await.unwrap();
    assert!(matches!(ground.store.commit(&judged).await, Err(StoreError::Stale)));
    assert!(memories(ground, "u1").await.is_empty());
}

async fn a_call_in_flight_does_not_bring_a_deleted_word_back_into_the_window(ground: &Ground) {
    let first = call("u1", "s1", 1, &["I suffer from zoster."]);
    let mut run = judge(ground, &first, &[illness()], &prompt("v1")).await;
    run.window = first.turns.clone();
    ground.store.commit(&run).await.unwrap();
    // Nothing to keep in the next one, but it carries the turn it was judged with into the window after it.
    let next = call("u1", "s1", 2, &["Thanks!"]);
    let mut judged = judge(ground, &next, &[], &prompt("v1")).await;
    judged.window = first.turns.iter().chain(&next.turns).cloned().collect();
    ground.store.delete_memory("shop", &only(ground, "u1").await.id, &deed()).await.unwrap();
    assert!(matches!(ground.store.commit(&judged).await, Err(StoreError::Stale)));
    assert_eq!(rows_with(ground, "zoster").await, Vec::<String>::new());
    let mut again = judge(ground, &next, &[], &prompt("v1")).await;
    again.window = next.turns.clone();
    assert_eq!(ground.store.commit(&again).await.unwrap(), Committed::Now);
}

async fn a_deleted_memory_is_final_and_its_call_can_still_be_moved(ground: &Ground) {
    let trace = tell(ground, "u1", "s1", 1, &[illness(), lives("Graz", 1)]).await;
    let ill = memories(ground, "u1").await.into_iter().find(|memory| memory.value == "zoster").unwrap();
    ground.store.delete_memory("shop", &ill.id, &deed()).await.unwrap();
    for turn in [Turn::Forget, Turn::Restore] {
        let answer = ground.store.turn_memory("shop", &ill.id, turn, &deed()).await;
        assert!(matches!(answer, Err(StoreError::Conflict(_))), "{answer:?}");
        let selection =
            TraceSelection { namespace: "shop".into(), trace_ids: vec![trace.clone()], ..TraceSelection::default() };
        ground.store.turn_traces(&selection, (turn, Execution::Real), &deed()).await.unwrap();
    }
    let again = ground.store.delete_memory("shop", &ill.id, &deed()).await;
    assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active")]);
}

async fn restoring_does_not_bring_back_what_was_deleted_in_other_words(ground: &Ground) {
    let plain = told("employer", "mill", "User lost their job at the mill");
    let other = told("work", "job loss", "User lost the job at the mill");
    let first = tell(ground, "u1", "s1", 1, &[plain]).await;
    let selection = TraceSelection { namespace: "shop".into(), trace_ids: vec![first], ..TraceSelection::default() };
    ground.store.turn_traces(&selection, (Turn::Forget, Execution::Real), &deed()).await.unwrap();
    let id = ground.store.suppress(&scope("u1"), &other.content, &deed()).await.unwrap();
    assert_eq!(ground.store.would_suppress(&scope("u1"), "User lost the job at the mill").await.unwrap(), Some(id));
    let supposed = ground.store.turn_traces(&selection, (Turn::Restore, Execution::DryRun), &deed()).await.unwrap();
    let done = ground.store.turn_traces(&selection, (Turn::Restore, Execution::Real), &deed()).await.unwrap();
    assert_eq!(supposed, done);
    assert_eq!((done.returned.len(), done.suppressed.len()), (0, 1));
    assert!(memories(ground, "u1").await.is_empty());
}

async fn deleting_takes_what_tells_the_same_under_another_attribute(ground: &Ground) {
    let twin = told("work", "job loss", "User lost the job at the mill");
    let ill = told("ailment", "gout", "User suffers badly from gout");
    let fine = told("pet", "goat", "User has a goat");
    tell(ground, "u1", "s1", 1, &[told("employer", "mill", "User lost their job at the mill"), ill, fine]).await;
    tell(ground, "u1", "s2", 2, &[twin, told("condition", "gout", "User suffers from gout")]).await;
    assert_eq!(memories(ground, "u1").await.len(), 5);
    let named = |value: &'static str| async move {
        let found = memories(ground, "u1").await.into_iter().find(|memory| memory.value == value);
        ground.store.delete_memory("shop", &found.unwrap().id, &deed()).await.unwrap().memories.len()
    };
    assert_eq!(named("job loss").await, 2);
    assert_eq!(named("gout").await, 2);
    let left: Vec<String> = memories(ground, "u1").await.into_iter().map(|memory| memory.value).collect();
    assert_eq!(left, ["goat"]);
    assert_eq!(ground.number("SELECT count(*) FROM audit WHERE event_type = 'delete'").await, 4);
    for word in ["mill", "gout"] {
        assert_eq!(rows_with(ground, word).await, Vec::<String>::new());
    }
}

async fn what_stood_in_dispute_with_a_deleted_memory_counts_again(ground: &Ground) {
    let undated = |city: &str| crate::conformance::people::Told { at: None, ..lives(city, 1) };
    tell(ground, "u1", "s1", 1, &[undated("Graz")]).await;
    tell(ground, "u1", "s2", 2, &[undated("Linz")]).await;
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "disputed"), ("Linz".to_owned(), "disputed")]);
    let linz = memories(ground, "u1").await.into_iter().find(|memory| memory.value == "Linz").unwrap();
    ground.store.delete_memory("shop", &linz.id, &deed()).await.unwrap();
    assert_eq!(statuses(ground, "u1").await, [("Graz".to_owned(), "active")]);
}

async fn the_audit_log_takes_nothing_but_its_redaction(ground: &Ground) {
    tell(ground, "u1", "s1", 1, &[illness()]).await;
    let empty = match ground.store.dialect {
        Dialect::Postgres => "audit_redacted(after)",
        Dialect::Sqlite => "json_object('redacted', 1, 'status', after ->> 'status')",
    };
    for change in [
        "after = NULL".to_owned(),
        "after = '{}'".to_owned(),
        format!("after = {empty}, actor = 'nobody'"),
        format!("after = {empty}, event_type = 'merge'"),
        format!("after = {empty}, reason = 'another'"),
    ] {
        let answer = ground.raw(&format!("UPDATE audit SET {change}")).await;
        assert!(matches!(answer, Err(StoreError::Refused { .. })), "{change}: {answer:?}");
    }
    ground.raw(&format!("UPDATE audit SET after = {empty}")).await.unwrap();
    let left: BTreeSet<String> = rows_with(ground, "zoster").await.into_iter().collect();
    assert!(!left.contains("audit"), "{left:?}");
}
