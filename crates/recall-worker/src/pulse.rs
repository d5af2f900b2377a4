//! How a worker is doing: what it finished within the last minute, and when the oldest call it holds was accepted.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use recall_broker::Delivery;
use tokio::time::Instant;

/// Seconds that are counted.
const MINUTE: usize = 60;

/// The pulse of a worker.
#[derive(Debug)]
pub struct Pulse {
    begun: Instant,
    seconds: Mutex<[(u64, u32); MINUTE]>,
    held: Mutex<HeldCalls>,
}

#[derive(Debug, Default)]
struct HeldCalls {
    next: u64,
    count: usize,
    /// Microseconds of acceptance, with a number that tells calls of the same instant apart.
    calls: BTreeSet<(i64, u64)>,
}

/// A call that is held; dropping it ends that.
#[derive(Debug)]
pub(crate) struct Holding {
    pulse: Arc<Pulse>,
    call: Option<(i64, u64)>,
}

impl Default for Pulse {
    fn default() -> Self {
        Self { begun: Instant::now(), seconds: Mutex::new([(0, 0); MINUTE]), held: Mutex::default() }
    }
}

impl Pulse {
    /// A call came to its end.
    pub(crate) fn finished(&self) {
        let now = self.begun.elapsed().as_secs();
        let mut seconds = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        let place = usize::try_from(now).unwrap_or_default() % MINUTE;
        if let Some((second, calls)) = seconds.get_mut(place) {
            if *second != now {
                (*second, *calls) = (now, 0);
            }
            *calls += 1;
        }
    }

    /// Calls that came to their end within the last minute.
    pub fn last_minute(&self) -> u32 {
        let now = self.begun.elapsed().as_secs();
        let seconds = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        seconds.iter().filter(|(second, _)| now - second < MINUTE as u64).map(|(_, calls)| calls).sum()
    }

    /// Calls held now, running and waiting for their session.
    pub fn in_flight(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).count
    }

    /// When the oldest call held now was accepted, in microseconds; `None` where none is held.
    pub fn oldest_accepted_at(&self) -> Option<i64> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).calls.first().map(|(at, _)| *at)
    }

    /// Counts a delivery as held until the answer is dropped. What cannot be read has no time.
    pub(crate) fn hold(self: &Arc<Self>, delivery: &Delivery) -> Holding {
        let at = delivery.envelope.as_ref().ok().map(|envelope| envelope.call.accepted_at.microseconds());
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.next += 1;
        held.count += 1;
        let call = at.map(|at| (at, held.next));
        held.calls.extend(call);
        Holding { pulse: Arc::clone(self), call }
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        let mut held = self.pulse.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.count -= 1;
        if let Some(call) = &self.call {
            held.calls.remove(call);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_minute_is_sixty_seconds_wherever_it_begins() {
        let pulse = Pulse::default();
        for _ in 0..90 {
            pulse.finished();
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert!((59..=60).contains(&pulse.last_minute()), "{}", pulse.last_minute());
        tokio::time::advance(Duration::from_secs(59)).await;
        assert!(pulse.last_minute() <= 1, "{}", pulse.last_minute());
    }

    #[test]
    fn the_oldest_call_is_told_while_it_is_held() {
        let pulse = Arc::new(Pulse::default());
        let hold = |at| {
            let mut held = pulse.held.lock().expect("a lock");
            held.calls.insert((at, 0));
            held.count += 1;
            drop(held);
            Holding { pulse: Arc::clone(&pulse), call: Some((at, 0)) }
        };
        let (young, old) = (hold(20), hold(10));
        assert_eq!((pulse.oldest_accepted_at(), pulse.in_flight()), (Some(10), 2));
        drop(old);
        assert_eq!(pulse.oldest_accepted_at(), Some(20));
        drop(young);
        assert_eq!((pulse.oldest_accepted_at(), pulse.in_flight()), (None, 0));
    }
}
