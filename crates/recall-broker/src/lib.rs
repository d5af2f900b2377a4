//! The queue doors: a call goes in and is safe once `publish` returns; it comes out until somebody acknowledges it.

#[cfg(test)]
mod conformance;
pub mod embedded;
pub mod envelope;
pub mod ownership;
pub mod rabbit;
pub mod topology;

use async_trait::async_trait;
use recall_core::call::Call;
use recall_core::class::Class;

pub use envelope::{Envelope, Unreadable};

/// What can go wrong at a queue.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// The broker is away, blocked, or did not confirm in time.
    #[error("broker did not answer")]
    Unavailable(#[source] Option<Box<dyn std::error::Error + Send + Sync>>),
    /// The queue is over its limit.
    #[error("queue is full")]
    Full,
    /// The queues that are there were declared otherwise.
    #[error("queues are declared differently: {0}")]
    Mismatch(String),
    /// Calls go into queues of a later generation: another number of partitions.
    #[error("calls go into queues of a later generation")]
    Moved,
    /// [`Broker::stop`] was called: nothing more comes.
    #[error("queue was stopped")]
    Stopped,
    /// A call could not be written as a message.
    #[error("call cannot be written as a message")]
    Unwritable(#[source] serde_json::Error),
}

impl BrokerError {
    /// What the error means for a call.
    pub fn class(&self) -> Class {
        match self {
            Self::Unavailable(_) | Self::Full | Self::Moved | Self::Stopped => Class::Busy { retry_after: None },
            Self::Mismatch(_) => Class::Permanent,
            Self::Unwritable(_) => Class::Bug,
        }
    }
}

/// Settles a delivery at its queue.
#[async_trait]
pub trait Settle: Send + Sync {
    /// Takes the message off the queue. `false` where the queue no longer listens; it will deliver the message again.
    async fn ack(self: Box<Self>) -> Result<bool, BrokerError>;
    /// The same after a commit that also took the call off what waits in the store: where that is the queue, nothing is left to do.
    async fn committed(self: Box<Self>) -> Result<bool, BrokerError> {
        self.ack().await
    }
    /// `false` once the queue will deliver the message again whatever happens here.
    fn live(&self) -> bool {
        true
    }
}

/// A message handed out. Dropping it hands the message back in its place.
pub struct Delivery {
    /// What the message says, or why it cannot be read.
    pub envelope: Result<Envelope, Unreadable>,
    /// Attempts that were charged to the call so far.
    pub attempts: u32,
    /// The queue handed this message out before, and the worker that had it came to no end.
    pub redelivered: bool,
    /// The message comes from the parked calls of its session, so nothing of them is ahead of it.
    pub parked: bool,
    /// What is known of earlier attempts, where the queue wrote down that this one begins; else whoever runs it does.
    pub noted: Option<Noted>,
    /// Where the broker had set the message aside; `None` for one that came its usual way.
    pub stray: Option<Stray>,
    /// How the message is settled.
    pub settle: Box<dyn Settle>,
}

impl Delivery {
    /// Consumed: it never comes again. `false` where the queue no longer listens and will deliver it again.
    ///
    /// # Errors
    /// The queue is away; the message comes again.
    pub async fn ack(self) -> Result<bool, BrokerError> {
        self.settle.ack().await
    }

    /// Consumed by a commit that also took the call off what waits in the store. `false` as for [`Delivery::ack`].
    ///
    /// # Errors
    /// The queue is away; the message comes again.
    pub async fn committed(self) -> Result<bool, BrokerError> {
        self.settle.committed().await
    }

    /// `false` once the message will come again: do not start on it, drop it. What runs already may still be settled.
    pub fn live(&self) -> bool {
        self.settle.live()
    }
}

impl std::fmt::Debug for Delivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Delivery").field("attempts", &self.attempts).field("redelivered", &self.redelivered).finish()
    }
}

/// Attempts at a call that never ended, as far as a queue knows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Noted {
    /// There are some: the call may have ended its worker, so that it runs alone.
    pub unfinished: bool,
    /// How many of them ran alone.
    pub unfinished_alone: u32,
}

