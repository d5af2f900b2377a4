//! The schema: brought up to date by many starters at once, checked before work, and met by every statement.

use std::sync::Arc;

use recall_core::context::NearKeys;
use recall_core::window::Earlier;
use sqlx::AssertSqlSafe;

use super::ground::{Ground, opening};
use super::on_both;
use super::said::{call, claim, run, scope};
use crate::dialect::{Dialect, Statement};
use crate::record::DeadLetter;
use crate::{
    Limits, Opening, SqlStore, Store, StoreError, api_keys, backlog, batches, commit, dead, generations, memory,
    neighbours, parked, trace, upkeep, window, worker,
};

on_both! {
    every_statement_is_one_the_database_can_prepare,
    a_database_of_another_version_is_not_ready,
}

/// Every statement with a text of its own. Lists are made as they are asked for, and run in the tests of lists.
const STATEMENTS: &[&Statement] = &[
    &api_keys::ANY,
    &api_keys::CREATE,
    &api_keys::FIND,
    &api_keys::REVOKE,
    &api_keys::ROTATE,
    &api_keys::USED,
    &backlog::DEAD,
    &backlog::WAITING,
    &batches::rows::CHECKPOINT,
    &batches::rows::CREATE,
    &batches::rows::DROPPED,
    &batches::rows::ENDINGS,
    &batches::rows::END_SESSIONS,
    &batches::rows::END_TURNS,
    &batches::rows::ERASURES,
    &batches::rows::FIND,
    &batches::rows::MOVE,
    &batches::rows::OPEN,
    &batches::rows::SWEEP_SESSIONS,
    &batches::rows::SWEEP_TURNS,
    &batches::state::OWN,
    &batches::state::READ,
    &batches::state::SHARED,
    &commit::HELD,
    &commit::RUN_IS_THERE,
    &commit::TOUCHED,
    &dead::DEAD_LETTER,
    &dead::ELSEWHERE,
    &dead::EVENTS,
    &dead::FAILED,
    &dead::FAILED_AGAIN,
    &dead::HAPPENED,
    &dead::LETTER,
    &dead::TAKE_OFF,
    &generations::DOOR,
    &generations::DOORS_BEFORE,
    &generations::DOOR_LEAVES,
    &generations::END,
    &generations::FIRST,
    &generations::FORGET_ENDS,
    &generations::GENERATIONS,
    &generations::NEXT,
    &generations::READ,
    &generations::STAGE,
    &memory::MEMORY,
    &neighbours::NEIGHBOURS,
    &neighbours::SUPPRESSIONS,
    &parked::BEGIN_ATTEMPT,
    &parked::END_ATTEMPTS,
    &parked::INSERT_PARKED,
    &parked::PARK,
    &parked::RUNS_ALONE,
    &parked::TAKE,
    &parked::TAKE_OF,
    &parked::UNPARK,
    &parked::UNPARK_TRACE,
    &trace::DEAD,
    &trace::TRACE,
    &trace::WAITING,
    &upkeep::details::SWEEP_DETAILS,
    &upkeep::details::SWEEP_SPANS,
    &upkeep::details::SWEEP_STRAY_SPANS,
    &upkeep::FIX_KEY,
    &upkeep::KEY_PROOFS,
    &upkeep::NOTE_OLD_LETTERS,
    &upkeep::PROMPT_VERSIONS,
    &upkeep::PUT_SETTINGS,
    &upkeep::SWEEP_DEAD_LETTERS,
    &upkeep::SWEEP_DOORS,
    &upkeep::SWEEP_EVENTS,
    &upkeep::SWEEP_WINDOWS,
    &upkeep::SWEEP_WORKERS,
    &window::WINDOW,
    &window::WINDOW_OF_BATCH,
    &worker::BEAT,
    &worker::LEAVE,
    &worker::SEEN,
];

/// The text of every statement in a dialect.
pub(super) fn all_texts(dialect: Dialect) -> Vec<&'static str> {
    let texts = commit::texts(dialect);
    let mut all: Vec<&str> = STATEMENTS.iter().map(|statement| statement.sql(dialect)).collect();
    all.extend(crate::repair::statements::STATEMENTS.iter().map(|statement| statement.sql(dialect)));
    let steps = crate::repair::erase::STEPS.iter().chain(&crate::repair::erase::WAITING);
    all.extend(steps.map(|(_, statement)| statement.sql(dialect)));
    all.push(&texts.change);
    all.extend([&texts.live, &texts.all].into_iter().flat_map(|text| text.split(commit::BETWEEN)));
    all.push(&texts.scope);
    all
}

async fn every_statement_is_one_the_database_can_prepare(ground: &Ground) {
    let dialect = ground.store.dialect;
    let all = all_texts(dialect);
    for text in all {
        let checked = match dialect {
            Dialect::Postgres => format!("PREPARE checked AS {text}; DEALLOCATE checked"),
            Dialect::Sqlite => format!("EXPLAIN {text}"),
        };
        let answer = ground.raw(&checked).await;
        assert!(answer.is_ok(), "{text}: {answer:?}");
    }
}

async fn a_database_of_another_version_is_not_ready(ground: &Ground) {
    ground.store.ready().await.unwrap();
    assert!(ground.store.migrate().await.unwrap().is_empty());
    ground.raw("UPDATE recall_migrations SET version = 99").await.unwrap();
    for answer in [ground.store.ready().await.err(), ground.store.migrate().await.err()] {
        assert!(matches!(answer, Some(StoreError::Schema { found: 99, needed: 1, .. })), "{answer:?}");
    }
    ground
        .raw(
            "UPDATE recall_migrations SET version = 1, checksum = CAST('x' AS {bytes})"
                .replace("{bytes}", bytes(ground))
                .as_str(),
        )
        .await
        .unwrap();
    assert!(ground.store.migrate().await.is_err(), "a migration that was changed afterwards");
}

