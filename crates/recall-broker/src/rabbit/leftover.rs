//! What a partition holds that was read to its end: at most marks whose acknowledgement was lost, as when the worker that noted the end died
//! before the broker heard of it, or the connection was cut. Nobody reads such a queue any more, so they are taken off here.

use std::time::Duration;

use futures::StreamExt;
use lapin::options::{BasicAckOptions, BasicConsumeOptions, BasicQosOptions};
use lapin::types::FieldTable;
use lapin::{Channel, Connection};

use super::connection::{Trouble, within};
use super::generations::is_mark;

/// For a message the broker counted to arrive; without it somebody else reads the queue, and it is looked at again another time.
const ARRIVES: Duration = Duration::from_secs(3);

/// Takes marks off the head of a queue until `count` messages are gone; `false` where something else comes first or nothing comes, which is
/// left as it was.
pub(super) async fn take_marks(connection: &Connection, queue: &str, count: u32) -> Result<bool, Trouble> {
    // Closing the channel gives back what was not taken off.
    let channel = within(connection.create_channel()).await?;
    let taken = take(&channel, queue, count).await?;
    within(channel.close(200, "OK".into())).await?;
    Ok(taken)
}

async fn take(channel: &Channel, queue: &str, count: u32) -> Result<bool, Trouble> {
    // One at a time: a call behind a mark is not touched, so that it does not count as tried.
    within(channel.basic_qos(1, BasicQosOptions::default())).await?;
    let asked = channel.basic_consume(queue.into(), "".into(), BasicConsumeOptions::default(), FieldTable::default());
    let mut consumer = within(asked).await?;
    for _ in 0..count {
        let Ok(Some(message)) = tokio::time::timeout(ARRIVES, consumer.next()).await else { return Ok(false) };
        let message = message.map_err(Trouble::Failed)?;
        if !is_mark(&message) {
            return Ok(false);
        }
        within(message.ack(BasicAckOptions::default())).await?;
    }
    Ok(true)
}
