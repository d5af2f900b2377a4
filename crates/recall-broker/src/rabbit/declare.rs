//! Declares a layout at a broker, takes an old one away, and reads how long its queues are.

use lapin::options::{
    ExchangeDeclareOptions, ExchangeDeleteOptions, QueueBindOptions, QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::protocol::{AMQPErrorKind, AMQPSoftError};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, Connection, ErrorKind, ExchangeKind};
use recall_core::call::Lane;

use super::connection::{Trouble, within};
use super::leftover::take_marks;
use crate::topology::{Argument, Exchange, Kind, Layout, Queue};
use crate::{Depth, Stray};

/// Declares the safety queues; what is there already must be declared alike.
pub(super) async fn safety(channel: &Channel, layout: &Layout) -> Result<(), Trouble> {
    for each in layout.safety_exchanges() {
        exchange(channel, each).await?;
    }
    for each in layout.safety_queues() {
        bind(channel, queue(channel, each).await?).await?;
    }
    Ok(())
}

/// Declares the partitions. Nothing goes into them before they are bound.
pub(super) async fn lanes(channel: &Channel, layout: &Layout) -> Result<(), Trouble> {
    for each in layout.lane_queues() {
        queue(channel, each).await?;
    }
    Ok(())
}

/// Declares the exchanges where calls go in: from now on they are taken.
pub(super) async fn entrances(channel: &Channel, layout: &Layout) -> Result<(), Trouble> {
    for each in layout.lane_exchanges() {
        exchange(channel, each).await?;
    }
    Ok(())
}

/// Binds the partitions to the exchanges where calls go in, which must be there.
pub(super) async fn bound(channel: &Channel, layout: &Layout) -> Result<(), Trouble> {
    for each in layout.lane_queues() {
        bind(channel, each).await?;
    }
    Ok(())
}

/// Takes the exchanges away where calls go in: from now on the broker refuses every call. What is not there is as good as taken away.
pub(super) async fn close_entrances(channel: &Channel, layout: &Layout) -> Result<(), Trouble> {
    for each in layout.lane_exchanges() {
        within(channel.exchange_delete(each.name.into(), ExchangeDeleteOptions::default())).await?;
    }
    Ok(())
}

/// Whether calls can go in.
pub(super) async fn has_entrances(connection: &Connection, layout: &Layout) -> Result<bool, Trouble> {
    for each in layout.lane_exchanges() {
        // A channel of its own: asking for what is not there closes it.
        let channel = within(connection.create_channel()).await?;
        let passive = ExchangeDeclareOptions { passive: true, ..ExchangeDeclareOptions::default() };
        let asked = channel.exchange_declare(each.name.into(), ExchangeKind::Direct, passive, FieldTable::default());
        if !found(within(asked).await)? {
            return Ok(false);
        }
        within(channel.close(200, "OK".into())).await?;
    }
    Ok(true)
}

/// Whether the last of the partitions is there.
pub(super) async fn has_lanes(connection: &Connection, layout: &Layout) -> Result<bool, Trouble> {
    let channel = within(connection.create_channel()).await?;
    let last = layout.queue(Lane::Bulk, layout.partitions.saturating_sub(1));
    let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
    let there = found(within(channel.queue_declare(last.into(), passive, FieldTable::default())).await)?;
    if there {
        within(channel.close(200, "OK".into())).await?;
    }
    Ok(there)
}

/// Takes the partitions away that hold nothing any more but marks of their end; `true` where all are gone.
pub(super) async fn remove_lanes(connection: &Connection, layout: &Layout) -> Result<bool, Trouble> {
    let mut all = true;
    for each in layout.lane_queues() {
        all &= remove(connection, &each.name).await?;
    }
    Ok(all)
}

async fn remove(connection: &Connection, queue: &str) -> Result<bool, Trouble> {
    let channel = within(connection.create_channel()).await?;
    let left = match waiting(&channel, queue.to_owned()).await {
        Ok(left) => left,
        Err(trouble) if is_missing(&trouble) => return Ok(true),
        Err(trouble) => return Err(trouble),
    };
    // A quorum queue knows no "delete if empty".
    let empty = left == 0 || take_marks(connection, queue, left).await?;
    if empty {
        within(channel.queue_delete(queue.into(), QueueDeleteOptions::default())).await?;
    } else {
        tracing::warn!(queue, "holds messages behind its end and is kept");
    }
    within(channel.close(200, "OK".into())).await?;
    Ok(empty)
}

/// Messages waiting in the partitions of these generations and in the safety queues.
pub(super) async fn depth(channel: &Channel, layouts: &[&Layout]) -> Result<Depth, Trouble> {
    let mut depth = Depth::default();
    for layout in layouts {
        for partition in 0..layout.partitions {
            depth.live += u64::from(waiting(channel, layout.queue(Lane::Live, partition)).await?);
            depth.bulk += u64::from(waiting(channel, layout.queue(Lane::Bulk, partition)).await?);
        }
    }
    if let Some(layout) = layouts.first() {
        depth.exhausted = u64::from(waiting(channel, layout.stray_queue(Stray::Exhausted)).await?);
        depth.unrouted = u64::from(waiting(channel, layout.stray_queue(Stray::Unrouted)).await?);
    }
    Ok(depth)
}

async fn waiting(channel: &Channel, queue: String) -> Result<u32, Trouble> {
    let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
    let queue = within(channel.queue_declare(queue.into(), passive, FieldTable::default())).await?;
    Ok(queue.message_count())
}

async fn exchange(channel: &Channel, exchange: Exchange) -> Result<(), Trouble> {
    let kind = match exchange.kind {
        Kind::Direct => ExchangeKind::Direct,
        Kind::Fanout => ExchangeKind::Fanout,
    };
    let durable = ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() };
    within(channel.exchange_declare(exchange.name.into(), kind, durable, table(exchange.arguments))).await
}

async fn queue(channel: &Channel, queue: Queue) -> Result<Queue, Trouble> {
    let (name, arguments) = (queue.name.as_str().into(), table(queue.arguments.clone()));
    within(channel.queue_declare(name, QueueDeclareOptions::durable(), arguments)).await?;
    Ok(queue)
}

async fn bind(channel: &Channel, queue: Queue) -> Result<(), Trouble> {
    within(channel.queue_bind(
        queue.name.into(),
        queue.exchange.into(),
        queue.routing_key.into(),
        QueueBindOptions::default(),
        FieldTable::default(),
    ))
    .await
}

fn found<T>(asked: Result<T, Trouble>) -> Result<bool, Trouble> {
    match asked {
        Ok(_) => Ok(true),
        Err(trouble) if is_missing(&trouble) => Ok(false),
        Err(trouble) => Err(trouble),
    }
}

fn is_missing(trouble: &Trouble) -> bool {
    if let Trouble::Failed(error) = trouble
        && let ErrorKind::ProtocolError(told) = error.kind()
    {
        return matches!(told.kind(), AMQPErrorKind::Soft(AMQPSoftError::NOTFOUND));
    }
    false
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
