//! What may be read, what is refused, and what is told before anything is done.

use std::io::Write as _;
use std::process::Command;

use serde_json::{Value, json};

use super::{SESSIONS, TURNS, newest, prepare, remembered, reprocess};
use crate::world::{Backends, World, text as text_of};

fn message(user: &str, words: &str) -> Value {
    json!({ "role": "user", "content": words, "timestamp": "2025-05-02T10:00:00Z", "user_id": user })
}

#[tokio::test]
async fn a_dry_run_tells_what_it_would_take_and_changes_nothing() {
    let mut world = World::new(Backends::Embedded).await;
    let file = prepare(&mut world).display().to_string();
    let told = world.json(&["reprocess", "--dry-run", "--json", &file]);
    let estimate = &told["estimate"];
    assert_eq!(estimate["turns"], (SESSIONS * TURNS) as u64, "{told:#}");
    assert_eq!((&estimate["calls"], &told["bad_lines"]), (&(SESSIONS as u64).into(), &0.into()), "{told:#}");
    assert!(estimate["prompt_tokens"].as_u64() > estimate["completion_tokens"].as_u64(), "{told:#}");
    world.set("MODEL__PROVIDER", "openai");
    let told = world.json(&["reprocess", "--dry-run", "--json", &file]);
    assert!(
        told["estimate"]["cost_micros"].as_u64() > Some(0) && told["estimate"]["seconds"].as_u64() > Some(0),
        "{told:#}"
    );
    assert_eq!(world.json(&["run", "list", "--json"]), json!([]));
    assert_eq!(world.count("SELECT count(*) FROM scopes").await, 0);
}

#[tokio::test]
async fn more_than_the_limit_is_not_begun_unless_somebody_says_so() {
    let mut world = World::new(Backends::Embedded).await;
    let file = prepare(&mut world).display().to_string();
    let (code, said) = reprocess(&world, &["--limit-calls", "3", &file]);
    assert!(code == Some(1) && said.contains("--yes"), "{said}");
    assert_eq!(world.json(&["run", "list", "--json"]), json!([]));
    let (code, said) = reprocess(&world, &["--limit-calls", "3", "--yes", &file]);
    assert_eq!(code, Some(0), "{said}");
}

