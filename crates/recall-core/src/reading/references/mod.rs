//! Who and what is mentioned, and whom a pronoun means.

mod cast;
mod lexicon;
mod mentions;
mod names;
mod nouns;
mod pairs;
mod parts;
mod phrases;
mod pronouns;
pub mod roles;
mod scene;
mod voices;
mod weigh;
mod words;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::ReadTurn;
use super::blocks::Block;
use crate::entity::EntityKind;
use crate::text::Token;
use crate::turn::TurnId;
use crate::window::RingTurn;

use scene::Scene;
use voices::Voice;
use words::Word;

/// A folded word is a first name and no other word of English.
pub fn is_first_name(word: &str) -> bool {
    lexicon::share_of_women(word).is_some() && !lexicon::is_common(word)
}

/// A folded first name is borne almost only by the sex that a folded pronoun ("he", "she") does not speak of.
pub fn is_of_other_sex(name: &str, pronoun: &str) -> bool {
    const ALMOST: f32 = 0.95;
    let women = lexicon::share_of_women(name);
    match pronoun {
        "she" | "she's" | "she'll" | "she'd" => women.is_some_and(|women| women < 1.0 - ALMOST),
        "he" | "he's" | "he'll" | "he'd" => women.is_some_and(|women| women > ALMOST),
        _ => false,
    }
}

/// A folded word is no word of the English dictionary.
pub fn is_uncommon(word: &str) -> bool {
    !lexicon::is_common(word)
}

/// One or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Number {
    /// One.
    Singular,
    /// Several.
    Plural,
}

/// The part a mention plays in its clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Before the verb.
    Subject,
    /// After the verb.
    Object,
    /// Owner of something ("Ana's").
    Possessor,
    /// Called out ("Hey Tomas").
    Vocative,
    /// After a preposition, or not known.
    Other,
}

/// A person or thing named in a turn. Holds a name, never other words of the turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mention {
    /// The name or role: `Priya`, `user's sister`, `the new puppy`.
    pub name: String,
    /// The name a role was given in the same breath ("my manager Priya": name `Priya`, role `user's manager`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// What it is.
    pub kind: EntityKind,
    /// One or several.
    pub number: Number,
    /// Share of women among bearers of the name, 0 to 1, where it is known. A weight inside a window, never stored as a fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub female: Option<f32>,
    /// Its part in the clause.
    pub part: Part,
    /// Byte range in the turn.
    pub start: usize,
    /// End of the byte range, exclusive.
    pub end: usize,
}

/// A pronoun of a turn and whom it means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Byte range in the turn.
    pub span: Range<usize>,
    /// The pronoun, folded.
    pub pronoun: String,
    /// The antecedents: one name, or several joined by "and"; empty where it stays unresolved. `user` is the owner of the scope.
    pub antecedents: Vec<String>,
    /// Turns between pronoun and antecedent; 0 in the same turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<usize>,
    /// The next best antecedent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
    /// Score of the best minus score of the runner-up.
    pub margin: f64,
}

/// The mentions of a turn.
pub fn mentions(content: &str, tokens: &[Token], blocks: &[Block]) -> Vec<Mention> {
    mentions::find(&words::words(content, tokens, blocks))
}

/// Finds the pronouns of every turn and resolves them over the ring buffer and the turns before.
pub fn resolve_all(turns: &mut [ReadTurn], ring: &[RingTurn]) {
    let is_read = |id: &TurnId| turns.iter().any(|read| read.turn.id == *id);
    let recalled: Vec<&RingTurn> = ring.iter().filter(|turn| !is_read(&turn.turn_id)).collect();
    let voices = recalled.iter().map(|turn| Voice { role: turn.role, name: turn.speaker.clone() });
    let mut scene = Scene::new(voices.chain(turns.iter().map(voice)).collect());
    for turn in recalled {
        scene.recall(turn);
    }
    for read in turns {
        let (mentions, references) = scene.hear(&words_of(read), &read.mentions, &mut |_| {});
        read.mentions = mentions;
        read.references = references;
    }
}

/// Somebody or something a pronoun may mean, with what it scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Antecedent {
    /// The fullest name so far.
    pub name: String,
    /// Where it is named in the turn of the pronoun, in bytes.
    pub places: Vec<usize>,
    /// Points; 0 is as likely as nobody.
    pub score: f64,
}

/// Everybody the third-person pronoun at a byte offset of the last turn may mean, best first: the ranking behind
/// [`Reference`], for inspection and measurement. Empty where no such pronoun stands there.
pub fn ranking(turns: &[ReadTurn], at: usize) -> Vec<Antecedent> {
    let mut scene = Scene::new(turns.iter().map(voice).collect());
    let mut found = Vec::new();
    for (line, read) in turns.iter().enumerate() {
        scene.hear(&words_of(read), &read.mentions, &mut |weighed| {
            if line + 1 == turns.len() && weighed.place.pronoun.span.contains(&at) {
                found = weighed.antecedents();
            }
        });
    }
    found
}

fn voice(read: &ReadTurn) -> Voice {
    Voice { role: read.turn.role, name: read.turn.name.clone() }
}

fn words_of(read: &ReadTurn) -> Vec<Word<'_>> {
    words::words(read.turn.content.as_str(), &read.tokens, &read.blocks)
}

#[cfg(test)]
mod tests;
