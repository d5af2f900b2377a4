//! RabbitMQ: quorum queues, one per partition, each read by one worker at a time.
//!
//! The client library logs whole messages where it gives one back (`lapin::returned_messages`, and anything at debug level);
//! a subscriber must keep [`QUIET`] off.

mod arrived;
mod backoff;
mod connection;
mod consumer;
mod declare;
pub mod generations;
mod hold;
mod leftover;
mod opening;
mod publisher;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use lapin::uri::AMQPUri;
use tokio::sync::watch;

use crate::topology::Layout;
use crate::{Broker, BrokerError, Delivery, Depth, Envelope, Share};
use connection::{Errand, Link};
use consumer::{Consumer, Manners};
use generations::{Ended, Register, Use};
use publisher::Publisher;

/// Log targets that print what people said. A log filter must end with them.
///
/// A channel that the broker closes is told by whoever used it; asking whether something is there closes one, too.
pub const QUIET: &[&str] = &["lapin::returned_messages=off", "lapin::channel=off", "lapin=error"];

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

/// One generation of queues. Sends over one connection, made when the first call is sent; receives over a second one, made when the
/// first partition is owned.
pub struct Rabbit {
    uri: AMQPUri,
    settings: Settings,
    register: Arc<dyn Register>,
    publisher: OnceLock<Publisher>,
    consumer: OnceLock<Consumer>,
    stopped: watch::Sender<bool>,
    owns: watch::Sender<bool>,
}

impl Rabbit {
    fn of(uri: &AMQPUri, settings: Settings, register: Arc<dyn Register>) -> Self {
        let (stopped, owns) = (watch::Sender::new(false), watch::Sender::new(false));
        let (publisher, consumer) = (OnceLock::new(), OnceLock::new());
        Self { uri: uri.clone(), settings, register, publisher, consumer, stopped, owns }
    }

    fn generation(&self) -> u32 {
        self.settings.layout.generation
    }

    fn layout(&self) -> &Layout {
        &self.settings.layout
    }

    fn publisher(&self) -> &Publisher {
        self.publisher.get_or_init(|| {
            let layout = self.settings.layout.clone();
            let link = self.link("recall publisher", Use::Send);
            Publisher::new(link, layout, self.settings.publish_limit)
        })
    }

    fn link(&self, name: &'static str, using: Use) -> Link {
        let errand = Errand { name, using, register: Arc::clone(&self.register) };
        Link::start(self.uri.clone(), self.settings.layout.clone(), errand)
    }

    fn begin_consuming(&self) -> Consumer {
        let Settings { layout, prefetch, drain_limit, .. } = self.settings.clone();
        let link = self.link("recall worker", Use::Read);
        Consumer::start(link, &Manners { layout, prefetch: prefetch.max(1), drain: drain_limit })
    }

    fn ended(&self) -> Vec<Ended> {
        self.consumer.get().map(Consumer::ended).unwrap_or_default()
    }

    /// What waits in these queues and in those of another generation.
    async fn depth_with(&self, other: &Layout) -> Result<Depth, BrokerError> {
        self.depth_of(&[self.layout(), other]).await
    }

    async fn depth_of(&self, layouts: &[&Layout]) -> Result<Depth, BrokerError> {
        let lease = self.publisher().link().now()?;
        // A channel of its own: a queue that is missing closes the channel it was asked on.
        let channel = connection::within(lease.connection.create_channel()).await?;
        let depth = declare::depth(&channel, layouts).await?;
        connection::within(channel.close(200, "OK".into())).await?;
        Ok(depth)
    }
}

#[async_trait]
impl Broker for Rabbit {
    async fn publish(&self, envelope: &Envelope) -> Result<(), BrokerError> {
        self.publisher().publish(envelope).await
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
        self.depth_of(&[self.layout()]).await
    }

    async fn ready(&self) -> Result<(), BrokerError> {
        self.publisher().link().now().map(|_| ())
    }

    async fn set_partitions(&self, share: &Share) {
        let partitions = share.partitions.as_slice();
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
