//! `recall reprocess PATH…`: archives read again, checked and counted first, then fed to the bulk lane call by call.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use recall_core::id::BatchId;
use recall_core::scope::MAX_ID_BYTES;
use recall_store::batches::{BatchRecord, BatchStatus, NewBatch};
use recall_store::deed::Execution;
use recall_store::swap::{Standing, Swap};
use recall_store::{SqlStore, StoreError};
use serde_json::json;

use super::dead::age;
use super::feeding::Place;
use super::repair::deed;
use super::run::{money, tell};
use super::say::say;
use crate::archive::{self, Mapping, Whose};
use crate::cli::reprocess::ReprocessArgs;
use crate::config::Config;
use crate::reprocess::{self, Estimate, Fed, Identity, Job, Survey};
use crate::{door, prompts, wire};

/// Exit code for input that cannot be read.
const BAD_INPUT: u8 = 2;
/// Who did something, for trails.
const ACTOR: &str = "operator:local";

/// Checks, estimates, asks, and feeds a run to its end.
pub(super) async fn run(args: ReprocessArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let mut place = Place::open(config, args.dry_run).await?;
    let (job, command_hash) = job(&args, config, &place.store).await?;
    let archive_hash = reprocess::archive_hash(&job.inputs)?;
    let survey = reprocess::survey(&job, config)?;
    survey.told.iter().for_each(|line| eprintln!("{line}"));
    if survey.bad > 0 && !job.skip_bad {
        eprintln!("{} lines cannot be read; nothing was fed. Mend them, or leave them out with --skip-bad", survey.bad);
        return Ok(ExitCode::from(BAD_INPUT));
    }
    if args.dry_run {
        return estimated(&args, &survey);
    }
    let there = unfinished(&args, &place.store, (&command_hash, &archive_hash)).await?;
    if there.is_none() && args.replace && !args.anew {
        let done = place.store.done_batch(&args.namespace, &command_hash).await.map_err(wire::explained)?;
        if let Some(run) = done.filter(|run| run.archive_hash == archive_hash) {
            return done_before(&args, &place.store, run).await;
        }
    }
    let run = match there {
        Some(run) => resumed(&place.store, run).await?,
        None => {
            if !agreed(&args, config, &survey.estimate)? {
                return Ok(ExitCode::FAILURE);
            }
            begun(&place.store, &job, &survey, (&command_hash, &archive_hash)).await?
        }
    };
    let (namespace, id) = (run.namespace.clone(), run.id.clone());
    let job = Job { beside: job.replaces.then(|| id.clone()), ..job };
    let fed = place.feed(config, job, run, archive_hash).await?;
    ended(&args, &place.store, (&namespace, &id), fed).await
}

