//! Tables as data: from one list of columns come bulk inserts, bulk updates and rows as JSON, in both dialects.

use serde::{Deserialize, Serialize};

use crate::dialect::Dialect;
use crate::rows;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Integer,
    Real,
    Json,
}

impl Kind {
    fn postgres(self) -> &'static str {
        match self {
            Self::Text => "TEXT",
            Self::Integer => "BIGINT",
            Self::Real => "DOUBLE PRECISION",
            Self::Json => "JSONB",
        }
    }
}

/// A type of Rust that stands in a column.
pub(crate) trait Stored {
    const KIND: Kind;
}

impl Stored for String {
    const KIND: Kind = Kind::Text;
}

impl Stored for i64 {
    const KIND: Kind = Kind::Integer;
}

impl Stored for f64 {
    const KIND: Kind = Kind::Real;
}

impl<T: Stored> Stored for Option<T> {
    const KIND: Kind = T::KIND;
}

/// A value kept as JSON inside a column; always an object or an array.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T> Stored for Json<T> {
    const KIND: Kind = Kind::Json;
}

/// A column.
pub(crate) type Column = (&'static str, Kind);

/// A table as far as this crate writes it.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [Column],
    /// What an insert does where the row is there.
    pub(crate) conflict: &'static str,
}

/// A row struct with its table.
pub(crate) trait Row: Serialize {
    const TABLE: &'static Table;
}

/// Declares a row struct and its table from one list of columns.
macro_rules! row {
    ($(#[$doc:meta])* $name:ident: $table:literal, $conflict:literal { $($(#[$attribute:meta])* $column:ident: $kind:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        pub(crate) struct $name { $($(#[$attribute])* pub(crate) $column: $kind,)+ }

        impl $crate::table::Row for $name {
            const TABLE: &'static $crate::table::Table = &$crate::table::Table {
                name: $table,
                columns: &[$((stringify!($column), <$kind as $crate::table::Stored>::KIND),)+],
                conflict: $conflict,
            };
        }
    };
}
pub(crate) use row;

/// Columns that are counted in the database, by statements of their own: what was read of them may be old.
const COUNTED: [&str; 2] = ["access_count", "last_accessed_at"];

impl Table {
    /// Inserts every object of a JSON array. `array` is the SQL expression of that array.
    pub(crate) fn insert(&self, dialect: Dialect, array: &str) -> String {
        let names = self.names("");
        let (values, from) = match dialect {
            Dialect::Postgres => (self.names("x."), self.recordset(array)),
            // `WHERE true` keeps ON CONFLICT from being read as a join condition.
            Dialect::Sqlite => (self.picked(), format!("json_each({array}) WHERE true")),
        };
        format!("INSERT INTO {} ({names}) SELECT {values} FROM {from} {}", self.name, self.conflict)
    }

    /// Sets every other column of the rows named by `keys`, from a JSON array of objects. What is counted goes on from where it stands.
    pub(crate) fn update(&self, dialect: Dialect, keys: &[&str], array: &str) -> String {
        let others = self.columns.iter().filter(|(name, _)| !keys.contains(name) && !COUNTED.contains(name));
        let sets = others.map(|(column, _)| format!("{column} = x.{column}")).collect::<Vec<_>>().join(", ");
        let from = match dialect {
            Dialect::Postgres => self.recordset(array),
            Dialect::Sqlite => format!("(SELECT {} FROM json_each({array})) AS x", self.picked_with_names()),
        };
        let found = keys.iter().map(|key| format!("{}.{key} = x.{key}", self.name)).collect::<Vec<_>>().join(" AND ");
        format!("UPDATE {} SET {sets} FROM {from} WHERE {found}", self.name)
    }

    fn names(&self, prefix: &str) -> String {
        self.columns.iter().map(|(name, _)| format!("{prefix}{name}")).collect::<Vec<_>>().join(", ")
    }

    fn recordset(&self, array: &str) -> String {
        let typed = self.columns.iter().map(|(name, kind)| format!("{name} {}", kind.postgres()));
        format!("jsonb_to_recordset({array}) AS x({})", typed.collect::<Vec<_>>().join(", "))
    }

    fn picked(&self) -> String {
        self.columns.iter().map(|(name, _)| format!("value ->> '{name}'")).collect::<Vec<_>>().join(", ")
    }

    fn picked_with_names(&self) -> String {
        let picked = self.columns.iter().map(|(name, _)| format!("value ->> '{name}' AS {name}"));
        picked.collect::<Vec<_>>().join(", ")
    }
}

/// A row of a table as a JSON object, for SQLite; Postgres has `to_json`.
pub(crate) fn sqlite_row(alias: &str, name: &str) -> String {
    let Some(table) = rows::table(name) else {
        return format!("{{unknown table {name}}}");
    };
    let pairs = table.columns.iter().map(|(column, kind)| match kind {
        Kind::Text | Kind::Integer => format!("'{column}', {alias}.{column}"),
        // json_object would cut a number to 15 digits.
        Kind::Real => format!("'{column}', json(printf('%!.17g', {alias}.{column}))"),
        Kind::Json => format!("'{column}', json({alias}.{column})"),
    });
    format!("json_object({})", pairs.collect::<Vec<_>>().join(", "))
}
