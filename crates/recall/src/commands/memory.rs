//! `recall memory`: what is remembered.

use std::process::ExitCode;

use anyhow::Context as _;
use recall_store::Store as _;
use recall_store::deed::Turn;
use recall_store::record::MemoryFilter;
use serde::de::DeserializeOwned;

use super::say::say;
use super::{history, pages, repair, table};
use crate::cli::MemoryCommand;
use crate::cli::lists::MemoryListArgs;
use crate::config::Config;
use crate::view::MemoryView;
use crate::wire;

pub(super) async fn run(command: MemoryCommand, config: &Config) -> anyhow::Result<ExitCode> {
    match command {
        MemoryCommand::List(args) => list(args, config).await,
        MemoryCommand::Show { id, namespace } => show(&id, &namespace, config).await,
        MemoryCommand::Why(args) => history::why(args, config).await,
        MemoryCommand::Forget(args) => repair::turn(args, Turn::Forget, config).await,
        MemoryCommand::Restore(args) => repair::turn(args, Turn::Restore, config).await,
        MemoryCommand::Delete(args) => repair::delete(args, config).await,
        MemoryCommand::Update(args) => repair::update(args, config).await,
        MemoryCommand::Dispute(args) => repair::dispute(args, config).await,
        MemoryCommand::Settle(args) => repair::settle(args, config).await,
        MemoryCommand::Feedback(args) => repair::feedback(args, config).await,
        MemoryCommand::Touch { ids, namespace } => repair::touch(&ids, &namespace, config).await,
    }
}

async fn list(args: MemoryListArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let filter = MemoryFilter {
        owner: args.of.owner(),
        namespace: args.of.namespace,
        trace_id: args.trace.map(|id| id.parse()).transpose().context("--trace")?,
        subject_name: args.subject,
        memory_type: named("--type", args.memory_type, "fact, preference, event or relation")?,
        status: named("--status", args.status, "active, superseded, disputed or expired")?,
        forgotten: args.forgotten,
        text: args.text,
        ..MemoryFilter::default()
    };
    let store = wire::store(config, &wire::Access::Read)?;
    let page = pages::first(args.limit, async |page| store.memories(&filter, &page).await).await?;
    if args.json {
        let views: Vec<MemoryView> = page.items.iter().map(MemoryView::from).collect();
        say!("{}", serde_json::to_string_pretty(&views)?);
    } else {
        table::print_memories(&page.items);
        if page.next_cursor.is_some() {
            say!("there are more; --limit shows them");
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn show(id: &str, namespace: &str, config: &Config) -> anyhow::Result<ExitCode> {
    let id = id.parse().context("the id of a memory")?;
    let store = wire::store(config, &wire::Access::Read)?;
    match store.memory(namespace, &id).await.map_err(wire::explained)? {
        Some(memory) => say!("{}", serde_json::to_string_pretty(&MemoryView::from(&memory))?),
        None => anyhow::bail!("namespace {namespace:?} has no memory {id}"),
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn named<T: DeserializeOwned>(flag: &str, text: Option<String>, known: &str) -> anyhow::Result<Option<T>> {
    let read = |text: String| {
        serde_json::from_value(serde_json::Value::String(text)).map_err(|_| anyhow::anyhow!("{flag} must be {known}"))
    };
    text.map(read).transpose()
}
