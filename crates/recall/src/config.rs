//! The configuration: defaults, file, environment and flags laid over each other, every unknown key refused.

mod check;
mod layers;
mod url;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use recall_core::settings::Settings;
use recall_llm::cost::Price;
use secrecy::SecretString;
use serde::{Deserialize, Serialize, Serializer};

pub(crate) use layers::load;
pub(crate) use url::{QueueUrl, StoreUrl};

/// Every setting with its default; also the reference page.
pub(crate) const DEFAULT: &str = include_str!("config.default.toml");

/// All settings of a process.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub data_dir: PathBuf,
    pub store: StoreConfig,
    pub queue: QueueConfig,
    pub model: ModelConfig,
    pub prompts: PromptsConfig,
    pub worker: WorkerConfig,
    pub reprocess: ReprocessConfig,
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

/// Which queue.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueueConfig {
    pub url: QueueUrl,
    pub prefix: String,
    pub partitions: u32,
    pub max_bytes: u64,
}

/// Which model.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelConfig {
    pub provider: Provider,
    pub base_url: String,
    pub model: String,
    pub fallback_models: Vec<String>,
    pub judge_model: String,
    #[serde(default)]
    pub fallback: Vec<FallbackConfig>,
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

/// Another server to turn to.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FallbackConfig {
    pub base_url: String,
    pub model: String,
    #[serde(default, serialize_with = "hidden")]
    pub api_key: SecretString,
    #[serde(default)]
    pub api_version: String,
    #[serde(default)]
    pub requests_per_minute: u32,
    #[serde(default)]
    pub tokens_per_minute: u32,
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

/// Prompts beside the built-in ones.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PromptsConfig {
    pub dir: PathBuf,
}

/// How a worker runs.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkerConfig {
    pub listen: String,
    pub concurrency: usize,
    pub drain_seconds: u64,
    pub retry_seconds: Vec<u64>,
    pub snooze_seconds: u64,
}

/// How archives are read again.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReprocessConfig {
    pub calls_in_flight: usize,
    pub ask_above_calls: u64,
    pub ask_above_cost: f64,
    pub call_seconds: u64,
}

/// How the door is reached.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApiConfig {
    pub listen: SocketAddr,
    pub max_body_bytes: usize,
    pub confirm_seconds: u64,
    pub head_seconds: u64,
    pub request_seconds: u64,
    pub oldest_waiting_seconds: u64,
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
    /// The person whose memory it is, or an admin of the account; comes with a token, never with a key.
    User,
    /// Support: read, correct, forget, delete with a reason.
    Support,
    /// A program that looks for contradictions: read and dispute.
    Detector,
    /// The model: reads contents, proposes corrections.
    Agent,
    /// Everything.
    Admin,
    /// A back end that signs tokens of users; opens no door itself.
    Issuer,
}

impl ApiRole {
    const ALL: [Self; 7] =
        [Self::Service, Self::User, Self::Support, Self::Detector, Self::Agent, Self::Admin, Self::Issuer];

    /// Its name.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::User => "user",
            Self::Support => "support",
            Self::Detector => "detector",
            Self::Agent => "agent",
            Self::Admin => "admin",
            Self::Issuer => "issuer",
        }
    }

    /// The role of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

/// Secrets of keyed hashes.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeysConfig {
    #[serde(serialize_with = "hidden")]
    pub secret: SecretString,
    pub id: String,
    pub older: Vec<OlderKeyConfig>,
}

/// A secret that hashes in the database were made with.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OlderKeyConfig {
    pub id: String,
    #[serde(serialize_with = "hidden")]
    pub secret: SecretString,
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
        let error = load(None, &["worker.concurrency=many".into()]).expect_err("no number").to_string();
        assert!(error.starts_with("configuration is wrong: --set worker.concurrency: worker.concurrency: "), "{error}");
        assert!(error.contains("many"), "{error}");
    }

    #[test]
    fn what_is_wrong_in_a_file_is_told_with_the_file_and_the_setting() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("recall.toml");
        let table = [
            ("[worker]\nconcurrency = \"many\"", "worker.concurrency: invalid type: string \"many\""),
            ("[worker]\nconcurrency = 0", "worker.concurrency: must be at least 1"),
            ("[queue]\nurl = \"amqp://localhost\"", "queue.url: is RabbitMQ but"),
            ("[settings]\ntimezone = \"Mars\"", "settings.timezone: \"Mars\" is no IANA time zone"),
            ("[namespaces.shop]\nmin_confidence = 2.0", "namespaces.shop.min_confidence: must be between 0 and 1"),
            ("[store]\nurl = 5", "store.url: "),
            ("[[api.keys]]\nname = \"a\"\nkey = \"k\"\nnamespace = \"*\"\nrole = \"boss\"", "api.keys[0].role: "),
            ("[[api.keys]]\nname = \"a\"\nkey = \"k\"\nnamespace = \"*\"\nrole = \"admin\"", "api.keys[0].key: "),
        ];
        for (text, told) in table {
            std::fs::write(&path, text).expect("written");
            let error = load(Some(&path), &[]).expect_err(text).to_string();
            let begin = format!("configuration is wrong: {}: {told}", path.display());
            assert!(error.starts_with(&begin), "{error}\nnot\n{begin}");
        }
    }

    #[test]
    fn a_configured_key_is_for_programs_that_open_a_door() {
        for role in ["user", "issuer"] {
            let key = format!(
                "api.keys=[{{name=\"a\",key=\"0123456789abcdef0123456789abcdef\",namespace=\"*\",role=\"{role}\"}}]"
            );
            let error = load(None, &[key]).expect_err("no such key");
            assert!(error.to_string().contains("recall key create --role issuer"), "{error}");
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        let config = load(None, &["store.url=postgres://me:hunter2@db/recall".into(), "model.api_key=sk-1".into()]);
        let shown = toml::to_string(&config.expect("fine")).expect("serialises");
        assert!(!shown.contains("hunter2") && !shown.contains("sk-1"), "{shown}");
        assert!(shown.contains("postgres://me:***@db/recall"), "{shown}");
    }
}
