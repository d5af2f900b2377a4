//! Swapping a reprocessing run in and out: which calls count is written down, one scope a transaction, and what they said is judged
//! again. A call counts while it is not forgotten and no run keeps it aside, so forgetting, deleting and swapping do not know of each
//! other, and any order of them leads to what the calls that count alone give.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::evidence::{Origin, Source};
use recall_core::id::BatchId;
use recall_core::turn::TurnId;
use serde::Deserialize;
use serde_json::json;
use sqlx::AnyConnection;

use super::forget::SAID_BY;
use super::ground::{self, Ground, Noted, insert};
use super::{complete, names, places, rejudge, unit};
use crate::commit::AsideRow;
use crate::deed::{Deed, Execution, Repaired};
use crate::dialect::Statement as Sql;
use crate::fence::Reach;
use crate::sql::{self, Arg};
use crate::swap::{Standing, Swap};
use crate::{SqlStore, StoreError};

/// The scopes of a run: its calls there, how many of them wait, and how many calls it took the place of.
pub(crate) static SCOPES: Sql = Sql::new(
    "SELECT CAST({object}('scope_id', c.scope_id, 'calls', count(*), 'waiting', count(a.trace_id),
        'replaced', (SELECT count(*) FROM calls_aside o WHERE o.scope_id = c.scope_id AND o.batch = $1
            AND NOT EXISTS (SELECT 1 FROM staged_calls own WHERE own.trace_id = o.trace_id AND own.batch = $1))) AS TEXT)
    FROM staged_calls c LEFT JOIN calls_aside a ON a.trace_id = c.trace_id AND a.batch = c.batch
    WHERE c.batch = $1 AND c.namespace = $2 GROUP BY c.scope_id ORDER BY c.scope_id",
);

/// The calls of a run in a scope, with the turns they read.
pub(crate) static CALLS: Sql = Sql::new(
    "SELECT CAST({object}('trace', c.trace_id, 'session_pk', c.session_pk, 'turns', {json}(c.turn_ids)) AS TEXT)
    FROM staged_calls c WHERE c.scope_id = $1 AND c.batch = $2",
);

/// What the other calls of a scope cite. Calls of runs that wait are none, and what people told or kept word by word no run reads again.
pub(crate) static OTHERS: Sql = Sql::new(
    "SELECT CAST({object}('trace', t.trace_id, 'session_pk', r.session_pk,
        'sources', {json}(t.said -> 'provenance' -> 'sources')) AS TEXT)
    FROM runs r JOIN statements t ON t.trace_id = r.trace_id LEFT JOIN extractors x ON x.extractor = r.extractor
    WHERE r.scope_id = $1 AND coalesce(x.provider, '') NOT IN ('literal', 'restated')
        AND NOT EXISTS (SELECT 1 FROM staged_calls c WHERE c.trace_id = r.trace_id AND (c.batch = $2
            OR EXISTS (SELECT 1 FROM calls_aside a WHERE a.trace_id = c.trace_id AND a.batch = c.batch)))",
);

/// The calls a run took the place of in a scope.
pub(crate) static REPLACED: Sql = Sql::new(
    "SELECT CAST({object}('trace', a.trace_id) AS TEXT) FROM calls_aside a WHERE a.scope_id = $1 AND a.batch = $2
        AND NOT EXISTS (SELECT 1 FROM staged_calls c WHERE c.trace_id = a.trace_id AND c.batch = $2)",
);

pub(crate) static COUNT_AGAIN: Sql = Sql::new("DELETE FROM calls_aside WHERE scope_id = $1 AND trace_id {in texts $2}");

pub(crate) static END_PLACES: Sql = Sql::new("DELETE FROM calls_aside WHERE scope_id = $1 AND batch = $2");

/// What was forgotten by name while the run told it stays so where a call that counts again tells it.
pub(crate) static STAY_FORGOTTEN: Sql = Sql::new(
    "UPDATE memories SET gone = 'forgotten' WHERE scope_id = $1 AND gone IS NULL AND memory_id {in texts $3}
        AND EXISTS (SELECT 1 FROM memories n JOIN statements t ON t.memory_id = n.memory_id
            JOIN staged_calls c ON c.trace_id = t.trace_id WHERE c.batch = $2 AND n.scope_id = $1 AND n.gone = 'forgotten'
            AND n.memory_id <> memories.memory_id AND n.subject_id = memories.subject_id
            AND n.claim_key = memories.claim_key AND n.occurrence = memories.occurrence)
    RETURNING CAST({object}('memory', memory_id) AS TEXT)",
);

