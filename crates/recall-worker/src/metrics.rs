//! Every metric of the product, declared once; the help text is the doc comment. Labels come from closed enums only.

use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
};
use recall_core::candidate::MemoryType;
use recall_core::retry::Fate;
use recall_core::run::{Outcome, Run};
use recall_core::stage::{Reason, Stage};
use recall_llm::{Outage, Standing};

/// The label of an attempt whose fate could not be made durable: its message goes back to the queue.
pub(crate) const HANDED_BACK: &str = "handed_back";

/// Seconds, from a stage of a call to a slow model.
const BUCKETS: [f64; 15] =
    [0.000_01, 0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0, 60.0];

trait Metric: Sized {
    fn make(name: &str, help: &str, labels: &[&str]) -> prometheus::Result<Self>;
}

impl Metric for IntCounter {
    fn make(name: &str, help: &str, _: &[&str]) -> prometheus::Result<Self> {
        Self::new(name, help)
    }
}
impl Metric for IntGauge {
    fn make(name: &str, help: &str, _: &[&str]) -> prometheus::Result<Self> {
        Self::new(name, help)
    }
}
impl Metric for IntCounterVec {
    fn make(name: &str, help: &str, labels: &[&str]) -> prometheus::Result<Self> {
        Self::new(Opts::new(name, help), labels)
    }
}
impl Metric for IntGaugeVec {
    fn make(name: &str, help: &str, labels: &[&str]) -> prometheus::Result<Self> {
        Self::new(Opts::new(name, help), labels)
    }
}
impl Metric for HistogramVec {
    fn make(name: &str, help: &str, labels: &[&str]) -> prometheus::Result<Self> {
        Self::new(HistogramOpts::new(name, help).buckets(BUCKETS.to_vec()), labels)
    }
}

