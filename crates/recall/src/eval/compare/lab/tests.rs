//! Both arms draw on one limit of rate, in virtual time.

use std::sync::Mutex;
use std::time::Duration;

use axum::routing::post;
use axum::{Json, Router};
use recall_core::prompt::{Ask, AskTurn};
use recall_core::turn::{Role, Said, TurnId};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::*;
use crate::config;

/// Requests a minute.
const LIMIT: usize = 22;
/// Requests of an arm.
const ASKED: usize = 18;

/// When the stand-in for the model was asked.
type Asked = Arc<Mutex<Vec<Instant>>>;

/// A stand-in for the model; where it listens.
async fn model(asked: &Asked, beside: &mut JoinSet<()>) -> String {
    let asked = Arc::clone(asked);
    let answer = move || {
        asked.lock().unwrap().push(Instant::now());
        let message = json!({ "role": "assistant", "content": "{\"candidates\":[]}" });
        let choice = json!({ "index": 0, "finish_reason": "stop", "message": message });
        let usage = json!({ "prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10 });
        let reply = json!({ "id": "x", "object": "chat.completion", "created": 1, "model": "stub", "choices": [choice], "usage": usage });
        async { Json(reply) }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/v1/chat/completions", post(answer));
    beside.spawn(async { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/v1")
}

/// Paused time leaps to the next timer whenever nothing is ready; without a near one it would leap over answers that are on their way.
fn small_steps(beside: &mut JoinSet<()>) {
    beside.spawn(async {
        let mut tick = tokio::time::interval(Duration::from_millis(5));
        loop {
            tick.tick().await;
        }
    });
}

fn arm(side: Side, version: &str) -> Arm {
    let prompt = Library::builtin().extract(version).unwrap().clone();
    Arm { side, prompt, model: None, first_sample: 0 }
}

/// An arm asks one question after the other.
async fn ask((arm, model): &(Arm, Arc<Taped>)) {
    for number in 0..ASKED {
        let id = TurnId(format!("t{number}"));
        let turn = AskTurn { id, role: Role::User, name: None, at: None, content: Said::new("I row.") };
        let ask = Ask {
            session: format!("s{number}"),
            turns: vec![turn],
            context: Vec::new(),
            custom_instruction: None,
            prompt: Arc::clone(&arm.prompt),
        };
        model.extract(&ask).await.unwrap();
    }
}

/// The most requests of any minute.
fn most_of_a_minute(asked: &Asked) -> usize {
    let asked = asked.lock().unwrap();
    let minute = |from: &Instant| {
        asked.iter().filter(|at| *at >= from && at.duration_since(*from) < Duration::from_secs(60)).count()
    };
    asked.iter().map(minute).max().unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn both_arms_share_one_limit_of_rate() {
    let mut beside = JoinSet::new();
    small_steps(&mut beside);
    let folder = tempfile::tempdir().unwrap();
    let mut most = Vec::new();
    for shared in [true, false] {
        let asked = Asked::default();
        let settings = [
            "model.provider=openai".to_owned(),
            format!("model.base_url={}", model(&asked, &mut beside).await),
            "model.model=stub".to_owned(),
            "model.api_key=sk-test".to_owned(),
            format!("model.requests_per_minute={LIMIT}"),
        ];
        let config = config::load(None, &settings).unwrap();
        let of = |name: &str| Replies::new(&config, Some(&folder.path().join(name))).unwrap();
        let arms = [arm(Side::A, "v1"), arm(Side::B, "v2")];
        let (one, other) = (of(&format!("{shared}-one")), of(&format!("{shared}-other")));
        let [a, b] = if shared {
            one.models(&arms, 1).unwrap().remove(0).try_into().unwrap_or_else(|_| panic!("two arms"))
        } else {
            [&one, &other].map(|replies| replies.models(&arms, 1).unwrap().remove(0).remove(0))
        };
        tokio::join!(ask(&a), ask(&b));
        assert_eq!(asked.lock().unwrap().len(), 2 * ASKED);
        most.push(most_of_a_minute(&asked));
    }
    assert!(most[0] <= LIMIT, "{most:?} in a minute, {LIMIT} allowed");
    assert!(most[1] > LIMIT, "two limits would allow more: {most:?}");
}