/// A scope of a run.
#[derive(Debug, Deserialize)]
pub(crate) struct Place {
    scope_id: i64,
    calls: u64,
    waiting: u64,
    replaced: u64,
}

impl Place {
    /// Whether it stands otherwise than it would be moved to. A call that came late makes a scope move again.
    fn is_to_move(&self, way: Swap) -> bool {
        match way {
            Swap::In => self.waiting > 0,
            Swap::Out => self.waiting < self.calls,
        }
    }
}

#[derive(Deserialize)]
struct Staged {
    trace: String,
    session_pk: i64,
    turns: Vec<TurnId>,
}

#[derive(Deserialize)]
struct Other {
    trace: String,
    session_pk: i64,
    sources: Option<Vec<Source>>,
}

#[derive(Deserialize)]
struct Traced {
    trace: String,
}

#[derive(Deserialize)]
struct Remembered {
    memory: String,
}

/// The scopes of a run, as they stand.
pub(crate) async fn places(store: &SqlStore, (namespace, run): (&str, &BatchId)) -> Result<Vec<Place>, StoreError> {
    let args = vec![Arg::from(run.as_str()), Arg::from(namespace)];
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let places: Vec<Place> = sql::many(&mut connection, store.text(&SCOPES), args).await?;
    if places.is_empty() { Err(StoreError::Missing("run that stands beside what is remembered")) } else { Ok(places) }
}

/// How far a run is.
pub(crate) fn standing(places: &[Place]) -> Standing {
    places.iter().fold(Standing::default(), |sum, place| Standing {
        calls: sum.calls + place.calls,
        scopes: sum.scopes + 1,
        swapped: sum.swapped + u64::from(place.waiting == 0),
        replaced: sum.replaced + place.replaced,
    })
}

/// The scopes that are to be moved.
pub(crate) async fn to_move(
    store: &SqlStore,
    (namespace, run): (&str, &BatchId),
    way: Swap,
) -> Result<Vec<i64>, StoreError> {
    let places = places(store, (namespace, run)).await?;
    if way == Swap::In {
        complete::check(store, (namespace, run)).await?;
    }
    Ok(places.iter().filter(|place| place.is_to_move(way)).map(|place| place.scope_id).collect())
}

/// Moves a run in one scope, in one transaction.
pub(crate) async fn scope(
    store: &SqlStore,
    (namespace, run, scope_id): (&str, &BatchId, i64),
    (way, execution): (Swap, Execution),
    deed: &Deed,
) -> Result<Repaired, StoreError> {
    let mut work = store.begin(Reach::Tenant(namespace)).await?;
    let mut ground = ground::lock(store, &mut work, scope_id, deed).await?;
    let (own, others) = match way {
        Swap::In => swap_in(store, &mut work, &mut ground, run).await?,
        Swap::Out => swap_out(store, &mut work, &mut ground, run).await?,
    };
    let (event, counting) = match way {
        Swap::In => ("swap", &own),
        Swap::Out => ("rollback", &others),
    };
    let moved: BTreeSet<&String> = own.iter().chain(&others).collect();
    for trace in &moved {
        let after = Some(json!({ "run": run, "counts": counting.contains(trace.as_str()) }));
        ground.note(Noted { event, trace: Some(trace.as_str()), after, ..Noted::default() });
    }
    let seeds = said_by(store, &mut work, &ground, &moved).await?;
    let mut repaired = judged(store, &mut work, (&mut ground, run), (way, &seeds, event)).await?;
    repaired.traces = moved.len() as u64;
    ground.close(store, &mut work).await?;
    match execution {
        Execution::Real => work.commit().await?,
        Execution::DryRun => work.rollback().await?,
    }
    Ok(repaired)
}

/// Judges what calls said again.
async fn judged(
    store: &SqlStore,
    work: &mut AnyConnection,
    (ground, run): (&mut Ground, &BatchId),
    (way, seeds, event): (Swap, &BTreeSet<String>, &str),
) -> Result<Repaired, StoreError> {
    if seeds.is_empty() {
        return Ok(Repaired::default());
    }
    let places = match way {
        Swap::In => Vec::new(),
        Swap::Out => places::take(store, work, ground, run).await?,
    };
    let mut unit = unit::load(store, work, ground, seeds).await?;
    unit.places = places;
    let plan = rejudge::plan(store, work, ground, unit).await?;
    if way == Swap::In {
        places::note(store, work, (ground, run), plan.moved_places()).await?;
    }
    plan.write(store, work, ground, event).await?;
    plan.summary()
}

