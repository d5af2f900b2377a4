//! The table of generations as the register of the queues.

use std::sync::Arc;

use async_trait::async_trait;
use recall_broker::BrokerError;
use recall_broker::rabbit::generations::{Generation as Queues, Register, Use, Used};
use recall_store::record::{Generation, Stage};
use recall_store::{SqlStore, StoreError};

/// The table of generations.
pub(super) struct Generations {
    /// The store.
    pub(super) store: Arc<SqlStore>,
}

#[async_trait]
impl Register for Generations {
    async fn stands(&self, using: Use, generation: u32) -> Result<bool, BrokerError> {
        let all = self.store.generations().await.map_err(|error| BrokerError::Unavailable(Some(Box::new(error))))?;
        let newest = all.iter().map(|one| one.number).max();
        Ok(match using {
            Use::Send => newest == Some(generation),
            Use::Read => all.iter().any(|one| one.number == generation && one.stage < Stage::Read),
        })
    }
}

/// Which generations are used now: calls go into the newest, and the oldest that was not read to its end is read.
///
/// # Errors
/// There is none: the installation never started.
pub(crate) fn used(generations: &[Generation]) -> Result<Used, StoreError> {
    let queues = |one: &Generation| Queues { number: one.number, partitions: one.partitions };
    let read = generations.iter().find(|one| one.stage < Stage::Read);
    match (generations.last(), read) {
        (Some(sent), Some(read)) => Ok(Used { sent: queues(sent), read: queues(read) }),
        (_, _) => Err(StoreError::Missing("generation of queues; the installation never started")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generation(number: u32, stage: Stage) -> Generation {
        Generation { number, partitions: number * 4, stage, stage_seconds: 0, read: 0 }
    }

    #[test]
    fn the_next_generation_is_read_once_the_one_before_was() {
        for (stage, read) in [(Stage::Open, 1), (Stage::Closed, 1), (Stage::Marked, 1), (Stage::Read, 2)] {
            let used = used(&[generation(1, stage), generation(2, Stage::Open)]).unwrap();
            assert_eq!((used.sent.number, used.read.number, used.read.partitions), (2, read, read * 4), "{stage:?}");
        }
        assert!(used(&[]).is_err());
    }
}
