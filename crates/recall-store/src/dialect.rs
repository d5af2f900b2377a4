//! The two dialects: a statement is written once, and the few words that differ stand in one table.

use std::fmt::Write;
use std::sync::OnceLock;

use crate::table;

/// Which database speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Postgres,
    Sqlite,
}

/// Words in braces that are written differently: the word, Postgres, SQLite.
const WORDS: &[(&str, &str, &str)] = &[
    (
        "{now}",
        "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
        "CAST(unixepoch('subsec') * 1000000 AS INTEGER)",
    ),
    ("{object}", "json_build_object", "json_object"),
    ("{array}", "json_agg", "json_group_array"),
    ("{json}", "", "json"),
    ("{integer}", "BIGINT", "INTEGER"),
    ("{position}", "strpos", "instr"),
    ("{position of bytes}", "pg_catalog.position", "instr"),
    // SQLite has one writer.
    ("{for update}", "FOR UPDATE", ""),
];

/// A statement, rendered once per dialect.
///
/// Besides [`WORDS`] it may hold `{in texts $1}` and `{in numbers $1}` (membership in a JSON array), `{document $1}` (JSON
/// on its way into a column), `{row alias table}` (a row as a JSON object) and `{redacted column}` (what is left of a document of the
/// audit log without its words).
#[derive(Debug)]
pub(crate) struct Statement {
    text: &'static str,
    postgres: OnceLock<String>,
    sqlite: OnceLock<String>,
    fenced: OnceLock<String>,
}

impl Statement {
    pub(crate) const fn new(text: &'static str) -> Self {
        Self { text, postgres: OnceLock::new(), sqlite: OnceLock::new(), fenced: OnceLock::new() }
    }

    /// The text for Postgres of a statement that answers one value, with the fence inside: its last argument, the one of this number,
    /// is the tenant. The condition is there so that the value is worked out after the setting is made; were it before, it would
    /// find nothing.
    pub(crate) fn fenced(&'static self, last: usize) -> &'static str {
        self.fenced.get_or_init(|| {
            let text = self.sql(Dialect::Postgres);
            format!(
                "SELECT CASE WHEN fence.tenant IS NOT NULL THEN ({text}) END FROM \
                 (SELECT set_config('recall.namespace', ${last}, true) AS tenant OFFSET 0) fence"
            )
        })
    }

    /// The text for a dialect.
    pub(crate) fn sql(&'static self, dialect: Dialect) -> &'static str {
        match dialect {
            Dialect::Postgres => self.postgres.get_or_init(|| render(dialect, self.text)),
            Dialect::Sqlite => self.sqlite.get_or_init(|| render(dialect, self.text)),
        }
    }
}

/// Writes a text in a dialect.
pub(crate) fn render(dialect: Dialect, text: &str) -> String {
    let mut out = text.to_owned();
    for (word, postgres, sqlite) in WORDS {
        let own = match dialect {
            Dialect::Postgres => postgres,
            Dialect::Sqlite => sqlite,
        };
        out = out.replace(word, own);
    }
    let mut rendered = String::with_capacity(out.len());
    let mut rest = out.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        let (word, behind) = after.split_once('}').unwrap_or((after, ""));
        rendered.push_str(before);
        expand(dialect, word, &mut rendered);
        rest = behind;
    }
    rendered.push_str(rest);
    rendered
}

fn expand(dialect: Dialect, word: &str, out: &mut String) {
    let parts: Vec<&str> = word.split(' ').collect();
    match (dialect, parts.as_slice()) {
        (Dialect::Postgres, ["in", "texts", list]) => {
            push(out, format_args!("= ANY(ARRAY(SELECT jsonb_array_elements_text(CAST({list} AS JSONB))))"));
        }
        (Dialect::Postgres, ["in", "numbers", list]) => {
            let elements = format_args!("jsonb_array_elements_text(CAST({list} AS JSONB))");
            push(out, format_args!("= ANY(ARRAY(SELECT CAST({elements} AS BIGINT)))"));
        }
        (Dialect::Sqlite, ["in", "texts" | "numbers", list]) => {
            push(out, format_args!("IN (SELECT value FROM json_each({list}))"));
        }
        (Dialect::Postgres, ["document", value]) => push(out, format_args!("CAST({value} AS JSONB)")),
        (Dialect::Sqlite, ["document", value]) => out.push_str(value),
        (Dialect::Postgres, ["redacted", column]) => push(out, format_args!("audit_redacted({column})")),
        (Dialect::Sqlite, ["redacted", column]) => push(
            out,
            format_args!(
                "CASE WHEN {column} IS NULL THEN NULL ELSE json_object('redacted', 1, 'status', {column} ->> 'status') END"
            ),
        ),
        (Dialect::Postgres, ["row", alias, _]) => push(out, format_args!("to_json({alias})")),
        (Dialect::Sqlite, ["row", alias, name]) => out.push_str(&table::sqlite_row(alias, name)),
        // Left as it stands, so that preparing the statement fails and names it.
        _ => push(out, format_args!("{{{word}}}")),
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_written_in_each_dialect() {
        let cases = [
            ("a {in texts $2} b", "a = ANY(ARRAY(SELECT jsonb_array_elements_text(CAST($2 AS JSONB)))) b"),
            ("{json}(x.y) {object}('a', 1)", "(x.y) json_build_object('a', 1)"),
            ("VALUES ({document $3})", "VALUES (CAST($3 AS JSONB))"),
            ("{row t turns}", "to_json(t)"),
        ];
        for (text, expected) in cases {
            assert_eq!(render(Dialect::Postgres, text), expected);
        }
        assert_eq!(render(Dialect::Sqlite, "a {in numbers $2}"), "a IN (SELECT value FROM json_each($2))");
        assert!(render(Dialect::Sqlite, "{row a entity_aliases}").starts_with("json_object('entity_id', a.entity_id"));
    }
}
