//! Clients of a door that post at once, each call after the answer to the one before.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::calls;
use super::http::Client;

/// Posts calls for some time; how long each took to be confirmed.
pub(crate) async fn post_for(port: u16, clients: usize, time: Duration) -> Vec<Duration> {
    let next = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    let end = Instant::now() + time;
    for _ in 0..clients {
        let next = Arc::clone(&next);
        tasks.spawn(async move {
            let mut client = Client::connect(port).await.unwrap();
            let mut took = Vec::new();
            while Instant::now() < end {
                let body = calls::one_claim(next.fetch_add(1, Ordering::Relaxed));
                let began = Instant::now();
                remember(&mut client, &body).await;
                took.push(began.elapsed());
            }
            took
        });
    }
    tasks.join_all().await.into_iter().flatten().collect()
}

/// Posts every call: those of a session in their order, sessions side by side.
pub(crate) async fn post_all(port: u16, clients: usize, sessions: Vec<Vec<String>>) {
    let (sessions, next) = (Arc::new(sessions), Arc::new(AtomicUsize::new(0)));
    let mut tasks = JoinSet::new();
    for _ in 0..clients {
        let (sessions, next) = (Arc::clone(&sessions), Arc::clone(&next));
        tasks.spawn(async move {
            let mut client = Client::connect(port).await.unwrap();
            while let Some(session) = sessions.get(next.fetch_add(1, Ordering::Relaxed)) {
                for body in session {
                    remember(&mut client, body).await;
                }
            }
        });
    }
    tasks.join_all().await;
}

/// Posts so many calls of one claim, each of a person and session of its own.
pub(crate) async fn post_claims(port: u16, clients: usize, calls: usize) {
    post_all(port, clients, (0..calls).map(|number| vec![calls::one_claim(number)]).collect()).await;
}

async fn remember(client: &mut Client, body: &str) {
    let (status, answer) = client.post("/v1/remember", body).await.unwrap();
    assert_eq!(status, 202, "{answer}");
}
