//! `recall eval`: figures of the stages.

use super::say::say;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::cli::GateArgs;
use crate::eval::gate::{Options, run};

/// Prints one row a file and metric, and what was skipped.
pub(super) fn gate(args: &GateArgs) -> anyhow::Result<ExitCode> {
    let options = Options { data: args.data.clone(), cases: args.cases.clone(), stage: args.stage.clone() };
    let report = run(&options)?;
    say!("{:<44} {:>5}  {:<24} {:>7}  {:>16}", "file", "n", "metric", "value", "95 % of resamples");
    for file in &report.files {
        let name = format!("{}/{}", file.stage, file.file);
        for (metric, figure) in &file.metrics {
            say!(
                "{name:<44} {:>5}  {metric:<24} {:>7.4}  {:>7.4} {:>8.4}",
                file.n,
                figure.value,
                figure.low,
                figure.high
            );
        }
        file.wrong.iter().take(args.errors).for_each(|wrong| say!("    {wrong}"));
    }
    report.skipped.iter().for_each(|name| say!("{name:<44} skipped: no such file"));
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report.to_json())?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
