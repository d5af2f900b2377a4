//! The rate a key may be used at: requests and tokens a minute, shared by the workers alive, slower after a 429.
//! A request reserves what it will probably use and is corrected by what it used; the wait for it stands in line.
//!
//! No minute, wherever it begins, is granted more than the quota. An eleventh of it may be sent at once, the rest is spread evenly. A
//! request of more than that eleventh is granted when the eleventh is full and the minute has room for it; the rest of it is owed, and
//! what comes after waits until it is paid. It keeps its place until then, so that no number of small ones can overtake it. One that
//! exceeds a whole minute's quota, or the share of it that a worker has, takes a minute of its own and as many after it as it costs:
//! the quota of the server may be larger than the one it was given here, and if not, the server says so.

mod limiter;
mod pace;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::LlmError;
use limiter::Limiter;
use pace::Pace;

/// A request of more than can be granted at once waits at least so long in line, and again at its head: what was sent before it takes
/// a minute to be forgotten and a little more to be paid.
const LARGE_WAITS: Duration = Duration::from_secs(150);
/// Shares and speeds change while somebody waits; this often it looks anew.
const LOOK: Duration = Duration::from_secs(1);

/// What a key may be used for, of which each worker takes its share.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates {
    /// Requests a minute of the whole fleet; 0 is no limit.
    pub requests_per_minute: u32,
    /// Tokens a minute of the whole fleet, prompts and replies; 0 is no limit.
    pub tokens_per_minute: u32,
    /// A wait longer than this is not waited: the call is handed back as [`LlmError::Limited`]. Only a request of more than an
    /// eleventh of a minute waits longer for its turn, up to some minutes; it would never get it otherwise.
    pub longest_wait: Duration,
}

impl Default for Rates {
    fn default() -> Self {
        Self { requests_per_minute: 0, tokens_per_minute: 0, longest_wait: Duration::from_secs(20) }
    }
}

/// Tokens reserved for a request, and its place among those under way; give it back to [`Budget::settle`] after a reply, or to
/// [`Budget::unsent`]. Dropped, it counts as used.
#[derive(Debug)]
#[must_use]
pub struct Reserved<'b> {
    tokens: u64,
    at: Instant,
    factor: f64,
    budget: &'b Budget,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.budget.inner().pace.under_way -= 1;
        self.budget.ended.notify_one();
    }
}

/// The budget of one key in this process.
#[derive(Debug)]
pub struct Budget {
    longest_wait: Duration,
    inner: Mutex<Inner>,
    /// Held around a wait: tokio's mutex is fair, so that nobody is overtaken.
    line: tokio::sync::Mutex<()>,
    /// A request ended.
    ended: Notify,
}

#[derive(Debug)]
struct Inner {
    requests: Option<Limiter>,
    tokens: Option<Limiter>,
    pace: Pace,
}

/// What the head of the line has to wait for.
enum Next {
    Granted {
        at: Instant,
        factor: f64,
    },
    Closed(Duration),
    Unpaid(Duration),
    /// Too much is under way.
    Crowded,
}

impl Budget {
    /// A budget at full share.
    pub fn new(rates: Rates) -> Self {
        let requests = Limiter::new(rates.requests_per_minute);
        let tokens = Limiter::new(rates.tokens_per_minute);
        Self {
            longest_wait: rates.longest_wait,
            inner: Mutex::new(Inner { requests, tokens, pace: Pace::new() }),
            line: tokio::sync::Mutex::new(()),
            ended: Notify::new(),
        }
    }

    /// Takes a part of the rates: `1 / workers alive`. Who joins others begins with nothing, so that it adds nothing to their minute.
    pub fn set_share(&self, share: f64) {
        if !share.is_finite() {
            return;
        }
        let mut inner = self.inner();
        inner.until(Instant::now());
        if inner.pace.share(share) {
            inner.limiters().for_each(|(limiter, _)| limiter.empty());
        }
    }

