//! What becomes of a delivery: done, parked, or dead; acknowledged only after that is durable.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures::FutureExt;
use recall_broker::{Delivery, Envelope, Unreadable};
use recall_core::class::Class;
use recall_core::retry::{Fate, fate};
use recall_store::StoreError;
use recall_store::record::{DeadLetter, ToPark};
use tracing::Instrument;

use crate::Ports;
use crate::metrics::HANDED_BACK;
use crate::probe::Recorder;
use crate::process::{Attempt, Done, Error, process};

/// Waits inside an attempt, while the delivery is held: a lost connection or a short 429 is not worth parking.
const SHORT_WAITS: [Duration; 6] = [
    Duration::from_millis(200),
    Duration::from_millis(800),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(15),
];
/// The longest wait another side may ask for without the call being parked.
const LONGEST_SHORT_WAIT: Duration = Duration::from_secs(30);
/// All waits inside one attempt together.
const SHORT_WAITS_TOTAL: Duration = Duration::from_secs(60);
/// A call that ran alone this often without an end takes its worker down with it.
const LONE_ATTEMPTS: u32 = 3;

/// How a delivery ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// With this fate, durable and acknowledged.
    As(Fate),
    /// Nothing could be made durable; the message went back to its queue.
    HandedBack,
}

/// One delivery from receipt to acknowledgement. The loop, the tests and the commands all call this one step.
pub async fn run_one(ports: &Ports, delivery: Delivery) -> Settled {
    ports.metrics.in_flight.inc();
    let began = Instant::now();
    let settled = match &delivery.envelope {
        Ok(envelope) => {
            let call = &envelope.call;
            let span = tracing::info_span!(
                "call", trace_id = %call.trace_id, attempt = delivery.attempts, fate = tracing::field::Empty
            );
            if let Some(traceparent) = &envelope.traceparent {
                (ports.join_trace)(&span, traceparent);
            }
            let decided = attempt(ports, envelope, &delivery).instrument(span.clone()).await;
            span.record("fate", decided.map_or(HANDED_BACK, Fate::as_str));
            decided
        }
        Err(unreadable) => bury_unreadable(ports, unreadable).await,
    };
    ports.metrics.in_flight.dec();
    let label = settled.map_or(HANDED_BACK, Fate::as_str);
    ports.metrics.attempts.with_label_values(&[label]).inc();
    ports.metrics.call_seconds.with_label_values(&[label]).observe(began.elapsed().as_secs_f64());
    let Some(fate) = settled else { return Settled::HandedBack };
    acknowledge(ports, delivery).await;
    Settled::As(fate)
}

async fn acknowledge(ports: &Ports, delivery: Delivery) {
    match delivery.ack().await {
        Ok(true) => {}
        Ok(false) => ports.metrics.lost_acks.inc(),
        Err(error) => {
            ports.metrics.lost_acks.inc();
            tracing::warn!(error = %error, "acknowledgement was lost; the message comes again");
        }
    }
}

/// Runs a call and makes its fate durable; `None` where nothing could be made durable.
async fn attempt(ports: &Ports, envelope: &Envelope, delivery: &Delivery) -> Option<Fate> {
    let trace = &envelope.call.trace_id;
    // A broker tells by itself that a message was handed out before; a parked row has to be marked.
    if delivery.redelivered || delivery.parked {
        match ports.store.begin_attempt(trace, delivery.redelivered).await {
            Ok(unfinished) if unfinished >= LONE_ATTEMPTS => {
                let reason = format!("the worker ended {unfinished} times while it ran this call alone");
                return bury(ports, envelope, delivery.attempts, Class::Bug, reason).await;
            }
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(error = %error, "attempt could not be noted");
                return None;
            }
        }
    }
    let attempt =
        Attempt { number: delivery.attempts, replayed: delivery.parked, traceparent: envelope.traceparent.clone() };
    match with_short_waits(ports, envelope, &attempt).await {
        Ok(Done::Committed(run)) => {
            ports.metrics.count(&run);
            Some(Fate::Done)
        }
        Ok(Done::Before) => {
            ports.metrics.repeated.inc();
            durably(ports, || ports.store.end_attempts(trace)).await.map(|()| Fate::Done)
        }
        Ok(Done::Taken) => bury_second(ports, envelope, delivery.attempts).await,
        Ok(Done::Behind) => {
            park(ports, envelope, delivery.attempts, Duration::ZERO, "behind").await?;
            Some(Fate::Snooze { after: Duration::ZERO })
        }
        Err(failure) => failed(ports, envelope, delivery.attempts, failure).await,
    }
}

/// What is known of a failed attempt, without words of people.
struct Failure {
    class: Class,
    text: String,
}

async fn failed(ports: &Ports, envelope: &Envelope, attempts: u32, failure: Failure) -> Option<Fate> {
    let decided = fate(failure.class, usize::try_from(attempts).unwrap_or(usize::MAX), &ports.schedule);
    let class = failure.class.as_str();
    tracing::warn!(class, fate = decided.as_str(), error = %failure.text, "attempt failed");
    match decided {
        Fate::Done => {}
        Fate::Retry { after } => park(ports, envelope, attempts + 1, after, class).await?,
        Fate::Snooze { after } => park(ports, envelope, attempts, after, class).await?,
        Fate::Dead => {
            return bury(ports, envelope, attempts + 1, failure.class, failure.text).await;
        }
    }
    Some(decided)
}

