//! Who may know whom: the manifests against the table of floors.

use std::collections::BTreeSet;

use crate::tree::{manifest, root};

/// A crate, its floor, and the crates of ours that it may use.
const FLOORS: &[(&str, u8, &[&str])] = &[
    ("recall-core", 1, &[]),
    ("recall-broker", 2, &["recall-core"]),
    ("recall-llm", 2, &["recall-core"]),
    ("recall-store", 2, &["recall-core"]),
    ("recall-worker", 3, &["recall-broker", "recall-core", "recall-llm", "recall-store"]),
    ("recall", 4, &["recall-broker", "recall-core", "recall-llm", "recall-store", "recall-worker"]),
];

/// What the judging floor must not know: runtimes, networks, databases, clocks of the machine.
const IMPURE: &[&str] = &[
    "async-openai",
    "async-trait",
    "axum",
    "chrono",
    "futures",
    "hyper",
    "lapin",
    "rand",
    "reqwest",
    "sqlx",
    "time",
    "tokio",
    "tokio-util",
    "tower",
    "tracing",
];

const KINDS: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

fn dependencies(krate: &str) -> BTreeSet<String> {
    let manifest = manifest(&format!("crates/{krate}/Cargo.toml"));
    let listed = KINDS.iter().filter_map(|kind| manifest.get(*kind)?.as_table());
    listed.flat_map(|table| table.keys().cloned()).collect()
}

#[test]
fn the_crates_are_those_of_the_table() {
    let folders = std::fs::read_dir(root().join("crates")).unwrap().map(Result::unwrap);
    let there: BTreeSet<String> = folders
        .filter(|entry| entry.path().join("Cargo.toml").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let listed: BTreeSet<String> = FLOORS.iter().map(|(name, _, _)| (*name).to_owned()).collect();
    assert_eq!(there, listed);
}

#[test]
fn a_crate_knows_only_crates_below_it() {
    for (krate, floor, may_use) in FLOORS {
        let ours: BTreeSet<String> =
            dependencies(krate).into_iter().filter(|name| name == "recall" || name.starts_with("recall-")).collect();
        for used in &ours {
            assert!(may_use.contains(&used.as_str()), "{krate} must not use {used}");
            let below = FLOORS.iter().any(|(name, its, _)| name == used && its < floor);
            assert!(below, "{krate} (floor {floor}) uses {used}, which is not below it");
        }
    }
}

#[test]
fn the_judging_floor_knows_no_outside() {
    let known = dependencies("recall-core");
    for impure in IMPURE {
        assert!(!known.contains(*impure), "recall-core must not use {impure}");
    }
}
