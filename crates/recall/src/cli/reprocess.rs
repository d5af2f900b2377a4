//! What may be typed about conversations in files: remembered here and now, or read as archives by a run.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::ScopeArgs;
use super::swap::SwapArgs;

#[derive(Debug, Args)]
pub(crate) struct RememberArgs {
    /// JSON or JSON lines of messages (OpenAI, ShareGPT or mem0 shape), exported chats, LoCoMo sessions, or plain `speaker: text`,
    /// with or without times.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub scope: ScopeArgs,
    /// The session; otherwise the conversation's own id, else the name of the file.
    #[arg(long)]
    pub session: Option<String>,
    /// IANA time zone of timestamps without offset, such as Europe/Lisbon.
    #[arg(long)]
    pub timezone: Option<String>,
    /// Keep each user turn as it stands, without a model.
    #[arg(long)]
    pub literal: bool,
    /// Turns of one call.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub turns_per_call: u16,
    /// Go on without the lines that cannot be read instead of refusing the file.
    #[arg(long)]
    pub skip_bad_lines: bool,
    /// Print `{"memories":[…],"traces":[…],"funnel":{…}}`.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReprocessArgs {
    /// Files, folders with all that is in them, or `-` for what is piped in; of the shapes `recall remember` reads, packed with gzip or
    /// zstd or not.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The tenant.
    #[arg(long, default_value = "default")]
    pub namespace: String,
    /// The person whose memory all of it is; otherwise each record names its own (`user_id`).
    #[arg(long, conflicts_with = "account")]
    pub user: Option<String>,
    /// The account whose memory all of it is.
    #[arg(long)]
    pub account: Option<String>,
    /// The agent the memory is kept for, where it is kept apart.
    #[arg(long)]
    pub agent: Option<String>,
    /// IANA time zone of timestamps without offset, such as Europe/Lisbon.
    #[arg(long)]
    pub timezone: Option<String>,
    /// TOML or JSON that says where things lie in records of another shape.
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Version of the extraction prompt; that of the namespace where absent.
    #[arg(long, value_name = "VERSION")]
    pub prompt: Option<String>,
    /// Turns of one call.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub turns_per_call: u16,
    /// Go on without the lines that cannot be read instead of refusing all.
    #[arg(long)]
    pub skip_bad: bool,
    /// Also read what this person had said before they were erased; any number of times.
    #[arg(long, value_name = "USER")]
    pub include_erased: Vec<String>,
    /// Put what the run says in the place of what was said of the turns it reads, once it is done; until then it stands beside, and
    /// `recall run rollback` gives back what stood before.
    #[arg(long)]
    pub replace: bool,
    /// Read everything anew though a run of the same command with --replace was done before; otherwise that one is swapped in again.
    #[arg(long, requires = "replace")]
    pub anew: bool,
    /// Only tell what would be read, and what it would take.
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask, whatever it takes.
    #[arg(long)]
    pub yes: bool,
    /// Ask before more model calls than this; reprocess.ask_above_calls where absent.
    #[arg(long, value_name = "N")]
    pub limit_calls: Option<u64>,
    /// Ask before a higher cost than this, in the currency of model.prices; reprocess.ask_above_cost where absent.
    #[arg(long, value_name = "COST")]
    pub limit_cost: Option<f64>,
    /// Go on with this run, and refuse where the command or the archives are not its own. The same command finds its unfinished run by
    /// itself.
    #[arg(long, value_name = "RUN")]
    pub resume: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// `recall run …`
#[derive(Debug, Subcommand)]
pub(crate) enum RunCommand {
    /// Reprocessing runs, newest first.
    List {
        /// The tenant.
        #[arg(long, default_value = "default")]
        namespace: String,
        /// At most this many.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// One run: what was asked for, how far it came, what it made, and its dead letters.
    Show(OneRunArgs),
    /// Feed no more of its calls; those that wait in the queue are still done.
    Pause(MoveArgs),
    /// Let it be fed again; a process that was feeding it goes on, else the same `recall reprocess` does.
    Resume(MoveArgs),
    /// Feed no more of its calls, and drop those that wait in the queue. What it made stays.
    Cancel(MoveArgs),
    /// What a complete run of `--replace` says takes the place of what was said of the turns it read; one transaction a scope.
    Swap(SwapArgs),
    /// Give back what stood before a run was swapped in, minus what was deleted since, plus what live calls added.
    Rollback(SwapArgs),
}

#[derive(Debug, Args)]
pub(crate) struct OneRunArgs {
    /// `run_…`
    pub id: String,
    /// The tenant.
    #[arg(long, default_value = "default")]
    pub namespace: String,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MoveArgs {
    #[command(flatten)]
    pub one: OneRunArgs,
    /// Why; kept with the run.
    #[arg(long)]
    pub reason: String,
}
