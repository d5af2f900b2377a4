//! Whether a model is asked at all: when most calls fail for the same reason outside, asking on only uses calls up. After a pause
//! one call finds out how it is now.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::LlmError;
use crate::wait::Waits;

/// Results that are looked at, the latest ones.
const LOOKED_AT: usize = 20;
/// Fewer failures of one kind say nothing.
const LEAST: usize = 5;
/// Results older than this say nothing about now.
const FRESH: Duration = Duration::from_secs(300);
/// The pauses between two tries: the first, and the longest they grow to.
const PAUSES: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(60));

/// Why a model is not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outage {
    /// No connection, or no answer in time.
    Unreachable,
    /// 5xx.
    Failing,
    /// The key or the model is rejected.
    Rejected,
    /// 429, or the quota is spent.
    Limited,
}

impl Outage {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Unreachable, Self::Failing, Self::Rejected, Self::Limited];

    /// As a label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Failing => "failing",
            Self::Rejected => "rejected",
            Self::Limited => "limited",
        }
    }

    /// The outage an error is a sign of; `None` where the server is well and the call is not.
    pub(crate) fn of(error: &LlmError) -> Option<Self> {
        match error {
            LlmError::Unreachable(_) => Some(Self::Unreachable),
            LlmError::Failed { .. } => Some(Self::Failing),
            LlmError::Rejected { .. } => Some(Self::Rejected),
            LlmError::Limited { .. } => Some(Self::Limited),
            LlmError::Away(away) => Some(away.why),
            LlmError::Refused { .. }
            | LlmError::Unusable { .. }
            | LlmError::TooLong
            | LlmError::NotRecorded { .. }
            | LlmError::Config(_) => None,
        }
    }
}

impl fmt::Display for Outage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A model that is not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Away {
    /// Why.
    pub why: Outage,
    /// How long from now until one call finds out how it is.
    pub again: Duration,
}

/// How a model stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is asked.
    Up,
    /// The pause is over: one call finds out.
    Trying,
    /// It is not asked.
    Away(Away),
}

/// The breaker of one model.
#[derive(Debug)]
pub struct Breaker {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    results: VecDeque<(Instant, Option<Outage>)>,
    state: State,
    pauses: Waits,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Closed,
    Open {
        why: Outage,
        until: Instant,
    },
    /// One call is on its way.
    Trying {
        why: Outage,
    },
}

/// Leave to ask once. Dropped without a result it says nothing about the model.
#[derive(Debug)]
#[must_use]
pub(crate) struct Leave<'a> {
    breaker: &'a Breaker,
    trying: bool,
}

impl Default for Breaker {
    fn default() -> Self {
        let inner = Inner { results: VecDeque::new(), state: State::Closed, pauses: Waits::new(PAUSES.0, PAUSES.1) };
        Self { inner: Mutex::new(inner) }
    }
}

impl Breaker {
    /// How the model stands.
    pub fn standing(&self) -> Standing {
        match self.lock().state {
            State::Closed => Standing::Up,
            State::Open { why, until } => match until.checked_duration_since(Instant::now()) {
                Some(again) if !again.is_zero() => Standing::Away(Away { why, again }),
                Some(_) | None => Standing::Trying,
            },
            State::Trying { .. } => Standing::Trying,
        }
    }

    /// Leave to ask, or how long there is none.
    pub(crate) fn leave(&self) -> Result<Leave<'_>, Away> {
        let now = Instant::now();
        let mut inner = self.lock();
        let trying = match inner.state {
            State::Closed => false,
            State::Open { why, until } if until > now => return Err(Away { why, again: until - now }),
            State::Open { why, .. } => {
                inner.state = State::Trying { why };
                true
            }
            // Somebody is finding out.
            State::Trying { why } => return Err(Away { why, again: Duration::from_secs(1) }),
        };
        Ok(Leave { breaker: self, trying })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Leave<'_> {
    /// The server answered, whatever it said of the call.
    pub(crate) fn answered(mut self) {
        let mut inner = self.breaker.lock();
        if std::mem::take(&mut self.trying) {
            inner.state = State::Closed;
            inner.results.clear();
            inner.pauses.reset();
            tracing::info!("model server answers again");
        }
        inner.note(None);
    }