macro_rules! metrics {
    ($($(#[doc = $help:literal])+ $field:ident: $kind:ty = $name:literal [$($label:literal),*],)+) => {
        /// The metrics of a process, with the registry they are read from.
        #[derive(Debug)]
        pub struct Metrics {
            registry: Registry,
            $($(#[doc = $help])+ pub $field: $kind,)+
        }

        impl Metrics {
            /// Name and help text of every metric.
            pub const ALL: &'static [(&'static str, &'static str)] = &[$(($name, concat!($($help),+)),)+];

            /// A fresh set with a registry of its own.
            ///
            /// # Errors
            /// Two metrics of the same name.
            pub fn new() -> prometheus::Result<Self> {
                let registry = Registry::new();
                $(
                    let $field = <$kind as Metric>::make($name, concat!($($help),+).trim(), &[$($label),*])?;
                    registry.register(Box::new($field.clone()))?;
                )+
                Ok(Self { registry, $($field,)+ })
            }
        }
    };
}

metrics! {
    /// Calls the door accepted (202 answered).
    accepted: IntCounter = "recall_accepted_total" [],
    /// Calls the door did not accept, by HTTP status.
    refused: IntCounterVec = "recall_refused_total" ["status"],
    /// Seconds from request to the broker's confirm.
    accept_seconds: HistogramVec = "recall_accept_seconds" ["status"],
    /// Attempts at calls, by fate.
    attempts: IntCounterVec = "recall_attempts_total" ["fate"],
    /// Calls committed, once each.
    committed: IntCounter = "recall_committed_total" [],
    /// Calls delivered again after their commit; nothing was written.
    repeated: IntCounter = "recall_repeated_total" [],
    /// Acknowledgements a dead channel did not take; the message comes again and changes nothing.
    lost_acks: IntCounter = "recall_lost_acks_total" [],
    /// Calls in flight in this worker.
    in_flight: IntGauge = "recall_in_flight" [],
    /// Seconds of an attempt, by fate.
    call_seconds: HistogramVec = "recall_call_seconds" ["fate"],
    /// Seconds of one step for one item.
    stage_seconds: HistogramVec = "recall_stage_seconds" ["stage"],
    /// Turns of committed calls, kept or dropped by the pre-filter with its reason.
    turns: IntCounterVec = "recall_turns_total" ["outcome"],
    /// Candidates of committed calls, by what became of them.
    candidates: IntCounterVec = "recall_candidates_total" ["outcome"],
    /// Candidates of committed calls that ended at a stage.
    dropped: IntCounterVec = "recall_dropped_total" ["stage", "reason"],
    /// Candidates that grounding blocked because they were not said.
    hallucination_blocked: IntCounterVec = "recall_hallucination_blocked_total" ["reason"],
    /// Candidates that were said but must not be kept.
    suppressed: IntCounterVec = "recall_suppressed_total" ["reason"],
    /// Memories written, by type.
    stored: IntCounterVec = "recall_memories_stored_total" ["type"],
    /// Requests to models, repairs included.
    model_calls: IntCounter = "recall_model_calls_total" [],
    /// Tokens of prompts and replies.
    model_tokens: IntCounterVec = "recall_model_tokens_total" ["kind"],
    /// Cost of model calls, in millionths of the price table's unit.
    model_cost: IntCounter = "recall_model_cost_micros_total" [],
    /// Seconds of calls to the outside.
    outside_seconds: HistogramVec = "recall_outside_seconds" ["peer", "operation"],
    /// Failed calls to the outside, by class.
    outside_errors: IntCounterVec = "recall_outside_errors_total" ["peer", "class"],
    /// 1 while no model can be asked, so that no calls are taken from the queue; by why.
    model_away: IntGaugeVec = "recall_model_away" ["why"],
    /// Broken invariants of ours. Each one is a fault to be reported.
    bugs: IntCounter = "recall_bugs_total" [],
    /// Messages the broker had set aside and a worker kept as dead letters, by why.
    strays: IntCounterVec = "recall_strays_total" ["stray"],
    /// Calls waiting, by place: live and bulk in their queues, parked, dead, and astray in the safety queues.
    waiting: IntGaugeVec = "recall_waiting" ["place"],
    /// Age of the oldest call that waits for its end, in seconds.
    oldest_waiting_seconds: IntGauge = "recall_oldest_waiting_seconds" [],
}

impl Metrics {
    /// The text a Prometheus server reads.
    pub fn render(&self) -> String {
        let mut text = Vec::new();
        // Writing into memory cannot fail; an empty page would be seen at once by the scraper.
        let _written = TextEncoder::new().encode(&self.registry.gather(), &mut text);
        String::from_utf8(text).unwrap_or_default()
    }

    /// Shows how the models stand.
    pub fn show(&self, standing: Standing) {
        let away = match standing {
            Standing::Away(away) => Some(away.why),
            Standing::Up | Standing::Trying => None,
        };
        for why in Outage::ALL {
            self.model_away.with_label_values(&[why.as_str()]).set(i64::from(away == Some(why)));
        }
    }

    /// Shows every series with a closed set of labels from the start, so that a rate is never missing its first event.
    pub fn prime(&self) {
        self.show(Standing::Up);
        for fate in Fate::LABELS.into_iter().chain([HANDED_BACK]) {
            let _made = (self.attempts.with_label_values(&[fate]), self.call_seconds.with_label_values(&[fate]));
        }
        for stage in Stage::ALL {
            let _made = self.stage_seconds.with_label_values(&[stage.as_str()]);
            for reason in stage.reasons() {
                self.prime_reason(*stage, reason.as_str());
            }
        }
        drop(self.turns.with_label_values(&["kept"]));
        for outcome in ["stored", "merged", "dropped"] {
            let _made = self.candidates.with_label_values(&[outcome]);
        }
        for memory_type in MemoryType::ALL {
            let _made = self.stored.with_label_values(&[memory_type.as_str()]);
        }
    }

    fn prime_reason(&self, stage: Stage, reason: &str) {
        match stage {
            Stage::Prefilter => return drop(self.turns.with_label_values(&[reason])),
            // It tells what became of a claim and drops none.
            Stage::Reconcile => return,
            Stage::Ground => drop(self.hallucination_blocked.with_label_values(&[reason])),
            Stage::Suppress => drop(self.suppressed.with_label_values(&[reason])),
            Stage::Extract | Stage::Scope | Stage::Resolve | Stage::Anchor | Stage::Calibrate | Stage::Write => {}
        }
        drop(self.dropped.with_label_values(&[stage.as_str(), reason]));
    }

    /// Counts what a committed run did; called once per run, after its commit.
    pub fn count(&self, run: &Run) {
        self.committed.inc();
        for turn in &run.turns {
            let outcome = turn.dropped.map_or("kept", Reason::as_str);
            self.turns.with_label_values(&[outcome]).inc();
        }
        for verdict in &run.verdicts {
            self.count_outcome(&verdict.outcome);
        }
        for effect in &run.changes.effects {
            if let recall_core::effect::Effect::Insert { memory, .. } = effect {
                self.stored.with_label_values(&[memory.memory_type.as_str()]).inc();
            }
        }
        self.model_calls.inc_by(u64::from(run.usage.model_calls));
        self.model_tokens.with_label_values(&["prompt"]).inc_by(run.usage.prompt_tokens);
        self.model_tokens.with_label_values(&["completion"]).inc_by(run.usage.completion_tokens);
        self.model_cost.inc_by(run.usage.cost_micros);
    }

    fn count_outcome(&self, outcome: &Outcome) {
        let name = match outcome {
            Outcome::Stored { .. } => "stored",
            Outcome::Merged { .. } => "merged",
            Outcome::Dropped(dropped) => {
                let reason = dropped.reason.as_str();
                self.dropped.with_label_values(&[dropped.stage.as_str(), reason]).inc();
                match dropped.stage {
                    Stage::Ground => self.hallucination_blocked.with_label_values(&[reason]).inc(),
                    Stage::Suppress => self.suppressed.with_label_values(&[reason]).inc(),
                    Stage::Prefilter
                    | Stage::Extract
                    | Stage::Scope
                    | Stage::Resolve
                    | Stage::Anchor
                    | Stage::Calibrate
                    | Stage::Reconcile
                    | Stage::Write => {}
                }
                "dropped"
            }
        };
        self.candidates.with_label_values(&[name]).inc();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_is_named_for_the_product_and_explained() {
        let metrics = Metrics::new().expect("no two metrics share a name");
        metrics.prime();
        for (name, help) in Metrics::ALL {
            assert!(name.starts_with("recall_"), "{name}");
            assert!(help.trim().ends_with('.'), "{name}: {help}");
        }
        let page = metrics.render();
        assert!(page.contains("recall_hallucination_blocked_total{reason=\"wrong_speaker\"} 0"));
        assert!(page.contains("recall_suppressed_total{reason=\"injection\"} 0"));
    }
}
