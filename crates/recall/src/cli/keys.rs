//! The verbs about keys of callers.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a key; its secret is printed this once.
    Create(KeyCreateArgs),
    /// Keys, newest first, revoked ones included; never their secrets.
    List {
        /// Of this tenant only ("*": the keys for every tenant).
        #[arg(long)]
        namespace: Option<String>,
        /// At most this many.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Give a key another secret, printed this once; the one before is taken a while longer.
    Rotate {
        /// `key_…`
        id: String,
        /// How long the secret before is taken, such as `24h` or `30m`; at most 30 days. `0s` ends it now.
        #[arg(long)]
        grace: String,
        #[command(flatten)]
        why: WhyArgs,
    },
    /// Take a key out of use for good; every process refuses it within 5 seconds.
    Revoke {
        /// `key_…`
        id: String,
        #[command(flatten)]
        why: WhyArgs,
    },
}

#[derive(Debug, Args)]
pub(crate) struct KeyCreateArgs {
    /// The tenant, or "*" for every one.
    #[arg(long, default_value = "default")]
    pub namespace: String,
    /// service, support, detector, agent, admin, or issuer (signs tokens of users).
    #[arg(long)]
    pub role: String,
    /// What people call it.
    #[arg(long)]
    pub label: String,
    /// Until when it is taken (RFC 3339).
    #[arg(long)]
    pub expires_at: Option<String>,
    #[command(flatten)]
    pub why: WhyArgs,
}

#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// Why; stands in the audit log.
    #[arg(long)]
    pub reason: String,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
