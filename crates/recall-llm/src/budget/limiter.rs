//! A rate: credit that fills with time, and what the last minute was granted. The credit keeps an even pace; the minute keeps the quota,
//! wherever it begins.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// Credit is this part of the quota at most, and the rest fills over a minute: together no more than the quota.
const BURST: f64 = 1.0 / 11.0;
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
    /// In units; below 0 it is owed.
    credit: f64,
    filled: Instant,
    /// Number of the slot, and which part of a minute's quota was granted in it.
    granted: VecDeque<(u64, f64)>,
}

impl Limiter {
    /// `None` where there is no limit.
    pub(super) fn new(units_per_minute: u32) -> Option<Self> {
        let per_minute = f64::from(units_per_minute);
        let now = Instant::now();
        let limiter =
            Self { start: now, per_minute, credit: per_minute * BURST, filled: now, granted: VecDeque::new() };
        (units_per_minute > 0).then_some(limiter)
    }

    /// The quota, in units.
    pub(super) fn per_minute(&self) -> f64 {
        self.per_minute
    }

    /// Brings credit and minute up to a moment; what passed until then passed at this factor.
    pub(super) fn fill(&mut self, now: Instant, factor: f64) {
        let minutes = now.saturating_duration_since(self.filled).as_secs_f64() / 60.0;
        self.filled = self.filled.max(now);
        let filled = self.credit + minutes * self.rate(factor);
        self.credit = filled.min(self.burst(factor));
        while self.granted.front().is_some_and(|(slot, _)| self.forgotten(*slot) <= now) {
            self.granted.pop_front();
        }
    }

    /// Gives up what could be sent at once; what is owed stays owed.
    pub(super) fn empty(&mut self) {
        self.credit = self.credit.min(0.0);
    }

    /// Whether so much is more than is ever granted at once without being owed afterwards.
    pub(super) fn is_large(&self, units: f64, factor: f64) -> bool {
        units > self.burst(factor)
    }

    /// How long from a moment, to which it was filled, until so much is granted; zero is now.
    ///
    /// Asked for is the credit of the whole, or a full burst where the whole is more: the rest is owed. And room in the minute; what
    /// exceeds a minute's quota takes a minute of its own.
    pub(super) fn wait(&self, units: f64, now: Instant, factor: f64) -> Duration {
        let lacking = units.min(self.burst(factor)) - self.credit;
        let credit = (60.0 * lacking / self.rate(factor)).clamp(0.0, LONGEST);
        // A hair's breadth of credit is no reason to wait.
        let credit = if lacking <= ROUNDING { Duration::ZERO } else { Duration::from_secs_f64(credit) };
        credit.max(self.until_room(self.part(units, factor), now))
    }

    /// Grants so much at a moment, whether it is there or not.
    pub(super) fn grant(&mut self, units: f64, now: Instant, factor: f64) {
        self.credit -= units;
        let (slot, part) = (self.slot(now), self.part(units, factor));
        match self.granted.back_mut() {
            Some((latest, granted)) if *latest >= slot => *granted += part,
            Some(_) | None => self.granted.push_back((slot, part)),
        }
    }

    /// Takes back so much of what was granted at a moment: it was not used.
    pub(super) fn take_back(&mut self, units: f64, granted: Instant, factor: f64) {
        self.credit = (self.credit + units).min(self.burst(factor));
        let (slot, part) = (self.slot(granted), self.part(units, factor));
        if let Some((_, granted)) = self.granted.iter_mut().find(|(number, _)| *number == slot) {
            *granted = (*granted - part).max(0.0);
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

    /// Units a minute.
    fn rate(&self, factor: f64) -> f64 {
        self.per_minute * factor * (1.0 - BURST)
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
