//! Who speaks and who is spoken to, turn by turn.

use crate::entity::USER;
use crate::turn::Role;

use super::{Mention, Part};

/// The name of the model in references.
pub(super) const ASSISTANT: &str = "assistant";

/// Role and name of the one who speaks a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Voice {
    /// Role of the turn.
    pub(super) role: Role,
    /// Name, where the caller told it.
    pub(super) name: Option<String>,
}

impl Voice {
    /// The name in references; nobody speaks system and tool turns.
    pub(super) fn spoken(&self) -> Option<&str> {
        match self.role {
            Role::User => Some(self.name.as_deref().unwrap_or(USER)),
            Role::Assistant => Some(ASSISTANT),
            Role::System | Role::Tool => None,
        }
    }
}

/// Whom a turn speaks to, place by place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    called: Vec<Called>,
    otherwise: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Called {
    sentence: usize,
    start: usize,
    name: String,
}

impl Address {
    /// Whoever is called by name; else the last other speaker, the next one, the other side of a chat with a model.
    pub(super) fn of(voices: &[Voice], at: usize, mentions: &[(usize, &Mention)]) -> Self {
        let own = voices.get(at).and_then(Voice::spoken).unwrap_or_default();
        let before = || voices.get(..at).unwrap_or_default().iter().rev();
        let after = || voices.get(at + 1..).unwrap_or_default().iter();
        let others = || before().chain(after()).filter_map(Voice::spoken).filter(|name| *name != own);
        let full = |called: &str| others().find(|name| is_part_of(called, name)).unwrap_or(called).to_owned();
        let called = mentions.iter().filter(|(_, mention)| mention.part == Part::Vocative);
        let called = called.map(|(sentence, mention)| Called {
            sentence: *sentence,
            start: mention.start,
            name: full(&mention.name),
        });
        let model = match voices.get(at) {
            Some(Voice { role: Role::User, name: None }) => Some(ASSISTANT),
            Some(Voice { role: Role::Assistant, .. }) => Some(USER),
            // A named speaker among people nobody has heard yet; nobody's words.
            Some(Voice { role: Role::User, name: Some(_) } | Voice { role: Role::System | Role::Tool, .. }) | None => {
                None
            }
        };
        Self { called: called.collect(), otherwise: others().next().or(model).map(ToOwned::to_owned) }
    }

    /// Who is spoken to at a place: the one called in that sentence, else the one called last before it.
    pub(super) fn at(&self, sentence: usize, start: usize) -> Option<&str> {
        let here = self.called.iter().find(|called| called.sentence == sentence);
        let before = || self.called.iter().rev().find(|called| called.start < start);
        here.or_else(before).map(|called| called.name.as_str()).or(self.otherwise.as_deref())
    }
}

fn is_part_of(short: &str, full: &str) -> bool {
    let full = full.to_lowercase();
    short.to_lowercase().split_whitespace().all(|word| full.split_whitespace().any(|other| other == word))
}
