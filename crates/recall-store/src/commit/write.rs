//! Writing a plan: in Postgres all inserts travel as one statement, in SQLite as one text of those that have rows: every text is a way to
//! the thread of the connection and back.

use std::sync::OnceLock;

use recall_core::memory::Status;
use recall_core::run::Run;
use sqlx::AssertSqlSafe;

use super::ground::{SCOPE, live_ground};
use super::plan::Plan;
use super::work::Work;
use crate::dialect::Dialect;
use crate::parked::{END_ATTEMPTS, UNPARK_TRACE};
use crate::rows::{COMMITTED, MemoryChange};
use crate::sql::{self, Arg};
use crate::table::Row;
use crate::{SqlStore, StoreError};

/// Writes every row of a plan, and takes the call off the parked ones. Where that is the `last` of the transaction it may end with it.
pub(super) async fn write(
    store: &SqlStore,
    work: &mut Work<'_>,
    run: &Run,
    (plan, last): (&Plan, bool),
) -> Result<(), StoreError> {
    let texts = texts(store.dialect);
    // The unique indexes look at each row as it is written: what retires makes room for what returns, both for what is new.
    let (returning, retiring): (Vec<&MemoryChange>, Vec<&MemoryChange>) =
        plan.changed.iter().partition(|change| change.status == Status::Active.as_str());
    for changes in [retiring, returning] {
        if !changes.is_empty() {
            sql::execute(work, texts.change.as_str(), vec![sql::json(&changes)?]).await?;
        }
    }
    let trace = Arg::from(run.call.trace_id.as_str());
    match store.dialect {
        Dialect::Postgres => {
            sql::execute(work, texts.all.as_str(), vec![Arg::Json(document(plan)?), trace]).await?;
        }
        Dialect::Sqlite => {
            let mut args = Vec::with_capacity(COMMITTED.len() + 1);
            let mut parts = texts.all.split(BETWEEN);
            let mut chosen = Vec::new();
            for rows in arrays(plan) {
                let (rows, insert) = (rows?, parts.next());
                chosen.extend(insert.filter(|_| rows.is_some()));
                args.push(Arg::Json(rows.unwrap_or(NO_ROWS.into())));
            }
            args.push(trace);
            chosen.extend(parts);
            if last {
                chosen.extend(work.last());
            }
            let text = chosen.join(BETWEEN);
            sql::execute(work, AssertSqlSafe(text), args).await?;
        }
    }
    Ok(())
}

/// The statements of a commit that are made from the tables, or of several statements.
#[derive(Debug)]
pub(crate) struct Texts {
    /// Makes or moves the row of a scope.
    pub(crate) scope: String,
    /// Makes or moves the rows of a scope and a live session.
    pub(crate) live: String,
    /// Changes memories that are there.
    pub(crate) change: String,
    /// All inserts at once, which take the call off the parked ones, too: one statement over one JSON object of arrays in Postgres, statements
    /// parted by [`BETWEEN`] over one array each in SQLite. The trace id is the last argument.
    pub(crate) all: String,
}

/// What parts the statements of a text.
pub(crate) const BETWEEN: &str = ";\n";
/// An array of rows that holds none.
const NO_ROWS: &str = "[]";

/// The statements of a dialect, made once.
pub(crate) fn texts(dialect: Dialect) -> &'static Texts {
    static POSTGRES: OnceLock<Texts> = OnceLock::new();
    static SQLITE: OnceLock<Texts> = OnceLock::new();
    let cell = match dialect {
        Dialect::Postgres => &POSTGRES,
        Dialect::Sqlite => &SQLITE,
    };
    cell.get_or_init(|| make(dialect))
}

fn make(dialect: Dialect) -> Texts {
    let array = match dialect {
        Dialect::Postgres => "CAST($1 AS JSONB)",
        Dialect::Sqlite => "$1",
    };
    let all = match dialect {
        Dialect::Postgres => as_one_statement(),
        Dialect::Sqlite => as_statements(),
    };
    Texts {
        scope: SCOPE.sql(dialect).to_owned(),
        live: live_ground(dialect),
        change: MemoryChange::TABLE.update(dialect, &["memory_id"], array),
        all,
    }
}

fn as_one_statement() -> String {
    let inserts = COMMITTED.iter().map(|table| {
        let array = format!("(SELECT body -> '{}' FROM document)", table.name);
        format!(", {0}_written AS ({1})", table.name, table.insert(Dialect::Postgres, &array))
    });
    format!(
        "WITH document AS MATERIALIZED (SELECT CAST($1 AS JSONB) AS body), \
         unparked AS (DELETE FROM parked WHERE trace_id = $2), \
         ended AS (DELETE FROM attempts WHERE trace_id = $2){} SELECT 1",
        inserts.collect::<String>()
    )
}

fn as_statements() -> String {
    let inserts = (1..).zip(COMMITTED).map(|(place, table)| table.insert(Dialect::Sqlite, &format!("${place}")));
    let trace = format!("${}", COMMITTED.len() + 1);
    let ends = [&UNPARK_TRACE, &END_ATTEMPTS].map(|end| end.sql(Dialect::Sqlite).replace("$1", &trace));
    inserts.chain(ends).collect::<Vec<_>>().join(BETWEEN)
}

/// The plan as one JSON object, an array a table.
fn document(plan: &Plan) -> Result<String, StoreError> {
    let mut document = String::from("{");
    for (table, rows) in COMMITTED.iter().zip(arrays(plan)) {
        if document.len() > 1 {
            document.push(',');
        }
        let rows = rows?;
        document.push_str(&format!("\"{}\":{}", table.name, rows.as_deref().unwrap_or(NO_ROWS)));
    }
    document.push('}');
    Ok(document)
}

/// The rows of each table in the order of [`COMMITTED`], as JSON; `None` where there are none.
fn arrays(plan: &Plan) -> [Result<Option<String>, StoreError>; COMMITTED.len()] {
    [
        array(&plan.extractors),
        array(&plan.runs),
        array(&plan.turns),
        array(&plan.bindings),
        array(&plan.entities),
        array(&plan.aliases),
        array(&plan.names),
        array(&plan.memories),
        array(&plan.sources),
        array(&plan.statements),
        array(&plan.disputes),
        array(&plan.effects),
        array(&plan.audit),
        array(&plan.details),
        array(&plan.spans),
    ]
}

fn array<T: Row>(rows: &[T]) -> Result<Option<String>, StoreError> {
    if rows.is_empty() { Ok(None) } else { sql::json_text(&rows).map(Some) }
}
