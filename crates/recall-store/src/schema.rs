//! The schema: migrations compiled in, applied in order by one starter at a time, and the check that a build meets its own.

use std::borrow::Cow;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType};

use crate::dialect::{Dialect, Statement};
use crate::error::unavailable;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

/// The table in which applied migrations are noted.
const TABLE: &str = "recall_migrations";

/// Version, name, Postgres, SQLite.
const MIGRATIONS: &[(i64, &str, &str, &str)] = &[(
    1,
    "0001_foundation",
    include_str!("../../../migrations/postgres/0001_foundation.sql"),
    include_str!("../../../migrations/sqlite/0001_foundation.sql"),
)];

static APPLIED: Statement = Statement::new(
    "SELECT CAST({object}('found', coalesce(max(version), 0)) AS TEXT) FROM recall_migrations WHERE success",
);

#[derive(serde::Deserialize)]
struct Applied {
    found: i64,
}

/// The newest migration of this build.
fn needed() -> i64 {
    MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or_default()
}

/// Applies what is missing; the names of what this starter applied. Postgres lets one starter in at a time; a SQLite store
/// is held by one process, which has one connection for this.
pub(crate) async fn migrate(store: &SqlStore) -> Result<Vec<String>, StoreError> {
    let mut connection = store.writer().await?;
    // Migrations may take longer than a call would wait. The connection is not used for anything else afterwards.
    if store.dialect == Dialect::Postgres {
        sql::execute(&mut connection, "SET statement_timeout = 0", Vec::new()).await?;
        sql::execute(&mut connection, "SET lock_timeout = 0", Vec::new()).await?;
    }
    connection.lock().await.map_err(failed)?;
    let applied = apply_missing(&mut *connection, store.dialect).await;
    connection.unlock().await.map_err(failed)?;
    connection.close().await?;
    applied
}

async fn apply_missing(connection: &mut impl Migrate, dialect: Dialect) -> Result<Vec<String>, StoreError> {
    connection.ensure_migrations_table(TABLE).await.map_err(failed)?;
    let there = connection.list_applied_migrations(TABLE).await.map_err(failed)?;
    let newest = there.iter().map(|one| one.version).max().unwrap_or_default();
    if newest > needed() {
        return Err(too_new(newest));
    }
    let mut names = Vec::new();
    for migration in migrations(dialect) {
        match there.iter().find(|one| one.version == migration.version) {
            Some(one) if one.checksum == migration.checksum => {}
            Some(_) => {
                return Err(unavailable(format!("migration {} was changed after it was applied", migration.version)));
            }
            None => {
                connection.apply(TABLE, &migration).await.map_err(failed)?;
                names.push(migration.description.into_owned());
            }
        }
    }
    Ok(names)
}

/// `Ok` while the database answers and has the schema of this build.
pub(crate) async fn ready(store: &SqlStore) -> Result<(), StoreError> {
    let mut connection = store.plain_reader().await?;
    sql::rows(&mut connection, "SELECT 1", Vec::<Arg>::new()).await?;
    let found = match sql::one::<Applied>(&mut connection, store.text(&APPLIED), Vec::new()).await {
        Ok(applied) => applied.map(|applied| applied.found).unwrap_or_default(),
        // It answered just now, so what fails is the table that is not there.
        Err(StoreError::Failed(_)) => 0,
        Err(other) => return Err(other),
    };
    match found.cmp(&needed()) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(too_new(found)),
        std::cmp::Ordering::Less => Err(StoreError::Schema { found, needed: needed(), hint: "run the migrations" }),
    }
}

fn too_new(found: i64) -> StoreError {
    StoreError::Schema { found, needed: needed(), hint: "start the newer build" }
}

fn migrations(dialect: Dialect) -> impl Iterator<Item = Migration> {
    MIGRATIONS.iter().map(move |(version, name, postgres, sqlite)| {
        let text = match dialect {
            Dialect::Postgres => *postgres,
            Dialect::Sqlite => *sqlite,
        };
        let outside_a_transaction = text.starts_with("-- no-transaction");
        Migration::new(
            *version,
            Cow::Borrowed(*name),
            MigrationType::Simple,
            text.into_sql_str(),
            outside_a_transaction,
        )
    })
}

fn failed(error: MigrateError) -> StoreError {
    if let MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) = error {
        return error.into();
    }
    unavailable(error.to_string())
}
