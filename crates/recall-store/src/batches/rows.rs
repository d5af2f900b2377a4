//! The statements about reprocessing runs, and how a row is read.

use recall_core::id::BatchId;
use recall_core::run::Usage;
use serde::Deserialize;
use serde_json::Value;

use super::{BatchRecord, BatchStatus};
use crate::StoreError;
use crate::dialect::Statement;
use crate::stored_memory::utc;

/// A run `b` as JSON, with what its calls came to so far.
macro_rules! batch_json {
    () => {
        "CAST({object}('id', b.batch_id, 'namespace', b.namespace, 'status', b.status, 'spec', {json}(b.spec),
            'archive_hash', b.archive_hash, 'calls', b.calls, 'turns', b.turns, 'settled', b.settled, 'known', b.known,
            'actor', b.actor, 'moved_by', b.moved_by, 'reason', b.reason, 'created_at', b.created_at, 'changed_at', b.changed_at, 'ended_at', b.ended_at,
            'sums', {json}((SELECT {object}('done', count(*), 'stored', coalesce(sum(r.stored_count), 0),
                'model_calls', coalesce(sum(r.model_calls), 0), 'prompt_tokens', coalesce(sum(r.prompt_tokens), 0),
                'completion_tokens', coalesce(sum(r.completion_tokens), 0), 'cost_micros', coalesce(sum(r.cost_micros), 0))
                FROM runs r WHERE r.batch_id = b.batch_id)),
            'dead', (SELECT count(*) FROM dead_letters d WHERE d.batch_id = b.batch_id),
            'dropped', (SELECT count(*) FROM call_events e WHERE e.batch_id = b.batch_id AND e.event = 'dropped')) AS TEXT)
        FROM batches b"
    };
}
pub(super) use batch_json;

pub(crate) static CREATE: Statement = Statement::new(
    "INSERT INTO batches (batch_id, namespace, status, spec, command_hash, archive_hash, calls, turns, actor, created_at, changed_at)
    VALUES ($1, $2, 'running', {document $3}, $4, $5, $6, $7, $8, {now}, {now})",
);

pub(crate) static FIND: Statement =
    Statement::new(concat!("SELECT ", batch_json!(), " WHERE b.namespace = $1 AND b.batch_id = $2"));

/// The unfinished run of a command.
pub(crate) static OPEN: Statement = Statement::new(concat!(
    "SELECT ",
    batch_json!(),
    " WHERE b.namespace = $1 AND b.command_hash = $2 AND b.ended_at IS NULL ORDER BY b.created_at DESC, b.batch_id DESC LIMIT 1"
));

pub(crate) static DONE: Statement = Statement::new(concat!(
    "SELECT ",
    batch_json!(),
    " WHERE b.namespace = $1 AND b.command_hash = $2 AND b.status = 'done' ORDER BY b.created_at DESC, b.batch_id DESC LIMIT 1"
));

/// What has ended stays as it is.
pub(crate) static MOVE: Statement = Statement::new(
    "UPDATE batches SET status = $3, moved_by = $4, reason = $5, changed_at = {now},
        ended_at = CASE WHEN $3 IN ('cancelled', 'done') THEN {now} END
    WHERE namespace = $1 AND batch_id = $2 AND ended_at IS NULL",
);

/// Never goes back: of two processes that feed one run the further one is right.
pub(crate) static CHECKPOINT: Statement = Statement::new(
    "UPDATE batches SET known = CASE WHEN settled < $3 THEN $4 ELSE known END,
        settled = CASE WHEN settled < $3 THEN $3 ELSE settled END, changed_at = {now}
    WHERE namespace = $1 AND batch_id = $2 RETURNING CAST({object}('status', status) AS TEXT)",
);

/// Which calls came to their end, and how. A letter or a drop of another run is none of this one.
pub(crate) static ENDINGS: Statement = Statement::new(
    "SELECT CAST({object}('trace', r.trace_id, 'how', CASE WHEN r.batch_id = $3 THEN 'done' ELSE 'known' END) AS TEXT)
    FROM runs r WHERE r.namespace = $1 AND r.trace_id {in texts $2}
    UNION ALL
    SELECT CAST({object}('trace', d.id, 'how', 'dead') AS TEXT)
    FROM dead_letters d WHERE d.namespace = $1 AND d.batch_id = $3 AND d.id {in texts $2}
    UNION ALL
    SELECT CAST({object}('trace', e.call_id, 'how', 'dropped') AS TEXT)
    FROM call_events e WHERE e.namespace = $1 AND e.batch_id = $3 AND e.event = 'dropped' AND e.call_id {in texts $2}",
);

