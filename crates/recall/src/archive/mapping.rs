//! Archives of any other shape: a small file says where in a record the messages, the words and the rest lie.

use std::collections::BTreeMap;

use anyhow::bail;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::chat::{self, by_speaker};
use super::{Archive, Source};

/// Where things lie, as `a.b.0.c` or as a JSON pointer (`/a/b/0/c`).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mapping {
    /// The list of records in a file that is one JSON value; where absent, the value itself, or each line.
    records: Option<Place>,
    /// The list of messages in a record; where absent, each record is a message.
    messages: Option<Place>,
    /// The words of a message.
    text: Place,
    /// Who speaks, as a role; where absent, everybody is a person.
    role: Option<Place>,
    /// The name of the speaker.
    speaker: Option<Place>,
    /// When it was said.
    time: Option<Place>,
    /// The id of the message.
    id: Option<Place>,
    /// The conversation; looked for in the message, then in the record.
    session: Option<Place>,
    /// The person whose memory it is; looked for as the session.
    user: Option<Place>,
    /// The account whose memory it is.
    account: Option<Place>,
    /// The agent.
    agent: Option<Place>,
    /// IANA zone of times without offset.
    timezone: Option<String>,
    /// What the file calls `user`, `assistant`, `system` and `tool`.
    #[serde(default)]
    roles: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(from = "String")]
struct Place {
    written: String,
    pointer: String,
}

impl From<String> for Place {
    fn from(written: String) -> Self {
        let pointer =
            if written.starts_with('/') { written.clone() } else { format!("/{}", written.replace('.', "/")) };
        Self { written, pointer }
    }
}

impl Place {
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.pointer(&self.pointer).filter(|found| !found.is_null())
    }

    /// Whether it, or a part of it, is empty.
    fn has_gap(&self) -> bool {
        self.pointer.split('/').skip(1).any(|part| part.trim().is_empty())
    }
}

impl Mapping {
    /// Reads a mapping from TOML or JSON.
    ///
    /// # Errors
    /// The text is no mapping.
    pub(crate) fn from_text(text: &str) -> anyhow::Result<Self> {
        let mapping: Self =
            if text.trim_start().starts_with('{') { serde_json::from_str(text)? } else { toml::from_str(text)? };
        if let Some((field, place)) = mapping.places().find(|(_, place)| place.has_gap()) {
            bail!("{field} = {:?} is an empty path, or a part of it is; write a.b.0.c or /a/b/0/c", place.written);
        }
        for (named, role) in &mapping.roles {
            if !["user", "assistant", "system", "tool"].contains(&role.as_str()) {
                bail!("roles.{named} is {role:?}; use user, assistant, system or tool");
            }
        }
        Ok(mapping)
    }

    /// Every place that is named, by its field.
    fn places(&self) -> impl Iterator<Item = (&'static str, &Place)> {
        let Self { records, messages, text, role, speaker, time, id, session, user, account, agent, .. } = self;
        let named = [
            ("records", records.as_ref()),
            ("messages", messages.as_ref()),
            ("text", Some(text)),
            ("role", role.as_ref()),
            ("speaker", speaker.as_ref()),
            ("time", time.as_ref()),
            ("id", id.as_ref()),
            ("session", session.as_ref()),
            ("user", user.as_ref()),
            ("account", account.as_ref()),
            ("agent", agent.as_ref()),
        ];
        named.into_iter().filter_map(|(field, place)| Some((field, place?)))
    }

    /// Whether each line of a file is a conversation of its own.
    pub(super) fn takes_lines(&self) -> bool {
        self.takes_conversations() && self.records.is_none()
    }

    /// Whether each record is a conversation.
    pub(super) fn takes_conversations(&self) -> bool {
        self.messages.is_some()
    }

    /// Reads a file that is one JSON value.
    pub(super) fn read(&self, source: &Source<'_>, value: &Value, archive: &mut Archive) {
        let found = match &self.records {
            Some(place) => place.of(value),
            None => Some(value),
        };
        match found {
            Some(Value::Array(records)) => {
                let records: Vec<(usize, Value)> = records.iter().map(|record| (1, record.clone())).collect();
                self.records(source, &records, archive);
            }
            Some(record) => self.records(source, &[(1, record.clone())], archive),
            None => archive.bad.push(source.bad(1, "there is nothing where the mapping says that the records are")),
        }
    }

