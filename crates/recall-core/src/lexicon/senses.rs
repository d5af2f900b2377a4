//! Everyday words that may stand for each other, and what kind of thing a word tells of: WordNet, boiled down to stems.
//! Where it comes from stands in `data/README.md`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How much a word says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A thing, a living being, a place, a bodily deed: it was said or it was not.
    Concrete,
    /// A quality or a manner.
    Quality,
    /// A feeling, a thought, a state, a way to act on others: retellings choose their own words for it.
    Abstract,
}

/// What is known of a stem.
#[derive(Debug)]
pub struct Senses {
    /// Numbers of the groups of words for one thing it belongs to, ascending.
    groups: Vec<u16>,
    /// Numbers of the pairs of opposites it belongs to, ascending.
    opposites: Vec<u16>,
    /// What it tells of in most of its uses.
    pub class: Class,
    /// It mostly names a thing, a being or a place.
    pub is_thing: bool,
}

impl Senses {
    /// Both stems stand in one group: "comprehend" and "grasp".
    pub fn meet(&self, other: &Self) -> bool {
        share(&self.groups, &other.groups)
    }

    /// The stems are opposites: "novice" and "expert".
    pub fn oppose(&self, other: &Self) -> bool {
        share(&self.opposites, &other.opposites)
    }
}

/// What is known of a stem; nothing of rare words and names.
pub fn of(stem: &str) -> Option<&'static Senses> {
    SENSES.get(stem)
}

/// Both lists are ascending.
fn share(left: &[u16], right: &[u16]) -> bool {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => left.next(),
            std::cmp::Ordering::Greater => right.next(),
            std::cmp::Ordering::Equal => return true,
        };
    }
    false
}

static SENSES: LazyLock<HashMap<&'static str, Senses>> = LazyLock::new(|| {
    let mut senses: HashMap<&'static str, Senses> = HashMap::new();
    for (number, line) in (0_u16..).zip(include_str!("data/senses.txt").lines()) {
        let (mark, words) = line.split_once(' ').unwrap_or_default();
        for word in words.split(' ') {
            let new = || Senses { groups: Vec::new(), opposites: Vec::new(), class: Class::Concrete, is_thing: false };
            let entry = senses.entry(word).or_insert_with(new);
            match mark {
                "=" => entry.groups.push(number),
                "!" => entry.opposites.push(number),
                "t" => entry.is_thing = true,
                "a" => entry.class = Class::Abstract,
                _ => entry.class = Class::Quality,
            }
        }
    }
    senses
});
