//! Watches the steps of one call: a span row for its trace, a tracing span, and a metric for each.

use std::time::{Duration, Instant};

use recall_core::run::SpanRecord;
use recall_core::stage::{Dropped, Probe, Reason, Stage};

use crate::metrics::Metrics;

/// Records the steps of one attempt. Rows are one per step, with the items that went through it.
pub struct Recorder<'a> {
    metrics: &'a Metrics,
    started: Instant,
    spans: Vec<SpanRecord>,
}

impl<'a> Recorder<'a> {
    /// A recorder whose clock starts now.
    pub fn new(metrics: &'a Metrics) -> Self {
        Self { metrics, started: Instant::now(), spans: Vec::new() }
    }

    /// Since the attempt began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The rows so far.
    pub fn spans(&self) -> Vec<SpanRecord> {
        self.spans.clone()
    }

    /// Forgets the judgement of a snapshot that turned out stale; what came before it stays.
    pub fn rewind(&mut self) {
        self.spans.retain(|span| matches!(span.stage, Stage::Prefilter | Stage::Extract));
    }

    /// Records a step that was awaited.
    pub fn note(&mut self, stage: Stage, began: Instant, items: u32, dropped: Vec<(Reason, u32)>) {
        let took = began.elapsed();
        self.metrics.stage_seconds.with_label_values(&[stage.as_str()]).observe(took.as_secs_f64());
        self.add(stage, began, took, items, &dropped);
    }

    fn add(&mut self, stage: Stage, began: Instant, took: Duration, items: u32, dropped: &[(Reason, u32)]) {
        let at = match self.spans.iter().position(|span| span.stage == stage) {
            Some(at) => at,
            None => {
                let started = began.duration_since(self.started);
                let ordinal = u32::try_from(self.spans.len()).unwrap_or(u32::MAX);
                let span = SpanRecord { ordinal, stage, started, took: Duration::ZERO, items: 0, dropped: Vec::new() };
                self.spans.push(span);
                self.spans.len() - 1
            }
        };
        let Some(span) = self.spans.get_mut(at) else { return };
        span.took += took;
        span.items += items;
        for (reason, count) in dropped {
            match span.dropped.iter_mut().find(|(known, _)| known == reason) {
                Some((_, sum)) => *sum += count,
                None => span.dropped.push((*reason, *count)),
            }
        }
    }
}

impl Probe for Recorder<'_> {
    fn step<T>(&mut self, stage: Stage, work: impl FnOnce() -> Result<T, Reason>) -> Result<T, Dropped> {
        let began = Instant::now();
        let span = tracing::info_span!("stage", name = stage.as_str(), reason = tracing::field::Empty);
        let result = span.in_scope(work);
        let took = began.elapsed();
        self.metrics.stage_seconds.with_label_values(&[stage.as_str()]).observe(took.as_secs_f64());
        match result {
            Ok(value) => {
                self.add(stage, began, took, 1, &[]);
                Ok(value)
            }
            Err(reason) => {
                span.record("reason", reason.as_str());
                self.add(stage, began, took, 1, &[(reason, 1)]);
                Err(Dropped { stage, reason })
            }
        }
    }
}
