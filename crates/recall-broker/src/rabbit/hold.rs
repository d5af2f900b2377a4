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
    /// Arrived and not handed out yet.
    waiting: usize,
    in_flight: usize,
    settled: usize,
}

/// What is waited for besides a delivery that is handed back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Watched {
    /// Nothing.
    Only,
    /// That everything is settled.
    ForQuiet,
}

/// What happened to the deliveries of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// One was handed back.
    HandedBack,
    /// All are settled.
    Quiet,
}

impl Hold {
    /// Of a channel that serves while `wanted` is true.
    pub(super) fn new(wanted: watch::Receiver<bool>) -> Self {
        Self { wanted, inner: Mutex::default(), changed: Notify::new() }
    }

    /// A message arrived that will be handed out.
    pub(super) fn arrived(&self) {
        self.lock().waiting += 1;
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
        inner.waiting = inner.waiting.saturating_sub(1);
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

    /// Returns when a delivery was handed back, or, where `watched` asks for it, when everything that arrived is settled.
    pub(super) async fn turned(&self, watched: Watched) -> Turn {
        loop {
            {
                let inner = self.lock();
                if inner.handed_back {
                    return Turn::HandedBack;
                }
                if watched == Watched::ForQuiet && inner.waiting == 0 && inner.in_flight == 0 {
                    return Turn::Quiet;
                }
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
        assert_eq!(hold.turned(Watched::ForQuiet).await, Turn::HandedBack);
        assert!(!hold.hand_out());
    }

    #[tokio::test]
    async fn nothing_starts_once_a_message_was_handed_back() {
        let (hold, _want) = hold();
        assert!(hold.hand_out() && hold.hand_out());
        hold.hand_back();
        assert_eq!(hold.turned(Watched::ForQuiet).await, Turn::HandedBack);
        assert!(!hold.live());
        assert!(!hold.hand_out());
    }

    #[tokio::test]
    async fn it_is_quiet_once_what_arrived_is_settled_and_not_before() {
        let (hold, _want) = hold();
        let quiet = async || tokio::time::timeout(Duration::from_millis(1), hold.turned(Watched::ForQuiet)).await;
        assert_eq!(quiet().await, Ok(Turn::Quiet));
        hold.arrived();
        assert!(quiet().await.is_err(), "it waits to be handed out");
        assert!(hold.hand_out());
        assert!(quiet().await.is_err(), "it is in flight");
        hold.settled();
        assert_eq!(quiet().await, Ok(Turn::Quiet));
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
