//! The prompts a build carries. Compiled in, so that a version and its hash always name the same words.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Name of the prompt that proposes claims.
pub const EXTRACT: &str = "extract";
/// Name of the prompt that asks a judge about doubtful claims.
pub const GROUND: &str = "ground";
/// The version a namespace asks with unless it says otherwise; a newer one takes its place once it was shown to be better.
pub const LATEST: &str = "v1";

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
    /// Sentences that stand in the examples: a claim made of them is an echo of the prompt.
    pub examples: Vec<String>,
}

/// The files of a prompt, as they lie in `prompts/<name>/<version>/`.
#[derive(Debug, Clone, Copy)]
pub struct PromptFiles<'a> {
    /// `system.txt`.
    pub system: &'a str,
    /// `schema.json`.
    pub schema: &'a str,
    /// `examples.json`.
    pub examples: &'a str,
}

/// A file of a prompt that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file} of prompt {name}/{version} is not of its format: {why}")]
pub struct InvalidPrompt {
    name: String,
    version: String,
    file: &'static str,
    why: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Example {
    turns: String,
    candidates: Vec<ExampleCandidate>,
}

/// Field order is the order of the schema: what a model sees in the examples is what it is asked for.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ExampleCandidate {
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
    /// Puts a prompt together from its files.
    ///
    /// # Errors
    /// The file that is not of its format.
    pub fn new(name: &str, version: &str, files: PromptFiles<'_>) -> Result<Self, InvalidPrompt> {
        let wrong = |file, error: serde_json::Error| InvalidPrompt {
            name: name.into(),
            version: version.into(),
            file,
            why: error.to_string(),
        };
        let examples: Vec<Example> =
            serde_json::from_str(files.examples).map_err(|error| wrong("examples.json", error))?;
        serde_json::from_str::<serde::de::IgnoredAny>(files.schema).map_err(|error| wrong("schema.json", error))?;
        let mut system = files.system.trim_end().to_owned();
        for example in &examples {
            let reply = serde_json::to_string(&example.candidates).map_err(|error| wrong("examples.json", error))?;
            system.push_str(&format!("\n\nExample\n{}\n{{\"candidates\":{reply}}}", example.turns));
        }
        Ok(Self {
            name: name.into(),
            version: version.into(),
            sha256: digest(files),
            system,
            schema: compact(files.schema),
            examples: examples.iter().flat_map(sentences).collect(),
        })
    }
}

/// The compiled-in extraction prompt of a version.
pub fn builtin(version: &str) -> Option<&'static Prompt> {
    find(EXTRACT, version)
}

/// The prompt a judge is asked with.
pub fn judging() -> Option<&'static Prompt> {
    find(GROUND, "v1")
}

fn find(name: &str, version: &str) -> Option<&'static Prompt> {
    static ALL: LazyLock<Vec<Prompt>> = LazyLock::new(|| {
        // A file that is not of its format fails the tests of this crate; no build with one is ever released.
        VERSIONS.iter().filter_map(|(name, version, files)| Prompt::new(name, version, *files).ok()).collect()
    });
    ALL.iter().find(|prompt| prompt.name == name && prompt.version == version)
}

/// Sentences of the examples of a version; none for a version that is not compiled in.
pub fn examples(version: &str) -> &'static [String] {
    builtin(version).map(|prompt| prompt.examples.as_slice()).unwrap_or_default()
}

const VERSIONS: &[(&str, &str, PromptFiles<'static>)] = &[
    (
        EXTRACT,
        "v1",
        PromptFiles {
            system: include_str!("../../../../prompts/extract/v1/system.txt"),
            schema: include_str!("../../../../prompts/extract/v1/schema.json"),
            examples: include_str!("../../../../prompts/extract/v1/examples.json"),
        },
    ),
    (
        EXTRACT,
        "v2",
        PromptFiles {
            system: include_str!("../../../../prompts/extract/v2/system.txt"),
            schema: include_str!("../../../../prompts/extract/v2/schema.json"),
            examples: include_str!("../../../../prompts/extract/v2/examples.json"),
        },
    ),
    (
        GROUND,
        "v1",
        PromptFiles {
            system: include_str!("../../../../prompts/ground/v1/system.txt"),
            schema: include_str!("../../../../prompts/ground/v1/schema.json"),
            examples: "[]",
        },
    ),
];

fn digest(files: PromptFiles<'_>) -> String {
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

fn sentences(example: &Example) -> Vec<String> {
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

    #[test]
    fn every_compiled_in_prompt_is_of_its_format() {
        for (name, version, files) in VERSIONS {
            Prompt::new(name, version, *files).unwrap();
            assert!(find(name, version).is_some(), "{name} {version}");
        }
        assert!(judging().is_some());
        assert!(builtin(LATEST).is_some());
        assert_eq!(builtin("v0"), None);
    }

    #[test]
    fn the_hash_changes_with_every_file() {
        let files = VERSIONS[0].2;
        let hash = |files| Prompt::new(EXTRACT, "x", files).unwrap().sha256;
        let one = hash(files);
        assert_eq!(one.len(), 64);
        let longer = format!("{}\n", files.system);
        assert_ne!(one, hash(PromptFiles { system: &longer, ..files }));
        let wider = format!("{} ", files.schema);
        assert_ne!(one, hash(PromptFiles { schema: &wider, ..files }));
        assert_ne!(one, hash(PromptFiles { examples: "[]", ..files }));
    }

    #[test]
    fn the_schema_keeps_the_order_a_model_should_write_in() {
        let schema = &builtin("v1").unwrap().schema;
        let place = |key: &str| schema.find(&format!("\"{key}\":{{")).unwrap();
        assert!(place("evidence") < place("content") && place("content") < place("confidence"), "{schema}");
        assert!(!schema.contains(' ') && serde_json::from_str::<serde_json::Value>(schema).is_ok());
        assert_eq!(compact(r#"{ "a b": "c \" d" }"#), r#"{"a b":"c \" d"}"#);
    }

    #[test]
    fn versions_differ_in_what_a_model_is_told() {
        let hash = |version| builtin(version).map(|prompt| prompt.sha256.clone()).unwrap();
        assert_ne!(hash("v1"), hash("v2"));
        assert!(examples("v2").iter().all(|sentence| !examples("v1").contains(sentence)));
    }

    #[test]
    fn sentences_of_the_examples_are_known_so_that_an_echo_is_recognised() {
        let examples = examples("v1");
        assert!(examples.iter().any(|sentence| sentence == "User teaches pottery"));
        assert!(examples.iter().any(|sentence| sentence == "if I had a boat, which knots should I learn?"));
    }
}
