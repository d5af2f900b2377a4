//! The files of the repository as the suites read them.

use std::path::{Path, PathBuf};

/// What is not part of the project.
const NOT_OURS: &[&str] = &[".git", "target"];

/// The top of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A file by its path from the top.
pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A manifest by its path from the top.
pub(crate) fn manifest(path: &str) -> toml::Table {
    read(path).parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every text file: its path from the top, with `/` between folders, and its text.
pub(crate) fn texts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&root(), &root(), &mut found);
    assert!(found.len() > 30, "only {} files found below {}", found.len(), root().display());
    found
}

/// Every Rust file, as [`texts`].
pub(crate) fn rust_files() -> Vec<(String, String)> {
    texts().into_iter().filter(|(path, _)| path.ends_with(".rs")).collect()
}

fn collect(top: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        let kind = entry.file_type().unwrap();
        if NOT_OURS.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if kind.is_dir() {
            collect(top, &path, found);
        } else if kind.is_file()
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            let from_top = path.strip_prefix(top).unwrap().components();
            let names: Vec<_> = from_top.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            found.push((names.join("/"), text));
        }
    }
}
