//! Connections that are cut, freeze, or say that memory is short: what was accepted stays, what was out comes again.

use std::time::Duration;

use tokio::time::timeout;

use super::relay::{BLOCKED, Order, Relay, UNBLOCKED};

use super::*;
use crate::Envelope;
use crate::conformance::{envelope, next, nothing_comes, share};

#[tokio::test]
async fn a_broker_short_of_memory_is_told_at_once_and_used_again_later() {
    with_installation(async |installation| {
        let relay = Relay::start().await;
        let queue = installation.open(&relay.url).await;
        queue.publish(&envelope("s", 1)).await.unwrap();
        relay.order(Order::Tell(BLOCKED));
        let told = async {
            while queue.ready().await.is_ok() {
                tokio::task::yield_now().await
            }
        };
        timeout(SOON, told).await.expect("the queue says that it is blocked");
        let refused = timeout(Duration::from_secs(1), queue.publish(&envelope("s", 2))).await.expect("at once");
        assert!(matches!(refused, Err(BrokerError::Unavailable(_))), "{refused:?}");
        relay.order(Order::Tell(UNBLOCKED));
        let told = async {
            while queue.ready().await.is_err() {
                tokio::task::yield_now().await
            }
        };
        timeout(SOON, told).await.expect("the queue says that it is free again");
        queue.publish(&envelope("s", 2)).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_connection_that_falls_silent_is_left_for_a_new_one() {
    with_installation(async |installation| {
        let relay = Relay::start().await;
        let mut hasty = Installation { settings: installation.settings.clone() };
        hasty.settings.publish_limit = Duration::from_millis(500);
        let queue = hasty.open(&relay.url).await;
        relay.order(Order::Freeze);
        let silent = queue.publish(&envelope("s", 1)).await;
        assert!(matches!(silent, Err(BrokerError::Unavailable(_))), "{silent:?}");
        let again = async { while queue.publish(&envelope("s", 1)).await.is_err() {} };
        timeout(SOON, again).await.expect("the next connection takes the call");
    })
    .await;
}

#[tokio::test]
async fn after_a_cut_publishing_and_receiving_go_on_by_themselves() {
    with_installation(async |installation| {
        let relay = Relay::start().await;
        let queue = installation.owning(&relay.url, &[0, 1, 2, 3]).await;
        for round in 1..=4 {
            queue.publish(&envelope("s", round)).await.unwrap();
            comes_behind_repeats(&queue, &envelope("s", round)).await;
            relay.order(Order::Cut);
        }
    })
    .await;
}

/// Takes calls until this one. An ack or a confirm that was under way at a cut may be lost, so older calls may come again.
async fn comes_behind_repeats(queue: &dyn Broker, wanted: &Envelope) {
    loop {
        let delivery = next(queue).await;
        let came = delivery.envelope.as_ref().unwrap().clone();
        delivery.ack().await.unwrap();
        if came == *wanted {
            return;
        }
        assert!(came.call.trace_id < wanted.call.trace_id, "{} overtook", came.call.trace_id);
    }
}

#[tokio::test]
async fn what_was_out_when_the_connection_was_cut_comes_again_in_order() {
    with_installation(async |installation| {
        let relay = Relay::start().await;
        let queue = installation.owning(&relay.url, &[0, 1, 2, 3]).await;
        for number in 1..=3 {
            queue.publish(&envelope("s", number)).await.unwrap();
        }
        let mut held = Vec::new();
        for _ in 0..3 {
            held.push(next(&queue).await);
        }
        assert!(held.iter().all(Delivery::live));
        relay.order(Order::Cut);
        for number in 1..=3 {
            let again = next(&queue).await;
            assert!(again.redelivered);
            assert_eq!(again.envelope.as_ref().unwrap(), &envelope("s", number));
            assert!(again.ack().await.unwrap());
        }
        for delivery in held {
            assert!(!delivery.live());
            assert!(!delivery.ack().await.unwrap(), "a dead channel takes no ack");
        }
        nothing_comes(&queue).await;
    })
    .await;
}

#[tokio::test]
async fn publishers_lose_nothing_while_connections_are_cut() {
    with_installation(async |installation| {
        let relay = Relay::start().await;
        let queue = installation.open(&relay.url).await;
        let publish = async |publisher: u64| {
            for number in 0..40 {
                queue.publish(&envelope(&format!("s{publisher}"), publisher * 100 + number)).await.unwrap();
                if publisher == 3 && number % 16 == 7 {
                    relay.order(Order::Cut);
                }
            }
        };
        futures::future::join_all((1..=8).map(publish)).await;
        queue.set_partitions(&share(&[0, 1, 2, 3])).await;
        let mut seen = std::collections::BTreeSet::new();
        while seen.len() < 320 {
            let delivery = next(&queue).await;
            seen.insert(delivery.envelope.as_ref().unwrap().call.trace_id.clone());
            delivery.ack().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_broker_that_is_away_is_told_within_the_limit() {
    let relay = Relay::start().await;
    relay.open.send_replace(false);
    let settings = Settings { publish_limit: Duration::from_millis(400), ..Settings::default() };
    let queue = start(&relay.url, settings).unwrap();
    let told = timeout(SOON, queue.publish(&envelope("s", 1))).await.unwrap();
    assert!(matches!(told, Err(BrokerError::Unavailable(_))), "{told:?}");
    assert!(queue.ready().await.is_err());
}
