//! Places of a worker: a queue without calls keeps none from a queue that has one.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use recall_broker::{Broker, BrokerError, Delivery, Depth, Envelope};
use recall_worker::worker::{Limits, Worker};
use tokio_util::sync::CancellationToken;

use crate::settle::{Bench, Model, call, fresh};

/// A queue that hands out what it was given, and then waits for ever.
struct Given(tokio::sync::Mutex<Vec<Delivery>>);

#[async_trait]
impl Broker for Given {
    async fn publish(&self, _: &Envelope) -> Result<(), BrokerError> {
        Err(BrokerError::Stopped)
    }

    async fn receive(&self) -> Result<Delivery, BrokerError> {
        match self.0.lock().await.pop() {
            Some(delivery) => Ok(delivery),
            None => std::future::pending().await,
        }
    }

    async fn depth(&self) -> Result<Depth, BrokerError> {
        Ok(Depth::default())
    }

    async fn ready(&self) -> Result<(), BrokerError> {
        Ok(())
    }

    async fn stop(&self) {}
}

#[tokio::test]
async fn a_queue_without_calls_does_not_keep_the_last_place() {
    let bench = Bench::new(Model::Silent).await;
    let queue = |deliveries| Arc::new(Given(tokio::sync::Mutex::new(deliveries))) as Arc<dyn Broker>;
    let limits = Limits { concurrency: 1, drain: Duration::from_secs(5) };
    let worker = Worker::new(bench.ports.clone(), limits);
    let sources = vec![queue(Vec::new()), queue(vec![fresh(&call(2)), fresh(&call(1))])];
    let stop = CancellationToken::new();
    let working = Arc::clone(&worker).run(sources, stop.clone());
    let done = async {
        while worker.pulse().last_minute() < 2 {
            tokio::task::yield_now().await;
        }
        stop.cancel();
    };
    let both = async { tokio::join!(working, done) };
    let (all, ()) = tokio::time::timeout(Duration::from_secs(20), both).await.expect("both calls find a place");
    assert!(all, "nothing was in flight at the end");
}
