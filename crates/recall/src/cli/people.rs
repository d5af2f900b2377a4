//! The verbs about people and things: entities, and what is kept of one person.

use clap::{Args, Subcommand};

use super::ScopeArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum EntityCommand {
    /// Entities of a person or account, newest first.
    List {
        #[command(flatten)]
        scope: ScopeArgs,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Pairs that may be one: names alike, of one kind, with five memories together.
    Duplicates {
        #[command(flatten)]
        scope: ScopeArgs,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Rename one, or change its kind or other names.
    Update(EntityUpdateArgs),
    /// Make one part of another.
    Merge {
        /// `ent_…` that becomes part of the other.
        id: String,
        /// `ent_…` it becomes part of.
        #[arg(long)]
        into: String,
        #[command(flatten)]
        because: BecauseArgs,
    },
    /// Take a merged one out of the other again.
    Unmerge {
        /// `ent_…` that became part of another.
        id: String,
        #[command(flatten)]
        because: BecauseArgs,
    },
}

/// Where and why.
#[derive(Debug, Args)]
pub(crate) struct BecauseArgs {
    /// The tenant.
    #[arg(long, default_value = "default")]
    pub namespace: String,
    /// Why; stands in the audit log.
    #[arg(long)]
    pub reason: String,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EntityUpdateArgs {
    /// `ent_…`
    pub id: String,
    /// Another main name.
    #[arg(long)]
    pub name: Option<String>,
    /// person, animal, place, organisation, thing or unknown.
    #[arg(long)]
    pub kind: Option<String>,
    /// Another name learnt.
    #[arg(long)]
    pub add_alias: Vec<String>,
    /// Another name that is not theirs.
    #[arg(long)]
    pub remove_alias: Vec<String>,
    #[command(flatten)]
    pub because: BecauseArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PersonCommand {
    /// What is remembered of a person or account, one JSON object a line: memories that were not forgotten, entities, suppressed
    /// claims, and the audit log, each with its `kind`. Traces, windows of sessions and calls that wait are not in it.
    Export {
        #[command(flatten)]
        scope: ScopeArgs,
    },
    /// Take away every word and id of a person or account; the receipt is printed, and says so where nothing was found.
    Erase {
        #[command(flatten)]
        scope: ScopeArgs,
        /// Another name the person speaks under in scopes of accounts, as turns give it; may be given several times.
        #[arg(long)]
        named: Vec<String>,
        /// Why; stands in the audit log.
        #[arg(long)]
        reason: String,
        /// Only tell what would be taken away.
        #[arg(long)]
        dry_run: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}