    /// The server was away; `wait` is what it asked for. From now on it is not asked where that is what mostly happens.
    pub(crate) fn failed(mut self, why: Outage, wait: Option<Duration>) {
        let mut inner = self.breaker.lock();
        let tried = std::mem::take(&mut self.trying);
        inner.note(Some(why));
        if tried || (matches!(inner.state, State::Closed) && inner.mostly(why)) {
            let pause = match (why, wait) {
                (Outage::Limited, Some(wait)) => wait,
                (_, wait) => inner.pauses.next_wait().max(wait.unwrap_or_default()),
            };
            inner.state = State::Open { why, until: Instant::now() + pause };
            tracing::warn!(
                why = why.as_str(),
                pause_seconds = pause.as_secs(),
                "model server is not asked for a while"
            );
        }
    }
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        if self.trying {
            let mut inner = self.breaker.lock();
            if let State::Trying { why } = inner.state {
                inner.state = State::Open { why, until: Instant::now() };
            }
        }
    }
}

impl Inner {
    fn note(&mut self, result: Option<Outage>) {
        let now = Instant::now();
        self.results.push_back((now, result));
        while self.results.len() > LOOKED_AT || self.results.front().is_some_and(|(at, _)| now - *at > FRESH) {
            self.results.pop_front();
        }
    }

    /// More than half of the latest results are failures of this kind.
    fn mostly(&self, why: Outage) -> bool {
        let same = self.results.iter().filter(|(_, result)| *result == Some(why)).count();
        same >= LEAST && same * 2 > self.results.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fail(breaker: &Breaker, times: usize, why: Outage) {
        for _ in 0..times {
            breaker.leave().expect("leave to ask").failed(why, None);
        }
    }

    fn answer(breaker: &Breaker, times: usize) {
        for _ in 0..times {
            breaker.leave().expect("leave to ask").answered();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_when_most_calls_fail_for_the_same_reason_and_not_before() {
        let breaker = Breaker::default();
        fail(&breaker, 4, Outage::Unreachable);
        assert_eq!(breaker.standing(), Standing::Up);
        answer(&breaker, 6);
        fail(&breaker, 2, Outage::Unreachable);
        assert_eq!(breaker.standing(), Standing::Up, "half is not most");
        fail(&breaker, 1, Outage::Unreachable);
        let Standing::Away(away) = breaker.standing() else { panic!("{:?}", breaker.standing()) };
        assert_eq!(away.why, Outage::Unreachable);
        assert!(away.again >= Duration::from_secs(3) && away.again <= Duration::from_secs(7), "{away:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn mixed_and_old_failures_do_not_open_it() {
        let breaker = Breaker::default();
        for _ in 0..10 {
            fail(&breaker, 1, Outage::Failing);
            fail(&breaker, 1, Outage::Limited);
            fail(&breaker, 1, Outage::Unreachable);
        }
        assert_eq!(breaker.standing(), Standing::Up);
        let breaker = Breaker::default();
        fail(&breaker, 4, Outage::Failing);
        tokio::time::advance(FRESH + Duration::from_secs(1)).await;
        fail(&breaker, 4, Outage::Failing);
        assert_eq!(breaker.standing(), Standing::Up);
    }

    #[tokio::test(start_paused = true)]
    async fn after_the_pause_one_call_finds_out_and_the_pauses_grow() {
        let breaker = Breaker::default();
        fail(&breaker, 5, Outage::Failing);
        assert!(breaker.leave().is_err());
        tokio::time::advance(Duration::from_secs(7)).await;
        assert_eq!(breaker.standing(), Standing::Trying);
        let probe = breaker.leave().expect("one may try");
        assert_eq!(breaker.leave().err().map(|away| away.why), Some(Outage::Failing), "only one");
        probe.failed(Outage::Unreachable, None);
        let Standing::Away(away) = breaker.standing() else { panic!("away again") };
        assert!(away.again >= Duration::from_secs(7), "{away:?}");
        tokio::time::advance(Duration::from_secs(13)).await;
        breaker.leave().expect("one may try").answered();
        assert_eq!(breaker.standing(), Standing::Up);
        fail(&breaker, 4, Outage::Unreachable);
        assert_eq!(breaker.standing(), Standing::Up, "what was before the outage is forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn a_try_that_was_given_up_leaves_the_next_one_to_another() {
        let breaker = Breaker::default();
        fail(&breaker, 5, Outage::Rejected);
        tokio::time::advance(Duration::from_secs(7)).await;
        drop(breaker.leave().expect("one may try"));
        assert_eq!(breaker.standing(), Standing::Trying);
        assert!(breaker.leave().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_wait_the_server_names_is_kept() {
        let breaker = Breaker::default();
        fail(&breaker, 4, Outage::Limited);
        breaker.leave().expect("leave").failed(Outage::Limited, Some(Duration::from_secs(2)));
        let Standing::Away(away) = breaker.standing() else { panic!("away") };
        assert_eq!(away.again, Duration::from_secs(2), "who limits knows best");
    }
}
