//! The second fence between tenants. In Postgres every table with rows of tenants has a row-level policy over a setting of the
//! transaction: a statement that forgot its WHERE finds nothing of others. The setting travels with BEGIN, in the same round trip.
//! SQLite has no such policies; there a test reads every statement instead and fails on one that is bound to no tenant.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, Transaction};

use crate::dialect::{Dialect, Statement};
use crate::record::Tenants;
use crate::sql;
use crate::{SqlStore, StoreError};

/// Whose rows a transaction finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach<'a> {
    /// One tenant's.
    Tenant(&'a str),
    /// Every tenant's, for work that is nobody's own.
    Every(Work),
}

/// Work that goes across tenants. There is no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Calls that wait, die and are sent on: the queue is one for all.
    Queue,
    /// Taking away what is over its time.
    Sweep,
    /// Who comes in, before it is known whose.
    Keys,
    /// An operator of all tenants who looks.
    Operator,
}

impl Work {
    fn as_str(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Sweep => "sweep",
            Self::Keys => "keys",
            Self::Operator => "operator",
        }
    }
}

impl<'a> Reach<'a> {
    /// One tenant's rows, or those of all for an operator.
    pub(crate) fn of(tenants: &'a Tenants) -> Self {
        match tenants {
            Tenants::One(namespace) => Self::Tenant(namespace),
            Tenants::All => Self::Every(Work::Operator),
        }
    }

    /// The beginning of a transaction in Postgres: both settings end with it.
    pub(crate) fn begin(self) -> String {
        match self {
            // Quotes doubled; `standard_conforming_strings` is on in every session of ours, so nothing else is special.
            Self::Tenant(namespace) => {
                format!("BEGIN; SET LOCAL recall.namespace = '{}'", namespace.replace('\'', "''").replace('\0', ""))
            }
            Self::Every(work) => format!("BEGIN; SET LOCAL recall.across = '{}'", work.as_str()),
        }
    }
}

static PASSES_OVER: Statement = Statement::new(
    "SELECT CASE WHEN rolsuper OR rolbypassrls THEN '1' ELSE '0' END FROM pg_roles WHERE rolname = current_user",
);

/// Whether the role of a store passes over the policies.
pub(crate) async fn passes_over(store: &SqlStore) -> Result<bool, StoreError> {
    match store.dialect {
        Dialect::Sqlite => Ok(false),
        Dialect::Postgres => {
            let mut connection = store.plain_reader().await?;
            let passes: Option<i64> = sql::one(&mut connection, store.text(&PASSES_OVER), Vec::new()).await?;
            Ok(passes == Some(1))
        }
    }
}

/// A connection for reading, behind the fence where the database has one.
pub(crate) enum Reader {
    /// SQLite.
    Plain(PoolConnection<Any>),
    /// Postgres: the transaction is rolled back on the way into the pool, after the answer.
    Fenced(Transaction<'static, Any>),
}

impl Deref for Reader {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        match self {
            Self::Plain(connection) => connection,
            Self::Fenced(work) => work,
        }
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        match self {
            Self::Plain(connection) => connection,
            Self::Fenced(work) => work,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_cannot_leave_its_quotes() {
        let text = Reach::Tenant("it's'; SET LOCAL recall.across = 'x\0").begin();
        assert_eq!(text, "BEGIN; SET LOCAL recall.namespace = 'it''s''; SET LOCAL recall.across = ''x'");
    }
}
