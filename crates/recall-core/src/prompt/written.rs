//! A prompt as it is written down: its files, what of them is sent, and its hash.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::fault::{Fault, InvalidPrompt};
use super::{EXTRACT, schema, trial};

/// The largest file of a prompt, in bytes.
pub const MAX_PROMPT_FILE_BYTES: usize = 64 * 1024;
/// The longest name of a version, in characters.
pub(super) const MAX_VERSION_CHARS: usize = 32;

/// One version of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Such as `extract`.
    pub name: String,
    /// Such as `v1`.
    pub version: String,
    /// SHA-256 over the files that reach a model (system text, schema, examples), in hex.
    pub sha256: String,
    /// The constant part: system text and examples. It always comes first, so that servers can cache it.
    pub system: String,
    /// The JSON schema of the reply, compact, properties in the order a model should write them.
    pub schema: String,
    /// The examples, in their order.
    pub examples: Vec<Example>,
    /// Sentences that stand in the examples: a claim made of them is an echo of the prompt.
    pub sentences: Vec<String>,
    /// The files, as they were read.
    pub files: PromptFiles<String>,
    /// Where they come from.
    pub origin: Origin,
}

/// Where a prompt comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It is part of the build.
    Builtin,
    /// This folder.
    Folder(PathBuf),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Builtin => f.write_str("built in"),
            Self::Folder(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The files of a prompt, as they lie in `prompts/<name>/<version>/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptFiles<T> {
    /// `system.txt`.
    pub system: T,
    /// `schema.json`.
    pub schema: T,
    /// `examples.json`.
    pub examples: T,
    /// `CHANGELOG.md`: what changed and why; not sent, and no part of the hash.
    pub changelog: T,
}

/// One example as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// What was said, written as turns are shown to a model.
    pub turns: String,
    /// The reply that is right for it, as JSON.
    pub reply: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenExample {
    turns: String,
    candidates: Vec<WrittenCandidate>,
}

/// Field order is the order of the schema: what a model sees in the examples is what it is asked for.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WrittenCandidate {
    evidence: Vec<crate::candidate::Citation>,
    content: String,
    memory_type: crate::candidate::MemoryType,
    subject: String,
    attribute: String,
    value: String,
    polarity: crate::candidate::Polarity,
    time_expression: Option<String>,
    confidence: f64,
}

impl Prompt {
    /// Puts a prompt together from its files; whether it is any good is said by [`Prompt::faults`].
    ///
    /// # Errors
    /// A version that cannot be one; files that are not of their format.
    pub fn new(name: &str, version: &str, files: PromptFiles<&str>, origin: Origin) -> Result<Self, InvalidPrompt> {
        let invalid = |faults| InvalidPrompt { name: name.into(), version: version.into(), faults };
        if !is_version(version) {
            return Err(invalid(vec![Fault::Version]));
        }
        let examples = match read(files) {
            Ok(examples) => examples,
            Err(fault) => return Err(invalid(vec![fault])),
        };
        let mut system = files.system.trim_end().to_owned();
        let mut shown = Vec::new();
        for example in &examples {
            let candidates = serde_json::to_string(&example.candidates)
                .map_err(|error| invalid(vec![format_of("examples.json", &error)]))?;
            let reply = format!("{{\"candidates\":{candidates}}}");
            system.push_str(&format!("\n\nExample\n{}\n{reply}", example.turns));
            shown.push(Example { turns: example.turns.clone(), reply });
        }
        Ok(Self {
            name: name.into(),
            version: version.into(),
            sha256: digest(files),
            system,
            schema: compact(files.schema),
            examples: shown,
            sentences: examples.iter().flat_map(sentences).collect(),
            files: PromptFiles {
                system: files.system.into(),
                schema: files.schema.into(),
                examples: files.examples.into(),
                changelog: files.changelog.into(),
            },
            origin,
        })
    }

    /// What a memory says of it: name, version and hash.
    pub fn mark(&self) -> (&str, &str, &str) {
        (&self.name, &self.version, &self.sha256)
    }

    /// Whether two prompts send the same words under the same name.
    pub fn is_same(&self, other: &Self) -> bool {
        self.mark() == other.mark()
    }

    /// What is wrong with it beyond its format: a schema that cannot carry a reply, examples that the schema refuses or that would
    /// not pass the gate. Only prompts that propose claims have examples to try.
    pub fn faults(&self) -> Vec<Fault> {
        if self.name != EXTRACT {
            return Vec::new();
        }
        let schema = schema::faults(self);
        schema.into_iter().chain(trial::trials(self).into_iter().flat_map(|trial| trial.faults)).collect()
    }

    /// The prompt, if nothing is wrong with it.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn sound(self) -> Result<Self, InvalidPrompt> {
        let faults = self.faults();
        if faults.is_empty() {
            return Ok(self);
        }
        Err(InvalidPrompt { name: self.name, version: self.version, faults })
    }
}

/// Whether a text can be a version: one that is the same on every file system.
fn is_version(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.len() <= MAX_VERSION_CHARS
        && text.starts_with(letter)
        && text.chars().all(|c| letter(c) || matches!(c, '.' | '_' | '-'))
}

/// The examples, where every file is of its format.
fn read(files: PromptFiles<&str>) -> Result<Vec<WrittenExample>, Fault> {
    let named = [
        ("system.txt", files.system),
        ("schema.json", files.schema),
        ("examples.json", files.examples),
        ("CHANGELOG.md", files.changelog),
    ];
    for (file, text) in named {
        if text.len() > MAX_PROMPT_FILE_BYTES {
            return Err(Fault::File { file, why: format!("it is longer than {MAX_PROMPT_FILE_BYTES} bytes") });
        }
        if text.trim().is_empty() {
            return Err(Fault::File { file, why: "it is empty".into() });
        }
    }
    serde_json::from_str::<serde::de::IgnoredAny>(files.schema).map_err(|error| format_of("schema.json", &error))?;
    serde_json::from_str(files.examples).map_err(|error| format_of("examples.json", &error))
}

fn format_of(file: &'static str, error: &serde_json::Error) -> Fault {
    Fault::File { file, why: error.to_string() }
}

fn digest(files: PromptFiles<&str>) -> String {
    let mut digest = Sha256::new();
    // Lengths stand before the texts, so that moving a line from one file to the next changes the hash.
    for text in [files.system, files.schema, files.examples] {
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text.as_bytes());
    }
    hex::encode(digest.finalize())
}

/// JSON without the white space between its parts, keys in the order they stand.
fn compact(json: &str) -> String {
    let mut quoted = false;
    let mut escaped = false;
    let keep = |character: &char| {
        let inside = quoted;
        match character {
            '"' if !escaped => quoted = !quoted,
            _ => {}
        }
        escaped = inside && *character == '\\' && !escaped;
        inside || !character.is_whitespace()
    };
    json.chars().filter(keep).collect()
}

fn sentences(example: &WrittenExample) -> Vec<String> {
    let said = example.turns.lines().map(|line| line.split_once(": ").map_or(line, |(_, text)| text).to_owned());
    let claimed = example.candidates.iter().flat_map(|candidate| {
        let quotes = candidate.evidence.iter().map(|citation| citation.quote.clone());
        std::iter::once(candidate.content.clone()).chain(quotes)
    });
    said.chain(claimed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Library;

    fn v1() -> PromptFiles<String> {
        Library::builtin().extract("v1").unwrap().files.clone()
    }

    fn made(files: &PromptFiles<String>) -> Result<Prompt, InvalidPrompt> {
        let files = PromptFiles {
            system: files.system.as_str(),
            schema: files.schema.as_str(),
            examples: files.examples.as_str(),
            changelog: files.changelog.as_str(),
        };
        Prompt::new(EXTRACT, "x", files, Origin::Builtin)
    }

    #[test]
    fn the_hash_changes_with_every_file_that_is_sent() {
        let hash = |files: &PromptFiles<String>| made(files).unwrap().sha256;
        let files = v1();
        let one = hash(&files);
        assert_eq!(one.len(), 64);
        assert_ne!(one, hash(&PromptFiles { system: format!("{}\n", files.system), ..v1() }));
        assert_ne!(one, hash(&PromptFiles { schema: format!("{} ", files.schema), ..v1() }));
        assert_ne!(one, hash(&PromptFiles { examples: "[]".into(), ..v1() }));
        assert_eq!(one, hash(&PromptFiles { changelog: "other".into(), ..v1() }));
    }

    #[test]
    fn the_schema_keeps_the_order_a_model_should_write_in() {
        let schema = made(&v1()).unwrap().schema;
        let place = |key: &str| schema.find(&format!("\"{key}\":{{")).unwrap();
        assert!(place("evidence") < place("content") && place("content") < place("confidence"), "{schema}");
        assert!(!schema.contains(' ') && serde_json::from_str::<serde_json::Value>(&schema).is_ok());
        assert_eq!(compact(r#"{ "a b": "c \" d" }"#), r#"{"a b":"c \" d"}"#);
    }

    #[test]
    fn sentences_of_the_examples_are_known_so_that_an_echo_is_recognised() {
        let sentences = made(&v1()).unwrap().sentences;
        assert!(sentences.iter().any(|sentence| sentence == "User teaches pottery"));
        assert!(sentences.iter().any(|sentence| sentence == "if I had a boat, which knots should I learn?"));
    }

    #[test]
    fn a_file_that_is_not_of_its_format_is_named_with_the_reason() {
        let long = "x".repeat(MAX_PROMPT_FILE_BYTES + 1);
        let table = [
            (PromptFiles { system: " \n".into(), ..v1() }, "system.txt: it is empty"),
            (PromptFiles { changelog: String::new(), ..v1() }, "CHANGELOG.md: it is empty"),
            (PromptFiles { system: long, ..v1() }, "system.txt: it is longer than 65536 bytes"),
            (PromptFiles { schema: "{".into(), ..v1() }, "schema.json: EOF while parsing an object at line 1 column 1"),
            (PromptFiles { examples: "{}".into(), ..v1() }, "examples.json: invalid type: map, expected a sequence"),
            (
                PromptFiles { examples: r#"[{"turns":"","candidate":[]}]"#.into(), ..v1() },
                "examples.json: unknown field `candidate`",
            ),
        ];
        for (files, right) in table {
            let why = made(&files).unwrap_err().to_string();
            assert!(why.starts_with(&format!("prompt extract/x is not taken: {right}")), "{why}");
        }
    }

    #[test]
    fn a_version_is_the_same_on_every_file_system() {
        for good in ["v1", "2026-03-02", "v2.1_short", "a"] {
            assert!(is_version(good), "{good}");
        }
        for bad in ["", "V1", "-v", ".git", "v 1", "v/1", "ü", "..", &"v".repeat(33)] {
            assert!(!is_version(bad), "{bad}");
        }
    }
}
