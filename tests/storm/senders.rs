//! Sessions that send one call after the other, each only once the one before was accepted; their log is what counts later. They wait
//! while too many calls are unfinished, and after some calls a session gives way to the next, of another person.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use recall_tests::{Sent, call};
use serde_json::Value;
use tokio::task::JoinSet;

use super::fleet::finished;
use super::pause;

/// Calls of a session before another takes its place: nobody's memory grows without end.
const CALLS: u32 = 25;

/// Sessions at work.
pub(crate) struct Sending {
    stop: Arc<AtomicBool>,
    accepted: Arc<AtomicU64>,
    finished: Arc<AtomicU64>,
    tasks: JoinSet<Vec<Sent>>,
}

/// Starts so many sessions at once; they wait while more than `unfinished` calls wait for their end.
pub(crate) fn start(sessions: u32, unfinished: u64, doors: Vec<String>) -> Sending {
    let (stop, accepted, done) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default(), Arc::default());
    let http = reqwest::Client::builder().timeout(Duration::from_secs(20)).build().unwrap();
    let mut tasks = JoinSet::new();
    for place in 0..sessions {
        let (stop, accepted, doors, http) = (stop.clone(), accepted.clone(), doors.clone(), http.clone());
        let done: Arc<AtomicU64> = Arc::clone(&done);
        tasks.spawn(async move {
            let mut log: Vec<Sent> = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                if accepted.load(Ordering::Relaxed).saturating_sub(done.load(Ordering::Relaxed)) > unfinished {
                    pause(100).await;
                    continue;
                }
                let sent_before = log.len() as u32;
                let session = sent_before / CALLS * sessions + place;
                let sent = send(&http, &doors, session, sent_before % CALLS).await;
                accepted.fetch_add(1, Ordering::Relaxed);
                log.push(sent);
                pause(40 + u64::from(place % 7) * 30).await;
            }
            log
        });
    }
    let (looks, counted) = (Arc::clone(&stop), Arc::clone(&done));
    tasks.spawn(async move {
        while !looks.load(Ordering::Relaxed) {
            // While the database is away nothing is finished either.
            if let Ok(runs) = finished().await {
                counted.store(runs.unsigned_abs(), Ordering::Relaxed);
            }
            pause(500).await;
        }
        Vec::new()
    });
    Sending { stop, accepted, finished: done, tasks }
}

impl Sending {
    pub(crate) fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    pub(crate) fn finished(&self) -> u64 {
        self.finished.load(Ordering::Relaxed)
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
