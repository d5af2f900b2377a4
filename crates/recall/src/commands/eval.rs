//! `recall eval`: figures of the stages.

use super::say::say;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::cli::eval::GateArgs;
use crate::config::Config;
use crate::eval::gate::{Options, Report, run};
use crate::eval::second::Second;
use crate::wire;

/// Prints one row a file and metric, and what was skipped.
pub(super) fn gate(args: &GateArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let options = Options { data: args.data.clone(), cases: args.cases.clone(), stage: args.stage.clone() };
    let report = match &args.judge {
        Some(path) => seconded(&options, path, config)?,
        None => run(&options, None)?,
    };
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

/// Scores with a judge: what is open is asked, each claim by itself, then everything is scored with its answers.
fn seconded(options: &Options, path: &Path, config: &Config) -> anyhow::Result<Report> {
    let judge = wire::judge(config)?;
    let mut second = Second::open(path)?;
    run(options, Some(&second))?;
    let open = second.take_open();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut unanswered, mut tokens) = (0, 0);
    for (place, doubts) in open.iter().enumerate() {
        if place % 50 == 0 {
            say!("{place} of {} open claims asked", open.len());
        }
        match runtime.block_on(judge.judge(doubts, 0)) {
            Ok(judged) => {
                second.keep(doubts, &judged.opinions)?;
                tokens += judged.usage.prompt_tokens + judged.usage.completion_tokens;
            }
            Err(_) => unanswered += 1,
        }
    }
    say!("{} claims were open, {unanswered} got no answer, {tokens} tokens", open.len());
    run(options, Some(&second))
}
