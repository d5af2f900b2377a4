//! What happened to memories and who did it: the audit log, the story of one memory, and what is still in dispute.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State as Of};
use recall_core::id::{MemoryId, TraceId};
use recall_store::deed::AuditFilter;
use recall_store::record::PageRequest;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::matrix::Verb;
use super::memories::{One, id, limit, moment, owner};
use super::owned::Owned;
use super::problem::Problem;
use super::{Keyholder, State};
use crate::view::repair::{AuditView, DisputeView, StoryView};

/// Part of the log.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AuditPage {
    /// Newest first.
    items: Vec<AuditView>,
    /// Where the next page begins; absent at the end.
    next_cursor: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
    /// About this memory (`mem_…`).
    memory_id: Option<String>,
    /// Brought about by this call (`trc_…`).
    trace_id: Option<String>,
    /// About memories of this person.
    user_id: Option<String>,
    /// About memories of this account.
    account_id: Option<String>,
    /// `insert`, `merge`, `supersede`, `update`, `forget`, `delete`, `restore`, `dispute`, `settle`, `suppress`, `lift`, `erase`,
    /// `entity_merge`, `feedback`, `key_create`, `key_rotate` or `key_revoke`.
    event_type: Option<String>,
    /// By this actor, such as `api_key:desk`.
    actor: Option<String>,
    /// At or after (RFC 3339).
    since: Option<String>,
    /// Before (RFC 3339).
    until: Option<String>,
    /// At most this many, 1 to 500; 50 where absent.
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// The audit log, newest first.
#[utoipa::path(
    get, path = "/v1/audit", tag = "audit", params(Listed),
    responses((status = 200, body = AuditPage, description = "Changes with who, when, why, before and after."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn list(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(listed): Asked<Listed>,
) -> Result<Json<AuditPage>, Problem> {
    keyholder.may(Verb::Audit)?;
    let filter = AuditFilter {
        namespace: keyholder.namespace(listed.namespace.as_deref())?,
        memory_id: id::<MemoryId>("memory_id", listed.memory_id)?,
        owner: keyholder.owner(owner(listed.user_id, listed.account_id)?)?,
        trace_id: id::<TraceId>("trace_id", listed.trace_id)?,
        event_type: listed.event_type,
        actor: listed.actor,
        since: moment("since", listed.since.as_deref())?,
        until: moment("until", listed.until.as_deref())?,
    };
    let page = PageRequest { limit: limit(listed.limit)?, cursor: listed.cursor };
    let page = state.repairs.audit(&filter, &page).await?;
    let items = page.items.into_iter().map(AuditView::from).collect();
    Ok(Json(AuditPage { items, next_cursor: page.next_cursor }))
}

/// The whole story of a memory: as it stands, every change with who and why, and the calls that said it with each verdict.
#[utoipa::path(
    get, path = "/v1/memories/{memory_id}/history", tag = "audit", params(("memory_id" = String, Path), One),
    responses((status = 200, body = StoryView, description = "The story."), (status = 404, body = Problem, description = "This namespace has no such memory."))
)]
pub(super) async fn story(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(memory_id): Path<String>,
    Asked(one): Asked<One>,
) -> Result<Json<StoryView>, Problem> {
    keyholder.may(Verb::Audit)?;
    let namespace = keyholder.namespace(one.namespace.as_deref())?;
    let missing = || Problem::not_found("this namespace has no such memory");
    let memory: MemoryId = id("memory_id", Some(memory_id))?.ok_or_else(missing)?;
    keyholder.reaches(&state, (&namespace, "memory", memory.as_str())).await?;
    let story = state.repairs.story(&namespace, &memory).await?.ok_or_else(missing)?;
    Ok(Json(StoryView::from(story)))
}

/// Part of the open disputes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DisputePage {
    /// Newest first.
    items: Vec<DisputeView>,
    /// Where the next page begins; absent at the end.
    next_cursor: Option<String>,
}

/// Open disputes with both sides; `POST /v1/memories/{memory_id}/settle` says which side holds.
#[utoipa::path(
    get, path = "/v1/disputes", tag = "audit", params(Owned),
    responses((status = 200, body = DisputePage, description = "Both sides of each."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn disputes(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(owned): Asked<Owned>,
) -> Result<Json<DisputePage>, Problem> {
    keyholder.may(Verb::Look)?;
    let (namespace, owner, page) = owned.asked(&keyholder)?;
    let page = state.repairs.disputes((&namespace, owner.as_ref()), &page).await?;
    let items = page.items.iter().map(DisputeView::from).collect();
    Ok(Json(DisputePage { items, next_cursor: page.next_cursor }))
}
