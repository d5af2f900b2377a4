//! Prompts from folders: read once, checked, and laid beside those of the build.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use recall_core::prompt::{EXTRACT, GROUND, Library, MAX_PROMPT_FILE_BYTES, Origin, Prompt, PromptFiles, judging};
use recall_llm::tokens;

use crate::config::{Config, Provider};

/// The files of a version.
const FILES: [&str; 4] = ["system.txt", "schema.json", "examples.json", "CHANGELOG.md"];
/// The most versions a folder may hold.
const MAX_VERSIONS: usize = 200;
/// Tokens a request must have left for its turns.
const LEAST_ROOM: usize = 500;

/// The built-in prompts and those of `prompts.dir`, with every version in it that the configuration names.
///
/// # Errors
/// A prompt that is not taken, with file, example, stage and reason; a version that is not there; a prompt that leaves no room
/// for turns.
pub(crate) fn library(config: &Config) -> anyhow::Result<Library> {
    let library = known(&config.prompts.dir)?;
    for (namespace, settings) in config.namespaces.iter().chain([(&"settings".to_owned(), &config.settings)]) {
        let of = || format!("settings of {namespace:?}");
        let prompt = library.extract(&settings.prompt_version).with_context(of)?;
        let most = config.model.max_prompt_tokens;
        let beyond = |most: usize| tokens::constant_beyond(prompt, most.saturating_sub(LEAST_ROOM));
        if config.model.provider == Provider::Openai
            && let Some(taken) = beyond(most)
        {
            return Err(anyhow::anyhow!(
                "prompt {EXTRACT}/{} takes {taken} tokens; of the {most} of model.max_prompt_tokens it must leave {LEAST_ROOM} for turns",
                prompt.version
            ))
            .with_context(of);
        }
    }
    Ok(library)
}

/// The built-in prompts and those of a folder; of an empty path, the built-in ones alone.
///
/// # Errors
/// What is wrong with the folder, or with the first prompt in it that is not taken.
pub(crate) fn known(dir: &Path) -> anyhow::Result<Library> {
    if dir.as_os_str().is_empty() {
        return Ok(Library::builtin());
    }
    let of = || format!("prompts.dir {}", dir.display());
    let folders = versions(dir).with_context(of)?;
    folders.iter().try_fold(Library::builtin(), |library, folder| {
        library.with(read(folder)?).with_context(|| format!("{}", folder.display()))
    })
}

/// Folders of the versions under a folder of prompts, by name.
///
/// # Errors
/// There is no `extract` in it, or something in that is no folder.
pub(crate) fn versions(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let extract = dir.join(EXTRACT);
    let folders = shown(&extract)?;
    if let Some(file) = folders.iter().find(|path| !path.is_dir()) {
        bail!("{} is no folder of a version", file.display());
    }
    if folders.len() > MAX_VERSIONS {
        bail!("{} holds more than {MAX_VERSIONS} versions", extract.display());
    }
    Ok(folders)
}

/// Reads the folder of one version; its name is the version.
///
/// # Errors
/// A file that is missing, unknown, too long or no text; a prompt that is not of its format.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Prompt> {
    let folder = &std::path::absolute(folder)?;
    let version = folder.file_name().and_then(|name| name.to_str()).context("the folder has no name")?;
    for path in shown(folder)? {
        if !path.file_name().and_then(|name| name.to_str()).is_some_and(|name| FILES.contains(&name)) {
            bail!("{} is no file of a prompt; there are {}", path.display(), FILES.join(", "));
        }
    }
    let [system, schema, examples, changelog] = FILES.map(|name| text(&folder.join(name)));
    let (system, schema, examples, changelog) = (system?, schema?, examples?, changelog?);
    let files = PromptFiles {
        system: system.as_str(),
        schema: schema.as_str(),
        examples: examples.as_str(),
        changelog: changelog.as_str(),
    };
    Prompt::new(EXTRACT, version, files, Origin::Folder(folder.clone()))
        .with_context(|| format!("{}", folder.display()))
}

/// A prompt by its name and version, its version alone, or its folder.
///
/// # Errors
/// There is none, or it cannot be read.
pub(crate) fn find(text: &str, library: &Library) -> anyhow::Result<Prompt> {
    if Path::new(text).is_dir() {
        return read(Path::new(text));
    }
    let (name, version) = text.split_once('/').unwrap_or((EXTRACT, text));
    match name {
        EXTRACT => Ok(library.extract(version).map(|prompt| (**prompt).clone())?),
        GROUND => judging()
            .filter(|prompt| prompt.version == version)
            .cloned()
            .with_context(|| format!("there is no prompt {text}")),
        _ => bail!("there is no prompt and no folder {text}; prompts are {EXTRACT}/VERSION and {GROUND}/VERSION"),
    }
}

/// Entries of a folder by name, but for hidden ones.
fn shown(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// A file as text. One byte more than allowed is read, so that the prompt says that it is too long.
fn text(path: &Path) -> anyhow::Result<String> {
    let of = || format!("cannot read {}", path.display());
    let mut bytes = Vec::new();
    File::open(path)
        .with_context(of)?
        .take(MAX_PROMPT_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(of)?;
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("not UTF-8")).with_context(of)
}
