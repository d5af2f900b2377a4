//! RabbitMQ against a real server: `AMQP_URL`, else the usual address. A server that is away fails these tests.

mod generations;
mod relay;
mod wire;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use lapin::options::{BasicPublishOptions, ExchangeDeleteOptions, QueueDeleteOptions};
use lapin::{BasicProperties, Connection, ConnectionProperties};
use recall_core::call::Lane;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::*;
use crate::conformance::{envelope, expect, next, nothing_comes, share};
use crate::{Envelope, Stray, partition};

const PARTITIONS: u32 = 4;
/// Partitions of the second generation.
const SECOND: u32 = 6;
const SOON: Duration = Duration::from_secs(20);

fn url() -> String {
    std::env::var("AMQP_URL").unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672/%2f".into())
}

/// Says of every generation up to its own that it stands.
struct Standing(u32);

#[async_trait]
impl Register for Standing {
    async fn stands(&self, using: Use, generation: u32) -> Result<bool, BrokerError> {
        Ok(match using {
            Use::Send => generation == self.0,
            Use::Read => generation <= self.0,
        })
    }
}

fn start(url: &str, settings: Settings) -> Result<Rabbit, InvalidUrl> {
    Ok(Rabbit::of(&url.parse().map_err(|_| InvalidUrl)?, settings, Arc::new(Standing(1))))
}

/// Queues of a test's own on the real server; they go when the test is over, however it ends.
struct Installation {
    settings: Settings,
}

impl Installation {
    fn new() -> Self {
        let prefix = format!("test-{:016x}", rand::random::<u64>());
        let layout = Layout { prefix, partitions: PARTITIONS, max_queue_bytes: 1024 * 1024, ..Layout::default() };
        let limits = Settings { drain_limit: Duration::from_secs(5), ..Settings::default() };
        Self { settings: Settings { layout, ..limits } }
    }

    async fn open(&self, url: &str) -> Rabbit {
        let rabbit = start(url, self.settings.clone()).unwrap();
        let up = rabbit.publisher().link().lease(tokio::time::Instant::now() + SOON).await;
        assert!(up.is_ok(), "RabbitMQ must answer for these tests (AMQP_URL): {:?}", up.err());
        rabbit
    }

    async fn owning(&self, url: &str, partitions: &[u32]) -> Rabbit {
        let rabbit = self.open(url).await;
        rabbit.set_partitions(&share(partitions)).await;
        rabbit
    }

    async fn delete(&self) {
        let connection = Connection::connect(&url(), ConnectionProperties::default()).await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        let first = &self.settings.layout;
        // Those a test may have moved to as well; what is not there is as good as gone.
        let second = Layout { generation: 2, partitions: SECOND, ..first.clone() };
        for queue in first.lane_queues().chain(second.lane_queues()).chain(first.safety_queues()) {
            channel.queue_delete(queue.name.into(), QueueDeleteOptions::default()).await.unwrap();
        }
        let exchanges = first.lane_exchanges().into_iter().chain(second.lane_exchanges());
        for exchange in exchanges.chain(first.safety_exchanges()) {
            channel.exchange_delete(exchange.name.into(), ExchangeDeleteOptions::default()).await.unwrap();
        }
        connection.close(200, "OK".into()).await.unwrap();
    }
}

