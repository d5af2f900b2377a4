//! Where the arms run: the pipeline of the product on a store of the comparison's own, which is gone afterwards.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use recall_core::keys::{Key, KeyRing};
use recall_core::prompt::{Library, Prompt};
use recall_core::retry::Schedule;
use recall_core::settings::{Judge, Settings};
use recall_llm::Extractor;
use recall_llm::recorded::{Header, Lookup, Recorded, Recorder, Tape};
use recall_store::{Limits, Opening, SqlStore, Store as _};
use recall_worker::Ports;
use recall_worker::metrics::Metrics;
use tempfile::TempDir;

use super::taped::{Live, Taped};
use super::trial::Side;
use crate::config::{Config, ModelConfig, Provider};
use crate::wire;

/// One version that is compared.
#[derive(Debug, Clone)]
pub(crate) struct Arm {
    /// Which.
    pub side: Side,
    /// The extraction prompt.
    pub prompt: Arc<Prompt>,
    /// Another model than that of the configuration.
    pub model: Option<String>,
    /// The sample its first repeat uses: where both arms are alike, each has answers of its own.
    pub first_sample: u32,
}

/// The arms of one repeat, each with its model.
pub(crate) type Readers = Vec<(Arm, Arc<Taped>)>;

/// A store for the comparison and what the pipeline needs beside it.
pub(crate) struct Lab {
    store: Arc<SqlStore>,
    prompts: Library,
    keys: Arc<KeyRing>,
    metrics: Arc<Metrics>,
    settings: Settings,
    _folder: TempDir,
}

/// Where replies come from.
pub(crate) struct Replies<'c> {
    config: &'c Config,
    budgets: wire::Budgets,
    tape: Option<(PathBuf, Tape)>,
}

impl Lab {
    /// An empty store with the settings of the configuration.
    ///
    /// # Errors
    /// The disk takes no file.
    pub(crate) async fn open(settings: &Settings, prompts: Library) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("no place for the store of the comparison")?;
        // Ids of turns without one are derived with the key: it is the same every time, so that a tape fits.
        let keys = KeyRing::new(Key::new("eval", "eval"), Vec::new());
        // The tape holds what extractors said; an opinion asked for inside the pipeline would be asked again every time.
        let settings = Settings { judge: Judge::Off, ..settings.clone() };
        let opening = Opening {
            keys: keys.clone(),
            actor: "eval".to_owned(),
            limits: Limits::default(),
            defaults: settings.clone(),
        };
        let store = SqlStore::sqlite(folder.path(), "", opening).map_err(wire::explained)?;
        store.migrate().await.map_err(wire::explained)?;
        Ok(Self {
            store: Arc::new(store),
            prompts,
            keys: Arc::new(keys),
            metrics: Arc::new(Metrics::new()?),
            settings,
            _folder: folder,
        })
    }

    /// The store.
    pub(super) fn store(&self) -> &SqlStore {
        &self.store
    }

    /// The key of derived ids.
    pub(super) fn key(&self) -> &Key {
        self.keys.lasting()
    }

    /// The settings every namespace begins with.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The pipeline's counters; nobody reads them here.
    pub(super) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// What calls are driven with.
    pub(super) fn ports(&self, extractor: Arc<dyn Extractor>) -> Ports {
        Ports {
            store: Arc::clone(&self.store) as Arc<dyn recall_store::Store>,
            prompts: self.prompts.clone(),
            extractor,
            judge: None,
            keys: Arc::clone(&self.keys),
            metrics: Arc::clone(&self.metrics),
            schedule: Arc::new(Schedule::default()),
            scopes: Arc::default(),
            company: Arc::default(),
            join_trace: |_, _| {},
        }
    }
}

