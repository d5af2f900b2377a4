//! Many calls at once: one at a time within a session, sessions side by side.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recall_broker::{Broker, Delivery};
use recall_core::retry::Fate;
use recall_llm::Standing;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::Ports;
use crate::pulse::{Holding, Pulse};
use crate::settle::{Settled, run_one};

/// Pause after a message had to be handed back, or a queue failed: the outside is away, and asking at once will not bring it back.
const PAUSE: Duration = Duration::from_secs(2);

/// Between two looks at a model that is away.
const LOOK: Duration = Duration::from_millis(200);

/// How a worker is run.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Calls held at once: running and waiting for their session. Each queue beyond the first may add one: a queue that waits for a
    /// call keeps a place for it, and an empty one must not keep the last.
    pub concurrency: usize,
    /// How long a stop waits for what is in flight.
    pub drain: Duration,
}

/// Takes calls from queues and drives them. Dropping it loses nothing: what is unsettled goes back to its queue.
pub struct Worker {
    ports: Ports,
    places: Arc<Semaphore>,
    limits: Limits,
    sessions: Mutex<HashMap<String, VecDeque<Held>>>,
    pulse: Arc<Pulse>,
    tasks: TaskTracker,
}

/// A delivery with the place it takes.
struct Held {
    delivery: Delivery,
    _place: OwnedSemaphorePermit,
    _holding: Holding,
}

impl Worker {
    /// A worker that has not begun.
    pub fn new(ports: Ports, limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            ports,
            places: Arc::new(Semaphore::new(limits.concurrency)),
            limits,
            sessions: Mutex::new(HashMap::new()),
            pulse: Arc::default(),
            tasks: TaskTracker::new(),
        })
    }

    /// Works until `stop`, then finishes what is in flight within the drain time and hands back the rest.
    /// `true` where everything in flight came to its end.
    pub async fn run(self: Arc<Self>, sources: Vec<Arc<dyn Broker>>, stop: CancellationToken) -> bool {
        self.places.add_permits(sources.len().saturating_sub(1));
        let intake = TaskTracker::new();
        for source in &sources {
            intake.spawn(Arc::clone(&self).take_in(Arc::clone(source), stop.clone()));
        }
        intake.close();
        intake.wait().await;
        for source in &sources {
            source.stop().await;
        }
        self.let_go_of_waiting();
        self.tasks.close();
        tokio::time::timeout(self.limits.drain, self.tasks.wait()).await.is_ok()
    }

    /// Calls this worker holds now.
    pub fn in_flight(&self) -> usize {
        self.pulse.in_flight()
    }

    /// How the worker is doing.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    async fn take_in(self: Arc<Self>, source: Arc<dyn Broker>, stop: CancellationToken) {
        loop {
            let place = tokio::select! {
                () = stop.cancelled() => return,
                place = self.place_to_work() => place,
            };
            let Ok(place) = place else { return };
            let received = tokio::select! {
                () = stop.cancelled() => return,
                received = source.receive() => received,
            };
            match received {
                Ok(delivery) => {
                    let _holding = self.pulse.hold(&delivery);
                    self.give(Held { delivery, _place: place, _holding });
                }
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "queue failed");
                    tokio::select! {
                        () = stop.cancelled() => return,
                        () = tokio::time::sleep(PAUSE) => {}
                    }
                }
            }
        }
    }

    /// A place, as soon as one is free and a model can be asked. After a pause one call alone finds out whether it can.
    async fn place_to_work(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        loop {
            let standing = self.ports.extractor.standing();
            self.ports.metrics.show(standing);
            match standing {
                Standing::Up => return Arc::clone(&self.places).acquire_owned().await,
                Standing::Trying if self.in_flight() == 0 => return Arc::clone(&self.places).acquire_owned().await,
                Standing::Trying | Standing::Away(_) => tokio::time::sleep(LOOK).await,
            }
        }
    }

    /// Puts a delivery behind the others of its session; a session without a task gets one.
    fn give(self: &Arc<Self>, held: Held) {
        let session = match &held.delivery.envelope {
            Ok(envelope) => envelope.call.session_key(),
            Err(unreadable) => format!("\u{1d}{}", unreadable.message_id.clone().unwrap_or_default()),
        };
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiting) = sessions.get_mut(&session) {
            waiting.push_back(held);
            return;
        }
        sessions.insert(session.clone(), VecDeque::from([held]));
        self.tasks.spawn(Arc::clone(self).work_session(session));
    }

    async fn work_session(self: Arc<Self>, session: String) {
        while let Some(held) = self.next_of(&session) {
            let settled = self.run_held(held).await;
            if settled == Settled::HandedBack {
                // What follows must not overtake the call that went back.
                self.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(&session);
                tokio::time::sleep(PAUSE).await;
                return;
            }
        }
    }

    fn next_of(&self, session: &str) -> Option<Held> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let next = sessions.get_mut(session).and_then(VecDeque::pop_front);
        if next.is_none() {
            sessions.remove(session);
        }
        next
    }

    async fn run_held(&self, held: Held) -> Settled {
        if !held.delivery.live() {
            return Settled::HandedBack;
        }
        let settled = run_one(&self.ports, held.delivery).await;
        match settled {
            Settled::As(Fate::Done | Fate::Dead) => self.pulse.finished(),
            Settled::As(Fate::Retry { .. } | Fate::Snooze { .. }) | Settled::HandedBack => {}
        }
        settled
    }

    /// Hands back what waits for its session; what runs goes on.
    fn let_go_of_waiting(&self) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.values_mut().for_each(VecDeque::clear);
    }
}
