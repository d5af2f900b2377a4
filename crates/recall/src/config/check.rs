//! What the types of the settings do not say: bounds, and settings that do not go together.

use recall_core::settings::Settings;
use secrecy::ExposeSecret;

use super::layers::Wrong;
use super::{ApiRole, Config, QueueUrl, StoreUrl};

/// The shortest API key, in bytes: a shorter one can be guessed.
const LEAST_KEY: usize = 16;

/// Checks settings that were read.
///
/// # Errors
/// The first setting that is wrong.
pub(super) fn check(config: &Config) -> Result<(), Wrong> {
    keys(config)?;
    for (namespace, settings) in &config.namespaces {
        of_namespace(&format!("namespaces.{namespace}"), settings)?;
    }
    of_namespace("settings", &config.settings)?;
    at_least_one(config)?;
    if !config.worker.listen.is_empty() && config.worker.listen.parse::<std::net::SocketAddr>().is_err() {
        let why = "must be an address and a port, such as \"0.0.0.0:8071\", or empty";
        return Err(wrong("worker.listen", why));
    }
    let rabbit_alone = matches!((&config.queue.url, &config.store.url), (QueueUrl::Rabbit(_), StoreUrl::Embedded));
    if rabbit_alone {
        let why = "is RabbitMQ but store.url is embedded; a fleet needs a postgres:// store";
        return Err(wrong("queue.url", why));
    }
    Ok(())
}

fn wrong(key: impl Into<String>, why: impl Into<String>) -> Wrong {
    Wrong { key: key.into(), why: why.into() }
}

fn keys(config: &Config) -> Result<(), Wrong> {
    for (place, key) in config.api.keys.iter().enumerate() {
        let here = |field: &str| format!("api.keys[{place}].{field}");
        if key.key.expose_secret().len() < LEAST_KEY {
            return Err(wrong(here("key"), format!("of {:?} must be at least {LEAST_KEY} bytes", key.name)));
        }
        if key.namespace.is_empty() {
            return Err(wrong(here("namespace"), format!("of {:?} must be the name of one, or \"*\"", key.name)));
        }
        if matches!(key.role, ApiRole::User | ApiRole::Issuer) {
            let why = format!(
                "of {:?} cannot be {}; users come with tokens that a back end signs, with the secret of \
                 `recall key create --role issuer`",
                key.name,
                key.role.as_str()
            );
            return Err(wrong(here("role"), why));
        }
    }
    Ok(())
}

fn at_least_one(config: &Config) -> Result<(), Wrong> {
    let counts = [
        ("model.timeout_seconds", config.model.timeout_seconds == 0),
        ("model.connect_seconds", config.model.connect_seconds == 0),
        ("model.call_budget", config.model.call_budget == 0),
        ("queue.partitions", config.queue.partitions == 0),
        ("worker.concurrency", config.worker.concurrency == 0),
        ("store.connections", config.store.connections == 0),
        ("api.request_seconds", config.api.request_seconds == 0),
        ("api.head_seconds", config.api.head_seconds == 0),
    ];
    match counts.iter().find(|(_, is_none)| *is_none) {
        Some((key, _)) => Err(wrong(*key, "must be at least 1")),
        None => Ok(()),
    }
}

fn of_namespace(path: &str, settings: &Settings) -> Result<(), Wrong> {
    if !(0.0..=1.0).contains(&settings.min_confidence) {
        return Err(wrong(format!("{path}.min_confidence"), "must be between 0 and 1"));
    }
    if let Some(zone) = &settings.timezone {
        let found = jiff::tz::TimeZone::get(zone);
        found.map_err(|_| wrong(format!("{path}.timezone"), format!("{zone:?} is no IANA time zone")))?;
    }
    Ok(())
}
