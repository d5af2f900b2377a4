//! Limits of files, and what must not stand in any of them.

use crate::tree::{rust_files, texts};

/// Lines a file may have before its tests, rows of tables aside.
const MOST_LINES: usize = 300;
/// The line with which the tests of a file begin.
const TESTS_BEGIN: &str = "mod tests {";

/// Files that hold nothing but tests.
fn is_all_tests(path: &str) -> bool {
    path.starts_with("tests/")
        || path.ends_with("/tests.rs")
        || path.ends_with("/conformance.rs")
        || path.contains("/tests/")
}

/// A line of a table, which is read as data: quoted words, or a tuple that begins with one.
fn is_row(line: &str) -> bool {
    let line = line.trim();
    line.ends_with(',') && (line.starts_with('"') || line.starts_with("(\"") || line.starts_with("(&[\""))
}

/// The part of a file that holds tests.
fn tests_of<'t>(path: &str, text: &'t str) -> &'t str {
    if is_all_tests(path) { text } else { text.split_once(TESTS_BEGIN).map_or("", |(_, tests)| tests) }
}

#[test]
fn a_file_fits_on_three_hundred_lines_before_its_tests() {
    let mut long = Vec::new();
    for (path, text) in rust_files() {
        let lines = text.lines().take_while(|line| *line != TESTS_BEGIN).filter(|line| !is_row(line)).count();
        if lines > MOST_LINES && !is_all_tests(&path) {
            long.push(format!("{path}: {lines}"));
        }
    }
    assert!(long.is_empty(), "too long:\n{}", long.join("\n"));
}

#[test]
fn every_module_says_what_it_is_for() {
    let silent: Vec<String> =
        rust_files().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(path, _)| path).collect();
    assert!(silent.is_empty(), "no opening sentence in {silent:?}");
}

#[test]
fn no_test_is_switched_off() {
    let mark = format!("#[{}", "ignore");
    for (path, text) in rust_files() {
        assert!(!text.contains(&mark), "{path}");
    }
}

#[test]
fn no_test_sleeps() {
    let naps = [format!("{}::sleep(", "time"), format!("{}::sleep(", "thread"), format!(" {}(Duration", "sleep")];
    for (path, text) in rust_files() {
        for nap in &naps {
            assert!(
                !tests_of(&path, &text).contains(nap.as_str()),
                "a test in {path} sleeps; wait for what it waits for"
            );
        }
    }
}

#[test]
fn the_tree_speaks_of_no_machine_and_no_registry() {
    let folders = ["work", "root", "home", "Users"].map(|folder| format!("/{folder}/"));
    let hosts =
        ["index.crates", "static.crates", "pypi", "pythonhosted", "registry.npmjs", "deb.debian", "proxy.golang"];
    let hosts = hosts.map(|host| format!("{host}."));
    for (path, text) in texts() {
        // Rows of data are what people paste, folders of their machines included.
        if path.ends_with(".jsonl") {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            for wrong in folders.iter().chain(&hosts) {
                assert!(!line.contains(wrong.as_str()), "{path}:{number} names {wrong}");
            }
        }
    }
}
