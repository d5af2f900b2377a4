//! Declares a layout at a broker, and reads how long its queues are.

use lapin::options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, ExchangeKind};
use recall_core::call::Lane;

use super::connection::{Trouble, within};
use crate::Depth;
use crate::topology::{Argument, Kind, Layout};

/// Declares everything of the layout; what is there already must be declared alike.
pub(super) async fn declare(channel: &Channel, layout: &Layout) -> Result<(), Trouble> {
    for exchange in layout.exchanges() {
        let kind = match exchange.kind {
            Kind::Direct => ExchangeKind::Direct,
            Kind::Fanout => ExchangeKind::Fanout,
        };
        let durable = ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() };
        within(channel.exchange_declare(exchange.name.into(), kind, durable, table(exchange.arguments))).await?;
    }
    for queue in layout.queues() {
        let durable = QueueDeclareOptions::durable();
        within(channel.queue_declare(queue.name.as_str().into(), durable, table(queue.arguments))).await?;
        within(channel.queue_bind(
            queue.name.into(),
            queue.exchange.into(),
            queue.routing_key.into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        ))
        .await?;
    }
    Ok(())
}

/// Messages waiting in the lanes and in the safety queues.
pub(super) async fn depth(channel: &Channel, layout: &Layout) -> Result<Depth, Trouble> {
    let mut depth = Depth::default();
    for partition in 0..layout.partitions {
        depth.live += waiting(channel, layout.queue(Lane::Live, partition)).await?;
        depth.bulk += waiting(channel, layout.queue(Lane::Bulk, partition)).await?;
    }
    depth.exhausted = waiting(channel, layout.dead_queue()).await?;
    depth.unrouted = waiting(channel, layout.unrouted()).await?;
    Ok(depth)
}

async fn waiting(channel: &Channel, queue: String) -> Result<u64, Trouble> {
    let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
    let queue = within(channel.queue_declare(queue.into(), passive, FieldTable::default())).await?;
    Ok(u64::from(queue.message_count()))
}

fn table(arguments: Vec<(&'static str, Argument)>) -> FieldTable {
    let mut table = FieldTable::default();
    for (name, argument) in arguments {
        let value = match argument {
            Argument::Text(text) => AMQPValue::LongString(text.into()),
            Argument::Number(number) => AMQPValue::LongLongInt(number),
            Argument::Yes => AMQPValue::Boolean(true),
        };
        table.insert(name.into(), value);
    }
    table
}
