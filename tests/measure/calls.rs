//! What is posted: pairs of a user's and an assistant's turn.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

/// The body of a call whose user turn holds one claim; every number is a person and a conversation of its own.
pub(crate) fn one_claim(number: usize) -> String {
    let answer = "Nice, that is quite a few. Shall we look at where to keep them, or would you rather plan the first trip with \
                  them before the weather turns?";
    json!({
        "scope": { "user_id": format!("bench-{number}") },
        "session_id": format!("talk-{number}"),
        "messages": [
            { "id": "t1", "role": "user", "content": format!("I own {} kites.", number + 2), "timestamp": "2026-03-02T18:10:00+01:00" },
            { "id": "t2", "role": "assistant", "content": answer, "timestamp": "2026-03-02T18:10:04+01:00" },
        ],
    })
    .to_string()
}

/// The first `pairs` pairs of a workload: the bodies of each session, in its order. A line of the file is a session with `session_id`,
/// `user_id` and `pairs` of `user` and `assistant` turns (`turn_id`, `text`, `ts`).
pub(crate) fn workload(path: &Path, pairs: usize) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut sessions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut left = pairs;
    for line in text.lines() {
        let session: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let id = session["session_id"].as_str().unwrap_or_default().to_owned();
        for pair in session["pairs"].as_array().into_iter().flatten().take(left) {
            left -= 1;
            sessions.entry(id.clone()).or_default().push(body(&session, pair));
        }
    }
    assert_eq!(left, 0, "{} holds fewer than {pairs} pairs", path.display());
    sessions.into_values().collect()
}

fn body(session: &Value, pair: &Value) -> String {
    let turn = |role: &str| {
        let turn = &pair[role];
        json!({ "id": turn["turn_id"], "role": role, "content": turn["text"], "timestamp": turn["ts"] })
    };
    json!({
        "scope": { "user_id": session["user_id"] },
        "session_id": session["session_id"],
        "messages": [turn("user"), turn("assistant")],
    })
    .to_string()
}
