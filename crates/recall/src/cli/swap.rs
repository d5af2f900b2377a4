//! Reprocessing runs that stand beside what is remembered.

use clap::Args;

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
