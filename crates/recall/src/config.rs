//! The configuration: defaults, file, environment and flags laid over each other, every unknown key refused.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use recall_core::settings::Settings;
use recall_llm::cost::Price;
use secrecy::SecretString;
use serde::{Deserialize, Serialize, Serializer};
use toml::{Table, Value};

/// Every setting with its default; also the reference page.
pub(crate) const DEFAULT: &str = include_str!("config.default.toml");
/// Environment variables with this prefix are settings.
const PREFIX: &str = "RECALL__";

/// All settings of a process.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub data_dir: PathBuf,
    pub store: StoreConfig,
    pub queue: QueueConfig,
    pub model: ModelConfig,
    pub worker: WorkerConfig,
    pub api: ApiConfig,
    pub keys: KeysConfig,
    pub telemetry: TelemetryConfig,
    pub settings: Settings,
    pub namespaces: BTreeMap<String, Settings>,
}

/// Which database.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoreConfig {
    pub url: StoreUrl,
    pub connections: u32,
}

/// The database, by its URL; the embedded one first.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum StoreUrl {
    /// One file under the data directory.
    Embedded,
    /// Postgres.
    Postgres(Url),
}

/// Which queue.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueueConfig {
    pub url: QueueUrl,
    pub prefix: String,
    pub partitions: u32,
    pub max_bytes: u64,
}

/// The queue, by its URL; the embedded one first.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum QueueUrl {
    /// In the store.
    Embedded,
    /// RabbitMQ.
    Rabbit(Url),
}

/// A URL that may hold a password: shown without it.
#[derive(Debug, Clone)]
pub(crate) struct Url(pub SecretString);

/// Which model.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelConfig {
    pub provider: Provider,
    pub base_url: String,
    pub model: String,
    pub fallback_models: Vec<String>,
    #[serde(serialize_with = "hidden")]
    pub api_key: SecretString,
    pub api_version: String,
    pub call_budget: u32,
    pub connect_seconds: u64,
    pub timeout_seconds: u64,
    pub max_prompt_tokens: usize,
    pub max_reply_tokens: u32,
    pub requests_per_minute: u32,
    pub tokens_per_minute: u32,
    pub tape: PathBuf,
    pub record: bool,
    pub prices: Vec<Price>,
}

/// What reads the turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Provider {
    /// No model: first-person sentences by rules.
    Rules,
    /// An OpenAI-compatible server.
    Openai,
    /// A tape of replies.
    Recorded,
}

/// How a worker runs.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkerConfig {
    pub concurrency: usize,
    pub drain_seconds: u64,
    pub retry_seconds: Vec<u64>,
    pub snooze_seconds: u64,
}

/// How the door is reached.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApiConfig {
    pub listen: SocketAddr,
    pub max_body_bytes: usize,
    pub confirm_seconds: u64,
    #[serde(default)]
    pub keys: Vec<ApiKeyConfig>,
}

/// Who may come in.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApiKeyConfig {
    pub name: String,
    #[serde(serialize_with = "hidden")]
    pub key: SecretString,
    pub namespace: String,
    pub role: ApiRole,
}

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ApiRole {
    /// A chat back end: remember, and the state of its traces.
    Service,
    /// Support: read.
    Support,
    /// Everything.
    Admin,
}

/// Secrets of keyed hashes.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeysConfig {
    #[serde(serialize_with = "hidden")]
    pub secret: SecretString,
    pub id: String,
}

/// Where logs and spans go.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TelemetryConfig {
    pub log: String,
    pub format: LogFormat,
    pub otlp_endpoint: String,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

fn hidden<S: Serializer>(secret: &SecretString, serializer: S) -> Result<S::Ok, S::Error> {
    use secrecy::ExposeSecret;
    serializer.serialize_str(if secret.expose_secret().is_empty() { "" } else { "(set, not shown)" })
}

impl TryFrom<String> for StoreUrl {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "embedded" => Ok(Self::Embedded),
            url if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                Ok(Self::Postgres(Url(text.into())))
            }
            _ => Err("store.url must be \"embedded\" or a postgres:// URL".into()),
        }
    }
}

