//! Calls with claims that are known by number: sent until they are safe, and counted in the end.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

use recall_tests::{Counts, Ledger, Place, Sent, call, read};
use serde_json::Value;

use super::outside::in_database;
use super::{PATIENCE, World};

impl World {
    /// Sends a call once; its trace id where the door says that it is safe.
    pub(crate) async fn send_once(&self, session: u32, seq: u32) -> Option<Sent> {
        self.send_once_to(&self.url("/v1/remember"), session, seq).await
    }

    /// Sends a call under its key to one of these doors after the other until one says that it is safe.
    pub(crate) async fn send_until_safe_at(&self, doors: &[String], session: u32, seq: u32) -> Sent {
        let turn = std::cell::Cell::new((session + seq) as usize);
        let what = format!("call {seq} of session {session} to be accepted");
        let next = async || {
            let door = &doors[turn.replace(turn.get() + 1) % doors.len()];
            self.send_once_to(&format!("http://{door}/v1/remember"), session, seq).await
        };
        self.until(&what, next).await
    }

    async fn send_once_to(&self, url: &str, session: u32, seq: u32) -> Option<Sent> {
        let (body, claims) = call(session, seq);
        let response = self.http.post(url).json(&body).send().await.ok()?;
        let status = response.status();
        let answer: Value = response.json().await.ok()?;
        assert!(!status.is_client_error(), "a good call was refused: {answer}");
        let trace_id = answer["trace_id"].as_str()?.to_owned();
        Some(Sent { session, seq, trace_id, claims })
    }

    /// Sends a call under its key again and again until the door says that it is safe.
    pub(crate) async fn send_until_safe(&self, session: u32, seq: u32) -> Sent {
        let what = format!("call {seq} of session {session} to be accepted");
        self.until(&what, || self.send_once(session, seq)).await
    }

    /// These calls of these sessions: one after the other in a session, the sessions side by side.
    pub(crate) async fn send_all(&self, sessions: Range<u32>, calls: Range<u32>) -> Vec<Sent> {
        let one = async |session: u32| {
            let mut sent = Vec::new();
            for seq in calls.clone() {
                sent.push(self.send_until_safe(session, seq).await);
            }
            sent
        };
        futures::future::join_all(sessions.map(one)).await.concat()
    }

    /// What store and queues hold; `None` while one of them is away.
    pub(crate) async fn ledger(&self) -> Option<Ledger> {
        read(&self.place()).await.ok()
    }

    fn place(&self) -> Place {
        Place {
            database: in_database(&self.servers.database, &self.name),
            broker: self.servers.broker.clone(),
            prefix: self.name.clone(),
        }
    }

    /// Waits until every call had its one effect in its order and nothing is left, then stops the processes in peace and counts
    /// again: a message that some worker still held is back in its queue by then. `poison` must be dead, and nothing else.
    pub(crate) async fn each_had_its_one_effect(&mut self, sent: &[Sent], poison: &BTreeSet<String>) {
        let mut tick = tokio::time::interval(Duration::from_millis(100));
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            tick.tick().await;
            let counts = self.ledger().await.map(|ledger| Counts::of(sent, &ledger, poison));
            if counts.as_ref().is_some_and(Counts::is_right) {
                break;
            }
            let told = counts.map_or_else(|| "a server is away".to_owned(), |counts| counts.to_string());
            assert!(tokio::time::Instant::now() < deadline, "{told}; the processes said:\n{}", self.log());
        }
        self.leave_all().await;
        let counts = Counts::of(sent, &self.ledger().await.expect("the servers answer"), poison);
        assert!(counts.is_right(), "after the last process left: {counts}; the processes said:\n{}", self.log());
    }

    /// Tells every process that lives to stop, and waits until it did.
    async fn leave_all(&mut self) {
        for place in 0..self.processes.len() {
            if self.processes[place].try_wait().unwrap().is_none() {
                self.signal(place, "TERM");
                self.ended(place).await;
            }
        }
    }
}
