//! The ground a commit stands on: scope and session locked, and what others changed since the run was judged.

use std::collections::BTreeSet;

use recall_core::effect::{Changes, Effect};
use recall_core::run::Run;
use recall_core::scope::Owner;
use recall_core::settings::{SessionIds, Settings, TurnIds};
use recall_core::turn::TurnId;
use serde::Deserialize;
use sqlx::AnyConnection;

use crate::batches::state;
use crate::dialect::Statement;
use crate::repair::erase;
use crate::rows::MemoryRow;
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError, bindings};

/// How long the window of a session is kept after its last call.
const WINDOW_MICROSECONDS: i64 = 24 * 3600 * 1_000_000;

/// Makes or moves the scope's row, which locks it: commits of one scope follow each other. Says whether the owner was erased since the call
/// was accepted, too; that it is still so at the end is kept by the lock on the owner taken before.
pub(crate) static SCOPE: Statement = Statement::new(
    "INSERT INTO scopes (key, namespace, owner_kind, owner, agent, revision, created_at)
    VALUES ($1, $2, $3, $4, $5, 1, {now})
    ON CONFLICT (key) DO UPDATE SET revision = scopes.revision + 1
    RETURNING CAST({object}('scope_id', scope_id, 'revision', revision, 'epoch', epoch, 'now', {now},
        'settings', (SELECT {json}(n.settings) FROM namespaces n WHERE n.namespace = $2),
        'erased', (SELECT count(*) FROM erasures e WHERE e.owner_hash {in texts $6} AND e.erased_at >= $7)) AS TEXT)",
);

pub(crate) static SESSION: Statement = Statement::new(
    "INSERT INTO sessions (scope_id, session_id, version, last_turns, ring, window_expires, created_at)
    VALUES ($1, $2, 1, {document $3}, {document $4}, $5, $6)
    ON CONFLICT (scope_id, session_id) DO UPDATE SET version = sessions.version + 1,
        last_turns = excluded.last_turns, ring = excluded.ring, window_expires = excluded.window_expires
    RETURNING CAST({object}('session_pk', session_pk, 'version', version) AS TEXT)",
);

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
    /// Whether the scope was judged on another epoch, or on a snapshot this scope never had.
    pub(super) fn is_stale(&self, run: &Run) -> bool {
        self.epoch > run.epoch || run.epoch >= self.revision
    }
}

/// Locks scope and session of a run and moves both on.
pub(super) async fn lock(store: &SqlStore, work: &mut AnyConnection, run: &Run) -> Result<Ground, StoreError> {
    let scope = &run.call.scope;
    let (kind, owner) = match scope.owner() {
        Owner::User(id) => ("user", id),
        Owner::Account(id) => ("account", id),
    };
    let args = vec![
        Arg::Text(scope.key()),
        Arg::from(scope.namespace()),
        Arg::from(kind),
        Arg::from(owner.as_str()),
        Arg::from(scope.agent_id().unwrap_or_default()),
        sql::json(&erase::owner_hashes(&store.keys, scope))?,
        Arg::Number(run.call.erasable_since()),
    ];
    let nothing = || StoreError::Corrupt("upsert without a row".into());
    let scope: ScopeRow = sql::one(work, store.text(&SCOPE), args).await?.ok_or_else(nothing)?;
    let (session_pk, session_version) = match &run.call.batch {
        Some(batch) => state::lock(store, work, (run, batch), (scope.scope_id, scope.now)).await?,
        None => {
            let live = live_session(store, work, run, &scope).await?;
            (live.session_pk, live.version)
        }
    };
    Ok(Ground {
        scope_id: scope.scope_id,
        revision: scope.revision,
        epoch: scope.epoch,
        now: scope.now,
        settings: scope.settings.unwrap_or_else(|| store.defaults.clone()),
        erased: scope.erased > 0,
        session_pk,
        session_version,
    })
}

/// Locks the session of a live call and moves it on.
async fn live_session(
    store: &SqlStore,
    work: &mut AnyConnection,
    run: &Run,
    scope: &ScopeRow,
) -> Result<SessionRow, StoreError> {
    // A call without a session is a session of its own: nobody will ask for its window.
    let (window, ring) = match run.call.session_id {
        Some(_) => (sql::json(&run.window)?, sql::json(&run.ring)?),
        None => (Arg::Json("[]".into()), Arg::Json("[]".into())),
    };
    let args = vec![
        Arg::Number(scope.scope_id),
        Arg::from(run.call.session()),
        window,
        ring,
        Arg::Number(scope.now.saturating_add(WINDOW_MICROSECONDS)),
        Arg::Number(scope.now),
    ];
    let nothing = || StoreError::Corrupt("upsert without a row".into());
    sql::one(work, store.text(&SESSION), args).await?.ok_or_else(nothing)
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
    let settings = &ground.settings;
    if settings.turn_ids == TurnIds::PerSession && settings.session_ids == SessionIds::PerUser {
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
