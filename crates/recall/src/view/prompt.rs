//! What is shown of prompts.

use recall_core::prompt::{Example, Fault, Prompt, trials};
use recall_llm::tokens;
use serde::Serialize;
use similar::TextDiff;

/// A prompt in a list.
#[derive(Serialize)]
pub(crate) struct PromptView {
    pub name: String,
    pub version: String,
    pub sha256: String,
    /// Tokens of what every request begins with, schema included.
    pub tokens: usize,
    pub origin: String,
    /// Whether namespaces without a choice of their own use it.
    pub default: bool,
    /// Namespaces that chose it.
    pub namespaces: Vec<String>,
}

/// Namespaces that chose a version nobody here knows.
#[derive(Serialize)]
pub(crate) struct UnknownView {
    pub version: String,
    pub namespaces: Vec<String>,
}

/// A whole prompt.
#[derive(Serialize)]
pub(crate) struct PromptTextView {
    pub name: String,
    pub version: String,
    pub sha256: String,
    pub tokens: usize,
    pub origin: String,
    /// What is sent first: system text and examples.
    pub system: String,
    /// The schema, as it is written.
    pub schema: String,
    /// Not sent.
    pub changelog: String,
}

/// What became of trying a prompt.
#[derive(Serialize)]
pub(crate) struct CheckView {
    /// Name and version, or the folder that could not be read as a prompt.
    pub prompt: String,
    pub sha256: Option<String>,
    pub tokens: Option<usize>,
    pub examples: Vec<ExampleView>,
    /// Everything that is wrong.
    pub faults: Vec<String>,
    pub good: bool,
}

/// One example at the gate.
#[derive(Serialize)]
pub(crate) struct ExampleView {
    pub example: usize,
    pub candidates: usize,
    pub faults: Vec<String>,
}

/// How two prompts differ.
#[derive(Serialize)]
pub(crate) struct DiffView {
    pub a: SideView,
    pub b: SideView,
    /// Of b less those of a.
    pub more_tokens: i64,
    /// Unified diffs, empty where there is no difference.
    pub system: String,
    pub schema: String,
    /// Of what they say, however their file is laid out.
    pub examples: String,
}

/// One side of a difference.
#[derive(Serialize)]
pub(crate) struct SideView {
    pub prompt: String,
    pub sha256: String,
    pub tokens: usize,
}

/// The examples of a prompt, a line for each turn and field.
fn laid_out(prompt: &Prompt) -> String {
    let shown = |example: &Example| {
        let reply: Result<serde_json::Value, _> = serde_json::from_str(&example.reply);
        let reply = reply.map(|reply| format!("{reply:#}")).unwrap_or_else(|_| example.reply.clone());
        format!("{}\n{reply}\n", example.turns)
    };
    prompt.examples.iter().map(shown).collect()
}

/// Such as `extract/v1`.
pub(crate) fn name_of(prompt: &Prompt) -> String {
    format!("{}/{}", prompt.name, prompt.version)
}

impl PromptView {
    /// A prompt with those who use it.
    pub(crate) fn new(prompt: &Prompt, default: bool, namespaces: Vec<String>) -> Self {
        Self {
            name: prompt.name.clone(),
            version: prompt.version.clone(),
            sha256: prompt.sha256.clone(),
            tokens: tokens::constant(prompt),
            origin: prompt.origin.to_string(),
            default,
            namespaces,
        }
    }
}

impl From<&Prompt> for PromptTextView {
    fn from(prompt: &Prompt) -> Self {
        Self {
            name: prompt.name.clone(),
            version: prompt.version.clone(),
            sha256: prompt.sha256.clone(),
            tokens: tokens::constant(prompt),
            origin: prompt.origin.to_string(),
            system: prompt.system.clone(),
            schema: prompt.files.schema.clone(),
            changelog: prompt.files.changelog.clone(),
        }
    }
}

impl CheckView {
    /// A prompt that could be read, with what is wrong besides what its examples and schema say.
    pub(crate) fn tried(prompt: &Prompt, besides: &[Fault]) -> Self {
        let told = |faults: &[Fault]| faults.iter().map(Fault::to_string).collect::<Vec<String>>();
        let faults: Vec<String> = told(besides).into_iter().chain(told(&prompt.faults())).collect();
        let example = |trial: recall_core::prompt::Trial| ExampleView {
            example: trial.example,
            candidates: trial.candidates,
            faults: told(&trial.faults),
        };
        Self {
            prompt: name_of(prompt),
            sha256: Some(prompt.sha256.clone()),
            tokens: Some(tokens::constant(prompt)),
            examples: trials(prompt).into_iter().map(example).collect(),
            good: faults.is_empty(),
            faults,
        }
    }

    /// A folder that is no prompt.
    pub(crate) fn unreadable(folder: String, why: String) -> Self {
        Self { prompt: folder, sha256: None, tokens: None, examples: Vec::new(), faults: vec![why], good: false }
    }
}

impl DiffView {
    /// The difference from one prompt to another.
    pub(crate) fn new(a: &Prompt, b: &Prompt) -> Self {
        let side = |prompt: &Prompt| SideView {
            prompt: name_of(prompt),
            sha256: prompt.sha256.clone(),
            tokens: tokens::constant(prompt),
        };
        let unified = |file: &str, old: &str, new: &str| {
            let (before, after) = (format!("{}/{file}", name_of(a)), format!("{}/{file}", name_of(b)));
            TextDiff::from_lines(old, new).unified_diff().context_radius(2).header(&before, &after).to_string()
        };
        let (one, other) = (side(a), side(b));
        let size = |side: &SideView| i64::try_from(side.tokens).unwrap_or(i64::MAX);
        Self {
            more_tokens: size(&other) - size(&one),
            a: one,
            b: other,
            system: unified("system.txt", &a.files.system, &b.files.system),
            schema: unified("schema.json", &a.files.schema, &b.files.schema),
            examples: unified("examples.json", &laid_out(a), &laid_out(b)),
        }
    }
}
