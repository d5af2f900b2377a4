//! Every reply is kept: a repeat costs nothing and is exact, a part can be asked for later, a miss is named.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::{CONVERSATIONS, arguments, world};
use crate::tree;
use crate::world::{Backends, World, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_costs_nothing_and_says_the_same_and_a_miss_names_its_request() {
    let (mut world, data, asked) = world().await;
    let (data, folder) = (data.display().to_string(), world.folder());
    let file = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let first = world.recall(&arguments(&data, &["--json", "first.json"]));
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert_eq!(asked.load(Ordering::SeqCst), 2 * CONVERSATIONS);
    let tape = text(&file("tape.jsonl"));
    assert_eq!(tape.lines().filter(|line| line.starts_with("{\"tape\":")).count(), 2, "a header for each arm");

    let again = world.recall(&arguments(&data, &["--json", "again.json"]));
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(asked.load(Ordering::SeqCst), 2 * CONVERSATIONS, "nothing was asked again");
    assert_eq!(text(&file("again.json")), text(&file("first.json")));

    // The last reply broke off: only it is asked again, and without a model it is named.
    std::fs::write(folder.join("tape.jsonl"), tape.get(..tape.len() - 40).unwrap()).unwrap();
    world.set("MODEL__PROVIDER", "recorded");
    let missing = world.recall(&arguments(&data, &[]));
    assert_eq!(missing.status.code(), Some(1));
    let told = text(&missing.stderr);
    assert!(told.contains("tape holds no reply for session pets-") && told.contains("prompt extract/v"), "{told}");
    world.set("MODEL__PROVIDER", "openai");
    let mended = world.recall(&arguments(&data, &["--json", "mended.json"]));
    assert!(mended.status.success(), "{}", text(&mended.stderr));
    assert_eq!(asked.load(Ordering::SeqCst), 2 * CONVERSATIONS + 1);
    let trials = |name: &str| serde_json::from_slice::<Value>(&file(name)).unwrap()["trials"].as_array().unwrap().len();
    assert_eq!(trials("mended.json"), trials("first.json"));
    assert_eq!(
        text(&file("tape.jsonl")).lines().count(),
        tape.lines().count() + 1,
        "one header more, and nothing broken"
    );
    assert!(!world.folder().join("data").join("recall.db").exists(), "nothing was written to the configured store");
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_set_the_exit_code_and_both_arms_alike_have_answers_of_their_own() {
    let (world, data, asked) = world().await;
    let data = data.display().to_string();
    for (condition, code) in [
        ("recall_b < recall_a - 0.01", 0),
        ("recall_b > recall_a + 0.2 and recall_p < 0.05", 1),
        ("recal_b < 1", 2),
        ("latency_a < cost_b", 0),
        ("dates_right_a > 0", 2),
    ] {
        let output = world.recall(&arguments(&data, &["--fail-if", condition]));
        assert_eq!(output.status.code(), Some(code), "{condition}: {}{}", text(&output.stdout), text(&output.stderr));
    }
    let before = asked.load(Ordering::SeqCst);
    let alike =
        ["eval", "prompts", "--a", "v2", "--b", "v2", "--data", &data, "--tape", "tape.jsonl", "--repeats", "2"];
    let output = world.recall(&alike);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).starts_with("No difference between v2 (B) and v2 (A) was shown."),
        "{}",
        text(&output.stdout)
    );
    assert_eq!(asked.load(Ordering::SeqCst) - before, 3 * CONVERSATIONS, "the first sample is on the tape");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_leaves_takes_neither_files_nor_the_exit_code() {
    let (world, data, _) = world().await;
    let data = data.display().to_string();
    for (condition, code) in [("recall_b < recall_a", 0), ("recall_b > recall_a", 1)] {
        let written = ["report.json", "report.html"].map(|name| world.folder().join(name));
        let left = world.recall_unheard(&arguments(
            &data,
            &["--json", "report.json", "--html", "report.html", "--fail-if", condition],
        ));
        assert_eq!(left.status.code(), Some(code), "{condition}: {}", text(&left.stderr));
        for file in written {
            assert!(std::fs::metadata(&file).is_ok_and(|found| found.len() > 1000), "{}", file.display());
            std::fs::remove_file(&file).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_four_figures_of_one_version_are_those_of_its_arm() {
    let (world, data, _) = world().await;
    let data = data.display().to_string();
    let compared = world.recall(&arguments(&data, &["--json", "report.json"]));
    assert!(compared.status.success(), "{}", text(&compared.stderr));
    let report: Value = serde_json::from_slice(&std::fs::read(world.folder().join("report.json")).unwrap()).unwrap();
    let figures = world.json(&["eval", "memory", "--data", &data, "--prompt", "v1", "--tape", "tape.jsonl", "--json"]);
    for name in ["recall", "precision", "resisted", "supported_blocked"] {
        let row = report["measures"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        assert_eq!(figures["figures"][name], row["a"], "{name}");
        assert!(figures["figures"][name]["value"].is_number(), "{figures}");
    }
    let unknown = world.recall(&["eval", "memory", "--data", &data, "--prompt", "v0", "--tape", "tape.jsonl"]);
    assert!(text(&unknown.stderr).contains("there is no prompt_version \"v0\""), "{}", text(&unknown.stderr));
    let nobody = world.recall(&arguments(&data, &["--only", "pets-1", "dogs-1"]));
    assert!(text(&nobody.stderr).contains("--only dogs-1: there is no such conversation"), "{}", text(&nobody.stderr));
}

/// The tape that comes with the set: what it holds plays without a model, so that a comparison of a real one runs anywhere.
#[tokio::test(flavor = "multi_thread")]
async fn the_recorded_tape_of_a_real_model_plays_on_the_set_of_the_repository() {
    let mut world = World::new(Backends::Embedded).await;
    world.set("MODEL__PROVIDER", "recorded");
    let path = |name: &str| tree::root().join(name).display().to_string();
    let (data, tape) = (path("eval/conversations"), path("eval/tapes/qwen2.5-coder-1.5b.jsonl"));
    let lines: Vec<Value> = tree::read("eval/tapes/qwen2.5-coder-1.5b.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let with = |version: &str| -> BTreeSet<&str> {
        let entries = lines.iter().filter(|line| line["asked"]["prompt_version"] == version);
        entries.filter_map(|line| line["session"].as_str()?.split('/').next()).collect()
    };
    let recorded: BTreeSet<&str> = with("v1").intersection(&with("v2")).copied().collect();
    assert!(recorded.len() >= 20, "{recorded:?}");
    let mut arguments = vec!["eval", "prompts", "--a", "v1", "--b", "v2", "--data", &data, "--tape", &tape];
    arguments.extend(["--turns-per-call", "12", "--json", "real.json"]);
    recorded.iter().for_each(|id| arguments.extend(["--only", id]));
    let told = world.recall(&arguments);
    assert!(told.status.success(), "{}", text(&told.stderr));
    let report: Value = serde_json::from_slice(&std::fs::read(world.folder().join("real.json")).unwrap()).unwrap();
    assert_eq!(report["conversations"].as_array().unwrap().len(), recorded.len());
}
