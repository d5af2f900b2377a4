//! A credential that somebody says is on its way while its call is, and nowhere afterwards: not in a memory, not in the trace, not in the window.

use serde_json::Value;

use crate::world::{Backends, World, text};

const PASSWORD: &str = "Otter_Lamp_2291";

#[tokio::test]
async fn a_credential_is_kept_nowhere() {
    let world = World::new(Backends::Embedded).await;
    let file = world.folder().join("said.txt");
    let said = format!(
        "Ana: My wifi password is {PASSWORD}.\nAna: I live in Riga. And {PASSWORD} is easy to type.\nAna: I collect {PASSWORD} stickers.\n"
    );
    std::fs::write(&file, said).unwrap();
    let output = world.recall(&["remember", "--user", "ana", "--json", &file.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!text(&output.stdout).contains(PASSWORD), "{told:#}");
    for trace in told["traces"].as_array().unwrap() {
        let shown = world.recall(&["trace", "show", trace["trace_id"].as_str().unwrap(), "--json"]);
        assert!(shown.status.success() && !text(&shown.stdout).contains(PASSWORD), "{}", text(&shown.stdout));
        assert!(text(&shown.stdout).contains("[redacted]"), "{}", text(&shown.stdout));
    }
    assert_eq!(world.count("SELECT count(*) FROM memories").await, 1, "what stands beside it is remembered");
    for (table, column) in
        [("run_details", "verdicts"), ("sessions", "last_turns"), ("sessions", "ring"), ("sources", "quote")]
    {
        let found = format!("SELECT count(*) FROM {table} WHERE CAST({column} AS TEXT) LIKE '%{PASSWORD}%'");
        assert_eq!(world.count(&found).await, 0, "{table}.{column}");
    }
}