/// Tries again inside the attempt while the outside is only briefly away.
async fn with_short_waits(ports: &Ports, envelope: &Envelope, attempt: &Attempt) -> Result<Done, Failure> {
    let began = Instant::now();
    let mut waits = SHORT_WAITS.into_iter();
    loop {
        let mut probe = Recorder::new(&ports.metrics);
        let work = AssertUnwindSafe(process(ports, envelope.call.clone(), attempt, &mut probe));
        let error = match work.catch_unwind().await {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(error)) => error,
            Err(_) => return Err(Failure { class: Class::Bug, text: "a stage panicked".into() }),
        };
        let wait = short_wait(&error, &mut waits).filter(|wait| began.elapsed() + *wait <= SHORT_WAITS_TOTAL);
        match wait {
            Some(wait) => tokio::time::sleep(jittered(wait)).await,
            None => return Err(Failure { class: error.class(), text: chain(&error) }),
        }
    }
}

/// How long to wait inside the attempt; `None` where parking is right.
fn short_wait(error: &Error, waits: &mut impl Iterator<Item = Duration>) -> Option<Duration> {
    match (error, error.class()) {
        (Error::Store(StoreError::Unavailable(_)), _) => waits.next(),
        (Error::Llm(_), Class::Busy { retry_after: Some(wait) }) if wait <= LONGEST_SHORT_WAIT => {
            waits.next().map(|least| least.max(wait))
        }
        (Error::Store(_) | Error::Llm(_) | Error::Contended, _) => None,
    }
}

async fn park(ports: &Ports, envelope: &Envelope, attempts: u32, after: Duration, why: &str) -> Option<()> {
    let call = &envelope.call;
    let body = match envelope.encode() {
        Ok(body) => body,
        Err(error) => {
            ports.metrics.bugs.inc();
            tracing::error!(error = %error, "call could not be written as a message");
            return None;
        }
    };
    let row = ToPark {
        trace_id: call.trace_id.clone(),
        session_key: call.session_key(),
        partition: recall_broker::partition(call, ports.partitions),
        body,
        attempts,
        wait_seconds: jittered(after).as_secs_f64(),
        why: why.to_owned(),
    };
    durably(ports, || ports.store.park(&row)).await
}

async fn bury(ports: &Ports, envelope: &Envelope, attempts: u32, class: Class, reason: String) -> Option<Fate> {
    if class == Class::Bug {
        ports.metrics.bugs.inc();
        tracing::error!(trace_id = %envelope.call.trace_id, reason, "call met a bug");
    }
    let letter = DeadLetter {
        id: envelope.call.trace_id.to_string(),
        namespace: Some(envelope.call.scope.namespace().to_owned()),
        class: class.as_str().to_owned(),
        reason,
        attempts,
        body: envelope.encode().unwrap_or_default(),
        died_at: None,
    };
    durably(ports, || ports.store.dead_letter(&letter)).await.map(|()| Fate::Dead)
}

/// Keeps a call whose trace id another call was committed under: as a letter of its own, beside the trace of the first.
async fn bury_second(ports: &Ports, envelope: &Envelope, attempts: u32) -> Option<Fate> {
    let print = envelope.call.fingerprint(ports.keys.current());
    let letter = DeadLetter {
        id: format!("{}~{print}", envelope.call.trace_id),
        namespace: Some(envelope.call.scope.namespace().to_owned()),
        class: Class::Permanent.as_str().to_owned(),
        reason: "idempotency key was used before for other turns".to_owned(),
        attempts,
        body: envelope.encode().unwrap_or_default(),
        died_at: None,
    };
    durably(ports, || ports.store.dead_letter(&letter)).await.map(|()| Fate::Dead)
}

async fn bury_unreadable(ports: &Ports, unreadable: &Unreadable) -> Option<Fate> {
    tracing::error!(message_id = unreadable.message_id, why = %unreadable.why, "message cannot be read; it is kept as a dead letter");
    let digest = ports.keys.current().fingerprint(&["unreadable", &String::from_utf8_lossy(&unreadable.body)]);
    let letter = DeadLetter {
        id: unreadable.message_id.clone().unwrap_or(digest),
        namespace: None,
        class: Class::Permanent.as_str().to_owned(),
        reason: unreadable.to_string(),
        attempts: 1,
        body: unreadable.body.clone(),
        died_at: None,
    };
    durably(ports, || ports.store.dead_letter(&letter)).await.map(|()| Fate::Dead)
}

/// Repeats a write of ours until the store takes it or the short waits are used up.
async fn durably<F>(ports: &Ports, write: impl Fn() -> F) -> Option<()>
where
    F: Future<Output = Result<(), StoreError>>,
{
    for wait in SHORT_WAITS {
        match write().await {
            Ok(()) => return Some(()),
            Err(error) => {
                ports.metrics.outside_errors.with_label_values(&["store", error.class().as_str()]).inc();
                tracing::warn!(error = %error, "fate of a call could not be written");
                tokio::time::sleep(jittered(wait)).await;
            }
        }
    }
    None
}

/// A wait of between 80 and 120 %, so that what failed together does not come back together.
fn jittered(wait: Duration) -> Duration {
    wait.mul_f64(rand::random_range(0.8..1.2))
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        source = inner.source();
    }
    text
}
