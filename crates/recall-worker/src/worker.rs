//! Many calls at once: one at a time within a session, sessions side by side.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recall_broker::{Broker, Delivery};
use tokio::sync::{OwnedSemaphorePermit, RwLock, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::Ports;
use crate::settle::{Settled, run_one};

/// Pause after a message had to be handed back, or a queue failed: the outside is away, and asking at once will not bring it back.
const PAUSE: Duration = Duration::from_secs(2);

/// How a worker is run.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Calls held at once: running and waiting for their session.
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
    company: RwLock<()>,
    tasks: TaskTracker,
}

/// A delivery with the place it takes.
struct Held {
    delivery: Delivery,
    _place: OwnedSemaphorePermit,
}

impl Worker {
    /// A worker that has not begun.
    pub fn new(ports: Ports, limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            ports,
            places: Arc::new(Semaphore::new(limits.concurrency)),
            limits,
            sessions: Mutex::new(HashMap::new()),
            company: RwLock::new(()),
            tasks: TaskTracker::new(),
        })
    }

    /// Works until `stop`, then finishes what is in flight within the drain time and hands back the rest.
    /// `true` where everything in flight came to its end.
    pub async fn run(self: Arc<Self>, sources: Vec<Arc<dyn Broker>>, stop: CancellationToken) -> bool {
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
        self.limits.concurrency - self.places.available_permits()
    }

    async fn take_in(self: Arc<Self>, source: Arc<dyn Broker>, stop: CancellationToken) {
        loop {
            let place = tokio::select! {
                () = stop.cancelled() => return,
                place = Arc::clone(&self.places).acquire_owned() => place,
            };
            let Ok(place) = place else { return };
            let received = tokio::select! {
                () = stop.cancelled() => return,
                received = source.receive() => received,
            };
            match received {
                Ok(delivery) => self.give(Held { delivery, _place: place }),
                Err(error) => {
                    tracing::warn!(error = %error, "queue failed");
                    tokio::select! {
                        () = stop.cancelled() => return,
                        () = tokio::time::sleep(PAUSE) => {}
                    }
                }
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

    /// A call that may have taken a worker down before runs with nothing else beside it, so that only itself can be charged.
    async fn run_held(&self, held: Held) -> Settled {
        if !held.delivery.live() {
            return Settled::HandedBack;
        }
        if held.delivery.redelivered {
            let _alone = self.company.write().await;
            run_one(&self.ports, held.delivery).await
        } else {
            let _together = self.company.read().await;
            run_one(&self.ports, held.delivery).await
        }
    }

    /// Hands back what waits for its session; what runs goes on.
    fn let_go_of_waiting(&self) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.values_mut().for_each(VecDeque::clear);
    }
}
