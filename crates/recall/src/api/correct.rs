//! What people do to one memory: forget and restore it, delete it, tell it anew, doubt and settle it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State as Of};
use recall_core::id::MemoryId;
use recall_store::deed::{Deed, Feedback, InvalidReason, Turn};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::matrix::Verb;
use super::memories::{One, id, wrong};
use super::problem::Problem;
use super::{Keyholder, State, body};
use crate::config::ApiRole;
use crate::view::repair::{DeletedView, RepairedView};

/// Memories touched in one request.
const MAX_TOUCHED: usize = 500;

/// Why something is done.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Because {
    /// Stands in the audit log; 1 to 500 bytes, no words of the person.
    reason: String,
}

impl Because {
    /// Why.
    pub(super) fn reason(&self) -> &str {
        &self.reason
    }
}

/// A deed of whoever holds the key.
pub(super) fn deed(keyholder: &Keyholder, reason: &str) -> Result<Deed, Problem> {
    Deed::new(keyholder.actor(), reason).map_err(|error: InvalidReason| wrong("reason", error.to_string()))
}

/// Namespace and id of the memory a request is about, where its sender may do this to it.
pub(super) async fn about(
    state: &State,
    (keyholder, verb): (&Keyholder, Verb),
    one: &One,
    memory_id: String,
) -> Result<(String, MemoryId), Problem> {
    keyholder.may(verb)?;
    let namespace = keyholder.namespace(one.namespace.as_deref())?;
    let missing = || Problem::not_found("this namespace has no such memory");
    let memory: MemoryId = id("memory_id", Some(memory_id))?.ok_or_else(missing)?;
    keyholder.reaches(state, (&namespace, "memory", memory.as_str())).await?;
    Ok((namespace, memory))
}

async fn turn(
    state: &State,
    (keyholder, one, memory_id): (&Keyholder, &One, String),
    request: Request,
    turn: Turn,
) -> Result<Json<RepairedView>, Problem> {
    let (namespace, id) = about(state, (keyholder, Verb::Forget), one, memory_id).await?;
    let because: Because = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(keyholder, &because.reason)?;
    Ok(Json(RepairedView::from(state.repairs.turn_memory(&namespace, &id, turn, &deed).await?)))
}