async fn with_installation(test: impl AsyncFnOnce(&Installation)) {
    let installation = Installation::new();
    let ended = AssertUnwindSafe(test(&installation)).catch_unwind().await;
    installation.delete().await;
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

async fn with_queue(promise: impl AsyncFnOnce(&dyn Broker)) {
    with_installation(async |installation| {
        promise(&installation.owning(&url(), &[0, 1, 2, 3]).await).await;
    })
    .await;
}

crate::conformance::promises!(with_queue);

#[tokio::test]
async fn a_partition_changes_hands_without_a_call_overtaking_another() {
    with_installation(async |installation| {
        let home = partition(&envelope("s", 1).call, PARTITIONS);
        let (old, new) = (installation.owning(&url(), &[home]).await, installation.open(&url()).await);
        for number in 1..=6 {
            old.publish(&envelope("s", number)).await.unwrap();
        }
        let held = next(&old).await;
        old.set_partitions(&share(&[])).await;
        new.set_partitions(&share(&[home])).await;
        nothing_comes(&old).await;
        nothing_comes(&new).await;
        assert!(held.ack().await.unwrap(), "what is in flight may still be settled");
        for number in 2..=6 {
            expect(&new, &envelope("s", number)).await;
        }
        nothing_comes(&new).await;
    })
    .await;
}

#[tokio::test]
async fn a_call_in_flight_for_too_long_does_not_keep_the_partition() {
    with_installation(async |installation| {
        let mut hasty = Installation { settings: installation.settings.clone() };
        hasty.settings.drain_limit = Duration::from_millis(50);
        let home = partition(&envelope("s", 1).call, PARTITIONS);
        let old = hasty.owning(&url(), &[home]).await;
        old.publish(&envelope("s", 1)).await.unwrap();
        let held = next(&old).await;
        old.set_partitions(&share(&[])).await;
        let new = installation.owning(&url(), &[home]).await;
        let again = next(&new).await;
        assert!(again.redelivered);
        assert!(!held.ack().await.unwrap());
        assert!(again.ack().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_body_that_is_no_call_comes_out_as_unreadable_and_can_be_settled() {
    with_installation(async |installation| {
        let queue = installation.owning(&url(), &[0, 1, 2, 3]).await;
        let lease = queue.publisher().link().now().unwrap();
        let layout = &installation.settings.layout;
        let sent = lease.channel.basic_publish(
            layout.exchange(Lane::Live).into(),
            layout.routing_key(1).into(),
            BasicPublishOptions::default(),
            b"no call at all",
            BasicProperties::default().with_message_id("m-1".into()),
        );
        sent.await.unwrap().await.unwrap();
        let delivery = next(&queue).await;
        let unreadable = delivery.envelope.as_ref().unwrap_err();
        assert_eq!(
            (unreadable.message_id.as_deref(), unreadable.body.as_slice()),
            (Some("m-1"), &b"no call at all"[..])
        );
        assert!(!unreadable.why.contains("no call"), "{}", unreadable.why);
        assert!(delivery.ack().await.unwrap());
        nothing_comes(&queue).await;
    })
    .await;
}

#[tokio::test]
async fn a_message_nobody_takes_is_kept_where_operators_look() {
    with_installation(async |installation| {
        let mut wider = Installation { settings: installation.settings.clone() };
        wider.settings.layout.partitions = 64;
        let queue = installation.open(&url()).await;
        let stray = Publisher::new(
            Link::start(
                url().parse().unwrap(),
                installation.settings.layout.clone(),
                Errand { name: "stray", using: Use::Send, register: Arc::new(Standing(1)) },
            ),
            wider.settings.layout.clone(),
            SOON,
        );
        let call = (1..).map(|n| envelope(&format!("s{n}"), n)).find(|e| partition(&e.call, 64) >= PARTITIONS).unwrap();
        stray.publish(&call).await.unwrap();
        let counted = async { while queue.depth().await.unwrap().unrouted != 1 {} };
        timeout(SOON, counted).await.expect("the stray message is counted");
        queue.set_partitions(&share(&[0])).await;
        let found = next(&queue).await;
        assert_eq!((found.stray, found.envelope.as_ref().unwrap()), (Some(Stray::Unrouted), &call));
        assert!(found.ack().await.unwrap());
        nothing_comes(&queue).await;
    })
    .await;
}

#[tokio::test]
async fn a_full_queue_refuses_the_call() {
    with_installation(async |installation| {
        let queue = installation.open(&url()).await;
        let long: String = "tree ".repeat(20_000);
        let mut refused = None;
        for number in 1..200 {
            let mut call = envelope("s", number);
            call.call.metadata.insert("note".into(), long.clone().into());
            if let Err(error) = queue.publish(&call).await {
                refused = Some((number, error));
                break;
            }
        }
        let (number, error) = refused.expect("a queue of 1 MiB cannot hold 20 MB");
        assert!(matches!(error, BrokerError::Full), "{number}: {error:?}");
    })
    .await;
}

#[tokio::test]
async fn queues_that_were_declared_otherwise_are_named() {
    with_installation(async |installation| {
        let _first = installation.open(&url()).await;
        let mut other = installation.settings.clone();
        other.layout.max_queue_bytes += 1;
        let queue = start(&url(), other).unwrap();
        let told = queue.publish(&envelope("s", 1)).await;
        assert!(matches!(&told, Err(BrokerError::Mismatch(why)) if why.contains("x-max-length-bytes")), "{told:?}");
    })
    .await;
}

#[tokio::test]
async fn a_password_is_in_no_error() {
    let wrong = start("amqp://kim:hunter2@[broken", Settings::default()).err().unwrap();
    assert!(!format!("{wrong} {wrong:?}").contains("hunter2"));
    let limit = Settings { publish_limit: Duration::from_secs(3), ..Settings::default() };
    let refused = start(&url().replace("guest:guest", "kim:hunter2"), limit).unwrap();
    let error = refused.publish(&envelope("s", 1)).await.err();
    assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
}

#[tokio::test]
async fn where_nobody_listens_is_told_with_host_and_port_and_no_password() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let limit = Settings { publish_limit: Duration::from_secs(3), ..Settings::default() };
    let away = start(&format!("amqp://kim:hunter2@127.0.0.1:{port}/%2f"), limit).unwrap();
    let error = away.publish(&envelope("s", 1)).await.err();
    let said = format!("{error:?}");
    assert!(said.contains(&format!("cannot connect to 127.0.0.1:{port}")) && !said.contains("hunter2"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn callers_on_many_threads_each_get_their_own_confirm() {
    with_installation(async |installation| {
        let queue = Arc::new(installation.open(&url()).await);
        let mut callers = JoinSet::new();
        for caller in 1..=16_u64 {
            let queue = queue.clone();
            callers.spawn(async move {
                for number in 0..25 {
                    queue.publish(&envelope(&format!("s{caller}"), caller * 100 + number)).await.unwrap();
                }
            });
        }
        while let Some(ended) = callers.join_next().await {
            ended.unwrap();
        }
        let counted = async { while queue.depth().await.unwrap().ready() != 400 {} };
        timeout(SOON, counted).await.expect("400 calls wait");
    })
    .await;
}

#[test]
fn an_envelope_reads_back_as_it_was_written() {
    let envelope = envelope("s", 1);
    assert_eq!(Envelope::decode(&envelope.encode().unwrap(), None), Ok(envelope));
}
