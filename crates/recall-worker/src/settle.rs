//! What becomes of a delivery: done, parked, or dead; acknowledged only after that is durable.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures::FutureExt;
use recall_broker::{Delivery, Envelope, Noted, slot};
use recall_core::class::Class;
use recall_core::retry::{Fate, fate};
use recall_llm::LlmError;
use recall_store::StoreError;
use recall_store::record::{Begun, ToPark, Why};
use tracing::Instrument;

use crate::Ports;
use crate::bury::{bury, bury_second, bury_unless_done, bury_unreadable, keep_stray};
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
/// A call that ran alone this often without an end takes its worker down with it. Something else may end a worker just then: among a
/// thousand kills within half an hour one call met that three times.
const LONE_ATTEMPTS: u32 = 5;

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
            span.record("fate", decided.map_or(HANDED_BACK, |ending| ending.fate.as_str()));
            decided
        }
        Err(unreadable) => bury_unreadable(ports, unreadable).await.map(Ending::from),
    };
    ports.metrics.in_flight.dec();
    let label = settled.map_or(HANDED_BACK, |ending| ending.fate.as_str());
    ports.metrics.attempts.with_label_values(&[label]).inc();
    ports.metrics.call_seconds.with_label_values(&[label]).observe(began.elapsed().as_secs_f64());
    let Some(ending) = settled else { return Settled::HandedBack };
    acknowledge(ports, delivery, ending.committed).await;
    Settled::As(ending.fate)
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy)]
struct Ending {
    fate: Fate,
    /// By a commit, which also took the call off what waits in the store.
    committed: bool,
}

impl From<Fate> for Ending {
    fn from(fate: Fate) -> Self {
        Self { fate, committed: false }
    }
}

async fn acknowledge(ports: &Ports, delivery: Delivery, committed: bool) {
    let acknowledged = if committed { delivery.committed().await } else { delivery.ack().await };
    match acknowledged {
        Ok(true) => {}
        Ok(false) => ports.metrics.lost_acks.inc(),
        Err(error) => {
            ports.metrics.lost_acks.inc();
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "acknowledgement was lost; the message comes again"
            );
        }
    }
}

/// Runs a call and makes its fate durable; `None` where nothing could be made durable.
async fn attempt(ports: &Ports, envelope: &Envelope, delivery: &Delivery) -> Option<Ending> {
    if let Some(stray) = delivery.stray {
        return keep_stray(ports, envelope, stray).await.map(Ending::from);
    }
    let begun = begin(ports, envelope, delivery).await?;
    if begun.unfinished_alone >= LONE_ATTEMPTS {
        let reason = format!("the worker ended {} times while it ran this call alone", begun.unfinished_alone);
        let buried = bury_unless_done(ports, envelope, delivery.attempts, Class::Bug, reason).await;
        return buried.map(Ending::from);
    }
    let ending = if begun.alone {
        let _alone = ports.company.write().await;
        note_alone(ports, envelope).await?;
        run(ports, envelope, delivery).await
    } else {
        let _together = ports.company.read().await;
        run(ports, envelope, delivery).await
    };
    if ending.is_none() && is_noted(delivery) {
        // The worker lives, so what ended this attempt is no fault of the call. Where the store is away the mark stays.
        let _taken_back = ports.store.end_attempts(&envelope.call.trace_id).await;
    }
    ending
}

/// Whether the beginning of an attempt is written down. A first delivery has no earlier worker that it could have ended, so that the
/// write is spared. A broker tells by itself that a message was handed out before; a parked row has to be marked.
fn is_noted(delivery: &Delivery) -> bool {
    delivery.redelivered || delivery.parked
}

