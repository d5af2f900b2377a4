//! Whom calls speak of and what they call them: names, kinds and other names are worked out again from what the calls that count said of
//! them, whenever calls are taken back, restored or set aside, or entities become one.

mod cast;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::json;
use sqlx::AnyConnection;

use self::cast::{Settled, settled};
use super::ground::{Ground, Noted, insert, update};
use crate::dialect::Statement as Sql;
use crate::entities::AliasRow;
use crate::sql::{self, Arg};
use crate::table::row;
use crate::{SqlStore, StoreError};

/// Every name that calls that count said, in their order.
pub(crate) static SAID: Sql = Sql::new(
    "SELECT CAST({object}('entity', g.entity_id, 'name', g.name, 'key', g.name_key, 'kind', g.kind) AS TEXT)
    FROM names_said g JOIN runs r ON r.trace_id = g.trace_id
    WHERE g.scope_id = $1 AND r.forgotten_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM calls_aside a WHERE a.trace_id = r.trace_id)
    ORDER BY r.revision, g.ordinal",
);

/// Every entity of a scope as it stands.
pub(crate) static THERE: Sql = Sql::new(
    "SELECT CAST({object}('id', e.entity_id, 'name', e.name, 'key', e.name_key, 'kind', e.kind, 'merged_into', e.merged_into,
        'waits', e.waits, 'by_hand', e.by_hand,
        'said', (SELECT count(*) FROM names_said g WHERE g.entity_id = e.entity_id),
        'suppressed', (SELECT count(*) FROM suppressions p WHERE p.scope_id = $1
            AND {position}(CAST(p.entities AS TEXT), e.entity_id) > 0),
        'aliases', {json}((SELECT {array}({object}('key', a.alias_key, 'by_hand', a.by_hand) ORDER BY a.alias_key)
            FROM entity_aliases a WHERE a.entity_id = e.entity_id))) AS TEXT)
    FROM entities e WHERE e.scope_id = $1 ORDER BY e.created_at, e.entity_id",
);

/// Whom statements that count are about; people who correct a memory give no name to anybody.
pub(crate) static SPOKEN_OF: Sql = Sql::new(
    "SELECT DISTINCT CAST({object}('subject', m.subject_id, 'object', m.object_id) AS TEXT) FROM memories m
    WHERE m.scope_id = $1 AND (m.gone IS NULL OR m.gone <> 'deleted') AND EXISTS (SELECT 1 FROM statements t
        JOIN runs r ON r.trace_id = t.trace_id WHERE t.memory_id = m.memory_id AND r.forgotten_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM calls_aside a WHERE a.trace_id = r.trace_id))",
);

/// The unique index looks at each row as it is written: those that change leave their names before one takes another's.
pub(crate) static LEAVE: Sql = Sql::new("UPDATE entities SET name_key = entity_id WHERE entity_id {in texts $1}");

pub(crate) static DROP_LEARNT: Sql = Sql::new(
    "DELETE FROM entity_aliases WHERE entity_id {in texts $1} AND by_hand = 0 AND entity_id || ' ' || alias_key {in texts $2}",
);

row! {
    /// What an entity is known as.
    KnownAs: "entities", "" {
        entity_id: String,
        name: String,
        name_key: String,
        kind: String,
        waits: i64,
    }
}

#[derive(Debug, Deserialize)]
struct Said {
    entity: String,
    name: String,
    key: String,
    /// Absent where it is another name.
    kind: Option<String>,
}

#[derive(Debug, Deserialize)]
struct There {
    id: String,
    name: String,
    key: String,
    kind: String,
    merged_into: Option<String>,
    waits: i64,
    by_hand: i64,
    /// Names that calls said of it, also those that do not count.
    said: i64,
    /// Suppressed claims about it: those are known again by whom they are about.
    suppressed: i64,
    aliases: Option<Vec<Alias>>,
}

#[derive(Debug, Deserialize)]
struct Alias {
    key: String,
    by_hand: i64,
}

#[derive(Deserialize)]
struct SpokenOf {
    subject: String,
    object: Option<String>,
}

/// Works out anew whom the scope knows, and by which names.
pub(super) async fn settle(store: &SqlStore, work: &mut AnyConnection, ground: &mut Ground) -> Result<(), StoreError> {
    let scope = || vec![Arg::Number(ground.scope_id)];
    let there: Vec<There> = sql::many(work, store.text(&THERE), scope()).await?;
    // What nobody named, as in most scopes, is as it was; one that was taken out of another has no name of its own yet.
    if there.iter().all(|one| one.said == 0 && one.key != one.id) {
        return Ok(());
    }
    let said: Vec<Said> = sql::many(work, store.text(&SAID), scope()).await?;
    let spoken: Vec<SpokenOf> = sql::many(work, store.text(&SPOKEN_OF), scope()).await?;
    let spoken = spoken.into_iter().flat_map(|of| [Some(of.subject), of.object]).flatten().collect();
    let Settled { known, aliases } = settled(&there, &said, &spoken);
    let (mut changed, mut lost, mut learnt) = (Vec::new(), BTreeMap::new(), Vec::new());
    for (before, now) in there.iter().filter_map(|one| Some((one, known.get(&one.id)?))) {
        if !before.is(now) {
            changed.push(now);
        }
        if before.waits != now.waits {
            let known = |waits: i64| Some(json!({ "entity": before.id, "known": waits == 0 }));
            let (before, after) = (known(before.waits), known(now.waits));
            ground.note(Noted { event: "update", before, after, ..Noted::default() });
        }
        let theirs = aliases.get(&before.id);
        let held: BTreeSet<&str> = before.aliases.iter().flatten().map(|alias| alias.key.as_str()).collect();
        let of_calls = before.aliases.iter().flatten().filter(|alias| alias.by_hand == 0);
        let gone = of_calls.filter(|alias| !theirs.is_some_and(|theirs| theirs.contains_key(&alias.key)));
        lost.extend(gone.map(|alias| (format!("{} {}", before.id, alias.key), &before.id)));
        let new = theirs.into_iter().flatten().filter(|(key, _)| !held.contains(key.as_str()));
        learnt.extend(new.map(|(key, alias)| AliasRow {
            entity_id: before.id.clone(),
            alias_key: key.clone(),
            alias: alias.clone(),
            by_hand: 0,
        }));
    }
    let ids: Vec<&str> = changed.iter().map(|now| now.entity_id.as_str()).collect();
    if !ids.is_empty() {
        sql::execute(work, store.text(&LEAVE), vec![sql::json(&ids)?]).await?;
    }
    update(store, work, &["entity_id"], &changed).await?;
    let (whose, lost): (BTreeSet<&String>, BTreeSet<&String>) = lost.iter().map(|(alias, id)| (*id, alias)).unzip();
    if !lost.is_empty() {
        sql::execute(work, store.text(&DROP_LEARNT), vec![sql::json(&whose)?, sql::json(&lost)?]).await?;
    }
    insert(store, work, &learnt).await
}

impl There {
    fn is(&self, known: &KnownAs) -> bool {
        (&self.name, &self.key, &self.kind, self.waits) == (&known.name, &known.name_key, &known.kind, known.waits)
    }
}
