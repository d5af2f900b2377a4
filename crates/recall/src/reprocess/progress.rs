//! How far a run is, for people who watch it.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use recall_store::batches::{BatchRecord, BatchStatus};

/// What a run came to so far, and what keeps it.
pub(super) fn told(run: &BatchRecord, status: BatchStatus, trouble: Option<&str>) -> String {
    let cost = run.usage.cost_micros as f64 / 1e6;
    let mut told = format!("{} memories, cost {cost:.2}, {} dead", run.stored, run.dead);
    if status != BatchStatus::Running {
        told.push_str(&format!(", {}", status.as_str()));
    }
    if let Some(trouble) = trouble {
        told.push_str(&format!(", waits: {trouble}"));
    }
    told
}

/// A bar that stands where the run does.
pub(super) fn bar(run: &BatchRecord) -> ProgressBar {
    let bar = ProgressBar::new(run.calls);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} calls, {rate}/s, {eta} left, {msg}") {
        // The bar's own rate has four decimals.
        let rate = |state: &ProgressState, out: &mut dyn Write| _ = write!(out, "{:.0}", state.per_sec());
        bar.set_style(style.with_key("rate", rate));
    }
    bar.set_position(run.settled);
    bar.reset_eta();
    bar
}
