//! Asking and telling: arguments that are checked for what a database cannot hold, and answers that are read as JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, Row, SqlSafeStr};

use crate::StoreError;

/// An argument of a statement.
#[derive(Debug, Clone)]
pub(crate) enum Arg {
    Text(String),
    /// Text or nothing.
    Maybe(Option<String>),
    Number(i64),
    /// A JSON document.
    Json(String),
    Bytes(Vec<u8>),
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Arg {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Arg {
    fn from(number: u32) -> Self {
        Self::Number(i64::from(number))
    }
}

/// A value as JSON argument.
pub(crate) fn json(value: &impl Serialize) -> Result<Arg, StoreError> {
    Ok(Arg::Json(json_text(value)?))
}

/// A value as JSON text; refused where it holds a NUL, which Postgres cannot keep in text.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String, StoreError> {
    let text = serde_json::to_string(value).map_err(|error| StoreError::Corrupt(place(&error)))?;
    if holds_escaped_nul(&text) { Err(nul()) } else { Ok(text) }
}

/// Runs a statement; how many rows it touched.
pub(crate) async fn execute(
    connection: &mut AnyConnection,
    sql: impl SqlSafeStr,
    args: Vec<Arg>,
) -> Result<u64, StoreError> {
    Ok(bind(sql, args)?.execute(connection).await?.rows_affected())
}

/// Runs a statement that answers rows.
pub(crate) async fn rows(
    connection: &mut AnyConnection,
    sql: impl SqlSafeStr,
    args: Vec<Arg>,
) -> Result<Vec<AnyRow>, StoreError> {
    Ok(bind(sql, args)?.fetch_all(connection).await?)
}

/// Reads the first column of the first row as JSON; `None` where there is no row, or nothing in it.
pub(crate) async fn one<T: DeserializeOwned>(
    connection: &mut AnyConnection,
    sql: impl SqlSafeStr,
    args: Vec<Arg>,
) -> Result<Option<T>, StoreError> {
    let row = bind(sql, args)?.fetch_optional(connection).await?;
    row.map(|row| parse(&row)).transpose().map(Option::flatten)
}

/// Reads the first column of the first row and that of the last one as JSON.
pub(crate) async fn first_and_last<A: DeserializeOwned, B: DeserializeOwned>(
    connection: &mut AnyConnection,
    sql: impl SqlSafeStr,
    args: Vec<Arg>,
) -> Result<Option<(A, B)>, StoreError> {
    let rows = rows(connection, sql, args).await?;
    let Some((first, last)) = rows.first().zip(rows.last()) else { return Ok(None) };
    Ok(parse(first)?.zip(parse(last)?))
}

/// Reads the first column of every row as JSON.
pub(crate) async fn many<T: DeserializeOwned>(
    connection: &mut AnyConnection,
    sql: impl SqlSafeStr,
    args: Vec<Arg>,
) -> Result<Vec<T>, StoreError> {
    let rows = rows(connection, sql, args).await?;
    rows.iter().filter_map(|row| parse(row).transpose()).collect()
}

/// Binds arguments to a statement.
pub(crate) fn bind(sql: impl SqlSafeStr, args: Vec<Arg>) -> Result<Query<'static, Any, AnyArguments>, StoreError> {
    let mut query = sqlx::query(sql);
    for arg in args {
        query = match arg {
            Arg::Text(text) | Arg::Maybe(Some(text)) if text.contains('\0') => return Err(nul()),
            Arg::Text(text) | Arg::Json(text) => query.bind(text),
            Arg::Maybe(text) => query.bind(text),
            Arg::Number(number) => query.bind(number),
            Arg::Bytes(bytes) => query.bind(bytes),
        };
    }
    Ok(query)
}

fn parse<T: DeserializeOwned>(row: &AnyRow) -> Result<Option<T>, StoreError> {
    let Some(text) = row.try_get::<Option<String>, _>(0)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|error| StoreError::Corrupt(place(&error)))
}

/// Where a document fails; its words may be words of people.
pub(crate) fn place(error: &serde_json::Error) -> String {
    format!("{:?} error at line {} column {}", error.classify(), error.line(), error.column())
}

fn nul() -> StoreError {
    StoreError::Refused { rule: "text without NUL characters".into() }
}

/// Whether JSON text holds the escape of a NUL: its six characters after an even number of backslashes.
fn holds_escaped_nul(text: &str) -> bool {
    text.match_indices("\\u0000").any(|(at, _)| {
        let before = text.as_bytes().iter().take(at).rev();
        before.take_while(|byte| **byte == b'\\').count() % 2 == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_is_told_from_the_text_that_looks_like_its_escape() {
        assert!(matches!(json_text(&"a\0b"), Err(StoreError::Refused { .. })));
        assert!(matches!(json_text(&"\\\0"), Err(StoreError::Refused { .. })));
        assert!(json_text(&"\\u0000").is_ok(), "a backslash and the word u0000");
    }
}
