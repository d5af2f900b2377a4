//! `recall eval prompts` and `recall eval memory`: two versions against each other, or one against what people found.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use recall_core::prompt::Library;
use serde_json::json;

use super::say::say;
use crate::cli::eval::{MemoryArgs, PromptsArgs, ReadArgs};
use crate::config::{Config, Provider};
use crate::eval::compare::conditions::Condition;
use crate::eval::compare::lab::{Arm, Lab, Replies};
use crate::eval::compare::matching::{Agreement, agreement};
use crate::eval::compare::report::{Made, Report};
use crate::eval::compare::run::{Manner, run};
use crate::eval::compare::set::{self, Conversation};
use crate::eval::compare::statistics::Effort;
use crate::eval::compare::trial::{Side, Trial};
use crate::eval::compare::{by_labels, headline, judge, page, text};
use crate::prompts;

/// Exit code for a condition that cannot be read or decided, and where one is given for a comparison that did not come to its end:
/// 1 is left to a condition that holds.
const BAD_CONDITION: u8 = 2;

/// Compares two versions.
pub(super) async fn versions(args: PromptsArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let conditions: Vec<Condition> = match args.fail_if.iter().map(|text| Condition::read(text)).collect() {
        Ok(conditions) => conditions,
        Err(error) => {
            eprintln!("{error}");
            return Ok(ExitCode::from(BAD_CONDITION));
        }
    };
    match compared(&args, config).await {
        Ok(report) => judged(&conditions, &report),
        Err(error) if !conditions.is_empty() => {
            super::complain(&error);
            Ok(ExitCode::from(BAD_CONDITION))
        }
        Err(error) => Err(error),
    }
}

/// The comparison, told and written where it is wanted.
async fn compared(args: &PromptsArgs, config: &Config) -> anyhow::Result<Report> {
    let library = prompts::library(config)?;
    let arms = arms(args, &library)?;
    let conversations = conversations(&args.read)?;
    let matcher = matcher(&args.read)?;
    let replies = Replies::new(config, args.read.tape.as_deref())?;
    let trials = trials(&arms, &conversations, &args.read, &replies, config).await?;
    let made = Made {
        arms: &arms,
        repeats: args.read.repeats,
        turns_per_call: usize::from(args.read.turns_per_call),
        effort: Effort::default(),
        recorded: replies.headers()?,
        matcher,
    };
    let report = Report::new(made, &conversations, trials);
    say!("{}", text::lines(&report));
    if let Some(path) = &args.json {
        write(path, &serde_json::to_string_pretty(&report)?)?;
    }
    if let Some(path) = &args.html {
        write(path, &page::page(&report)?)?;
    }
    Ok(report)
}

/// Measures one version.
pub(super) async fn memory(args: MemoryArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let library = prompts::library(config)?;
    let version = args.prompt.unwrap_or_else(|| config.settings.prompt_version.clone());
    let prompt = Arc::clone(library.extract(&version)?);
    let arm = Arm { side: Side::A, prompt, model: args.model, first_sample: 0 };
    let conversations = conversations(&args.read)?;
    let replies = Replies::new(config, args.read.tape.as_deref())?;
    let trials = trials(&[arm], &conversations, &args.read, &replies, config).await?;
    let figures = headline(&conversations, &trials, Effort { swaps: 0, ..Effort::default() });
    if args.json {
        let rows = figures.iter().map(|(measure, figure)| (measure.name.to_owned(), json!(figure)));
        let rows: serde_json::Map<String, serde_json::Value> = rows.collect();
        let all = json!({ "prompt": version, "conversations": conversations.len(), "figures": rows });
        say!("{}", serde_json::to_string_pretty(&all)?);
        return Ok(ExitCode::SUCCESS);
    }
    say!(
        "prompt {version}, {} conversations, intervals hold 95 % of the resamples of whole conversations",
        conversations.len()
    );
    for (measure, figure) in figures {
        let shown = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{:.1} %", value * 100.0));
        say!("{:<40} {:>8}  {} to {}", measure.title, shown(figure.value), shown(figure.low), shown(figure.high));
    }
    Ok(ExitCode::SUCCESS)
}

