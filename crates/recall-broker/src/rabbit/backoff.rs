//! Waits between attempts to reach the broker: doubling with jitter, so that a fleet does not come back in one step.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(10);
/// What lived this long was healthy: the waits begin anew.
const HEALTHY: Duration = Duration::from_secs(10);

/// The next wait.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Between half of the step and the whole of it; the step doubles up to ten seconds.
    pub(super) fn next(&mut self) -> Duration {
        let step = FIRST.saturating_mul(1 << self.failures.min(10)).min(LONGEST);
        self.failures = self.failures.saturating_add(1);
        step.mul_f64(rand::random_range(0.5..=1.0))
    }

    /// Tells how long the last attempt held.
    pub(super) fn lived(&mut self, time: Duration) {
        if time >= HEALTHY {
            self.progressed();
        }
    }

    /// The last attempt was of use: the waits begin anew.
    pub(super) fn progressed(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_stay_bounded() {
        let mut backoff = Backoff::default();
        let waits: Vec<Duration> = (0..40).map(|_| backoff.next()).collect();
        assert!(waits.first().is_some_and(|wait| *wait <= FIRST));
        assert!(waits.iter().all(|wait| *wait <= LONGEST));
        assert!(waits.last().is_some_and(|wait| *wait >= LONGEST / 2));
    }

    #[test]
    fn a_healthy_spell_begins_the_waits_anew() {
        let mut backoff = Backoff::default();
        for _ in 0..10 {
            backoff.next();
        }
        backoff.lived(HEALTHY);
        assert!(backoff.next() <= FIRST);
    }
}
