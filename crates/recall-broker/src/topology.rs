//! Exchanges and queues as data: what is declared at a broker stands here once, so that every process declares the same.

use recall_core::call::Lane;

use crate::Stray;

/// How long the safety queues keep a message: 14 days, in milliseconds.
const SAFETY_MILLISECONDS: i64 = 14 * 24 * 60 * 60 * 1000;
/// Deliveries of one message before the broker itself sets it aside. High, since a crash charges every message of its window.
const DELIVERY_LIMIT: i64 = 1000;

/// As good as none: what is set aside must stay however often a worker hands it back. (RabbitMQ 4 drops after 20 where none is given.)
const SAFETY_DELIVERY_LIMIT: i64 = 1_000_000_000;

/// Both lanes, in the order they are served.
pub const LANES: [Lane; 2] = [Lane::Live, Lane::Bulk];

/// Names and sizes of an installation's queues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// First word of every name.
    pub prefix: String,
    /// Moved when the number of partitions changes, see [`crate::rabbit::generations`].
    pub generation: u32,
    /// Partitions of a lane; a fleet cannot use more workers.
    pub partitions: u32,
    /// The most bytes one queue may hold before it refuses messages.
    pub max_queue_bytes: u64,
}

impl Default for Layout {
    fn default() -> Self {
        Self { prefix: "recall".into(), generation: 1, partitions: 32, max_queue_bytes: 512 * 1024 * 1024 }
    }
}

impl Layout {
    /// Where calls of a lane are published.
    pub fn exchange(&self, lane: Lane) -> String {
        let lane = match lane {
            Lane::Live => "remember",
            Lane::Bulk => "bulk",
        };
        format!("{}.{lane}.g{}", self.prefix, self.generation)
    }

    /// The queue of a partition of a lane.
    pub fn queue(&self, lane: Lane, partition: u32) -> String {
        format!("{}.p{partition:02}", self.exchange(lane))
    }

    /// The routing key of a partition.
    pub fn routing_key(&self, partition: u32) -> String {
        format!("p{partition:02}")
    }

    /// Exchange the broker sends set-aside messages to.
    pub fn dead_exchange(&self) -> String {
        format!("{}.dlx", self.prefix)
    }

    /// Queue of messages the broker set aside: crash loops.
    pub fn dead_queue(&self) -> String {
        format!("{}.dead", self.prefix)
    }

    /// Exchange and queue of messages that no partition took.
    pub fn unrouted(&self) -> String {
        format!("{}.unrouted", self.prefix)
    }

    /// Queue of messages that were set aside.
    pub fn stray_queue(&self, stray: Stray) -> String {
        match stray {
            Stray::Exhausted => self.dead_queue(),
            Stray::Unrouted => self.unrouted(),
        }
    }

    /// Exchanges of the safety queues.
    pub fn safety_exchanges(&self) -> [Exchange; 2] {
        [self.dead_exchange(), self.unrouted()].map(|name| Exchange { name, kind: Kind::Fanout, arguments: Vec::new() })
    }

    /// Exchanges of the lanes, where calls go in. What no partition takes goes to [`Layout::unrouted`], which must be there before.
    pub fn lane_exchanges(&self) -> [Exchange; 2] {
        LANES.map(|lane| Exchange {
            name: self.exchange(lane),
            kind: Kind::Direct,
            arguments: vec![("alternate-exchange", Argument::Text(self.unrouted()))],
        })
    }

    /// The safety queues, which all generations share.
    pub fn safety_queues(&self) -> [Queue; 2] {
        [(self.dead_queue(), self.dead_exchange()), (self.unrouted(), self.unrouted())].map(|(name, exchange)| Queue {
            name,
            exchange,
            routing_key: String::new(),
            arguments: vec![
                ("x-queue-type", Argument::Text("quorum".into())),
                ("x-message-ttl", Argument::Number(SAFETY_MILLISECONDS)),
                ("x-delivery-limit", Argument::Number(SAFETY_DELIVERY_LIMIT)),
            ],
        })
    }

    /// The partitions of both lanes.
    pub fn lane_queues(&self) -> impl Iterator<Item = Queue> + '_ {
        LANES.into_iter().flat_map(move |lane| (0..self.partitions).map(move |p| self.lane_queue(lane, p)))
    }

    fn lane_queue(&self, lane: Lane, partition: u32) -> Queue {
        let bytes = i64::try_from(self.max_queue_bytes).unwrap_or(i64::MAX);
        Queue {
            name: self.queue(lane, partition),
            exchange: self.exchange(lane),
            routing_key: self.routing_key(partition),
            arguments: vec![
                ("x-queue-type", Argument::Text("quorum".into())),
                ("x-single-active-consumer", Argument::Yes),
                ("x-delivery-limit", Argument::Number(DELIVERY_LIMIT)),
                ("x-overflow", Argument::Text("reject-publish".into())),
                ("x-max-length-bytes", Argument::Number(bytes)),
                ("x-dead-letter-exchange", Argument::Text(self.dead_exchange())),
                ("x-dead-letter-strategy", Argument::Text("at-least-once".into())),
            ],
        }
    }
}

/// How an exchange routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// By routing key.
    Direct,
    /// To every queue bound to it.
    Fanout,
}

/// The value of a declaration's argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
    /// True.
    Yes,
}

/// A durable exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// Its name.
    pub name: String,
    /// How it routes.
    pub kind: Kind,
    /// Its arguments.
    pub arguments: Vec<(&'static str, Argument)>,
}

/// A durable queue and the one exchange it is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queue {
    /// Its name.
    pub name: String,
    /// Where its messages come from.
    pub exchange: String,
    /// With which key.
    pub routing_key: String,
    /// Its arguments.
    pub arguments: Vec<(&'static str, Argument)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queues(layout: &Layout) -> Vec<Queue> {
        layout.safety_queues().into_iter().chain(layout.lane_queues()).collect()
    }

    #[test]
    fn every_queue_hangs_on_an_exchange_that_is_declared() {
        let layout = Layout::default();
        let exchanges = layout.safety_exchanges().into_iter().chain(layout.lane_exchanges());
        let names: Vec<String> = exchanges.map(|exchange| exchange.name).collect();
        for queue in queues(&layout) {
            assert!(names.contains(&queue.exchange), "{} hangs on {}", queue.name, queue.exchange);
        }
    }

    #[test]
    fn names_are_those_the_operators_read_about() {
        let layout = Layout::default();
        assert_eq!(layout.queue(Lane::Live, 0), "recall.remember.g1.p00");
        assert_eq!(layout.queue(Lane::Bulk, 31), "recall.bulk.g1.p31");
        assert_eq!(queues(&layout).len(), 2 * 32 + 2);
    }

    #[test]
    fn a_partition_has_one_reader_and_refuses_rather_than_loses() {
        let queues = queues(&Layout::default());
        let partition = queues.iter().find(|queue| queue.name == "recall.remember.g1.p07").unwrap();
        for wanted in [
            ("x-queue-type", Argument::Text("quorum".into())),
            ("x-single-active-consumer", Argument::Yes),
            ("x-overflow", Argument::Text("reject-publish".into())),
            ("x-delivery-limit", Argument::Number(1000)),
        ] {
            assert!(partition.arguments.contains(&wanted), "{wanted:?}");
        }
    }

    #[test]
    fn a_new_generation_shares_no_partition_with_the_old_one() {
        let old = Layout::default();
        let new = Layout { generation: 2, ..Layout::default() };
        assert_ne!(old.queue(Lane::Live, 3), new.queue(Lane::Live, 3));
        assert_eq!(old.dead_queue(), new.dead_queue());
    }
}
