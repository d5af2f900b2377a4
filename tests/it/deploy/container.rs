//! `deploy/Dockerfile`: small, without root, and startable where a container engine is.

use std::process::{Command, Stdio};

use crate::tree::{read, root};

fn instructions() -> Vec<(String, String)> {
    let text = read("deploy/Dockerfile").replace("\\\n", " ");
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let split = lines.filter_map(|line| line.split_once(' '));
    split.map(|(word, rest)| (word.to_owned(), rest.trim().to_owned())).collect()
}

#[test]
fn the_image_carries_no_compiler() {
    let instructions = instructions();
    let stages: Vec<&String> = instructions.iter().filter(|(word, _)| word == "FROM").map(|(_, rest)| rest).collect();
    assert_eq!(stages.len(), 2, "{stages:?}");
    assert!(stages[0].contains("rust:") && stages[0].contains(" AS build"), "{stages:?}");
    assert!(!stages[1].contains("rust"), "{stages:?}");
}

#[test]
fn the_image_runs_as_nobody_in_particular() {
    let instructions = instructions();
    let last = instructions.iter().rposition(|(word, _)| word == "FROM").unwrap();
    let user = instructions.iter().skip(last).find(|(word, _)| word == "USER").map(|(_, rest)| rest.as_str());
    let user = user.expect("the last stage names a user");
    assert!(
        user.split(':').all(|id| id.parse::<u32>().is_ok_and(|id| id > 0)),
        "{user} must be a number that is not root's"
    );
}

#[test]
fn the_image_starts_the_binary_itself_so_that_signals_reach_it() {
    let entry = instructions().into_iter().find(|(word, _)| word == "ENTRYPOINT").expect("an entry point").1;
    assert_eq!(entry, r#"["/usr/local/bin/recall"]"#);
}

/// Cargo reads the manifest and the targets of every member, whatever it builds.
#[test]
fn nothing_that_is_copied_or_that_cargo_reads_is_left_out_of_the_build() {
    let ignored = read("deploy/Dockerfile.dockerignore");
    let ignored: Vec<&str> = ignored.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).collect();
    assert!(!ignored.is_empty());
    let workspace = crate::tree::manifest("Cargo.toml");
    let members = workspace["workspace"]["members"].as_array().unwrap().iter().map(|member| member.as_str().unwrap());
    let copied = instructions().into_iter().filter(|(word, rest)| word == "COPY" && !rest.starts_with("--from"));
    let copied: Vec<String> = copied.filter_map(|(_, rest)| rest.split(' ').next().map(str::to_owned)).collect();
    let needed = members.chain(["Cargo.toml", "Cargo.lock"]).chain(copied.iter().map(String::as_str));
    for path in needed.filter(|path| *path != ".") {
        let folder = path.split('/').next().unwrap();
        assert!(!ignored.contains(&folder), "{path} is needed and left out of the build");
        assert!(path.contains('*') || root().join(path).exists(), "{path} is not there");
    }
}

/// Builds the image and asks the binary for its version. Says so where there is no container engine.
#[test]
#[expect(clippy::print_stderr, reason = "a test that could not do its work must be seen to have done none")]
fn the_image_builds_and_answers_where_a_container_engine_is() {
    let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !quiet(Command::new("docker").arg("info")).is_ok_and(|status| status.success()) {
        eprintln!("NOT RUN: the image was not built, since no container engine answers here");
        return;
    }
    let build = Command::new("docker")
        .args(["build", "--quiet", "--file", "deploy/Dockerfile", "."])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    let image = String::from_utf8(build.stdout).unwrap();
    let version = Command::new("docker").args(["run", "--rm", image.trim(), "--version"]).output().unwrap();
    assert!(String::from_utf8_lossy(&version.stdout).starts_with("recall "), "{version:?}");
}
