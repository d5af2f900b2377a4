//! The broker without the product: emptied queues, the bare confirm loop, the bare consumer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use lapin::message::Delivery;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, BasicQosOptions, ConfirmSelectOptions, QueuePurgeOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// The partitions of the product's default settings.
pub(crate) const PARTITIONS: u32 = 32;
/// Messages of a partition that a consumer holds, as the product does.
const PREFETCH: u16 = 16;

fn queue(partition: u32) -> String {
    format!("bench.remember.g1.p{partition:02}")
}

/// The broker.
pub(crate) struct Broker {
    url: String,
}

/// A message as the product writes it.
pub(crate) struct Message {
    pub(crate) body: Vec<u8>,
    properties: BasicProperties,
}

impl Broker {
    pub(crate) async fn connect(url: &str) -> Self {
        let broker = Self { url: url.to_owned() };
        broker.connection().await;
        broker
    }

    async fn connection(&self) -> Connection {
        Connection::connect(&self.url, ConnectionProperties::default()).await.unwrap()
    }

    /// Empties every partition. One that is not there yet is empty.
    pub(crate) async fn purge(&self) {
        let connection = self.connection().await;
        for partition in 0..PARTITIONS {
            let channel = connection.create_channel().await.unwrap();
            let _none_there = channel.queue_purge(queue(partition).into(), QueuePurgeOptions::default()).await;
        }
    }

    /// A message that waits; it stays where it is. It is consumed and not acknowledged, since a queue with a single active consumer
    /// answers no other question.
    pub(crate) async fn sample(&self) -> Message {
        let mut consuming = self.consume().await;
        let taken = consuming.messages.recv().await.unwrap();
        consuming.connection.close(200, "seen".into()).await.unwrap();
        Message { body: taken.data, properties: taken.properties }
    }

    /// Publishes the message again and again, so many at once, to all partitions in turn, each after the confirm of the one before;
    /// how long each took.
    pub(crate) async fn confirm_loop(&self, message: &Arc<Message>, clients: usize, time: Duration) -> Vec<Duration> {
        let connection = self.connection().await;
        let channel = connection.create_channel().await.unwrap();
        channel.confirm_select(ConfirmSelectOptions::default()).await.unwrap();
        let mut tasks = JoinSet::new();
        let end = Instant::now() + time;
        for client in 0..clients {
            let (channel, message) = (channel.clone(), Arc::clone(message));
            tasks.spawn(async move {
                let key = format!("p{:02}", client as u32 % PARTITIONS);
                let mut took = Vec::new();
                while Instant::now() < end {
                    let began = Instant::now();
                    publish(&channel, &key, &message).await;
                    took.push(began.elapsed());
                }
                took
            });
        }
        tasks.join_all().await.into_iter().flatten().collect()
    }

    /// Hands out the messages of all partitions, one channel each.
    pub(crate) async fn consume(&self) -> Consuming {
        let connection = self.connection().await;
        let (out, messages) = mpsc::unbounded_channel();
        let mut tasks = JoinSet::new();
        for partition in 0..PARTITIONS {
            let channel = connection.create_channel().await.unwrap();
            channel.basic_qos(PREFETCH, BasicQosOptions::default()).await.unwrap();
            let options = BasicConsumeOptions::default();
            let mut stream = channel
                .basic_consume(queue(partition).into(), "".into(), options, FieldTable::default())
                .await
                .unwrap();
            let out = out.clone();
            tasks.spawn(async move {
                let _kept_open = channel;
                while let Some(Ok(message)) = stream.next().await {
                    if out.send(message).is_err() {
                        return;
                    }
                }
            });
        }
        Consuming { messages, _tasks: tasks, connection }
    }
}

/// Messages as they come.
pub(crate) struct Consuming {
    pub(crate) messages: mpsc::UnboundedReceiver<Delivery>,
    _tasks: JoinSet<()>,
    connection: Connection,
}

pub(crate) async fn acknowledge(message: &Delivery) {
    assert!(message.acker.ack(BasicAckOptions::default()).await.unwrap(), "an acknowledgement was lost");
}

async fn publish(channel: &Channel, key: &str, message: &Message) {
    let exchange = "bench.remember.g1";
    let options = BasicPublishOptions::default();
    let properties = message.properties.clone();
    let sent = channel.basic_publish(exchange.into(), key.into(), options, &message.body, properties).await.unwrap();
    assert!(sent.await.unwrap().is_ack(), "a message was refused");
}
