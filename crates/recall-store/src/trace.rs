//! Reading traces: runs with their detail, and calls that wait or died before they became a run.

use recall_core::call::Call;
use recall_core::id::{MemoryId, TraceId};
use recall_core::moment::Moment;
use recall_core::run::{SpanRecord, TurnVerdict, Usage, Verdict};
use recall_core::scope::Scope;
use recall_core::stage::{Reason, Stage};
use serde::Deserialize;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::dead::{self, glimpse, letter, letter_columns};
use crate::dialect::Statement;
use crate::fence::Reach;
use crate::list::Place;
use crate::record::{DeadLetter, Tenants, Trace, TraceStatus, TraceSummary, Whereabouts};
use crate::rows::{ExtractorRow, RunRow};
use crate::sql::{self, Arg};
use crate::stored_memory::{StoredScope, extracted_by, moment, parsed, utc};
use crate::{SqlStore, StoreError};

/// A run `r` as one line; goes with `run_from!`.
macro_rules! run_json {
    () => {
        "'row', {row r runs}, 'session', n.session_id,
            'scope', {object}('namespace', c.namespace, 'kind', c.owner_kind, 'owner', c.owner, 'agent', c.agent)"
    };
}
pub(crate) use run_json;

macro_rules! run_from {
    () => {
        "runs r JOIN scopes c ON c.scope_id = r.scope_id JOIN sessions n ON n.session_pk = r.session_pk"
    };
}
pub(crate) use run_from;

/// A parked call `p`.
macro_rules! parked_columns {
    () => {
        "p.trace_id, p.body, p.attempts, p.why, p.parked_at"
    };
}
pub(crate) use parked_columns;

pub(crate) static TRACE: Statement = Statement::new(concat!(
    "SELECT CAST({object}(",
    run_json!(),
    ", 'extractor', (SELECT {row x extractors} FROM extractors x WHERE x.extractor = r.extractor),
        'detail', (SELECT {object}('turns', {json}(d.turns), 'verdicts', {json}(d.verdicts), 'notes', {json}(d.notes))
            FROM run_details d WHERE d.trace_id = r.trace_id AND d.expires_at > {now}),
        'spans', {json}((SELECT {array}({row s spans} ORDER BY s.ordinal) FROM spans s
            WHERE s.trace_id = r.trace_id AND s.expires_at =
                (SELECT d.expires_at FROM run_details d WHERE d.trace_id = r.trace_id AND d.expires_at > {now}))),
        'memory_ids', {json}((SELECT {array}(f.memory_id ORDER BY f.ordinal) FROM effects f
            WHERE f.trace_id = r.trace_id AND f.kind IN ('insert', 'add_sources')))
    ) AS TEXT) FROM ",
    run_from!(),
    " WHERE r.trace_id = $1 AND r.namespace = $2"
));

/// With the reason of the failure it waits after, where it waits after one.
pub(crate) static WAITING: Statement = Statement::new(concat!(
    "SELECT ",
    parked_columns!(),
    ", (SELECT e.reason FROM call_events e WHERE e.call_id = p.trace_id AND e.event = 'failed' AND e.class = p.why
        ORDER BY e.seq DESC LIMIT 1) AS failure
    FROM parked p WHERE p.trace_id = $1 AND p.namespace = $2"
));

pub(crate) static DEAD: Statement =
    Statement::new(concat!("SELECT ", letter_columns!(), " FROM dead_letters d WHERE d.id = $1 AND d.namespace = $2"));

#[derive(Deserialize)]
pub(crate) struct StoredRun {
    row: RunRow,
    session: String,
    scope: StoredScope,
}

#[derive(Deserialize)]
struct StoredTrace {
    #[serde(flatten)]
    run: StoredRun,
    extractor: Option<ExtractorRow>,
    detail: Option<Detail>,
    spans: Option<Vec<StoredSpan>>,
    memory_ids: Option<Vec<MemoryId>>,
}

#[derive(Deserialize, Default)]
struct Detail {
    turns: Vec<TurnVerdict>,
    verdicts: Vec<Verdict>,
    notes: Vec<String>,
}

#[derive(Deserialize)]
struct StoredSpan {
    ordinal: u32,
    stage: Stage,
    started_ns: u64,
    took_ns: u64,
    items: u32,
    dropped: Vec<(Reason, u32)>,
}

/// A trace of a namespace: the run, else the call that waits, else the dead letter.
pub(crate) async fn trace(store: &SqlStore, namespace: &str, id: &TraceId) -> Result<Option<Trace>, StoreError> {
    let args = || vec![Arg::from(id.as_str()), Arg::from(namespace)];
    let mut connection = store.reader(Reach::Tenant(namespace)).await?;
    let stored: Option<StoredTrace> = sql::one(&mut connection, store.text(&TRACE), args()).await?;
    if let Some(stored) = stored {
        return stored.into_trace().map(Some);
    }
    let waiting = sql::rows(&mut connection, store.text(&WAITING), args()).await?;
    if let Some(row) = waiting.first() {
        let (_, mut line) = waiting_line(row)?;
        let failure: Option<String> = row.try_get("failure")?;
        line.error = line.error.map(|class| failure.map_or(class.clone(), |reason| format!("{class}: {reason}")));
        return Ok(Some(bare(line)));
    }
    let dead = sql::rows(&mut connection, store.text(&DEAD), args()).await?;
    if let Some(row) = dead.first() {
        return Ok(dead_line(row)?.map(|(_, line)| bare(line)));
    }
    drop(connection);
    match dead::whereabouts(store, &Tenants::One(namespace.to_owned()), id.as_str()).await? {
        Whereabouts::Dropped => Ok(Some(bare(unfinished(id.clone(), TraceStatus::Dropped, None)))),
        Whereabouts::Dead(_) | Whereabouts::Waiting | Whereabouts::Done | Whereabouts::Unknown => Ok(None),
    }
}

