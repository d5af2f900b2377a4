//! The tape: one line of JSON for each request, found again by session and turns, and, where it was recorded, by all that was asked.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;

use recall_core::candidate::Candidate;
use recall_core::prompt::{Ask, AskTurn, Malformed};
use recall_core::run::Usage;
use recall_core::turn::TurnId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::LlmError;

/// How a stretch of a tape came to be: a line of its own before what was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The program and its version.
    pub recorded_by: String,
    /// Its command line, without secrets.
    pub command: String,
    /// The model that was asked, as it was configured.
    pub model: String,
    /// First 16 hex digits of SHA-256 over it.
    pub model_version_hash: String,
    /// RFC 3339.
    pub recorded_at: String,
}

/// What was asked, so that another question gets no answer that was not meant for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Version of the prompt.
    pub prompt_version: String,
    /// SHA-256 over the prompt's files.
    pub prompt_sha256: String,
    /// [`request_hash`].
    pub request: String,
    /// Which of several answers to the same question, from 0.
    #[serde(default)]
    pub sample: u32,
    /// The model that was asked, as it was configured; empty where any will do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
}

impl Asked {
    /// The question of a request, whatever the model.
    pub fn new(ask: &Ask, sample: u32) -> Self {
        Self {
            prompt_version: ask.prompt.version.clone(),
            prompt_sha256: ask.prompt.sha256.clone(),
            request: request_hash(ask),
            sample,
            model: String::new(),
        }
    }

    /// Whether what was recorded for a question answers this one.
    fn is_met_by(&self, known: &Self) -> bool {
        let any = Self { model: self.model.clone(), ..known.clone() };
        any == *self && (self.model.is_empty() || self.model == known.model)
    }
}

/// SHA-256 over everything a model is shown besides the prompt itself: session, turns, context, the namespace's sentence. 32 hex digits.
pub fn request_hash(ask: &Ask) -> String {
    let turn = |turn: &AskTurn| {
        let at = turn.at.map(|at| at.to_string());
        (turn.id.as_str().to_owned(), turn.role.as_str(), turn.name.clone(), at, turn.content.as_str().to_owned())
    };
    let turns: Vec<_> = ask.turns.iter().map(turn).collect();
    let context: Vec<_> = ask.context.iter().map(turn).collect();
    // Texts and numbers only: this has a JSON form whatever they hold.
    let text = serde_json::json!([ask.session, ask.custom_instruction, turns, context]).to_string();
    hex::encode(Sha256::digest(text).iter().take(16).copied().collect::<Vec<u8>>())
}

/// One request and its reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The session asked about.
    pub session: String,
    /// The turns that were to be read, sorted by id.
    pub turns: Vec<TurnId>,
    /// What was answered.
    #[serde(flatten)]
    pub words: Words,
    /// Which model answered.
    pub model: String,
    /// What it used.
    #[serde(default)]
    pub usage: Usage,
    /// How long the model took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
    /// What was asked; absent where the entry was made from labels and answers whatever asks for its turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
}

/// A reply on the tape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// As the model wrote it; it is read when it is played.
    Raw {
        /// The text.
        reply: String,
    },
    /// As it was read.
    Items {
        /// In the order of the reply.
        candidates: Vec<Item>,
    },
    /// Nothing that could be used, even after the repair.
    Unusable {
        /// Why; never words of the reply.
        unusable: String,
    },
}

/// One item of a reply that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Item {
    /// A candidate.
    Candidate(Candidate),
    /// What could not be read.
    Malformed(Malformed),
}

impl Item {
    /// As a reply holds it.
    pub fn into_result(self) -> Result<Candidate, Malformed> {
        match self {
            Self::Candidate(candidate) => Ok(candidate),
            Self::Malformed(malformed) => Err(malformed),
        }
    }
}

impl From<Result<Candidate, Malformed>> for Item {
    fn from(item: Result<Candidate, Malformed>) -> Self {
        match item {
            Ok(candidate) => Self::Candidate(candidate),
            Err(malformed) => Self::Malformed(malformed),
        }
    }
}

/// All entries, one for each session, turns and question, in the order they were first recorded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tape {
    headers: Vec<Header>,
    entries: Vec<Entry>,
    sessions: HashMap<String, Vec<usize>>,
}

impl Tape {
    /// A tape of entries; for the same session, turns and question the later entry counts.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Self {
        let mut tape = Self::default();
        for mut entry in entries {
            entry.turns.sort();
            let places = tape.sessions.entry(entry.session.clone()).or_default();
            let before = places
                .iter()
                .find_map(|at| tape.entries.get(*at).filter(|before| same_question(before, &entry)).map(|_| *at));
            match before.and_then(|at| tape.entries.get_mut(at)) {
                Some(before) => *before = entry,
                None => {
                    places.push(tape.entries.len());
                    tape.entries.push(entry);
                }
            }
        }
        tape
    }

    /// Reads a tape, one entry or header a line; empty lines are passed over.
    ///
    /// # Errors
    /// [`LlmError::Config`] with the number of the line that is no entry.
    pub fn from_lines(lines: impl BufRead) -> Result<Self, LlmError> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Line {
            Header { tape: Header },
            Entry(Box<Entry>),
        }
        let mut entries = Vec::new();
        let mut headers = Vec::new();
        for (number, line) in lines.lines().enumerate() {
            let wrong = || LlmError::Config(format!("line {} of the tape is no entry", number + 1));
            let line = line.map_err(|_| wrong())?;
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str(&line).map_err(|_| wrong())? {
                Line::Header { tape } => headers.push(tape),
                Line::Entry(entry) => entries.push(*entry),
            }
        }
        Ok(Self { headers, ..Self::new(entries) })
    }

    /// Reads a tape from a file.
    ///
    /// # Errors
    /// [`LlmError::Config`] where it cannot be opened, or as [`Tape::from_lines`].
    pub fn open(path: &Path) -> Result<Self, LlmError> {
        let wrong = |error| LlmError::Config(format!("tape {} cannot be opened: {error}", path.display()));
        let lines = std::io::BufReader::new(std::fs::File::open(path).map_err(wrong)?);
        Self::from_lines(lines).map_err(|error| {
            if let LlmError::Config(why) = &error {
                LlmError::Config(format!("{}: {why}", path.display()))
            } else {
                error
            }
        })
    }

    /// How it came to be, in the order of its parts.
    pub fn headers(&self) -> &[Header] {
        &self.headers
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of exactly these turns, which are sorted, and of this question where entries say what was asked.
    pub(super) fn entry(&self, session: &str, turns: &[TurnId], asked: &Asked) -> Option<&Entry> {
        self.session(session)
            .filter(|entry| entry.turns == turns)
            .find(|entry| entry.asked.as_ref().is_none_or(|known| asked.is_met_by(known)))
    }

    /// All entries of a session.
    pub(super) fn session(&self, session: &str) -> impl Iterator<Item = &Entry> {
        self.sessions.get(session).into_iter().flatten().filter_map(|at| self.entries.get(*at))
    }
}

fn same_question(one: &Entry, other: &Entry) -> bool {
    one.turns == other.turns && one.asked == other.asked
}

/// Ids of turns as the key of an entry holds them.
pub(super) fn turn_ids(turns: &[AskTurn]) -> Vec<TurnId> {
    let mut ids: Vec<TurnId> = turns.iter().map(|turn| turn.id.clone()).collect();
    ids.sort();
    ids
}
