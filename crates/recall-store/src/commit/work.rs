//! The transaction of a commit. In SQLite its beginning travels with its first statement and its end with the last: every text is a way
//! to the thread of the connection and back.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, Executor as _};

use super::write::BETWEEN;
use crate::{SqlStore, StoreError};

/// Takes SQLite's lock at once: taken later it could be refused without a wait.
pub(super) const BEGIN: &str = "BEGIN IMMEDIATE";
pub(super) const COMMIT: &str = "COMMIT";
pub(super) const ROLLBACK: &str = "ROLLBACK";

/// The connection a run is written over, and how its transaction begins and ends.
pub(super) struct Work<'a> {
    connection: &'a mut AnyConnection,
    /// What has to stand before the first text.
    begin: Option<&'static str>,
    /// What may stand behind the last one.
    end: Option<&'a (dyn Fn() -> &'static str + Send + Sync)>,
    ended: Option<&'static str>,
}

impl<'a> Work<'a> {
    /// A part of a transaction that begins and ends elsewhere.
    pub(super) fn within(connection: &'a mut AnyConnection) -> Self {
        Self { connection, begin: None, end: None, ended: None }
    }

    /// A transaction, or a part of one, that begins with its first text and may end with its last.
    pub(super) fn with_edges(
        connection: &'a mut AnyConnection,
        begin: &'static str,
        end: &'a (dyn Fn() -> &'static str + Send + Sync),
    ) -> Self {
        Self { connection, begin: Some(begin), end: Some(end), ended: None }
    }

    /// The first text, with the beginning before it.
    pub(super) fn first(&mut self, text: &str) -> String {
        match self.begin.take() {
            None => text.to_owned(),
            Some(begin) => [begin, text].join(BETWEEN),
        }
    }

    /// What ends the transaction behind the text that is written next, where it may; then it has to.
    pub(super) fn last(&mut self) -> Option<&'static str> {
        self.ended = self.end.map(|end| end());
        self.ended
    }

    /// What stood behind the last text.
    pub(super) fn ended(&self) -> Option<&'static str> {
        self.ended
    }
}

impl Deref for Work<'_> {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        self.connection
    }
}

impl DerefMut for Work<'_> {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        self.connection
    }
}

/// The writer of SQLite in a transaction that the library knows nothing of. Dropped without being handed back it is closed, which takes
/// back what was not committed; SQLite ends a transaction by itself when the disk is full, and closing is right then, too.
pub(super) struct Writer(Option<PoolConnection<Any>>);

impl Writer {
    pub(super) async fn of(store: &SqlStore) -> Result<Self, StoreError> {
        Ok(Self(Some(store.writer().await?)))
    }

    pub(super) fn connection(&mut self) -> Result<&mut AnyConnection, StoreError> {
        match &mut self.0 {
            Some(connection) => Ok(connection),
            None => Err(StoreError::Corrupt("a transaction that is over".into())),
        }
    }

    pub(super) async fn say(&mut self, text: &'static str) -> Result<(), StoreError> {
        self.connection()?.execute(sqlx::raw_sql(text)).await?;
        Ok(())
    }

    /// Out of any transaction: back to the pool.
    pub(super) fn hand_back(mut self) {
        drop(self.0.take());
    }

    /// Takes back what was not committed.
    pub(super) async fn roll_back(mut self) {
        if self.say(ROLLBACK).await.is_ok() {
            self.hand_back();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            drop(connection.detach());
        }
    }
}
