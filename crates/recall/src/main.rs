//! The one binary: `recall`.

mod api;
mod archive;
mod cli;
mod clock;
mod commands;
mod config;
mod cut;
mod door;
mod eval;
mod export;
mod fleet;
mod generations;
mod keys;
mod letters;
mod prompts;
mod reprocess;
mod secrets;
mod telemetry;
mod view;
mod wire;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(error) => {
            commands::complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(cli: cli::Cli) -> anyhow::Result<ExitCode> {
    let config = config::load(cli.config.as_deref(), &cli.set)?;
    let _telemetry = telemetry::start(&config.telemetry)?;
    commands::run(cli.command, config)
}
