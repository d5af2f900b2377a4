//! Swapping a reprocessing run in, and rolling it back.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State as Of};
use recall_core::id::BatchId;
use recall_store::deed::Execution;
use recall_store::swap::Swap;
use serde::Deserialize;
use utoipa::ToSchema;

use super::asked::Asked;
use super::correct::deed;
use super::matrix::Verb;
use super::memories::{One, id};
use super::problem::Problem;
use super::{Keyholder, State, body};
use crate::view::swap::SwappedView;

/// How a run is moved.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MovedRun {
    /// Stands in the audit log; 1 to 500 bytes, no words of people.
    reason: String,
    /// Only work out what would change.
    #[serde(default)]
    dry_run: bool,
}

async fn moved(
    state: &State,
    (keyholder, asked, run_id): (&Keyholder, &One, String),
    request: Request,
    way: Swap,
) -> Result<Json<SwappedView>, Problem> {
    keyholder.may(Verb::Swap)?;
    let namespace = keyholder.namespace(asked.namespace.as_deref())?;
    let run: Option<BatchId> = id("run_id", Some(run_id))?;
    let MovedRun { reason, dry_run } = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(keyholder, &reason)?;
    let Some(run) = run else { return Err(Problem::not_found("there is no such run")) };
    let execution = if dry_run { Execution::DryRun } else { Execution::Real };
    let swapped = state.repairs.swap((&namespace, &run), (way, execution), &deed).await?;
    Ok(Json(SwappedView::of(swapped, dry_run)))
}

/// What a complete run says takes the place of what was said of the turns it read, one scope after the other. Stopped half way it goes
/// on when asked again.
#[utoipa::path(
    post, path = "/v1/runs/{run_id}/swap", tag = "repair", request_body = MovedRun, params(("run_id" = String, Path), One),
    responses((status = 200, body = SwappedView, description = "What changed, or would change."), (status = 404, body = Problem, description = "This namespace has no such run that stands beside what is remembered."), (status = 409, body = Problem, description = "The run is not complete."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn swap(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(run_id): Path<String>,
    Asked(asked): Asked<One>,
    request: Request,
) -> Result<Json<SwappedView>, Problem> {
    moved(&state, (&keyholder, &asked, run_id), request, Swap::In).await
}

/// Gives back what stood before a run, minus what was deleted since, plus what live calls added. Stopped half way it goes on when asked
/// again.
#[utoipa::path(
    post, path = "/v1/runs/{run_id}/rollback", tag = "repair", request_body = MovedRun, params(("run_id" = String, Path), One),
    responses((status = 200, body = SwappedView, description = "What changed, or would change."), (status = 404, body = Problem, description = "This namespace has no such run that stands beside what is remembered."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn rollback(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(run_id): Path<String>,
    Asked(asked): Asked<One>,
    request: Request,
) -> Result<Json<SwappedView>, Problem> {
    moved(&state, (&keyholder, &asked, run_id), request, Swap::Out).await
}