impl From<StoreUrl> for String {
    fn from(url: StoreUrl) -> Self {
        match url {
            StoreUrl::Embedded => "embedded".into(),
            StoreUrl::Postgres(url) => url.shown(),
        }
    }
}

impl TryFrom<String> for QueueUrl {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "embedded" => Ok(Self::Embedded),
            url if url.starts_with("amqp://") || url.starts_with("amqps://") => Ok(Self::Rabbit(Url(text.into()))),
            _ => Err("queue.url must be \"embedded\" or an amqp:// or amqps:// URL".into()),
        }
    }
}

impl From<QueueUrl> for String {
    fn from(url: QueueUrl) -> Self {
        match url {
            QueueUrl::Embedded => "embedded".into(),
            QueueUrl::Rabbit(url) => url.shown(),
        }
    }
}

impl Url {
    /// The URL without its password.
    fn shown(&self) -> String {
        use secrecy::ExposeSecret;
        let url = self.0.expose_secret();
        let Some((scheme, rest)) = url.split_once("://") else { return "(unreadable)".into() };
        match rest.rsplit_once('@') {
            Some((user, host)) => {
                let user = user.split(':').next().unwrap_or_default();
                format!("{scheme}://{user}:***@{host}")
            }
            None => url.to_owned(),
        }
    }
}

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
    if config.api.keys.is_empty() && !config.api.listen.ip().is_loopback() {
        bail!(
            "api.listen is {} but no API keys are configured; add [[api.keys]] or listen on a loopback address",
            config.api.listen
        );
    }
    if config.queue.partitions == 0 || config.worker.concurrency == 0 || config.store.connections == 0 {
        bail!("queue.partitions, worker.concurrency and store.connections must be at least 1");
    }
    let rabbit_alone = matches!((&config.queue.url, &config.store.url), (QueueUrl::Rabbit(_), StoreUrl::Embedded));
    if rabbit_alone {
        bail!("queue.url is RabbitMQ but store.url is embedded; a fleet needs a postgres:// store");
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
    let inner = path.iter().rev().fold(value, |value, key| Value::Table(Table::from_iter([(key.clone(), value)])));
    match inner {
        Value::Table(table) => table,
        _ => Table::new(),
    }
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
const OPTIONAL: [&str; 3] = ["settings.custom_instruction", "settings.timezone", "api.keys"];

fn nearest(key: &str, table: &Table) -> String {
    let best = table.keys().map(|known| (strsim::jaro_winkler(key, known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((score, known)) if score > 0.8 => format!("; did you mean {known:?}?"),
        _ => format!("; there are {}", table.keys().map(String::as_str).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_file_holds_every_setting_and_its_settings_are_the_ones_of_the_code() {
        let config = load(None, &[]).expect("defaults load");
        assert_eq!(config.settings, Settings::default());
        assert!(matches!(config.store.url, StoreUrl::Embedded));
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest_known_one() {
        let error = load(None, &["worker.concurency=3".into()]).expect_err("no such key");
        assert!(error.to_string().contains("did you mean \"concurrency\""), "{error}");
    }

    #[test]
    fn a_flag_is_laid_over_and_a_wrong_type_is_named() {
        assert_eq!(load(None, &["worker.concurrency=3".into()]).expect("fine").worker.concurrency, 3);
        let error = load(None, &["worker.concurrency=many".into()]).expect_err("no number");
        assert!(error.to_string().contains("configuration is wrong"), "{error}");
    }

    #[test]
    fn without_keys_only_loopback_is_allowed() {
        let error = load(None, &["api.listen=0.0.0.0:80".into()]).expect_err("open to the world");
        assert!(error.to_string().contains("api.keys"), "{error}");
    }

    #[test]
    fn a_password_is_never_shown() {
        let config = load(None, &["store.url=postgres://me:hunter2@db/recall".into(), "model.api_key=sk-1".into()]);
        let shown = toml::to_string(&config.expect("fine")).expect("serialises");
        assert!(!shown.contains("hunter2") && !shown.contains("sk-1"), "{shown}");
        assert!(shown.contains("postgres://me:***@db/recall"), "{shown}");
    }
}
