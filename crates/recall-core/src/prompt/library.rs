//! The prompts a process knows: those that are compiled in, so that a version and its hash always name the same words, and those
//! it was given. A version never changes.

use std::sync::{Arc, LazyLock};

use super::fault::{Fault, InvalidPrompt};
use super::written::{Origin, Prompt, PromptFiles};

/// Name of the prompt that proposes claims.
pub const EXTRACT: &str = "extract";
/// Name of the prompt that asks a judge about doubtful claims.
pub const GROUND: &str = "ground";

/// The prompts that propose claims, by version. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct Library(Vec<Arc<Prompt>>);

/// A version that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no prompt_version {version:?}; there are {}", known.join(", "))]
pub struct UnknownPrompt {
    /// What was asked for.
    pub version: String,
    /// What there is.
    pub known: Vec<String>,
}

impl Library {
    /// The compiled-in ones.
    pub fn builtin() -> Self {
        Self(compiled().iter().filter(|prompt| prompt.name == EXTRACT).cloned().collect())
    }

    /// Knows one more prompt. The same words under the same version are no news.
    ///
    /// # Errors
    /// One that is not [`Prompt::sound`], or whose version is known with other words.
    pub fn with(mut self, prompt: Prompt) -> Result<Self, InvalidPrompt> {
        match self.0.iter().find(|known| known.version == prompt.version) {
            Some(known) if known.is_same(&prompt) => {}
            Some(known) => {
                let faults = vec![Fault::OtherWords { known: known.origin.clone() }];
                return Err(InvalidPrompt { name: prompt.name, version: prompt.version, faults });
            }
            None => self.0.push(Arc::new(prompt.sound()?)),
        }
        Ok(self)
    }

    /// The prompt of a version.
    ///
    /// # Errors
    /// A version that nobody knows; never another one in its place.
    pub fn extract(&self, version: &str) -> Result<&Arc<Prompt>, UnknownPrompt> {
        self.0.iter().find(|prompt| prompt.version == version).ok_or_else(|| UnknownPrompt {
            version: version.to_owned(),
            known: self.0.iter().map(|prompt| prompt.version.clone()).collect(),
        })
    }

    /// All of them: the compiled-in ones, then the others in the order they were added.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Prompt>> {
        self.0.iter()
    }
}

/// The prompt a judge is asked with. No setting chooses it, so it is always the compiled-in one.
pub fn judging() -> Option<&'static Prompt> {
    compiled().iter().find(|prompt| prompt.name == GROUND).map(|prompt| &**prompt)
}

fn compiled() -> &'static [Arc<Prompt>] {
    static ALL: LazyLock<Vec<Arc<Prompt>>> = LazyLock::new(|| {
        // A file that is not of its format fails the tests of this crate; no build with one is ever released.
        let made = VERSIONS
            .iter()
            .filter_map(|(name, version, files)| Prompt::new(name, version, *files, Origin::Builtin).ok());
        made.map(Arc::new).collect()
    });
    &ALL
}

const VERSIONS: &[(&str, &str, PromptFiles<&'static str>)] = &[
    (
        EXTRACT,
        "v1",
        PromptFiles {
            system: include_str!("../../../../prompts/extract/v1/system.txt"),
            schema: include_str!("../../../../prompts/extract/v1/schema.json"),
            examples: include_str!("../../../../prompts/extract/v1/examples.json"),
            changelog: include_str!("../../../../prompts/extract/v1/CHANGELOG.md"),
        },
    ),
    (
        EXTRACT,
        "v2",
        PromptFiles {
            system: include_str!("../../../../prompts/extract/v2/system.txt"),
            schema: include_str!("../../../../prompts/extract/v2/schema.json"),
            examples: include_str!("../../../../prompts/extract/v2/examples.json"),
            changelog: include_str!("../../../../prompts/extract/v2/CHANGELOG.md"),
        },
    ),
    (
        GROUND,
        "v1",
        PromptFiles {
            system: include_str!("../../../../prompts/ground/v1/system.txt"),
            schema: include_str!("../../../../prompts/ground/v1/schema.json"),
            examples: "[]",
            changelog: include_str!("../../../../prompts/ground/v1/CHANGELOG.md"),
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_compiled_in_prompt_is_of_its_format_and_passes_its_own_gate() {
        assert_eq!(compiled().len(), VERSIONS.len());
        for prompt in compiled() {
            assert_eq!(prompt.faults(), [], "{}/{}", prompt.name, prompt.version);
        }
        assert!(judging().is_some());
        assert!(Library::builtin().all().all(|prompt| prompt.name == EXTRACT));
    }

    #[test]
    fn versions_differ_in_what_a_model_is_told() {
        let library = Library::builtin();
        let (v1, v2) = (library.extract("v1").unwrap(), library.extract("v2").unwrap());
        assert_ne!(v1.sha256, v2.sha256);
        assert!(v2.sentences.iter().all(|sentence| !v1.sentences.contains(sentence)));
    }

    #[test]
    fn an_unknown_version_is_an_error_that_names_the_known_ones() {
        let error = Library::builtin().extract("v0").unwrap_err().to_string();
        assert!(error.starts_with("there is no prompt_version \"v0\"; there are v1"), "{error}");
    }

    #[test]
    fn a_version_that_is_known_keeps_its_words() {
        let v1 = Library::builtin().extract("v1").unwrap().files.clone();
        let made = |version: &str, system: &str| {
            let files = PromptFiles {
                system,
                schema: v1.schema.as_str(),
                examples: v1.examples.as_str(),
                changelog: v1.changelog.as_str(),
            };
            Prompt::new(EXTRACT, version, files, Origin::Folder("mine".into())).unwrap()
        };
        let library = Library::builtin().with(made("own", "Be brief.")).unwrap();
        assert_eq!(library.extract("own").unwrap().origin, Origin::Folder("mine".into()));
        let again = library.clone().with(made("own", "Be brief.")).unwrap();
        assert_eq!(again, library);
        assert_eq!(Library::builtin().with(made("v1", &v1.system)).unwrap(), Library::builtin());
        for (version, system) in [("v1", "Be brief."), ("own", "Be long.")] {
            let error = library.clone().with(made(version, system)).unwrap_err();
            assert!(matches!(error.faults[..], [Fault::OtherWords { .. }]), "{error}");
        }
    }
}
