//! The HTTP door: routes, state, and the OpenAPI file made from them. HTTP status codes live here and nowhere else.

mod asked;
mod audit;
mod auth;
mod body;
mod correct;
mod entities;
mod health;
mod memories;
mod people;
mod problem;
mod recent;
mod remember;
mod restate;
mod rollback;
mod suppressions;
mod traces;

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::middleware;
use axum::routing::get;
use axum::{Json, Router};
use recall_broker::Broker;
use recall_core::keys::KeyRing;
use recall_core::settings::Settings;
use recall_store::{SqlStore, Store};
use recall_worker::metrics::Metrics;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) use auth::Keyholder;
pub(crate) use auth::Keys;
pub(crate) use recent::Recent;

/// How long a request may take from its head to its answer, a slow client included.
const SLOWEST_REQUEST: Duration = Duration::from_secs(60);

/// What every handler may use.
pub(crate) struct State {
    pub store: Arc<dyn Store>,
    /// The same store, for what people do to memories.
    pub repairs: Arc<SqlStore>,
    pub broker: Arc<dyn Broker>,
    pub metrics: Arc<Metrics>,
    pub hashes: Arc<KeyRing>,
    pub keys: Keys,
    /// Settings of a namespace, for its time zone.
    pub settings: Box<dyn Fn(&str) -> Settings + Send + Sync>,
    /// Calls accepted lately.
    pub recent: Recent,
    /// Largest body of a request.
    pub max_body_bytes: usize,
    /// How long the door waits for the broker's confirm.
    pub confirm: Duration,
}

#[derive(OpenApi)]
#[openapi(info(
    title = "Recall",
    description = "The write side of long-term memory for chat products: what is stored can be shown from what was said."
))]
struct Described;

/// The whole router.
pub(crate) fn router(state: Arc<State>) -> Router {
    let (routes, mut described) = OpenApiRouter::with_openapi(Described::openapi())
        .routes(routes!(remember::remember))
        .routes(routes!(traces::get))
        .routes(routes!(traces::list))
        .routes(routes!(memories::list))
        .routes(routes!(memories::get, restate::update, correct::delete))
        .routes(routes!(correct::forget))
        .routes(routes!(correct::restore))
        .routes(routes!(correct::dispute))
        .routes(routes!(correct::settle))
        .routes(routes!(correct::feedback))
        .routes(routes!(correct::touch))
        .routes(routes!(audit::story))
        .routes(routes!(audit::list))
        .routes(routes!(audit::disputes))
        .routes(routes!(rollback::forget_one))
        .routes(routes!(rollback::restore_one))
        .routes(routes!(rollback::forget))
        .routes(routes!(rollback::restore))
        .routes(routes!(suppressions::list, suppressions::add))
        .routes(routes!(suppressions::lift))
        .routes(routes!(suppressions::test))
        .routes(routes!(entities::list))
        .routes(routes!(entities::duplicates))
        .routes(routes!(entities::update))
        .routes(routes!(entities::merge))
        .routes(routes!(entities::unmerge))
        .routes(routes!(people::lines))
        .routes(routes!(people::erase))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::metrics))
        .split_for_parts();
    described.info.version = env!("CARGO_PKG_VERSION").to_owned();
    routes
        .route("/openapi.json", get(move || async move { Json(described) }))
        .fallback(|| async { problem::Problem::not_found("there is no such route; /openapi.json lists them") })
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, SLOWEST_REQUEST))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), auth::only_from_here))
        .with_state(state)
}
