//! How a claim tells what it tells, which decides how many words of its own it may have: a short fact none, a retelling some.

use super::claim::{Item, Kind, Language};
use crate::lexicon::stop;

/// How a claim tells what it tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Register {
    /// A short fact: every word of it counts.
    Stated,
    /// Several things in one sentence.
    Long,
    /// What somebody says, thinks or feels of something: "Ana encourages Bo".
    Framed,
}

/// The words with content from which on a claim tells several things.
const LONG: usize = 5;

/// The register of a claim with these items.
pub(super) fn register(items: &[Item], language: Language) -> Register {
    if language == Language::Other {
        return Register::Stated;
    }
    if items
        .iter()
        .find(|item| tells(item))
        .is_some_and(|item| item.kind == Kind::Retelling && stop::is_frame(&item.root))
    {
        return Register::Framed;
    }
    let core = |item: &&Item| matches!(item.kind, Kind::Plain | Kind::Role | Kind::Name | Kind::Comparative);
    if items.iter().filter(core).count() < LONG { Register::Stated } else { Register::Long }
}

fn tells(item: &Item) -> bool {
    matches!(item.kind, Kind::Plain | Kind::Role | Kind::Comparative | Kind::Retelling)
}