fn bytes(ground: &Ground) -> &'static str {
    match ground.store.dialect {
        Dialect::Postgres => "BYTEA",
        Dialect::Sqlite => "BLOB",
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_starters_at_once_bring_postgres_up_to_date_once() {
    let name = Ground::empty_database().await;
    let stores: Vec<SqlStore> =
        (0..8).map(|_| SqlStore::postgres(&Ground::address(&name), opening(2)).unwrap()).collect();
    let answer = stores[0].ready().await;
    assert!(matches!(answer, Err(StoreError::Schema { found: 0, needed: 1, .. })), "{answer:?}");
    let mut starters = tokio::task::JoinSet::new();
    for store in stores {
        starters.spawn(async move { store.migrate().await });
    }
    let applied: Vec<String> = starters.join_all().await.into_iter().flat_map(Result::unwrap).collect();
    assert_eq!(applied, ["0001_foundation"]);
    Ground::drop_database(&name).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_starters_at_once_bring_sqlite_up_to_date_once() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqlStore::sqlite(directory.path(), "", opening(2)).unwrap());
    let mut starters = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let store = store.clone();
        starters.spawn(async move { store.migrate().await });
    }
    let applied: Vec<String> = starters.join_all().await.into_iter().flat_map(Result::unwrap).collect();
    assert_eq!(applied, ["0001_foundation"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_process_works_on_a_directory_and_others_read_beside_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("with space & ß?#%");
    let worker = SqlStore::sqlite(&path, "http://127.0.0.1:4711", opening(2)).unwrap();
    worker.migrate().await.unwrap();
    let Err(StoreError::InUse(holder)) = SqlStore::sqlite(&path, "http://127.0.0.1:1", opening(2)) else {
        panic!("two workers on one directory")
    };
    assert!(holder.ends_with("is served at http://127.0.0.1:4711"), "{holder}");
    let call = call("u1", "s1", 1, &["I keep two goats."]);
    worker.commit(&run(&call, 0, 0, &[claim("animal", "goats")])).await.unwrap();
    let beside = SqlStore::sqlite_beside(&path, opening(2)).unwrap();
    beside.ready().await.unwrap();
    assert_eq!(beside.neighbours(&scope("u1"), &NearKeys::default()).await.unwrap().epoch, 1);
    let refused = beside.commit(&run(&super::said::call("u1", "s1", 2, &["b"]), 1, 1, &[])).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    worker.close().await;
    drop(worker);
    // The next worker takes over where this one left.
    let next = SqlStore::sqlite(&path, "", opening(2)).unwrap();
    assert!(next.window(&call).await.unwrap().earlier == Earlier::ThisCall);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let limits = Limits { acquire: std::time::Duration::from_millis(300), ..Limits::default() };
    let store =
        SqlStore::postgres("postgres://nobody:secret@127.0.0.1:9/none", Opening { limits, ..opening(1) }).unwrap();
    let answer = store.ready().await;
    assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
    assert!(!format!("{answer:?}").contains("secret"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_is_durable_and_keeps_its_keys() {
    let ground = Ground::sqlite().await;
    assert_eq!(ground.number("SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'").await, 1);
    let mut writer = ground.store.writer().await.unwrap();
    for (pragma, expected) in [("synchronous", 2), ("foreign_keys", 1)] {
        let row = sqlx::query(AssertSqlSafe(format!("PRAGMA {pragma}"))).fetch_one(&mut *writer).await.unwrap();
        assert_eq!(sqlx::Row::try_get::<i64, _>(&row, 0).unwrap(), expected, "{pragma}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_goes_on_after_a_full_disk() {
    let ground = Ground::sqlite().await;
    let mut writer = ground.store.writer().await.unwrap();
    let row = sqlx::query("PRAGMA page_count").fetch_one(&mut *writer).await.unwrap();
    let pages: i64 = sqlx::Row::try_get(&row, 0).unwrap();
    // The limit belongs to the connection; it fails as a full disk does.
    sqlx::query(AssertSqlSafe(format!("PRAGMA max_page_count = {}", pages + 2))).execute(&mut *writer).await.unwrap();
    drop(writer);
    let letter = |number: usize, size: usize| DeadLetter {
        id: format!("m-{number}"),
        namespace: None,
        class: "bug".into(),
        reason: String::new(),
        attempts: 1,
        body: vec![b'x'; size],
        died_at: None,
    };
    let full = ground.store.dead_letter(&letter(0, 1_000_000)).await;
    assert!(matches!(&full, Err(StoreError::Unavailable(_))), "{full:?}");
    assert_eq!((ground.count("dead_letters").await, ground.count("call_events").await), (0, 0), "all or nothing");
    let mut writer = ground.store.writer().await.unwrap();
    sqlx::query("PRAGMA max_page_count = 1000000").execute(&mut *writer).await.unwrap();
    drop(writer);
    // At most the one operation that meets the broken connection fails; it is replaced.
    let mut taken = Vec::new();
    for number in 1..4 {
        taken.push(ground.store.dead_letter(&letter(number, 1_000_000)).await.is_ok());
    }
    assert_eq!(&taken[1..], [true, true], "{taken:?}");
}
