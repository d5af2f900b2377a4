//! `recall entity` and `recall person`: who memories are about, and whose they are.

use std::process::ExitCode;

use anyhow::Context as _;
use futures::TryStreamExt as _;
use recall_core::id::EntityId;
use recall_core::scope::Scope;
use recall_store::deed::Execution;
use recall_store::entities::EntityPatch;
use recall_store::erasure::Erasure;

use super::pages;
use super::repair::{checked, deed, print, store, tell};
use super::say::say;
use super::table::rows;
use crate::cli::ScopeArgs;
use crate::cli::people::{EntityCommand, EntityUpdateArgs, PersonCommand};
use crate::config::Config;
use crate::door::{MAX_NAME_BYTES, fault_of_words};
use crate::view::receipt::ReceiptView;
use crate::view::repair::{EntityEntryView, SuspicionView};
use crate::{export, wire};

pub(super) async fn entity(command: EntityCommand, config: &Config) -> anyhow::Result<ExitCode> {
    match command {
        EntityCommand::List { scope, json } => list(&checked(scope)?, json, config).await,
        EntityCommand::Duplicates { scope, json } => duplicates(&checked(scope)?, json, config).await,
        EntityCommand::Update(args) => update(args, config).await,
        EntityCommand::Merge { id, into, because } => {
            let (from, into) = (entity_id(&id)?, into.parse().context("--into")?);
            let deed = deed(&because.reason)?;
            let about = (because.namespace.as_str(), &from, &into);
            let repaired = store(config).await?.merge_entities(about, &deed).await.map_err(wire::explained)?;
            tell(repaired, because.json)
        }
        EntityCommand::Unmerge { id, because } => {
            let (from, deed) = (entity_id(&id)?, deed(&because.reason)?);
            let repaired =
                store(config).await?.unmerge_entity(&because.namespace, &from, &deed).await.map_err(wire::explained)?;
            tell(repaired, because.json)
        }
    }
}

fn entity_id(text: &str) -> anyhow::Result<EntityId> {
    text.parse().context("the id of an entity")
}

async fn list(scope: &Scope, json: bool, config: &Config) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Read)?;
    let whose = (scope.namespace(), scope.owner());
    let listed = pages::all(async |page| store.entities(whose, &page).await).await?;
    let views: Vec<EntityEntryView> = listed.into_iter().map(EntityEntryView::from).collect();
    if json {
        return print(&views);
    }
    let mut table = rows(["entity", "name", "kind", "other names", "memories", "part of"]);
    for view in views {
        let (aliases, memories) = (view.aliases.join(", "), view.memories.to_string());
        table.add_row([view.entity_id, view.name, view.kind, aliases, memories, view.merged_into.unwrap_or_default()]);
    }
    say!("{table}");
    Ok(ExitCode::SUCCESS)
}

async fn duplicates(scope: &Scope, json: bool, config: &Config) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Read)?;
    let pairs = store.suspected_duplicates(scope.namespace(), scope.owner()).await.map_err(wire::explained)?;
    let views: Vec<SuspicionView> = pairs.into_iter().map(SuspicionView::from).collect();
    if json {
        return print(&views);
    }
    let mut table = rows(["entity", "name", "memories", "other", "name", "memories", "alike"]);
    for SuspicionView { entity, other, similarity } in views {
        let (one, two) = (entity.memories.to_string(), other.memories.to_string());
        table.add_row([
            entity.entity_id,
            entity.name,
            one,
            other.entity_id,
            other.name,
            two,
            format!("{similarity:.2}"),
        ]);
    }
    say!("{table}");
    Ok(ExitCode::SUCCESS)
}

async fn update(args: EntityUpdateArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let (id, deed) = (entity_id(&args.id)?, deed(&args.because.reason)?);
    let kind = args.kind.map(|kind| serde_json::from_value(serde_json::Value::String(kind))).transpose();
    let patch = EntityPatch {
        name: args.name,
        kind: kind.context("--kind must be person, animal, place, organisation, thing or unknown")?,
        add_aliases: args.add_alias,
        remove_aliases: args.remove_alias,
    };
    let fault = patch.name.as_deref().and_then(|name| fault_of_words(name, MAX_NAME_BYTES));
    anyhow::ensure!(fault.is_none(), "--name {}", fault.unwrap_or_default());
    anyhow::ensure!(patch != EntityPatch::default(), "name --name, --kind, --add-alias or --remove-alias");
    let namespace = args.because.namespace.as_str();
    let entry = store(config).await?.update_entity((namespace, &id), &patch, &deed).await.map_err(wire::explained)?;
    print(&EntityEntryView::from(entry))
}

/// These verbs are about everything that is kept of a person; an agent would not narrow them.
fn whole_person(scope: ScopeArgs) -> anyhow::Result<Scope> {
    anyhow::ensure!(scope.agent.is_none(), "--agent: this is about the whole person; leave it out");
    checked(scope)
}

pub(super) async fn person(command: PersonCommand, config: &Config) -> anyhow::Result<ExitCode> {
    match command {
        PersonCommand::Export { scope } => {
            let scope = whole_person(scope)?;
            let store = wire::store(config, &wire::Access::Read)?;
            let pages = export::pages(store, scope.namespace().to_owned(), scope.owner().clone());
            let mut pages = std::pin::pin!(pages);
            while let Some(lines) = pages.try_next().await.map_err(wire::explained)? {
                lines.lines().for_each(|line| say!("{line}"));
            }
        }
        PersonCommand::Erase { scope, named, reason, dry_run, json } => {
            let (scope, deed) = (whole_person(scope)?, deed(&reason)?);
            let fault = named.iter().find_map(|name| fault_of_words(name, MAX_NAME_BYTES));
            anyhow::ensure!(fault.is_none(), "--named {}", fault.unwrap_or_default());
            let execution = if dry_run { Execution::DryRun } else { Execution::Real };
            let meant = Erasure { owner: scope.owner().clone(), names: named, execution };
            let receipt =
                store(config).await?.erase(scope.namespace(), &meant, &deed).await.map_err(wire::explained)?;
            let view = ReceiptView::from(receipt);
            if json {
                return print(&view);
            }
            tell_receipt(&view, dry_run);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn tell_receipt(view: &ReceiptView, dry_run: bool) {
    if !view.found {
        say!("nothing of theirs was found in this namespace");
    }
    if dry_run {
        say!("a dry run: nothing was taken away");
    } else if !view.found {
        say!("calls accepted before {} are dropped when they arrive", view.erased_at);
        return;
    } else {
        say!("erased at {}; calls accepted before are dropped when they arrive", view.erased_at);
    }
    let mut table = rows(["where", "table", "rows"]);
    for (name, count) in &view.rows {
        table.add_row(["own".to_owned(), name.clone(), count.to_string()]);
    }
    for of in &view.accounts {
        for (name, count) in &of.rows {
            table.add_row([format!("account {}", of.account_id), name.clone(), count.to_string()]);
        }
    }
    say!("{table}");
    for of in view.accounts.iter().filter(|of| of.told_by_others > 0) {
        say!("account {}: {} memories about the person stay, since others said them", of.account_id, of.told_by_others);
    }
}
