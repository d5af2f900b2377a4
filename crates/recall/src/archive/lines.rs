//! Files with one JSON value a line: messages of one conversation, or a conversation each; the latter are read line by line.

use std::io::BufRead;
use std::ops::ControlFlow;

use serde_json::Value;

use super::{Archive, Mapping, Source, chat, one};

/// Whether the first line is a conversation of its own, so that the lines after it need not be held together.
pub(super) fn are_conversations(head: &[u8], mapping: Option<&Mapping>) -> bool {
    let text = std::str::from_utf8(head).map(|text| text.trim_start_matches('\u{feff}').trim());
    let Some(value) = text.ok().and_then(|text| serde_json::from_str::<Value>(text).ok()) else { return false };
    match mapping {
        Some(mapping) => value.is_object() && mapping.takes_lines(),
        None => value.is_object() && !chat::is_message(&value),
    }
}

/// Reads lines that are conversations, and hands each over at once; messages among them are a conversation at the end.
pub(super) fn stream(
    source: &Source<'_>,
    head: Vec<u8>,
    reader: &mut dyn BufRead,
    visit: &mut dyn FnMut(Archive) -> ControlFlow<()>,
) -> std::io::Result<()> {
    let (mut line, mut held) = (head, Held::default());
    while !line.is_empty() {
        let mut archive = Archive::default();
        held.number += 1;
        match std::str::from_utf8(&line) {
            Ok(text) => held.take(source, text, &mut archive),
            Err(_) => archive.bad.push(source.bad(held.number, "not UTF-8")),
        }
        let told = !archive.conversations.is_empty() || !archive.bad.is_empty();
        if told && visit(archive).is_break() {
            return Ok(());
        }
        line.clear();
        reader.read_until(b'\n', &mut line)?;
    }
    let mut archive = Archive::default();
    chat::by_session(source, held.messages, &mut archive);
    if !archive.conversations.is_empty() || !archive.bad.is_empty() {
        // Whether more is wanted is of no use after the last part.
        let _last = visit(archive);
    }
    Ok(())
}

/// Reads a text of lines.
pub(super) fn all(source: &Source<'_>, text: &str, archive: &mut Archive) {
    let mut held = Held::default();
    for line in text.lines() {
        held.number += 1;
        held.take(source, line, archive);
    }
    match source.mapping {
        Some(mapping) => mapping.records(source, &held.records, archive),
        None => chat::by_session(source, held.messages, archive),
    }
}

/// What lines before left.
#[derive(Default)]
struct Held {
    number: usize,
    /// Conversations so far.
    place: usize,
    messages: Vec<(usize, Value)>,
    /// Records of a mapping that are messages, which only all together are conversations.
    records: Vec<(usize, Value)>,
}

impl Held {
    fn take(&mut self, source: &Source<'_>, text: &str, archive: &mut Archive) {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return;
        }
        let value = match serde_json::from_str::<Value>(text) {
            Ok(value) => value,
            Err(error) => {
                return archive.bad.push(source.bad(self.number, format!("no JSON (column {})", error.column())));
            }
        };
        match source.mapping {
            Some(mapping) if mapping.takes_conversations() => {
                mapping.conversation(source, (self.number, self.place), &value, archive);
                self.place += 1;
            }
            Some(_) => self.records.push((self.number, value)),
            None if chat::is_message(&value) => self.messages.push((self.number, value)),
            None => {
                one(source, self.number, value, self.place, archive);
                archive.conversations.retain(|conversation| !conversation.messages.is_empty());
                self.place += 1;
            }
        }
    }
}
