//! Conversations in files: which format a file has, and its conversations as messages the door takes.

mod chat;
mod decode;
mod export;
mod inputs;
mod lines;
mod locomo;
mod mapping;
mod open;
mod stamp;
mod transcript;

use std::io::{BufRead, Read as _};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

pub(crate) use inputs::{Input, inputs};
pub(crate) use mapping::Mapping;

/// A conversation of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Conversation {
    /// Its id in the file, or one made of the file's name and its place.
    pub session_id: String,
    /// Whose it is, where the file says so.
    pub whose: Whose,
    /// IANA time zone the file's times are in, where the format says so.
    pub timezone: Option<String>,
    /// Messages as the door takes them, with the line each begins on.
    pub messages: Vec<(usize, Value)>,
}

/// Whose a conversation is, as a file tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Whose {
    /// The person.
    pub user_id: Option<String>,
    /// The account.
    pub account_id: Option<String>,
    /// The agent.
    pub agent_id: Option<String>,
}

impl Whose {
    /// What the fields of a message or conversation say.
    fn of(value: &Value) -> Self {
        let text = |field: &str| value.get(field).and_then(chat::text).filter(|id| !id.is_empty());
        Self { user_id: text("user_id"), account_id: text("account_id"), agent_id: text("agent_id") }
    }

    /// The same, with what is not told taken from another.
    fn or(self, other: &Self) -> Self {
        let told = self.user_id.is_some() || self.account_id.is_some();
        let (user_id, account_id) =
            if told { (self.user_id, self.account_id) } else { (other.user_id.clone(), other.account_id.clone()) };
        Self { user_id, account_id, agent_id: self.agent_id.or_else(|| other.agent_id.clone()) }
    }
}

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {reason}")]
pub(crate) struct BadLine {
    /// The file.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// Why, and what would be right.
    pub reason: String,
}

/// Conversations of a file, and the lines that cannot be read.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    /// In the order of the file.
    pub conversations: Vec<Conversation>,
    /// In the order of the file.
    pub bad: Vec<BadLine>,
}

/// Reads a file of any known format: JSON or JSON lines of messages or conversations (OpenAI, ShareGPT and mem0 shape, and those that
/// name a speaker), trees as chats are exported, LoCoMo sessions, or plain `speaker: text`; packed with gzip or zstd or not.
///
/// # Errors
/// The file cannot be opened or unpacked.
pub(crate) fn read(path: &Path) -> std::io::Result<Archive> {
    read_input(&Input::of(path)?)
}

/// The same of a file that was opened before.
///
/// # Errors
/// The file cannot be unpacked.
pub(crate) fn read_input(input: &Input) -> std::io::Result<Archive> {
    let mut archive = Archive::default();
    each(input, None, &mut |part| {
        archive.conversations.extend(part.conversations);
        archive.bad.extend(part.bad);
        ControlFlow::Continue(())
    })?;
    Ok(archive)
}

/// Reads an archive part by part: a file with a conversation on each line is never held whole.
///
/// # Errors
/// The file cannot be opened or read.
pub(crate) fn each(
    input: &Input,
    mapping: Option<&Mapping>,
    visit: &mut dyn FnMut(Archive) -> ControlFlow<()>,
) -> std::io::Result<()> {
    let source = Source { file: &input.name, stem: &input.stem, mapping };
    let read = open::unpacked(&input.path).and_then(|reader| parts(&source, reader, visit));
    match read {
        Err(error) if open::is_broken(&error) => {
            let bad = vec![source.bad(1, "the packed file is broken or cut off")];
            // Whether more is wanted is of no use after the last part.
            let _last = visit(Archive { conversations: Vec::new(), bad });
            Ok(())
        }
        read => read,
    }
}

fn parts(
    source: &Source<'_>,
    mut reader: Box<dyn BufRead>,
    visit: &mut dyn FnMut(Archive) -> ControlFlow<()>,
) -> std::io::Result<()> {
    let mut head = Vec::new();
    reader.read_until(b'\n', &mut head)?;
    if lines::are_conversations(&head, source.mapping) {
        return lines::stream(source, head, &mut reader, visit);
    }
    reader.read_to_end(&mut head)?;
    // Whether more is wanted is of no use after the only part.
    let _last = visit(whole_file(source, &head));
    Ok(())
}