impl<'c> Replies<'c> {
    /// Replies of a tape, of the model of the configuration, or of both.
    ///
    /// # Errors
    /// A tape that cannot be read; a model without a tape to keep its replies.
    pub(crate) fn new(config: &'c Config, tape: Option<&Path>) -> anyhow::Result<Self> {
        let configured = Some(config.model.tape.as_path()).filter(|path| !path.as_os_str().is_empty());
        let path = tape.or(configured.filter(|_| config.model.provider == Provider::Recorded));
        anyhow::ensure!(
            path.is_some() || config.model.provider == Provider::Rules,
            "name a tape with --tape FILE: every reply is kept there, so that a repeat costs nothing and is exact"
        );
        let adds = config.model.provider == Provider::Openai;
        let tape = path.map(|path| Ok::<_, anyhow::Error>((path.to_owned(), opened(path, adds)?))).transpose()?;
        Ok(Self { config, budgets: wire::Budgets::new(&config.model), tape })
    }

    /// The models of the arms, a list for each repeat; made once for a run, since each has the tape for itself.
    ///
    /// # Errors
    /// Settings that cannot work.
    pub(crate) fn models(&self, arms: &[Arm], repeats: u32) -> anyhow::Result<Vec<Readers>> {
        let of = |repeat| arms.iter().map(|arm| Ok((arm.clone(), self.of(arm, repeat)?))).collect();
        (0..repeats).map(of).collect()
    }

    fn of(&self, arm: &Arm, repeat: u32) -> anyhow::Result<Arc<Taped>> {
        let sample = arm.first_sample + repeat;
        let model = model_of(&self.config.model, arm);
        let played = self.tape.as_ref().map(|(_, tape)| {
            let played = Recorded::new(tape.clone(), Lookup::Exact).sample(sample);
            // Where a model is asked, another model's replies do not stand in for its own.
            let asks = self.config.model.provider == Provider::Openai;
            if asks || arm.model.is_some() { played.of_model(&model.model) } else { played }
        });
        let live = match (self.config.model.provider, &self.tape) {
            (Provider::Openai, Some((path, _))) => {
                let asked = wire::extractor(&model, &self.budgets)?;
                Live::Kept(Recorder::append(asked, path, wire::tape_header(&model))?.sample(sample))
            }
            (Provider::Rules, None) => Live::Free(wire::extractor(&model, &self.budgets)?),
            (Provider::Openai | Provider::Recorded, None) | (Provider::Rules | Provider::Recorded, Some(_)) => {
                Live::Nobody
            }
        };
        Ok(Arc::new(Taped::new(played, live)))
    }

    /// How the tape came to be, with what was added meanwhile.
    ///
    /// # Errors
    /// A tape that cannot be read any more.
    pub(crate) fn headers(&self) -> anyhow::Result<Vec<Header>> {
        let Some((path, _)) = &self.tape else { return Ok(Vec::new()) };
        Ok(opened(path, false)?.headers().to_vec())
    }
}

/// The model of an arm with everything else as it is configured; nobody stands in for a model that was named.
fn model_of(config: &ModelConfig, arm: &Arm) -> ModelConfig {
    let mut model = ModelConfig { record: false, ..config.clone() };
    if let Some(name) = &arm.model {
        model.model.clone_from(name);
    }
    model.fallback_models.clear();
    model.fallback.clear();
    model
}

/// A tape; an empty one where there is no file yet. A last line that broke off was never answered: it is taken off where replies are
/// added, so that it spoils none after it.
fn opened(path: &Path, adds: bool) -> anyhow::Result<Tape> {
    if !path.exists() {
        return Ok(Tape::default());
    }
    let bytes = std::fs::read(path).with_context(|| format!("tape {} cannot be read", path.display()))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let (lines, last) = bytes.split_at(whole);
    if serde_json::from_slice::<serde::de::IgnoredAny>(last).is_ok() {
        return Ok(Tape::from_lines(bytes.as_slice())?);
    }
    if adds && !last.is_empty() {
        let length = u64::try_from(whole)?;
        std::fs::OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(length))?;
    }
    Ok(Tape::from_lines(lines)?)
}

#[cfg(test)]
mod tests;
