//! Exported chats kept as a tree of messages: the branch that was last shown is the conversation, what was edited away is not.

use serde_json::{Map, Value};

use super::{Archive, Source, chat};

/// Whether a value is a chat of such an export.
pub(super) fn is_tree(value: &Value) -> bool {
    let nodes = value.get("mapping").and_then(Value::as_object);
    nodes.is_some_and(|nodes| nodes.values().any(|node| node.get("message").is_some()))
}

/// Adds the branch that ends in the current node; where none is named, the one with the latest message.
pub(super) fn tree(source: &Source<'_>, line: usize, value: &Value, place: usize, archive: &mut Archive) {
    let session = chat::id_of(value).unwrap_or_else(|| source.session(place));
    let Some(nodes) = value.get("mapping").and_then(Value::as_object) else { return };
    let named = value.get("current_node").and_then(Value::as_str).filter(|id| nodes.contains_key(*id));
    let mut at = named.or_else(|| latest(nodes));
    let mut branch = Vec::new();
    // As many steps as there are nodes: a longer chain goes in a circle.
    for _ in 0..nodes.len() {
        let Some(node) = at.and_then(|id| nodes.get(id)) else { break };
        branch.extend(node.get("message").filter(|message| message.is_object()).and_then(message));
        at = node.get("parent").and_then(Value::as_str);
    }
    branch.reverse();
    chat::conversation(source, session, branch.into_iter().map(|message| (line, message)).collect(), archive);
}

fn latest(nodes: &Map<String, Value>) -> Option<&str> {
    let time = |node: &Value| node.pointer("/message/create_time").and_then(Value::as_f64).unwrap_or_default();
    let ends = nodes.iter().filter(|(_, node)| node.get("message").is_some_and(Value::is_object));
    ends.max_by(|a, b| time(a.1).total_cmp(&time(b.1))).map(|(id, _)| id.as_str())
}

/// A message of the tree in the shape of the others.
fn message(node: &Value) -> Option<Value> {
    let mut message = Map::new();
    message.insert("role".into(), node.pointer("/author/role")?.clone());
    message.extend(node.pointer("/author/name").map(|name| ("name".to_owned(), name.clone())));
    for field in ["id", "content", "create_time"] {
        message.extend(node.get(field).map(|value| (field.to_owned(), value.clone())));
    }
    Some(Value::Object(message))
}
