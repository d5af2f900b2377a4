//! Sessions that send one call after the other, each only once the one before was accepted; their log is what counts later.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use recall_tests::{Sent, call};
use serde_json::Value;
use tokio::task::JoinSet;

use super::pause;

/// Sessions at work.
pub(crate) struct Sending {
    stop: Arc<AtomicBool>,
    accepted: Arc<AtomicU64>,
    tasks: JoinSet<Vec<Sent>>,
}

/// Starts the sessions.
pub(crate) fn start(sessions: u32, doors: Vec<String>) -> Sending {
    let (stop, accepted) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let http = reqwest::Client::builder().timeout(Duration::from_secs(20)).build().unwrap();
    let mut tasks = JoinSet::new();
    for session in 0..sessions {
        let (stop, accepted, doors, http) = (stop.clone(), accepted.clone(), doors.clone(), http.clone());
        tasks.spawn(async move {
            let mut log = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                let seq = log.len() as u32;
                let sent = send(&http, &doors, session, seq).await;
                accepted.fetch_add(1, Ordering::Relaxed);
                log.push(sent);
                pause(40 + u64::from(session % 7) * 30).await;
            }
            log
        });
    }
    Sending { stop, accepted, tasks }
}

impl Sending {
    pub(crate) fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Lets every session finish its call; the log of all.
    pub(crate) async fn stop(self) -> Vec<Sent> {
        self.stop.store(true, Ordering::Relaxed);
        self.tasks.join_all().await.into_iter().flatten().collect()
    }
}

/// Sends a call until some door says that it is safe; what was not answered is sent again under the same key.
async fn send(http: &reqwest::Client, doors: &[String], session: u32, seq: u32) -> Sent {
    let (body, claims) = call(session, seq);
    for attempt in 0.. {
        let door = &doors[(session as usize + seq as usize + attempt) % doors.len()];
        let asked = http.post(format!("{door}/v1/remember")).json(&body).send().await;
        let answer = match asked {
            Ok(response) if response.status().as_u16() == 202 => response.json::<Value>().await.ok(),
            Ok(response) if response.status().is_client_error() => {
                panic!("a good call was refused: {}", response.text().await.unwrap_or_default())
            }
            Ok(_) | Err(_) => None,
        };
        match answer.as_ref().and_then(|answer| answer["trace_id"].as_str()) {
            Some(id) => return Sent { session, seq, trace_id: id.to_owned(), claims },
            None => pause(200).await,
        }
    }
    unreachable!("a session sends until it is heard")
}