fn whole_file(source: &Source<'_>, bytes: &[u8]) -> Archive {
    let mut archive = Archive::default();
    let text = decode::decode(bytes, source.file, &mut archive.bad);
    let trimmed = text.trim_start_matches('\u{feff}').trim_start();
    if trimmed.is_empty() && archive.bad.is_empty() {
        archive.bad.push(source.bad(1, "the file is empty"));
    } else if let Ok(value) = serde_json::from_str::<Value>(trimmed) {
        whole(source, value, &mut archive);
    } else if trimmed.starts_with('{')
        || trimmed.starts_with('[') && looks_like_lines(trimmed)
        || is_mostly_json(trimmed)
    {
        lines::all(source, &text, &mut archive);
    } else if source.mapping.is_some() || trimmed.starts_with('[') && !transcript::has_stamp(trimmed) {
        let error = serde_json::from_str::<Value>(trimmed).map_err(|error| (error.line(), error.to_string()));
        let (line, reason) = error.err().unwrap_or((1, "no JSON".into()));
        archive.bad.push(source.bad(line, format!("no JSON: {reason}")));
    } else {
        transcript::read(source, &text, &mut archive);
    }
    archive.conversations.retain(|conversation| !conversation.messages.is_empty());
    if archive.conversations.is_empty() && archive.bad.is_empty() {
        archive.bad.push(source.bad(1, "the file holds no messages"));
    }
    archive
}

/// Where lines come from.
struct Source<'a> {
    file: &'a str,
    stem: &'a str,
    mapping: Option<&'a Mapping>,
}

impl Source<'_> {
    fn bad(&self, line: usize, reason: impl Into<String>) -> BadLine {
        BadLine { file: self.file.to_owned(), line, reason: reason.into() }
    }

    fn session(&self, place: usize) -> String {
        if place == 0 { self.stem.to_owned() } else { format!("{}-{}", self.stem, place + 1) }
    }
}

fn looks_like_lines(text: &str) -> bool {
    text.lines().next().is_some_and(|line| serde_json::from_str::<Value>(line).is_ok())
}

/// Whether most lines are JSON objects, though perhaps not the first.
fn is_mostly_json(text: &str) -> bool {
    let is_object = |line: &str| line.starts_with('{') && serde_json::from_str::<Value>(line).is_ok();
    let (objects, all) = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .fold((0, 0), |(objects, all), line| (objects + usize::from(is_object(line)), all + 1));
    objects > 0 && objects * 2 >= all
}

