//! The pure halves of the model call: what is asked, and what of the answer can be used.

mod fault;
mod item;
mod json;
mod judging;
mod library;
mod parse;
mod render;
mod schema;
mod trial;
mod written;

pub use fault::{Fault, InvalidPrompt};
pub use judging::{Doubt, Doubts, MAX_DOUBTS, Opinions, doubt_key, doubts, parse_opinions, render_doubts};
pub use library::{EXTRACT, GROUND, Library, UnknownPrompt, judging};
pub use parse::{
    MAX_CANDIDATES, MAX_CONTENT_CHARS, MAX_EVIDENCE, MAX_QUOTE_CHARS, MAX_REPLY_BYTES, MAX_VALUE_CHARS, Unusable, parse,
};
pub use render::{Rendered, render};
pub use trial::{Trial, trials};
pub use written::{Example, MAX_PROMPT_FILE_BYTES, Origin, Prompt, PromptFiles};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::moment::Moment;
use crate::provenance::ExtractedBy;
use crate::reading::Reading;
use crate::run::{TurnVerdict, Usage};
use crate::turn::{Role, Said, Turn, TurnId};

/// Key of the list in a reply, as schemas and examples name it.
const LIST: &str = "candidates";

/// A turn as it is shown to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskTurn {
    /// The turn.
    pub id: TurnId,
    /// Who speaks.
    pub role: Role,
    /// Name of the speaker, where it is known.
    pub name: Option<String>,
    /// When it was said.
    pub at: Option<Moment>,
    /// The words.
    pub content: Said,
}

impl From<&Turn> for AskTurn {
    fn from(turn: &Turn) -> Self {
        Self {
            id: turn.id.clone(),
            role: turn.role,
            name: turn.name.clone(),
            at: turn.at,
            content: turn.content.clone(),
        }
    }
}

/// What a model is asked: turns to read, with the turns around them as context.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The session, for tapes.
    pub session: String,
    /// Turns the pre-filter kept.
    pub turns: Vec<AskTurn>,
    /// Turns of the window and turns the pre-filter dropped from a person or the assistant: context, oldest first.
    pub context: Vec<AskTurn>,
    /// The namespace's own sentence for the prompt.
    pub custom_instruction: Option<String>,
    /// What it is asked with.
    pub prompt: Arc<Prompt>,
}

/// An item of a reply that is not of the schema and cannot be mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Malformed {
    /// Its place in the reply, from 0.
    pub index: usize,
    /// The field that is wrong and how; never words of the reply.
    pub why: String,
}

/// What a model answered, as far as it can be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// In the order of the reply.
    pub candidates: Vec<Result<Candidate, Malformed>>,
    /// What read the turns.
    pub extracted_by: ExtractedBy,
    /// What it used.
    pub usage: Usage,
    /// Requests of it that only the length of the input made necessary; they are beside the budget of a call.
    pub further_parts: u32,
    /// Remarks for the reader of the trace (the reply was repaired, the input was split, …); never words of people.
    pub notes: Vec<String>,
}

/// Chooses what is asked with a prompt: the kept turns, with window and dropped turns of people and assistant as context.
pub fn ask(reading: &Reading, verdicts: &[TurnVerdict], prompt: Arc<Prompt>) -> Ask {
    let kept = |id: &TurnId| verdicts.iter().any(|verdict| verdict.turn_id == *id && verdict.dropped.is_none());
    let shown = |role: Role| matches!(role, Role::User | Role::Assistant);
    let mut ask = Ask {
        session: reading.call.session().to_owned(),
        turns: Vec::new(),
        context: Vec::new(),
        custom_instruction: reading.window.settings.custom_instruction.clone(),
        prompt,
    };
    for read in &reading.turns {
        let turn = AskTurn::from(&read.turn);
        if read.origin == crate::evidence::Origin::Call && kept(&read.turn.id) {
            ask.turns.push(turn);
        } else if shown(read.turn.role) {
            ask.context.push(turn);
        }
    }
    ask
}
