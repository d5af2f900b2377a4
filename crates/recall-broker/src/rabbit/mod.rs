//! RabbitMQ: quorum queues, one per partition, each read by one worker at a time.
//!
//! The client library logs whole messages where it gives one back (`lapin::returned_messages`, and anything at debug level);
//! a subscriber must keep [`QUIET`] off.

mod arrived;
mod backoff;
mod connection;
mod consumer;
mod declare;
mod hold;
mod publisher;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use lapin::uri::AMQPUri;
use tokio::sync::watch;

use crate::topology::Layout;
use crate::{Broker, BrokerError, Delivery, Depth, Envelope};
use connection::Link;
use consumer::{Consumer, Manners};
use publisher::Publisher;

/// Log targets that print what people said. A log filter must end with them.
pub const QUIET: &[&str] = &["lapin::returned_messages=off", "lapin=warn"];

/// How the queue is used.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Names and sizes of the queues.
    pub layout: Layout,
    /// Messages of one partition held in memory at a time, 1 or more.
    pub prefetch: u16,
    /// How long a call may take to be confirmed, reconnects included.
    pub publish_limit: Duration,
    /// How long a partition that is given up waits for its calls in flight.
    pub drain_limit: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            layout: Layout::default(),
            prefetch: 16,
            publish_limit: Duration::from_secs(15),
            drain_limit: Duration::from_secs(60),
        }
    }
}

/// An address that is none. It never repeats the address, which holds a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("broker address must look like amqp://user:password@host:5672/vhost (or amqps://)")]
pub struct InvalidUrl;

/// RabbitMQ as the queue. Sends over one connection; receives over a second one, made when the first partition is owned.
pub struct Rabbit {
    uri: AMQPUri,
    settings: Settings,
    publisher: Publisher,
    consumer: OnceLock<Consumer>,
    stopped: watch::Sender<bool>,
    owns: watch::Sender<bool>,
}

impl Rabbit {
    /// Starts connecting and returns at once; [`Broker::ready`] tells when it is done. Must be called within a runtime.
    ///
    /// # Errors
    /// [`InvalidUrl`].
    pub fn start(url: &str, settings: Settings) -> Result<Self, InvalidUrl> {
        let uri: AMQPUri = url.parse().map_err(|_| InvalidUrl)?;
        let link = Link::start(uri.clone(), settings.layout.clone(), "recall publisher");
        let publisher = Publisher::new(link, settings.layout.clone(), settings.publish_limit);
        let (stopped, owns) = (watch::Sender::new(false), watch::Sender::new(false));
        Ok(Self { uri, settings, publisher, consumer: OnceLock::new(), stopped, owns })
    }

    fn begin_consuming(&self) -> Consumer {
        let Settings { layout, prefetch, drain_limit, .. } = self.settings.clone();
        let link = Link::start(self.uri.clone(), layout.clone(), "recall worker");
        Consumer::start(link, &Manners { layout, prefetch: prefetch.max(1), drain: drain_limit })
    }
}

#[async_trait]
impl Broker for Rabbit {
    async fn publish(&self, envelope: &Envelope) -> Result<(), BrokerError> {
        self.publisher.publish(envelope).await
    }

    async fn receive(&self) -> Result<Delivery, BrokerError> {
        let mut stopped = self.stopped.subscribe();
        let mut owns = self.owns.subscribe();
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => return Err(BrokerError::Stopped),
            _ = owns.wait_for(|owns| *owns) => {}
        }
        match self.consumer.get() {
            Some(consumer) => consumer.receive().await,
            None => Err(BrokerError::Unavailable(None)),
        }
    }

    async fn depth(&self) -> Result<Depth, BrokerError> {
        let lease = self.publisher.link().now()?;
        // A channel of its own: a queue that is missing closes the channel it was asked on.
        let channel = connection::within(lease.connection.create_channel()).await?;
        let depth = declare::depth(&channel, &self.settings.layout).await?;
        connection::within(channel.close(200, "OK".into())).await?;
        Ok(depth)
    }

    async fn ready(&self) -> Result<(), BrokerError> {
        self.publisher.link().now().map(|_| ())
    }

    async fn set_partitions(&self, partitions: &[u32]) {
        if *self.stopped.borrow() || (partitions.is_empty() && self.consumer.get().is_none()) {
            return;
        }
        self.consumer.get_or_init(|| self.begin_consuming()).set_partitions(partitions);
        self.owns.send_replace(true);
    }

    async fn stop(&self) {
        self.stopped.send_replace(true);
        if let Some(consumer) = self.consumer.get() {
            consumer.stop();
        }
    }
}
