//! Places memories had lost before a run was swapped in. What took a place may be deleted for good while the run counts; after a rollback
//! nothing else would tell that the older claim is history.

use recall_core::id::{BatchId, MemoryId};
use recall_core::moment::Moment;
use serde::Deserialize;
use sqlx::AnyConnection;

use super::ground::{Ground, insert};
use crate::dialect::Statement as Sql;
use crate::rows::MemoryRow;
use crate::sql::{self, Arg};
use crate::stored_memory::moment;
use crate::table::row;
use crate::{SqlStore, StoreError};

row! {
    /// A place that was lost.
    PlaceRow: "swapped_places", "ON CONFLICT (batch, memory_id) DO NOTHING" {
        batch: String,
        memory_id: String,
        scope_id: i64,
        superseded_by: String,
        valid_until: Option<i64>,
        valid_until_offset: Option<i64>,
    }
}

/// Places that went to what is deleted for good.
pub(crate) static LOST_FOR_GOOD: Sql = Sql::new(
    "SELECT CAST({object}('memory', p.memory_id, 'by', p.superseded_by, 'until', p.valid_until,
        'until_offset', p.valid_until_offset, 'at', d.changed_revision) AS TEXT)
    FROM swapped_places p JOIN memories d ON d.memory_id = p.superseded_by AND d.gone = 'deleted'
    WHERE p.scope_id = $1 AND p.batch = $2",
);

pub(crate) static DROP_PLACES: Sql = Sql::new("DELETE FROM swapped_places WHERE scope_id = $1 AND batch = $2");

/// A place that was lost to what is gone.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) memory: MemoryId,
    pub(super) by: MemoryId,
    pub(super) until: Option<Moment>,
    /// The revision that deleted what took it.
    pub(super) at: i64,
}

#[derive(Deserialize)]
struct Stored {
    memory: MemoryId,
    by: MemoryId,
    until: Option<i64>,
    until_offset: Option<i64>,
    at: i64,
}

/// Notes the places memories had lost, as they were.
pub(super) async fn note<'m>(
    store: &SqlStore,
    work: &mut AnyConnection,
    (ground, run): (&Ground, &BatchId),
    memories: impl Iterator<Item = &'m MemoryRow>,
) -> Result<(), StoreError> {
    let row = |memory: &MemoryRow| {
        Some(PlaceRow {
            batch: run.as_str().to_owned(),
            memory_id: memory.memory_id.clone(),
            scope_id: ground.scope_id,
            superseded_by: memory.superseded_by.clone()?,
            valid_until: memory.valid_until,
            valid_until_offset: memory.valid_until_offset,
        })
    };
    insert(store, work, &memories.filter_map(row).collect::<Vec<_>>()).await
}

/// The noted places that went to what is deleted for good since. None is noted any more.
pub(super) async fn take(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    run: &BatchId,
) -> Result<Vec<Place>, StoreError> {
    let args = || vec![Arg::Number(ground.scope_id), Arg::from(run.as_str())];
    let stored: Vec<Stored> = sql::many(work, store.text(&LOST_FOR_GOOD), args()).await?;
    sql::execute(work, store.text(&DROP_PLACES), args()).await?;
    let place = |Stored { memory, by, until, until_offset, at }| {
        Ok(Place { memory, by, until: moment(until, until_offset)?, at })
    };
    stored.into_iter().map(place).collect()
}
