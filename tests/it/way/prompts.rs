//! Prompts of one's own: chosen by one namespace, tried before they are taken, looked at from the command line.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::model::{says, server};
use crate::tree;
use crate::world::{Backends, World, one_turn, text};

const FILES: [&str; 4] = ["system.txt", "schema.json", "examples.json", "CHANGELOG.md"];
const PARROT: &str = "I have a parrot called Rico.";

/// A folder of prompts with one version: v1, with other words in one of its files.
fn prompts(world: &World, version: &str, change: impl Fn(&str, String) -> String) -> PathBuf {
    let dir = world.folder().join("prompts");
    let folder = dir.join("extract").join(version);
    std::fs::create_dir_all(&folder).unwrap();
    for name in FILES {
        let words = change(name, tree::read(&format!("prompts/extract/v1/{name}")));
        std::fs::write(folder.join(name), words).unwrap();
    }
    dir
}

/// Gives a file of v1, by its name and words, other words.
type Change = fn(&str, String) -> String;

/// Says more in its system text.
fn longer(name: &str, words: String) -> String {
    if name == "system.txt" { format!("{words}\nPets matter most here.\n") } else { words }
}

/// Quotes what its example does not say.
fn misquoting(name: &str, words: String) -> String {
    if name == "examples.json" { words.replace("\"I teach pottery\"", "\"I taught pottery\"") } else { words }
}

fn of_acme(user: &str, id: &str) -> Value {
    let mut call = one_turn(user, &format!("s-{id}"), id, PARROT);
    call["scope"]["namespace"] = json!("acme");
    call
}

fn refused(world: &World, args: &[&str]) -> String {
    let output = world.recall(args);
    assert!(!output.status.success(), "{args:?}: {}", text(&output.stdout));
    text(&output.stderr)
}

/// Memories of a namespace as version and hash of the prompt that made them.
async fn marks(world: &World, namespace: &str) -> Vec<(String, String)> {
    let memories = world.memories(&format!("namespace={namespace}")).await;
    let of = |memory: &Value, field: &str| memory["provenance"]["extracted_by"][field].as_str().unwrap().to_owned();
    memories.iter().map(|memory| (of(memory, "prompt_version"), of(memory, "prompt_sha256"))).collect()
}

