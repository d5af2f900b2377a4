//! `/v1/people`: everything kept of one person, as lines; and taking all of it away.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State as Of};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use recall_core::scope::Owner;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::asked::Asked;
use super::correct::deed;
use super::matrix::Verb;
use super::memories::{owner, wrong};
use super::owned::{Whose, one};
use super::problem::Problem;
use super::rollback::execution;
use super::{Keyholder, State, body};
use crate::door::{MAX_NAME_BYTES, fault_of_words};
use crate::export;
use crate::view::receipt::ReceiptView;

/// What is remembered of a person, one JSON object a line: memories that were not forgotten, entities, suppressed claims and the audit log,
/// each with its `kind`. Stored traces, windows of sessions and calls that wait are not in it.
#[utoipa::path(
    get, path = "/v1/people/export", tag = "people", params(Whose),
    responses((status = 200, content_type = "application/x-ndjson", body = String, description = "Lines of JSON."), (status = 422, body = Problem, description = "A parameter is wrong."))
)]
pub(super) async fn lines(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    Asked(whose): Asked<Whose>,
) -> Result<Response, Problem> {
    keyholder.may(Verb::Export)?;
    let (namespace, owner) = whose.named(&keyholder)?;
    let pages = export::pages(Arc::clone(&state.repairs), namespace, owner);
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(pages)).into_response())
}

/// Whom to erase.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Erasure {
    /// The tenant, where the key is for several.
    namespace: Option<String>,
    /// This person; exactly one of `user_id` and `account_id`.
    user_id: Option<String>,
    /// This account.
    account_id: Option<String>,
    /// Names the person speaks under in scopes of accounts besides their own id, as turns give them; at most 100, from keys alone.
    #[serde(default)]
    names: Vec<String>,
    /// Stands in the audit log; no words and no id of the person.
    reason: String,
    /// Only work out what would be taken away.
    #[serde(default)]
    dry_run: bool,
}

/// The most names a person may be told by.
const MAX_NAMES: usize = 100;

impl Erasure {
    fn names(&self, keyholder: &Keyholder, owner: &Owner) -> Result<Vec<String>, Problem> {
        if !self.names.is_empty() && keyholder.owner.is_some() {
            return Err(Problem::forbidden(
                "under which other names a person speaks is told with a key, not with their token",
            ));
        }
        match owner {
            Owner::Account(_) if !self.names.is_empty() => {
                Err(wrong("names", "are of a person; an account speaks under none"))
            }
            _ if self.names.len() > MAX_NAMES => Err(wrong("names", format!("must be at most {MAX_NAMES}"))),
            Owner::User(_) | Owner::Account(_) => {
                let fault = self.names.iter().find_map(|name| fault_of_words(name, MAX_NAME_BYTES));
                fault.map_or(Ok(self.names.clone()), |fault| Err(wrong("names", fault)))
            }
        }
    }
}

/// Answer to an erasure.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Erased {
    /// Nothing was taken away.
    dry_run: bool,
    /// What was taken away.
    receipt: ReceiptView,
}

/// Erases a person or account in one transaction: every word and id leaves every table. Out of scopes of accounts go the turns the person
/// said, the quotes from them, and what only they said. Calls accepted before are dropped when they arrive. The person can come back.
#[utoipa::path(
    post, path = "/v1/people/erase", tag = "people", request_body = Erasure,
    responses((status = 200, body = Erased, description = "The receipt: rows by table, and whether anything was found. A person nobody knows has one of zeros; whether another tenant knows them is not told."), (status = 403, body = Problem, description = "Only an admin key erases, and a user their own."), (status = 422, body = Problem, description = "A field is wrong."))
)]
pub(super) async fn erase(
    Of(state): Of<Arc<State>>,
    keyholder: Keyholder,
    request: Request,
) -> Result<Json<Erased>, Problem> {
    keyholder.may(Verb::Erase)?;
    let erasure: Erasure = body::read(request.into_body(), state.max_body_bytes).await?;
    let deed = deed(&keyholder, &erasure.reason)?;
    let namespace = keyholder.namespace(erasure.namespace.as_deref())?;
    let owner = one(keyholder.owner(owner(erasure.user_id.clone(), erasure.account_id.clone())?)?)?;
    let names = erasure.names(&keyholder, &owner)?;
    let (dry_run, execution) = (erasure.dry_run, execution(erasure.dry_run));
    let meant = recall_store::erasure::Erasure { owner, names, execution };
    let receipt = state.repairs.erase(&namespace, &meant, &deed).await?;
    Ok(Json(Erased { dry_run, receipt: ReceiptView::from(receipt) }))
}
