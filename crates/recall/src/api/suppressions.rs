//! `/v1/suppressions`: claims that must not be learnt again.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State as Of};
use recall_core::id::SuppressionId;
use recall_core::scope::Scope;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::correct::deed;
use super::matrix::Verb;
use super::memories::{id, owner, wrong};
use super::owned::Owned;
use super::problem::Problem;
use super::{Keyholder, State, body};
use crate::door::ScopeFields;
use crate::view::repair::SuppressionView;

/// The longest sentence that is suppressed or tried, in bytes.
const MAX_TEXT_BYTES: usize = 2000;

/// Part of the list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SuppressionPage {
    /// Newest first; lifted ones say when.
    items: Vec<SuppressionView>,
    /// Where the next page begins; absent at the end.
    next_cursor: Option<String>,
}

/// Suppressed claims of an owner. They hold no word of what was claimed.
#[utoipa::path(
    get, path = "/v1/suppressions", tag = "suppressions", params(Owned),
    responses((status = 200, body = SuppressionPage, description = "Suppressed claims."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn list(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(owned): Asked<Owned>,
) -> Result<Json<SuppressionPage>, Problem> {
    keyholder.may(Verb::Look)?;
    let (namespace, owner, page) = owned.of_one(&keyholder)?;
    let page = state.repairs.suppressions((&namespace, &owner), &page).await?;
    let items = page.items.into_iter().map(SuppressionView::from).collect();
    Ok(Json(SuppressionPage { items, next_cursor: page.next_cursor }))
}

/// A claim to be suppressed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Claimed {
    /// Whose memory it must not enter.
    scope: ScopeFields,
    /// One sentence in the third person, such as `User owns a shotgun`.
    text: String,
    /// Stands in the audit log.
    reason: String,
}

/// A sentence to be tried.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Tried {
    /// Whose suppressed claims are asked.
    scope: ScopeFields,
    /// One sentence in the third person.
    text: String,
}

/// What a trial found.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Found {
    /// It would not be remembered.
    suppressed: bool,
    /// The entry that says so.
    suppression_id: Option<String>,
}

fn scope(keyholder: &Keyholder, fields: ScopeFields) -> Result<Scope, Problem> {
    let namespace = keyholder.namespace(fields.namespace.as_deref())?;
    let owner = keyholder.owner(owner(fields.user_id, fields.account_id)?)?;
    let owner = owner.ok_or_else(|| wrong("scope", "must name exactly one of user_id and account_id"))?;
    Scope::new(namespace, owner, fields.agent_id).map_err(|error| wrong("scope", error.to_string()))
}

fn sentence(text: &str) -> Result<&str, Problem> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_TEXT_BYTES {
        return Err(wrong("text", format!("must be 1 to {MAX_TEXT_BYTES} bytes")));
    }
    Ok(text)
}

/// Suppresses a claim by hand. What is remembered already stays.
#[utoipa::path(
    post, path = "/v1/suppressions", tag = "suppressions", request_body = Claimed,
    responses((status = 200, body = Found, description = "The entry."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn add(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    request: Request,
) -> Result<Json<Found>, Problem> {
    keyholder.may(Verb::Suppress)?;
    let claimed: Claimed = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, &claimed.reason)?;
    let (scope, text) = (scope(&keyholder, claimed.scope)?, sentence(&claimed.text)?);
    let entry = state.repairs.suppress(&scope, text, &deed).await?;
    Ok(Json(Found { suppressed: true, suppression_id: Some(entry.to_string()) }))
}

/// Would this sentence be kept out, and by which entry?
#[utoipa::path(
    post, path = "/v1/suppressions/test", tag = "suppressions", request_body = Tried,
    responses((status = 200, body = Found, description = "Whether, and by which entry."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn test(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    request: Request,
) -> Result<Json<Found>, Problem> {
    keyholder.may(Verb::Look)?;
    let tried: Tried = body::read(request.into_body(), state.max_body_bytes).await?;
    let (scope, text) = (scope(&keyholder, tried.scope)?, sentence(&tried.text)?);
    let entry = state.repairs.would_suppress(&scope, text).await?;
    Ok(Json(Found { suppressed: entry.is_some(), suppression_id: entry.map(|id| id.to_string()) }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Lifting {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
    /// Stands in the audit log.
    reason: String,
}

/// Lets a claim be learnt again.
#[utoipa::path(
    delete, path = "/v1/suppressions/{suppression_id}", tag = "suppressions", params(("suppression_id" = String, Path), Lifting),
    responses((status = 200, body = Found, description = "Lifted."), (status = 404, body = Problem, description = "This namespace has no such entry."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn lift(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(suppression_id): Path<String>,
    Asked(lifting): Asked<Lifting>,
) -> Result<Json<Found>, Problem> {
    keyholder.may(Verb::Lift)?;
    let namespace = keyholder.namespace(lifting.namespace.as_deref())?;
    let deed = deed(&keyholder, &lifting.reason)?;
    let missing = || Problem::not_found("this namespace has no such suppressed claim");
    let entry: SuppressionId = id("suppression_id", Some(suppression_id))?.ok_or_else(missing)?;
    keyholder.reaches(&state, (&namespace, "suppressed claim", entry.as_str())).await?;
    state.repairs.lift(&namespace, &entry, &deed).await?;
    Ok(Json(Found { suppressed: false, suppression_id: Some(entry.to_string()) }))
}
