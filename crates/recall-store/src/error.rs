//! What a database says, sorted into what it means; never its detail lines, since they quote rows.

use sqlx::error::DatabaseError;

use crate::StoreError;

/// Rules whose breach means that another run was first.
const RACES: &[&str] = &["memories_one_active_claim", "memories_one_active_value", "entities_one_name"];
/// The same rules as SQLite names them where it names columns instead of the index.
const RACING_COLUMNS: &[&str] =
    &["memories.scope_id, memories.subject_id, memories.attribute", "entities.scope_id, entities.name_key"];
/// The key of the runs table.
const ONCE: &[&str] = &["runs_once", "runs.trace_id"];
/// Postgres: serialization failure, deadlock.
const STALE_CODES: &[&str] = &["40001", "40P01"];

/// A failure of the driver or the server, in words that quote nobody.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Cause {
    message: String,
}

/// Whether a refusal says that the run of this trace is there already.
pub(crate) fn run_is_there(error: &StoreError) -> bool {
    matches!(error, StoreError::Refused { rule } if names(rule, ONCE))
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error.as_database_error() {
            Some(said) => from_database(said),
            None if is_lost(&error) => unavailable(error.to_string()),
            None => failed(error.to_string()),
        }
    }
}

/// The database is away; `message` must not quote rows.
pub(crate) fn unavailable(message: String) -> StoreError {
    StoreError::Unavailable(Some(Box::new(Cause { message })))
}

/// The database could not do it; `message` must not quote rows.
fn failed(message: String) -> StoreError {
    StoreError::Failed(Box::new(Cause { message }))
}

fn from_database(said: &dyn DatabaseError) -> StoreError {
    let code = said.code().unwrap_or_default();
    if STALE_CODES.contains(&code.as_ref()) {
        return StoreError::Stale;
    }
    let rule = rule(said);
    if said.is_unique_violation() && (names(&rule, RACES) || names(&rule, RACING_COLUMNS)) {
        return StoreError::Stale;
    }
    if is_refusal(&code) {
        return StoreError::Refused { rule };
    }
    if code.len() == 5 && code.starts_with("22") {
        // Messages of this class quote the value.
        return StoreError::Refused { rule: format!("value the database cannot hold ({code})") };
    }
    let message = format!("{} ({code})", said.message());
    if is_away(&code) { unavailable(message) } else { failed(message) }
}

/// Whether the connection, not the statement, is what failed.
fn is_lost(error: &sqlx::Error) -> bool {
    use sqlx::Error::{Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed};
    matches!(error, Io(_) | Tls(_) | Protocol(_) | PoolTimedOut | PoolClosed | WorkerCrashed)
}

/// Postgres: no connection, no entry, no such database, no room, shut down, broken disk, read only. SQLite: locked, read only, broken
/// disk, no room, no file.
fn is_away(code: &str) -> bool {
    if code.len() == 5 {
        return code == "25006" || ["08", "28", "3D", "53", "57P", "58"].iter().any(|class| code.starts_with(class));
    }
    code.parse::<i64>().is_ok_and(|number| matches!(number & 0xff, 5 | 6 | 8 | 10 | 13 | 14))
}

/// Class 23 of Postgres; in SQLite constraint (19) with its extended codes, and a value of the wrong kind (20).
fn is_refusal(code: &str) -> bool {
    if code.len() == 5 && code.starts_with("23") {
        return true;
    }
    code.parse::<i64>().is_ok_and(|number| code.len() < 5 && matches!(number & 0xff, 19 | 20))
}

/// The constraint, or the words that name it.
fn rule(said: &dyn DatabaseError) -> String {
    said.constraint().map_or_else(|| said.message().to_owned(), str::to_owned)
}

fn names(rule: &str, known: &[&str]) -> bool {
    known.iter().any(|name| rule.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_call_is_at_fault_for_is_told_from_what_one_may_be() {
        // Disk full, read only, starting up, shut down by an operator, too many connections; SQLite: locked, full.
        for code in ["53100", "25006", "57P03", "57P01", "53300", "5", "13", "3338"] {
            assert!(is_away(code), "{code}");
        }
        // Statement took too long, a row too large, no such table; SQLite: an error in the statement.
        for code in ["57014", "54000", "42P01", "1", ""] {
            assert!(!is_away(code), "{code}");
        }
        assert!(is_lost(&sqlx::Error::PoolTimedOut) && !is_lost(&sqlx::Error::RowNotFound));
    }
}
