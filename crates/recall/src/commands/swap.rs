//! Swapping a reprocessing run in, and rolling it back.

use std::process::ExitCode;

use anyhow::Context as _;
use recall_core::id::BatchId;
use recall_store::deed::Execution;
use recall_store::swap::{Standing, Swap};

use super::repair::{deed, print, store, tell};
use super::say::say;
use crate::cli::swap::SwapArgs;
use crate::config::Config;
use crate::view::swap::SwappedView;
use crate::wire;

/// Moves a run one way.
pub(super) async fn moved(args: SwapArgs, way: Swap, config: &Config) -> anyhow::Result<ExitCode> {
    let id: BatchId = args.id.parse().context("the id of a run")?;
    let execution = if args.dry_run { Execution::DryRun } else { Execution::Real };
    let (deed, store) = (deed(&args.reason)?, store(config).await?);
    let run = (args.namespace.as_str(), &id);
    let swapped = match store.swap(run, (way, execution), &deed).await {
        Ok(swapped) => swapped,
        Err(error) => {
            let standing = store.standing(run).await.ok();
            let error = wire::explained(error);
            // Of a run that is not there, or never stood aside, there is nothing to go on with.
            return Err(match standing {
                Some(standing) => error.context(format!("{}ask again to go on", far(standing))),
                None => error,
            });
        }
    };
    if args.json {
        return print(&SwappedView::of(swapped, args.dry_run));
    }
    if args.dry_run {
        say!("dry run: nothing was changed");
    }
    say!("{}{} moved now", far(swapped.standing), swapped.scopes);
    tell(swapped.repaired, false)
}

/// How far a run is, for people.
fn far(standing: Standing) -> String {
    let Standing { calls, scopes, swapped, replaced } = standing;
    format!("{calls} calls of the run; in {swapped} of {scopes} scopes they count, in the place of {replaced} calls; ")
}
