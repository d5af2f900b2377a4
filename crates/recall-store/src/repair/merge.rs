//! Making two entities one: memories, objects and suppressed claims are pointed anew, and what was moved is written down, so that it
//! can be taken apart again.

use std::collections::BTreeSet;

use recall_core::entity::EntityKind;
use recall_core::id::EntityId;
use recall_core::text::fold;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::AnyConnection;

use super::entities::{DROP_ALIASES, Stored, aliases, find, note};
use super::ground::{self, Ground, insert};
use super::names;
use super::rejudge;
use super::unit;
use crate::deed::{Deed, Repaired};
use crate::dialect::Statement as Sql;
use crate::fence::Reach;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError};

pub(crate) static SET_MERGED: Sql = Sql::new("UPDATE entities SET merged_into = $2 WHERE entity_id = $1");

/// By which name it is known by itself is worked out again.
pub(crate) static APART: Sql =
    Sql::new("UPDATE entities SET merged_into = NULL, name_key = entity_id WHERE entity_id = $1");

pub(crate) static ABOUT: Sql = Sql::new(
    "SELECT CAST({object}('id', m.memory_id, 'subject', m.subject_id, 'object', m.object_id) AS TEXT) FROM memories m
    WHERE m.scope_id = $1 AND (m.subject_id {in texts $2} OR m.object_id {in texts $2})",
);

/// What is deleted for good keeps its place in the scope, too.
pub(crate) static MOVE_FINAL: Sql =
    Sql::new("UPDATE memories SET subject_id = $2 WHERE memory_id {in texts $1} AND gone = 'deleted'");

pub(crate) static SUPPRESSED_ABOUT: Sql = Sql::new(
    "SELECT CAST({object}('id', p.suppression_id, 'entities', {json}(p.entities)) AS TEXT) FROM suppressions p
    WHERE p.scope_id = $1",
);

pub(crate) static MOVE_SUPPRESSION: Sql =
    Sql::new("UPDATE suppressions SET entities = {document $2} WHERE suppression_id = $1");

pub(crate) static KEEP_MOVED: Sql = Sql::new(
    "INSERT INTO entity_merges (from_id, into_id, scope_id, moved, merged_at) VALUES ($1, $2, $3, {document $4}, $5)
    ON CONFLICT (from_id) DO UPDATE SET into_id = excluded.into_id, moved = excluded.moved,
        merged_at = excluded.merged_at",
);

pub(crate) static MOVED: Sql =
    Sql::new("SELECT CAST({object}('moved', {json}(g.moved)) AS TEXT) FROM entity_merges g WHERE g.from_id = $1");

pub(crate) static DROP_MOVED: Sql = Sql::new("DELETE FROM entity_merges WHERE from_id = $1");

/// What a merge moved.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Moved {
    subjects: BTreeSet<String>,
    objects: BTreeSet<String>,
    suppressions: BTreeSet<String>,
    alias_keys: BTreeSet<String>,
}

#[derive(Deserialize)]
struct About {
    id: String,
    subject: String,
    object: Option<String>,
}

#[derive(Deserialize)]
struct Suppressed {
    id: String,
    entities: Vec<EntityId>,
}

/// Makes one entity part of another.
pub(super) async fn merge(
    store: &SqlStore,
    (namespace, from, into): (&str, &EntityId, &EntityId),
    deed: &Deed,
) -> Result<Repaired, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, from).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let (one, other) = (find(store, &mut work, namespace, from).await?, find(store, &mut work, namespace, into).await?);
    check(&one, &other)?;
    let mut moved = reach(store, &mut work, &ground, from).await?;
    let args = vec![Arg::from(from.as_str()), Arg::from(into.as_str())];
    sql::execute(&mut work, store.text(&SET_MERGED), args).await?;
    names::settle(store, &mut work, &mut ground).await?;
    // What calls said of the one tells of the other by now; names that people gave are taken over as such.
    let known: BTreeSet<String> =
        find(store, &mut work, namespace, into).await?.names().map(|name| fold(name)).collect();
    let given: Vec<&String> = one.names().filter(|name| !known.contains(&fold(name))).collect();
    moved.alias_keys = given.iter().map(|name| fold(name)).collect();
    insert(store, &mut work, &aliases(into, given.into_iter())).await?;
    let args = vec![
        Arg::from(from.as_str()),
        Arg::from(into.as_str()),
        Arg::Number(scope_id),
        sql::json(&moved)?,
        Arg::Number(ground.now),
    ];
    sql::execute(&mut work, store.text(&KEEP_MOVED), args).await?;
    let repaired = point(store, &mut work, &mut ground, &moved, (&one, &other)).await?;
    let after = json!({ "merged_into": into, "subjects": moved.subjects, "objects": moved.objects,
        "suppressions": moved.suppressions });
    note(&mut ground, "entity_merge", &one, after);
    ground.close(store, &mut work).await?;
    work.commit().await?;
    Ok(repaired)
}

