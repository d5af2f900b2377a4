//! `GET /v1/memories`: what is remembered, with its proof.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State as Of};
use recall_core::id::{EntityId, InvalidId, MemoryId, TraceId};
use recall_core::memory::Memory;
use recall_core::moment::Moment;
use recall_core::scope::{InvalidScope, MAX_ID_BYTES, Owner};
use recall_store::record::{MemoryFilter, PageRequest};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::matrix::Verb;
use super::problem::Problem;
use super::{Keyholder, State};
use crate::config::ApiRole;
use crate::door::Fault;
use crate::view::MemoryView;

/// Part of the list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MemoryPage {
    /// Newest first.
    items: Vec<MemoryView>,
    /// Where the next page begins; absent at the end.
    next_cursor: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
    /// Of this person only.
    user_id: Option<String>,
    /// Of this account only.
    account_id: Option<String>,
    /// Of this agent only.
    agent_id: Option<String>,
    /// Written or added to by this trace.
    trace_id: Option<String>,
    /// Of this session.
    session_id: Option<String>,
    /// About this entity (`ent_…`).
    subject_id: Option<String>,
    /// About an entity of this name.
    subject: Option<String>,
    /// `fact`, `preference`, `event` or `relation`.
    #[serde(rename = "type")]
    memory_type: Option<String>,
    /// `active`, `superseded`, `disputed` or `expired`; all where absent.
    status: Option<String>,
    /// `true`: those that were forgotten and can be restored, for who may restore them.
    #[serde(default)]
    forgotten: bool,
    /// Whose content holds this text, case aside.
    text: Option<String>,
    /// Written at or after (RFC 3339).
    created_since: Option<String>,
    /// Written before (RFC 3339).
    created_until: Option<String>,
    /// Happened at or after (RFC 3339).
    event_since: Option<String>,
    /// Happened before (RFC 3339).
    event_until: Option<String>,
    /// At most this many, 1 to 500; 50 where absent.
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Memories of a namespace, newest first; a user sees their own. For an agent key `provenance` is null and `metadata` empty.
#[utoipa::path(
    get, path = "/v1/memories", tag = "memories", params(Listed),
    responses((status = 200, body = MemoryPage, description = "Memories with their proof."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn list(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(listed): Asked<Listed>,
) -> Result<Json<MemoryPage>, Problem> {
    keyholder.may(if listed.forgotten { Verb::Forget } else { Verb::Read })?;
    let filter = MemoryFilter {
        namespace: keyholder.namespace(listed.namespace.as_deref())?,
        owner: keyholder.owner(owner(listed.user_id, listed.account_id)?)?,
        agent_id: listed.agent_id,
        trace_id: id::<TraceId>("trace_id", listed.trace_id)?,
        session_id: listed.session_id,
        subject: id::<EntityId>("subject_id", listed.subject_id)?,
        subject_name: listed.subject,
        memory_type: named("type", listed.memory_type, "fact, preference, event or relation")?,
        status: named("status", listed.status, "active, superseded, disputed or expired")?,
        forgotten: listed.forgotten,
        text: listed.text.filter(|text| !text.is_empty()),
        created_since: moment("created_since", listed.created_since.as_deref())?,
        created_until: moment("created_until", listed.created_until.as_deref())?,
        event_since: moment("event_since", listed.event_since.as_deref())?,
        event_until: moment("event_until", listed.event_until.as_deref())?,
    };
    let page = PageRequest { limit: limit(listed.limit)?, cursor: listed.cursor };
    let page = state.store.memories(&filter, &page).await?;
    let items = page.items.iter().map(|memory| shown(&keyholder, memory)).collect();
    Ok(Json(MemoryPage { items, next_cursor: page.next_cursor }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct One {
    /// The tenant, where the key is for several.
    pub(super) namespace: Option<String>,
}

/// One memory with its proof; for an agent key without.
#[utoipa::path(
    get, path = "/v1/memories/{memory_id}", tag = "memories", params(("memory_id" = String, Path), One),
    responses((status = 200, body = MemoryView, description = "The memory."), (status = 404, body = Problem, description = "This namespace has no such memory."))
)]
pub(super) async fn get(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(memory_id): Path<String>,
    Asked(one): Asked<One>,
) -> Result<Json<MemoryView>, Problem> {
    keyholder.may(Verb::Read)?;
    let namespace = keyholder.namespace(one.namespace.as_deref())?;
    let missing = || Problem::not_found("this namespace has no such memory");
    let id: MemoryId = id("memory_id", Some(memory_id))?.ok_or_else(missing)?;
    keyholder.reaches(&state, (&namespace, "memory", id.as_str())).await?;
    let memory = state.store.memory(&namespace, &id).await?.ok_or_else(missing)?;
    Ok(Json(shown(&keyholder, &memory)))
}

/// A memory as far as its reader may see it: the model sees what is claimed, not the words it was learnt from.
fn shown(keyholder: &Keyholder, memory: &Memory) -> MemoryView {
    let view = MemoryView::from(memory);
    if keyholder.role == ApiRole::Agent { view.without_proof() } else { view }
}

/// At most one owner.
pub(super) fn owner(user: Option<String>, account: Option<String>) -> Result<Option<Owner>, Problem> {
    let owner = match (user, account) {
        (Some(user), None) => Owner::User(user),
        (None, Some(account)) => Owner::Account(account),
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => return Err(wrong("account_id", "name user_id or account_id, not both")),
    };
    match owner.check() {
        Err(InvalidScope::Id(field)) => {
            Err(wrong(field, format!("must be 1 to {MAX_ID_BYTES} bytes without control characters")))
        }
        Err(InvalidScope::Owner | InvalidScope::Every) | Ok(()) => Ok(Some(owner)),
    }
}

/// A time of the query.
pub(super) fn moment(field: &'static str, text: Option<&str>) -> Result<Option<Moment>, Problem> {
    // A "+" of an offset arrives as a space where the caller did not escape it.
    let read = |text: &str| {
        text.replace(' ', "+")
            .parse()
            .map_err(|error: recall_core::moment::InvalidMoment| wrong(field, error.to_string()))
    };
    text.map(read).transpose()
}

/// The size of a page.
pub(super) fn limit(limit: Option<u32>) -> Result<u32, Problem> {
    match limit {
        None => Ok(50),
        Some(limit @ 1..=500) => Ok(limit),
        Some(_) => Err(wrong("limit", "must be 1 to 500")),
    }
}

/// An id of the query or the path.
pub(super) fn id<T: std::str::FromStr<Err = InvalidId>>(
    field: &'static str,
    text: Option<String>,
) -> Result<Option<T>, Problem> {
    text.map(|text| text.parse().map_err(|error: InvalidId| wrong(field, error.to_string()))).transpose()
}

/// A word of the query that is one of a few.
pub(super) fn named<T: DeserializeOwned>(
    field: &'static str,
    text: Option<String>,
    known: &str,
) -> Result<Option<T>, Problem> {
    let read = |text: String| {
        serde_json::from_value(serde_json::Value::String(text)).map_err(|_| wrong(field, format!("must be {known}")))
    };
    text.map(read).transpose()
}

/// A wrong field.
pub(super) fn wrong(field: &'static str, detail: impl Into<String>) -> Problem {
    Problem::invalid(vec![Fault::new(field, detail)])
}
