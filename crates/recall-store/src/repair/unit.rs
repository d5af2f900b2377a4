//! The memories a repair may move: those it names, and all that their claims bear on, with every statement of them.

mod events;

use std::collections::{BTreeMap, BTreeSet};

use recall_core::claim::ClaimKey;
use recall_core::id::{EntityId, MemoryId};
use recall_core::memory::Memory;
use recall_core::stages::reconcile::replay::Event;
use serde::Deserialize;
use sqlx::AnyConnection;

use super::ground::Ground;
use super::places::Place;
use crate::deed::Turn;
use crate::dialect::Statement;
use crate::rows::{MemoryRow, SourceRow};
use crate::sql::{self, Arg};
use crate::table::Json;
use crate::{SqlStore, StoreError};

/// Subject, attribute and claim of memories, and the memories they point to.
pub(crate) static KEYS: Statement = Statement::new(
    "SELECT CAST({object}('subject', m.subject_id, 'attribute', m.attribute, 'claim', m.claim_key) AS TEXT)
    FROM memories m WHERE m.scope_id = $1 AND m.memory_id {in texts $2}",
);

/// Memories with all their sources and statements. Those that are deleted for good hold no word that could be judged.
pub(crate) static UNIT: Statement = Statement::new(
    "SELECT CAST({object}('row', {row m memories}, 'subject', e.name,
        'sources', {json}((SELECT {array}({row s sources} ORDER BY s.ordinal) FROM sources s
            WHERE s.memory_id = m.memory_id)),
        'statements', {json}((SELECT {array}({object}('trace', t.trace_id, 'ordinal', t.ordinal, 'said', {json}(t.said),
                'turn', t.turn_place, 'char', t.char_place, 'replaces', t.replaces, 'revision', r.revision,
                'session_pk', r.session_pk, 'forgotten', r.forgotten_at,
                'aside', (SELECT count(*) FROM calls_aside a WHERE a.trace_id = t.trace_id)) ORDER BY r.revision, t.ordinal)
            FROM statements t JOIN runs r ON r.trace_id = t.trace_id WHERE t.memory_id = m.memory_id))
    ) AS TEXT) FROM memories m JOIN entities e ON e.entity_id = m.subject_id
    WHERE m.scope_id = $1 AND (m.gone IS NULL OR m.gone IN ('forgotten', 'suppressed')) AND (m.memory_id {in texts $5}
        OR (m.subject_id {in texts $2} AND (m.attribute {in texts $3} OR m.claim_key {in texts $4})))
    ORDER BY m.memory_id",
);

/// Doubts and disputes of memories.
pub(crate) static DISPUTES: Statement = Statement::new(
    "SELECT CAST({object}('memory', d.memory_id, 'with', d.with_id, 'trace', d.trace_id, 'opened', d.opened_revision,
        'settled', d.settled_revision, 'settled_at', d.settled_at, 'kept', d.kept) AS TEXT)
    FROM disputes d WHERE d.scope_id = $1 AND (d.memory_id {in texts $2} OR d.with_id {in texts $2})",
);

/// What is deleted for good, with the revision that deleted it.
pub(crate) static DELETED: Statement = Statement::new(
    "SELECT CAST({object}('id', m.memory_id, 'at', m.changed_revision) AS TEXT)
    FROM memories m WHERE m.scope_id = $1 AND m.gone = 'deleted' AND m.memory_id {in texts $2}",
);

/// Entities that became part of others.
pub(crate) static MERGED: Statement = Statement::new(
    "SELECT CAST({object}('id', e.entity_id, 'into', e.merged_into, 'name', i.name) AS TEXT)
    FROM entities e JOIN entities i ON i.entity_id = e.merged_into WHERE e.scope_id = $1 AND e.merged_into IS NOT NULL",
);

#[derive(Deserialize)]
struct Keyed {
    subject: String,
    attribute: String,
    claim: String,
}

/// A memory with all that was ever said of it.
#[derive(Debug, Deserialize)]
pub(super) struct Member {
    pub(super) row: MemoryRow,
    subject: String,
    /// The entity it is pointed to now, where that is another one.
    #[serde(skip)]
    pub(super) moved_to: Option<String>,
    #[serde(default)]
    pub(super) sources: Option<Vec<SourceRow>>,
    #[serde(default)]
    pub(super) statements: Option<Vec<Said>>,
}

/// A statement as it is stored.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Said {
    pub(super) trace: String,
    ordinal: i64,
    said: Json<Memory>,
    turn: usize,
    char: usize,
    pub(super) replaces: Option<String>,
    revision: i64,
    pub(super) session_pk: i64,
    forgotten: Option<i64>,
    /// Runs that keep its call aside.
    aside: i64,
}

#[derive(Debug, Clone, Deserialize)]
struct Disputed {
    memory: MemoryId,
    with: Option<MemoryId>,
    trace: Option<String>,
    opened: i64,
    settled: Option<i64>,
    settled_at: Option<i64>,
    kept: Option<MemoryId>,
}

#[derive(Debug, Clone, Deserialize)]
struct Merged {
    id: EntityId,
    into: EntityId,
    name: String,
}

