//! What the subcommands do. The only place that prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "commands speak to people and programs on a terminal")]

mod compare;
mod dead;
mod eval;
mod feeding;
mod fleet;
mod funnel;
mod history;
mod keys;
mod memory;
mod pages;
mod people;
mod places;
mod prompt;
mod remember;
mod remote;
mod repair;
mod reprocess;
mod run;
mod say;
mod serve;
mod swap;
mod table;
mod trace;
mod work;

use std::process::ExitCode;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use recall_store::Store as _;

use crate::cli::eval::EvalCommand;
use crate::cli::fleet::FleetCommand;
use crate::cli::{Command, ConfigCommand};
use crate::config::{self, Config};
use crate::wire;
use say::say;

/// Runs a subcommand.
///
/// # Errors
/// What went wrong, for people.
pub(crate) fn run(command: Command, config: Config) -> anyhow::Result<ExitCode> {
    match command {
        Command::Eval(EvalCommand::Gate(args)) => eval::gate(&args, &config),
        Command::Config(ConfigCommand::Show) => show_config(&config),
        Command::Config(ConfigCommand::Default) => {
            say!("{}", config::DEFAULT);
            Ok(ExitCode::SUCCESS)
        }
        command @ (Command::Eval(EvalCommand::Prompts(_) | EvalCommand::Memory(_))
        | Command::Remember(_)
        | Command::Reprocess(_)
        | Command::Run(_)
        | Command::Serve
        | Command::Work
        | Command::Trace(_)
        | Command::Memory(_)
        | Command::Dead(_)
        | Command::Fleet(_)
        | Command::Suppression(_)
        | Command::Entity(_)
        | Command::Person(_)
        | Command::Disputes(_)
        | Command::Audit(_)
        | Command::Prompt(_)
        | Command::Key(_)
        | Command::Migrate) => {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            runtime.block_on(run_awaited(command, config))
        }
    }
}

async fn run_awaited(command: Command, config: Config) -> anyhow::Result<ExitCode> {
    match command {
        Command::Remember(args) => remember::run(args, &config).await,
        Command::Reprocess(args) => reprocess::run(args, &config).await,
        Command::Run(command) => run::run(command, &config).await,
        Command::Serve => serve::run(&config).await,
        Command::Work => work::run(&config).await,
        Command::Trace(command) => trace::run(command, &config).await,
        Command::Memory(command) => memory::run(command, &config).await,
        Command::Dead(command) => dead::run(command, &config).await,
        Command::Fleet(FleetCommand::Status(args)) => fleet::status(&config, &args).await,
        Command::Fleet(FleetCommand::Repartition { partitions }) => fleet::repartition(&config, partitions).await,
        Command::Suppression(command) => repair::suppression(command, &config).await,
        Command::Entity(command) => people::entity(command, &config).await,
        Command::Person(command) => people::person(command, &config).await,
        Command::Disputes(args) => history::disputes(args, &config).await,
        Command::Audit(args) => history::audit(args, &config).await,
        Command::Prompt(command) => prompt::run(command, &config).await,
        Command::Key(command) => keys::run(command, &config).await,
        Command::Migrate => migrate(&config).await,
        Command::Eval(EvalCommand::Prompts(args)) => compare::versions(*args, &config).await,
        Command::Eval(EvalCommand::Memory(args)) => compare::memory(args, &config).await,
        Command::Config(_) | Command::Eval(EvalCommand::Gate(_)) => Ok(ExitCode::SUCCESS),
    }
}

fn show_config(config: &Config) -> anyhow::Result<ExitCode> {
    say!("{}", toml::to_string(config)?);
    Ok(ExitCode::SUCCESS)
}

async fn migrate(config: &Config) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Work { address: String::new() })?;
    let applied = store.migrate().await.map_err(wire::explained)?;
    match applied.as_slice() {
        [] => say!("schema is up to date"),
        applied => applied.iter().for_each(|name| say!("applied {name}")),
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what went wrong, with its causes.
pub(crate) fn complain(error: &anyhow::Error) {
    eprintln!("recall: {error:#}");
}

/// Ends once SIGTERM or Ctrl-C came or everything was asked to stop. A second signal leaves at once: what is in flight goes back to
/// its queue. Signals have a thread of their own, so that they are heard however busy the others are.
async fn signalled(stop: CancellationToken) {
    let asked = stop.clone();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let heard = runtime.and_then(|runtime| runtime.block_on(listen(&asked)));
        if let Err(error) = heard {
            tracing::error!(error = %error, "signals cannot be listened to");
        }
    });
    stop.cancelled().await;
}

async fn listen(stop: &CancellationToken) -> std::io::Result<()> {
    let mut signals = Signals::listen()?;
    signals.next().await;
    tracing::info!("stopping; a second signal leaves at once");
    stop.cancel();
    signals.next().await;
    std::process::exit(130);
}

struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