    /// Reads records with their lines.
    pub(super) fn records(&self, source: &Source<'_>, records: &[(usize, Value)], archive: &mut Archive) {
        if self.takes_conversations() {
            for (place, (line, record)) in records.iter().enumerate() {
                self.conversation(source, (*line, place), record, archive);
            }
            return;
        }
        let mut messages = Vec::new();
        for (line, record) in records {
            match self.message(record, record) {
                Ok(message) => messages.push((*line, message)),
                Err(reason) => archive.bad.push(source.bad(*line, reason)),
            }
        }
        let before = archive.conversations.len();
        chat::by_session(source, messages, archive);
        self.zone(archive, before);
    }

    /// Reads a record that is a conversation.
    pub(super) fn conversation(
        &self,
        source: &Source<'_>,
        (line, place): (usize, usize),
        record: &Value,
        archive: &mut Archive,
    ) {
        let Some(list) = self.messages.as_ref().and_then(|place| place.of(record)?.as_array()) else {
            return archive.bad.push(source.bad(line, "there is no list where the mapping says that the messages are"));
        };
        let mut messages = Vec::new();
        for message in list {
            match self.message(message, record) {
                Ok(Value::Object(mut message)) => {
                    message.entry("session_id").or_insert_with(|| source.session(place).into());
                    messages.push((line, Value::Object(message)));
                }
                Ok(_) => {}
                Err(reason) => archive.bad.push(source.bad(line, reason)),
            }
        }
        let before = archive.conversations.len();
        chat::by_session(source, messages, archive);
        self.zone(archive, before);
    }

    fn zone(&self, archive: &mut Archive, before: usize) {
        archive.conversations.iter_mut().skip(before).for_each(|one| one.timezone.clone_from(&self.timezone));
    }

    /// A message in the shape of the others, with session and owner in it.
    fn message(&self, message: &Value, record: &Value) -> Result<Value, String> {
        let text = self.text.of(message).ok_or("there are no words where the mapping says that the text is")?;
        let mut shaped = Map::new();
        let speaker = self.speaker.as_ref().and_then(|place| place.of(message)).and_then(chat::text);
        match self.role.as_ref().and_then(|place| place.of(message)) {
            Some(role) => drop(shaped.insert("role".into(), self.named_role(role)?.into())),
            None => shaped.extend(by_speaker(speaker.as_deref().unwrap_or("user"))),
        }
        if let Some(speaker) = speaker.filter(|_| self.role.is_some()) {
            shaped.insert("name".into(), speaker.into());
        }
        shaped.insert("content".into(), text.clone());
        let own = [("id", &self.id), ("timestamp", &self.time)];
        for (field, place) in own {
            let found = place.as_ref().and_then(|place| place.of(message));
            shaped.extend(found.map(|value| (field.to_owned(), value.clone())));
        }
        let shared = [
            ("session_id", &self.session),
            ("user_id", &self.user),
            ("account_id", &self.account),
            ("agent_id", &self.agent),
        ];
        for (field, place) in shared {
            let found = place.as_ref().and_then(|place| place.of(message).or_else(|| place.of(record)));
            shaped.extend(found.and_then(chat::text).map(|id| (field.to_owned(), Value::from(id))));
        }
        Ok(Value::Object(shaped))
    }

