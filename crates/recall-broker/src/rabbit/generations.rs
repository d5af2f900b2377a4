//! Queues whose number changes while calls flow. Each number of partitions is a generation with queues of its own, and a session keeps its
//! order because nothing of a generation is read before the one before it was read to its end:
//!
//! 1. the store has a later generation, and every sender that lives goes over to it ([`Generations::go_on`], [`Generations::sends_into`]);
//! 2. the entrances of the old one are taken away at the broker ([`Generations::close`]), so that nobody who has not heard of it can send
//!    into it any more; a sender that tries asks the [`Register`] before it opens them again;
//! 3. a mark is put behind the last call of each old queue ([`Generations::mark_ends`]);
//! 4. whoever reads a queue to its mark, with everything before it settled, says so ([`Generations::ended`]);
//! 5. when the store knows of every queue, workers go on to the next, and the old queues are taken away ([`Generations::remove`]).
//!
//! Every step may be done twice, by anybody.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use async_trait::async_trait;
use lapin::message::Delivery as Message;
use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use lapin::uri::AMQPUri;
use lapin::{BasicProperties, Connection, ConnectionProperties};
use recall_core::call::Lane;
use tokio::sync::watch;
use tokio::time::Instant;

use super::arrived::Held;
use super::connection::within;
use super::publisher::PERSISTENT;
use super::{InvalidUrl, Rabbit, Settings, declare};
use crate::topology::Layout;
use crate::{Broker, BrokerError, Delivery, Depth, Envelope, Settle, Share};

/// The type of a message that marks the end of a queue.
const MARK: &str = "recall.end";

/// What a connection does with the queues of a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Sends calls into them.
    Send,
    /// Reads them.
    Read,
}

/// Knows which generations stand: the store.
#[async_trait]
pub trait Register: Send + Sync {
    /// Whether a generation may be used so now.
    ///
    /// # Errors
    /// The register is away.
    async fn stands(&self, using: Use, generation: u32) -> Result<bool, BrokerError>;
}

/// A generation of queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generation {
    /// Counted from 1.
    pub number: u32,
    /// Partitions of a lane.
    pub partitions: u32,
}

/// Which generations are used now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Used {
    /// Calls go into this one.
    pub sent: Generation,
    /// Workers read this one; behind `sent` while the number of partitions changes.
    pub read: Generation,
}

/// A partition that was read to its end: every call in it is settled.
pub struct Ended {
    /// Its generation.
    pub generation: u32,
    /// Its lane.
    pub lane: Lane,
    /// Its number.
    pub partition: u32,
    mark: Held,
}

impl Ended {
    pub(super) fn new(generation: u32, (lane, partition): (Lane, u32), mark: Held) -> Self {
        Self { generation, lane, partition, mark }
    }

    /// Takes the mark off once the end is written down; dropped instead, the mark comes again.
    pub async fn acknowledge(self) {
        // A mark that comes again says the same again.
        let _ = Box::new(self.mark).ack().await;
    }
}

/// Whether a message marks the end of its queue.
pub(super) fn is_mark(message: &Message) -> bool {
    message.properties.kind().as_ref().is_some_and(|kind| kind.as_str() == MARK)
}

/// The queues of an installation, whichever generation they are of.
pub struct Generations {
    uri: AMQPUri,
    settings: Settings,
    register: Arc<dyn Register>,
    sending: watch::Sender<Arc<Rabbit>>,
    reading: watch::Sender<Arc<Rabbit>>,
    /// Senders of generations before, while calls are under way in them.
    left: Mutex<HashMap<u32, Weak<Rabbit>>>,
    stopped: watch::Sender<bool>,
}

impl Generations {
    /// Uses these generations; connects when something is asked of them. The generation of the layout in `settings` does not matter.
    ///
    /// # Errors
    /// [`InvalidUrl`].
    pub fn new(url: &str, settings: Settings, used: Used, register: Arc<dyn Register>) -> Result<Self, InvalidUrl> {
        let uri: AMQPUri = url.parse().map_err(|_| InvalidUrl)?;
        let of = |generation| Arc::new(Rabbit::of(&uri, with(&settings, generation), Arc::clone(&register)));
        let (sending, reading) = (watch::Sender::new(of(used.sent)), watch::Sender::new(of(used.read)));
        let (left, stopped) = (Mutex::default(), watch::Sender::new(false));
        Ok(Self { uri, settings, register, sending, reading, left, stopped })
    }

    /// Goes over to other generations, where they are others.
    pub fn go_on(&self, used: Used) {
        let other = |rabbit: &Arc<Rabbit>, generation: Generation| rabbit.generation() < generation.number;
        let of =
            |generation| Arc::new(Rabbit::of(&self.uri, with(&self.settings, generation), Arc::clone(&self.register)));
        self.sending.send_if_modified(|rabbit| {
            let moves = other(rabbit, used.sent);
            if moves {
                let before = std::mem::replace(rabbit, of(used.sent));
                self.senders().insert(before.generation(), Arc::downgrade(&before));
            }
            moves
        });
        self.reading.send_if_modified(|rabbit| {
            let moves = other(rabbit, used.read);
            if moves {
                *rabbit = of(used.read);
            }
            moves
        });
    }

