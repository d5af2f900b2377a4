//! Where store and queue are, by their URLs; a password in one is never shown.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

/// The database, by its URL; the embedded one first.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum StoreUrl {
    /// One file under the data directory.
    Embedded,
    /// Postgres.
    Postgres(Url),
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

impl TryFrom<String> for StoreUrl {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "embedded" => Ok(Self::Embedded),
            url if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                Ok(Self::Postgres(Url(text.into())))
            }
            _ => Err("must be \"embedded\" or a postgres:// URL".into()),
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
            _ => Err("must be \"embedded\" or an amqp:// or amqps:// URL".into()),
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