/// Forgets a memory: it does not count any more, what it replaced counts again. It can be restored, and may be learnt again.
#[utoipa::path(
    post, path = "/v1/memories/{memory_id}/forget", tag = "repair", request_body = Because, params(("memory_id" = String, Path), One),
    responses((status = 200, body = RepairedView, description = "What changed."), (status = 404, body = Problem, description = "This namespace has no such memory."), (status = 409, body = Problem, description = "It was deleted for good."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn forget(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(memory_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    turn(&state, (&keyholder, &one, memory_id), request, Turn::Forget).await
}

/// Restores a forgotten memory.
#[utoipa::path(
    post, path = "/v1/memories/{memory_id}/restore", tag = "repair", request_body = Because, params(("memory_id" = String, Path), One),
    responses((status = 200, body = RepairedView, description = "What changed."), (status = 404, body = Problem, description = "This namespace has no such memory."), (status = 409, body = Problem, description = "It was deleted for good, or its calls are forgotten."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn restore(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(memory_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    turn(&state, (&keyholder, &one, memory_id), request, Turn::Restore).await
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Deletion {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
    /// Stands in the audit log; `the person asked for it` where absent. A support key has to give one.
    reason: Option<String>,
}

/// Deletes a memory for good: its words leave every row, and the claim is not learnt again, nor in other wordings that are recognised.
#[utoipa::path(
    delete, path = "/v1/memories/{memory_id}", tag = "repair", params(("memory_id" = String, Path), Deletion),
    responses((status = 200, body = DeletedView, description = "What is left of it."), (status = 404, body = Problem, description = "This namespace has no such memory."), (status = 409, body = Problem, description = "It was deleted before."))
)]
pub(super) async fn delete(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(memory_id): Path<String>,
    Asked(deletion): Asked<Deletion>,
) -> Result<Json<DeletedView>, Problem> {
    let one = One { namespace: deletion.namespace };
    let (namespace, id) = about(&state, (&keyholder, Verb::Delete), &one, memory_id).await?;
    if keyholder.role == ApiRole::Support && deletion.reason.is_none() {
        return Err(wrong("reason", "must say why; support deletes with a reason"));
    }
    let deed = deed(&keyholder, deletion.reason.as_deref().unwrap_or("the person asked for it"))?;
    Ok(Json(DeletedView::from(state.repairs.delete_memory(&namespace, &id, &deed).await?)))
}

/// A doubt.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Doubt {
    /// The memory that says otherwise (`mem_…`), where one does.
    with: Option<String>,
    /// Stands in the audit log.
    reason: String,
}

/// Doubts a memory, or sets it against another: neither counts until a person settles it.
#[utoipa::path(
    post, path = "/v1/memories/{memory_id}/dispute", tag = "repair", request_body = Doubt, params(("memory_id" = String, Path), One),
    responses((status = 200, body = RepairedView, description = "What changed."), (status = 404, body = Problem, description = "This namespace has no such memory."), (status = 409, body = Problem, description = "One of them does not count."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn dispute(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(memory_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    let (namespace, memory) = about(&state, (&keyholder, Verb::Dispute), &one, memory_id).await?;
    let doubt: Doubt = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, &doubt.reason)?;
    let with: Option<MemoryId> = id("with", doubt.with)?;
    if let Some(other) = &with {
        keyholder.reaches(&state, (&namespace, "memory", other.as_str())).await?;
    }
    Ok(Json(RepairedView::from(state.repairs.dispute((&namespace, &memory, with.as_ref()), &deed).await?)))
}

/// Settles every open dispute of a memory in its favour; a doubt about it is lifted.
#[utoipa::path(
    post, path = "/v1/memories/{memory_id}/settle", tag = "repair", request_body = Because, params(("memory_id" = String, Path), One),
    responses((status = 200, body = RepairedView, description = "What changed."), (status = 404, body = Problem, description = "This namespace has no such memory."), (status = 409, body = Problem, description = "It is not disputed."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn settle(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(memory_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<RepairedView>, Problem> {
    let (namespace, memory) = about(&state, (&keyholder, Verb::Settle), &one, memory_id).await?;
    let because: Because = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, &because.reason)?;
    Ok(Json(RepairedView::from(state.repairs.settle(&namespace, &memory, &deed).await?)))
}

/// What somebody thought of a memory.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Thought {
    /// `useful`, `wrong` or `stale`.
    #[schema(value_type = String)]
    feedback: Feedback,
    /// Stands in the audit log; `feedback` where absent.
    reason: Option<String>,
}

/// What was done.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Done {
    /// Memories it was done to.
    pub(super) memories: u64,
}

/// Notes what somebody thought of a memory that was shown; it changes nothing else.
#[utoipa::path(
    post, path = "/v1/memories/{memory_id}/feedback", tag = "repair", request_body = Thought, params(("memory_id" = String, Path), One),
    responses((status = 200, body = Done, description = "Noted."), (status = 404, body = Problem, description = "This namespace has no such memory."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn feedback(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(memory_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<Done>, Problem> {
    let (namespace, memory) = about(&state, (&keyholder, Verb::Feedback), &one, memory_id).await?;
    let thought: Thought = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, thought.reason.as_deref().unwrap_or("feedback"))?;
    state.repairs.feedback((&namespace, &memory), thought.feedback, &deed).await?;
    Ok(Json(Done { memories: 1 }))
}

/// Memories that were handed out.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Touched {
    /// 1 to 500 ids (`mem_…`).
    memory_ids: Vec<String>,
}

/// Notes that memories were read.
#[utoipa::path(
    post, path = "/v1/memories/touch", tag = "repair", request_body = Touched, params(One),
    responses((status = 200, body = Done, description = "How many of them are there."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn touch(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Json<Done>, Problem> {
    keyholder.may(Verb::Touch)?;
    let namespace = keyholder.namespace(one.namespace.as_deref())?;
    let touched: Touched = body::read(request.into_body(), state.max_body_bytes).await?;
    if touched.memory_ids.is_empty() || touched.memory_ids.len() > MAX_TOUCHED {
        return Err(wrong("memory_ids", format!("must be 1 to {MAX_TOUCHED} ids")));
    }
    let ids = touched.memory_ids.into_iter().map(|text| id("memory_ids", Some(text)));
    let ids: Vec<Option<MemoryId>> = ids.collect::<Result<_, _>>()?;
    let ids: Vec<MemoryId> = ids.into_iter().flatten().collect();
    Ok(Json(Done { memories: state.repairs.touch(&namespace, &ids).await? }))
}
