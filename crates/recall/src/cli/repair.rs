//! The verbs that change what is remembered, and those that show who changed it.

use clap::{Args, Subcommand, ValueEnum};

use super::{OfArgs, ScopeArgs};

/// One memory, one tenant.
#[derive(Debug, Args)]
pub(crate) struct OneArgs {
    /// `mem_…`
    pub id: String,
    /// The tenant.
    #[arg(long, default_value = "default")]
    pub namespace: String,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A deed on one memory.
#[derive(Debug, Args)]
pub(crate) struct DeedArgs {
    #[command(flatten)]
    pub one: OneArgs,
    /// Why; stands in the audit log.
    #[arg(long)]
    pub reason: String,
}

#[derive(Debug, Args)]
pub(crate) struct UpdateArgs {
    #[command(flatten)]
    pub deed: DeedArgs,
    /// One sentence that takes the place of the old one.
    #[arg(long)]
    pub content: Option<String>,
    /// What it claims of its subject; as before where absent.
    #[arg(long, requires = "content")]
    pub attribute: Option<String>,
    /// The value it claims; read from the sentence where absent.
    #[arg(long, requires = "content")]
    pub value: Option<String>,
    /// When it stops counting (RFC 3339).
    #[arg(long)]
    pub expires_at: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DoubtArgs {
    #[command(flatten)]
    pub deed: DeedArgs,
    /// The memory that says otherwise.
    #[arg(long)]
    pub with: Option<String>,
}

/// What somebody thought of a memory.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Thought {
    Useful,
    Wrong,
    Stale,
}

#[derive(Debug, Args)]
pub(crate) struct ThoughtArgs {
    #[command(flatten)]
    pub one: OneArgs,
    /// What somebody thought of it.
    #[arg(long)]
    pub feedback: Thought,
}

/// Which calls are taken back or restored; at least one condition.
#[derive(Debug, Args)]
pub(crate) struct CallsArgs {
    /// `trc_…`, any number of them.
    pub ids: Vec<String>,
    #[command(flatten)]
    pub of: OfArgs,
    /// Committed at or after (RFC 3339).
    #[arg(long)]
    pub since: Option<String>,
    /// Committed before (RFC 3339).
    #[arg(long)]
    pub until: Option<String>,
    /// Read with this version of the prompt.
    #[arg(long)]
    pub prompt_version: Option<String>,
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

#[derive(Debug, Subcommand)]
pub(crate) enum SuppressionCommand {
    /// Suppressed claims of a person or account; they hold no word of what was claimed.
    List {
        #[command(flatten)]
        scope: ScopeArgs,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Suppress what a sentence claims.
    Add {
        /// One sentence in the third person, such as `User owns a shotgun`.
        text: String,
        #[command(flatten)]
        scope: ScopeArgs,
        /// Why; stands in the audit log.
        #[arg(long)]
        reason: String,
    },
    /// Let a claim be learnt again.
    Lift {
        /// `rsp_…`
        id: String,
        /// The tenant.
        #[arg(long, default_value = "default")]
        namespace: String,
        /// Why; stands in the audit log.
        #[arg(long)]
        reason: String,
    },
    /// Would this sentence be kept out, and by which entry?
    Test {
        /// One sentence in the third person.
        text: String,
        #[command(flatten)]
        scope: ScopeArgs,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub of: OfArgs,
    /// About this memory.
    #[arg(long)]
    pub memory: Option<String>,
    /// Brought about by this call.
    #[arg(long)]
    pub trace: Option<String>,
    /// Of this kind: insert, merge, supersede, update, forget, delete, restore, dispute, settle, …
    #[arg(long)]
    pub event: Option<String>,
    /// By this actor, such as api_key:desk.
    #[arg(long)]
    pub actor: Option<String>,
    /// At or after (RFC 3339).
    #[arg(long)]
    pub since: Option<String>,
    /// Before (RFC 3339).
    #[arg(long)]
    pub until: Option<String>,
    /// At most this many.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DisputesArgs {
    #[command(flatten)]
    pub of: OfArgs,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
