//! What one channel has handed out: the rules of who may still start, settle or hand back, apart from any network.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

/// The deliveries of one channel.
#[derive(Debug)]
pub(super) struct Hold {
    wanted: watch::Receiver<bool>,
    inner: Mutex<Inner>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    closing: bool,
    handed_back: bool,
    in_flight: usize,
    settled: usize,
}

impl Hold {
    /// Of a channel that serves while `wanted` is true.
    pub(super) fn new(wanted: watch::Receiver<bool>) -> Self {
        Self { wanted, inner: Mutex::default(), changed: Notify::new() }
    }

    /// Takes a delivery out; `false` once the channel is closing, since the message comes again.
    pub(super) fn hand_out(&self) -> bool {
        let mut inner = self.lock();
        if inner.closing {
            return false;
        }
        if !*self.wanted.borrow() {
            // This message is passed over, so the channel must close even if it is wanted again a moment later.
            (inner.closing, inner.handed_back) = (true, true);
            drop(inner);
            self.changed.notify_one();
            return false;
        }
        inner.in_flight += 1;
        true
    }

    /// A delivery was settled.
    pub(super) fn settled(&self) {
        let mut inner = self.lock();
        inner.in_flight = inner.in_flight.saturating_sub(1);
        inner.settled += 1;
        drop(inner);
        self.changed.notify_one();
    }

    /// Something was settled over this channel.
    pub(super) fn progressed(&self) -> bool {
        self.lock().settled > 0
    }

    /// A delivery was dropped unsettled: nothing behind it may start before it came again.
    pub(super) fn hand_back(&self) {
        let mut inner = self.lock();
        inner.in_flight = inner.in_flight.saturating_sub(1);
        inner.handed_back = true;
        inner.closing = true;
        drop(inner);
        self.changed.notify_one();
    }

    /// Nothing more is handed out.
    pub(super) fn close(&self) {
        self.lock().closing = true;
        self.changed.notify_one();
    }

    /// What was handed out may still be started.
    pub(super) fn live(&self) -> bool {
        *self.wanted.borrow() && !self.lock().closing
    }

    /// Returns when a delivery was handed back.
    pub(super) async fn handed_back(&self) {
        loop {
            if self.lock().handed_back {
                return;
            }
            self.changed.notified().await;
        }
    }

    /// Waits until everything handed out is settled or handed back, but no longer than `limit`; what is left then.
    pub(super) async fn drained(&self, limit: Duration) -> usize {
        let empty = async {
            while self.lock().in_flight > 0 {
                self.changed.notified().await;
            }
        };
        match tokio::time::timeout(limit, empty).await {
            Ok(()) => 0,
            Err(_) => self.lock().in_flight,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold() -> (Hold, watch::Sender<bool>) {
        let (want, wanted) = watch::channel(true);
        (Hold::new(wanted), want)
    }

    #[tokio::test]
    async fn a_message_passed_over_while_unwanted_closes_the_channel_for_good() {
        let (hold, want) = hold();
        want.send_replace(false);
        assert!(!hold.hand_out());
        want.send_replace(true);
        hold.handed_back().await;
        assert!(!hold.hand_out());
    }

    #[tokio::test]
    async fn nothing_starts_once_a_message_was_handed_back() {
        let (hold, _want) = hold();
        assert!(hold.hand_out() && hold.hand_out());
        hold.hand_back();
        hold.handed_back().await;
        assert!(!hold.live());
        assert!(!hold.hand_out());
    }

    #[tokio::test]
    async fn a_closing_channel_waits_for_what_is_in_flight() {
        let (hold, _want) = hold();
        assert!(hold.hand_out());
        hold.close();
        assert_eq!(hold.drained(Duration::from_millis(1)).await, 1);
        hold.settled();
        assert_eq!(hold.drained(Duration::from_millis(1)).await, 0);
    }
}
