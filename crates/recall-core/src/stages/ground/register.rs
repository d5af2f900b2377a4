//! How a claim tells what it tells, which decides how many words of its own it may have: a short fact none, a retelling some.

use super::agent::Agent;
use super::claim::{Item, Kind, Language};
use crate::lexicon::stop;

/// How a claim tells what it tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Register {
    /// A short fact: every word of it counts.
    Stated,
    /// Several things of somebody in one sentence.
    Long,
    /// A long sentence about no one person, which should keep close to its source.
    Sentence,
    /// About nobody of the conversation, and held against a text ([`super::document`]).
    Document,
    /// What somebody says, thinks or feels of something: "Ana encourages Bo".
    Framed,
}

/// The words with content from which on a claim tells several things.
const LONG: usize = 5;

/// The register of a claim with these items.
pub(super) fn register(items: &[Item], agent: &Agent, language: Language) -> Register {
    if language == Language::Other {
        return Register::Stated;
    }
    let of_somebody = !matches!(agent, Agent::Thing | Agent::Open);
    let frames = |item: &Item| item.kind == Kind::Retelling && stop::is_frame(&item.root);
    if of_somebody && items.iter().find(|item| tells(item)).is_some_and(frames) {
        return Register::Framed;
    }
    if items.iter().filter(|item| is_core(item)).count() < LONG {
        Register::Stated
    } else if of_somebody {
        Register::Long
    } else {
        Register::Sentence
    }
}

/// The item counts for the length of a claim, and one of them has to stand in the cited words themselves.
pub(super) fn is_core(item: &Item) -> bool {
    matches!(item.kind, Kind::Plain | Kind::Role | Kind::Name | Kind::Comparative)
}

fn tells(item: &Item) -> bool {
    matches!(item.kind, Kind::Plain | Kind::Role | Kind::Comparative | Kind::Retelling)
}
