//! Generations of the fleet's queues: which there are, how far the change from one to the next is, and which doors still send into which.
//! All times are the database's.

use recall_core::call::Lane;
use serde::Deserialize;

use crate::dialect::Statement;
use crate::record::{Generation, Stage};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError, parked};

/// A door not seen for so many microseconds is taken for gone: its entrances are taken away without it.
const ALIVE: i64 = 4_000_000;

pub(crate) static FIRST: Statement = Statement::new(
    "INSERT INTO fleet (generation, partitions, stage, created_at, stage_at)
    SELECT 1, $1, 'open', {now}, {now} WHERE NOT EXISTS (SELECT 1 FROM fleet) ON CONFLICT (generation) DO NOTHING",
);

/// Only where nothing but the newest is still used.
pub(crate) static NEXT: Statement = Statement::new(
    "INSERT INTO fleet (generation, partitions, stage, created_at, stage_at)
    SELECT f.generation + 1, $1, 'open', {now}, {now} FROM fleet f
    WHERE f.generation = (SELECT max(generation) FROM fleet)
        AND NOT EXISTS (SELECT 1 FROM fleet b WHERE b.generation < f.generation AND b.stage <> 'gone')
    ON CONFLICT (generation) DO NOTHING
    RETURNING CAST(generation AS TEXT)",
);

pub(crate) static GENERATIONS: Statement = Statement::new(
    "SELECT CAST({object}('number', f.generation, 'partitions', f.partitions, 'stage', f.stage,
        'stage_seconds', ({now} - f.stage_at) / 1000000,
        'read', (SELECT count(*) FROM fleet_ends e WHERE e.generation = f.generation)) AS TEXT)
    FROM fleet f WHERE f.stage <> 'gone' ORDER BY f.generation",
);

pub(crate) static STAGE: Statement =
    Statement::new("UPDATE fleet SET stage = $2, stage_at = {now} WHERE generation = $1 AND stage = $3");

pub(crate) static END: Statement = Statement::new(
    "INSERT INTO fleet_ends (generation, lane, partition) VALUES ($1, $2, $3)
    ON CONFLICT (generation, lane, partition) DO NOTHING",
);

pub(crate) static READ: Statement = Statement::new(
    "UPDATE fleet SET stage = 'read', stage_at = {now} WHERE generation = $1 AND stage = 'marked'
        AND (SELECT count(*) FROM fleet_ends e WHERE e.generation = $1) >= 2 * partitions",
);

pub(crate) static FORGET_ENDS: Statement = Statement::new("DELETE FROM fleet_ends WHERE generation = $1");

pub(crate) static DOOR: Statement = Statement::new(
    "INSERT INTO doors (door, generation, seen_at) VALUES ($1, $2, {now})
    ON CONFLICT (door) DO UPDATE SET generation = excluded.generation, seen_at = excluded.seen_at",
);

pub(crate) static DOOR_LEAVES: Statement = Statement::new("DELETE FROM doors WHERE door = $1");

pub(crate) static DOORS_BEFORE: Statement =
    Statement::new("SELECT CAST(count(*) AS TEXT) FROM doors WHERE generation < $1 AND seen_at > {now} - $2");

#[derive(Deserialize)]
struct Row {
    number: u32,
    partitions: u32,
    stage: Stage,
    stage_seconds: i64,
    read: u32,
}

impl SqlStore {
    /// Makes the first generation, with so many partitions a lane, where there is none yet.
    ///
    /// # Errors
    /// The database is away.
    pub async fn begin_generations(&self, partitions: u32) -> Result<(), StoreError> {
        self.within(self.tell(&FIRST, vec![Arg::from(partitions)])).await.map(|_| ())
    }

    /// Makes the next generation, with so many partitions a lane: its number, or `None` while a change before is under way.
    ///
    /// # Errors
    /// The database is away.
    pub async fn next_generation(&self, partitions: u32) -> Result<Option<u32>, StoreError> {
        let made = async { sql::one(&mut *self.writer().await?, self.text(&NEXT), vec![Arg::from(partitions)]).await };
        self.within(made).await
    }

    /// The generations whose queues may still be there, oldest first. Calls go into the last.
    ///
    /// # Errors
    /// The database is away; the installation never started.
    pub async fn generations(&self) -> Result<Vec<Generation>, StoreError> {
        let asked = async {
            let rows: Vec<Row> =
                sql::many(&mut *self.plain_reader().await?, self.text(&GENERATIONS), Vec::new()).await?;
            Ok(rows.into_iter().map(Generation::from).collect())
        };
        self.within(asked).await
    }

    /// Takes a generation from the stage before to this one; `false` where it was not there.
    ///
    /// # Errors
    /// The database is away.
    pub async fn to_stage(&self, generation: u32, stage: Stage) -> Result<bool, StoreError> {
        let Some(before) = stage.before() else { return Ok(false) };
        let args = vec![Arg::from(generation), Arg::from(stage.as_str()), Arg::from(before.as_str())];
        let moved = self.within(self.tell(&STAGE, args)).await?;
        if moved && stage == Stage::Gone {
            self.within(self.tell(&FORGET_ENDS, vec![Arg::from(generation)])).await?;
        }
        Ok(moved)
    }

    /// Notes that a partition was read to its end: every call in it is settled.
    ///
    /// # Errors
    /// The database is away.
    pub async fn note_end(&self, generation: u32, lane: Lane, partition: u32) -> Result<(), StoreError> {
        let args = vec![Arg::from(generation), Arg::from(parked::lane(lane)), Arg::from(partition)];
        self.within(self.tell(&END, args)).await.map(|_| ())
    }

    /// Takes a generation to [`Stage::Read`] once every partition of it was read to its end; `false` while one is missing.
    ///
    /// # Errors
    /// The database is away.
    pub async fn finish_reading(&self, generation: u32) -> Result<bool, StoreError> {
        self.within(self.tell(&READ, vec![Arg::from(generation)])).await
    }

    /// A door's sign of life, with the oldest generation it may still send a call into.
    ///
    /// # Errors
    /// The database is away.
    pub async fn beat_door(&self, door: &str, generation: u32) -> Result<(), StoreError> {
        self.within(self.tell(&DOOR, vec![Arg::from(door), Arg::from(generation)])).await.map(|_| ())
    }

    /// Takes a door off the list.
    ///
    /// # Errors
    /// The database is away.
    pub async fn leave_door(&self, door: &str) -> Result<(), StoreError> {
        self.within(self.tell(&DOOR_LEAVES, vec![Arg::from(door)])).await.map(|_| ())
    }

    /// Doors alive that may still send a call into a generation before this one.
    ///
    /// # Errors
    /// The database is away.
    pub async fn doors_before(&self, generation: u32) -> Result<u64, StoreError> {
        let asked = async {
            let args = vec![Arg::from(generation), Arg::Number(ALIVE)];
            let doors: Option<u64> = sql::one(&mut *self.plain_reader().await?, self.text(&DOORS_BEFORE), args).await?;
            Ok(doors.unwrap_or_default())
        };
        self.within(asked).await
    }

    /// Runs a statement over rows of nobody; whether it touched one.
    async fn tell(&self, statement: &'static Statement, args: Vec<Arg>) -> Result<bool, StoreError> {
        Ok(sql::execute(&mut *self.writer().await?, self.text(statement), args).await? > 0)
    }
}

impl From<Row> for Generation {
    fn from(row: Row) -> Self {
        let Row { number, partitions, stage, stage_seconds, read } = row;
        Self { number, partitions, stage, stage_seconds: u64::try_from(stage_seconds).unwrap_or_default(), read }
    }
}