    fn named_role(&self, value: &Value) -> Result<String, String> {
        let named = chat::text(value).ok_or("a role is no text")?;
        let known = self.roles.get(&named).cloned().or_else(|| chat::role(&named).map(str::to_owned));
        known.ok_or_else(|| format!("{named:?} is no role; name it under [roles] of the mapping"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Whose;
    use super::*;

    const TICKETS: &str = r#"
        messages = "events"
        text = "body.text"
        role = "author.kind"
        speaker = "author.name"
        time = "ts"
        id = "event"
        session = "ticket.id"
        user = "customer"
        timezone = "Europe/Lisbon"
        [roles]
        desk = "assistant"
        client = "user"
    "#;

    fn read(mapping: &str, text: &str) -> Archive {
        let mapping = Mapping::from_text(mapping).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let mut archive = Archive::default();
        super::super::each(&super::super::Input::of(file.path()).unwrap(), Some(&mapping), &mut |part| {
            archive.conversations.extend(part.conversations);
            archive.bad.extend(part.bad);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
        archive
    }

    const TICKET: &str = r#"{"ticket":{"id":77},"customer":"ana","events":[
        {"event":1,"author":{"kind":"client","name":"Ana"},"body":{"text":"I moved to Faro"},"ts":"2026-05-02T10:00:00"},
        {"event":2,"author":{"kind":"desk"},"body":{"text":"Noted"},"ts":1777716000}]}"#;

    #[test]
    fn a_mapping_finds_everything_in_lines_and_in_whole_files() {
        let line = TICKET.replace('\n', "");
        let lists = TICKETS.replace("messages =", "records = \"data.0\"\nmessages =");
        for (mapping, text) in [
            (TICKETS.to_owned(), format!("{line}\n{line}\n")),
            (TICKETS.to_owned(), TICKET.to_owned()),
            (lists.clone(), format!("{{\"data\":[[{TICKET}]]}}")),
            (lists, format!("{{\"data\":[[{line}]]}}\n")),
        ] {
            let archive = read(&mapping, &text);
            assert_eq!(archive.bad, [], "{text}");
            let first = &archive.conversations[0];
            assert_eq!((first.session_id.as_str(), first.timezone.as_deref()), ("77", Some("Europe/Lisbon")));
            assert_eq!(first.whose, Whose { user_id: Some("ana".into()), ..Whose::default() });
            let said = &first.messages[0].1;
            assert_eq!(
                (&said["role"], &said["name"], &said["content"]),
                (&"user".into(), &"Ana".into(), &"I moved to Faro".into())
            );
            assert_eq!((&said["id"], &said["timestamp"]), (&"1".into(), &"2026-05-02T10:00:00".into()));
            assert_eq!(first.messages[1].1["role"], "assistant");
        }
    }

    #[test]
    fn records_that_are_messages_are_parted_by_session_and_person() {
        let mapping = r#"{"text":"/t","speaker":"/who","session":"/s","user":"/u"}"#;
        let text = "{\"t\":\"a\",\"who\":\"Ines\",\"s\":1,\"u\":\"x\"}\n{\"t\":\"b\",\"who\":\"Tom\",\"s\":1,\"u\":\"y\"}\n{\"t\":\"c\",\"who\":\"Ines\",\"s\":1,\"u\":\"x\"}\n";
        let archive = read(mapping, text);
        let found: Vec<(Option<&str>, usize)> =
            archive.conversations.iter().map(|one| (one.whose.user_id.as_deref(), one.messages.len())).collect();
        assert_eq!((archive.bad.len(), found), (0, vec![(Some("x"), 2), (Some("y"), 1)]));
    }

    #[test]
    fn what_does_not_lie_where_the_mapping_says_is_named_with_its_line() {
        let text = "{\"ticket\":{\"id\":1},\"events\":[{\"author\":{\"kind\":\"robot\"},\"body\":{\"text\":\"x\"}}]}\n{\"x\":1}\n{\"events\":[{\"author\":{\"kind\":\"desk\"}}]}\n";
        let bad: Vec<String> =
            read(TICKETS, text).bad.iter().map(|bad| format!("{} {}", bad.line, bad.reason)).collect();
        assert_eq!(bad.len(), 3, "{bad:?}");
        assert!(bad[0].starts_with("1 \"robot\" is no role") && bad[1].starts_with("2 there is no list"), "{bad:?}");
        assert!(bad[2].starts_with("3 there are no words"), "{bad:?}");
        assert!(Mapping::from_text("text = \"a\"\n[roles]\nx = \"boss\"").is_err());
        assert!(Mapping::from_text("text = \"a\"\nwords = \"b\"").is_err());
        assert!(Mapping::from_text("role = \"a\"").is_err());
        for field in
            ["records", "messages", "text", "role", "speaker", "time", "id", "session", "user", "account", "agent"]
        {
            for path in ["", " ", ".", "/", "a..b", "/a//b", "a."] {
                let text = if field == "text" { String::new() } else { "text = \"a\"\n".to_owned() };
                let said = Mapping::from_text(&format!("{text}{field} = \"{path}\"")).unwrap_err().to_string();
                assert!(said.starts_with(&format!("{field} = {path:?} is an empty path")), "{said}");
            }
        }
    }
}
