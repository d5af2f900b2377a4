//! `PATCH /v1/memories/{memory_id}`: a claim told anew, or what is set beside it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State as Of};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use recall_core::id::MemoryId;
use recall_store::deed::{Edit, Restatement};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::asked::Asked;
use super::correct::{about, deed};
use super::matrix::Verb;
use super::memories::{One, moment, wrong};
use super::problem::Problem;
use super::remember::{self, Accepted};
use super::{Keyholder, State, body};
use crate::config::ApiRole;
use crate::door::{MAX_CONTENT_BYTES, fault_of_words};
use crate::view::repair::{RepairedView, RestatedView};

/// The largest metadata, in bytes of JSON.
const MAX_METADATA_BYTES: usize = 16 * 1024;

/// A correction. `content` tells the claim anew; `metadata` and `expires_at` leave it as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Correction {
    /// One self-contained sentence that takes the place of the old one.
    content: Option<String>,
    /// What it claims of its subject; as before where absent. Only beside `content`.
    attribute: Option<String>,
    /// The value it claims; read from the sentence where absent. Only beside `content`.
    value: Option<String>,
    /// Other metadata, at most 16 kB.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Map<String, Value>>,
    /// When it stops counting (RFC 3339).
    expires_at: Option<String>,
    /// Stands in the audit log.
    reason: String,
}

impl Correction {
    fn restatement(&self) -> Result<Option<Restatement>, Problem> {
        let Some(content) = &self.content else {
            let stray = [("attribute", &self.attribute), ("value", &self.value)];
            return match stray.into_iter().find(|(_, given)| given.is_some()) {
                Some((field, _)) => {
                    Err(wrong(field, "changes the claim; tell the whole sentence in content beside it"))
                }
                None => Ok(None),
            };
        };
        let fields =
            [("content", Some(content)), ("attribute", self.attribute.as_ref()), ("value", self.value.as_ref())];
        for (field, text) in fields {
            let Some(text) = text else { continue };
            if let Some(fault) = fault_of_words(text, MAX_CONTENT_BYTES) {
                return Err(wrong(field, fault));
            }
        }
        let trimmed = |text: &String| text.trim().to_owned();
        Ok(Some(Restatement {
            content: trimmed(content),
            attribute: self.attribute.as_ref().map(trimmed),
            value: self.value.as_ref().map(trimmed),
        }))
    }

    fn edits(&self) -> Result<Vec<Edit>, Problem> {
        let mut edits = Vec::new();
        if let Some(metadata) = &self.metadata {
            let text = serde_json::to_string(metadata).unwrap_or_default();
            if text.len() > MAX_METADATA_BYTES || text.contains("\\u0000") {
                return Err(wrong(
                    "metadata",
                    format!("must be at most {MAX_METADATA_BYTES} bytes of JSON without NUL"),
                ));
            }
            edits.push(Edit::Metadata(metadata.clone()));
        }
        if self.expires_at.is_some() {
            edits.push(Edit::ExpiresAt(moment("expires_at", self.expires_at.as_deref())?));
        }
        Ok(edits)
    }
}

/// Corrects a memory. Another claim takes its place and leaves it as history; the correction is a call of its own and can be
/// forgotten. From an agent key it is only proposed: a call of its own that has to pass the gate, in which the words of the model alone
/// are no source.
#[utoipa::path(
    patch, path = "/v1/memories/{memory_id}", tag = "repair", request_body = Correction, params(("memory_id" = String, Path), One),
    responses((status = 200, body = RestatedView, description = "The memory that tells it now."), (status = 202, body = Accepted, description = "From an agent key: proposed; `/v1/traces/{trace_id}` tells what became of it."), (status = 404, body = Problem, description = "This namespace has no such memory."), (status = 409, body = Problem, description = "It is gone, or the words must not be kept."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn update(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(memory_id): Path<String>,
    Asked(one): Asked<One>,
    request: Request,
) -> Result<Response, Problem> {
    let verb = if keyholder.role == ApiRole::Agent { Verb::Propose } else { Verb::Restate };
    let (namespace, mut id) = about(&state, (&keyholder, verb), &one, memory_id).await?;
    let patch: Correction = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, &patch.reason)?;
    let (restatement, edits) = (patch.restatement()?, patch.edits()?);
    if restatement.is_none() && edits.is_empty() {
        return Err(wrong("content", "nothing is to be changed; send content, metadata or expires_at"));
    }
    if !edits.is_empty() {
        keyholder.may(Verb::Edit)?;
    }
    if verb == Verb::Propose {
        let told = restatement.ok_or_else(|| wrong("content", "tell the whole sentence"))?;
        return propose(&state, (&namespace, &id), &told).await;
    }
    let mut view = RestatedView { memory_id: id.to_string(), trace_id: None, changes: RepairedView::default() };
    if let Some(told) = restatement {
        let restated = state.repairs.restate((&namespace, &id), &told, &deed).await?;
        id = restated.memory_id.clone();
        view = RestatedView::from(restated);
    }
    for edit in edits {
        state.repairs.edit((&namespace, &id), &edit, &deed).await?;
    }
    Ok(Json(view).into_response())
}

/// What the model thinks would be right is an assistant's turn of the session the memory comes from, and has to pass the gate as
/// every other does: nothing is changed here, and by its own word nothing is ever stored.
async fn propose(
    state: &Arc<State>,
    (namespace, memory): (&str, &MemoryId),
    told: &Restatement,
) -> Result<Response, Problem> {
    let missing = || Problem::not_found("this namespace has no such memory");
    let memory = state.store.memory(namespace, memory).await?.ok_or_else(missing)?;
    if memory.deleted_at.is_some() {
        return Err(Problem::conflict("the memory is gone"));
    }
    let accepted = remember::propose(state, &memory, &told.content).await?;
    Ok((StatusCode::ACCEPTED, Json(accepted)).into_response())
}