/// A call as one line, and where it stands in the list.
pub(crate) type Line = (Place, TraceSummary);

impl StoredRun {
    pub(crate) fn into_line(self) -> Result<Line, StoreError> {
        let row = self.row;
        let scope = self.scope.into_scope()?;
        let place = Place { at: row.committed_at, id: row.trace_id.clone() };
        let summary = TraceSummary {
            // A call without a session is a session of its own, named by its trace.
            session_id: Some(self.session).filter(|session| *session != row.trace_id),
            trace_id: parsed("trace_id", row.trace_id)?,
            status: TraceStatus::Done,
            scope: Some(scope),
            accepted_at: moment(Some(row.accepted_at), Some(row.accepted_offset))?,
            committed_at: Some(utc(row.committed_at)?),
            forgotten_at: row.forgotten_at.map(utc).transpose()?,
            turn_count: count(row.turn_count),
            candidate_count: count(row.candidate_count),
            stored_count: count(row.stored_count),
            attempts: count(row.attempt),
            usage: Usage {
                model_calls: count(row.model_calls),
                prompt_tokens: row.prompt_tokens.unsigned_abs(),
                completion_tokens: row.completion_tokens.unsigned_abs(),
                cost_micros: row.cost_micros.unsigned_abs(),
            },
            error: None,
        };
        Ok((place, summary))
    }
}

impl StoredTrace {
    fn into_trace(self) -> Result<Trace, StoreError> {
        let detail = self.detail.unwrap_or_default();
        Ok(Trace {
            summary: self.run.into_line()?.1,
            extracted_by: self.extractor.map(extracted_by).transpose()?,
            turns: detail.turns,
            verdicts: detail.verdicts,
            notes: detail.notes,
            spans: self.spans.unwrap_or_default().into_iter().map(SpanRecord::from).collect(),
            memory_ids: self.memory_ids.unwrap_or_default(),
        })
    }
}

impl From<StoredSpan> for SpanRecord {
    fn from(span: StoredSpan) -> Self {
        let StoredSpan { ordinal, stage, started_ns, took_ns, items, dropped } = span;
        let (started, took) = (std::time::Duration::from_nanos(started_ns), std::time::Duration::from_nanos(took_ns));
        Self { ordinal, stage, started, took, items, dropped }
    }
}

pub(crate) fn waiting_line(row: &AnyRow) -> Result<Line, StoreError> {
    let trace_id: String = row.try_get("trace_id")?;
    let why: String = row.try_get("why")?;
    let place = Place { at: row.try_get("parked_at")?, id: trace_id.clone() };
    let status = if why == "queued" || why == "requeued" { TraceStatus::Queued } else { TraceStatus::Parked };
    let body: Vec<u8> = row.try_get("body")?;
    let mut line = unfinished(parsed("trace_id", trace_id)?, status, glimpse(&body));
    line.attempts = count(row.try_get("attempts")?);
    line.error = Some(why).filter(|_| status == TraceStatus::Parked);
    Ok((place, line))
}

/// A dead letter as a trace; `None` where its id is not one of a trace.
pub(crate) fn dead_line(row: &AnyRow) -> Result<Option<Line>, StoreError> {
    let DeadLetter { id, class, reason, attempts, body, died_at, .. } = letter(row)?;
    let Ok(trace_id) = id.parse::<TraceId>() else { return Ok(None) };
    let place = Place { at: died_at.map(Moment::microseconds).unwrap_or_default(), id };
    let mut line = unfinished(trace_id, TraceStatus::Dead, glimpse(&body));
    line.attempts = attempts;
    line.error = Some(format!("{class}: {reason}"));
    Ok(Some((place, line)))
}

fn unfinished(trace_id: TraceId, status: TraceStatus, call: Option<Call>) -> TraceSummary {
    let scope: Option<Scope> = call.as_ref().map(|call| call.scope.clone());
    TraceSummary {
        trace_id,
        status,
        scope,
        session_id: call.as_ref().and_then(|call| call.session_id.clone()),
        accepted_at: call.as_ref().map(|call| call.accepted_at),
        committed_at: None,
        forgotten_at: None,
        turn_count: call.map(|call| u32::try_from(call.turns.len()).unwrap_or(u32::MAX)).unwrap_or_default(),
        candidate_count: 0,
        stored_count: 0,
        attempts: 0,
        usage: Usage::default(),
        error: None,
    }
}

fn bare(summary: TraceSummary) -> Trace {
    Trace {
        summary,
        extracted_by: None,
        turns: Vec::new(),
        verdicts: Vec::new(),
        notes: Vec::new(),
        spans: Vec::new(),
        memory_ids: Vec::new(),
    }
}

fn count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}
