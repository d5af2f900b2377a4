//! The session before a call, in one statement: what the worker must know before it asks a model.

use std::collections::BTreeSet;

use recall_core::call::Call;
use recall_core::settings::{SessionIds, Settings, TurnIds};
use recall_core::turn::{Turn, TurnId};
use recall_core::window::{Earlier, RingTurn, Window};
use serde::Deserialize;

use crate::batches::BatchStatus;
use crate::dialect::Statement;
use crate::fence::Reach;
use crate::repair::{erase, speakers};
use crate::sql::{self, Arg};
use crate::{SqlStore, StoreError, bindings, hashes};

/// What a call must know; how its session stands, and what more there is of a known turn and of its run, is told by the pieces.
macro_rules! window {
    ($session:literal, $turn:literal, $run:literal) => {
        concat!(
            "SELECT CAST({object}(
        'settings', (SELECT {json}(n.settings) FROM namespaces n WHERE n.namespace = $1),
        'revision', (SELECT c.revision FROM scopes c WHERE c.key = $2),
        'session', (SELECT {object}(",
            $session,
            " WHERE c.key = $2 AND s.session_id = $3),
        'known', (SELECT {array}({object}('id', t.turn_id, 'hash', t.content_hash, 'key', t.hash_key",
            $turn,
            "))
            FROM scopes c JOIN sessions s ON s.scope_id = c.scope_id JOIN turns t ON t.session_pk = s.session_pk
            WHERE c.key = $2 AND s.session_id = $3 AND t.turn_id {in texts $4}),
        'run', (SELECT {object}('hash', r.call_hash, 'key', r.hash_key) FROM runs r WHERE r.trace_id = $5),
        'erased', (SELECT count(*) FROM erasures e WHERE e.owner_hash {in texts $8} AND e.erased_at >= $9),
        'ahead', (SELECT count(*) FROM parked p WHERE p.session_key = $6
            AND p.seq < coalesce((SELECT own.seq FROM parked own WHERE own.trace_id = $5), 9223372036854775807)),
        'bound', (SELECT {array}({object}('kind', b.kind, 'id', b.id)) FROM bindings b WHERE b.namespace = $1
            AND ((b.kind = 'turn' AND b.id {in texts $4} AND b.holder <> $2)
                OR (b.kind = 'session' AND b.id = $3 AND b.holder <> $7)))",
            $run,
            ") AS TEXT)"
        )
    };
}

pub(crate) static WINDOW: Statement = Statement::new(window!(
    "'version', s.version, 'turns', CASE WHEN s.window_expires > {now} THEN {json}(s.last_turns) END,
        'ring', CASE WHEN s.window_expires > {now} THEN {json}(s.ring) END)
        FROM scopes c JOIN sessions s ON s.scope_id = c.scope_id",
    "",
    ""
));

/// The same of a call of a reprocessing run, which knows what the run itself has read.
pub(crate) static WINDOW_OF_BATCH: Statement = Statement::new(window!(
    "'version', o.version, 'turns', {json}(o.last_turns), 'ring', {json}(o.ring))
        FROM scopes c JOIN sessions s ON s.scope_id = c.scope_id
        JOIN batch_sessions o ON o.session_pk = s.session_pk AND o.batch_id = $10",
    ", 'read', (SELECT count(*) FROM batch_turns o
        WHERE o.batch_id = $10 AND o.session_pk = t.session_pk AND o.turn_id = t.turn_id)",
    ", 'batch', (SELECT o.status FROM batches o WHERE o.namespace = $1 AND o.batch_id = $10)"
));

#[derive(Deserialize)]
struct Answer {
    settings: Option<Settings>,
    revision: Option<i64>,
    session: Option<Session>,
    known: Option<Vec<Known>>,
    run: Option<Hashed>,
    erased: i64,
    ahead: i64,
    bound: Option<Vec<Bound>>,
    batch: Option<BatchStatus>,
}

#[derive(Deserialize)]
struct Session {
    version: i64,
    turns: Option<Vec<Turn>>,
    ring: Option<Vec<RingTurn>>,
}

#[derive(Deserialize)]
struct Known {
    id: TurnId,
    hash: String,
    key: String,
    /// Calls of the same kind have read it: live ones, or those of the run.
    #[serde(default = "once")]
    read: u32,
}

fn once() -> u32 {
    1
}

#[derive(Deserialize)]
struct Hashed {
    hash: String,
    key: String,
}

#[derive(Deserialize)]
struct Bound {
    kind: bindings::Kind,
    id: String,
}

/// The session before a call. Makes rows for nothing.
pub(crate) async fn window(store: &SqlStore, call: &Call) -> Result<Window, StoreError> {
    let ids: BTreeSet<&str> = call.turns.iter().chain(call.before()).map(|turn| turn.id.as_str()).collect();
    let mut args = vec![
        Arg::from(call.scope.namespace()),
        Arg::Text(call.scope.key()),
        Arg::from(call.session()),
        sql::json(&ids)?,
        Arg::from(call.trace_id.as_str()),
        Arg::Text(call.session_key()),
        Arg::Text(bindings::owner(&call.scope)),
        sql::json(&erase::owner_hashes(&store.keys, &call.scope))?,
        Arg::Number(call.erasable_since()),
    ];
    let statement = match &call.batch {
        None => &WINDOW,
        Some(batch) => {
            args.push(Arg::from(batch.id.as_str()));
            &WINDOW_OF_BATCH
        }
    };
    let answer: Option<Answer> = store.one_of_tenant(statement, call.scope.namespace(), args).await?;
    let answer = answer.ok_or_else(|| StoreError::Corrupt("window without a row".into()))?;
    let erased = match speakers::of(call).is_empty() {
        true => Vec::new(),
        false => {
            let mut connection = store.reader(Reach::Tenant(call.scope.namespace())).await?;
            speakers::erased_turns(store, &mut connection, call).await?
        }
    };
    Ok(assemble(store, call, answer, erased))
}

fn assemble(store: &SqlStore, call: &Call, answer: Answer, erased: Vec<TurnId>) -> Window {
    let settings = answer.settings.unwrap_or_else(|| store.defaults.clone());
    let session = answer.session.unwrap_or(Session { version: 0, turns: None, ring: None });
    let mut window = Window {
        version: session.version,
        scope_revision: answer.revision.unwrap_or_default(),
        earlier: match answer.run {
            // What is done is done, also for a person who was erased after it.
            Some(run) if call.batch.is_some() => committed(store, call, &run, &erased),
            _ if answer.erased > 0 => Earlier::Erased,
            Some(run) => committed(store, call, &run, &erased),
            None if answer.batch == Some(BatchStatus::Cancelled) => Earlier::Cancelled,
            None if call.turns.iter().all(|turn| erased.contains(&turn.id)) => Earlier::Erased,
            None => Earlier::Nothing,
        },
        waiting: answer.ahead > 0,
        turns: session.turns.unwrap_or_default(),
        ring: session.ring.unwrap_or_default(),
        erased,
        ..Window::default()
    };
    let known = answer.known.unwrap_or_default();
    let before = before(store, call, &known, &window);
    for known in known {
        let Some(turn) = call.turns.iter().find(|turn| turn.id == known.id) else { continue };
        let read_before = || before.iter().any(|turn| turn.id == known.id);
        match hashes::compare(&store.keys, &call.scope, turn, &known.key, &known.hash) {
            hashes::Content::Same if known.read == 0 && !read_before() => {}
            hashes::Content::Same => window.seen.push(known.id),
            hashes::Content::Other => window.rewritten.push(known.id),
        }
    }
    for bound in answer.bound.unwrap_or_default() {
        match bound.kind {
            bindings::Kind::Session => window.session_bound_elsewhere |= settings.session_ids == SessionIds::Unique,
            bindings::Kind::Turn if settings.turn_ids == TurnIds::Unique => {
                window.bound_elsewhere.push(TurnId(bound.id));
            }
            bindings::Kind::Turn => {}
        }
    }
    // What the call says again stands in the call.
    let is_said_again = |turn: &Turn| call.turns.iter().any(|own| own.id == turn.id);
    window.before = before.into_iter().filter(|turn| !is_said_again(turn)).collect();
    window.settings = settings;
    window
}

/// What travels with a call of a run as said before it: as far as the run does not know it, and only what is stored in these words. Whoever
/// was erased meanwhile is in no turn of it.
fn before(store: &SqlStore, call: &Call, known: &[Known], window: &Window) -> Vec<Turn> {
    let last = window.ring.last().map(|turn| &turn.turn_id).or(window.turns.last().map(|turn| &turn.id));
    let fresh = call.before().iter().rposition(|turn| Some(&turn.id) == last).map_or(0, |at| at + 1);
    let is_stored = |turn: &&Turn| {
        let same = |known: &Known| {
            hashes::compare(&store.keys, &call.scope, turn, &known.key, &known.hash) == hashes::Content::Same
        };
        known.iter().any(|known| known.id == turn.id && same(known)) && !window.erased.contains(&turn.id)
    };
    call.before().iter().skip(fresh).filter(is_stored).cloned().collect()
}

/// Whether the run of this trace is this call, with the turns of people who were erased meanwhile or without them.
fn committed(store: &SqlStore, call: &Call, run: &Hashed, erased: &[TurnId]) -> Earlier {
    match hashes::earlier(&store.keys, call, &run.key, &run.hash) {
        Earlier::AnotherCall if !erased.is_empty() => {
            hashes::earlier(&store.keys, &call.clone().without(erased), &run.key, &run.hash)
        }
        earlier @ (Earlier::Nothing
        | Earlier::ThisCall
        | Earlier::AnotherCall
        | Earlier::Erased
        | Earlier::Cancelled) => earlier,
    }
}
