//! A message between its arrival and its end: what it is for, and how it is settled.

use std::sync::Arc;

use async_trait::async_trait;
use lapin::message::Delivery as Message;
use lapin::options::BasicAckOptions;
use recall_core::call::Lane;

use super::connection::{ANSWER_LIMIT, Link, Trouble};
use super::hold::Hold;
use crate::{BrokerError, Delivery, Envelope, Settle, Stray};

/// What a queue of this process is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    /// Calls of a partition of a lane.
    Calls(Lane, u32),
    /// What the broker set aside.
    Strays(Stray),
}

/// A message that waits in this process; the prefetch bounds how many there are.
pub(super) struct Arrived {
    pub(super) message: Message,
    pub(super) hold: Arc<Hold>,
    pub(super) link: Arc<Link>,
    pub(super) generation: u64,
    pub(super) purpose: Purpose,
}

impl Arrived {
    /// The message as everybody outside sees it.
    pub(super) fn into_delivery(self) -> Delivery {
        let id = self.message.properties.message_id().as_ref().map(ToString::to_string);
        let envelope = Envelope::decode(&self.message.data, id.as_deref());
        Delivery {
            envelope,
            attempts: 0,
            redelivered: self.message.redelivered,
            parked: false,
            noted: None,
            stray: match self.purpose {
                Purpose::Calls(..) => None,
                Purpose::Strays(stray) => Some(stray),
            },
            settle: Box::new(self.into_held()),
        }
    }

    /// What settles the message.
    pub(super) fn into_held(self) -> Held {
        let Self { message, hold, link, generation, .. } = self;
        Held { acker: message.acker, hold, link, generation, settled: false }
    }
}

/// Settles a message; dropping it unsettled hands the message back.
pub(super) struct Held {
    acker: lapin::Acker,
    hold: Arc<Hold>,
    link: Arc<Link>,
    generation: u64,
    settled: bool,
}

#[async_trait]
impl Settle for Held {
    async fn ack(mut self: Box<Self>) -> Result<bool, BrokerError> {
        let acked = tokio::time::timeout(ANSWER_LIMIT, self.acker.ack(BasicAckOptions::default())).await;
        self.settled = true;
        self.hold.settled();
        match acked {
            Ok(Ok(taken)) => Ok(taken),
            // The channel died under the ack: the broker delivers the message again.
            Ok(Err(_)) => Ok(false),
            Err(_) => {
                self.link.report(self.generation);
                Err(Trouble::Silent.into())
            }
        }
    }

    fn live(&self) -> bool {
        self.hold.live()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.settled {
            self.hold.hand_back();
        }
    }
}
