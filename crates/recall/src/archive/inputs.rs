//! Which files a command reads: the ones it names, all that lie in a folder, or what is piped in.

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::NamedTempFile;

use super::open;

/// A file that is read.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    /// As people are told of it.
    pub name: String,
    /// What sessions without an id are named after.
    pub stem: String,
    pub(super) path: PathBuf,
    /// Holds what was piped in, until it was read for the last time.
    _piped: Option<Arc<NamedTempFile>>,
}

impl Input {
    /// A file by itself. A pipe (`<(command)`, a FIFO) gives its bytes once only: they are kept beside while it is read.
    ///
    /// # Errors
    /// There is no such file, or the pipe cannot be read.
    pub(crate) fn of(path: &Path) -> std::io::Result<Self> {
        let (name, stem) = (path.display().to_string(), stem(path));
        let kind = std::fs::metadata(path)?;
        if kind.is_file() || kind.is_dir() {
            return Ok(Self { name, stem, path: path.to_owned(), _piped: None });
        }
        Self::kept((name, stem), &mut std::fs::File::open(path)?)
    }

    /// SHA-256 over the file as it lies, in hex.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn digest(&self) -> std::io::Result<String> {
        open::digest(&self.path)
    }

    /// The file as text, unpacked; what is no text in it is left to whoever reads it as an archive.
    ///
    /// # Errors
    /// The file cannot be read or unpacked.
    pub(crate) fn text(&self) -> std::io::Result<String> {
        let mut bytes = Vec::new();
        open::unpacked(&self.path)?.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn inside(folder: &Path, path: PathBuf) -> Self {
        let within = path.strip_prefix(folder).unwrap_or(&path);
        let parent = within.parent().map(|parent| parent.display().to_string()).unwrap_or_default();
        let last = stem(&path);
        let stem = if parent.is_empty() { last } else { format!("{parent}/{last}") };
        Self { name: path.display().to_string(), stem, path, _piped: None }
    }

    fn piped() -> std::io::Result<Self> {
        Self::kept(("-".into(), "stdin".into()), &mut std::io::stdin().lock())
    }

    fn kept((name, stem): (String, String), from: &mut dyn std::io::Read) -> std::io::Result<Self> {
        let mut file = NamedTempFile::new()?;
        std::io::copy(from, &mut file)?;
        file.flush()?;
        let path = file.path().to_owned();
        Ok(Self { name, stem, path, _piped: Some(Arc::new(file)) })
    }
}

/// The files of paths, those of folders in the order of their names; `-` is what is piped in, read once and kept beside.
///
/// # Errors
/// The path that cannot be read.
pub(crate) fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, (PathBuf, std::io::Error)> {
    let mut found = Vec::new();
    for path in paths {
        let add = |found: &mut Vec<Input>| -> std::io::Result<()> {
            if path.as_os_str() == "-" {
                found.push(Input::piped()?);
            } else if path.is_dir() {
                walk(path, path, found)?;
            } else {
                found.push(Input::of(path)?);
            }
            Ok(())
        };
        add(&mut found).map_err(|error| (path.clone(), error))?;
    }
    let mut stems = HashSet::new();
    for input in &mut found {
        // Two files of one name are two conversations.
        if !stems.insert(input.stem.clone()) {
            input.stem.clone_from(&input.name);
        }
    }
    Ok(found)
}

/// Files whose names begin with a dot are nobody's archives.
fn walk(root: &Path, folder: &Path, found: &mut Vec<Input>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        // A link to a folder is not followed: it may lead back.
        if entry.file_type()?.is_dir() {
            walk(root, &entry.path(), found)?;
        } else if entry.path().is_file() {
            found.push(Input::inside(root, entry.path()));
        }
    }
    Ok(())
}

/// The name of a file without its ends, that of the packer included.
fn stem(path: &Path) -> String {
    let packed = path.extension().is_some_and(|end| ["gz", "zst", "zstd"].iter().any(|packer| end == *packer));
    let unpacked = if packed { path.with_extension("") } else { path.to_owned() };
    unpacked.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_folder_are_read_in_order_under_names_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b/talk.jsonl.gz", "a/talk.txt", "a/.hidden", "talk.json", "a/deep/x.md"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        let found = inputs(&[folder.path().to_owned(), folder.path().join("talk.json")]).unwrap();
        let stems: Vec<&str> = found.iter().map(|input| input.stem.as_str()).collect();
        let twice = folder.path().join("talk.json").display().to_string();
        assert_eq!(stems, ["a/deep/x", "a/talk", "b/talk", "talk", &twice]);
        assert!(inputs(&[folder.path().join("nothing")]).is_err());
    }
}