async fn one_namespace_has_a_prompt_of_its_own(backends: Backends) {
    let mut world = World::new(backends).await;
    let dir = prompts(&world, "pets", longer);
    world.set("PROMPTS__DIR", &dir.display().to_string());
    world.set("NAMESPACES__ACME__PROMPT_VERSION", "pets");
    world.start_all();
    let (own, other) = (of_acme("u", "t1"), one_turn("u", "s", "t1", PARROT));
    let (own, other) = (world.remember(&own).await, world.remember(&other).await);
    world.done(&format!("{own}?namespace=acme")).await;
    world.done(&other).await;
    let hash = |name: &str| world.json(&["prompt", "show", name, "--json"])["sha256"].as_str().unwrap().to_owned();
    assert_eq!(marks(&world, "acme").await, [("pets".to_owned(), hash("pets"))]);
    assert_eq!(marks(&world, "default").await, [("v1".to_owned(), hash("v1"))]);
    let listed = world.json(&["prompt", "list", "--json"]);
    let used: Vec<(&str, bool, &Value)> = listed["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["version"].as_str().unwrap(), one["default"].as_bool().unwrap(), &one["namespaces"]))
        .collect();
    let (nobody, acme) = (json!([]), json!(["acme"]));
    assert!(used.contains(&("v1", true, &nobody)) && used.contains(&("pets", false, &acme)), "{listed:#}");
}

#[tokio::test]
async fn one_namespace_has_a_prompt_of_its_own_in_one_process() {
    one_namespace_has_a_prompt_of_its_own(Backends::Embedded).await;
}

#[tokio::test]
async fn one_namespace_has_a_prompt_of_its_own_in_a_fleet() {
    one_namespace_has_a_prompt_of_its_own(Backends::Services).await;
}

#[tokio::test]
async fn a_model_is_told_the_words_of_the_prompt_that_was_chosen() {
    let reply = json!({ "candidates": [{
        "content": "User has a parrot called Rico", "memory_type": "fact", "subject": "user", "attribute": "pet", "value": "parrot",
        "polarity": "positive", "evidence": [{ "turn_id": "t1", "quote": "I have a parrot called Rico" }], "time_expression": null,
        "confidence": 0.9,
    }] });
    let (url, heard) = listening(says(&reply.to_string()).1).await;
    let mut world = World::new(Backends::Embedded).await;
    let dir = prompts(&world, "pets", longer);
    for (name, value) in [
        ("PROMPTS__DIR", dir.display().to_string()),
        ("SETTINGS__PROMPT_VERSION", "pets".to_owned()),
        ("MODEL__PROVIDER", "openai".to_owned()),
        ("MODEL__BASE_URL", url),
    ] {
        world.set(name, &value);
    }
    world.serve();
    let id = world.remember(&one_turn("u", "s", "t1", PARROT)).await;
    world.done(&id).await;
    let sent = heard.lock().unwrap()[0]["messages"][0]["content"].as_str().unwrap().to_owned();
    let shown = world.json(&["prompt", "show", "extract/pets", "--json"]);
    assert_eq!(sent, shown["system"].as_str().unwrap());
    assert!(sent.contains("Pets matter most here."), "{sent}");
    assert_eq!(marks(&world, "default").await, [("pets".to_owned(), shown["sha256"].as_str().unwrap().to_owned())]);
}

/// A model server that keeps what it is asked.
async fn listening(answer: Value) -> (String, std::sync::Arc<std::sync::Mutex<Vec<Value>>>) {
    let heard = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let keep = std::sync::Arc::clone(&heard);
    let handler = move |axum::Json(asked): axum::Json<Value>| {
        keep.lock().unwrap().push(asked);
        std::future::ready(axum::Json(answer.clone()))
    };
    let router = axum::Router::new().route("/v1/chat/completions", axum::routing::post(handler));
    (format!("{}/v1", crate::world::stand_in(router).await), heard)
}

#[tokio::test]
async fn a_prompt_whose_examples_do_not_pass_the_gate_stops_the_start() {
    let mut world = World::new(Backends::Embedded).await;
    let dir = prompts(&world, "bad", misquoting);
    world.set("PROMPTS__DIR", &dir.display().to_string());
    let why = "prompt extract/bad is not taken: examples.json, example 1, candidate 1: turned away at ground (quote_not_found)";
    let conversation = tree::root().join("eval/first.jsonl").display().to_string();
    for args in [&["serve"][..], &["work"], &["remember", &conversation]] {
        let said = refused(&world, args);
        assert!(said.contains(why), "{args:?}: {said}");
    }
    let checked = world.recall(&["prompt", "check", &dir.display().to_string()]);
    let said = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(1), "{said}");
    assert!(said.contains("turned away at ground (quote_not_found)") && said.contains("not taken"), "{said}");
    assert!(said.contains("example 2: nothing to keep"), "{said}");
}

#[tokio::test]
async fn a_folder_that_is_not_as_it_should_be_is_refused_with_what_is_wrong() {
    let mut world = World::new(Backends::Embedded).await;
    let dir = world.folder().join("prompts").display().to_string();
    world.set("PROMPTS__DIR", &dir);
    let said = refused(&world, &["serve"]);
    assert!(said.contains("cannot read") && said.contains("extract"), "{said}");
    let table: [(&str, Change, &str); 4] = [
        ("v1", longer, "this version is known with other words (built in)"),
        ("V3", longer, "a version is 1 to 32 lower-case letters"),
        (
            "open",
            |name, words| if name == "schema.json" { words.replace("\"subject\"", "\"who\"") } else { words },
            "schema.json: it does not require \"subject\"",
        ),
        (
            "cut",
            |name, words| if name == "examples.json" { words.chars().take(40).collect() } else { words },
            "examples.json: EOF while parsing",
        ),
    ];
    for (version, change, why) in table {
        let folder = Path::new(&dir).join("extract");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).unwrap();
        }
        prompts(&world, version, change);
        let said = refused(&world, &["serve"]);
        assert!(said.contains(why), "{version}: {said}");
        let checked = world.recall(&["prompt", "check", &format!("{dir}/extract/{version}")]);
        assert_eq!(checked.status.code(), Some(1), "{version}: {}", text(&checked.stdout));
        assert!(text(&checked.stdout).contains(why), "{version}: {}", text(&checked.stdout));
    }
    std::fs::remove_dir_all(Path::new(&dir).join("extract")).unwrap();
    let folder = prompts(&world, "pets", longer).join("extract/pets");
    std::fs::write(folder.join("notes.txt"), "x").unwrap();
    assert!(refused(&world, &["serve"]).contains("is no file of a prompt"));
    std::fs::remove_file(folder.join("notes.txt")).unwrap();
    std::fs::remove_file(folder.join("CHANGELOG.md")).unwrap();
    assert!(refused(&world, &["serve"]).contains("CHANGELOG.md"));
}

