//! `recall key`: keys of callers.

use std::process::ExitCode;

use anyhow::Context as _;
use jiff::SignedDuration;
use recall_core::id::ApiKeyId;
use recall_store::record::Tenants;
use secrecy::ExposeSecret as _;
use serde_json::json;

use super::pages;
use super::repair::{deed, print, store};
use super::say::say;
use super::table::rows;
use crate::cli::keys::{KeyCommand, KeyCreateArgs};
use crate::config::Config;
use crate::keys::{self, MAX_GRACE_SECONDS, Made, Wanted};
use crate::view::keys::KeyView;
use crate::wire;

pub(super) async fn run(command: KeyCommand, config: &Config) -> anyhow::Result<ExitCode> {
    match command {
        KeyCommand::Create(args) => create(args, config).await,
        KeyCommand::List { namespace, limit, json } => list(namespace, limit, json, config).await,
        KeyCommand::Rotate { id, grace, why } => {
            let (id, deed, grace) = (key_id(&id)?, deed(&why.reason)?, seconds(&grace)?);
            let (store, ring) = (store(config).await?, wire::keys(config)?);
            let made = keys::rotate(&store, &ring, (&Tenants::All, &id), (grace, &deed)).await;
            tell(made.map_err(wire::explained)?, why.json)
        }
        KeyCommand::Revoke { id, why } => {
            let (id, deed) = (key_id(&id)?, deed(&why.reason)?);
            let revoked = store(config).await?.revoke_key((&Tenants::All, &id), &deed).await;
            let view = KeyView::from(revoked.map_err(wire::explained)?);
            if why.json {
                return print(&view);
            }
            say!("{} ({}) is revoked; every process refuses it within 5 seconds", view.key_id, view.label);
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn key_id(text: &str) -> anyhow::Result<ApiKeyId> {
    text.parse().context("the id of a key")
}

fn seconds(text: &str) -> anyhow::Result<u32> {
    let duration: SignedDuration = text.parse().context("--grace: write a time such as 24h or 30m")?;
    let seconds = u32::try_from(duration.as_secs()).ok().filter(|seconds| *seconds <= MAX_GRACE_SECONDS);
    seconds.with_context(|| format!("--grace: must be 0s to {}h", MAX_GRACE_SECONDS / 3600))
}

async fn create(args: KeyCreateArgs, config: &Config) -> anyhow::Result<ExitCode> {
    let deed = deed(&args.why.reason)?;
    let expires_at = args.expires_at.map(|text| text.parse()).transpose().context("--expires-at")?;
    let wanted = Wanted { namespace: args.namespace, role: args.role, label: args.label, expires_at };
    let (store, ring) = (store(config).await?, wire::keys(config)?);
    let made = keys::create(&store, &ring, wanted, &deed).await.map_err(|refused| match refused {
        keys::Refused::Field(field, detail) => anyhow::anyhow!("--{} {detail}", field.replace('_', "-")),
        keys::Refused::Store(error) => wire::explained(error),
    })?;
    tell(made, args.why.json)
}

fn tell(made: Made, as_json: bool) -> anyhow::Result<ExitCode> {
    let (secret, view) = (made.secret.expose_secret(), KeyView::from(made.key));
    if as_json {
        return print(&json!({ "key": view, "secret": secret }));
    }
    say!("{secret}");
    let of = format!("{} ({}, {} of {:?})", view.key_id, view.label, view.role, view.namespace);
    eprintln!("the secret of {of}; it is not kept and not shown again");
    if let Some(until) = &view.former_until {
        eprintln!("the secret before is taken until {until}");
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(namespace: Option<String>, limit: u32, json: bool, config: &Config) -> anyhow::Result<ExitCode> {
    let store = wire::store(config, &wire::Access::Read)?;
    let tenants = namespace.map_or(Tenants::All, Tenants::One);
    let page = pages::first(limit, async |page| store.api_keys(&tenants, &page).await).await?;
    let views: Vec<KeyView> = page.items.into_iter().map(KeyView::from).collect();
    if json {
        return print(&views);
    }
    let mut table =
        rows(["key", "begins with", "namespace", "role", "label", "status", "made", "by", "ends", "last used"]);
    for view in views {
        table.add_row([
            view.key_id,
            view.prefix,
            view.namespace,
            view.role,
            view.label,
            view.status.to_owned(),
            view.created_at,
            view.created_by,
            view.expires_at.unwrap_or_default(),
            view.last_used_at.unwrap_or_default(),
        ]);
    }
    say!("{table}");
    Ok(ExitCode::SUCCESS)
}
