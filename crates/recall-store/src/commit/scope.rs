//! The ground a commit stands on: scope and session locked, and what others changed since the run was judged.

use std::collections::BTreeSet;

use recall_core::effect::{Changes, Effect};
use recall_core::run::Run;
use recall_core::scope::Owner;
use recall_core::settings::{SessionIds, Settings, TurnIds};
use recall_core::turn::TurnId;
use serde::Deserialize;
use sqlx::{AnyConnection, AssertSqlSafe};

use super::work::Work;
use super::write::texts;
use crate::batches::state;
use crate::dialect::Statement;
use crate::repair::erase;
use crate::rows::MemoryRow;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError, bindings};

/// How long the window of a session is kept after its last call.
const WINDOW_MICROSECONDS: i64 = 24 * 3600 * 1_000_000;

pub(crate) static RUN_IS_THERE: Statement =
    Statement::new("SELECT CAST(count(*) AS TEXT) FROM runs WHERE trace_id = $1");

/// Memories the run changes, and those of its attributes and claims that changed since it was judged.
pub(crate) static TOUCHED: Statement = Statement::new(
    "SELECT CAST({object}('row', {row m memories},
        'sources', {json}((SELECT {array}({object}('session_pk', s.session_pk, 'turn_id', s.turn_id) ORDER BY s.ordinal)
            FROM sources s WHERE s.memory_id = m.memory_id AND s.withdrawn = 0)),
        'next', (SELECT coalesce(max(s.ordinal) + 1, 0) FROM sources s WHERE s.memory_id = m.memory_id)) AS TEXT)
    FROM memories m WHERE m.scope_id = $1 AND (m.memory_id {in texts $2}
        OR (m.changed_revision > $3 AND (m.attribute {in texts $4} OR m.claim_key {in texts $5})))",
);

pub(crate) static HELD: Statement = Statement::new(
    "SELECT CAST(count(*) AS TEXT) FROM bindings b WHERE b.namespace = $1
        AND ((b.kind = 'turn' AND b.id {in texts $2} AND b.holder <> $3)
            OR (b.kind = 'session' AND b.id = $4 AND b.holder <> $5))",
);

/// Scope and session of a run, locked.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) scope_id: i64,
    /// The revision this commit makes.
    pub(super) revision: i64,
    epoch: i64,
    /// The database's clock, in microseconds: one instant for all rows of the commit.
    pub(super) now: i64,
    pub(super) settings: Settings,
    /// The person was erased after the call was accepted.
    pub(super) erased: bool,
    pub(super) session_pk: i64,
    /// The version this commit makes.
    pub(super) session_version: i64,
}

/// A memory that is there, with the turns it rests on.
#[derive(Debug, Deserialize)]
pub(super) struct Touched {
    pub(super) row: MemoryRow,
    pub(super) sources: Option<Vec<Cited>>,
    /// The ordinal of its next source.
    pub(super) next: i64,
}

/// A turn a memory rests on.
#[derive(Debug, Deserialize)]
pub(super) struct Cited {
    pub(super) session_pk: i64,
    pub(super) turn_id: TurnId,
}

#[derive(Deserialize)]
struct ScopeRow {
    scope_id: i64,
    revision: i64,
    epoch: i64,
    now: i64,
    settings: Option<Settings>,
    erased: i64,
}

#[derive(Deserialize)]
struct SessionRow {
    session_pk: i64,
    version: i64,
}

impl Ground {
    /// Whether the scope was judged on another epoch, on a snapshot this scope never had, or on one that should not have moved.
    pub(super) fn is_stale(&self, run: &Run) -> bool {
        self.epoch > run.epoch || run.epoch >= self.revision || (run.unmoved && self.revision > run.epoch + 1)
    }

    /// Ids of turns and sessions are nobody's own in this namespace.
    pub(super) fn binds_nothing(&self) -> bool {
        self.settings.turn_ids == TurnIds::PerSession && self.settings.session_ids == SessionIds::PerUser
    }
}

/// Locks scope and session of a run and moves both on.
pub(super) async fn lock(store: &SqlStore, work: &mut Work<'_>, run: &Run) -> Result<Ground, StoreError> {
    let scope = &run.call.scope;
    let (kind, owner) = match scope.owner() {
        Owner::User(id) => ("user", id),
        Owner::Account(id) => ("account", id),
    };
    let mut args = vec![
        Arg::Text(scope.key()),
        Arg::from(scope.namespace()),
        Arg::from(kind),
        Arg::from(owner.as_str()),
        Arg::from(scope.agent_id().unwrap_or_default()),
        sql::json(&erase::owner_hashes(&store.keys, scope))?,
        Arg::Number(run.call.erasable_since()),
    ];
    let texts = texts(store.dialect);
    let nothing = || StoreError::Corrupt("upsert without a row".into());
    let (scope, session) = match &run.call.batch {
        Some(batch) => {
            let text = AssertSqlSafe(work.first(&texts.scope));
            // Of a text of several statements the first alone would be asked for one row.
            let scopes: Vec<ScopeRow> = sql::many(work, text, args).await?;
            let scope = scopes.into_iter().next().ok_or_else(nothing)?;
            let (session_pk, version) = state::lock(store, work, (run, batch), (scope.scope_id, scope.now)).await?;
            (scope, SessionRow { session_pk, version })
        }
        None => {
            args.extend(live_session(run)?);
            let text = AssertSqlSafe(work.first(&texts.live));
            sql::first_and_last(work, text, args).await?.ok_or_else(nothing)?
        }
    };
    Ok(Ground {
        scope_id: scope.scope_id,
        revision: scope.revision,
        epoch: scope.epoch,
        now: scope.now,
        settings: scope.settings.unwrap_or_else(|| store.defaults.clone()),
        erased: scope.erased > 0,
        session_pk: session.session_pk,
        session_version: session.version,
    })
}

