//! Limits of files, and what must not stand in any of them.

use crate::tree::{rust_files, texts};

/// Lines a file may have before its tests, rows of tables aside.
const MOST_LINES: usize = 300;
/// The line with which the tests of a file begin.
const TESTS_BEGIN: &str = "mod tests {";

/// Files that hold nothing but tests.
fn is_all_tests(path: &str) -> bool {
    let folder = |name: &str| path.starts_with(&format!("{name}/")) || path.contains(&format!("/{name}/"));
    folder("tests") || folder("conformance") || path.ends_with("/tests.rs") || path.ends_with("/conformance.rs")
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

fn lines_before_tests(path: &str, text: &str) -> usize {
    if is_all_tests(path) {
        return 0;
    }
    text.lines().take_while(|line| *line != TESTS_BEGIN).filter(|line| !is_row(line)).count()
}

fn is_switched_off(text: &str) -> bool {
    text.contains(&format!("#[{}", "ignore"))
}

fn sleeps(path: &str, text: &str) -> bool {
    let naps = [format!("{}::sleep(", "time"), format!("{}::sleep(", "thread"), format!(" {}(Duration", "sleep")];
    naps.iter().any(|nap| tests_of(path, text).contains(nap.as_str()))
}

/// Lines that name a folder of somebody's machine or the host of a package registry.
fn places_named(text: &str) -> Vec<usize> {
    let folders = ["work", "root", "home", "Users"].map(|folder| format!("/{folder}/"));
    let hosts =
        ["index.crates", "static.crates", "pypi", "pythonhosted", "registry.npmjs", "deb.debian", "proxy.golang"];
    let hosts = hosts.map(|host| format!("{host}."));
    let names_one = |line: &str| folders.iter().chain(&hosts).any(|place| line.contains(place.as_str()));
    (1..).zip(text.lines()).filter(|(_, line)| names_one(line)).map(|(number, _)| number).collect()
}

#[test]
fn a_file_fits_on_three_hundred_lines_before_its_tests() {
    let counted = rust_files().into_iter().map(|(path, text)| (lines_before_tests(&path, &text), path));
    let long: Vec<(usize, String)> = counted.filter(|(lines, _)| *lines > MOST_LINES).collect();
    assert!(long.is_empty(), "too long: {long:#?}");
}

#[test]
fn every_module_says_what_it_is_for() {
    let silent: Vec<String> =
        rust_files().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(path, _)| path).collect();
    assert!(silent.is_empty(), "no opening sentence in {silent:?}");
}

#[test]
fn no_test_is_switched_off() {
    let off: Vec<String> =
        rust_files().into_iter().filter(|(_, text)| is_switched_off(text)).map(|(path, _)| path).collect();
    assert!(off.is_empty(), "{off:?}");
}

#[test]
fn no_test_sleeps() {
    let asleep: Vec<String> =
        rust_files().into_iter().filter(|(path, text)| sleeps(path, text)).map(|(path, _)| path).collect();
    assert!(asleep.is_empty(), "wait for what the test waits for, not for a time: {asleep:?}");
}

#[test]
fn the_tree_speaks_of_no_machine_and_no_registry() {
    // Rows of data are what people paste, folders of their machines included.
    let files = texts().into_iter().filter(|(path, _)| !path.ends_with(".jsonl"));
    let named = files.map(|(path, text)| (path, places_named(&text))).filter(|(_, lines)| !lines.is_empty());
    let named: Vec<(String, Vec<usize>)> = named.collect();
    assert!(named.is_empty(), "lines that name a place: {named:#?}");
}

#[test]
fn the_rules_see_a_planted_fault() {
    let long = "let a = 1;\n".repeat(MOST_LINES + 1);
    assert_eq!(lines_before_tests("crates/x/src/y.rs", &format!("{long}{TESTS_BEGIN}\n{long}")), MOST_LINES + 1);
    assert_eq!(lines_before_tests("crates/x/src/y.rs", "const WORDS: &[&str] = &[\n    \"a\", \"b\",\n];\n"), 2);
    assert!(is_switched_off(&format!("#[{} = \"later\"]", "ignore")));
    let nap = format!("{}::sleep(Duration::from_secs(1)).await", "tokio::time");
    assert!(sleeps("crates/x/src/y.rs", &format!("{TESTS_BEGIN}\n{nap}")));
    assert!(sleeps("crates/x/src/tests.rs", &nap));
    assert!(!sleeps("crates/x/src/y.rs", &nap), "the product may wait");
    assert_eq!(places_named(&format!("a\n see /{}/kim/recall\n b", "home")), [2]);
}
