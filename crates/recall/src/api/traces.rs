//! `GET /v1/traces`: how calls stand.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State as Of};
use recall_core::id::TraceId;
use recall_core::moment::Moment;
use recall_store::record::{PageRequest, TraceFilter};
use serde::Deserialize;
use utoipa::IntoParams;

use super::asked::Asked;
use super::matrix::Verb;
use super::memories::{limit, moment, named, owner};
use super::problem::Problem;
use super::{Keyholder, State};
use crate::config::ApiRole;
use crate::view::TraceView;

/// What is known of a call whose id is one that was given away and of which there is no mark yet.
const NO_MARK: &str = "no worker has taken it: it waits in the queue, or it was never accepted";

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct One {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
}

/// How one call stands. A service key sees status and counts; support and admin see turns, candidates and verdicts; a user
/// sees the same of their own calls once these are done. `queued` is said of ids alone that were given to a call of this namespace;
/// where nothing is kept of it yet, `notes` says so.
#[utoipa::path(
    get, path = "/v1/traces/{trace_id}", tag = "traces", params(("trace_id" = String, Path), One),
    responses(
        (status = 200, body = TraceView, description = "How the call stands."),
        (status = 404, body = Problem, description = "This namespace has no such call."),
        (status = 422, body = Problem, description = "Not an id."),
    )
)]
pub(super) async fn get(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(id): Path<String>,
    Asked(one): Asked<One>,
) -> Result<Json<TraceView>, Problem> {
    keyholder.may(Verb::Follow)?;
    let namespace = keyholder.namespace(one.namespace.as_deref())?;
    let id: TraceId = id.parse().map_err(|error: recall_core::id::InvalidId| {
        Problem::invalid(vec![crate::door::Fault::new("trace_id", error.to_string())])
    })?;
    keyholder.reaches(&state, (&namespace, "trace", id.as_str())).await?;
    let trace = state.store.trace(&namespace, &id).await?;
    if let Some(mut trace) = trace {
        if keyholder.role == ApiRole::Service {
            trace.verdicts.clear();
        }
        return Ok(Json(TraceView::from(&trace)));
    }
    // Every run is kept for ever and every other end leaves its mark, so that an id of ours that is nowhere is in the queue, or was
    // never accepted; only who sent the call can know it then. What vouches for it nobody else can make.
    if id.is_vouched(state.hashes.lasting(), &namespace) {
        let detail = serde_json::json!({ "notes": [NO_MARK] });
        return Ok(Json(TraceView { trace_id: id.to_string(), status: "queued".into(), detail }));
    }
    Err(Problem::not_found("this namespace has no such trace"))
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
    /// Committed at or after (RFC 3339).
    since: Option<String>,
    /// Committed before (RFC 3339).
    until: Option<String>,
    /// `queued`, `parked`, `done` or `dead`; all where absent.
    status: Option<String>,
    /// `remember`, `literal` or `restate`, of committed calls; all where absent.
    operation: Option<String>,
    /// At most this many, 1 to 500; 50 where absent.
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Calls of a namespace, newest first.
#[utoipa::path(
    get, path = "/v1/traces", tag = "traces", params(Listed),
    responses((status = 200, body = Object, description = "`items` and `next_cursor`."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn list(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(listed): Asked<Listed>,
) -> Result<Json<serde_json::Value>, Problem> {
    keyholder.may(Verb::ReadTraces)?;
    let since: Option<Moment> = moment("since", listed.since.as_deref())?;
    let filter = TraceFilter {
        namespace: keyholder.namespace(listed.namespace.as_deref())?,
        owner: keyholder.owner(owner(listed.user_id, listed.account_id)?)?,
        since,
        until: moment("until", listed.until.as_deref())?,
        status: named("status", listed.status, "queued, parked, done or dead")?,
        operation: named("operation", listed.operation, "remember, literal or restate")?,
    };
    let page = PageRequest { limit: limit(listed.limit)?, cursor: listed.cursor };
    let page = state.store.traces(&filter, &page).await?;
    Ok(Json(serde_json::json!({ "items": page.items, "next_cursor": page.next_cursor })))
}