/// Why a broker set a message aside. It is not tried by itself: a person decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stray {
    /// It was delivered too often without an end.
    Exhausted,
    /// No partition took it.
    Unrouted,
}

impl Stray {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Exhausted, Self::Unrouted];

    /// As a label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exhausted => "exhausted",
            Self::Unrouted => "unrouted",
        }
    }

    /// For operators.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Exhausted => "the broker set the message aside: it was delivered too often without an end",
            Self::Unrouted => {
                "no partition took the message: its queue was not there; `recall fleet status` tells which are"
            }
        }
    }
}

/// How many messages a queue holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    /// Waiting in the live lane.
    pub live: u64,
    /// Waiting in the bulk lane.
    pub bulk: u64,
    /// Set aside as [`Stray::Exhausted`] and not yet taken over by a worker.
    pub exhausted: u64,
    /// Set aside as [`Stray::Unrouted`] and not yet taken over by a worker.
    pub unrouted: u64,
}

impl Depth {
    /// Waiting in both lanes.
    pub fn ready(self) -> u64 {
        self.live + self.bulk
    }

    /// Set aside.
    pub fn astray(self) -> u64 {
        self.exhausted + self.unrouted
    }
}

/// A queue.
#[async_trait]
pub trait Broker: Send + Sync {
    /// Hands a call over. Returns once it is durable; an error means that the caller may send it again under the same trace id.
    async fn publish(&self, envelope: &Envelope) -> Result<(), BrokerError>;
    /// The next message, in order within a session. Waits for one; reconnects by itself. [`BrokerError::Stopped`] after
    /// [`Broker::stop`].
    async fn receive(&self) -> Result<Delivery, BrokerError>;
    /// How many messages wait.
    async fn depth(&self) -> Result<Depth, BrokerError>;
    /// `Ok` while a call could be published now.
    async fn ready(&self) -> Result<(), BrokerError>;
    /// Owns exactly these partitions from now on: new ones are read, lost ones hand out nothing more and are let go once what
    /// is in flight is settled. Returns at once. A queue that is not parted hands out everything to everyone.
    async fn set_partitions(&self, _share: &Share) {}
    /// Stops handing out messages; what was handed out can still be settled.
    async fn stop(&self);
}

/// Partitions that belong to a worker, of so many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// How many there are.
    pub of: u32,
    /// Those of the worker.
    pub partitions: Vec<u32>,
}

impl Share {
    /// Everything.
    pub fn all() -> Self {
        Self { of: 1, partitions: vec![0] }
    }

    /// Nothing of so many.
    pub fn none(of: u32) -> Self {
        Self { of, partitions: Vec::new() }
    }
}

/// The place of a call's session among all sessions: 64-bit FNV-1a over its key, stirred, the upper half. It stays when the number of
/// partitions changes.
pub fn slot(call: &Call) -> u32 {
    use std::hash::Hasher;
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(call.session_key().as_bytes());
    (stirred(hasher.finish()) >> 32) as u32
}

/// The partition of a call: its slot modulo the number of partitions.
pub fn partition(call: &Call, partitions: u32) -> u32 {
    slot(call) % partitions.max(1)
}

/// Lets every bit of a hash depend on all others (the finish of SplitMix64). Of FNV-1a the low bits see the low bits of the bytes alone, so
/// that sessions named after their person would leave half the partitions empty, and its high bits hardly see the last bytes.
pub(crate) fn stirred(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use recall_core::scope::{Owner, Scope};

    use super::*;

    #[test]
    fn sessions_named_after_their_person_reach_every_partition() {
        let mut calls = [0; 32];
        for number in 0..3_200 {
            let mut call = conformance::envelope(&format!("talk-{number}"), number).call;
            call.scope = Scope::new("n".into(), Owner::User(format!("user-{number}")), None).unwrap();
            calls[partition(&call, 32) as usize] += 1;
        }
        assert!(calls.iter().all(|calls| (50..200).contains(calls)), "{calls:?}");
    }
}
