//! A model server that is down: the backlog stays in its queue in order, nothing dies, and another server can stand in.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::json;

use super::{Act, PARROT, model, parrot, world_with};
use crate::world::{Backends, one_turn, stand_in, text};

const CALLS: usize = 60;
const CONCURRENCY: usize = 4;

/// A server that fails until it is well, and then finds nothing to remember.
async fn ailing() -> (String, Arc<AtomicBool>, Arc<AtomicUsize>) {
    let (well, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let (is_well, counter) = (Arc::clone(&well), Arc::clone(&asked));
    let handler = move || {
        counter.fetch_add(1, Ordering::SeqCst);
        let well = is_well.load(Ordering::SeqCst);
        async move {
            if !well {
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            }
            let message = json!({ "role": "assistant", "content": "{\"candidates\":[]}" });
            Json(json!({ "model": "stub-1", "choices": [{ "index": 0, "finish_reason": "stop", "message": message }] }))
                .into_response()
        }
    };
    let address = stand_in(Router::new().route("/v1/chat/completions", post(handler))).await;
    (format!("{address}/v1"), well, asked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_model_is_down_the_backlog_stays_in_its_queue_and_is_worked_off_when_it_is_well() {
    let (url, well, asked) = ailing().await;
    let mut world = world_with(Backends::Services, &url).await;
    world.set("WORKER__CONCURRENCY", &CONCURRENCY.to_string());
    world.serve();
    for number in 0..CALLS {
        world
            .remember(&one_turn(
                "u",
                &format!("s{}", number % 20),
                &format!("t{number}"),
                &format!("I own {} boats.", number + 2),
            ))
            .await;
    }
    world.work();
    let paused = world
        .until("the worker to pause", || async {
            let view = world.json(&["fleet", "status", "--json"]);
            let told = view["workers"][0]["paused"].as_str().is_some_and(|paused| paused.contains("failing"));
            (told && view["live"]["queued"].as_u64() >= Some(CALLS as u64 / 2)).then_some(view)
        })
        .await;
    let parked = paused["live"]["parked"].as_u64().unwrap();
    // Parked are the calls that were in hand when the worker paused, and those of their sessions that were handed out behind them.
    assert!(parked <= CALLS as u64 / 3, "the backlog was parked: {paused:#}");
    assert!(text(&world.recall(&["fleet", "status"]).stdout).contains("model failing, tried again in"));
    assert!(asked.load(Ordering::SeqCst) <= 5 + CONCURRENCY, "a server that is down is left alone");
    well.store(true, Ordering::SeqCst);
    world
        .until("every call to be done", || async {
            (world.count("SELECT count(*) FROM runs").await == CALLS as i64).then_some(())
        })
        .await;
    assert_eq!(world.count("SELECT count(*) FROM dead_letters").await, 0);
    assert_eq!(world.count("SELECT count(*) FROM parked").await, 0);
    // Within a session the runs follow the order in which the calls were accepted.
    let overtaken = "SELECT count(*) FROM runs a JOIN runs b ON a.session_pk = b.session_pk
        WHERE a.session_version < b.session_version AND a.accepted_at > b.accepted_at";
    assert_eq!(world.count(overtaken).await, 0);
}

#[tokio::test]
async fn another_server_answers_where_the_first_is_down_and_the_memory_names_its_model() {
    let (down, _) = model(vec![Act::Fails(503, "100")]).await;
    let (up, asked) = model(vec![parrot()]).await;
    let mut world = world_with(Backends::Embedded, &down).await;
    world.set("MODEL__FALLBACK", &format!("[{{ base_url = \"{up}\", model = \"stub-2\" }}]"));
    world.serve();
    let id = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    let trace = world.done(&id).await;
    assert_eq!(trace["stored_count"], 1, "{trace}");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    let memories = world.memories("user_id=u").await;
    assert_eq!(memories[0]["provenance"]["extracted_by"]["model"], "stub-2");
    assert_eq!(trace["usage"]["model_calls"], 2);
}