/// Calls that other runs dropped or gave up as dead since this one began.
pub(crate) static TAKEN_OFF: Statement = Statement::new(
    "SELECT CAST({object}('trace', e.call_id) AS TEXT) FROM call_events e JOIN batches b ON b.batch_id = $3
    WHERE e.namespace = $1 AND e.batch_id <> $3 AND e.event = 'dropped' AND e.last_at >= b.created_at AND e.call_id {in texts $2}
    UNION
    SELECT CAST({object}('trace', d.id) AS TEXT) FROM dead_letters d JOIN batches b ON b.batch_id = $3
    WHERE d.namespace = $1 AND d.batch_id <> $3 AND d.died_at >= b.created_at AND d.id {in texts $2}",
);

/// That a call of a run is not done, and why; once however often it arrives.
pub(crate) static DROPPED: Statement = Statement::new(
    "INSERT INTO call_events (call_id, namespace, event, class, reason, actor, times, first_at, last_at, batch_id)
    SELECT $1, $2, 'dropped', $3, $4, $5, 1, {now}, {now}, $6
    WHERE NOT EXISTS (SELECT 1 FROM call_events e WHERE e.call_id = $1 AND e.batch_id = $6 AND e.event = 'dropped')",
);

/// Every erasure; whose it was is told by its hash alone.
pub(crate) static ERASURES: Statement =
    Statement::new("SELECT CAST({object}('hash', e.owner_hash, 'at', e.erased_at) AS TEXT) FROM erasures e");

pub(crate) static END_SESSIONS: Statement = Statement::new("DELETE FROM batch_sessions WHERE batch_id = $1");

pub(crate) static END_TURNS: Statement = Statement::new("DELETE FROM batch_turns WHERE batch_id = $1");

/// The run of the same command that was cancelled last, if nothing was begun with it since: what it had read is what goes before.
macro_rules! cancelled_before {
    () => {
        "(SELECT b.batch_id FROM batches b WHERE b.namespace = $2 AND b.command_hash = $3 AND b.batch_id <> $1 AND b.status = 'cancelled'
            ORDER BY b.created_at DESC, b.batch_id DESC LIMIT 1)"
    };
}

pub(crate) static TAKE_SESSIONS: Statement =
    Statement::new(concat!("UPDATE batch_sessions SET batch_id = $1 WHERE batch_id = ", cancelled_before!()));

pub(crate) static TAKE_TURNS: Statement =
    Statement::new(concat!("UPDATE batch_turns SET batch_id = $1 WHERE batch_id = ", cancelled_before!()));

/// What calls left that came to their end after their run, and words of runs nobody went on with for 14 days.
pub(crate) static SWEEP_SESSIONS: Statement = Statement::new(
    "DELETE FROM batch_sessions WHERE batch_id IN (SELECT b.batch_id FROM batches b
        WHERE b.status = 'done' OR b.changed_at <= {now} - 1209600000000)",
);

pub(crate) static SWEEP_TURNS: Statement = Statement::new(
    "DELETE FROM batch_turns WHERE batch_id IN (SELECT b.batch_id FROM batches b
        WHERE b.status = 'done' OR b.status = 'cancelled' AND b.changed_at <= {now} - 1209600000000)",
);

#[derive(Deserialize)]
pub(super) struct Stored {
    pub(super) id: BatchId,
    namespace: String,
    status: BatchStatus,
    spec: Value,
    archive_hash: String,
    calls: u64,
    turns: u64,
    settled: u64,
    known: u64,
    actor: String,
    moved_by: Option<String>,
    reason: Option<String>,
    pub(super) created_at: i64,
    changed_at: i64,
    ended_at: Option<i64>,
    sums: Sums,
    dead: u64,
    dropped: u64,
}

#[derive(Deserialize)]
struct Sums {
    done: u64,
    stored: u64,
    model_calls: u32,
    prompt_tokens: u64,
    completion_tokens: u64,
    cost_micros: u64,
}

impl Stored {
    pub(super) fn into_record(self) -> Result<BatchRecord, StoreError> {
        let Sums { done, stored, model_calls, prompt_tokens, completion_tokens, cost_micros } = self.sums;
        Ok(BatchRecord {
            id: self.id,
            namespace: self.namespace,
            status: self.status,
            spec: self.spec,
            archive_hash: self.archive_hash,
            calls: self.calls,
            turns: self.turns,
            settled: self.settled,
            known: self.known,
            done,
            stored,
            dead: self.dead,
            dropped: self.dropped,
            usage: Usage { model_calls, prompt_tokens, completion_tokens, cost_micros },
            actor: self.actor,
            moved_by: self.moved_by,
            reason: self.reason,
            created_at: utc(self.created_at)?,
            changed_at: utc(self.changed_at)?,
            ended_at: self.ended_at.map(utc).transpose()?,
        })
    }
}
