//! Reprocessing: archives read again, call by call, under ids that follow from what was said and what reads it, so that nothing is done
//! twice however often the command is stopped or repeated.

mod before;
mod feed;
mod lanes;
mod progress;
mod reader;
mod survey;

use std::collections::BTreeSet;

use std::sync::Arc;

use anyhow::Context as _;
use recall_core::call::Batch;
use recall_core::id::BatchId;
use recall_core::keys::Key;
use recall_core::prompt::{Library, Prompt};
use recall_core::settings::Settings;
use recall_llm::recorded::Tape;
use recall_store::batches::Erasures;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::archive::{Input, Mapping, Whose};
use crate::config::{ModelConfig, Provider};
use crate::cut::Marks;

pub(crate) use feed::{Fed, Feed, feed};
pub(crate) use reader::read_ahead;
pub(crate) use survey::{Estimate, Survey, survey};

/// Which prompt and model read the turns, as far as ids of calls depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The extraction prompt.
    pub prompt: Arc<Prompt>,
    /// Provider of the model.
    pub provider: &'static str,
    /// Its name; of a tape its hash.
    pub model: String,
}

impl Identity {
    /// That of a configuration, with the prompt asked for or the namespace's own.
    ///
    /// # Errors
    /// There is no such prompt; the tape cannot be read, or holds a line that is no entry.
    pub(crate) fn of(
        model: &ModelConfig,
        library: &Library,
        (version, settings): (Option<&str>, &Settings),
    ) -> anyhow::Result<Self> {
        let prompt = Arc::clone(library.extract(version.unwrap_or(&settings.prompt_version))?);
        let (provider, model) = match model.provider {
            Provider::Rules => ("rules", String::new()),
            Provider::Openai => ("openai", model.model.clone()),
            Provider::Recorded => {
                let tape = std::fs::read(&model.tape);
                let of = || format!("tape {} cannot be read", model.tape.display());
                let tape = tape.with_context(of)?;
                // Here, before anything is begun with it.
                Tape::from_lines(tape.as_slice()).with_context(of)?;
                ("recorded", hex::encode(Sha256::digest(tape)))
            }
        };
        Ok(Self { prompt, provider, model })
    }
}

/// Everything that decides which calls archives are read as.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// The files, in order.
    pub inputs: Vec<Input>,
    /// Where things lie in them, where they are of no known shape.
    pub mapping: Option<Mapping>,
    /// The tenant.
    pub namespace: String,
    /// Whose every conversation is; what the files say where nobody is named.
    pub whose: Whose,
    /// Time zone of times without offset, instead of what the files say.
    pub timezone: Option<String>,
    /// Settings of the namespace.
    pub settings: Settings,
    /// Messages of one call.
    pub turns_per_call: usize,
    /// Leave out lines that cannot be read.
    pub skip_bad: bool,
    /// People whose turns count though they were said before they were erased.
    pub include_erased: BTreeSet<String>,
    /// Who was erased.
    pub erasures: Erasures,
    /// Prompt and model.
    pub identity: Identity,
    /// Key for derived ids.
    pub key: Key,
    /// What it says stands beside the memories until it is swapped in.
    pub replaces: bool,
    /// The run its calls are those of alone, so that they are done anew whoever did them before; known once it began to replace.
    pub beside: Option<BatchId>,
}

impl Job {
    /// A text that is equal for the same command, whatever the archives hold.
    pub(crate) fn command_hash(&self, paths: &[String], mapping: &str) -> String {
        let Identity { prompt, provider, model } = &self.identity;
        let Whose { user_id, account_id, agent_id } = &self.whose;
        let erased: Vec<&String> = self.include_erased.iter().collect();
        let said = json!([
            paths,
            mapping,
            user_id,
            account_id,
            agent_id,
            self.timezone,
            self.turns_per_call,
            self.skip_bad,
            erased,
            prompt.version,
            prompt.sha256,
            provider,
            model,
            self.replaces,
        ]);
        self.key.fingerprint(&["reprocess command", &self.namespace, &said.to_string()])
    }

    /// What is kept of the command: no names of people, of files or of anybody.
    pub(crate) fn spec(&self) -> Value {
        let whose = match (&self.whose.user_id, &self.whose.account_id) {
            (Some(_), _) => "one person",
            (None, Some(_)) => "one account",
            (None, None) => "as the records say",
        };
        json!({
            "files": self.inputs.len(),
            "mapped": self.mapping.is_some(),
            "whose": whose,
            "turns_per_call": self.turns_per_call,
            "skip_bad": self.skip_bad,
            "erased_people_named": self.include_erased.len(),
            "prompt_version": self.identity.prompt.version,
            "prompt_sha256": self.identity.prompt.sha256,
            "provider": self.identity.provider,
            "model": self.identity.model,
            "replaces": self.replaces,
        })
    }

    /// The key a call is named by: who said what, in which session, and what reads it; not the run.
    fn named(&self, marks: &Marks<'_>, erased_at: Option<i64>) -> String {
        let Whose { user_id, account_id, agent_id } = marks.whose;
        let (kind, owner) = if user_id.is_some() { ("u", user_id) } else { ("a", account_id) };
        let Identity { prompt, provider, model } = &self.identity;
        // Whoever was erased and is named anew has calls that nobody did before.
        let erased = erased_at.map(|at| at.to_string()).unwrap_or_default();
        self.key.fingerprint(&[
            "reprocess",
            kind,
            owner.as_deref().unwrap_or_default(),
            agent_id.as_deref().unwrap_or_default(),
            marks.session,
            marks.timezone.unwrap_or_default(),
            marks.messages,
            &prompt.version,
            &prompt.sha256,
            provider,
            model,
            &erased,
            self.beside.as_ref().map(BatchId::as_str).unwrap_or_default(),
        ])
    }

    /// Turns of a session that decide how the next call of it is read: the window, whom they mention, and those it may say again.
    pub(crate) fn reach(&self) -> usize {
        let Settings { window_turns, ring_buffer_size, .. } = self.settings;
        window_turns.max(ring_buffer_size).max(self.turns_per_call)
    }

    /// The run as its calls carry it.
    pub(crate) fn batch(&self, id: &BatchId, erased_too: bool) -> Batch {
        Batch {
            id: id.clone(),
            prompt_version: Some(self.identity.prompt.version.clone()),
            staged: self.replaces,
            erased_too,
            before: Vec::new(),
        }
    }
}

/// SHA-256 over the archives, in order; the same bytes under other names are the same.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn archive_hash(inputs: &[Input]) -> anyhow::Result<String> {
    let mut digest = Sha256::new();
    for input in inputs {
        digest.update(input.digest().with_context(|| format!("cannot read {}", input.name))?);
    }
    Ok(hex::encode(digest.finalize()))
}
