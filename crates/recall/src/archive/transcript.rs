//! Plain transcripts: `speaker: text`, perhaps with `[time]` before it and `**` around the speaker; other lines go on with the turn.

use serde_json::{Map, Value};

use super::chat::role;
use super::{Archive, Conversation, Source};

/// The longest name of a speaker, in characters: a longer text before a colon is a sentence.
const MAX_SPEAKER: usize = 40;

/// Whether a text begins with a time in brackets.
pub(super) fn has_stamp(text: &str) -> bool {
    stamped(text.lines().next().unwrap_or_default()).0.is_some()
}

/// Adds the one conversation of a transcript.
pub(super) fn read(source: &Source<'_>, text: &str, archive: &mut Archive) {
    let mut turns: Vec<Turn> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim_end();
        match (spoken(line), turns.last_mut()) {
            (Some(turn), _) => turns.push(Turn { line: at + 1, ..turn }),
            (None, Some(turn)) => {
                turn.words.push('\n');
                turn.words.push_str(line);
            }
            (None, None) if line.is_empty() => {}
            (None, None) => archive.bad.push(source.bad(at + 1, "no speaker; write `speaker: text`")),
        }
    }
    let messages = turns.into_iter().map(|turn| (turn.line, turn.into_message())).collect();
    archive.conversations.push(Conversation { session_id: source.session(0), timezone: None, messages });
}

struct Turn {
    line: usize,
    speaker: String,
    at: Option<String>,
    words: String,
}

impl Turn {
    /// Names of roles are roles; every other speaker is a person with a name.
    fn into_message(self) -> Value {
        let mut message = Map::new();
        match role(&self.speaker) {
            Some(role) => drop(message.insert("role".into(), role.into())),
            None => {
                message.insert("role".into(), "user".into());
                message.insert("name".into(), self.speaker.into());
            }
        }
        message.extend(self.at.map(|at| ("timestamp".to_owned(), Value::from(at))));
        message.insert("content".into(), self.words.trim_end().into());
        Value::Object(message)
    }
}

fn spoken(line: &str) -> Option<Turn> {
    let (at, rest) = stamped(line);
    let (speaker, words) = rest.split_once(':')?;
    // "**User:** hello" closes the mark behind the colon, "**User**: hello" before it.
    let words = words.strip_prefix("**").unwrap_or(words).trim().to_owned();
    let speaker = speaker.trim().trim_matches(['*', '#', '_', '<', '>']).trim();
    let name = !speaker.is_empty()
        && speaker.chars().count() <= MAX_SPEAKER
        && speaker.split_whitespace().count() <= 4
        && speaker
            .chars()
            .next()
            .is_some_and(|first| first.is_uppercase() || role(speaker).is_some() || !first.is_ascii())
        && speaker.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '\'' | '_' | '\u{2019}'))
        && !words.starts_with("//");
    name.then(|| Turn { line: 0, speaker: speaker.to_owned(), at, words })
}

/// A leading `[2026-05-02 10:00]` as a time without offset, and the rest of the line.
fn stamped(line: &str) -> (Option<String>, &str) {
    let Some((stamp, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) else { return (None, line) };
    match stamp.trim().replace(' ', "T").parse::<jiff::civil::DateTime>() {
        Ok(at) => (Some(at.to_string()), rest.trim_start()),
        Err(_) => (None, line),
    }
}