/// Takes a merged entity out of the other again. What was learnt since stays with the other.
pub(super) async fn unmerge(
    store: &SqlStore,
    (namespace, from): (&str, &EntityId),
    deed: &Deed,
) -> Result<Repaired, StoreError> {
    #[derive(Deserialize)]
    struct Kept {
        moved: Moved,
    }
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let scope_id = find(store, &mut work, namespace, from).await?.scope_id;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let one = find(store, &mut work, namespace, from).await?;
    let into = one.merged_into.clone().ok_or(StoreError::Conflict("the entity is part of no other"))?;
    let other = find(store, &mut work, namespace, &into).await?;
    if other.merged_into.is_some() {
        return Err(StoreError::Conflict("the other became part of a third; take those apart first"));
    }
    let kept: Option<Kept> = sql::one(&mut work, store.text(&MOVED), vec![Arg::from(from.as_str())]).await?;
    let moved = kept.map(|kept| kept.moved).unwrap_or_default();
    let args = vec![Arg::from(into.as_str()), sql::json(&moved.alias_keys)?];
    sql::execute(&mut work, store.text(&DROP_ALIASES), args).await?;
    for statement in [&APART, &DROP_MOVED] {
        sql::execute(&mut work, store.text(statement), vec![Arg::from(from.as_str())]).await?;
    }
    names::settle(store, &mut work, &mut ground).await?;
    let repaired = point(store, &mut work, &mut ground, &moved, (&other, &one)).await?;
    note(&mut ground, "entity_merge", &one, json!({ "taken_out_of": into, "subjects": moved.subjects }));
    ground.close(store, &mut work).await?;
    work.commit().await?;
    Ok(repaired)
}

fn check(one: &Stored, other: &Stored) -> Result<(), StoreError> {
    if one.id == other.id || one.scope_id != other.scope_id {
        return Err(StoreError::Conflict("an entity becomes part of another one of the same scope"));
    }
    if one.merged_into.is_some() || other.merged_into.is_some() {
        return Err(StoreError::Conflict("one of the two became part of another already"));
    }
    if one.kind == EntityKind::User.as_str() {
        return Err(StoreError::Conflict(
            "the owner of a memory does not become part of another; merge the other way round",
        ));
    }
    Ok(())
}

/// What points to an entity.
async fn reach(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    entity: &EntityId,
) -> Result<Moved, StoreError> {
    let args = vec![Arg::Number(ground.scope_id), sql::json(&[entity])?];
    let about: Vec<About> = sql::many(work, store.text(&ABOUT), args).await?;
    let suppressed = suppressed(store, work, ground).await?;
    let of = |keep: fn(&About, &str) -> bool| {
        about.iter().filter(|row| keep(row, entity.as_str())).map(|row| row.id.clone()).collect()
    };
    Ok(Moved {
        subjects: of(|row, id| row.subject == id),
        objects: of(|row, id| row.object.as_deref() == Some(id)),
        suppressions: suppressed.into_iter().filter(|row| row.entities.contains(entity)).map(|row| row.id).collect(),
        alias_keys: BTreeSet::new(),
    })
}

async fn suppressed(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
) -> Result<Vec<Suppressed>, StoreError> {
    sql::many(work, store.text(&SUPPRESSED_ABOUT), vec![Arg::Number(ground.scope_id)]).await
}

/// Points what was moved from one entity to the other, and has both judged again: claims of one may end those of the other.
async fn point(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &mut Ground,
    moved: &Moved,
    (from, to): (&Stored, &Stored),
) -> Result<Repaired, StoreError> {
    for mut row in suppressed(store, work, ground).await? {
        if moved.suppressions.contains(&row.id) {
            row.entities.iter_mut().filter(|id| **id == from.id).for_each(|id| *id = to.id.clone());
            let args = vec![Arg::Text(row.id), sql::json(&row.entities)?];
            sql::execute(work, store.text(&MOVE_SUPPRESSION), args).await?;
        }
    }
    let args = vec![sql::json(&moved.subjects)?, Arg::from(to.id.as_str())];
    sql::execute(work, store.text(&MOVE_FINAL), args).await?;
    let both = vec![Arg::Number(ground.scope_id), sql::json(&[&from.id, &to.id])?];
    let about: Vec<About> = sql::many(work, store.text(&ABOUT), both).await?;
    let seeds: BTreeSet<String> = about.into_iter().map(|row| row.id).collect();
    if seeds.is_empty() {
        return Ok(Repaired::default());
    }
    let mut unit = unit::load(store, work, ground, &seeds).await?;
    unit.repoint(&moved.subjects, (to.id.as_str(), &to.name));
    let plan = rejudge::plan(store, work, ground, unit).await?;
    plan.write(store, work, ground, "entity_merge").await?;
    plan.summary()
}