async fn begin(ports: &Ports, envelope: &Envelope, delivery: &Delivery) -> Option<Begun> {
    if let Some(Noted { unfinished, unfinished_alone }) = delivery.noted {
        return Some(Begun { alone: unfinished, unfinished_alone });
    }
    if !is_noted(delivery) {
        return Some(Begun { alone: false, unfinished_alone: 0 });
    }
    match ports.store.begin_attempt(&envelope.call.trace_id).await {
        Ok(begun) => Some(begun),
        Err(error) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "attempt could not be noted");
            None
        }
    }
}

/// While it waited for the others a call could not be the one that ends its worker: only from now on its attempt is charged.
async fn note_alone(ports: &Ports, envelope: &Envelope) -> Option<()> {
    let noted = ports.store.runs_alone(&envelope.call.trace_id).await;
    noted
        .inspect_err(|error| tracing::warn!(error = error as &dyn std::error::Error, "attempt could not be noted"))
        .ok()
}

async fn run(ports: &Ports, envelope: &Envelope, delivery: &Delivery) -> Option<Ending> {
    let attempt =
        Attempt { number: delivery.attempts, replayed: delivery.parked, traceparent: envelope.traceparent.clone() };
    let fate = match with_short_waits(ports, envelope, &attempt).await {
        Ok(Done::Committed(run)) => {
            ports.metrics.count(&run);
            return Some(Ending { fate: Fate::Done, committed: true });
        }
        Ok(Done::Before) => {
            ports.metrics.repeated.inc();
            durably(ports, || ports.store.end_attempts(&envelope.call.trace_id)).await.map(|()| Fate::Done)
        }
        Ok(Done::Dropped(why)) => {
            let call = &envelope.call;
            durably(ports, || ports.store.drop_call(call, why.as_str(), why.reason())).await.map(|()| Fate::Done)
        }
        Ok(Done::Taken) => bury_second(ports, envelope, delivery.attempts).await,
        Ok(Done::Behind) => {
            let parked = park(ports, envelope, delivery.attempts, Duration::ZERO, Why::Behind).await;
            parked.map(|()| Fate::Snooze { after: Duration::ZERO })
        }
        Err(failure) => failed(ports, envelope, delivery.attempts, failure).await,
    };
    fate.map(Ending::from)
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
    let (charged, after) = match decided {
        Fate::Done => return Some(decided),
        Fate::Retry { after } => (attempts + 1, after),
        Fate::Snooze { after } => (attempts, after),
        Fate::Dead => return bury(ports, envelope, attempts + 1, failure.class, failure.text).await,
    };
    park(ports, envelope, charged, after, Why::Failed { class: class.to_owned(), reason: failure.text }).await?;
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
        // Whoever waits for a model that is away keeps its partition from being let go.
        (Error::Llm(LlmError::Away(_)), _) => None,
        (Error::Store(StoreError::Unavailable(_) | StoreError::Failed(_)), _) => waits.next(),
        (Error::Llm(_), Class::Busy { retry_after: Some(wait) }) if wait <= LONGEST_SHORT_WAIT => {
            waits.next().map(|least| least.max(wait))
        }
        (Error::Store(_) | Error::Llm(_) | Error::Prompt(_) | Error::Contended, _) => None,
    }
}

async fn park(ports: &Ports, envelope: &Envelope, attempts: u32, after: Duration, why: Why) -> Option<()> {
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
        slot: slot(call),
        lane: call.lane,
        body,
        attempts,
        wait_seconds: jittered(after).as_secs_f64(),
        why,
    };
    durably(ports, || ports.store.park(&row)).await
}

/// Repeats a write of ours until the store takes it or the short waits are used up.
pub(crate) async fn durably<F>(ports: &Ports, write: impl Fn() -> F) -> Option<()>
where
    F: Future<Output = Result<(), StoreError>>,
{
    for wait in SHORT_WAITS {
        match write().await {
            Ok(()) => return Some(()),
            Err(error) => {
                ports.metrics.outside_errors.with_label_values(&["store", error.class().as_str()]).inc();
                tracing::warn!(error = &error as &dyn std::error::Error, "fate of a call could not be written");
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
