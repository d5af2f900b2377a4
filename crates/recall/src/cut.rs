//! Cuts conversations of archives into calls, as the door checks them; what it refuses is told by file and line.

use recall_core::call::Call;
use serde_json::{Map, Value};

use crate::archive::{Conversation, Whose};
use crate::door::{Entry, Fault, Remember, ScopeFields, admit};

/// How conversations are cut.
pub(crate) struct Cutter<'a> {
    /// What the door adds.
    pub entry: Entry<'a>,
    /// Takes the place of the time zone a conversation names.
    pub timezone: Option<&'a str>,
    /// Keep turns as they stand, without a model.
    pub literal: bool,
    /// Messages of one call.
    pub turns_per_call: usize,
    /// Leave out messages that the door refuses, instead of their call.
    pub skip_bad: bool,
}

/// A call that was cut.
#[derive(Debug)]
pub(crate) struct CutCall {
    /// The call.
    pub call: Call,
    /// The line each of its turns begins on.
    pub lines: Vec<usize>,
}

/// What tells a call from others: the same part of the same session always meets the same trace.
pub(crate) struct Marks<'a> {
    /// Whose it is.
    pub whose: &'a Whose,
    /// Its session.
    pub session: &'a str,
    /// The time zone of its times without offset.
    pub timezone: Option<&'a str>,
    /// Its messages, as JSON.
    pub messages: &'a str,
}

/// Names a call by its marks.
pub(crate) type Key<'k> = &'k dyn Fn(&Marks<'_>) -> String;

impl Cutter<'_> {
    /// A call for each part of a conversation, in order; `None` where nothing is left of a part. Faults are added as lines.
    pub(crate) fn calls(
        &self,
        (file, session, whose): (&str, &str, &Whose),
        conversation: &Conversation,
        key: Key<'_>,
        faults: &mut Vec<String>,
    ) -> Vec<Option<CutCall>> {
        let timezone = self.timezone.or(conversation.timezone.as_deref());
        let parts = conversation.messages.chunks(self.turns_per_call);
        parts.map(|part| self.call((file, session, whose), timezone, part, (key, &mut *faults))).collect()
    }

    fn call(
        &self,
        (file, session, whose): (&str, &str, &Whose),
        timezone: Option<&str>,
        part: &[(usize, Value)],
        (key, faults): (Key<'_>, &mut Vec<String>),
    ) -> Option<CutCall> {
        let mut part = part.to_vec();
        while !part.is_empty() {
            let messages = Value::Array(part.iter().map(|(_, message)| message.clone()).collect());
            let text = messages.to_string();
            let marks = Marks { whose, session, timezone, messages: &text };
            let list = match admit(self.request(&marks, messages, key(&marks)), &self.entry) {
                Ok(call) => return Some(CutCall { call, lines: part.iter().map(|(line, _)| *line).collect() }),
                Err(list) => list,
            };
            faults.extend(list.iter().map(|fault| fault_line(file, fault, &part)));
            // Only what is wrong is left out; a fault of the whole call leaves nothing to go on with.
            let places: Vec<usize> = list.iter().filter_map(|fault| place_of(&fault.field)).collect();
            if !self.skip_bad || places.is_empty() {
                return None;
            }
            part = part.into_iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, one)| one).collect();
        }
        None
    }

    fn request(&self, marks: &Marks<'_>, messages: Value, key: String) -> Remember {
        Remember {
            messages,
            scope: ScopeFields {
                namespace: Some(self.entry.namespace.to_owned()),
                user_id: marks.whose.user_id.clone(),
                account_id: marks.whose.account_id.clone(),
                agent_id: marks.whose.agent_id.clone(),
            },
            session_id: Some(marks.session.to_owned()),
            metadata: Map::new(),
            infer: !self.literal,
            timezone: marks.timezone.map(str::to_owned),
            expires_at: None,
            idempotency_key: Some(key),
        }
    }
}

fn fault_line(file: &str, fault: &Fault, part: &[(usize, Value)]) -> String {
    match (place_of(&fault.field).and_then(|at| part.get(at)), part.first()) {
        (Some((line, _)), _) => format!("{file}:{line}: {}: {}", fault.field, fault.detail),
        (None, Some((line, _))) => format!("{file}:{line}: {}: {}", fault.field, fault.detail),
        (None, None) => format!("{file}: {}: {}", fault.field, fault.detail),
    }
}

/// The place of the message a fault is about.
fn place_of(field: &str) -> Option<usize> {
    field.strip_prefix("messages[")?.split(']').next()?.parse().ok()
}
