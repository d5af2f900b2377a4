//! `/v1/keys`: keys of callers, for admins. A secret is in one answer only, the one that made it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Request, State as Of};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use recall_core::id::ApiKeyId;
use recall_store::record::{PageRequest, Tenants};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::correct::{Because, deed};
use super::matrix::Verb;
use super::memories::{id, limit, moment, wrong};
use super::problem::Problem;
use super::{Keyholder, State, body};
use crate::keys::{self, MAX_GRACE_SECONDS, Made, Wanted};
use crate::view::keys::KeyView;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    /// The tenant; a key for all of them sees all where absent.
    namespace: Option<String>,
    /// At most this many, 1 to 500; 50 where absent.
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Part of the keys.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct KeyPage {
    /// Newest first, revoked ones included.
    items: Vec<KeyView>,
    /// Where the next page begins; absent at the end.
    next_cursor: Option<String>,
}

/// A key to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewKey {
    /// The tenant, or `*` for every one; the caller's own where absent.
    namespace: Option<String>,
    /// `service`, `support`, `detector`, `agent`, `admin`, or `issuer`, which signs tokens of users.
    role: String,
    /// What people call it; 1 to 100 bytes.
    label: String,
    /// Until when it is taken (RFC 3339); for ever where absent.
    expires_at: Option<String>,
    /// Stands in the audit log.
    reason: String,
}

/// A key's secret is to be replaced.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Rotation {
    /// How long the secret before is taken, too; 0 to 2592000 (30 days).
    grace_seconds: u32,
    /// Stands in the audit log.
    reason: String,
}

/// A key with its secret.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct KeyWithSecret {
    /// The key.
    key: KeyView,
    /// Send it as `Authorization: Bearer SECRET`, or, of an issuer, sign with it. It is not kept and not shown again.
    secret: String,
}

/// An answer that no cache on its way may keep.
fn once(made: Made) -> Response {
    let secret = made.secret.expose_secret().to_owned();
    let mut response = Json(KeyWithSecret { key: KeyView::from(made.key), secret }).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Keys of a namespace, newest first; never their secrets.
#[utoipa::path(
    get, path = "/v1/keys", tag = "keys", params(Listed),
    responses((status = 200, body = KeyPage, description = "Keys."), (status = 403, body = Problem, description = "Not an admin key."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn list(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(listed): Asked<Listed>,
) -> Result<Json<KeyPage>, Problem> {
    keyholder.may(Verb::Keys)?;
    let tenants = match listed.namespace.as_deref() {
        None if keyholder.namespace == "*" => Tenants::All,
        asked => Tenants::One(keyholder.namespace(asked)?),
    };
    let page = PageRequest { limit: limit(listed.limit)?, cursor: listed.cursor };
    let page = state.repairs.api_keys(&tenants, &page).await?;
    Ok(Json(KeyPage { items: page.items.into_iter().map(KeyView::from).collect(), next_cursor: page.next_cursor }))
}

/// Makes a key. Its secret is in this answer and nowhere else.
#[utoipa::path(
    post, path = "/v1/keys", tag = "keys", request_body = NewKey,
    responses((status = 200, body = KeyWithSecret, description = "The key, and its secret this once."), (status = 403, body = Problem, description = "Not an admin key of this namespace."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn create(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    request: Request,
) -> Result<Response, Problem> {
    keyholder.may(Verb::Keys)?;
    let asked: NewKey = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, &asked.reason)?;
    let wanted = Wanted {
        namespace: match &asked.namespace {
            Some(namespace) => keyholder.namespace(Some(namespace))?,
            None => keyholder.namespace.clone(),
        },
        role: asked.role,
        label: asked.label,
        expires_at: moment("expires_at", asked.expires_at.as_deref())?,
    };
    let made = keys::create(&state.repairs, &state.hashes, wanted, &deed).await;
    let made = made.map_err(refused)?;
    state.keys.changed(&made.key.id);
    Ok(once(made))
}

/// Gives a key another secret; the one before is taken for a while, so that nobody is locked out meanwhile.
#[utoipa::path(
    post, path = "/v1/keys/{key_id}/rotate", tag = "keys", request_body = Rotation, params(("key_id" = String, Path)),
    responses((status = 200, body = KeyWithSecret, description = "The key, and its new secret this once."), (status = 404, body = Problem, description = "The caller's namespace has no such key."), (status = 409, body = Problem, description = "It is revoked."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn rotate(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(key_id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (tenants, key) = about(&keyholder, key_id)?;
    let rotation: Rotation = body::read(request.into_body(), state.max_body_bytes).await?;
    if rotation.grace_seconds > MAX_GRACE_SECONDS {
        return Err(wrong("grace_seconds", format!("must be 0 to {MAX_GRACE_SECONDS}")));
    }
    let deed = deed(&keyholder, &rotation.reason)?;
    let made = keys::rotate(&state.repairs, &state.hashes, (&tenants, &key), (rotation.grace_seconds, &deed)).await?;
    state.keys.changed(&key);
    Ok(once(made))
}

/// Takes a key out of use for good. Every process refuses it within 5 seconds; tokens an issuer signed go with it.
#[utoipa::path(
    post, path = "/v1/keys/{key_id}/revoke", tag = "keys", request_body = Because, params(("key_id" = String, Path)),
    responses((status = 200, body = KeyView, description = "The key."), (status = 404, body = Problem, description = "The caller's namespace has no such key."), (status = 409, body = Problem, description = "It was revoked before."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn revoke(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(key_id): Path<String>,
    request: Request,
) -> Result<Json<KeyView>, Problem> {
    let (tenants, key) = about(&keyholder, key_id)?;
    let because: Because = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, because.reason())?;
    let revoked = state.repairs.revoke_key((&tenants, &key), &deed).await?;
    state.keys.changed(&key);
    Ok(Json(KeyView::from(revoked)))
}

fn about(keyholder: &Keyholder, key_id: String) -> Result<(Tenants, ApiKeyId), Problem> {
    keyholder.may(Verb::Keys)?;
    let tenants = match keyholder.namespace.as_str() {
        "*" => Tenants::All,
        own => Tenants::One(own.to_owned()),
    };
    let missing = || Problem::not_found("this namespace has no such key");
    Ok((tenants, id("key_id", Some(key_id))?.ok_or_else(missing)?))
}

fn refused(error: keys::Refused) -> Problem {
    match error {
        keys::Refused::Field(field, detail) => wrong(field, detail),
        keys::Refused::Store(error) => error.into(),
    }
}
