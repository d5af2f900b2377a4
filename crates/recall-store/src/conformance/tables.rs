//! Every table is declared, and every statement about rows of tenants is bound to one tenant.

use std::collections::BTreeSet;

use sqlx::{AssertSqlSafe, Row};

use super::ground::Ground;
use super::on_both;
use super::schema;
use crate::batches::rows as batches;
use crate::dialect::{Dialect, Statement};
use crate::tables::{Bound, Declared, Personal, TABLES, declared};
use crate::{api_keys, backlog, parked, repair, upkeep};

on_both! {
    every_table_says_what_it_holds_of_people,
}

async fn every_table_says_what_it_holds_of_people(ground: &Ground) {
    let catalogue = match ground.store.dialect {
        // Parts of a table are that table.
        Dialect::Postgres => {
            "SELECT CAST(relname AS TEXT) FROM pg_class WHERE relnamespace = 'public'::regnamespace
            AND relkind IN ('r', 'p') AND NOT relispartition"
        }
        Dialect::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    };
    let rows = sqlx::query(AssertSqlSafe(catalogue)).fetch_all(&ground.store.reading).await.unwrap();
    let mut there: BTreeSet<String> = rows.iter().map(|row| row.get(0)).collect();
    assert!(there.remove("recall_migrations"));
    let said: BTreeSet<String> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    assert_eq!(there, said, "left: the database, right: tables.rs");
    assert_eq!(said.len(), TABLES.len(), "a table stands twice");
    for Declared { name, personal: Personal::FoundBy(text) | Personal::Nothing(text), .. } in TABLES {
        assert!(!text.is_empty(), "{name}");
    }
}

/// Statements that are about rows of every tenant, each with why.
const ACROSS: &[(&Statement, &str)] = &[
    (&api_keys::ANY, "whether there ever was a key"),
    (&backlog::DEAD, "how many calls are dead"),
    (&backlog::WAITING, "how many calls wait"),
    (&batches::ERASURES, "hashes of owners, which tell nothing to whoever cannot make them"),
    (&parked::TAKE, "the queue is one for all"),
    (&parked::TAKE_OF, "the queue is one for all"),
    (&parked::UNPARK, "a row that was handed out a moment ago"),
    (&repair::expire::DUE, "what is over its time"),
    (&upkeep::NOTE_OLD_LETTERS, "what is over its time"),
    (&upkeep::PROMPT_VERSIONS, "which prompts are in use"),
    (&upkeep::SWEEP_DEAD_LETTERS, "what is over its time"),
    (&upkeep::details::SWEEP_DETAILS, "what is over its time"),
    (&upkeep::details::SWEEP_STRAY_SPANS, "what is over its time"),
    (&upkeep::SWEEP_EVENTS, "what is over its time"),
    (&upkeep::SWEEP_WINDOWS, "what is over its time"),
];

/// Tables of tenants that a statement touches without naming a column that leads to one tenant.
fn unbound(text: &str) -> Vec<&'static str> {
    let spaced = text.replace(['(', ')', ',', ';'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let rooted = is_rooted(&words);
    let mut found = Vec::new();
    for pair in words.windows(2) {
        let [before, name] = pair else { continue };
        if !["FROM", "JOIN", "UPDATE", "INTO"].contains(before) {
            continue;
        }
        let Some(table) = declared(name) else { continue };
        let Bound::To(columns) = table.bound else { continue };
        let bound = |column: &&str| match *before {
            "INTO" => is_written(&words, column),
            _ => rooted && is_compared(&words, column),
        };
        if !columns.iter().any(bound) {
            found.push(table.name);
        }
    }
    found
}

/// Whether a column is compared.
fn is_compared(words: &[&str], column: &str) -> bool {
    words.windows(2).any(|pair| is(pair[0], column) && ["=", "IN"].contains(&pair[1]))
}

/// Whether an insert writes a column.
fn is_written(words: &[&str], column: &str) -> bool {
    let list = words.iter().skip_while(|word| **word != "INTO");
    list.take_while(|word| !["VALUES", "SELECT"].contains(*word)).any(|word| is(word, column))
}

/// Whether something comes from outside that leads to one tenant: two columns of tables that equal each other lead nowhere.
fn is_rooted(words: &[&str]) -> bool {
    let columns = || {
        TABLES.iter().filter_map(|table| match table.bound {
            Bound::To(columns) => Some(columns),
            Bound::Free => None,
        })
    };
    let leads = |word: &str| columns().flatten().any(|column| is(word, column));
    // `x` is the document of an update of many rows.
    let given = |word: &str| word.starts_with(['$', '\'']) || word.starts_with("x.") || word == "SELECT";
    // What is left out leads nowhere, either.
    let negated = |at: usize| at > 0 && words[at - 1] == "NOT";
    words
        .windows(3)
        .enumerate()
        .any(|(at, three)| leads(three[0]) && ["=", "IN"].contains(&three[1]) && given(three[2]) && !negated(at))
}

fn is(word: &str, column: &str) -> bool {
    word == column || word.rsplit_once('.').is_some_and(|(_, last)| last == column)
}

#[test]
fn every_statement_about_rows_of_tenants_is_bound_to_one() {
    let across: Vec<&str> = ACROSS.iter().map(|(statement, _)| statement.sql(Dialect::Sqlite)).collect();
    let mut checked = 0;
    for text in schema::all_texts(Dialect::Sqlite) {
        if across.contains(&text) {
            assert_ne!(unbound(text), Vec::<&str>::new(), "need not be among the exceptions: {text}");
        } else {
            assert_eq!(unbound(text), Vec::<&str>::new(), "{text}");
        }
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn a_statement_without_its_condition_is_found() {
    for (text, tables) in [
        ("SELECT m.content FROM memories m WHERE m.status = 'active'", vec!["memories"]),
        ("DELETE FROM turns", vec!["turns"]),
        ("UPDATE sessions SET ring = '[]' WHERE version > $1", vec!["sessions"]),
        ("SELECT 1 FROM memories m JOIN audit a ON a.at = m.created_at WHERE m.memory_id = $1", vec![]),
        ("SELECT 1 FROM entities e WHERE e.name = $1", vec!["entities"]),
        ("INSERT INTO suppressions (suppression_id, scope_id) VALUES ($1, $2)", vec![]),
        (
            "SELECT 1 FROM parked p WHERE EXISTS (SELECT 1 FROM attempts a WHERE a.trace_id = p.trace_id)",
            vec!["parked", "attempts"],
        ),
        (
            "INSERT INTO call_events (namespace) SELECT d.namespace FROM dead_letters d WHERE d.died_at <= $1",
            vec!["dead_letters"],
        ),
        ("SELECT 1 FROM parked p WHERE NOT p.session_key IN (SELECT value FROM json_each($1))", vec!["parked"]),
        ("SELECT 1 FROM workers", vec![]),
    ] {
        assert_eq!(unbound(text), tables, "{text}");
    }
}
