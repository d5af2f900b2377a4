//! How long to wait where nobody said: growing, with jitter, up to a limit. The one file that knows the `backoff` crate, which
//! computes the waits and nothing else: who waits, and whether at all, is decided elsewhere.

use std::time::Duration;

use backoff::backoff::Backoff;
use backoff::{ExponentialBackoff, ExponentialBackoffBuilder};

/// A growing series of waits.
#[derive(Debug)]
pub struct Waits {
    series: ExponentialBackoff,
    longest: Duration,
}

impl Waits {
    /// Begins at `first`, doubles, and never exceeds `longest`; each wait varies by a quarter, so that many workers spread out.
    pub fn new(first: Duration, longest: Duration) -> Self {
        let series = ExponentialBackoffBuilder::new()
            .with_initial_interval(first.min(longest))
            .with_multiplier(2.0)
            .with_randomization_factor(0.25)
            .with_max_interval(longest)
            // The number of attempts is limited by the schedule of retries, not by a clock of this crate.
            .with_max_elapsed_time(None)
            .build();
        Self { series, longest }
    }

    /// The next wait.
    pub fn next_wait(&mut self) -> Duration {
        self.series.next_backoff().unwrap_or(self.longest).min(self.longest)
    }

    /// The other side answered: begins anew.
    pub fn reset(&mut self) {
        self.series.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_the_limit_and_begin_anew_after_an_answer() {
        let mut waits = Waits::new(Duration::from_secs(1), Duration::from_secs(20));
        let series: Vec<f64> = (0..8).map(|_| waits.next_wait().as_secs_f64()).collect();
        assert!((0.75..=1.25).contains(&series[0]) && (1.5..=2.5).contains(&series[1]), "{series:?}");
        assert!(series.iter().all(|wait| *wait <= 20.0) && series[7] >= 15.0, "{series:?}");
        waits.reset();
        assert!(waits.next_wait().as_secs_f64() <= 1.25);
    }
}
