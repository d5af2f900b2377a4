//! The statements that lock the ground of a commit: the rows of its scope and of its session, made or moved.

use super::write::BETWEEN;
use crate::dialect::{Dialect, Statement};

/// Makes or moves the scope's row, which locks it: commits of one scope follow each other.
macro_rules! scope {
    () => {
        "INSERT INTO scopes (key, namespace, owner_kind, owner, agent, revision, created_at)
        VALUES ($1, $2, $3, $4, $5, 1, {now}) ON CONFLICT (key) DO UPDATE SET revision = scopes.revision + 1 RETURNING "
    };
}

/// What is told of the scope. Says whether the owner was erased since the call was accepted, too; that it is still so at the end is kept
/// by the lock on the owner taken before.
macro_rules! told {
    ($now:literal) => {
        concat!(
            "'scope_id', scope_id, 'revision', revision, 'epoch', epoch, 'now', ",
            $now,
            ", 'settings', (SELECT {json}(n.settings) FROM namespaces n WHERE n.namespace = $2),
        'erased', (SELECT count(*) FROM erasures e WHERE e.owner_hash {in texts $6} AND e.erased_at >= $7)"
        )
    };
}

/// Makes or moves the session's row; `$now` and the scope are told by whoever asks.
macro_rules! session {
    ($now:literal, $from:literal) => {
        concat!(
            "INSERT INTO sessions (scope_id, session_id, version, last_turns, ring, window_expires, created_at)
            SELECT scope_id, $8, 1, {document $9}, {document $10}, ",
            $now,
            " + $11, ",
            $now,
            $from,
            " ON CONFLICT (scope_id, session_id) DO UPDATE SET version = sessions.version + 1,
                last_turns = excluded.last_turns, ring = excluded.ring, window_expires = excluded.window_expires
            RETURNING "
        )
    };
}

pub(crate) static SCOPE: Statement = Statement::new(concat!(scope!(), "CAST({object}(", told!("{now}"), ") AS TEXT)"));

/// For SQLite, which takes no insert within another statement; the scope is there.
static SESSION: Statement = Statement::new(concat!(
    session!("{now}", " FROM scopes WHERE key = $1"),
    "CAST({object}('session_pk', session_pk, 'version', version) AS TEXT)"
));

/// For Postgres: both in one statement, which is one answer to wait for. A session that another commit moves meanwhile is met as that
/// leaves it, since an upsert sees what it waited for.
static SCOPE_AND_SESSION: Statement = Statement::new(concat!(
    "WITH scope AS (",
    scope!(),
    "scope_id, revision, epoch, {now} AS instant), session AS (",
    session!("instant", " FROM scope"),
    "session_pk, version)
    SELECT CAST({object}(",
    told!("instant"),
    ", 'session_pk', session_pk, 'version', version) AS TEXT) FROM scope, session"
));

/// Makes or moves the rows of the scope and of the session of a live call: the first row answered tells of the scope, the last of the
/// session.
pub(super) fn live_ground(dialect: Dialect) -> String {
    match dialect {
        Dialect::Postgres => SCOPE_AND_SESSION.sql(dialect).to_owned(),
        Dialect::Sqlite => [SCOPE.sql(dialect), SESSION.sql(dialect)].join(BETWEEN),
    }
}