/// A file that is one JSON value.
fn whole(source: &Source<'_>, value: Value, archive: &mut Archive) {
    if let Some(mapping) = source.mapping {
        return mapping.read(source, &value, archive);
    }
    if chat::is_message(&value) {
        return chat::by_session(source, vec![(1, value)], archive);
    }
    match value {
        Value::Array(items) if items.first().is_some_and(chat::is_message) => {
            chat::by_session(source, items.into_iter().map(|item| (1, item)).collect(), archive);
        }
        Value::Array(items) => {
            for (place, item) in items.into_iter().enumerate() {
                one(source, 1, item, place, archive);
            }
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => {
            one(source, 1, other, 0, archive);
        }
    }
}

/// One JSON value that is a conversation of some format, and whose it says it is.
fn one(source: &Source<'_>, line: usize, value: Value, place: usize, archive: &mut Archive) {
    let before = archive.conversations.len();
    let whose = Whose::of(&value);
    of_some_format(source, line, value, place, archive);
    for conversation in archive.conversations.iter_mut().skip(before) {
        conversation.whose = conversation.whose.clone().or(&whose);
    }
}

fn of_some_format(source: &Source<'_>, line: usize, value: Value, place: usize, archive: &mut Archive) {
    if locomo::is_session(&value) {
        locomo::session(source, line, &value, archive);
    } else if locomo::is_sample(&value) {
        locomo::sample(source, line, &value, place, archive);
    } else if export::is_tree(&value) {
        export::tree(source, line, &value, place, archive);
    } else if let Some(messages) = chat::messages_of(&value) {
        let session = chat::id_of(&value).unwrap_or_else(|| source.session(place));
        let messages = chat::dated(messages, &value).into_iter().map(|message| (line, message)).collect();
        chat::conversation(source, session, messages, archive);
    } else if let Some(talk) = talk_of(&value) {
        let session = chat::id_of(&value).unwrap_or_else(|| source.session(place));
        transcript::inside(source, line, session, talk, archive);
    } else if let Some(named) = by_name(&value) {
        for (place, conversation) in named.into_iter().enumerate() {
            one(source, line, conversation, place, archive);
        }
    } else {
        let reason = "neither a message (role, content) nor a conversation (messages, conversations, turns)";
        archive.bad.push(source.bad(line, reason));
    }
}

/// A transcript that is one text of a value.
fn talk_of(value: &Value) -> Option<&str> {
    let named = ["dialogue", "dialog", "conversation", "transcript", "text", "chosen"];
    let texts = named.iter().filter_map(|name| value.get(name)?.as_str());
    texts.chain(value.as_str()).find(|text| transcript::is_talk(text))
}

/// Conversations kept under their ids: each with its id inside.
fn by_name(value: &Value) -> Option<Vec<Value>> {
    let fields = value.as_object()?;
    let talks =
        |value: &Value| chat::messages_of(value).is_some() || export::is_tree(value) || locomo::is_sample(value);
    if !fields.values().all(Value::is_object) || !fields.values().any(talks) {
        return None;
    }
    let with_id = |(id, value): (&String, &Value)| {
        let mut value = value.clone();
        if let Some(fields) = value.as_object_mut().filter(|fields| !fields.contains_key("id")) {
            fields.insert("id".into(), id.as_str().into());
        }
        value
    };
    Some(fields.iter().map(with_id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(name: &str, text: &[u8]) -> Archive {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        read(&path).expect("opened")
    }

    fn said(archive: &Archive) -> Vec<(String, String, String)> {
        let text = |value: &Value, field: &str| value.get(field).and_then(Value::as_str).unwrap_or("-").to_owned();
        let messages = archive.conversations.iter().flat_map(|conversation| &conversation.messages);
        messages.map(|(_, message)| (text(message, "role"), text(message, "name"), text(message, "content"))).collect()
    }

    #[test]
    fn every_shape_of_a_file_gives_the_same_two_messages() {
        let one = read_text("one.jsonl", b"{\"role\":\"user\",\"content\":\"I row\"}\n");
        assert_eq!(said(&one), [("user".into(), "-".into(), "I row".into())]);
        let noted = read_text("n.txt", b"Ines: I row\nPS: I hate rain\nNote: tea\n");
        assert_eq!(said(&noted), [("user".into(), "Ines".into(), "I row\nPS: I hate rain\nNote: tea".into())]);
        let shapes: [(&str, &str); 8] = [
            ("a.jsonl", "{\"role\":\"user\",\"content\":\"I row\"}\n{\"role\":\"assistant\",\"content\":\"Nice\"}\n"),
            ("b.json", "[{\"role\":\"user\",\"content\":\"I row\"},\n {\"role\":\"assistant\",\"content\":\"Nice\"}]"),
            (
                "c.json",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"I row\"},{\"role\":\"assistant\",\"content\":\"Nice\"}]}",
            ),
            (
                "d.jsonl",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"I row\"},{\"role\":\"assistant\",\"content\":\"Nice\"}]}\n",
            ),
            (
                "e.json",
                "[{\"id\":\"x\",\"conversations\":[{\"from\":\"human\",\"value\":\"I row\"},{\"from\":\"gpt\",\"value\":\"Nice\"}]}]",
            ),
            ("f.txt", "User: I row\nAssistant: Nice\n"),
            ("g.txt", "[2026-05-02 10:00] me: I row\n[2026-05-02 10:01] bot: Nice\n"),
            ("h.md", "**User**: I row\n\n**Assistant**: Nice\n"),
        ];
        for (name, text) in shapes {
            let archive = read_text(name, text.as_bytes());
            assert_eq!(archive.bad, [], "{name}");
            let wanted = [("user", "-", "I row"), ("assistant", "-", "Nice")];
            let found = said(&archive);
            let found: Vec<_> =
                found.iter().map(|(role, name, text)| (role.as_str(), name.as_str(), text.as_str())).collect();
            assert_eq!(found, wanted, "{name}");
        }
    }

    #[test]
    fn named_speakers_are_people_with_their_names_and_lines_go_on() {
        let archive = read_text("talk.txt", b"Ines: I moved\nto Faro last week\nTom: Wow\n");
        assert_eq!(
            said(&archive),
            [
                ("user".into(), "Ines".into(), "I moved\nto Faro last week".into()),
                ("user".into(), "Tom".into(), "Wow".into())
            ]
        );
    }

    #[test]
    fn every_line_end_and_every_width_of_letters_gives_the_same_turns() {
        let wanted = said(&read_text("talk.txt", "Ines: Olá\nTom: Wow\n".as_bytes()));
        assert_eq!(wanted.len(), 2);
        for text in ["Ines: Olá\r\nTom: Wow\r\n", "Ines: Olá\rTom: Wow\r"] {
            assert_eq!(said(&read_text("talk.txt", text.as_bytes())), wanted, "{text:?}");
            let units = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
            let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
            assert_eq!(said(&read_text("talk.txt", &little)), wanted, "{text:?}");
            assert_eq!(said(&read_text("talk.txt", &big)), wanted, "{text:?}");
            assert_eq!(read_text("talk.txt", &little[..little.len() - 1]).bad[0].reason, "broken UTF-16");
        }
    }

    #[test]
    fn a_file_that_is_no_text_is_said_once() {
        let archive = read_text("program", b"\x7fELF\x02\x01\x00\x00\n\xff\n\xfe\n");
        assert_eq!((archive.bad.len(), archive.bad[0].reason.as_str()), (1, "not a text file"));
    }

    #[test]
    fn a_locomo_session_keeps_ids_names_times_and_captions() {
        let row = br#"{"group":"g","session":2,"date_time":"4:04 pm on 20 January, 2023","speakers":["Io","Ed"],
            "turns":[{"id":"D2:1","speaker":"Io","text":"Look!","image_caption":"a red kite"}],"facts":[]}"#;
        let one_line: Vec<u8> = row.iter().copied().filter(|byte| *byte != b'\n').collect();
        let archive = read_text("l.jsonl", &one_line);
        assert_eq!(archive.bad, []);
        let conversation = &archive.conversations[0];
        assert_eq!(conversation.session_id, "g-2");
        let message = &conversation.messages[0].1;
        assert_eq!(message["id"], "D2:1");
        assert_eq!(message["name"], "Io");
        assert_eq!(message["timestamp"], "2023-01-20T16:04:00");
        assert_eq!(message["content"], "Look!\n[shares a picture: a red kite]");
    }

    #[test]
    fn formats_of_other_people_give_the_same_two_messages() {
        let tree = r#"[{"id":"c","current_node":"n3","mapping":{
            "n0":{"message":null,"parent":null},
            "n1":{"parent":"n0","message":{"author":{"role":"user"},"create_time":1.5,"content":{"content_type":"text","parts":["I row"]}}},
            "n2":{"parent":"n1","message":{"author":{"role":"assistant"},"create_time":9,"content":{"parts":["Edited away"]}}},
            "n3":{"parent":"n1","message":{"author":{"role":"assistant"},"content":{"parts":["Nice"]}}}}}]"#;
        let shapes: [(&str, &str); 9] = [
            ("tree.json", tree),
            (
                "circle.json",
                r#"{"mapping":{"a":{"parent":"b","message":{"author":{"role":"assistant"},"create_time":2,"content":"Nice"}},
                    "b":{"parent":"a","message":{"author":{"role":"user"},"create_time":1,"content":"I row"}}}}"#,
            ),
            (
                "parts.jsonl",
                r#"{"messages":[{"role":"user","content":[{"type":"text","value":"I row"},{"type":"image_url","image_url":{}}]},{"role":"assistant","content":null,"tool_calls":[]},{"role":"assistant","content":[{"type":"text","text":"Nice"}]}]}"#,
            ),
            (
                "sender.json",
                r#"{"uuid":"u","chat_messages":[{"sender":"human","text":"I row"},{"sender":"assistant","text":"Nice"}]}"#,
            ),
            (
                "burst.json",
                r#"{"k1":{"messages":[[{"sender":"user","text":"I row"}],[{"sender":"bot","text":"Nice"}]]}}"#,
            ),
            ("inside.json", r#"[{"id":7,"dialogue":"User: I row\r\nAssistant: Nice"}]"#),
            ("headed.txt", "User (0:03):\nI row\n\nAssistant (0:07):\nNice\n"),
            ("heading.chat", "user=Ida\nbot=Ada\n\nIda: I row\nAda: Nice\n"),
            (
                "phone.txt",
                "[2.5.26, 10:00:00] Program says hello\n[2.5.26, 10:00:01] me: I row\n\u{200e}[2.5.26, 10:00:02] bot: Nice\n",
            ),
        ];
        for (name, text) in shapes {
            let archive = read_text(name, text.as_bytes());
            assert_eq!(archive.bad, [], "{name}");
            let found = said(&archive);
            let found: Vec<_> =
                found.iter().map(|(role, name, text)| (role.as_str(), name.as_str(), text.as_str())).collect();
            assert_eq!(found, [("user", "-", "I row"), ("assistant", "-", "Nice")], "{name}");
        }
    }

    #[test]
    fn a_speaker_that_is_no_role_is_a_person_and_a_number_is_nobody_by_name() {
        let archive = read_text(
            "a.json",
            br#"[{"dialog":[{"speaker":"Ines","content":"I row\n"},{"speaker":"Tom","content":"Wow"}]}]"#,
        );
        let names = |archive: &Archive| said(archive).into_iter().map(|(_, name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(&archive), ["Ines", "Tom"]);
        let archive = read_text("b.txt", b"0 (3s):\nI row\n\n1 (23s):\nMy boat: a skiff\n");
        assert_eq!(names(&archive), ["Speaker 0", "Speaker 1"]);
        let id = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
        let text = format!(r#"[{{"sender":"{id}","text":"I row"}},{{"sender":"{id}","text":"I ski"}}]"#);
        assert_eq!(names(&read_text("c.json", text.as_bytes())), ["Speaker APBOCN"; 2]);
    }

    #[test]
    fn a_colon_in_what_an_assistant_or_a_stamped_speaker_says_makes_nobody_speak() {
        let archive =
            read_text("a.txt", b"User: how do I say it?\nAssistant: so:\nExample: I live in Faro\nUser: thanks\n");
        let roles: Vec<String> = said(&archive).into_iter().map(|(role, ..)| role).collect();
        assert_eq!(roles, ["user", "assistant", "user"]);
        let archive = read_text(
            "b.txt",
            b"3/14/26, 9:05 AM - Ana: plan\nLunch: soup\n3/14/26, 9:06 AM - Bo left\n3/14/26, 9:07 AM - Ana: ok\n",
        );
        assert_eq!(said(&archive)[0].2, "plan\nLunch: soup");
        assert_eq!(archive.conversations[0].messages[1].1["timestamp"], "2026-03-14T09:07:00");
        assert_eq!(said(&archive).len(), 2);
    }

    #[test]
    fn sessions_of_a_sample_are_found_with_and_without_a_frame_around_them() {
        let inner = r#"{"speaker_a":"Io","session_2":[{"speaker":"Io","dia_id":"D2:1","text":"Hi"}],"session_2_date_time":"1:05 pm on 8 May, 2023","session_10":[{"speaker":"Ed","text":"Ho"}],"qa":[]}"#;
        for (text, first) in
            [(inner.to_owned(), "s-2"), (format!("[{{\"sample_id\":\"x\",\"conversation\":{inner}}}]"), "x-2")]
        {
            let archive = read_text("s.json", text.as_bytes());
            assert_eq!(archive.bad, []);
            assert_eq!(archive.conversations.len(), 2);
            assert_eq!(archive.conversations[0].session_id, first);
            assert_eq!(archive.conversations[0].messages[0].1["timestamp"], "2023-05-08T13:05:00");
        }
    }

    #[test]
    fn bad_lines_are_named_and_the_others_are_kept() {
        let archive = read_text("x.jsonl", b"{\"role\":\"user\",\"content\":\"a\"}\n{oops\n{\"x\":1}\n");
        let lines: Vec<usize> = archive.bad.iter().map(|bad| bad.line).collect();
        assert_eq!(lines, [2, 3]);
        assert_eq!(said(&archive).len(), 1);
        let archive = read_text("y.txt", b"Ana: hi\nBo: \xff\xfe\nCy: ho\n");
        assert_eq!(archive.bad[0].line, 2);
        let archive = read_text("z.txt", b"no speaker here\n");
        assert_eq!(archive.bad[0].line, 1);
        assert!(!read_text("e.txt", b"").bad.is_empty());
    }

    #[test]
    fn a_first_line_that_is_no_json_takes_no_other_line_with_it() {
        let archive = read_text(
            "x.jsonl",
            b"oops\n{\"role\":\"user\",\"content\":\"I own a boat.\"}\n{\"role\":\"user\",\"content\":\"Red.\"}\n",
        );
        assert_eq!((archive.bad.len(), archive.bad[0].line, said(&archive).len()), (1, 1, 2));
    }

    #[test]
    fn a_packed_file_that_is_cut_off_is_a_bad_one_and_not_the_end() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut packer, "Ana: I row\n".repeat(900).as_bytes()).unwrap();
        let packed = packer.finish().unwrap();
        let archive = read_text("t.txt.gz", &packed[..packed.len() / 2]);
        assert_eq!(
            (archive.conversations.len(), archive.bad[0].reason.as_str()),
            (0, "the packed file is broken or cut off")
        );
    }

    /// Speakers, times and words of a transcript, and how many of its lines are bad.
    fn talk(text: &str) -> (Vec<(String, String, String)>, usize) {
        let archive = read_text("t.txt", text.as_bytes());
        let field = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or("-").to_owned();
        let messages = archive.conversations.iter().flat_map(|conversation| &conversation.messages);
        let turns =
            messages.map(|(_, one)| (field(one, "name"), field(one, "timestamp"), field(one, "content"))).collect();
        (turns, archive.bad.len())
    }

    #[test]
    fn times_before_and_behind_speakers_are_read_in_every_usual_form() {
        for (line, time) in [
            ("[2025-05-02T10:00:00+02:00] Ana: hi", "2025-05-02T10:00:00+02:00"),
            ("2025-05-02T10:00:00Z Ana: hi", "2025-05-02T10:00:00+00:00"),
            ("2025-05-02 10:00 Ana: hi", "2025-05-02T10:00:00"),
            ("2/13/25, 1:07 PM Ana: hi", "2025-02-13T13:07:00"),
            ("[2025-05-02] Ana: hi", "2025-05-02T00:00:00"),
            ("Ana (2025-05-02): hi", "2025-05-02T00:00:00"),
            ("[May 2, 2025 10:00 AM] Ana: hi", "2025-05-02T10:00:00"),
        ] {
            assert_eq!(talk(line), (vec![("Ana".into(), time.into(), "hi".into())], 0), "{line}");
        }
        assert_eq!(talk("ana: hi\nben: ho\n").0.len(), 2, "names without a capital letter");
        assert_eq!(talk("Ana: it was on\n2025-05-02 10:00 sharp: ten\n").0.len(), 1, "a time in a sentence");
    }

    #[test]
    fn nobody_says_what_another_said_where_lines_are_written_otherwise() {
        let names = |text: &str| {
            let (turns, bad) = talk(text);
            (turns.into_iter().map(|(name, ..)| name).collect::<Vec<_>>().join(" "), bad)
        };
        let mixed = "[2025-05-02 10:00] Ana: hi\n[2025-05-02 10:01] Ben: ho\nAna: I own two goats\n";
        assert_eq!(names(mixed), ("Ana Ben Ana".into(), 0));
        let other = "[2025-05-02 10:00] Ana: hi\n[2025-05-02 10:01] Ben: ho\n2025-05-03 10:01 Cy: I own two goats\n";
        assert_eq!(names(other), ("Ana Ben Cy".into(), 0));
        let unread = "[2025-05-02 10:00] Ana: hi\n[2025-13-45 10:01] Ben: I own two goats\nand a hen\n[2025-05-02 10:02] Ana: ok\n";
        assert_eq!(names(unread), ("Ana Ana".into(), 1));
        let alone = "[2025-13-45 10:00] Ana: hi\n";
        assert_eq!(names(alone), (String::new(), 1));
    }
}
