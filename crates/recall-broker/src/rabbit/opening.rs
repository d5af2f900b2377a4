//! What a new connection declares before it is used: a generation of queues that is over is not made again.

use lapin::{Channel, Connection};

use super::connection::Errand;
use super::declare;
use crate::BrokerError;
use crate::topology::Layout;

/// An entrance that is missing is made only for a generation that stands: a later one begins with taking it away, and a sender that
/// has not heard of it yet must not open it again. Asked before, and after in case it was taken away in between.
pub(super) async fn to_send(
    errand: &Errand,
    layout: &Layout,
    (connection, channel): (&Connection, &Channel),
) -> Result<(), BrokerError> {
    if declare::has_entrances(connection, layout).await? {
        declare::safety(channel, layout).await?;
        declare::lanes(channel, layout).await?;
        return Ok(declare::bound(channel, layout).await?);
    }
    errand.must_stand(layout).await?;
    declare::safety(channel, layout).await?;
    declare::lanes(channel, layout).await?;
    declare::entrances(channel, layout).await?;
    let stands = errand.must_stand(layout).await;
    if stands.is_err() {
        declare::close_entrances(channel, layout).await?;
        return stands;
    }
    Ok(declare::bound(channel, layout).await?)
}

/// Partitions that are missing are made only for a generation that stands: those of one that is over were taken away.
pub(super) async fn to_read(
    errand: &Errand,
    layout: &Layout,
    (connection, channel): (&Connection, &Channel),
) -> Result<(), BrokerError> {
    if !declare::has_lanes(connection, layout).await? {
        errand.must_stand(layout).await?;
    }
    declare::safety(channel, layout).await?;
    Ok(declare::lanes(channel, layout).await?)
}

impl Errand {
    async fn must_stand(&self, layout: &Layout) -> Result<(), BrokerError> {
        if self.register.stands(self.using, layout.generation).await? { Ok(()) } else { Err(BrokerError::Moved) }
    }
}
