//! Is it alive, is it ready, how is the fleet doing, what does it count?

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State as Of;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::matrix::Verb;
use super::problem::Problem;
use super::{Keyholder, State};
use crate::fleet::{self, FleetView};

/// Since when calls wait and no worker lives, as this door saw it.
#[derive(Default)]
pub(crate) struct Unserved {
    since: Mutex<Option<Instant>>,
}

impl Unserved {
    /// It is so now; how long it has been.
    fn still(&self) -> Duration {
        self.since.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(Instant::now).elapsed()
    }

    /// It is not so now.
    fn over(&self) -> Duration {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Duration::ZERO
    }
}

/// The process answers.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = String, description = "`ok`")))]
pub(super) async fn healthz() -> &'static str {
    "ok"
}

/// Store and queue answer and no call waits longer than `api.oldest_waiting_seconds`: a call would be accepted and worked on.
#[utoipa::path(
    get, path = "/readyz", tag = "health",
    responses((status = 200, body = Object, description = "Ready."), (status = 503, body = Object, description = "What is away, or how long calls wait."))
)]
pub(super) async fn readyz(Of(state): Of<Arc<State>>) -> Response {
    let store = state.store.ready().await.map_err(|error| error.to_string());
    let queue = state.broker.ready().await.map_err(|error| error.to_string());
    let work = match (&store, &queue) {
        (Ok(()), Ok(())) => work(&state).await,
        (Err(_), _) | (_, Err(_)) => Err("not known while store or queue are away".into()),
    };
    let ready = store.is_ok() && queue.is_ok() && work.is_ok();
    let said = |part: Result<(), String>| part.err().unwrap_or_else(|| "ok".to_owned());
    let body = json!({ "ready": ready, "store": said(store), "queue": said(queue), "work": said(work) });
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(body)).into_response()
}

/// `Ok` while no call waits for too long.
async fn work(state: &State) -> Result<(), String> {
    let view = fleet::view(&state.repairs, &state.queue().await).await;
    let view = view.map_err(|error| error.to_string())?;
    let nobody_works = view.alive() == 0 && view.waiting() > 0;
    let unserved = if nobody_works { state.unserved.still() } else { state.unserved.over() };
    let Some(limit) = state.oldest_waiting else { return Ok(()) };
    let limit_seconds = limit.as_secs();
    if view.oldest_seconds > limit_seconds {
        return Err(format!("the oldest call waits for {} s, more than {limit_seconds} s", view.oldest_seconds));
    }
    if unserved > limit {
        let waiting = view.waiting();
        return Err(format!("{waiting} calls wait and no worker lives, for {} s", unserved.as_secs()));
    }
    Ok(())
}

/// Workers, partitions, and what waits. For admin keys of all namespaces.
#[utoipa::path(
    get, path = "/v1/fleet", tag = "health",
    responses((status = 200, body = FleetView, description = "The fleet as it stands."), (status = 403, body = Problem, description = "Not an admin key of all namespaces."))
)]
pub(super) async fn fleet(Of(state): Of<Arc<State>>, keyholder: Keyholder) -> Result<Json<FleetView>, Problem> {
    keyholder.may(Verb::Operate)?;
    if keyholder.namespace != "*" {
        return Err(Problem::forbidden("the fleet works for every namespace; this key belongs to one"));
    }
    Ok(Json(fleet::view(&state.repairs, &state.queue().await).await?))
}

/// Prometheus metrics of this process.
#[utoipa::path(get, path = "/metrics", tag = "health", responses((status = 200, body = String, description = "Prometheus text format.")))]
pub(super) async fn metrics(Of(state): Of<Arc<State>>) -> Response {
    if let Ok(view) = fleet::view(&state.repairs, &state.queue().await).await {
        let waiting = [
            ("live", view.live.queued),
            ("bulk", view.bulk.queued),
            ("parked", Some(view.live.parked + view.bulk.parked)),
            ("dead", Some(view.dead)),
            ("astray", view.astray),
        ];
        for (place, calls) in waiting {
            if let Some(calls) = calls {
                state.metrics.waiting.with_label_values(&[place]).set(i64::try_from(calls).unwrap_or(i64::MAX));
            }
        }
        let oldest = i64::try_from(view.oldest_seconds).unwrap_or(i64::MAX);
        state.metrics.oldest_waiting_seconds.set(oldest);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], state.metrics.render()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_lives_again_ends_the_count() {
        let unserved = Unserved::default();
        assert_eq!(unserved.over(), Duration::ZERO);
        let first = unserved.still();
        assert!(unserved.still() >= first);
        assert_eq!(unserved.over(), Duration::ZERO);
        assert!(unserved.since.lock().unwrap().is_none());
    }
}