#[tokio::test]
async fn a_version_that_is_not_there_stops_the_start_where_the_configuration_names_it() {
    let mut world = World::new(Backends::Embedded).await;
    world.set("NAMESPACES__ACME__PROMPT_VERSION", "v99");
    let said = refused(&world, &["serve"]);
    let why = "settings of \"acme\": there is no prompt_version \"v99\"; there are v1, v2";
    assert!(said.contains(why), "{said}");
}

#[tokio::test]
async fn a_call_waits_for_a_process_that_knows_the_prompt_its_namespace_chose() {
    let mut world = World::new(Backends::Embedded).await;
    let dir = prompts(&world, "pets", longer).display().to_string();
    world.set("PROMPTS__DIR", &dir);
    world.set("NAMESPACES__ACME__PROMPT_VERSION", "pets");
    world.serve();
    world.stop_all();
    // The choice stays written down when this process no longer names it.
    world.unset("PROMPTS__DIR");
    world.unset("NAMESPACES__ACME__PROMPT_VERSION");
    world.serve();
    let id = world.remember(&of_acme("u", "t1")).await;
    let of_acme = format!("{id}?namespace=acme");
    let waiting = world.trace_until(&of_acme, &["parked"]).await;
    let why = "there is no prompt_version \"pets\"; there are v1, v2";
    assert!(waiting["error"].as_str().is_some_and(|error| error.contains(why)), "{waiting:#}");
    assert!(world.log().contains("calls of this namespace wait for a worker that knows its prompt"), "{}", world.log());
    let listed = world.json(&["prompt", "list", "--json"]);
    assert_eq!(listed["unknown"], json!([{ "version": "pets", "namespaces": ["acme"] }]), "{listed:#}");
    world.stop_all();
    world.set("PROMPTS__DIR", &dir);
    world.serve();
    world.done(&of_acme).await;
    assert_eq!(marks(&world, "acme").await.len(), 1);
}

#[tokio::test]
async fn prompts_can_be_listed_shown_tried_and_compared() {
    let mut world = World::new(Backends::Embedded).await;
    let dir = prompts(&world, "pets", longer);
    world.set("PROMPTS__DIR", &dir.display().to_string());
    let said = |args: &[&str]| {
        let output = world.recall(args);
        assert!(output.status.success(), "{args:?}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    };
    let listed = said(&["prompt", "list"]);
    for words in ["extract/v1", "extract/v2", "extract/pets", "ground/v1", "built in", "(default)"] {
        assert!(listed.contains(words), "{words} in\n{listed}");
    }
    let shown = said(&["prompt", "show", "extract/pets"]);
    for words in
        ["Pets matter most here.", "User teaches pottery", "\"additionalProperties\": false", "Changes of extract v1"]
    {
        assert!(shown.contains(words), "{words} in\n{shown}");
    }
    assert!(said(&["prompt", "show", "ground/v1"]).contains("verdict"));
    for version in ["v1", "extract/v2", "pets"] {
        let checked = said(&["prompt", "check", version]);
        assert!(checked.contains("candidates, all kept") && checked.contains("  good"), "{checked}");
    }
    let differing = said(&["prompt", "diff", "v1", "pets"]);
    assert!(
        differing.contains("+Pets matter most here.") && differing.contains("schema.json says the same"),
        "{differing}"
    );
    let differing = world.json(&["prompt", "diff", "v1", &dir.join("extract/pets").display().to_string(), "--json"]);
    assert!(differing["more_tokens"].as_i64().is_some_and(|more| (1..20).contains(&more)), "{differing:#}");
    assert_eq!((&differing["examples"], &differing["b"]["prompt"]), (&json!(""), &json!("extract/pets")));
    let unknown = world.recall(&["prompt", "show", "v99"]);
    assert!(!unknown.status.success() && text(&unknown.stderr).contains("there is no prompt_version \"v99\""));
}

#[tokio::test]
async fn a_prompt_that_leaves_no_room_for_turns_is_refused_before_a_call_meets_it() {
    let (url, asked) = server(vec![says("{\"candidates\":[]}")]).await;
    let mut world = World::new(Backends::Embedded).await;
    world.set("MODEL__PROVIDER", "openai");
    world.set("MODEL__BASE_URL", &url);
    world.set("MODEL__MAX_PROMPT_TOKENS", "1100");
    let said = refused(&world, &["serve"]);
    assert!(said.contains("of the 1100 of model.max_prompt_tokens it must leave 500 for turns"), "{said}");
    assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), 0);
}