    /// Waits in line until a request of about so many tokens may be sent.
    ///
    /// # Errors
    /// [`LlmError::Limited`] with the wait where it would be longer than [`Rates::longest_wait`].
    pub async fn reserve(&self, tokens: u64) -> Result<Reserved<'_>, LlmError> {
        let limited = |wait| LlmError::Limited { retry_after: Some(wait) };
        let arrived = Instant::now();
        let large = self.inner().is_large(tokens);
        let patience = if large { self.longest_wait.max(LARGE_WAITS) } else { self.longest_wait };
        let line = tokio::time::timeout_at(arrived + patience, self.line.lock()).await;
        let _turn = line.map_err(|_| limited(self.longest_wait))?;
        let begun = if large { Instant::now() } else { arrived };
        loop {
            let ended = self.ended.notified();
            let next = self.next(tokens);
            let now = Instant::now();
            let (wait, patience) = match next {
                Next::Granted { at, factor } => return Ok(Reserved { tokens, at, factor, budget: self }),
                Next::Closed(wait) => (wait, self.longest_wait),
                Next::Unpaid(wait) => (wait, patience),
                Next::Crowded => {
                    let late = tokio::time::timeout_at(begun + self.longest_wait, ended).await;
                    late.map_err(|_| limited(self.longest_wait))?;
                    continue;
                }
            };
            if now + wait > begun + patience {
                return Err(limited(wait));
            }
            tokio::time::sleep_until(now + wait.min(LOOK)).await;
        }
    }

    /// Corrects a reservation by what the server says was used, and speeds up again. More than a minute's quota beyond what was
    /// reserved is not believed: a server that counts wrong must not silence its key for days.
    pub fn settle(&self, reserved: Reserved<'_>, used: u64) {
        let now = Instant::now();
        let mut inner = self.inner();
        inner.until(now);
        let factor = inner.pace.factor();
        if let Some(tokens) = &mut inner.tokens {
            match used.checked_sub(reserved.tokens) {
                Some(more) => tokens.grant((more as f64).min(tokens.per_minute()), now, factor),
                None => tokens.take_back((reserved.tokens - used) as f64, reserved.at, reserved.factor),
            }
        }
        inner.pace.replied();
        // The reservation counts itself out as it is dropped, for which it needs the lock.
        drop(inner);
    }

    /// Takes back a reservation for a request that was not sent.
    pub fn unsent(&self, reserved: Reserved<'_>) {
        let mut inner = self.inner();
        inner.until(Instant::now());
        for (limiter, cost) in inner.limiters() {
            limiter.take_back(cost.of(reserved.tokens), reserved.at, reserved.factor);
        }
        drop(inner);
    }

    /// The server said 429: halves the speed and sends nothing until the wait is over. Answers how long that is.
    pub fn slow_down(&self, retry_after: Option<Duration>) -> Duration {
        let now = Instant::now();
        let mut inner = self.inner();
        inner.until(now);
        inner.pace.slow_down(now, retry_after)
    }

    /// The server said that nothing is left until a moment: sends nothing before it.
    pub fn close_for(&self, wait: Duration) {
        self.inner().pace.close_until(Instant::now().checked_add(wait));
    }

    /// Share of the rates it sends at now, 0 to 1.
    pub fn speed(&self) -> f64 {
        let mut inner = self.inner();
        inner.until(Instant::now());
        inner.pace.factor()
    }

    /// How long nothing is sent because the server said so, where that is longer than a call waits for it.
    pub fn closed_for(&self) -> Option<Duration> {
        self.inner().pace.closed_for(Instant::now()).filter(|wait| *wait > self.longest_wait)
    }

    /// Part of its share it uses: 1 at full speed, less after a 429.
    pub fn pace(&self) -> f64 {
        let mut inner = self.inner();
        inner.until(Instant::now());
        inner.pace.speed()
    }

    fn next(&self, tokens: u64) -> Next {
        let now = Instant::now();
        let mut inner = self.inner();
        inner.until(now);
        if let Some(wait) = inner.pace.closed_for(now) {
            return Next::Closed(wait);
        }
        if !inner.pace.has_room() {
            return Next::Crowded;
        }
        let factor = inner.pace.factor();
        let wait = inner.limiters().map(|(limiter, cost)| limiter.wait(cost.of(tokens), now, factor)).max();
        if let Some(wait) = wait.filter(|wait| !wait.is_zero()) {
            return Next::Unpaid(wait);
        }
        inner.limiters().for_each(|(limiter, cost)| limiter.grant(cost.of(tokens), now, factor));
        inner.pace.under_way += 1;
        Next::Granted { at: now, factor }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a request costs of a rate.
#[derive(Clone, Copy)]
enum Cost {
    One,
    Tokens,
}

impl Cost {
    fn of(self, tokens: u64) -> f64 {
        match self {
            Self::One => 1.0,
            Self::Tokens => tokens.max(1) as f64,
        }
    }
}

impl Inner {
    fn limiters(&mut self) -> impl Iterator<Item = (&mut Limiter, Cost)> {
        let requests = self.requests.as_mut().map(|limiter| (limiter, Cost::One));
        requests.into_iter().chain(self.tokens.as_mut().map(|limiter| (limiter, Cost::Tokens)))
    }

    /// Brings everything up to a moment.
    fn until(&mut self, now: Instant) {
        let factor = self.pace.factor();
        self.limiters().for_each(|(limiter, _)| limiter.fill(now, factor));
        self.pace.recover(now);
    }

    /// Whether a request is more than can be granted at once.
    fn is_large(&mut self, tokens: u64) -> bool {
        let factor = self.pace.factor();
        self.limiters().any(|(limiter, cost)| limiter.is_large(cost.of(tokens), factor))
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
    async fn a_429_halves_the_speed_once_and_replies_and_time_bring_it_back_step_by_step() {
        let budget = budget(0, 0, 60);
        for _ in 0..5 {
            budget.slow_down(Some(Duration::ZERO));
        }
        assert_eq!(budget.speed(), 0.5);
        tokio::time::advance(Duration::from_secs(2)).await;
        budget.slow_down(Some(Duration::ZERO));
        let speed = (0.5 + 2.0 / 120.0) / 2.0;
        assert!((budget.speed() - speed).abs() < 1e-9, "{}", budget.speed());
        for _ in 0..4 {
            budget.settle(budget.reserve(1).await.unwrap(), 1);
        }
        assert!((budget.speed() - speed - 0.2).abs() < 1e-9, "{}", budget.speed());
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_row_of_429s_time_alone_brings_the_speed_back_once_the_door_is_open() {
        let budget = budget(60, 0, 20);
        for _ in 0..10 {
            budget.slow_down(Some(Duration::from_secs(30)));
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert_eq!(budget.speed(), 1.0 / 64.0);
        tokio::time::advance(Duration::from_secs(28)).await;
        assert_eq!(budget.speed(), 1.0 / 64.0, "closed, so nothing shows that there is room");
        tokio::time::advance(Duration::from_secs(61)).await;
        assert!((0.5..0.53).contains(&budget.speed()), "{}", budget.speed());
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!(budget.speed(), 1.0);
        assert!(budget.reserve(1).await.is_ok());
    }

    /// As a worker does: what is handed back comes again after the wait that was named.
    async fn at_last<'b>(budget: &'b Budget, tokens: u64) -> Reserved<'b> {
        loop {
            match budget.reserve(tokens).await {
                Ok(reserved) => return reserved,
                Err(LlmError::Limited { retry_after: Some(wait) }) => pass(wait).await,
                Err(other) => panic!("{other}"),
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_of_most_of_the_quota_is_granted_although_small_ones_never_stop() {
        for large in [4_000, 7_000, 10_000] {
            let budget = std::sync::Arc::new(budget(0, 10_000, 20));
            let mut small = tokio::task::JoinSet::new();
            let granted = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
            for _ in 0..8 {
                let (budget, granted) = (budget.clone(), granted.clone());
                small.spawn(async move {
                    loop {
                        budget.settle(at_last(&budget, 200).await, 200);
                        granted.fetch_add(200, std::sync::atomic::Ordering::Relaxed);
                    }
                });
            }
            pass(Duration::from_secs(90)).await;
            let late = tokio::time::timeout(Duration::from_secs(90), at_last(&budget, large)).await;
            assert!(late.is_ok(), "{large} of 10000 were not granted");
            let before = granted.load(std::sync::atomic::Ordering::Relaxed);
            pass(Duration::from_secs(180)).await;
            let after = granted.load(std::sync::atomic::Ordering::Relaxed) - before;
            assert!(after > 10_000, "small ones go on behind {large}: {after}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_beyond_the_quota_is_granted_and_pays_with_the_minutes_after_it() {
        let budget = budget(0, 1_000, 20);
        let begun = Instant::now();
        budget.settle(at_last(&budget, 3_000).await, 3_000);
        assert!(begun.elapsed() < Duration::from_secs(1), "nothing was sent before it");
        budget.settle(at_last(&budget, 50).await, 50);
        assert!((180..=210).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_for_credit_waits_on_where_the_server_closes_the_door_meanwhile() {
        let budget = budget(11, 0, 60);
        budget.settle(budget.reserve(1).await.unwrap(), 1);
        let begun = Instant::now();
        let closes = async {
            pass(Duration::from_secs(1)).await;
            budget.close_for(Duration::from_secs(30));
        };
        let (reserved, ()) = tokio::join!(budget.reserve(1), closes);
        assert!(reserved.is_ok() && begun.elapsed() >= Duration::from_secs(31), "{:?}", begun.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_counts_wrong_silences_its_key_for_no_more_than_a_minute_or_so() {
        let budget = budget(0, 10_000, 20);
        budget.settle(budget.reserve(10).await.unwrap(), u64::from(u32::MAX));
        let begun = Instant::now();
        budget.settle(at_last(&budget, 10).await, 10);
        assert!((60..=90).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_not_sent_costs_nothing() {
        let budget = budget(11, 11_000, 0);
        for _ in 0..50 {
            budget.unsent(budget.reserve(900).await.unwrap());
        }
        budget.settle(budget.reserve(1_000).await.unwrap(), 1_000);
        assert!(budget.reserve(1_000).await.is_err(), "and what was sent costs");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_given_back_after_long_adds_nothing_to_what_may_be_sent_at_once() {
        let budget = budget(0, 11_000, 0);
        let unused = budget.reserve(1_000).await.unwrap();
        pass(Duration::from_secs(3)).await;
        budget.unsent(unused);
        pass(Duration::from_secs(6)).await;
        budget.settle(budget.reserve(1_000).await.unwrap(), 1_000);
        assert!(budget.reserve(10).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_owed_since_a_slow_time_is_paid_at_the_speed_that_came_back() {
        let budget = budget(0, 1_100, 1_200);
        let reserved = budget.reserve(1).await.unwrap();
        for _ in 0..10 {
            budget.slow_down(Some(Duration::ZERO));
            pass(Duration::from_secs(1)).await;
        }
        budget.settle(reserved, 1_101);
        assert!(budget.speed() < 0.1, "at which it would take ten minutes and more");
        let begun = Instant::now();
        budget.settle(budget.reserve(1).await.unwrap(), 1);
        assert!((110..=130).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_handed_back_hears_how_long_it_takes_until_all_that_is_owed_is_paid() {
        let budget = budget(0, 1_100, 20);
        budget.settle(budget.reserve(3_000).await.unwrap(), 3_000);
        let refused = budget.reserve(50).await.unwrap_err();
        let LlmError::Limited { retry_after: Some(wait) } = refused else { panic!("{refused}") };
        assert!((170..=180).contains(&wait.as_secs()), "{wait:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn who_joins_others_gives_up_what_is_left_of_an_eleventh_too() {
        let budget = budget(0, 11_000, 0);
        budget.settle(budget.reserve(400).await.unwrap(), 400);
        budget.set_share(0.5);
        assert!(budget.reserve(10).await.is_err());
        pass(Duration::from_secs(1)).await;
        budget.settle(budget.reserve(80).await.unwrap(), 80);
        assert!(budget.reserve(10).await.is_err());
    }

    /// What was granted when, in virtual time, and how long all of it took.
    fn play(quota: u32, asked: &[(u64, u64)]) -> (Vec<(Instant, u64)>, Duration) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let budget = std::sync::Arc::new(budget(0, quota, 20));
            let begun = Instant::now();
            let mut tasks = tokio::task::JoinSet::new();
            for (after, tokens) in asked.iter().copied() {
                let budget = budget.clone();
                tasks.spawn(async move {
                    pass(Duration::from_millis(after)).await;
                    let reserved = at_last(&budget, tokens).await;
                    let granted = (Instant::now(), tokens);
                    pass(Duration::from_secs(2)).await;
                    budget.settle(reserved, tokens);
                    granted
                });
            }
            let mut granted = tokio::time::timeout(Duration::from_secs(86_400), tasks.join_all()).await.unwrap();
            granted.sort();
            (granted, begun.elapsed())
        })
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(96))]

        #[test]
        fn whatever_the_sizes_all_are_granted_in_time_and_no_minute_holds_more_than_the_quota(
            quota in 20_u32..40_000,
            parts in proptest::collection::vec((0_u64..120_000, proptest::prop_oneof![0.0..0.1, 0.0..=1.0_f64]), 1..40),
        ) {
            let size = |part: f64| ((f64::from(quota) * part) as u64).clamp(1, u64::from(quota));
            let asked: Vec<(u64, u64)> = parts.iter().map(|(after, part)| (*after, size(*part))).collect();
            let (granted, took) = play(quota, &asked);
            let all: u64 = asked.iter().map(|(_, tokens)| tokens).sum();
            // Two that do not fit into one minute may fill little more than half of two.
            let minutes = 5.0 + 2.5 * all as f64 / f64::from(quota);
            proptest::prop_assert!(took.as_secs_f64() <= 60.0 * minutes, "{took:?} for {minutes} minutes");
            for (from, (begin, _)) in granted.iter().enumerate() {
                let minute = granted[from..].iter().take_while(|(at, _)| *at - *begin < Duration::from_secs(60));
                let sum: u64 = minute.map(|(_, tokens)| tokens).sum();
                proptest::prop_assert!(sum <= u64::from(quota), "{sum} of {quota} in a minute");
            }
        }
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
