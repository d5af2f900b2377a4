//! Arguments of `recall eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Score every stage on a folder of labelled rows, with both kinds of error.
    Gate(GateArgs),
    /// Compare two versions of the extraction prompt, or two models, on the same conversations; nothing is written to memories.
    Prompts(Box<PromptsArgs>),
    /// The four headline figures end to end: memories supported, gold facts found, falsehoods resisted, right facts blocked.
    Memory(MemoryArgs),
}

#[derive(Debug, Args)]
pub(crate) struct GateArgs {
    /// Folder with one folder a stage.
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// Folder of the gate cases, where it is not `cases` under the data.
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// Only this stage folder.
    #[arg(long)]
    pub stage: Option<String>,
    /// Also write the scores as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// List this many wrong rows of each file.
    #[arg(long, default_value_t = 0)]
    pub errors: usize,
    /// Ask the judge of the configuration about what grounding leaves open; its answers are kept in this file and not asked again.
    #[arg(long, value_name = "FILE")]
    pub judge: Option<PathBuf>,
}

/// What is read, and how.
#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// Conversations: labelled ones (eval/README.md), or any archive; files or folders.
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    pub data: Vec<PathBuf>,
    /// Only these conversations.
    #[arg(long, num_args = 1.., value_name = "ID")]
    pub only: Vec<String>,
    /// The tape: replies it holds are played, others asked of the configured model (provider "openai") and kept in it. Without such a
    /// model a reply that is missing is an error. It holds words of people.
    #[arg(long, value_name = "FILE")]
    pub tape: Option<PathBuf>,
    /// How often each conversation is read, with answers of its own each time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub repeats: u32,
    /// Turns of one call.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub turns_per_call: u16,
    /// Ask the judge of the configuration (model.judge_model) about each memory that no label decides; its answers are kept in this
    /// file and not asked again.
    #[arg(long, value_name = "FILE")]
    pub judge: Option<PathBuf>,
    /// Pairs judged by hand, to hold the matcher against; otherwise matching/pairs.jsonl beside a folder of conversations.
    #[arg(long, value_name = "FILE")]
    pub pairs: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PromptsArgs {
    /// Version of the extraction prompt in use.
    #[arg(long, value_name = "VERSION")]
    pub a: String,
    /// Version that may take its place.
    #[arg(long, value_name = "VERSION")]
    pub b: String,
    #[command(flatten)]
    pub read: ReadArgs,
    /// Model of arm a, where it is not the configured one.
    #[arg(long, value_name = "MODEL")]
    pub model_a: Option<String>,
    /// Model of arm b, where it is not the configured one.
    #[arg(long, value_name = "MODEL")]
    pub model_b: Option<String>,
    /// Also write everything as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Also write a page for people, all in one file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Exit with 1 where this holds, such as "precision_b < precision_a - 0.01"; may be given several times.
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MemoryArgs {
    #[command(flatten)]
    pub read: ReadArgs,
    /// Version of the extraction prompt; otherwise that of the configuration.
    #[arg(long, value_name = "VERSION")]
    pub prompt: Option<String>,
    /// Model, where it is not the configured one.
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Print the four figures as JSON.
    #[arg(long)]
    pub json: bool,
}
