//! Taking back what calls said, one call or all of a window or a prompt version, and restoring it.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Path, Request, State as Of};
use recall_core::id::TraceId;
use recall_store::deed::{Execution, TraceSelection, Turn};
use serde::Deserialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::correct::deed;
use super::matrix::Verb;
use super::memories::{One, id, moment, owner, wrong};
use super::problem::Problem;
use super::{Keyholder, State, body};
use crate::view::repair::RepairedView;

/// Calls named in one request.
const MAX_NAMED: usize = 1000;

/// How one call is taken back or restored.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OneCall {
    /// Stands in the audit log; 1 to 500 bytes, no words of people.
    reason: String,
    /// Only work out what would change.
    #[serde(default)]
    dry_run: bool,
}

/// Which calls are taken back or restored; conditions narrow each other, and one of them must be there.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ManyCalls {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
    /// These calls (`trc_…`), at most 1000.
    #[serde(default)]
    trace_ids: Vec<String>,
    /// Of this person only.
    user_id: Option<String>,
    /// Of this account only.
    account_id: Option<String>,
    /// Committed at or after (RFC 3339).
    since: Option<String>,
    /// Committed before (RFC 3339).
    until: Option<String>,
    /// Read with this version of the prompt.
    prompt_version: Option<String>,
    /// Stands in the audit log; 1 to 500 bytes, no words of people.
    reason: String,
    /// Only work out what would change.
    #[serde(default)]
    dry_run: bool,
}

pub(super) fn execution(dry_run: bool) -> Execution {
    if dry_run { Execution::DryRun } else { Execution::Real }
}

async fn one(
    state: &State,
    (keyholder, asked, trace_id): (&Keyholder, &One, String),
    request: Request,
    turn: Turn,
) -> Result<Json<RepairedView>, Problem> {
    keyholder.may(Verb::Forget)?;
    let namespace = keyholder.namespace(asked.namespace.as_deref())?;
    let trace: Option<TraceId> = id("trace_id", Some(trace_id))?;
    let call: OneCall = body::read(request.into_body(), state.max_body_bytes).await?;
    let selection = TraceSelection { namespace, trace_ids: trace.into_iter().collect(), ..TraceSelection::default() };
    carry_out(state, keyholder, &selection, (turn, &call.reason, call.dry_run)).await
}

async fn many(
    state: &State,
    keyholder: &Keyholder,
    request: Request,
    turn: Turn,
) -> Result<Json<RepairedView>, Problem> {
    keyholder.may(Verb::Forget)?;
    let calls: ManyCalls = body::read(request.into_body(), state.max_body_bytes).await?;
    if calls.trace_ids.len() > MAX_NAMED {
        return Err(wrong("trace_ids", format!("must be at most {MAX_NAMED} ids")));
    }
    let ids = calls.trace_ids.into_iter().map(|text| id("trace_ids", Some(text)));
    let ids: Vec<Option<TraceId>> = ids.collect::<Result<_, _>>()?;
    let selection = TraceSelection {
        namespace: keyholder.namespace(calls.namespace.as_deref())?,
        trace_ids: ids.into_iter().flatten().collect(),
        owner: owner(calls.user_id, calls.account_id)?,
        since: moment("since", calls.since.as_deref())?,
        until: moment("until", calls.until.as_deref())?,
        prompt_version: calls.prompt_version,
    };
    let everything = TraceSelection { namespace: selection.namespace.clone(), ..TraceSelection::default() };
    if selection == everything {
        let ways = "name calls by trace_ids, user_id, account_id, since, until or prompt_version";
        return Err(wrong("trace_ids", ways));
    }
    carry_out(state, keyholder, &selection, (turn, &calls.reason, calls.dry_run)).await
}

async fn carry_out(
    state: &State,
    keyholder: &Keyholder,
    selection: &TraceSelection,
    (turn, reason, dry_run): (Turn, &str, bool),
) -> Result<Json<RepairedView>, Problem> {
    let deed = deed(keyholder, reason)?;
    // Half of the time of a request, so that the answer is sure to reach whoever asked.
    let end = Some(Instant::now() + state.request / 2);
    let repaired = state.repairs.turn_traces_until(end, selection, (turn, execution(dry_run)), &deed).await?;
    Ok(Json(RepairedView { dry_run, ..RepairedView::from(repaired) }))
}

/// Takes back all that one call said: its sources are withdrawn, what it replaced counts again.
#[utoipa::path(
    post, path = "/v1/traces/{trace_id}/forget", tag = "repair", request_body = OneCall, params(("trace_id" = String, Path), One),
    responses((status = 200, body = RepairedView, description = "What changed, or would change."), (status = 404, body = Problem, description = "This namespace has no such call."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn forget_one(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(trace_id): Path<String>,
    Asked(asked): Asked<One>,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    one(&state, (&keyholder, &asked, trace_id), request, Turn::Forget).await
}

/// Restores all that one call said.
#[utoipa::path(
    post, path = "/v1/traces/{trace_id}/restore", tag = "repair", request_body = OneCall, params(("trace_id" = String, Path), One),
    responses((status = 200, body = RepairedView, description = "What changed, or would change."), (status = 404, body = Problem, description = "This namespace has no such call."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn restore_one(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(trace_id): Path<String>,
    Asked(asked): Asked<One>,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    one(&state, (&keyholder, &asked, trace_id), request, Turn::Restore).await
}

/// Takes back all that many calls said: of a window, a prompt version, a person. Where `left` is not 0 the time of a request did not suffice:
/// the same request goes on with the rest.
#[utoipa::path(
    post, path = "/v1/traces/forget", tag = "repair", request_body = ManyCalls,
    responses((status = 200, body = RepairedView, description = "What changed, or would change."), (status = 404, body = Problem, description = "A named call is not of this namespace."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn forget(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    many(&state, &keyholder, request, Turn::Forget).await
}

/// Restores all that many calls said. Where `left` is not 0 the same request goes on with the rest.
#[utoipa::path(
    post, path = "/v1/traces/restore", tag = "repair", request_body = ManyCalls,
    responses((status = 200, body = RepairedView, description = "What changed, or would change."), (status = 404, body = Problem, description = "A named call is not of this namespace."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn restore(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    many(&state, &keyholder, request, Turn::Restore).await
}
