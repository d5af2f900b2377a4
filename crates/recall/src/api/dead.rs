//! `/v1/dead`: calls that could not be done. A person looks at them, sends them on, or drops them.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State as Of};
use axum::http::StatusCode;
use recall_store::record::{DeadFilter, PageRequest, Tenants};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::matrix::Verb;
use super::memories::{limit, moment};
use super::problem::Problem;
use super::{Keyholder, State};
use crate::door::Fault;
use crate::letters::{self, DeadStory, DeadView, Decided};

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    /// The tenant; a key for all of them sees all where absent.
    namespace: Option<String>,
    /// Class of the last error: transient, permanent or bug.
    class: Option<String>,
    /// At most this many, 1 to 500; 50 where absent.
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Dead letters, newest first, and where the list goes on.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DeadPage {
    items: Vec<DeadView>,
    next_cursor: Option<String>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct One {
    /// The tenant; a key for all of them sees all where absent.
    namespace: Option<String>,
    /// Also show the message, which holds words of people.
    #[serde(default)]
    payload: bool,
}

/// Dead letters to be sent on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Requeue {
    /// The tenant; a key for all of them reaches all where absent.
    namespace: Option<String>,
    /// 1 to 500.
    ids: Option<Vec<String>>,
    /// Instead of ids: all of a kind, the oldest 500 at a time.
    all: Option<All>,
}

/// Which dead letters are meant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct All {
    /// Class of the last error: transient, permanent or bug; every one where absent.
    class: Option<String>,
    /// Words the last error holds.
    reason: Option<String>,
    /// That died before (RFC 3339); now where absent. Give the same with every part, so that one that dies again is not met again.
    died_before: Option<String>,
    /// `next_cursor` of the part before.
    cursor: Option<String>,
}

/// Dead letters to be dropped.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Drop {
    /// The tenant; a key for all of them reaches all where absent.
    namespace: Option<String>,
    /// 1 to 500.
    ids: Vec<String>,
    /// Why; kept with the ids for ever.
    reason: String,
}

/// What became of each, in the order asked.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DecidedAll {
    items: Vec<Decided>,
    /// Where the next part of all begins; absent where this was the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Dead letters, newest first, without words of people.
#[utoipa::path(
    get, path = "/v1/dead", tag = "dead", params(Listed),
    responses((status = 200, body = DeadPage, description = "A page of dead letters."), (status = 403, body = Problem, description = "Not an admin key."))
)]
pub(super) async fn list(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(listed): Asked<Listed>,
) -> Result<Json<DeadPage>, Problem> {
    keyholder.may(Verb::Operate)?;
    let filter =
        DeadFilter { class: listed.class, ..DeadFilter::of(tenants(&keyholder, listed.namespace.as_deref())?) };
    let page = PageRequest { limit: limit(listed.limit)?, cursor: listed.cursor };
    let page = state.store.dead_letters(&filter, &page).await?;
    let items = page.items.iter().map(DeadView::from).collect();
    Ok(Json(DeadPage { items, next_cursor: page.next_cursor }))
}

/// One dead letter with what happened to its call.
#[utoipa::path(
    get, path = "/v1/dead/{id}", tag = "dead", params(("id" = String, Path), One),
    responses((status = 200, body = DeadStory, description = "The letter and its story."), (status = 404, body = Problem, description = "No such dead letter."))
)]
pub(super) async fn get(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Path(id): Path<String>,
    Asked(one): Asked<One>,
) -> Result<Json<DeadStory>, Problem> {
    keyholder.may(Verb::Operate)?;
    let tenants = tenants(&keyholder, one.namespace.as_deref())?;
    letters::check_ids(std::slice::from_ref(&id)).map_err(|detail| wrong("id", detail))?;
    let found = letters::story(&*state.store, &tenants, &id).await?;
    let (mut story, letter) = found.ok_or_else(|| Problem::not_found("there is no such dead letter"))?;
    story.payload = one.payload.then(|| letters::payload(&letter));
    Ok(Json(story))
}

/// Sends dead letters on, by their ids or all of a kind: each goes behind what its session has waiting, with all its attempts. Asking again
/// changes nothing.
#[utoipa::path(
    post, path = "/v1/dead/requeue", tag = "dead", request_body = Requeue,
    responses((status = 200, body = DecidedAll, description = "What became of each."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn requeue(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    body: Result<Json<Requeue>, JsonRejection>,
) -> Result<Json<DecidedAll>, Problem> {
    keyholder.may(Verb::Operate)?;
    let Json(asked) = body.map_err(unreadable)?;
    let tenants = tenants(&keyholder, asked.namespace.as_deref())?;
    let actor = keyholder.actor().to_string();
    match (asked.ids, asked.all) {
        (Some(ids), None) => {
            letters::check_ids(&ids).map_err(|detail| wrong("ids", detail))?;
            let items = letters::requeue(&*state.store, &tenants, &ids, &actor).await?;
            Ok(Json(DecidedAll { items, next_cursor: None }))
        }
        (None, Some(all)) => {
            letters::check_words(all.reason.as_deref()).map_err(|detail| wrong("all.reason", detail))?;
            let died_before = moment("all.died_before", all.died_before.as_deref())?.unwrap_or_else(crate::clock::now);
            let filter = DeadFilter {
                class: all.class,
                reason: all.reason,
                died_before: Some(died_before),
                ..DeadFilter::of(tenants)
            };
            let chunk = letters::requeue_chunk(&*state.store, &filter, all.cursor, &actor).await?;
            Ok(Json(DecidedAll { items: chunk.decided, next_cursor: chunk.next_cursor }))
        }
        (_, _) => Err(wrong("ids", "give either ids or all".into())),
    }
}

/// Drops dead letters for good. Their ids, the reason and who did it are kept.
#[utoipa::path(
    post, path = "/v1/dead/drop", tag = "dead", request_body = Drop,
    responses((status = 200, body = DecidedAll, description = "What became of each."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn drop_all(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    body: Result<Json<Drop>, JsonRejection>,
) -> Result<Json<DecidedAll>, Problem> {
    keyholder.may(Verb::Operate)?;
    let Json(asked) = body.map_err(unreadable)?;
    let tenants = tenants(&keyholder, asked.namespace.as_deref())?;
    letters::check_ids(&asked.ids).map_err(|detail| wrong("ids", detail))?;
    letters::check_reason(&asked.reason).map_err(|detail| wrong("reason", detail))?;
    let actor = keyholder.actor().to_string();
    Ok(Json(DecidedAll {
        items: letters::drop_all(&*state.store, &tenants, &asked.ids, asked.reason.trim(), &actor).await?,
        next_cursor: None,
    }))
}

/// Whose dead letters a key may see: a key for all sees also those that could not be read.
fn tenants(keyholder: &Keyholder, asked: Option<&str>) -> Result<Tenants, Problem> {
    match asked {
        None if keyholder.namespace == "*" => Ok(Tenants::All),
        asked => Ok(Tenants::One(keyholder.namespace(asked)?)),
    }
}

fn wrong(field: &str, detail: String) -> Problem {
    Problem::invalid(vec![Fault::new(field, detail)])
}

fn unreadable(rejection: JsonRejection) -> Problem {
    match rejection.status() {
        StatusCode::UNPROCESSABLE_ENTITY => {
            wrong("body", "does not have the fields of this request, or has others".into())
        }
        status => Problem::unreadable(status, "send a JSON object with content-type application/json"),
    }
}
