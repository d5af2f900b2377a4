//! The command line.

pub(crate) mod eval;
pub(crate) mod fleet;
pub(crate) mod keys;
pub(crate) mod lists;
pub(crate) mod people;
pub(crate) mod prompt;
pub(crate) mod repair;
pub(crate) mod reprocess;
pub(crate) mod swap;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use recall_core::scope::Owner;

use eval::EvalCommand;
use fleet::{DeadCommand, FleetCommand};
use keys::KeyCommand;
use lists::{MemoryListArgs, TraceListArgs};
use people::{EntityCommand, PersonCommand};
use prompt::PromptCommand;
use repair::{
    AuditArgs, CallsArgs, DeedArgs, DisputesArgs, DoubtArgs, OneArgs, SuppressionCommand, ThoughtArgs, UpdateArgs,
};
use reprocess::{RememberArgs, ReprocessArgs, RunCommand};

/// Recall: long-term memory for chat products, each memory proven from what was said.
#[derive(Debug, Parser)]
#[command(name = "recall", version, arg_required_else_help = true, propagate_version = true)]
pub(crate) struct Cli {
    /// Settings laid over the defaults (`recall config default` prints them).
    #[arg(long, global = true, value_name = "FILE", env = "RECALL_CONFIG")]
    pub config: Option<PathBuf>,
    /// One setting laid over all others, such as `--set model.provider=openai`.
    #[arg(long, global = true, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Process conversations of files now, here, and show what was remembered and what was blocked.
    Remember(RememberArgs),
    /// Read archives again, under another prompt or model or for the first time; stopped at any point, the same command goes on.
    Reprocess(ReprocessArgs),
    /// Look at reprocessing runs; pause, resume and cancel them, swap them in and roll them back.
    #[command(subcommand)]
    Run(RunCommand),
    /// Serve the HTTP API; with the embedded queue also work it.
    Serve,
    /// Work the queue: one process of the fleet.
    Work,
    /// Look at calls; take back what they said.
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Look at memories; forget, delete, correct and settle them.
    #[command(subcommand)]
    Memory(MemoryCommand),
    /// Look at calls that could not be done, send them on or drop them.
    #[command(subcommand)]
    Dead(DeadCommand),
    /// Look at the workers and what waits for them.
    #[command(subcommand)]
    Fleet(FleetCommand),
    /// Claims that must not be learnt again.
    #[command(subcommand)]
    Suppression(SuppressionCommand),
    /// People and things memories are about: rename, merge, take apart.
    #[command(subcommand)]
    Entity(EntityCommand),
    /// One person: export what is remembered, erase everything kept.
    #[command(subcommand)]
    Person(PersonCommand),
    /// Open disputes, both sides shown.
    Disputes(DisputesArgs),
    /// Who changed what, and why.
    Audit(AuditArgs),
    /// What models are asked with: list, show, try and compare prompts.
    #[command(subcommand)]
    Prompt(PromptCommand),
    /// Keys of callers: make, list, rotate, revoke.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Bring the database schema up to date.
    Migrate,
    /// Look at the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Score the stages on labelled rows, measure memories end to end, compare prompts.
    #[command(subcommand)]
    Eval(EvalCommand),
}

#[derive(Debug, Args)]
pub(crate) struct ScopeArgs {
    /// The tenant.
    #[arg(long, default_value = "default")]
    pub namespace: String,
    /// The person whose memory it is.
    #[arg(long, default_value = "local", conflicts_with = "account")]
    pub user: String,
    /// The account whose memory it is.
    #[arg(long)]
    pub account: Option<String>,
    /// The agent the memory is kept for, where it is kept apart.
    #[arg(long)]
    pub agent: Option<String>,
}

/// Whose rows are listed or moved: all of a tenant, or one owner's.
#[derive(Debug, Args)]
pub(crate) struct OfArgs {
    /// The tenant.
    #[arg(long, default_value = "default")]
    pub namespace: String,
    /// Of this person only.
    #[arg(long, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    user: Option<String>,
    /// Of this account only.
    #[arg(long, conflicts_with = "user", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    account: Option<String>,
}

impl OfArgs {
    /// The only owner.
    pub(crate) fn owner(&self) -> Option<Owner> {
        self.user.clone().map(Owner::User).or(self.account.clone().map(Owner::Account))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// One call: turns, candidates with their verdicts, spans.
    Show {
        /// `trc_…`
        id: String,
        /// The tenant.
        #[arg(long, default_value = "default")]
        namespace: String,
        /// Print the whole trace as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Calls of a namespace, newest first.
    List(TraceListArgs),
    /// Take back all that calls said: named ones, of a person, of a window, of a prompt version.
    Forget(CallsArgs),
    /// Restore all that calls said.
    Restore(CallsArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// Memories of a namespace, newest first.
    List(MemoryListArgs),
    /// One memory with its whole proof.
    Show {
        /// `mem_…`
        id: String,
        /// The tenant.
        #[arg(long, default_value = "default")]
        namespace: String,
    },
    /// Its whole story: turns, quotes, model and prompt, each stage's verdict, and who changed it since.
    Why(OneArgs),
    /// It does not count any more; it can be restored, and may be learnt again.
    Forget(DeedArgs),
    /// A forgotten memory counts again.
    Restore(DeedArgs),
    /// Its words leave every row for good, and the claim is not learnt again.
    Delete(DeedArgs),
    /// Tell it anew; the old one stays as history.
    Update(UpdateArgs),
    /// Doubt it, or set it against another.
    Dispute(DoubtArgs),
    /// Settle its disputes in its favour.
    Settle(DeedArgs),
    /// Note what somebody thought of it.
    Feedback(ThoughtArgs),
    /// Note that they were read.
    Touch {
        /// `mem_…`
        #[arg(required = true)]
        ids: Vec<String>,
        /// The tenant.
        #[arg(long, default_value = "default")]
        namespace: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Every setting as it is in force; secrets are not shown.
    Show,
    /// The built-in defaults with their explanations.
    Default,
}
