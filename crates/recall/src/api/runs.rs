//! `/v1/runs`: reprocessing runs, for admins. They are fed by a command; here they are looked at, paused, resumed and cancelled.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State as Of};
use recall_core::id::BatchId;
use recall_store::batches::BatchStatus;
use recall_store::record::PageRequest;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::correct::{Because, deed};
use super::matrix::Verb;
use super::memories::{One, limit};
use super::problem::Problem;
use super::{Keyholder, State, body};
use crate::view::runs::RunView;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
    /// At most this many, 1 to 500; 50 where absent.
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Part of the runs.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RunPage {
    /// Newest first.
    items: Vec<RunView>,
    /// Where the next page begins; absent at the end.
    next_cursor: Option<String>,
}

/// Reprocessing runs of a namespace, newest first.
#[utoipa::path(
    get, path = "/v1/runs", tag = "runs", params(Listed),
    responses((status = 200, body = RunPage, description = "A page of runs."), (status = 403, body = Problem, description = "Not an admin key."))
)]
pub(super) async fn list(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(listed): Asked<Listed>,
) -> Result<Json<RunPage>, Problem> {
    keyholder.may(Verb::Operate)?;
    let namespace = keyholder.namespace(listed.namespace.as_deref())?;
    let page = PageRequest { limit: limit(listed.limit)?, cursor: listed.cursor };
    let page = state.repairs.batches(&namespace, &page).await?;
    Ok(Json(RunPage { items: page.items.into_iter().map(RunView::from).collect(), next_cursor: page.next_cursor }))
}

/// One run with its dead letters.
#[utoipa::path(
    get, path = "/v1/runs/{run_id}", tag = "runs", params(("run_id" = String, Path), One),
    responses((status = 200, body = RunView, description = "The run."), (status = 404, body = Problem, description = "No such run."))
)]
pub(super) async fn get(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(run_id): Path<String>,
    Asked(one): Asked<One>,
) -> Result<Json<RunView>, Problem> {
    keyholder.may(Verb::Operate)?;
    let namespace = keyholder.namespace(one.namespace.as_deref())?;
    let id = id(&run_id)?;
    let run = state.repairs.batch(&namespace, &id).await?.ok_or_else(missing)?;
    let standing = state.repairs.standing_if_any((&namespace, &id)).await?;
    let letters = state.repairs.batch_letters((&namespace, &id), &RunView::LETTERS).await?;
    Ok(Json(RunView::with(run, standing, &letters.items)))
}

/// Feeds no more calls of a run; those that wait in the queue are still done.
#[utoipa::path(
    post, path = "/v1/runs/{run_id}/pause", tag = "runs", request_body = Because, params(("run_id" = String, Path), One),
    responses((status = 200, body = RunView, description = "The run."), (status = 404, body = Problem, description = "No such run."), (status = 409, body = Problem, description = "It has ended."))
)]
pub(super) async fn pause(
    of: Of<Arc<State>>,
    keyholder: Keyholder,
    Path(run_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<RunView>, Problem> {
    moved(of, keyholder, (run_id, one, request), BatchStatus::Paused).await
}

/// Lets a run be fed again. A process that was feeding it goes on; otherwise the command it began with does.
#[utoipa::path(
    post, path = "/v1/runs/{run_id}/resume", tag = "runs", request_body = Because, params(("run_id" = String, Path), One),
    responses((status = 200, body = RunView, description = "The run."), (status = 404, body = Problem, description = "No such run."), (status = 409, body = Problem, description = "It has ended."))
)]
pub(super) async fn resume(
    of: Of<Arc<State>>,
    keyholder: Keyholder,
    Path(run_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<RunView>, Problem> {
    moved(of, keyholder, (run_id, one, request), BatchStatus::Running).await
}

/// Ends a run: its calls that wait in the queue are dropped when they arrive, each with a note. What it made stays.
#[utoipa::path(
    post, path = "/v1/runs/{run_id}/cancel", tag = "runs", request_body = Because, params(("run_id" = String, Path), One),
    responses((status = 200, body = RunView, description = "The run."), (status = 404, body = Problem, description = "No such run."), (status = 409, body = Problem, description = "It has ended."))
)]
pub(super) async fn cancel(
    of: Of<Arc<State>>,
    keyholder: Keyholder,
    Path(run_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<RunView>, Problem> {
    moved(of, keyholder, (run_id, one, request), BatchStatus::Cancelled).await
}

async fn moved(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    (run_id, one, request): (String, One, Request),
    to: BatchStatus,
) -> Result<Json<RunView>, Problem> {
    keyholder.may(Verb::Operate)?;
    let namespace = keyholder.namespace(one.namespace.as_deref())?;
    let because: Because = body::read(request.into_body(), state.max_body_bytes).await?;
    // A reason is checked as that of every deed.
    deed(&keyholder, because.reason())?;
    let by = keyholder.actor().to_string();
    let run = state.repairs.move_batch((&namespace, &id(&run_id)?), to, (&by, because.reason().trim())).await?;
    Ok(Json(RunView::from(run)))
}

fn id(text: &str) -> Result<BatchId, Problem> {
    text.parse().map_err(|_| missing())
}

fn missing() -> Problem {
    Problem::not_found("this namespace has no such run")
}
