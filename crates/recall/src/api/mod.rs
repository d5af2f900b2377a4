//! The HTTP door: routes, state, and the OpenAPI file made from them. HTTP status codes live here and nowhere else.

mod asked;
mod audit;
mod auth;
mod body;
mod correct;
mod dead;
mod entities;
mod health;
mod keys;
mod known;
mod listen;
mod matrix;
mod memories;
mod owned;
mod people;
mod problem;
mod recent;
mod remember;
mod restate;
mod rollback;
mod runs;
mod suppressions;
mod swaps;
mod tokens;
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

use crate::fleet::Queue;

pub(crate) use auth::Keyholder;
pub(crate) use health::Unserved;
pub(crate) use known::Keys;
pub(crate) use listen::listen;
pub(crate) use recent::Recent;

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
    /// What calls accepted lately said.
    pub recent: Recent,
    /// Largest body of a request.
    pub max_body_bytes: usize,
    /// How long the door waits for the broker's confirm.
    pub confirm: Duration,
    /// How long a request may take from its head to its answer, a slow client included.
    pub request: Duration,
    /// How long the oldest call may wait before the door calls itself not ready; `None` for as long as it likes.
    pub oldest_waiting: Option<Duration>,
    /// Since when nobody works.
    pub unserved: Unserved,
    /// The store is the queue.
    pub embedded: bool,
}

impl State {
    /// What the queue says besides the store.
    pub(super) async fn queue(&self) -> Queue {
        if self.embedded { Queue::Embedded } else { Queue::of(&*self.broker).await }
    }
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
        .routes(routes!(swaps::swap))
        .routes(routes!(swaps::rollback))
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
        .routes(routes!(keys::list, keys::create))
        .routes(routes!(keys::rotate))
        .routes(routes!(keys::revoke))
        .routes(routes!(dead::list))
        .routes(routes!(dead::get))
        .routes(routes!(dead::requeue))
        .routes(routes!(dead::drop_all))
        .routes(routes!(runs::list))
        .routes(routes!(runs::get))
        .routes(routes!(runs::pause))
        .routes(routes!(runs::resume))
        .routes(routes!(runs::cancel))
        .routes(routes!(health::fleet))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::metrics))
        .split_for_parts();
    described.info.version = env!("CARGO_PKG_VERSION").to_owned();
    routes
        .route("/openapi.json", get(move || async move { Json(described) }))
        .fallback(|| async { problem::Problem::not_found("there is no such route; /openapi.json lists them") })
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, state.request))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(middleware::from_fn_with_state(Arc::clone(&state), auth::only_from_here))
        .layer(middleware::map_response(problem::every_refusal))
        .with_state(state)
}

/// What a worker answers: whether it lives, whether its store answers, and what it counts.
pub(crate) fn worker_router(store: Arc<dyn Store>, metrics: Arc<Metrics>) -> Router {
    let ready = move || {
        let store = Arc::clone(&store);
        async move { store.ready().await.map(|()| "ok").map_err(problem::Problem::from) }
    };
    Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(ready))
        .route("/metrics", get(move || async move { metrics.render() }))
        .layer(middleware::map_response(problem::every_refusal))
}
