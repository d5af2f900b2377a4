//! A rate over the runtime's clock: so much a minute, wherever the minute begins.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

use crate::LlmError;

/// A minute's quota is spread so that no minute, wherever it begins, holds more than the quota: one part at once, ten over time.
const PARTS: f64 = 11.0;

/// A governor over the runtime's clock, in cells finer than what it counts.
pub(super) struct Limiter {
    governor: RateLimiter<NotKeyed, InMemoryState, RuntimeClock, NoOpMiddleware<Nanos>>,
    cells_per_unit: f64,
    burst: u32,
    per_minute: u32,
}

impl std::fmt::Debug for Limiter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Limiter({} cells a minute, {} at once)", self.per_minute, self.burst)
    }
}

impl Limiter {
    /// `None` where there is no limit.
    pub(super) fn new(units_per_minute: u32, cells_per_unit: f64) -> Option<Self> {
        let cells = (f64::from(units_per_minute) * cells_per_unit).min(f64::from(u32::MAX));
        let burst = NonZeroU32::new((cells / PARTS) as u32)?;
        let per_minute = NonZeroU32::new((cells - cells / PARTS) as u32)?;
        let quota = Quota::per_minute(per_minute).allow_burst(burst);
        let clock = RuntimeClock { start: Instant::now() };
        let governor = RateLimiter::direct_with_clock(quota, clock);
        Some(Self { governor, cells_per_unit, burst: burst.get(), per_minute: per_minute.get() })
    }

    /// Gives up what could be sent at once.
    pub(super) fn empty(&self) {
        if let Some(burst) = NonZeroU32::new(self.burst) {
            // What was sent already is given up, too.
            let _taken = self.governor.check_n(burst);
        }
    }

    /// Takes an amount piece by piece, since a governor never grants more than its burst at once.
    pub(super) async fn take(&self, units: f64, deadline: Instant) -> Result<(), LlmError> {
        // More than a minute's worth could never be had; it is paid for as a whole minute.
        let mut cells = (units * self.cells_per_unit).ceil().clamp(1.0, f64::from(self.per_minute)) as u32;
        while let Some(piece) = NonZeroU32::new(cells.min(self.burst)) {
            // The line is held, so what comes after this piece is known too: refusing now takes nothing in vain.
            let later = Duration::from_secs_f64(60.0 * f64::from(cells - piece.get()) / f64::from(self.per_minute));
            let wait = match self.governor.check_n(piece) {
                Ok(Ok(())) => {
                    cells -= piece.get();
                    continue;
                }
                Ok(Err(not_yet)) => not_yet.wait_time_from(self.governor.clock().now()),
                Err(_beyond_burst) => return Ok(()),
            };
            let ready = Instant::now() + wait + later;
            if ready > deadline {
                return Err(LlmError::Limited { retry_after: Some(wait + later) });
            }
            // The limiter and the timer round differently; without a step forward this would spin.
            tokio::time::sleep(wait.max(Duration::from_millis(1))).await;
        }
        Ok(())
    }
}

/// The clock of the runtime, so that tests can move it.
#[derive(Debug, Clone)]
struct RuntimeClock {
    start: Instant,
}

impl Clock for RuntimeClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Nanos::new(u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }
}
