//! Manifests and commands that every member has in common.

use toml::Value;

use crate::tree::{manifest, read, rust_files, texts};

fn members() -> Vec<String> {
    let manifests = texts().into_iter().map(|(path, _)| path).filter(|path| path.ends_with("/Cargo.toml"));
    let members: Vec<String> = manifests.collect();
    assert!(members.len() >= 7, "{members:?}");
    members
}

#[test]
fn every_member_inherits_the_lints() {
    for path in members() {
        let inherits = manifest(&path).get("lints").and_then(|lints| lints.get("workspace")).and_then(Value::as_bool);
        assert_eq!(inherits, Some(true), "{path}");
    }
}

#[test]
fn every_member_inherits_what_a_package_is() {
    for path in members() {
        for field in ["version", "edition", "rust-version", "license", "publish"] {
            let manifest = manifest(&path);
            let inherits = manifest.get("package").and_then(|package| package.get(field)?.get("workspace")?.as_bool());
            assert_eq!(inherits, Some(true), "{path}: {field}");
        }
    }
}

#[test]
fn versions_of_dependencies_stand_in_one_place() {
    for path in members() {
        let manifest = manifest(&path);
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (name, how) in manifest.get(kind).and_then(Value::as_table).into_iter().flatten() {
                let inherits = how.get("workspace").and_then(Value::as_bool);
                assert_eq!(inherits, Some(true), "{path}: {name} names a version of its own");
            }
        }
    }
}

#[test]
fn ci_runs_what_everybody_runs() {
    let ci = read(".ci/run");
    let commands: Vec<&str> = ci.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert_eq!(commands, ["set -euo pipefail", "cd \"$(dirname \"$0\")/..\"", "exec tests/run"]);
}

#[test]
fn the_readme_of_the_tests_names_every_suite() {
    let suites = read("tests/it/main.rs");
    let readme = read("tests/README.md");
    for suite in suites.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')) {
        assert!(readme.contains(&format!("`{suite}`")), "tests/README.md says nothing of {suite}");
    }
}

/// Two types of one name would be one schema in the OpenAPI document, and half of the requests told wrongly.
#[test]
fn every_schema_has_a_name_of_its_own() {
    let mut seen = std::collections::BTreeMap::new();
    for (path, text) in rust_files().into_iter().filter(|(path, _)| path.starts_with("crates/recall/src/")) {
        let lines: Vec<&str> = text.lines().collect();
        for (at, _) in
            lines.iter().enumerate().filter(|(_, line)| line.contains("derive(") && line.contains("ToSchema"))
        {
            let declared = lines.iter().skip(at).find_map(|line| {
                let (_, name) = line.split_once("struct ").or_else(|| line.split_once("enum "))?;
                Some(name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned())
            });
            let name = declared.unwrap_or_else(|| panic!("{path}: nothing is declared behind line {at}"));
            if let Some(other) = seen.insert(name.clone(), path.clone()) {
                panic!("{name} is declared in {other} and in {path}");
            }
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
}
