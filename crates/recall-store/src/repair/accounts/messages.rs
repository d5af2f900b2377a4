//! Calls of accounts that wait or are dead: what a person said is cut out of them; one that holds nothing else goes.

use std::collections::BTreeSet;

use sqlx::{AnyConnection, Row};

use crate::dialect::Statement as Sql;
use crate::repair::erase::ATTEMPTS;
use crate::repair::speakers::{Rest, without_names};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError, bindings};

/// Waiting calls of accounts in whose messages a text stands.
pub(crate) static PARKED: Sql = Sql::new(
    "SELECT p.trace_id AS id, p.owner, p.body FROM parked p
    WHERE p.namespace = $1 AND {position}(p.owner, $2) = 1 AND {position of bytes}(p.body, $3) > 0",
);

pub(crate) static SET_PARKED: Sql =
    Sql::new("UPDATE parked SET body = $2, revision = revision + 1 WHERE trace_id = $1");

pub(crate) static DROP_PARKED: Sql = Sql::new("DELETE FROM parked WHERE trace_id = $1");

/// Dead calls of accounts in whose messages a text stands.
pub(crate) static LETTERS: Sql = Sql::new(
    "SELECT d.id, d.owner, d.body FROM dead_letters d
    WHERE d.namespace = $1 AND {position}(d.owner, $2) = 1 AND {position of bytes}(d.body, $3) > 0",
);

pub(crate) static SET_LETTER: Sql = Sql::new("UPDATE dead_letters SET body = $2 WHERE id = $1");

pub(crate) static DROP_LETTER: Sql = Sql::new("DELETE FROM dead_letters WHERE id = $1");

/// Where messages are kept, and how they are found, changed and taken away.
static KEPT: [(&str, [&Sql; 3]); 2] =
    [("parked", [&PARKED, &SET_PARKED, &DROP_PARKED]), ("dead_letters", [&LETTERS, &SET_LETTER, &DROP_LETTER])];

/// Cuts what these speakers said out of every message of an account that is kept: account, table and rows.
pub(super) async fn take(
    store: &SqlStore,
    work: &mut AnyConnection,
    (namespace, names): (&str, &BTreeSet<String>),
) -> Result<Vec<(String, &'static str, u64)>, StoreError> {
    let mut taken = Vec::new();
    for (table, [find, set, remove]) in &KEPT {
        for name in names {
            // As it stands in a message, quotes and escapes included.
            let text = Arg::Bytes(sql::json_text(name)?.into_bytes());
            let args = vec![Arg::from(namespace), Arg::from(bindings::OF_ACCOUNTS), text];
            for row in sql::rows(work, store.text(find), args).await? {
                let (id, owner, body): (String, String, Vec<u8>) =
                    (row.try_get("id")?, row.try_get("owner")?, row.try_get("body")?);
                let account = owner.trim_start_matches(bindings::OF_ACCOUNTS).to_owned();
                match without_names(&body, names) {
                    Rest::Whole => continue,
                    Rest::Part(part) => {
                        sql::execute(work, store.text(set), vec![Arg::Text(id), Arg::Bytes(part)]).await?
                    }
                    Rest::Nothing => {
                        sql::execute(work, store.text(&ATTEMPTS), vec![sql::json(&[&id])?]).await?;
                        sql::execute(work, store.text(remove), vec![Arg::Text(id)]).await?
                    }
                };
                taken.push((account, *table, 1));
            }
        }
    }
    Ok(taken)
}
