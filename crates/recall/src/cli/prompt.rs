//! The verbs about prompts.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum PromptCommand {
    /// The prompts there are: hash, tokens, where they come from, and which namespaces use them.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// One prompt: what a model is sent before the turns, and its changelog.
    Show(PromptArgs),
    /// Try a prompt: its files, its schema, and its examples at the gate; exit code 1 where it would not be taken.
    Check(PromptArgs),
    /// What differs between two prompts, file by file, and in tokens.
    Diff {
        /// As for `show`.
        a: String,
        /// As for `show`.
        b: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PromptArgs {
    /// NAME/VERSION such as extract/v1, a VERSION, or the folder of one; `check` also takes a folder of prompts.
    pub prompt: String,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
