//! What the subcommands do. The only place that prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "commands speak to people and programs on a terminal")]

mod eval;
mod funnel;
mod memory;
mod remember;
mod serve;
mod table;
mod trace;
mod work;

use std::process::ExitCode;

use crate::cli::{Command, ConfigCommand, EvalCommand};
use crate::config::{self, Config};
use crate::wire;

/// Runs a subcommand.
///
/// # Errors
/// What went wrong, for people.
pub(crate) fn run(command: Command, config: Config) -> anyhow::Result<ExitCode> {
    match command {
        Command::Eval(EvalCommand::Gate(args)) => eval::gate(&args),
        Command::Config(ConfigCommand::Show) => show_config(&config),
        Command::Config(ConfigCommand::Default) => {
            print!("{}", config::DEFAULT);
            Ok(ExitCode::SUCCESS)
        }
        other => {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            runtime.block_on(run_awaited(other, config))
        }
    }
}

async fn run_awaited(command: Command, config: Config) -> anyhow::Result<ExitCode> {
    match command {
        Command::Remember(args) => remember::run(args, &config).await,
        Command::Serve => serve::run(&config).await,
        Command::Work => work::run(&config).await,
        Command::Trace(command) => trace::run(command, &config).await,
        Command::Memory(command) => memory::run(command, &config).await,
        Command::Migrate => migrate(&config).await,
        Command::Config(_) | Command::Eval(_) => Ok(ExitCode::SUCCESS),
    }
}

fn show_config(config: &Config) -> anyhow::Result<ExitCode> {
    print!("{}", toml::to_string(config)?);
    Ok(ExitCode::SUCCESS)
}

async fn migrate(config: &Config) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Work { address: String::new() })?;
    let applied = store.migrate().await.map_err(wire::explained)?;
    match applied.as_slice() {
        [] => println!("schema is up to date"),
        applied => applied.iter().for_each(|name| println!("applied {name}")),
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what went wrong, with its causes.
pub(crate) fn complain(error: &anyhow::Error) {
    eprintln!("recall: {error:#}");
}

/// Ends on SIGTERM or Ctrl-C; a second one leaves at once.
async fn stopped() {
    let mut term = match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(term) => term,
        Err(error) => {
            tracing::error!(error = %error, "SIGTERM cannot be listened to");
            return;
        }
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

/// Leaves at the next signal, whatever is in flight: it goes back to its queue.
async fn leave_at_second_signal() {
    stopped().await;
    tracing::warn!("second signal; leaving with calls in flight, which go back to the queue");
    std::process::exit(130);
}