    /// The oldest generation this process may still send a call into.
    pub fn sends_into(&self) -> u32 {
        let mut left = self.senders();
        left.retain(|_, rabbit| rabbit.strong_count() > 0);
        left.keys().copied().min().unwrap_or_else(|| self.sending.borrow().generation())
    }

    /// The generation this process reads.
    pub fn reads(&self) -> u32 {
        self.reading.borrow().generation()
    }

    /// Partitions of the generation this process reads.
    pub fn partitions(&self) -> u32 {
        self.reading.borrow().layout().partitions
    }

    /// Partitions that were read to their end since this was asked last.
    pub fn ended(&self) -> Vec<Ended> {
        self.reading.borrow().ended()
    }

    /// Takes the entrances of a generation away: no call goes into it any more.
    ///
    /// # Errors
    /// The broker is away.
    pub async fn close(&self, generation: Generation) -> Result<(), BrokerError> {
        let connection = self.connect().await?;
        let channel = within(connection.create_channel()).await?;
        declare::close_entrances(&channel, &with(&self.settings, generation).layout).await?;
        bye(connection).await
    }

    /// Puts a mark behind the last call of each queue of a generation that is closed.
    ///
    /// # Errors
    /// The broker is away, or a queue is full for now.
    pub async fn mark_ends(&self, generation: Generation) -> Result<(), BrokerError> {
        let connection = self.connect().await?;
        let channel = within(connection.create_channel()).await?;
        within(channel.confirm_select(ConfirmSelectOptions::default())).await?;
        let properties = BasicProperties::default().with_delivery_mode(PERSISTENT).with_type(MARK.into());
        for queue in with(&self.settings, generation).layout.lane_queues() {
            // Past the exchanges, which are gone.
            let (name, options) = (queue.name.as_str().into(), BasicPublishOptions::default());
            let confirm = within(channel.basic_publish("".into(), name, options, b"", properties.clone())).await?;
            if !within(confirm).await?.is_ack() {
                return Err(BrokerError::Full);
            }
        }
        bye(connection).await
    }

    /// Takes the queues of a generation away that was read to its end, with marks that came back after it was noted; `false` where one
    /// holds anything else all the same, which is kept.
    ///
    /// # Errors
    /// The broker is away.
    pub async fn remove(&self, generation: Generation) -> Result<bool, BrokerError> {
        let connection = self.connect().await?;
        let gone = declare::remove_lanes(&connection, &with(&self.settings, generation).layout).await?;
        bye(connection).await?;
        Ok(gone)
    }

    async fn connect(&self) -> Result<Connection, BrokerError> {
        let properties = ConnectionProperties::default().with_connection_name("recall generations".into());
        Ok(within(Connection::connect_uri(self.uri.clone(), properties)).await?)
    }

    fn senders(&self) -> std::sync::MutexGuard<'_, HashMap<u32, Weak<Rabbit>>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn bye(connection: Connection) -> Result<(), BrokerError> {
    Ok(within(connection.close(200, "OK".into())).await?)
}

fn with(settings: &Settings, generation: Generation) -> Settings {
    let layout = Layout { generation: generation.number, partitions: generation.partitions, ..settings.layout.clone() };
    Settings { layout, ..settings.clone() }
}

#[async_trait]
impl Broker for Generations {
    async fn publish(&self, envelope: &Envelope) -> Result<(), BrokerError> {
        let mut sending = self.sending.subscribe();
        let deadline = Instant::now() + self.settings.publish_limit;
        loop {
            let rabbit = sending.borrow_and_update().clone();
            match rabbit.publish(envelope).await {
                Err(BrokerError::Moved) => {}
                sent => return sent,
            }
            // What keeps it would look like a call under way.
            drop(rabbit);
            if !matches!(tokio::time::timeout_at(deadline, sending.changed()).await, Ok(Ok(()))) {
                return Err(BrokerError::Moved);
            }
        }
    }

    async fn receive(&self) -> Result<Delivery, BrokerError> {
        let (mut stopped, mut reading) = (self.stopped.subscribe(), self.reading.subscribe());
        loop {
            let rabbit = reading.borrow_and_update().clone();
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => return Err(BrokerError::Stopped),
                Ok(()) = reading.changed() => {}
                received = rabbit.receive() => return received,
            }
        }
    }

    async fn depth(&self) -> Result<Depth, BrokerError> {
        let (sending, reading) = (self.sending.borrow().clone(), self.reading.borrow().clone());
        match sending.generation() == reading.generation() {
            true => sending.depth().await,
            false => sending.depth_with(reading.layout()).await,
        }
    }

    async fn ready(&self) -> Result<(), BrokerError> {
        let rabbit = self.sending.borrow().clone();
        rabbit.ready().await
    }

    async fn set_partitions(&self, share: &Share) {
        let rabbit = self.reading.borrow().clone();
        rabbit.set_partitions(share).await;
    }

    async fn stop(&self) {
        self.stopped.send_replace(true);
        let rabbit = self.reading.borrow().clone();
        rabbit.stop().await;
    }
}
