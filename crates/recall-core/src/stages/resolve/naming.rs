//! From a name as said to the entity it stands for: exact first, then a slip of the pen, never a guess between two.

use crate::context::Context;
use crate::entity::{Entity, EntityKind, USER};
use crate::reading::references::{Mention, roles};
use crate::text::{fold, folds_to};

use super::{Alone, Named};

/// Least Jaro-Winkler likeness of a misspelt name.
const ALIKE: f64 = 0.92;
/// Least lead of the likest name over that of another entity.
const LEAD: f64 = 0.03;
/// Names shorter than this are never taken for each other.
const SHORTEST: usize = 5;

/// The entity of a name or role.
pub(super) fn name(cx: &Context<'_>, said: &str) -> Named {
    if said == USER {
        let known = cx.near.entities.iter().find(|entity| entity.name == USER);
        return Named {
            name: USER.to_owned(),
            kind: EntityKind::User,
            known: known.map(|entity| entity.id.clone()),
            aliases: Vec::new(),
            alone: None,
        };
    }
    let mention = mentioned(cx, said);
    // "my manager Priya": the name counts, whoever held the role before.
    let main = mention.filter(|mention| is_named_role(said, mention)).map_or(said, |mention| mention.name.as_str());
    let entity = exact(cx, main).or_else(|| misspelt(cx, main));
    let kind = mention.map_or_else(|| kind_of(said), |mention| mention.kind);
    let alone = Alone { name: main.to_owned(), kind };
    let main = entity.map_or(main, |entity| entity.name.as_str()).to_owned();
    let known_kind = entity.map(|entity| entity.kind).filter(|kind| *kind != EntityKind::Unknown);
    Named {
        kind: known_kind.unwrap_or(kind),
        known: entity.map(|entity| entity.id.clone()),
        aliases: aliases(&main, mention),
        name: main,
        alone: entity.map(|_| alone),
    }
}

/// The main name of an entity that is known by exactly this name; else the name itself.
pub(super) fn main_name(cx: &Context<'_>, name: &str) -> String {
    exact(cx, name).map_or_else(|| name.to_owned(), |entity| entity.name.clone())
}

/// Whether a turn in sight names somebody or something by exactly this name.
pub(super) fn is_mentioned(cx: &Context<'_>, said: &str) -> bool {
    let folded = fold(said);
    mentions(cx).any(|mention| mention.kind != EntityKind::Thing && folds_to(&mention.name, &folded))
}

fn mentions<'a>(cx: &Context<'a>) -> impl Iterator<Item = &'a Mention> {
    let turns = cx.reading.turns.iter().rev().flat_map(|read| &read.mentions);
    turns.chain(cx.reading.window.ring.iter().rev().flat_map(|turn| &turn.mentions))
}

/// The mention of a name or role, the latest first; a role with another quality ("older sister") is not the same.
fn mentioned<'a>(cx: &Context<'a>, said: &str) -> Option<&'a Mention> {
    let folded = fold(said);
    let is = |name: &str| folds_to(name, &folded);
    let by_name = mentions(cx).find(|mention| is(&mention.name) && mention.role.is_some());
    by_name
        .or_else(|| mentions(cx).find(|mention| mention.role.as_deref().is_some_and(is)))
        .or_else(|| mentions(cx).find(|mention| is(&mention.name)))
        .or_else(|| mentions(cx).find(|mention| is_head(&mention.name, &folded)))
}

/// "the new puppy" for "puppy" or "user's puppy".
fn is_head(mention: &str, said: &str) -> bool {
    let head = said.strip_prefix("user's ").or(said.strip_prefix("the ")).unwrap_or(said);
    // The head is the last word; most mentions do not even end in its letters.
    let written = mention.trim_end().as_bytes();
    let ends = written.len().checked_sub(head.len()).and_then(|from| written.get(from..));
    if mention.is_ascii() && !ends.is_some_and(|end| end.eq_ignore_ascii_case(head.as_bytes())) {
        return false;
    }
    let rest = fold(mention);
    !head.contains(' ') && !rest.contains("'s ") && rest.rsplit(' ').next() == Some(head) && rest != head
}

fn is_named_role(said: &str, mention: &Mention) -> bool {
    let folded = fold(said);
    mention.role.as_deref().is_some_and(|role| folds_to(role, &folded))
}

