//! A rate: credit that fills with time, and what the last minute was granted. The credit keeps an even pace; the minute keeps the quota,
//! wherever it begins.
//!
//! A governor keeps the credit. It knows neither debts nor amounts given back, and it forgets all credit beyond a burst, also where a
//! debt could be paid with it while nobody asks. So its clock is told the time by us: what passes pays the debt first and only the rest
//! reaches the governor, and what is given back sets its clock forward.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, FakeRelativeClock};
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

/// Credit is this part of the quota at most, and the rest fills over a minute: together no more than the quota.
const BURST: f64 = 1.0 / 11.0;
/// An empty governor is full after a tenth of a minute.
const FULL: Duration = Duration::from_secs(6);
/// The governor counts in what this time brings, which is less than one of any quota.
const CELL: Duration = Duration::from_nanos(10);
/// Grants so close together are forgotten together.
const SLOT: Duration = Duration::from_millis(250);
const MINUTE: Duration = Duration::from_secs(60);
/// The longest wait that is told; it is computed anew by whoever comes back.
const LONGEST: f64 = 86_400.0;
/// Sums of fractions miss the whole by about that.
const ROUNDING: f64 = 1e-9;

/// One rate of a key, in requests or tokens. A factor above 0 and up to 1 says which part of the quota is used now.
#[derive(Debug)]
pub(super) struct Limiter {
    start: Instant,
    per_minute: f64,
    governor: RateLimiter<NotKeyed, InMemoryState, FakeRelativeClock, NoOpMiddleware<Nanos>>,
    /// Shared with the governor, and moved by hand.
    clock: FakeRelativeClock,
    /// In units; below 0 it was taken from the governor or given back, and goes to it unless it is granted before.
    owed: f64,
    filled: Instant,
    /// Number of the slot, and which part of a minute's quota was granted in it.
    granted: VecDeque<(u64, f64)>,
}

impl Limiter {
    /// `None` where there is no limit.
    pub(super) fn new(units_per_minute: u32) -> Option<Self> {
        let per_minute = f64::from(NonZeroU32::new(units_per_minute)?.get());
        let (now, clock) = (Instant::now(), FakeRelativeClock::default());
        let quota = Quota::with_period(CELL)?.allow_burst(cells(1.0)?);
        let governor = RateLimiter::direct_with_clock(quota, clock.clone());
        Some(Self { start: now, per_minute, governor, clock, owed: 0.0, filled: now, granted: VecDeque::new() })
    }

    /// The quota, in units.
    pub(super) fn per_minute(&self) -> f64 {
        self.per_minute
    }

    /// Brings credit and minute up to a moment; what passed until then passed at this factor.
    pub(super) fn fill(&mut self, now: Instant, factor: f64) {
        let passed = now.saturating_duration_since(self.filled);
        self.filled = self.filled.max(now);
        let left = passed.div_duration_f64(FULL) - self.owed / self.burst(factor);
        // More than a burst is never kept.
        self.clock.advance(FULL.mul_f64(left.clamp(0.0, 1.0)));
        self.owed = (-left * self.burst(factor)).max(0.0);
        while self.granted.front().is_some_and(|(slot, _)| self.forgotten(*slot) <= now) {
            self.granted.pop_front();
        }
    }

    /// Gives up what could be sent at once; what is owed stays owed.
    pub(super) fn empty(&mut self) {
        // Only of a full one is known how much can be taken.
        self.clock.advance(FULL);
        let _taken = cells(1.0).map(|all| self.governor.check_n(all));
    }

    /// Whether so much is more than is ever granted at once without being owed afterwards.
    pub(super) fn is_large(&self, units: f64, factor: f64) -> bool {
        units > self.burst(factor)
    }

    /// How long from a moment, to which it was filled, until so much is granted; zero is now.
    ///
    /// Asked for is the credit of the whole, or a full burst where the whole is more: the rest is owed. And room in the minute; what
    /// exceeds a minute's quota takes a minute of its own.
    pub(super) fn wait(&mut self, units: f64, now: Instant, factor: f64) -> Duration {
        let room = self.until_room(self.part(units, factor), now);
        self.take(units.min(self.burst(factor)), factor).max(room)
    }

    /// Grants so much at a moment, whether it is there or not.
    pub(super) fn grant(&mut self, units: f64, now: Instant, factor: f64) {
        self.owed += units;
        let (slot, part) = (self.slot(now), self.part(units, factor));
        match self.granted.back_mut() {
            Some((latest, granted)) if *latest >= slot => *granted += part,
            Some(_) | None => self.granted.push_back((slot, part)),
        }
    }

    /// Takes back so much of what was granted at a moment: it was not used.
    pub(super) fn take_back(&mut self, units: f64, granted: Instant, factor: f64) {
        self.owed -= units;
        let (slot, part) = (self.slot(granted), self.part(units, factor));
        if let Some((_, granted)) = self.granted.iter_mut().find(|(number, _)| *number == slot) {
            *granted = (*granted - part).max(0.0);
        }
    }

    /// Takes what is owed and so much more from the governor, piece by piece since it gives no more than a burst at once. Answers how
    /// long until all of it is there; zero where it is taken.
    fn take(&mut self, units: f64, factor: f64) -> Duration {
        let burst = self.burst(factor);
        loop {
            let lacking = (self.owed + units) / burst;
            let Some(Ok(answer)) = cells(lacking).map(|piece| self.governor.check_n(piece)) else {
                return Duration::ZERO;
            };
            let Err(not_yet) = answer else {
                self.owed -= lacking.min(1.0) * burst;
                continue;
            };
            let later = (FULL.as_secs_f64() * (lacking - 1.0)).clamp(0.0, LONGEST);
            return not_yet.wait_time_from(self.clock.now()) + Duration::from_secs_f64(later);
        }
    }

    fn until_room(&self, part: f64, now: Instant) -> Duration {
        let mut sum: f64 = self.granted.iter().map(|(_, granted)| granted).sum();
        let mut room = now;
        for (slot, granted) in &self.granted {
            if sum + part <= 1.0 + ROUNDING {
                break;
            }
            sum -= granted;
            room = self.forgotten(*slot);
        }
        room.saturating_duration_since(now)
    }

    fn part(&self, units: f64, factor: f64) -> f64 {
        (units / (self.per_minute * factor)).min(1.0)
    }

    fn burst(&self, factor: f64) -> f64 {
        self.per_minute * factor * BURST
    }

    fn slot(&self, at: Instant) -> u64 {
        let passed = at.saturating_duration_since(self.start).as_millis() / SLOT.as_millis();
        u64::try_from(passed).unwrap_or(u64::MAX)
    }

    /// When the last grant of a slot is a minute old.
    fn forgotten(&self, slot: u64) -> Instant {
        let slots = u32::try_from(slot.saturating_add(1)).unwrap_or(u32::MAX);
        self.start + SLOT.saturating_mul(slots) + MINUTE
    }
}

/// So many bursts in cells, one burst at most; `None` for a hair's breadth, which is no reason to wait.
fn cells(bursts: f64) -> Option<NonZeroU32> {
    NonZeroU32::new((FULL.div_duration_f64(CELL) * bursts.min(1.0)).round() as u32)
}