/// What the row of a live call's session becomes.
fn live_session(run: &Run) -> Result<[Arg; 4], StoreError> {
    // A call without a session is a session of its own: nobody will ask for its window.
    let (window, ring) = match run.call.session_id {
        Some(_) => (sql::json(&run.window)?, sql::json(&run.ring)?),
        None => (Arg::Json("[]".into()), Arg::Json("[]".into())),
    };
    Ok([Arg::from(run.call.session()), window, ring, Arg::Number(WINDOW_MICROSECONDS)])
}

/// Whether the run of this trace was committed.
pub(super) async fn run_is_there(store: &SqlStore, work: &mut AnyConnection, run: &Run) -> Result<bool, StoreError> {
    let args = vec![Arg::from(run.call.trace_id.as_str())];
    let count: Option<i64> = sql::one(work, store.text(&RUN_IS_THERE), args).await?;
    Ok(count.unwrap_or_default() > 0)
}

/// The memories the run changes, as they are. [`StoreError::Stale`] where one of them, or one that claims something of the
/// same attribute, changed after the snapshot the run was judged on.
pub(super) async fn touched(
    store: &SqlStore,
    work: &mut AnyConnection,
    run: &Run,
    ground: &Ground,
) -> Result<Vec<Touched>, StoreError> {
    let reach = Reach::of(&run.changes);
    let moved = ground.revision > run.epoch + 1;
    if reach.memories.is_empty() && (reach.attributes.is_empty() || !moved) {
        return Ok(Vec::new());
    }
    let args = vec![
        Arg::Number(ground.scope_id),
        sql::json(&reach.memories)?,
        Arg::Number(run.epoch),
        sql::json(&reach.attributes)?,
        sql::json(&reach.claims)?,
    ];
    let touched: Vec<Touched> = sql::many(work, store.text(&TOUCHED), args).await?;
    if touched.iter().any(|memory| memory.row.changed_revision > run.epoch) {
        return Err(StoreError::Stale);
    }
    Ok(touched)
}

/// What a run reaches beyond its own rows.
struct Reach<'a> {
    memories: BTreeSet<&'a str>,
    attributes: BTreeSet<&'a str>,
    claims: BTreeSet<String>,
}

impl<'a> Reach<'a> {
    fn of(changes: &'a Changes) -> Self {
        let (mut memories, mut attributes, mut claims) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for effect in &changes.effects {
            match effect {
                Effect::Insert { memory, .. } => {
                    attributes.insert(memory.attribute.as_str());
                    claims.extend(memory.claim_key.and_opposite().map(|key| key.0));
                }
                Effect::AddSources { memory_id, .. } | Effect::Activate { memory_id } => {
                    memories.insert(memory_id.as_str());
                }
                Effect::Supersede { memory_id, by: other, .. } | Effect::Dispute { memory_id, with: other } => {
                    memories.extend([memory_id.as_str(), other.as_str()]);
                }
            }
        }
        Self { memories, attributes, claims }
    }
}

/// In namespaces whose ids are unique: [`StoreError::Stale`] where another scope bound a cited turn, or another owner the
/// session, since the run was judged.
pub(super) async fn still_bound_here(
    store: &SqlStore,
    work: &mut AnyConnection,
    run: &Run,
    ground: &Ground,
) -> Result<(), StoreError> {
    if ground.binds_nothing() {
        return Ok(());
    }
    let cited: BTreeSet<&str> = run.changes.effects.iter().flat_map(cited_turns).map(TurnId::as_str).collect();
    if cited.is_empty() {
        return Ok(());
    }
    let scope = &run.call.scope;
    let args = vec![
        Arg::from(scope.namespace()),
        sql::json(&cited)?,
        Arg::Text(scope.key()),
        Arg::from(run.call.session()),
        Arg::Text(bindings::owner(scope)),
    ];
    let held: Option<i64> = sql::one(work, store.text(&HELD), args).await?;
    if held.unwrap_or_default() > 0 { Err(StoreError::Stale) } else { Ok(()) }
}

fn cited_turns(effect: &Effect) -> Vec<&TurnId> {
    let sources = match effect {
        Effect::Insert { memory, .. } => &memory.provenance.sources,
        Effect::AddSources { sources, .. } => sources,
        Effect::Supersede { .. } | Effect::Dispute { .. } | Effect::Activate { .. } => return Vec::new(),
    };
    sources.iter().map(|source| &source.turn_id).collect()
}
