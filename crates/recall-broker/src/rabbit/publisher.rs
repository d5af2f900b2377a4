//! Sends calls and waits for the broker's word that they are stored, on one channel for all callers at once.

use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use lapin::options::BasicPublishOptions;
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Confirmation, PublisherConfirm};
use tokio::time::Instant;

use super::connection::{Lease, Link, Trouble, blocked, chain, within};
use crate::topology::Layout;
use crate::{BrokerError, Envelope, partition};

/// Survives a restart of the broker.
pub(super) const PERSISTENT: u8 = 2;

/// The sending half.
pub(super) struct Publisher {
    link: Link,
    layout: Layout,
    limit: Duration,
    turn: Mutex<()>,
}

impl Publisher {
    /// Sends over `link`; a call is given up after `limit`, reconnects included.
    pub(super) fn new(link: Link, layout: Layout, limit: Duration) -> Self {
        Self { link, layout, limit, turn: Mutex::new(()) }
    }

    /// The connection it sends over.
    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    /// Returns once the broker has stored the call. After a lost connection the same message is sent again.
    pub(super) async fn publish(&self, envelope: &Envelope) -> Result<(), BrokerError> {
        let body = envelope.encode().map_err(BrokerError::Unwritable)?;
        let message = Message {
            exchange: self.layout.exchange(envelope.call.lane),
            key: self.layout.routing_key(partition(&envelope.call, self.layout.partitions)),
            properties: self.properties(envelope),
            body,
        };
        let deadline = Instant::now() + self.limit;
        loop {
            let lease = self.link.lease(deadline).await?;
            let trouble = match tokio::time::timeout_at(deadline, self.send(&lease, &message)).await {
                Ok(Sent::Stored) => return Ok(()),
                Ok(Sent::Rejected) => return Err(BrokerError::Full),
                Ok(Sent::Blocked) => return Err(blocked()),
                Ok(Sent::Unknown(trouble)) => trouble,
                Err(_) => Trouble::Silent,
            };
            tracing::warn!(generation = lease.generation, why = %chain(&trouble), "call is not confirmed");
            self.link.report(lease.generation);
            if Instant::now() >= deadline {
                return Err(trouble.into());
            }
            // The supervisor has not taken the report yet: without a pause this lease would be handed out again.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn send(&self, lease: &Lease, message: &Message) -> Sent {
        let mut is_blocked = lease.blocked.clone();
        tokio::select! {
            biased;
            Ok(_) = is_blocked.wait_for(|blocked| *blocked) => Sent::Blocked,
            confirmed = self.confirmed(lease, message) => match confirmed {
                Ok(Confirmation::Ack(_)) => Sent::Stored,
                Ok(Confirmation::Nack(_)) => Sent::Rejected,
                Ok(Confirmation::NotRequested) => Sent::Unknown(Trouble::Silent),
                Err(trouble) => Sent::Unknown(trouble),
            },
        }
    }

    async fn confirmed(&self, lease: &Lease, message: &Message) -> Result<Confirmation, Trouble> {
        let confirm = within(self.queued_in_turn(lease, message)).await?;
        within(confirm).await
    }

    /// The library numbers a message and queues its frames in the first poll, in two steps: two threads between them would
    /// swap numbers, and a caller would take the other's confirm for its own. So the first poll is one caller's at a time.
    async fn queued_in_turn(&self, lease: &Lease, message: &Message) -> lapin::Result<PublisherConfirm> {
        let mut sending: Pin<Box<dyn Future<Output = _> + Send + '_>> = Box::pin(lease.channel.basic_publish(
            message.exchange.as_str().into(),
            message.key.as_str().into(),
            BasicPublishOptions::default(),
            &message.body,
            message.properties.clone(),
        ));
        let first = {
            let _turn = self.turn.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            sending.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        };
        match first {
            Poll::Ready(sent) => sent,
            Poll::Pending => sending.await,
        }
    }

    fn properties(&self, envelope: &Envelope) -> BasicProperties {
        let mut headers = FieldTable::default();
        headers.insert("generation".into(), AMQPValue::LongUInt(self.layout.generation));
        if let Some(parent) = &envelope.traceparent {
            headers.insert("traceparent".into(), AMQPValue::LongString(parent.as_str().into()));
        }
        BasicProperties::default()
            .with_delivery_mode(PERSISTENT)
            .with_content_type("application/json".into())
            .with_message_id(envelope.call.trace_id.as_str().into())
            .with_type(format!("call.v{}", envelope.version).into())
            .with_headers(headers)
    }
}

struct Message {
    exchange: String,
    key: String,
    properties: BasicProperties,
    body: Vec<u8>,
}

enum Sent {
    Stored,
    Rejected,
    Blocked,
    Unknown(Trouble),
}
