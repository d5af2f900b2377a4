//! Lays the layers of the configuration over each other.

use std::path::Path;

use anyhow::{Context, bail};
use recall_core::settings::Settings;
use secrecy::ExposeSecret;
use toml::{Table, Value};

use super::{ApiRole, Config, DEFAULT, QueueUrl, StoreUrl};

/// Environment variables with this prefix are settings.
const PREFIX: &str = "RECALL__";
/// The shortest API key, in bytes: a shorter one can be guessed.
const LEAST_KEY: usize = 16;

/// Reads the layers: defaults, then the file, then the environment, then flags of the form `path.to.key=value`.
///
/// # Errors
/// A file that cannot be read, a key that does not exist (with the nearest one that does), a value of the wrong type.
pub(crate) fn load(file: Option<&Path>, flags: &[String]) -> anyhow::Result<Config> {
    let defaults: Table = DEFAULT.parse().context("built-in configuration is broken")?;
    let mut merged = defaults.clone();
    if let Some(path) = file {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let layer: Table = text.parse().with_context(|| format!("{} is no TOML", path.display()))?;
        lay_over(&mut merged, layer, "", &path.display().to_string())?;
    }
    let mut variables: Vec<(String, String)> = std::env::vars().filter(|(name, _)| name.starts_with(PREFIX)).collect();
    variables.sort();
    for (name, value) in variables {
        let path: Vec<String> = name.trim_start_matches(PREFIX).split("__").map(str::to_lowercase).collect();
        lay_over(&mut merged, nested(&path, &value, &defaults), "", &name)?;
    }
    for flag in flags {
        let Some((path, value)) = flag.split_once('=') else { bail!("--set {flag}: write path.to.key=value") };
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        lay_over(&mut merged, nested(&path, value, &defaults), "", &format!("--set {flag}"))?;
    }
    let config: Config = Value::Table(merged)
        .try_into()
        .map_err(|error: toml::de::Error| anyhow::anyhow!("configuration is wrong: {}", error.message()))?;
    check(&config)?;
    Ok(config)
}

fn check(config: &Config) -> anyhow::Result<()> {
    for key in &config.api.keys {
        if key.key.expose_secret().len() < LEAST_KEY || key.namespace.is_empty() {
            bail!("api.keys: {:?} needs a key of at least {LEAST_KEY} bytes and a namespace (or \"*\")", key.name);
        }
        if matches!(key.role, ApiRole::User | ApiRole::Issuer) {
            bail!(
                "api.keys: {:?} cannot have the role {}; users come with tokens that a back end signs, with the secret of \
                 `recall key create --role issuer`",
                key.name,
                key.role.as_str()
            );
        }
    }
    for (namespace, settings) in config.namespaces.iter().chain([(&"settings".to_owned(), &config.settings)]) {
        check_settings(settings).with_context(|| format!("settings of {namespace:?}"))?;
    }
    if config.model.timeout_seconds == 0 || config.model.connect_seconds == 0 || config.model.call_budget == 0 {
        bail!("model.timeout_seconds, model.connect_seconds and model.call_budget must be at least 1");
    }
    if config.queue.partitions == 0 || config.worker.concurrency == 0 || config.store.connections == 0 {
        bail!("queue.partitions, worker.concurrency and store.connections must be at least 1");
    }
    if config.api.request_seconds == 0 || config.api.head_seconds == 0 {
        bail!("api.request_seconds and api.head_seconds must be at least 1");
    }
    if !config.worker.listen.is_empty() && config.worker.listen.parse::<std::net::SocketAddr>().is_err() {
        bail!("worker.listen must be an address and a port, such as \"0.0.0.0:8071\", or empty");
    }
    let rabbit_alone = matches!((&config.queue.url, &config.store.url), (QueueUrl::Rabbit(_), StoreUrl::Embedded));
    if rabbit_alone {
        bail!("queue.url is RabbitMQ but store.url is embedded; a fleet needs a postgres:// store");
    }
    Ok(())
}

fn check_settings(settings: &Settings) -> anyhow::Result<()> {
    if !(0.0..=1.0).contains(&settings.min_confidence) {
        bail!("min_confidence must be between 0 and 1");
    }
    if let Some(zone) = &settings.timezone {
        jiff::tz::TimeZone::get(zone).with_context(|| format!("timezone {zone:?} is no IANA time zone"))?;
    }
    Ok(())
}

/// One value at a path, typed as the default at that path is.
fn nested(path: &[String], text: &str, defaults: &Table) -> Table {
    let default = path.iter().try_fold(Value::Table(defaults.clone()), |value, key| value.get(key).cloned());
    let parsed = || format!("value = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("value"));
    let value = match default {
        Some(Value::String(_)) => Value::String(text.to_owned()),
        Some(_) | None => parsed().unwrap_or_else(|| Value::String(text.to_owned())),
    };
    let Some((last, before)) = path.split_last() else { return Table::new() };
    let innermost = Table::from_iter([(last.clone(), value)]);
    before.iter().rev().fold(innermost, |inner, key| Table::from_iter([(key.clone(), Value::Table(inner))]))
}

/// Lays one table over another; keys the defaults do not know are refused, but under `namespaces` and for absent optional settings.
fn lay_over(base: &mut Table, layer: Table, path: &str, source: &str) -> anyhow::Result<()> {
    for (key, value) in layer {
        let here = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let free = here.starts_with("namespaces.") || OPTIONAL.contains(&here.as_str());
        if !free && !base.contains_key(&key) {
            bail!("{source}: there is no setting {here:?}{}", nearest(&key, base));
        }
        match (base.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above, &here, source)?,
            (_, value) => drop(base.insert(key, value)),
        }
    }
    Ok(())
}

/// Settings that exist but have no default to write down.
const OPTIONAL: [&str; 4] = ["settings.custom_instruction", "settings.timezone", "api.keys", "model.fallback"];

fn nearest(key: &str, table: &Table) -> String {
    let best = table.keys().map(|known| (strsim::jaro_winkler(key, known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((score, known)) if score > 0.8 => format!("; did you mean {known:?}?"),
        _ => format!("; there are {}", table.keys().map(String::as_str).collect::<Vec<_>>().join(", ")),
    }
}
