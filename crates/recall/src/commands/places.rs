//! Where in which file the turns of calls stand, so that what fails or is blocked can be looked up there.

use std::collections::BTreeMap;

use recall_core::id::TraceId;
use recall_core::turn::TurnId;
use serde::Serialize;

use crate::cut::CutCall;

/// The turns of files.
#[derive(Debug, Default)]
pub(super) struct Places {
    calls: BTreeMap<TraceId, Lines>,
    /// By session and turn.
    turns: BTreeMap<(String, TurnId), String>,
}

/// The lines a call was read from.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Lines {
    file: String,
    first: usize,
    last: usize,
}

impl Places {
    /// Notes where the turns of a call stand.
    pub(super) fn note(&mut self, file: &str, session: &str, cut: &CutCall) {
        for (turn, line) in cut.call.turns.iter().zip(&cut.lines) {
            let place = format!("{file}:{line}");
            self.turns.entry((session.to_owned(), turn.id.clone())).or_insert(place);
        }
        if let (Some(first), Some(last)) = (cut.lines.iter().min(), cut.lines.iter().max()) {
            let lines = Lines { file: file.to_owned(), first: *first, last: *last };
            self.calls.insert(cut.call.trace_id.clone(), lines);
        }
    }

    /// `file:line` of a turn.
    pub(super) fn of_turn(&self, session: &str, turn: &TurnId) -> Option<&str> {
        self.turns.get(&(session.to_owned(), turn.clone())).map(String::as_str)
    }

    /// `file:line`, or `file:first-last`, of a call.
    pub(super) fn of_call(&self, trace: &TraceId) -> String {
        match self.calls.get(trace) {
            None => String::new(),
            Some(Lines { file, first, last }) if first == last => format!("{file}:{first}"),
            Some(Lines { file, first, last }) => format!("{file}:{first}-{last}"),
        }
    }

    /// The lines of every call, for programs.
    pub(super) fn calls(&self) -> &BTreeMap<TraceId, Lines> {
        &self.calls
    }
}
