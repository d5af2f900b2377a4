//! Places of memories that a swap moved. What took a place may be deleted for good while the run counts; after a rollback nothing else
//! would tell that a claim was history before the run, or that only the run made it so.

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
    /// What had taken the place of a memory before a swap, and what took it then.
    PlaceRow: "swapped_places", "ON CONFLICT (batch, memory_id) DO NOTHING" {
        batch: String,
        memory_id: String,
        scope_id: i64,
        superseded_by: Option<String>,
        became: Option<String>,
        valid_until: Option<i64>,
        valid_until_offset: Option<i64>,
    }
}

/// What only the run did to a memory: it is history no more, though what took its place cannot be judged again.
pub(crate) static GIVE_BACK: Sql = Sql::new(
    "UPDATE memories SET superseded_by = NULL WHERE scope_id = $1 AND EXISTS (SELECT 1 FROM swapped_places p
        JOIN memories d ON d.memory_id = p.became WHERE d.gone = 'deleted' AND p.scope_id = $1 AND p.batch = $2
            AND p.memory_id = memories.memory_id AND p.became = memories.superseded_by)",
);

/// Places that had gone to what is deleted for good.
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

/// Notes the places that a swap moves.
pub(super) async fn note<'m>(
    store: &SqlStore,
    work: &mut AnyConnection,
    (ground, run): (&Ground, &BatchId),
    moved: impl Iterator<Item = (&'m MemoryRow, &'m MemoryRow)>,
) -> Result<(), StoreError> {
    let row = |(before, after): (&MemoryRow, &MemoryRow)| PlaceRow {
        batch: run.as_str().to_owned(),
        memory_id: before.memory_id.clone(),
        scope_id: ground.scope_id,
        superseded_by: before.superseded_by.clone(),
        became: after.superseded_by.clone(),
        valid_until: before.valid_until,
        valid_until_offset: before.valid_until_offset,
    };
    insert(store, work, &moved.map(row).collect::<Vec<_>>()).await
}

/// The noted places that had gone to what is deleted for good since; those that only the run took are given back. None is noted any
/// more.
pub(super) async fn take(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    run: &BatchId,
) -> Result<Vec<Place>, StoreError> {
    let args = || vec![Arg::Number(ground.scope_id), Arg::from(run.as_str())];
    let stored: Vec<Stored> = sql::many(work, store.text(&LOST_FOR_GOOD), args()).await?;
    sql::execute(work, store.text(&GIVE_BACK), args()).await?;
    sql::execute(work, store.text(&DROP_PLACES), args()).await?;
    let place = |Stored { memory, by, until, until_offset, at }| {
        Ok(Place { memory, by, until: moment(until, until_offset)?, at })
    };
    stored.into_iter().map(place).collect()
}
