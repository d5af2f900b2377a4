//! Reprocessing runs that stand beside what is remembered.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum RunCommand {
    /// What a complete run says takes the place of what was said of the turns it read; one transaction a scope.
    Swap(SwapArgs),
    /// Give back what stood before a run, minus what was deleted since, plus what live calls added.
    Rollback(SwapArgs),
}

/// A run that is moved.
#[derive(Debug, Args)]
pub(crate) struct SwapArgs {
    /// `run_…`
    pub id: String,
    /// The tenant.
    #[arg(long, default_value = "default")]
    pub namespace: String,
    /// Why; stands in the audit log.
    #[arg(long)]
    pub reason: String,
    /// Only show what would change.
    #[arg(long)]
    pub dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
