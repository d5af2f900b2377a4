//! The rate a key may be used at: requests and tokens a minute, shared by the workers alive, slower after a 429.
//! A request reserves what it will probably use and is corrected by what it used; the wait for it stands in line.

use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

use crate::LlmError;
use crate::wait::Waits;

/// Cells of the limiter for one request or token: fractions of a share need a finer unit than one.
const REQUEST_CELLS: f64 = 1_000.0;
const TOKEN_CELLS: f64 = 10.0;
/// A minute's quota is spread so that no minute, wherever it begins, holds more than the quota: one part at once, ten over time.
const PARTS: f64 = 11.0;
/// Never slower than this part of the share.
const SLOWEST: f64 = 1.0 / 64.0;
/// What a reply gives back of the pace a 429 took.
const RECOVERY: f64 = 0.05;
/// A burst of 429s says one thing, not many.
const ONE_SLOWDOWN: Duration = Duration::from_secs(1);

/// What a key may be used for, of which each worker takes its share.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates {
    /// Requests a minute of the whole fleet; 0 is no limit.
    pub requests_per_minute: u32,
    /// Tokens a minute of the whole fleet, prompts and replies; 0 is no limit.
    pub tokens_per_minute: u32,
    /// A wait longer than this is not waited: the call is handed back as [`LlmError::Limited`].
    pub longest_wait: Duration,
}

impl Default for Rates {
    fn default() -> Self {
        Self { requests_per_minute: 0, tokens_per_minute: 0, longest_wait: Duration::from_secs(20) }
    }
}

/// Tokens reserved for a request; give it back to [`Budget::settle`].
#[derive(Debug)]
#[must_use]
pub struct Reserved {
    tokens: u64,
}

/// The budget of one key in this process.
#[derive(Debug)]
pub struct Budget {
    rates: Rates,
    requests: Option<Limiter>,
    tokens: Option<Limiter>,
    pace: Mutex<Pace>,
    /// Held around a wait: tokio's mutex is fair, the limiter alone would let small requests overtake large ones for ever.
    line: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct Pace {
    share: f64,
    /// 1 at full speed; halved by a 429.
    speed: f64,
    slowed: Option<Instant>,
    /// Nothing is sent before this.
    closed_until: Option<Instant>,
    /// Tokens used beyond what was reserved (or, below 0, reserved and not used).
    debt: i64,
    waits: Waits,
}

impl Budget {
    /// A budget at full share.
    pub fn new(rates: Rates) -> Self {
        let pace = Pace {
            share: 1.0,
            speed: 1.0,
            slowed: None,
            closed_until: None,
            debt: 0,
            waits: Waits::new(Duration::from_secs(2), Duration::from_secs(60)),
        };
        Self {
            requests: Limiter::new(rates.requests_per_minute, REQUEST_CELLS),
            tokens: Limiter::new(rates.tokens_per_minute, TOKEN_CELLS),
            rates,
            pace: Mutex::new(pace),
            line: tokio::sync::Mutex::new(()),
        }
    }

    /// Takes a part of the rates: `1 / workers alive`.
    pub fn set_share(&self, share: f64) {
        if share.is_finite() {
            self.pace().share = share.clamp(SLOWEST, 1.0);
        }
    }

    /// Waits in line until a request of about so many tokens may be sent.
    ///
    /// # Errors
    /// [`LlmError::Limited`] with the wait where it would be longer than [`Rates::longest_wait`].
    pub async fn reserve(&self, tokens: u64) -> Result<Reserved, LlmError> {
        let deadline = Instant::now() + self.rates.longest_wait;
        let line = tokio::time::timeout_at(deadline, self.line.lock()).await;
        let _turn = line.map_err(|_| LlmError::Limited { retry_after: Some(self.rates.longest_wait) })?;
        self.until_open(deadline).await?;
        let (factor, debt) = {
            let mut pace = self.pace();
            (pace.share * pace.speed, std::mem::take(&mut pace.debt))
        };
        let owed = i64::try_from(tokens).unwrap_or(i64::MAX).saturating_add(debt).max(1);
        let taken = match take(self.requests.as_ref(), 1.0 / factor, deadline).await {
            Ok(()) => take(self.tokens.as_ref(), owed as f64 / factor, deadline).await,
            refused => refused,
        };
        match taken {
            Ok(()) => Ok(Reserved { tokens }),
            Err(error) => {
                self.pace().debt += debt;
                Err(error)
            }
        }
    }

