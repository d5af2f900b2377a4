//! The tape: one line of JSON for each request, found again by session and turns.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;

use recall_core::candidate::Candidate;
use recall_core::prompt::{AskTurn, Malformed};
use recall_core::run::Usage;
use recall_core::turn::TurnId;
use serde::{Deserialize, Serialize};

use crate::LlmError;

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

/// All entries, one for each session and turns, in the order they were first recorded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tape {
    entries: Vec<Entry>,
    sessions: HashMap<String, Vec<usize>>,
}

impl Tape {
    /// A tape of entries; for the same session and turns the later entry counts.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Self {
        let mut tape = Self::default();
        for mut entry in entries {
            entry.turns.sort();
            let places = tape.sessions.entry(entry.session.clone()).or_default();
            let before = places
                .iter()
                .find_map(|at| tape.entries.get(*at).filter(|before| before.turns == entry.turns).map(|_| *at));
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

    /// Reads a tape, one entry a line; empty lines are passed over.
    ///
    /// # Errors
    /// [`LlmError::Config`] with the number of the line that is no entry.
    pub fn from_lines(lines: impl BufRead) -> Result<Self, LlmError> {
        let mut entries = Vec::new();
        for (number, line) in lines.lines().enumerate() {
            let wrong = || LlmError::Config(format!("line {} of the tape is no entry", number + 1));
            let line = line.map_err(|_| wrong())?;
            if !line.trim().is_empty() {
                entries.push(serde_json::from_str(&line).map_err(|_| wrong())?);
            }
        }
        Ok(Self::new(entries))
    }

    /// Reads a tape from a file.
    ///
    /// # Errors
    /// [`LlmError::Config`] where it cannot be opened, or as [`Tape::from_lines`].
    pub fn open(path: &Path) -> Result<Self, LlmError> {
        let wrong = |error| LlmError::Config(format!("tape {} cannot be opened: {error}", path.display()));
        Self::from_lines(std::io::BufReader::new(std::fs::File::open(path).map_err(wrong)?))
    }

    /// The entry of exactly these turns, which are sorted.
    pub(super) fn entry(&self, session: &str, turns: &[TurnId]) -> Option<&Entry> {
        self.session(session).find(|entry| entry.turns == turns)
    }

    /// All entries of a session.
    pub(super) fn session(&self, session: &str) -> impl Iterator<Item = &Entry> {
        self.sessions.get(session).into_iter().flatten().filter_map(|at| self.entries.get(*at))
    }
}

/// Ids of turns as the key of an entry holds them.
pub(super) fn turn_ids(turns: &[AskTurn]) -> Vec<TurnId> {
    let mut ids: Vec<TurnId> = turns.iter().map(|turn| turn.id.clone()).collect();
    ids.sort();
    ids
}
