//! Lists: newest first, a page at a time, from where the last page ended.

use serde::{Deserialize, Serialize};
use sqlx::AssertSqlSafe;

use crate::StoreError;
use crate::dialect::{Dialect, render};
use crate::record::{Page, PageRequest};
use crate::sql::Arg;

/// The most rows of a page.
const MOST: u32 = 500;
/// Above every id.
const LAST_ID: &str = "\u{10ffff}";

/// Where a row stands in its list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    /// Microseconds.
    pub(crate) at: i64,
    pub(crate) id: String,
}

impl Place {
    /// The place after which a page begins, newest first: that of its cursor, else above every row.
    pub(crate) fn after(request: &PageRequest) -> Result<Self, StoreError> {
        Self::after_or(request, || Self { at: i64::MAX, id: LAST_ID.to_owned() })
    }

    /// The same oldest first: without a cursor below every row.
    pub(crate) fn after_oldest(request: &PageRequest) -> Result<Self, StoreError> {
        Self::after_or(request, || Self { at: i64::MIN, id: String::new() })
    }

    fn after_or(request: &PageRequest, first: impl Fn() -> Self) -> Result<Self, StoreError> {
        let Some(cursor) = &request.cursor else { return Ok(first()) };
        let bytes = hex::decode(cursor).map_err(|_| StoreError::Cursor)?;
        let place: Self = serde_json::from_slice(&bytes).map_err(|_| StoreError::Cursor)?;
        if place.id.contains('\0') { Err(StoreError::Cursor) } else { Ok(place) }
    }

    fn cursor(&self) -> Option<String> {
        serde_json::to_vec(self).map(hex::encode).ok()
    }
}

/// A page from the rows fetched for it.
pub(crate) fn page<T>(mut rows: Vec<T>, request: &PageRequest, place: impl Fn(&T) -> Place) -> Page<T> {
    let limit = limit(request) as usize;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next_cursor = if more { rows.last().and_then(|row| place(row).cursor()) } else { None };
    Page { items: rows, next_cursor }
}

/// A query that grows by conditions. In every piece `?` stands for the argument given with it.
#[derive(Debug)]
pub(crate) struct Query {
    text: String,
    pub(crate) args: Vec<Arg>,
}

impl Query {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), args: Vec::new() }
    }

    /// Adds a piece with the argument it speaks of, however often.
    pub(crate) fn with(&mut self, piece: &str, arg: Arg) {
        self.args.push(arg);
        self.text.push_str(&piece.replace('?', &format!("${}", self.args.len())));
    }

    /// Adds a piece where there is something to ask for.
    pub(crate) fn with_some(&mut self, piece: &str, arg: Option<impl Into<Arg>>) {
        if let Some(arg) = arg {
            self.with(piece, arg.into());
        }
    }

    /// Closes a list: rows after a place, newest first. `at` and `id` are the columns of the order.
    pub(crate) fn newest_first(&mut self, columns: (&str, &str), after: &Place, request: &PageRequest) {
        self.ordered(columns, ("<", "DESC"), after, request);
    }

    /// The same oldest first.
    pub(crate) fn oldest_first(&mut self, columns: (&str, &str), after: &Place, request: &PageRequest) {
        self.ordered(columns, (">", "ASC"), after, request);
    }

    fn ordered(&mut self, (at, id): (&str, &str), (behind, order): (&str, &str), after: &Place, request: &PageRequest) {
        self.with(&format!(" AND ({at} {behind} ? OR ({at} = ?"), Arg::Number(after.at));
        let rest = format!(" AND {id} {behind} ?)) ORDER BY {at} {order}, {id} {order}");
        self.with(&rest, Arg::from(after.id.as_str()));
        self.with(" LIMIT ?", Arg::Number(i64::from(limit(request)) + 1));
    }

    /// The text in a dialect.
    pub(crate) fn sql(&self, dialect: Dialect) -> AssertSqlSafe<String> {
        // Made of constants of this crate and numbers of arguments only.
        AssertSqlSafe(render(dialect, &self.text))
    }
}

fn limit(request: &PageRequest) -> u32 {
    request.limit.clamp(1, MOST)
}
