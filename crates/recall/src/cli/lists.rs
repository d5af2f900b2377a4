//! What is listed of memories and calls.

use clap::Args;

use super::OfArgs;

#[derive(Debug, Args)]
pub(crate) struct MemoryListArgs {
    #[command(flatten)]
    pub of: OfArgs,
    /// Written or added to by this trace.
    #[arg(long)]
    pub trace: Option<String>,
    /// About an entity of this name.
    #[arg(long)]
    pub subject: Option<String>,
    /// fact, preference, event or relation.
    #[arg(long = "type")]
    pub memory_type: Option<String>,
    /// active, superseded, disputed or expired.
    #[arg(long)]
    pub status: Option<String>,
    /// Those that were forgotten and can be restored.
    #[arg(long)]
    pub forgotten: bool,
    /// Whose content holds this text.
    #[arg(long)]
    pub text: Option<String>,
    /// At most this many.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TraceListArgs {
    #[command(flatten)]
    pub of: OfArgs,
    /// Committed at or after (RFC 3339).
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Committed before (RFC 3339).
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    /// queued, parked, done or dead.
    #[arg(long)]
    pub status: Option<String>,
    /// remember, literal or restate, of committed calls.
    #[arg(long)]
    pub operation: Option<String>,
    /// At most this many.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
