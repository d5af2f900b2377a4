//! Makes a tape of labelled conversations: `cargo run --example labels_tape -- FILE > TAPE`.
//!
//! FILE holds one conversation a line: `group`, `session`, `turns [{id, speaker, text}]`, `facts [{about, text, evidence}]`. The
//! session of an entry is `<group>-<session>`; play it by session, so that it serves calls however they are cut.
#![allow(clippy::print_stdout, reason = "a command line tool answers on standard output")]

use recall_llm::recorded::Labelled;

#[derive(serde::Deserialize)]
struct Row {
    group: String,
    session: u32,
    #[serde(flatten)]
    labelled: Labelled,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: labels_tape FILE")?;
    for line in std::fs::read_to_string(path)?.lines() {
        let row: Row = serde_json::from_str(line)?;
        let entry = row.labelled.entry(&format!("{}-{}", row.group, row.session));
        println!("{}", serde_json::to_string(&entry)?);
    }
    Ok(())
}