/// The entity known by exactly this name, or whose first name this is, where it is one only.
fn exact<'a>(cx: &Context<'a>, said: &str) -> Option<&'a Entity> {
    let folded = plain(said);
    let entities = || cx.near.entities.iter();
    let is = |entity: &&Entity| names_of(entity).any(|name| plain(name) == folded);
    let begins = |entity: &&Entity| {
        entity.name != USER
            && matches!(entity.kind, EntityKind::Person | EntityKind::Unknown)
            && !entity.name.contains("'s ")
            && plain(&entity.name).split_once(' ').is_some_and(|(first, _)| first == folded)
    };
    let only = |found: Vec<&'a Entity>| match found.as_slice() {
        [one] => Some(*one),
        _ => None,
    };
    let same: Vec<&Entity> = entities().filter(is).collect();
    if same.is_empty() { only(entities().filter(begins).collect()) } else { only(same) }
}

/// Folded, without article and the full stop of a title.
fn plain(name: &str) -> String {
    let folded = fold(name).replace(". ", " ");
    folded.strip_prefix("the ").map(ToOwned::to_owned).unwrap_or(folded)
}

fn names_of(entity: &Entity) -> impl Iterator<Item = &str> {
    std::iter::once(entity.name.as_str()).chain(entity.aliases.iter().map(String::as_str))
}

/// The entity whose name is a slip away. A name that is itself an established one is no slip of another.
fn misspelt<'a>(cx: &Context<'a>, said: &str) -> Option<&'a Entity> {
    let folded = plain(said);
    let first = folded.split(' ').next()?;
    let is_name = said.starts_with(char::is_uppercase) && !said.contains("'s ") && folded.chars().count() >= SHORTEST;
    if !is_name || roles::is_first_name(first) {
        return None;
    }
    let mut alike: Vec<(f64, &Entity)> = cx
        .near
        .entities
        .iter()
        .filter(|entity| entity.name != USER)
        .map(|entity| (names_of(entity).map(|name| likeness(&folded, name)).fold(0.0, f64::max), entity))
        .filter(|(score, _)| *score >= ALIKE - LEAD)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (best, entity) = alike.first().copied()?;
    let clear = alike.get(1).is_none_or(|(second, _)| best - second >= LEAD);
    (best >= ALIKE && clear).then_some(entity)
}

/// Jaro-Winkler with the whole name, or with its first word where one word was said. Of two names of several words each word has to
/// be alike: "Speaker A" and "Speaker B" are two, and so are "Unit 12" and "Unit 13".
fn likeness(folded: &str, name: &str) -> f64 {
    let known = plain(name);
    if known.contains("'s ") || known.chars().count() < SHORTEST || figures(folded) != figures(&known) {
        return 0.0;
    }
    let (said, there): (Vec<&str>, Vec<&str>) = (folded.split(' ').collect(), known.split(' ').collect());
    if said.len() > 1 && there.len() > 1 {
        let pairs = said.iter().zip(&there).map(|(one, other)| word_likeness(one, other));
        return if said.len() == there.len() { pairs.fold(1.0, f64::min) } else { 0.0 };
    }
    let whole = strsim::jaro_winkler(folded, &known);
    let first = known.split(' ').next().filter(|first| !folded.contains(' ') && first.chars().count() >= SHORTEST);
    first.map_or(whole, |first| whole.max(strsim::jaro_winkler(folded, first)))
}

fn word_likeness(one: &str, other: &str) -> f64 {
    let is_short = |word: &str| word.chars().count() < SHORTEST;
    match (one == other, is_short(one) || is_short(other)) {
        (true, _) => 1.0,
        (false, true) => 0.0,
        (false, false) => strsim::jaro_winkler(one, other),
    }
}

/// Figures are no slip of the pen: they tell apart what has one name.
fn figures(name: &str) -> Vec<char> {
    name.chars().filter(char::is_ascii_digit).collect()
}

fn kind_of(said: &str) -> EntityKind {
    let first = fold(said).split(' ').next().map(roles::is_first_name);
    if roles::is_role(said) || (said.starts_with(char::is_uppercase) && first == Some(true)) {
        EntityKind::Person
    } else {
        EntityKind::Unknown
    }
}

/// Name and role of this conversation besides the main name.
fn aliases(main: &str, mention: Option<&Mention>) -> Vec<String> {
    let Some((mention, role)) = mention.and_then(|mention| Some((mention, mention.role.clone()?))) else {
        return Vec::new();
    };
    [role, mention.name.clone()].into_iter().filter(|alias| fold(alias) != fold(main)).collect()
}
