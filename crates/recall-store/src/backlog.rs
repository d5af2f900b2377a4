//! What waits in the database and for how long, for operators and for readiness.

use serde::Deserialize;

use crate::dialect::Statement;
use crate::fence::{Reach, Work};
use crate::record::{Backlog, LaneBacklog};
use crate::sql;
use crate::{SqlStore, StoreError};

pub(crate) static WAITING: Statement = Statement::new(
    "SELECT CAST({object}('bulk', b.bulk, 'queued', b.queued, 'calls', b.calls, 'oldest', b.oldest) AS TEXT)
    FROM (SELECT CASE WHEN p.lane = 'live' THEN 0 ELSE 1 END AS bulk, CASE WHEN p.why = 'queued' THEN 1 ELSE 0 END AS queued,
        count(*) AS calls, ({now} - min(p.parked_at)) / 1000000 AS oldest FROM parked p GROUP BY 1, 2) b",
);

pub(crate) static DEAD: Statement = Statement::new(
    "SELECT CAST({object}('letters', count(*), 'oldest', coalesce(({now} - min(died_at)) / 1000000, 0)) AS TEXT)
    FROM dead_letters",
);

#[derive(Deserialize)]
struct WaitingRow {
    bulk: u8,
    queued: u8,
    calls: u64,
    oldest: i64,
}

#[derive(Deserialize)]
struct DeadRow {
    letters: u64,
    oldest: i64,
}

/// What waits.
pub(crate) async fn backlog(store: &SqlStore) -> Result<Backlog, StoreError> {
    let mut connection = store.reader(Reach::Every(Work::Queue)).await?;
    let rows: Vec<WaitingRow> = sql::many(&mut connection, store.text(&WAITING), Vec::new()).await?;
    let dead: Option<DeadRow> = sql::one(&mut connection, store.text(&DEAD), Vec::new()).await?;
    let mut backlog = Backlog::default();
    for row in rows {
        let lane = if row.bulk == 0 { &mut backlog.live } else { &mut backlog.bulk };
        add(lane, &row);
    }
    if let Some(dead) = dead {
        (backlog.dead, backlog.oldest_dead_seconds) = (dead.letters, u64::try_from(dead.oldest).unwrap_or_default());
    }
    Ok(backlog)
}

fn add(lane: &mut LaneBacklog, row: &WaitingRow) {
    let calls = if row.queued == 1 { &mut lane.queued } else { &mut lane.parked };
    *calls += row.calls;
    lane.oldest_seconds = lane.oldest_seconds.max(u64::try_from(row.oldest).unwrap_or_default());
}
