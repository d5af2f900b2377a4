//! People named in one breath with "and".

use crate::entity::{EntityKind, USER};

use super::parts::part;
use super::words::Word;
use super::{Mention, Number, Part};

/// "Carla and Noor", "juno and i": a pair is one more mention, in the plural, and its members play one part.
pub(super) fn join(words: &[Word<'_>], found: &mut Vec<Mention>) {
    let mut pairs: Vec<Mention> = Vec::new();
    for at in (0..words.len()).filter(|at| words.get(*at).is_some_and(|word| word.is("and") || word.is("&"))) {
        let (Some(left), Some(right)) = (member(words, found, at, Side::Before), member(words, found, at, Side::After))
        else {
            continue;
        };
        let people = |kind| matches!(kind, EntityKind::Person | EntityKind::Unknown | EntityKind::Animal);
        if left.name == right.name || !(people(left.kind) && people(right.kind) || left.kind == right.kind) {
            continue;
        }
        let (first, second) = if right.name == USER { (&right, &left) } else { (&left, &right) };
        let part = pair_part(words, left.start, right.end);
        pairs.push(Mention {
            name: format!("{} and {}", first.name, second.name),
            number: Number::Plural,
            female: None,
            role: None,
            part,
            start: left.start,
            end: right.end,
            kind: left.kind,
        });
        for mention in found.iter_mut().filter(|mention| mention.start == left.start || mention.end == right.end) {
            if mention.part != Part::Possessor {
                mention.part = part;
            }
        }
    }
    found.extend(pairs);
    found.sort_by_key(|mention| (mention.start, mention.end));
}

#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

/// The mention next to an "and", or the speaker.
fn member(words: &[Word<'_>], found: &[Mention], and: usize, side: Side) -> Option<Mention> {
    let word = words.get(match side {
        Side::Before => and.checked_sub(1)?,
        Side::After => and + 1,
    })?;
    let touches = |mention: &&Mention| match side {
        Side::Before => mention.end == word.span.end,
        Side::After => mention.start == word.span.start,
    };
    let speaker = || Mention {
        name: USER.to_owned(),
        role: None,
        kind: EntityKind::Person,
        number: Number::Singular,
        female: None,
        part: Part::Other,
        start: word.span.start,
        end: word.span.end,
    };
    let says_me = matches!(&*word.text, "i" | "me" | "myself");
    found.iter().find(touches).cloned().or_else(|| says_me.then(speaker))
}

fn pair_part(words: &[Word<'_>], start: usize, end: usize) -> Part {
    let first = words.partition_point(|word| word.span.start < start);
    let last = words.partition_point(|word| word.span.end <= end);
    part(words, first, last.max(first + 1))
}
