//! Everyday words that may stand for each other, and what kind of thing a word tells of: WordNet, boiled down to stems.
//! Where it comes from stands in `data/README.md`.

use std::cmp::Ordering;
use std::sync::LazyLock;

use fnv::FnvHashMap;

/// What is known of a stem.
#[derive(Debug)]
pub struct Senses {
    /// Numbers of the groups of words for one thing it belongs to, ascending.
    groups: Vec<u16>,
    /// It mostly tells of a thing, a living being, a place or a bodily deed, not of a quality, feeling, thought, state or way to act.
    pub is_concrete: bool,
    /// It mostly names a thing, a being or a place.
    pub is_thing: bool,
}

impl Senses {
    /// Both stems stand in one group: "comprehend" and "grasp".
    pub fn meet(&self, other: &Self) -> bool {
        let (mut left, mut right) = (self.groups.iter().peekable(), other.groups.iter().peekable());
        while let (Some(one), Some(another)) = (left.peek(), right.peek()) {
            match one.cmp(another) {
                Ordering::Less => left.next(),
                Ordering::Greater => right.next(),
                Ordering::Equal => return true,
            };
        }
        false
    }
}

/// What is known of a stem; nothing of rare words and names.
pub fn of(stem: &str) -> Option<&'static Senses> {
    SENSES.get(stem)
}

static SENSES: LazyLock<FnvHashMap<&'static str, Senses>> = LazyLock::new(|| {
    let mut senses: FnvHashMap<&'static str, Senses> = FnvHashMap::default();
    for (number, line) in (0_u16..).zip(include_str!("data/senses.txt").lines()) {
        let (mark, words) = line.split_once(' ').unwrap_or_default();
        for word in words.split(' ') {
            let new = || Senses { groups: Vec::new(), is_concrete: true, is_thing: false };
            let entry = senses.entry(word).or_insert_with(new);
            match mark {
                "=" => entry.groups.push(number),
                "t" => entry.is_thing = true,
                _ => entry.is_concrete = false,
            }
        }
    }
    senses
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::stem;

    #[test]
    fn words_of_one_sense_meet_and_things_are_told_from_feelings() {
        let meet =
            |left: &str, right: &str| of(&stem(left)).zip(of(&stem(right))).is_some_and(|(one, other)| one.meet(other));
        assert!(meet("novice", "beginner") && meet("depart", "departure"));
        assert!(!meet("novice", "expert") && !meet("cello", "violin"));
        let thing = |word: &str| of(&stem(word)).is_some_and(|senses| senses.is_thing && senses.is_concrete);
        assert!(thing("guitar") && thing("dog") && !thing("gratitude"));
        assert!(of("gdynia").is_none());
    }
}