/// The same archives were read by the same command: what that said is put in its place where it is not, and nothing is read again.
async fn done_before(args: &ReprocessArgs, store: &SqlStore, run: BatchRecord) -> anyhow::Result<ExitCode> {
    eprintln!("{} has read the same; nothing is read again (--anew does)", run.id);
    let (namespace, id, dead) = (run.namespace.clone(), run.id.clone(), run.dead);
    swapped_in(store, (&namespace, &id), dead).await?;
    tell(store, run, args.json).await?;
    Ok(if dead == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Puts a run that is done in the place of what it read again; with dead letters that is for a person to decide.
async fn swapped_in(store: &SqlStore, whose: (&str, &BatchId), dead: u64) -> anyhow::Result<()> {
    if dead > 0 {
        eprintln!("{dead} calls are dead, so nothing was replaced; `recall run swap {}` does it without them", whose.1);
        return Ok(());
    }
    let swapped = store.swap(whose, (Swap::In, Execution::Real), &deed("reprocessed with --replace")?).await;
    let swapped = match swapped {
        Ok(swapped) => swapped,
        // Nothing of the archives was worth a call, so that there is nothing to put in any place.
        Err(StoreError::Missing(_)) => return Ok(()),
        Err(error) => return Err(wire::explained(error).context(format!("`recall run swap {}` goes on", whose.1))),
    };
    let Standing { calls, replaced, scopes, .. } = swapped.standing;
    eprintln!(
        "{calls} calls in {scopes} scopes count now in the place of {replaced}; `recall run rollback {}` gives those back",
        whose.1
    );
    Ok(())
}

/// What is to be read, and the hash of the command.
async fn job(args: &ReprocessArgs, config: &Config, store: &SqlStore) -> anyhow::Result<(Job, String)> {
    for id in [&args.user, &args.account, &args.agent].into_iter().flatten() {
        ensure!(
            !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.chars().any(char::is_control),
            "an id must be 1 to {MAX_ID_BYTES} bytes without control characters"
        );
    }
    let inputs = archive::inputs(&args.paths)
        .map_err(|(path, error)| anyhow::Error::new(error).context(format!("cannot read {}", path.display())))?;
    let mapping = args.map.as_deref().map(read_mapping).transpose()?;
    let (mapping_text, mapping) = mapping.map_or_else(Default::default, |(text, mapping)| (text, Some(mapping)));
    let settings = wire::settings(config)(&args.namespace);
    let library = prompts::library(config)?;
    let identity = Identity::of(&config.model, &library, (args.prompt.as_deref(), &settings))?;
    let erasures = match store.erasures(&args.namespace).await {
        Ok(erasures) => erasures,
        // Nothing is stored yet, so that nobody was erased.
        Err(_) if args.dry_run => recall_store::batches::Erasures::default(),
        Err(error) => return Err(wire::explained(error)),
    };
    let job = Job {
        inputs,
        mapping,
        namespace: args.namespace.clone(),
        whose: Whose { user_id: args.user.clone(), account_id: args.account.clone(), agent_id: args.agent.clone() },
        timezone: args.timezone.clone(),
        settings,
        turns_per_call: usize::from(args.turns_per_call),
        skip_bad: args.skip_bad,
        include_erased: args.include_erased.iter().cloned().collect(),
        erasures,
        identity,
        key: wire::keys(config)?.lasting().clone(),
        replaces: args.replace,
        beside: None,
    };
    let paths: Vec<String> = args.paths.iter().map(|path| path.display().to_string()).collect();
    let hash = job.command_hash(&paths, &mapping_text);
    Ok((job, hash))
}

/// The words of a mapping, which belong to the command, and the mapping itself.
fn read_mapping(path: &Path) -> anyhow::Result<(String, Mapping)> {
    let told = || format!("mapping {}", path.display());
    let text = std::fs::read_to_string(path).with_context(told)?;
    let mapping = Mapping::from_text(&text).with_context(told)?;
    Ok((text, mapping))
}

/// The run this command goes on with, where it began one and did not finish it.
async fn unfinished(
    args: &ReprocessArgs,
    store: &SqlStore,
    (command_hash, archive_hash): (&str, &str),
) -> anyhow::Result<Option<BatchRecord>> {
    let open = store.open_batch(&args.namespace, command_hash).await.map_err(wire::explained)?;
    if let Some(wanted) = &args.resume {
        let wanted: BatchId = wanted.parse().context("--resume")?;
        match &open {
            Some(run) if run.id == wanted => {}
            Some(_) | None => bail!(
                "{wanted} is no unfinished run of this command: a run is gone on with by the arguments, prompt and model it began with"
            ),
        }
    }
    if let Some(run) = &open {
        ensure!(
            run.archive_hash == archive_hash,
            "the archives changed since {} began with them; set them back, or `recall run cancel {}` and begin anew",
            run.id,
            run.id
        );
    }
    Ok(open)
}

async fn resumed(store: &SqlStore, run: BatchRecord) -> anyhow::Result<BatchRecord> {
    eprintln!("{} goes on: {} of {} calls are settled", run.id, run.settled, run.calls);
    if run.status == BatchStatus::Running {
        return Ok(run);
    }
    let by = (ACTOR, "the same command was given again");
    store.move_batch((&run.namespace, &run.id), BatchStatus::Running, by).await.map_err(wire::explained)
}

async fn begun(
    store: &SqlStore,
    job: &Job,
    survey: &Survey,
    (command_hash, archive_hash): (&str, &str),
) -> anyhow::Result<BatchRecord> {
    let mut spec = job.spec();
    if let Some(fields) = spec.as_object_mut() {
        fields.insert("bad_lines".into(), survey.bad.into());
        fields.insert("refused_turns".into(), survey.refused.into());
    }
    let batch = NewBatch {
        id: BatchId::new(door::fresh_ulid()),
        namespace: job.namespace.clone(),
        spec,
        command_hash: command_hash.to_owned(),
        archive_hash: archive_hash.to_owned(),
        calls: survey.calls,
        turns: survey.turns,
        actor: ACTOR.to_owned(),
        staged: job.replaces,
    };
    store.create_batch(&batch).await.map_err(wire::explained)?;
    eprintln!("{} begins: {} calls", batch.id, batch.calls);
    let run = store.batch(&batch.namespace, &batch.id).await.map_err(wire::explained)?;
    run.context("the run that was written down a moment ago is gone")
}

/// Prints what would be read and what it would take.
fn estimated(args: &ReprocessArgs, survey: &Survey) -> anyhow::Result<ExitCode> {
    if args.json {
        let all = json!({ "estimate": survey.estimate, "bad_lines": survey.bad, "refused_turns": survey.refused });
        say!("{}", serde_json::to_string_pretty(&all)?);
    } else {
        say!("{}", told(&survey.estimate));
        if survey.bad > 0 {
            say!("{} lines cannot be read and would be left out", survey.bad);
        }
        if survey.refused > 0 {
            say!(
                "{} turns were said before their person was erased and would be left out; --include-erased names a person",
                survey.refused
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn told(estimate: &Estimate) -> String {
    let Estimate { conversations, calls, turns, prompt_tokens, completion_tokens, cost_micros, seconds } = estimate;
    format!(
        "{conversations} conversations: at most {calls} model calls over {turns} turns, {prompt_tokens} + {completion_tokens} tokens, cost {}, {}",
        cost_micros.map_or_else(|| "unknown (model.prices has none for the model)".to_owned(), money),
        age(*seconds)
    )
}

/// Whether the run may begin: it takes little, was agreed to beforehand, or somebody says yes.
fn agreed(args: &ReprocessArgs, config: &Config, estimate: &Estimate) -> anyhow::Result<bool> {
    let most_calls = args.limit_calls.unwrap_or(config.reprocess.ask_above_calls);
    let most_cost = args.limit_cost.unwrap_or(config.reprocess.ask_above_cost);
    let cheap = match estimate.cost_micros {
        Some(micros) => micros as f64 / 1e6 <= most_cost,
        // Who sets a limit of their own wants to be asked where nobody can say whether it holds.
        None => args.limit_cost.is_none(),
    };
    if args.yes || (estimate.calls <= most_calls && cheap) {
        return Ok(true);
    }
    eprintln!("{}", told(estimate));
    eprintln!("that is not known to be within the limits of {most_calls} calls and a cost of {most_cost}");
    if !std::io::stdin().is_terminal() {
        eprintln!("nothing was begun; --yes begins it, --limit-calls and --limit-cost set the limits");
        return Ok(false);
    }
    eprint!("begin? [y/N] ");
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Closes a run that came to its end, and says how it stands.
async fn ended(args: &ReprocessArgs, store: &SqlStore, whose: (&str, &BatchId), fed: Fed) -> anyhow::Result<ExitCode> {
    if fed == Fed::Done {
        let done = store.move_batch(whose, BatchStatus::Done, (ACTOR, "every call came to its end")).await;
        if let Err(error) = done {
            // Another process that fed the same run was first, or it was cancelled in this moment.
            tracing::info!(error = &error as &dyn std::error::Error, "the run had ended");
        }
    }
    let run = store.batch(whose.0, whose.1).await.map_err(wire::explained)?;
    let run = run.context("the run is gone")?;
    let (status, dead) = (run.status, run.dead);
    if args.replace && status == BatchStatus::Done {
        swapped_in(store, whose, dead).await?;
    }
    tell(store, run, args.json).await?;
    if fed == Fed::Stopped {
        eprintln!("the same command goes on with it; `recall run cancel {}` ends it", whose.1);
    }
    Ok(if status == BatchStatus::Done && dead == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