/// Where both arms are alike, each has answers of its own: their difference is what chance makes.
fn arms(args: &PromptsArgs, library: &Library) -> anyhow::Result<[Arm; 2]> {
    let alike = args.a == args.b && args.model_a == args.model_b;
    let own = if alike { args.read.repeats } else { 0 };
    let arm = |side, version: &str, model: &Option<String>, first_sample| -> anyhow::Result<Arm> {
        let prompt = Arc::clone(library.extract(version)?);
        Ok(Arm { side, prompt, model: model.clone(), first_sample })
    };
    Ok([arm(Side::A, &args.a, &args.model_a, 0)?, arm(Side::B, &args.b, &args.model_b, own)?])
}

fn conversations(args: &ReadArgs) -> anyhow::Result<Vec<Conversation>> {
    let mut conversations = set::read(&args.data)?;
    if let Some(unknown) = args.only.iter().find(|id| conversations.iter().all(|one| one.id != **id)) {
        bail!("--only {unknown}: there is no such conversation");
    }
    conversations.retain(|conversation| args.only.is_empty() || args.only.contains(&conversation.id));
    Ok(conversations)
}

/// Pairs that were named, or those that lie beside a folder of conversations.
fn matcher(args: &ReadArgs) -> anyhow::Result<Option<Agreement>> {
    let beside = |path: &PathBuf| Some(path.parent()?.join("matching").join("pairs.jsonl"));
    let found = args.data.iter().filter_map(beside).find(|path| path.is_file());
    args.pairs.clone().or(found).map(|path| agreement(&path)).transpose()
}

/// Runs the arms, then says what everything that was stored is.
async fn trials(
    arms: &[Arm],
    conversations: &[Conversation],
    args: &ReadArgs,
    replies: &Replies<'_>,
    config: &Config,
) -> anyhow::Result<Vec<Trial>> {
    let lab = Lab::open(&config.settings, prompts::library(config)?).await?;
    if config.model.provider == Provider::Rules && args.tape.is_none() {
        eprintln!("No model is asked: provider \"rules\" reads no prompt, so that prompts do not differ with it.");
    }
    let manner = Manner { turns_per_call: usize::from(args.turns_per_call), at_once: config.worker.concurrency };
    let readings = conversations.len().saturating_mul(usize::try_from(args.repeats).unwrap_or(usize::MAX));
    let progress = bar(readings, "conversations");
    let mut trials = run(&lab, &replies.models(arms, args.repeats)?, manner, conversations, &progress).await?;
    progress.finish_and_clear();
    by_labels(&mut trials, conversations);
    if args.judge.is_some() && [String::new(), config.model.model.clone()].contains(&config.model.judge_model) {
        eprintln!(
            "The judge is the model that reads: it may take its own mistakes for right. Set model.judge_model to another."
        );
    }
    let progress = bar(0, "memories judged");
    let asked = judge::decide(&mut trials, conversations, (args.judge.as_deref(), config), &progress).await?;
    progress.finish_and_clear();
    if asked.asked > 0 {
        eprintln!(
            "the judge was asked about {} memories, {} tokens; {} got no answer",
            asked.asked, asked.tokens, asked.silent
        );
    }
    Ok(trials)
}

fn bar(length: usize, what: &'static str) -> ProgressBar {
    let progress = ProgressBar::new(u64::try_from(length).unwrap_or(u64::MAX));
    if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left")) {
        progress.set_style(style);
    }
    progress
}

fn write(path: &std::path::Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn judged(conditions: &[Condition], report: &Report) -> anyhow::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for condition in conditions {
        match condition.holds(report) {
            Ok(false) => {}
            Ok(true) => {
                eprintln!("fails: {condition}");
                code = ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("{error}");
                return Ok(ExitCode::from(BAD_CONDITION));
            }
        }
    }
    Ok(code)
}
