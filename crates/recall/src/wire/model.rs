//! The model door of the configuration.

use std::sync::Arc;

use recall_llm::Extractor;

use crate::config::ModelConfig;

/// What reads the turns.
///
/// # Errors
/// Settings that cannot work.
pub(super) fn extractor(config: &ModelConfig) -> anyhow::Result<Arc<dyn Extractor>> {
    let _ = config;
    anyhow::bail!("not wired")
}