#[tokio::test]
async fn bad_lines_are_named_and_nothing_is_fed_unless_they_are_left_out() {
    let world = World::new(Backends::Embedded).await;
    let file = world.folder().join("mixed.jsonl");
    let good = json!({ "session_id": "s1", "user_id": "ana", "messages": [message("ana", "I own two boats.")] });
    let nobody = json!({ "session_id": "s2", "messages": [{ "role": "user", "content": "I own nine boats." }] });
    let later = json!({ "user_id": "ana", "messages": [{ "role": "user", "content": "I row.", "timestamp": "3025-05-02T10:00:00Z" }] });
    std::fs::write(&file, format!("{good}\n{{oops\n{nobody}\n{later}\n")).unwrap();
    let path = file.display().to_string();
    let (code, said) = reprocess(&world, &[&path]);
    assert_eq!(code, Some(2), "{said}");
    for wanted in [":2: no JSON", ":3: names no user_id", ":4: messages[0].timestamp", "3 lines cannot be read"] {
        assert!(said.contains(&format!("{path}{wanted}")) || said.contains(wanted), "{wanted} in\n{said}");
    }
    assert_eq!(world.json(&["run", "list", "--json"]), json!([]));
    let (code, said) = reprocess(&world, &["--skip-bad", &path]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(newest(&world)["spec"]["bad_lines"], 3);
    let kept = remembered(&world);
    assert!(kept.len() == 1 && kept[0].contains("two boats"), "{kept:?}");
}

#[tokio::test]
async fn a_folder_of_packed_and_mapped_records_is_read_each_for_its_own_person() {
    let world = World::new(Backends::Embedded).await;
    let folder = world.folder().join("export");
    std::fs::create_dir_all(folder.join("2025")).unwrap();
    // As mem0 takes messages: with user_id, run_id and a time for all of them.
    let lists = json!({ "user_id": "ana", "run_id": "r1", "timestamp": 1_746_180_000, "messages": [{ "role": "user", "content": "I own two boats." }] });
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(format!("{lists}\n").as_bytes()).unwrap();
    std::fs::write(folder.join("2025/a.jsonl.gz"), packer.finish().unwrap()).unwrap();
    let lines = [message("ben", "I own three canoes."), message("cleo", "I own four kayaks.")];
    std::fs::write(folder.join("b.jsonl"), lines.map(|line| line.to_string() + "\n").concat()).unwrap();
    let (code, said) = reprocess(&world, &[&folder.display().to_string()]);
    assert_eq!(code, Some(0), "{said}");
    for (user, words) in [("ana", "two boats"), ("ben", "three canoes"), ("cleo", "four kayaks")] {
        let found = world.json(&["memory", "list", "--user", user, "--json"]);
        assert!(found.as_array().unwrap().len() == 1 && found.to_string().contains(words), "{user}: {found:#}");
    }
    let ana = world.json(&["memory", "list", "--user", "ana", "--json"]);
    assert!(
        ana[0]["session_id"] == "r1" && ana[0]["valid_from"].as_str().unwrap().starts_with("2025-05-02"),
        "{ana:#}"
    );
    let (map, tickets) = (world.folder().join("map.toml"), world.folder().join("tickets.json"));
    std::fs::write(&map, "records = \"data\"\nmessages = \"log\"\ntext = \"says\"\nrole = \"by\"\nuser = \"client.id\"\n[roles]\nclient = \"user\"\n").unwrap();
    std::fs::write(
        &tickets,
        r#"{"data":[{"client":{"id":"dora"},"log":[{"by":"client","says":"I own five rafts."}]}]}"#,
    )
    .unwrap();
    let (code, said) = reprocess(&world, &["--map", &map.display().to_string(), &tickets.display().to_string()]);
    assert_eq!(code, Some(0), "{said}");
    let dora = world.json(&["memory", "list", "--user", "dora", "--json"]);
    assert!(dora.to_string().contains("five rafts"), "{dora:#}");
}

#[tokio::test]
async fn a_pipe_by_its_name_is_read_as_a_file_is() {
    let world = World::new(Backends::Embedded).await;
    let line = json!({ "session_id": "s1", "user_id": "ana", "messages": [message("ana", "I own two boats.")] });
    for (name, command) in [("first", "reprocess"), ("again", "reprocess"), ("live", "remember")] {
        let pipe = world.folder().join(name);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let (path, text) = (pipe.clone(), format!("{line}\n"));
        let fed = std::thread::spawn(move || std::fs::write(path, text));
        let path = pipe.display().to_string();
        let args: &[&str] =
            if command == "remember" { &["remember", "--user", "ben", &path] } else { &["reprocess", &path] };
        let output = world.recall(args);
        assert!(output.status.success(), "{command}: {}", text_of(&output.stderr));
        fed.join().unwrap().unwrap();
    }
    let run = newest(&world);
    assert_eq!((&run["calls"], &run["known"]), (&1.into(), &1.into()), "{run:#}");
    for user in ["ana", "ben"] {
        let found = world.json(&["memory", "list", "--user", user, "--json"]);
        assert!(found.to_string().contains("two boats"), "{user}: {found:#}");
    }
}

#[tokio::test]
async fn an_unknown_prompt_and_a_missing_file_are_named() {
    let world = World::new(Backends::Embedded).await;
    let (code, said) = reprocess(&world, &["nothing.jsonl"]);
    assert!(code == Some(1) && said.contains("nothing.jsonl"), "{said}");
    let file = world.folder().join("a.jsonl");
    std::fs::write(&file, message("ana", "I own two boats.").to_string()).unwrap();
    let (code, said) = reprocess(&world, &["--prompt", "v999", &file.display().to_string()]);
    assert!(code == Some(1) && said.contains("v999"), "{said}");
}
