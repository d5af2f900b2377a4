//! Every stage, reason and fate leaves its span and its series: what an operator looks for is there, and under its own name.

use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use recall_broker::{BrokerError, Delivery, Envelope, Settle};
use recall_core::prompt::{Ask, Reply};
use recall_core::retry::Fate;
use recall_core::stage::{Probe, Stage};
use recall_llm::rules::Rules;
use recall_llm::{Extractor, LlmError};
use recall_worker::metrics::Metrics;
use recall_worker::probe::Recorder;
use recall_worker::settle::{Settled, run_one};
use tracing_subscriber::fmt::format::FmtSpan;

use super::said::{call, ports, store};

/// The spans of this process as they close, one JSON value a line. Not of a thread: the threads of a database close spans, too.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<u8>>>);

impl Write for Spans {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Spans {
    fn watch() -> Self {
        static SPANS: OnceLock<Spans> = OnceLock::new();
        let start = || {
            let spans = Self::default();
            let writer = spans.clone();
            let watching = tracing_subscriber::fmt().json().with_span_events(FmtSpan::CLOSE);
            tracing::subscriber::set_global_default(watching.with_writer(move || writer.clone()).finish()).unwrap();
            spans
        };
        SPANS.get_or_init(start).clone()
    }

    /// The lines of closed spans of this name that hold these words.
    fn named(&self, name: &str, words: &[String]) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        let own = format!("\"name\":\"{name}\"}},\"spans\"");
        let told = |line: &&str| line.contains(&own) && words.iter().all(|word| line.contains(&format!("\"{word}\"")));
        text.lines().filter(told).map(str::to_owned).collect()
    }

    /// Waits for one: a span ends once the last thread that worked for it let go, which may be a moment after the answer.
    async fn wait_for(&self, name: &str, words: &[String]) -> String {
        let ended = async {
            loop {
                match self.named(name, words).pop() {
                    Some(span) => return span,
                    None => tokio::task::yield_now().await,
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(30), ended).await.expect("the span ends")
    }
}

#[test]
fn every_stage_and_reason_has_its_span_and_its_series() {
    let metrics = Metrics::new().unwrap();
    metrics.prime();
    let spans = Spans::watch();
    let mut recorder = Recorder::new(&metrics);
    for stage in Stage::ALL {
        recorder.step(*stage, || Ok(())).unwrap();
        for reason in stage.reasons() {
            recorder.step::<()>(*stage, || Err(*reason)).unwrap_err();
        }
    }
    let rows = recorder.spans();
    let page = metrics.render();
    for stage in Stage::ALL {
        assert!(page.contains(&format!("recall_stage_seconds_count{{stage=\"{stage}\"}}")), "{stage}");
        let row = rows.iter().find(|row| row.stage == *stage).unwrap();
        let counted: Vec<_> = row.dropped.iter().map(|(reason, count)| (*reason, *count)).collect();
        assert_eq!(counted, stage.reasons().iter().map(|reason| (*reason, 1)).collect::<Vec<_>>(), "{stage}");
        for reason in stage.reasons() {
            let closed = spans.named("stage", &[stage.to_string(), reason.to_string()]);
            assert!(!closed.is_empty(), "no span tells {stage} {reason}");
            let series = match stage {
                Stage::Prefilter => format!("recall_turns_total{{outcome=\"{reason}\"}}"),
                Stage::Reconcile => continue,
                Stage::Ground => format!("recall_hallucination_blocked_total{{reason=\"{reason}\"}}"),
                Stage::Suppress => format!("recall_suppressed_total{{reason=\"{reason}\"}}"),
                Stage::Extract | Stage::Scope | Stage::Resolve | Stage::Anchor | Stage::Calibrate | Stage::Write => {
                    format!("recall_dropped_total{{reason=\"{reason}\",stage=\"{stage}\"}}")
                }
            };
            assert!(page.contains(&series), "{series}");
        }
    }
}

/// A model door that fails in one way, or answers.
struct Fails(Failure);

type Failure = Option<fn() -> LlmError>;

#[async_trait]
impl Extractor for Fails {
    async fn extract(&self, ask: &Ask) -> Result<Reply, LlmError> {
        match self.0 {
            Some(error) => Err(error()),
            None => Rules.extract(ask).await,
        }
    }

    fn provider(&self) -> &'static str {
        "fails"
    }
}

/// A queue that takes every acknowledgement.
struct Taken;

#[async_trait]
impl Settle for Taken {
    async fn ack(self: Box<Self>) -> Result<bool, BrokerError> {
        Ok(true)
    }
}

#[tokio::test]
async fn every_fate_has_its_span_and_its_series() {
    let ways: [(&str, Failure); 4] = [
        ("done", None),
        ("retry", Some(|| LlmError::Unusable { why: "prose".into() })),
        ("snooze", Some(|| LlmError::Limited { retry_after: Some(Duration::from_secs(120)) })),
        ("dead", Some(|| LlmError::TooLong)),
    ];
    assert_eq!(ways.map(|(fate, _)| fate), Fate::LABELS);
    let spans = Spans::watch();
    for (number, (fate, fails)) in (10..).zip(ways) {
        let (store, _directory) = store().await;
        let ports = ports(store, Fails(fails));
        ports.metrics.prime();
        let before = ports.metrics.render();
        assert!(before.contains(&format!("recall_attempts_total{{fate=\"{fate}\"}} 0")), "{fate}");
        let call = call("s", number, "08", "I live in Lisbon.");
        let id = call.trace_id.to_string();
        let envelope = Ok(Envelope::new(call, None));
        let delivery = Delivery {
            envelope,
            attempts: 0,
            redelivered: false,
            parked: false,
            noted: None,
            stray: None,
            settle: Box::new(Taken),
        };
        let settled = run_one(&ports, delivery).await;
        assert!(matches!(settled, Settled::As(end) if end.as_str() == fate), "{settled:?}");
        let ended = spans.wait_for("call", &[id.clone(), fate.to_owned()]).await;
        assert!(ended.contains("\"attempt\":0"), "{ended}");
        spans.wait_for("outside", &[id, "model".to_owned(), "extract".to_owned()]).await;
        let page = ports.metrics.render();
        assert!(page.contains(&format!("recall_attempts_total{{fate=\"{fate}\"}} 1")), "{page}");
        assert!(page.contains(&format!("recall_call_seconds_count{{fate=\"{fate}\"}} 1")), "{page}");
    }
}
