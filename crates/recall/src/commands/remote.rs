//! A data directory has one process that works on it; what changes something goes through that process, over HTTP.

use anyhow::{Context as _, bail};
use secrecy::ExposeSecret;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::config::{ApiRole, Config, StoreUrl};

/// The process that serves this installation's data directory.
pub(super) struct Remote {
    address: String,
    key: String,
}

impl Remote {
    /// The process to go through; `None` where the store can be opened right here.
    pub(super) fn find(config: &Config) -> Option<Self> {
        match &config.store.url {
            StoreUrl::Postgres(_) => None,
            StoreUrl::Embedded => {
                let address = recall_store::served_at(&config.data_dir)?;
                let admin = config.api.keys.iter().find(|key| key.role == ApiRole::Admin && key.namespace == "*");
                let key = admin.map(|key| key.key.expose_secret().to_owned()).unwrap_or_default();
                Some(Self { address, key })
            }
        }
    }

    /// Posts a request; its answer.
    ///
    /// # Errors
    /// The process does not answer, or refuses.
    pub(super) async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> anyhow::Result<T> {
        // The client takes the process-wide provider; a second call finds it in place.
        let _first = rustls::crypto::ring::default_provider().install_default();
        let mut request = reqwest::Client::new().post(format!("http://{}{path}", self.address)).json(body);
        if !self.key.is_empty() {
            request = request.bearer_auth(&self.key);
        }
        let told = || format!("the process that serves this data directory at {}", self.address);
        let response = request.send().await.with_context(told)?;
        let status = response.status();
        let answer: Value = response.json().await.with_context(told)?;
        if !status.is_success() {
            let detail = answer.get("detail").and_then(Value::as_str).unwrap_or("no detail");
            bail!("{} answered {status}: {detail}", told());
        }
        Ok(serde_json::from_value(answer)?)
    }
}