    /// Corrects a reservation by what the server says was used, and speeds up again.
    pub fn settle(&self, reserved: Reserved, used: u64) {
        let mut pace = self.pace();
        let used = i64::try_from(used).unwrap_or(i64::MAX);
        let reserved = i64::try_from(reserved.tokens).unwrap_or(i64::MAX);
        pace.debt = pace.debt.saturating_add(used.saturating_sub(reserved));
        pace.speed = (pace.speed + RECOVERY).min(1.0);
        pace.waits.reset();
    }

    /// The server said 429: halves the speed and sends nothing until the wait is over. Answers how long that is.
    pub fn slow_down(&self, retry_after: Option<Duration>) -> Duration {
        let now = Instant::now();
        let mut pace = self.pace();
        if pace.slowed.is_none_or(|at| now.duration_since(at) >= ONE_SLOWDOWN) {
            pace.slowed = Some(now);
            pace.speed = (pace.speed / 2.0).max(SLOWEST);
        }
        let wait = retry_after.unwrap_or_else(|| pace.waits.next_wait());
        pace.closed_until = pace.closed_until.max(now.checked_add(wait));
        wait
    }

    /// The server said that nothing is left until a moment: sends nothing before it.
    pub fn close_for(&self, wait: Duration) {
        let until = Instant::now().checked_add(wait);
        let mut pace = self.pace();
        pace.closed_until = pace.closed_until.max(until);
    }

    /// Share of the rates it sends at now, 0 to 1.
    pub fn speed(&self) -> f64 {
        let pace = self.pace();
        pace.share * pace.speed
    }

