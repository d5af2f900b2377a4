//! `/openapi.json`: a document other people's tools can read, shown by a client that one of them makes of it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::world::{Backends, World, text};

async fn described(world: &World) -> Value {
    let (status, document) = world.get("/openapi.json").await;
    assert_eq!((status, &document["openapi"]), (200, &Value::from("3.1.0")));
    document
}

/// Every operation: method and path, and what is said of it.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let of_path = paths.iter().flat_map(|(path, methods)| {
        methods.as_object().unwrap().iter().map(move |(method, said)| (format!("{method} {path}"), said))
    });
    of_path.collect()
}

/// What keeps tools from reading an operation.
fn faults((name, said): &(String, &Value)) -> Vec<String> {
    let mut faults = Vec::new();
    for parameter in said["parameters"].as_array().into_iter().flatten() {
        let (called, place) = (parameter["name"].as_str().unwrap(), parameter["in"].as_str().unwrap());
        if name.contains(&format!("{{{called}}}")) != (place == "path") {
            faults.push(format!("{name}: {called} is said to stand in the {place}"));
        }
    }
    let in_path = name.matches('{').count();
    let told = said["parameters"].as_array().into_iter().flatten().filter(|one| one["in"] == "path").count();
    if in_path != told {
        faults.push(format!("{name}: {in_path} parts of the path, {told} parameters for them"));
    }
    for (status, answer) in said["responses"].as_object().unwrap() {
        if answer["description"].as_str().is_none_or(str::is_empty) {
            faults.push(format!("{name}: nothing is said of {status}"));
        }
    }
    faults
}

fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[tokio::test]
async fn the_document_says_where_every_parameter_stands_and_what_every_answer_is() {
    let mut world = World::new(Backends::Embedded).await;
    world.serve();
    let document = described(&world).await;
    let operations = operations(&document);
    assert!(operations.len() > 30, "{operations:?}");
    let faults: Vec<String> = operations.iter().flat_map(faults).collect();
    assert_eq!(faults, Vec::<String>::new());
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    let missing: Vec<&&str> =
        found.iter().filter(|name| document.pointer(name.trim_start_matches('#')).is_none()).collect();
    assert!(found.len() > 20 && missing.is_empty(), "{missing:?}");
}

#[test]
fn a_parameter_in_the_wrong_place_and_a_silent_answer_are_noticed() {
    let said = serde_json::json!({
        "parameters": [{ "name": "namespace", "in": "path" }], "responses": { "200": { "content": {} } },
    });
    assert_eq!(faults(&("get /v1/things/{id}".to_owned(), &said)).len(), 2);
    assert_eq!(faults(&("get /v1/things".to_owned(), &said)).len(), 3);
}

/// Runs a step that needs Python and its packages; `None`, said aloud, where it cannot be done here.
#[expect(clippy::print_stderr, reason = "a test that could not do its work must be seen to have done none")]
fn step(what: &str, command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) if output.status.success() => Some(output),
        Ok(output) => {
            eprintln!("NOT RUN: no client was generated: {what}: {}", text(&output.stderr));
            None
        }
        Err(error) => {
            eprintln!("NOT RUN: no client was generated: {what}: {error}");
            None
        }
    }
}

/// An environment with the generator; `None` where there is no Python or no package index.
fn generator(folder: &Path) -> Option<()> {
    step("python3 -m venv", Command::new("python3").args(["-m", "venv", "env"]).current_dir(folder))?;
    let packages = ["openapi-python-client==0.29.1", "ruff", "httpx", "attrs", "python-dateutil"];
    // An index that does not answer is not waited for.
    let pip = ["install", "--quiet", "--disable-pip-version-check", "--retries", "0", "--timeout", "15"];
    step("pip install", Command::new(folder.join("env/bin/pip")).args(pip).args(packages))?;
    Some(())
}

#[tokio::test]
async fn a_client_generated_from_the_document_remembers_and_reads_where_python_is() {
    let mut world = World::new(Backends::Services).await;
    world.start_all();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("openapi.json"), described(&world).await.to_string()).unwrap();
    if generator(folder.path()).is_none() {
        return;
    }
    let programs = folder.path().join("env/bin");
    let made = Command::new(programs.join("openapi-python-client"))
        .args(["generate", "--path", "openapi.json", "--output-path", "client"])
        .env("PATH", format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default()))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = format!("{}{}", text(&made.stdout), text(&made.stderr));
    assert!(made.status.success(), "{told}");
    assert!(!told.contains("Endpoint will not be generated"), "{told}");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/way/client.py");
    let mut running = Command::new(programs.join("python"));
    running.arg(program).arg(format!("http://{}", world.door())).env("PYTHONPATH", folder.path().join("client"));
    let said = tokio::task::spawn_blocking(move || running.output().unwrap()).await.unwrap();
    assert_eq!(text(&said.stdout), "active Odense I live in Odense\n", "{}", text(&said.stderr));
}
