//! The rate a key may be used at: requests and tokens a minute, shared by the workers alive, slower after a 429.
//! A request reserves what it will probably use and is corrected by what it used; the wait for it stands in line.

mod limiter;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::LlmError;
use crate::wait::Waits;
use limiter::Limiter;

/// Cells of the limiter for one request or token: fractions of a share need a finer unit than one.
const REQUEST_CELLS: f64 = 1_000.0;
const TOKEN_CELLS: f64 = 10.0;
/// Never slower than this part of the share.
const SLOWEST: f64 = 1.0 / 64.0;
/// The share of a fleet larger than any; without an end a share of nothing would wait for ever.
const SMALLEST_SHARE: f64 = 1.0 / 4096.0;
/// So many requests may be under way as if no 429 had ever come.
const WIDEST: f64 = 256.0;
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

/// Tokens reserved for a request, and its place among those under way; give it back to [`Budget::settle`].
#[derive(Debug)]
#[must_use]
pub struct Reserved<'b> {
    tokens: u64,
    budget: &'b Budget,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.budget.inner().under_way -= 1;
        self.budget.ended.notify_one();
    }
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
    /// A request ended.
    ended: Notify,
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
    /// Requests sent and not yet ended.
    under_way: usize,
    /// The most that may be under way: halved by a 429, one more for each round of replies; `None` where no 429 came for long.
    window: Option<f64>,
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
            under_way: 0,
            window: None,
        };
        Self {
            requests: Limiter::new(rates.requests_per_minute, REQUEST_CELLS),
            tokens: Limiter::new(rates.tokens_per_minute, TOKEN_CELLS),
            rates,
            pace: Mutex::new(pace),
            line: tokio::sync::Mutex::new(()),
            ended: Notify::new(),
        }
    }

    /// Takes a part of the rates: `1 / workers alive`. Who joins others begins with nothing, so that it adds nothing to their minute.
    pub fn set_share(&self, share: f64) {
        if !share.is_finite() {
            return;
        }
        let joins = std::mem::replace(&mut self.inner().share, share.clamp(SMALLEST_SHARE, 1.0)) >= 1.0 && share < 1.0;
        if joins {
            [&self.requests, &self.tokens].into_iter().flatten().for_each(Limiter::empty);
        }
    }

    /// Waits in line until a request of about so many tokens may be sent.
    ///
    /// # Errors
    /// [`LlmError::Limited`] with the wait where it would be longer than [`Rates::longest_wait`].
    pub async fn reserve(&self, tokens: u64) -> Result<Reserved<'_>, LlmError> {
        let deadline = Instant::now() + self.rates.longest_wait;
        let line = tokio::time::timeout_at(deadline, self.line.lock()).await;
        let _turn = line.map_err(|_| LlmError::Limited { retry_after: Some(self.rates.longest_wait) })?;
        self.until_open(deadline).await?;
        self.until_room(deadline).await?;
        let (factor, debt) = {
            let mut pace = self.inner();
            (pace.share * pace.speed, std::mem::take(&mut pace.debt))
        };
        let owed = i64::try_from(tokens).unwrap_or(i64::MAX).saturating_add(debt).max(1);
        let taken = match take(self.requests.as_ref(), 1.0 / factor, deadline).await {
            Ok(()) => take(self.tokens.as_ref(), owed as f64 / factor, deadline).await,
            refused => refused,
        };
        match taken {
            Ok(()) => {
                self.inner().under_way += 1;
                Ok(Reserved { tokens, budget: self })
            }
            Err(error) => {
                self.inner().debt += debt;
                Err(error)
            }
        }
    }

    /// Corrects a reservation by what the server says was used, and speeds up again.
    pub fn settle(&self, reserved: Reserved<'_>, used: u64) {
        let mut pace = self.inner();
        let used = i64::try_from(used).unwrap_or(i64::MAX);
        let reserved = i64::try_from(reserved.tokens).unwrap_or(i64::MAX);
        pace.debt = pace.debt.saturating_add(used.saturating_sub(reserved));
        pace.speed = (pace.speed + RECOVERY).min(1.0);
        pace.window = pace.window.map(|window| window + 1.0 / window).filter(|window| *window < WIDEST);
        pace.waits.reset();
        drop(pace);
    }

    /// The server said 429: halves the speed and sends nothing until the wait is over. Answers how long that is.
    pub fn slow_down(&self, retry_after: Option<Duration>) -> Duration {
        let now = Instant::now();
        let mut pace = self.inner();
        if pace.slowed.is_none_or(|at| now.duration_since(at) >= ONE_SLOWDOWN) {
            pace.slowed = Some(now);
            pace.speed = (pace.speed / 2.0).max(SLOWEST);
            pace.window = Some((pace.under_way as f64 / 2.0).min(pace.window.unwrap_or(WIDEST)).max(1.0));
        }
        let wait = retry_after.unwrap_or_else(|| pace.waits.next_wait());
        pace.closed_until = pace.closed_until.max(now.checked_add(wait));
        wait
    }

    /// The server said that nothing is left until a moment: sends nothing before it.
    pub fn close_for(&self, wait: Duration) {
        let until = Instant::now().checked_add(wait);
        let mut pace = self.inner();
        pace.closed_until = pace.closed_until.max(until);
    }

    /// Share of the rates it sends at now, 0 to 1.
    pub fn speed(&self) -> f64 {
        let pace = self.inner();
        pace.share * pace.speed
    }

    /// How long nothing is sent because the server said so, where that is longer than a call waits for it.
    pub fn closed_for(&self) -> Option<Duration> {
        let until = self.inner().closed_until?;
        until.checked_duration_since(Instant::now()).filter(|wait| *wait > self.rates.longest_wait)
    }

    /// Part of its share it uses: 1 at full speed, less after a 429.
    pub fn pace(&self) -> f64 {
        self.inner().speed
    }

    async fn until_open(&self, deadline: Instant) -> Result<(), LlmError> {
        let closed_until = self.inner().closed_until;
        match closed_until {
            Some(until) => sleep_until(until, deadline).await,
            None => Ok(()),
        }
    }

    async fn until_room(&self, deadline: Instant) -> Result<(), LlmError> {
        loop {
            let ended = self.ended.notified();
            {
                let pace = self.inner();
                if pace.window.is_none_or(|window| (pace.under_way + 1) as f64 <= window) {
                    return Ok(());
                }
            }
            let late = tokio::time::timeout_at(deadline, ended).await;
            late.map_err(|_| LlmError::Limited { retry_after: Some(self.rates.longest_wait) })?;
        }
    }

    fn inner(&self) -> MutexGuard<'_, Pace> {
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

    #[tokio::test(start_paused = true)]
    async fn a_429_narrows_what_is_under_way_where_no_rate_is_known() {
        let budget = budget(0, 0, 60);
        let mut under_way = Vec::new();
        for _ in 0..16 {
            under_way.push(budget.reserve(1).await.unwrap());
        }
        budget.slow_down(Some(Duration::ZERO));
        under_way.truncate(8);
        let waits = tokio::time::timeout(Duration::from_secs(1), budget.reserve(1)).await;
        assert!(waits.is_err(), "eight of sixteen are under way");
        under_way.pop();
        budget.settle(budget.reserve(1).await.unwrap(), 1);
        for _ in 0..9 {
            budget.settle(budget.reserve(1).await.unwrap(), 1);
        }
        under_way.push(budget.reserve(1).await.unwrap());
        under_way.push(budget.reserve(1).await.unwrap());
        assert_eq!(under_way.len(), 9, "ten replies made room for one more");
        assert!(tokio::time::timeout(Duration::from_secs(1), budget.reserve(1)).await.is_err());
    }

    async fn pass(time: Duration) {
        let _passed = tokio::time::timeout(time, std::future::pending::<()>()).await;
    }

    #[tokio::test(start_paused = true)]
    async fn workers_that_join_and_leave_keep_to_the_quota_together_and_use_it() {
        const QUOTA: usize = 600;
        let minute = Duration::from_secs(60);
        let sent = std::sync::Arc::new(Mutex::new(Vec::new()));
        let mut tasks = tokio::task::JoinSet::new();
        let mut fleet: Vec<(std::sync::Arc<Budget>, tokio::task::AbortHandle)> = Vec::new();
        for workers in [1, 2, 5, 3, 1, 4] {
            for (_, left) in fleet.drain(fleet.len().min(workers)..) {
                left.abort();
            }
            while fleet.len() < workers {
                let (member, log) = (std::sync::Arc::new(budget(600, 0, 600)), std::sync::Arc::clone(&sent));
                // A worker learns its share with its first sign of life, before it takes anything.
                member.set_share(1.0 / workers as f64);
                let own = std::sync::Arc::clone(&member);
                let working = tasks.spawn(async move {
                    loop {
                        let reserved = own.reserve(1).await.unwrap();
                        log.lock().unwrap().push(Instant::now());
                        own.settle(reserved, 1);
                    }
                });
                fleet.push((member, working));
            }
            // The others learn of it with their next one.
            pass(Duration::from_millis(750)).await;
            fleet.iter().for_each(|(member, _)| member.set_share(1.0 / workers as f64));
            pass(minute).await;
        }
        let mut sent = std::mem::take(&mut *sent.lock().unwrap());
        sent.sort();
        let most =
            (0..sent.len()).map(|from| sent[from..].iter().take_while(|at| **at - sent[from] < minute).count()).max();
        // While the news of a join travels, the old share is used beside the new one: less than a second of sixty.
        assert!(most.is_some_and(|most| most <= QUOTA * 102 / 100), "{most:?} in a minute");
        assert!(sent.len() > QUOTA * 6 * 85 / 100, "{} of {}", sent.len(), QUOTA * 6);
    }
}