    async fn until_open(&self, deadline: Instant) -> Result<(), LlmError> {
        let closed_until = self.pace().closed_until;
        match closed_until {
            Some(until) => sleep_until(until, deadline).await,
            None => Ok(()),
        }
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn sleep_until(until: Instant, deadline: Instant) -> Result<(), LlmError> {
    if until > deadline {
        return Err(LlmError::Limited { retry_after: Some(until.duration_since(Instant::now())) });
    }
    tokio::time::sleep_until(until).await;
    Ok(())
}

async fn take(limiter: Option<&Limiter>, amount: f64, deadline: Instant) -> Result<(), LlmError> {
    match limiter {
        Some(limiter) => limiter.take(amount, deadline).await,
        None => Ok(()),
    }
}

/// A governor over the runtime's clock, in cells finer than what it counts.
struct Limiter {
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
    fn new(units_per_minute: u32, cells_per_unit: f64) -> Option<Self> {
        let cells = (f64::from(units_per_minute) * cells_per_unit).min(f64::from(u32::MAX));
        let burst = NonZeroU32::new((cells / PARTS) as u32)?;
        let per_minute = NonZeroU32::new((cells - cells / PARTS) as u32)?;
        let quota = Quota::per_minute(per_minute).allow_burst(burst);
        let clock = RuntimeClock { start: Instant::now() };
        let governor = RateLimiter::direct_with_clock(quota, clock);
        Some(Self { governor, cells_per_unit, burst: burst.get(), per_minute: per_minute.get() })
    }

    /// Takes an amount piece by piece, since a governor never grants more than its burst at once.
    async fn take(&self, units: f64, deadline: Instant) -> Result<(), LlmError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(requests: u32, tokens: u32, longest_wait: u64) -> Budget {
        Budget::new(Rates {
            requests_per_minute: requests,
            tokens_per_minute: tokens,
            longest_wait: Duration::from_secs(longest_wait),
        })
    }

    async fn sent_within(budget: &Budget, tokens: u64, span: Duration) -> u32 {
        let end = Instant::now() + span;
        let mut sent = 0;
        while Instant::now() < end {
            match budget.reserve(tokens).await {
                Ok(reserved) => {
                    budget.settle(reserved, tokens);
                    sent += u32::from(Instant::now() <= end);
                }
                Err(_) => tokio::time::advance(Duration::from_millis(100)).await,
            }
        }
        sent
    }

    #[tokio::test(start_paused = true)]
    async fn no_minute_holds_more_requests_than_the_quota_and_little_fewer() {
        let sent = sent_within(&budget(110, 0, 60), 1, Duration::from_secs(60)).await;
        assert!((100..=110).contains(&sent), "{sent}");
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_are_counted_even_where_one_request_exceeds_what_is_granted_at_once() {
        let sent = sent_within(&budget(0, 10_000, 60), 1_500, Duration::from_secs(60)).await;
        assert!((5..=6).contains(&sent), "{sent}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_share_of_a_quarter_sends_a_quarter() {
        let budget = budget(400, 0, 60);
        budget.set_share(0.25);
        let sent = sent_within(&budget, 1, Duration::from_secs(60)).await;
        assert!((85..=100).contains(&sent), "{sent}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_used_beyond_the_estimate_is_paid_by_the_next_request() {
        let budget = budget(0, 11_000, 60);
        let reserved = budget.reserve(10).await.unwrap();
        budget.settle(reserved, 6_000);
        let begun = Instant::now();
        budget.settle(budget.reserve(10).await.unwrap(), 10);
        assert!(begun.elapsed() >= Duration::from_secs(25), "{:?}", begun.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_beyond_the_limit_is_handed_back_with_its_length() {
        let budget = budget(0, 0, 5);
        budget.slow_down(Some(Duration::from_secs(30)));
        let refused = budget.reserve(1).await.unwrap_err();
        assert!(matches!(refused, LlmError::Limited { retry_after: Some(wait) } if wait == Duration::from_secs(30)));
        tokio::time::advance(Duration::from_secs(26)).await;
        assert!(budget.reserve(1).await.is_ok(), "4 seconds are waited");
    }

    #[tokio::test(start_paused = true)]
    async fn a_429_halves_the_speed_once_and_replies_bring_it_back_step_by_step() {
        let budget = budget(0, 0, 60);
        for _ in 0..5 {
            budget.slow_down(Some(Duration::ZERO));
        }
        assert_eq!(budget.speed(), 0.5);
        tokio::time::advance(Duration::from_secs(2)).await;
        budget.slow_down(Some(Duration::ZERO));
        assert_eq!(budget.speed(), 0.25);
        for _ in 0..4 {
            budget.settle(budget.reserve(1).await.unwrap(), 1);
        }
        assert!((budget.speed() - 0.45).abs() < 1e-9);
    }

    #[tokio::test(start_paused = true)]
    async fn waits_that_the_server_does_not_name_grow() {
        let budget = budget(0, 0, 60);
        let first = budget.slow_down(None);
        let third = [budget.slow_down(None), budget.slow_down(None)][1];
        assert!(first >= Duration::from_secs(1) && third > first, "{first:?} {third:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_request_is_not_overtaken_for_ever_by_small_ones() {
        let budget = std::sync::Arc::new(budget(0, 6_000, 600));
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..40_u64 {
            let budget = budget.clone();
            let tokens = if number == 10 { 3_000 } else { 100 };
            tasks.spawn(async move { budget.reserve(tokens).await.map(|_reserved| number) });
        }
        let order: Vec<u64> = tasks.join_all().await.into_iter().map(Result::unwrap).collect();
        let place = order.iter().position(|number| *number == 10).unwrap();
        assert!(place <= 12, "{order:?}");
    }
}
