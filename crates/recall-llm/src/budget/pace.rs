//! How fast a key is used just now: its share of the fleet's rates, slower after a 429, and how much may be under way at once.

use std::time::Duration;

use tokio::time::Instant;

use crate::wait::Waits;

/// Never slower than this part of the share.
const SLOWEST: f64 = 1.0 / 64.0;
/// The share of a fleet larger than any; without an end a share of nothing would wait for ever.
const SMALLEST_SHARE: f64 = 1.0 / 4096.0;
/// So many requests may be under way as if no 429 had ever come.
const WIDEST: f64 = 256.0;
/// What a reply gives back of the speed a 429 took.
const RECOVERY: f64 = 0.05;
/// After so long without a 429 the speed is whole again, replies or not: what is too slow to be sent brings no reply.
const WHOLE_AGAIN: Duration = Duration::from_secs(120);
/// A burst of 429s says one thing, not many.
const ONE_SLOWDOWN: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Pace {
    share: f64,
    /// 1 at full speed; halved by a 429.
    speed: f64,
    /// Until when the time is counted in the speed.
    recovered: Instant,
    slowed: Option<Instant>,
    /// Nothing is sent before this.
    closed_until: Option<Instant>,
    waits: Waits,
    /// Requests sent and not yet ended.
    pub(super) under_way: usize,
    /// The most that may be under way: halved by a 429, one more for each round of replies; `None` where no 429 came for long.
    window: Option<f64>,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self {
            share: 1.0,
            speed: 1.0,
            recovered: Instant::now(),
            slowed: None,
            closed_until: None,
            waits: Waits::new(Duration::from_secs(2), Duration::from_secs(60)),
            under_way: 0,
            window: None,
        }
    }

    /// Part of the rates it sends at, above 0.
    pub(super) fn factor(&self) -> f64 {
        self.share * self.speed
    }

    pub(super) fn speed(&self) -> f64 {
        self.speed
    }

    /// Takes a part of the rates; whether it now shares them for the first time.
    pub(super) fn share(&mut self, share: f64) -> bool {
        std::mem::replace(&mut self.share, share.clamp(SMALLEST_SHARE, 1.0)) >= 1.0 && share < 1.0
    }

    /// Speeds up by the time since the last 429. While the door is closed nothing shows that the server has room again.
    pub(super) fn recover(&mut self, now: Instant) {
        let from = self.closed_until.map_or(self.recovered, |closed| closed.max(self.recovered));
        let passed = now.saturating_duration_since(from);
        self.speed = (self.speed + passed.as_secs_f64() / WHOLE_AGAIN.as_secs_f64()).min(1.0);
        self.recovered = self.recovered.max(now);
    }

    /// A reply came: it speeds up, and makes room.
    pub(super) fn replied(&mut self) {
        self.speed = (self.speed + RECOVERY).min(1.0);
        self.window = self.window.map(|window| window + 1.0 / window).filter(|window| *window < WIDEST);
        self.waits.reset();
    }

    /// A 429 came. Answers how long nothing is sent.
    pub(super) fn slow_down(&mut self, now: Instant, retry_after: Option<Duration>) -> Duration {
        if self.slowed.is_none_or(|at| now.duration_since(at) >= ONE_SLOWDOWN) {
            self.slowed = Some(now);
            self.speed = (self.speed / 2.0).max(SLOWEST);
            self.window = Some((self.under_way as f64 / 2.0).min(self.window.unwrap_or(WIDEST)).max(1.0));
        }
        let wait = retry_after.unwrap_or_else(|| self.waits.next_wait());
        self.close_until(now.checked_add(wait));
        wait
    }

    pub(super) fn close_until(&mut self, until: Option<Instant>) {
        self.closed_until = self.closed_until.max(until);
    }

    /// How long nothing is sent because the server said so.
    pub(super) fn closed_for(&self, now: Instant) -> Option<Duration> {
        self.closed_until?.checked_duration_since(now).filter(|wait| !wait.is_zero())
    }

    pub(super) fn has_room(&self) -> bool {
        self.window.is_none_or(|window| (self.under_way + 1) as f64 <= window)
    }
}
