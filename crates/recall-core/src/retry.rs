//! The fate of a call whose attempt failed: one place, pure.

use std::time::Duration;

use crate::class::Class;

/// What becomes of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Committed (or committed before).
    Done,
    /// Parked with one attempt more.
    Retry {
        /// How long to wait, before jitter.
        after: Duration,
    },
    /// Parked without an attempt.
    Snooze {
        /// How long to wait, before jitter.
        after: Duration,
    },
    /// Kept in the dead letters with its class.
    Dead,
}

impl Fate {
    /// The labels of all fates.
    pub const LABELS: [&'static str; 4] = ["done", "retry", "snooze", "dead"];

    /// The fate as a label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Retry { .. } => "retry",
            Self::Snooze { .. } => "snooze",
            Self::Dead => "dead",
        }
    }
}

/// Delays between attempts; their number plus one is the number of attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Delay after the first, second, … failed attempt.
    pub delays: Vec<Duration>,
    /// Wait of a snooze that names none.
    pub snooze: Duration,
    /// The longest wait another side may ask for.
    pub longest: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            delays: [10, 60, 600, 3600].map(Duration::from_secs).to_vec(),
            snooze: Duration::from_secs(10),
            longest: Duration::from_secs(300),
        }
    }
}

/// The fate of a failed attempt; `attempts` counts the ones before it that were charged.
pub fn fate(class: Class, attempts: usize, schedule: &Schedule) -> Fate {
    match class {
        Class::Permanent | Class::Bug => Fate::Dead,
        Class::Busy { retry_after } => {
            Fate::Snooze { after: retry_after.unwrap_or(schedule.snooze).min(schedule.longest) }
        }
        Class::Transient => match schedule.delays.get(attempts) {
            Some(delay) => Fate::Retry { after: *delay },
            None => Fate::Dead,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_walk_down_the_schedule_and_end() {
        let schedule = Schedule::default();
        assert_eq!(fate(Class::Transient, 0, &schedule), Fate::Retry { after: Duration::from_secs(10) });
        assert_eq!(fate(Class::Transient, 3, &schedule), Fate::Retry { after: Duration::from_secs(3600) });
        assert_eq!(fate(Class::Transient, 4, &schedule), Fate::Dead);
    }

    #[test]
    fn a_busy_outside_never_kills_and_its_wish_is_capped() {
        let schedule = Schedule::default();
        let asked = Class::Busy { retry_after: Some(Duration::from_secs(1_000_000)) };
        assert_eq!(fate(asked, 99, &schedule), Fate::Snooze { after: schedule.longest });
        assert_eq!(fate(Class::Busy { retry_after: None }, 99, &schedule), Fate::Snooze { after: schedule.snooze });
    }

    #[test]
    fn what_can_never_succeed_is_dead_at_once() {
        assert_eq!(fate(Class::Permanent, 0, &Schedule::default()), Fate::Dead);
        assert_eq!(fate(Class::Bug, 0, &Schedule::default()), Fate::Dead);
    }
}