/// The run's calls, and those it took the place of.
type Moved = (BTreeSet<String>, BTreeSet<String>);

async fn swap_in(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &mut Ground,
    run: &BatchId,
) -> Result<Moved, StoreError> {
    let staged = calls(store, work, ground, run).await?;
    let read: BTreeSet<(i64, &TurnId)> =
        staged.iter().flat_map(|call| call.turns.iter().map(|turn| (call.session_pk, turn))).collect();
    let args = vec![Arg::Number(ground.scope_id), Arg::from(run.as_str())];
    let said: Vec<Other> = sql::many(work, store.text(&OTHERS), args).await?;
    let mut covered: BTreeMap<&str, bool> = BTreeMap::new();
    for other in &said {
        let cited = other.sources.iter().flatten().filter(|source| source.origin == Origin::Call);
        for source in cited {
            let here = read.contains(&(other.session_pk, &source.turn_id));
            covered.entry(&other.trace).and_modify(|all| *all &= here).or_insert(here);
        }
    }
    let others: BTreeSet<String> =
        covered.into_iter().filter(|(_, covered)| *covered).map(|(trace, _)| trace.to_owned()).collect();
    let own: BTreeSet<String> = staged.into_iter().map(|call| call.trace).collect();
    let args = vec![Arg::Number(ground.scope_id), sql::json(&own)?];
    sql::execute(work, store.text(&COUNT_AGAIN), args).await?;
    set_aside(store, work, (ground, run), &others).await?;
    names::settle(store, work, ground).await?;
    Ok((own, others))
}

async fn swap_out(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &mut Ground,
    run: &BatchId,
) -> Result<Moved, StoreError> {
    let own: BTreeSet<String> = calls(store, work, ground, run).await?.into_iter().map(|call| call.trace).collect();
    let args = || vec![Arg::Number(ground.scope_id), Arg::from(run.as_str())];
    let others: Vec<Traced> = sql::many(work, store.text(&REPLACED), args()).await?;
    let others: BTreeSet<String> = others.into_iter().map(|replaced| replaced.trace).collect();
    sql::execute(work, store.text(&END_PLACES), args()).await?;
    set_aside(store, work, (ground, run), &own).await?;
    let told = said_by(store, work, ground, &others.iter().collect()).await?;
    let args = vec![Arg::Number(ground.scope_id), Arg::from(run.as_str()), sql::json(&told)?];
    let forgotten: Vec<Remembered> = sql::many(work, store.text(&STAY_FORGOTTEN), args).await?;
    for Remembered { memory } in &forgotten {
        let after = Some(json!({ "gone": "forgotten", "run": run }));
        ground.note(Noted { event: "forget", memory: Some(memory), after, ..Noted::default() });
    }
    names::settle(store, work, ground).await?;
    Ok((own, others))
}

async fn calls(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    run: &BatchId,
) -> Result<Vec<Staged>, StoreError> {
    sql::many(work, store.text(&CALLS), vec![Arg::Number(ground.scope_id), Arg::from(run.as_str())]).await
}

async fn set_aside(
    store: &SqlStore,
    work: &mut AnyConnection,
    (ground, run): (&Ground, &BatchId),
    traces: &BTreeSet<String>,
) -> Result<(), StoreError> {
    let row = |trace: &String| AsideRow {
        trace_id: trace.clone(),
        batch: run.as_str().to_owned(),
        scope_id: ground.scope_id,
    };
    insert(store, work, &traces.iter().map(row).collect::<Vec<_>>()).await
}

async fn said_by(
    store: &SqlStore,
    work: &mut AnyConnection,
    ground: &Ground,
    traces: &BTreeSet<&String>,
) -> Result<BTreeSet<String>, StoreError> {
    let args = vec![Arg::Number(ground.scope_id), sql::json(traces)?];
    let said: Vec<Remembered> = sql::many(work, store.text(&SAID_BY), args).await?;
    Ok(said.into_iter().map(|said| said.memory).collect())
}
