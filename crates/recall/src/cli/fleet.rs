//! What an operator of the fleet may type: dead letters and the state of the workers.

use clap::{Args, Subcommand};

/// `recall dead …`
#[derive(Debug, Subcommand)]
pub(crate) enum DeadCommand {
    /// Dead letters, newest first, without words of people.
    List {
        /// Of this tenant only.
        #[arg(long)]
        namespace: Option<String>,
        /// Whose last error is transient, permanent or bug.
        #[arg(long)]
        class: Option<String>,
        /// At most this many.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// One dead letter with what happened to its call.
    Show {
        /// As `recall dead list` names it.
        id: String,
        /// Also print the message, which holds words of people.
        #[arg(long)]
        payload: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Send dead letters on: each goes behind what its session has waiting, with all its attempts. Asking again changes nothing.
    Requeue {
        /// As `recall dead list` names them.
        #[arg(required_unless_present = "all", conflicts_with = "all", value_name = "ID")]
        ids: Vec<String>,
        /// All of them, or all that the next three name, from the oldest on.
        #[arg(long)]
        all: bool,
        /// Of this tenant only.
        #[arg(long, requires = "all")]
        namespace: Option<String>,
        /// Whose last error is transient, permanent or bug.
        #[arg(long, requires = "all")]
        class: Option<String>,
        /// Whose last error has these words in it.
        #[arg(long, requires = "all", value_name = "WORDS")]
        reason: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Drop dead letters for good; their ids, the reason and who did it are kept.
    Drop {
        /// As `recall dead list` names them.
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        /// Why.
        #[arg(long)]
        reason: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum FleetCommand {
    /// Workers alive, partitions and their owners, what waits and for how long.
    Status(StatusArgs),
    /// Change the number of partitions while calls flow: nothing is lost, and each session keeps its order.
    Repartition {
        /// Queues per lane from now on: at least four for each worker you expect.
        #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
        partitions: u32,
    },
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Show it again every second until interrupted.
    #[arg(long)]
    pub watch: bool,
    /// Print JSON, with `--watch` one line each time.
    #[arg(long)]
    pub json: bool,
}