/// Everything a repair may move.
#[derive(Debug, Default)]
pub(super) struct Unit {
    pub(super) members: Vec<Member>,
    disputes: Vec<Disputed>,
    merged: BTreeMap<EntityId, Merged>,
    /// Places that were lost to what is deleted for good, besides those that members remember.
    pub(super) places: Vec<Place>,
    /// What took the place of members and is deleted for good, with the revision that deleted it.
    deleted: BTreeMap<MemoryId, i64>,
    /// The database's clock, in microseconds.
    now: i64,
}

/// What a unit tells, in order, and which statement stands at which position.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) events: Vec<Event>,
    pub(super) told: Vec<Said>,
}

/// Loads what `seeds` bear on. Claims reach others of their subject by attribute and by claim, until nothing new is reached.
pub(super) async fn load(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    seeds: &BTreeSet<String>,
) -> Result<Unit, StoreError> {
    let keyed: Vec<Keyed> =
        sql::many(work, store.text(&KEYS), vec![Arg::Number(ground.scope_id), sql::json(seeds)?]).await?;
    let mut reach = Reach { memories: seeds.clone(), ..Reach::default() };
    for Keyed { subject, attribute, claim } in keyed {
        reach.add(subject, attribute, claim);
    }
    loop {
        let args = vec![
            Arg::Number(ground.scope_id),
            sql::json(&reach.subjects)?,
            sql::json(&reach.attributes)?,
            sql::json(&reach.claims)?,
            sql::json(&reach.memories)?,
        ];
        let members: Vec<Member> = sql::many(work, store.text(&UNIT), args).await?;
        let before = reach.size();
        members.iter().for_each(|member| reach.extend(member));
        if reach.size() == before {
            let ids: Vec<&str> = members.iter().map(|member| member.row.memory_id.as_str()).collect();
            let args = vec![Arg::Number(ground.scope_id), sql::json(&ids)?];
            let disputes = sql::many(work, store.text(&DISPUTES), args).await?;
            let merged: Vec<Merged> = sql::many(work, store.text(&MERGED), vec![Arg::Number(ground.scope_id)]).await?;
            let merged = merged.into_iter().map(|merged| (merged.id.clone(), merged)).collect();
            let deleted = deleted(store, work, ground, &members).await?;
            return Ok(Unit { members, disputes, merged, places: Vec::new(), deleted, now: ground.now });
        }
    }
}

async fn deleted(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    members: &[Member],
) -> Result<BTreeMap<MemoryId, i64>, StoreError> {
    #[derive(Deserialize)]
    struct Deleted {
        id: MemoryId,
        at: i64,
    }
    let there: BTreeSet<&str> = members.iter().map(|member| member.row.memory_id.as_str()).collect();
    let by = members.iter().filter_map(|member| member.row.superseded_by.as_deref());
    let missing: BTreeSet<&str> = by.filter(|by| !there.contains(by)).collect();
    if missing.is_empty() {
        return Ok(BTreeMap::new());
    }
    let args = vec![Arg::Number(ground.scope_id), sql::json(&missing)?];
    let deleted: Vec<Deleted> = sql::many(work, store.text(&DELETED), args).await?;
    Ok(deleted.into_iter().map(|Deleted { id, at }| (id, at)).collect())
}

#[derive(Default)]
struct Reach {
    subjects: BTreeSet<String>,
    attributes: BTreeSet<String>,
    claims: BTreeSet<String>,
    memories: BTreeSet<String>,
}

impl Reach {
    fn add(&mut self, subject: String, attribute: String, claim: String) {
        self.subjects.insert(subject);
        self.attributes.insert(attribute);
        self.claims.extend(ClaimKey(claim).and_opposite().map(|key| key.0));
    }

    fn extend(&mut self, member: &Member) {
        let row = &member.row;
        self.add(row.subject_id.clone(), row.attribute.clone(), row.claim_key.clone());
        self.memories.extend([Some(&row.memory_id), row.superseded_by.as_ref()].into_iter().flatten().cloned());
        for said in member.statements.iter().flatten() {
            self.attributes.insert(said.said.0.attribute.clone());
            self.memories.extend(said.replaces.clone());
        }
    }

    fn size(&self) -> usize {
        self.subjects.len() + self.attributes.len() + self.claims.len() + self.memories.len()
    }
}

impl Member {
    /// The entity it is about.
    pub(super) fn subject_id(&self) -> &str {
        self.moved_to.as_deref().unwrap_or(&self.row.subject_id)
    }
}

impl Unit {
    /// Looks at calls as if they were taken back, or restored.
    pub(super) fn suppose(&mut self, traces: &BTreeSet<String>, turn: Turn) {
        let said = self.members.iter_mut().flat_map(|member| member.statements.iter_mut().flatten());
        for said in said.filter(|said| traces.contains(&said.trace)) {
            said.forgotten = match turn {
                Turn::Forget => Some(0),
                Turn::Restore => None,
            };
        }
    }

    /// Points memories to another entity of this id and name.
    pub(super) fn repoint(&mut self, memories: &BTreeSet<String>, (id, name): (&str, &str)) {
        for member in self.members.iter_mut().filter(|member| memories.contains(&member.row.memory_id)) {
            member.moved_to = Some(id.to_owned());
            member.subject = name.to_owned();
        }
    }

    /// Whether a pair has an open row.
    pub(super) fn is_disputed(&self, one: &MemoryId, other: &MemoryId) -> bool {
        let pair = |row: &Disputed| row.memory == *one && row.with.as_ref() == Some(other) && row.settled.is_none();
        self.disputes.iter().any(pair)
    }
}
