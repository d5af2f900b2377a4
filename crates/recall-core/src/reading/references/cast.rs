//! Everybody and everything that was mentioned so far, one entry for all mentions of the same.

use crate::entity::EntityKind;
use crate::text::fold;

use super::lexicon;
use super::pronouns::Class;
use super::{Mention, Number, Part};

/// How somebody came up at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// By name or role.
    Named,
    /// By a pronoun that was resolved.
    Pronoun,
    /// By speaking.
    Speaking,
}

/// A place where somebody came up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    /// Index of the turn in the scene.
    pub(super) line: usize,
    /// Byte offset in it.
    pub(super) start: usize,
    /// Index of the sentence in it.
    pub(super) sentence: usize,
    /// The part played there.
    pub(super) part: Part,
    /// How.
    pub(super) how: How,
}

/// Somebody or something.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    /// The fullest name so far.
    pub(super) name: String,
    /// The name folded, without article and title, in words.
    words: Vec<String>,
    /// Roles folded.
    roles: Vec<String>,
    /// What it is.
    pub(super) kind: EntityKind,
    /// One or several.
    pub(super) number: Number,
    /// Share of women, where known.
    pub(super) female: Option<f32>,
    /// Named by a role or noun only.
    pub(super) is_noun: bool,
    /// Where it came up, in order.
    pub(super) spots: Vec<Spot>,
}

impl Figure {
    /// First name and surname, or more; a title is none of them.
    pub(super) fn has_full_name(&self) -> bool {
        !self.is_noun && self.number == Number::Singular && untitled(&self.words).len() > 1
    }

    /// Learns from a pronoun that was clear: a plumber who was "he" is not "she" afterwards.
    pub(super) fn called(&mut self, class: Class) {
        self.female = self.female.or(match class {
            Class::He => Some(0.05),
            Class::She => Some(0.95),
            Class::It | Class::They | Class::Speaker | Class::Speakers | Class::Addressee => None,
        });
    }
}

/// All figures of a scene.
#[derive(Debug, Default)]
pub(super) struct Cast {
    pub(super) figures: Vec<Figure>,
}

impl Cast {
    /// Enters a mention: a new figure, or one more spot of a known one.
    pub(super) fn enter(&mut self, mention: &Mention, spot: Spot) -> usize {
        let new = figure(mention);
        let exact = self.figures.iter().rposition(|known| known.words == new.words && known.number == new.number);
        let likely = self.figures.iter().enumerate().filter(|(_, known)| same(known, &new));
        let same = exact.or_else(|| likely.max_by_key(|(at, known)| (known.spots.len(), *at)).map(|(at, _)| at));
        match same.and_then(|at| self.figures.get_mut(at).map(|known| (at, known))) {
            Some((at, known)) => {
                merge(known, new);
                known.spots.push(spot);
                at
            }
            None => {
                self.figures.push(Figure { spots: vec![spot], ..new });
                self.figures.len() - 1
            }
        }
    }

    /// Enters a named speaker.
    pub(super) fn enter_speaker(&mut self, name: &str, line: usize) -> usize {
        let female = name.split_whitespace().next().and_then(|first| lexicon::share_of_women(&fold(first)));
        let mention = Mention {
            name: name.to_owned(),
            role: None,
            kind: EntityKind::Person,
            number: Number::Singular,
            female,
            part: Part::Other,
            start: 0,
            end: 0,
        };
        self.enter(&mention, Spot { line, start: 0, sentence: 0, part: Part::Other, how: How::Speaking })
    }

    /// The figure of a name, if it came up.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let words = name_words(name);
        self.figures.iter().rposition(|figure| figure.words == words)
    }
}

/// A figure that comes up for the first time.
pub(super) fn newcomer(mention: &Mention, spot: Spot) -> Figure {
    Figure { spots: vec![spot], ..figure(mention) }
}

fn figure(mention: &Mention) -> Figure {
    let is_noun = mention.name.contains("'s ") || mention.name.chars().next().is_some_and(char::is_lowercase);
    let is_noun = is_noun && !mention.name.chars().any(char::is_uppercase) || mention.name.contains("'s ");
    Figure {
        name: mention.name.clone(),
        words: name_words(&mention.name),
        roles: mention.role.iter().map(|role| fold(role)).collect(),
        kind: mention.kind,
        number: mention.number,
        female: mention.female,
        is_noun,
        spots: Vec::new(),
    }
}

fn name_words(name: &str) -> Vec<String> {
    let folded = fold(name);
    let words = folded.split(' ').map(|word| word.trim_end_matches('.'));
    words.filter(|word| !word.is_empty() && *word != "the").map(ToOwned::to_owned).collect()
}

fn untitled(words: &[String]) -> &[String] {
    match words.split_first() {
        Some((first, rest)) if !rest.is_empty() && lexicon::title(first).is_some() => rest,
        Some(_) | None => words,
    }
}

/// Whether two are one: the same name, a part of it, the same role, or "the puppy" after "the new puppy".
pub(super) fn same(known: &Figure, new: &Figure) -> bool {
    if known.number != new.number {
        return false;
    }
    if known.words == new.words || known.roles.contains(&new.words.join(" ")) {
        return true;
    }
    match (known.is_noun, new.is_noun) {
        (false, false) => {
            let (old, fresh) = (untitled(&known.words), untitled(&new.words));
            // A surname alone takes up the full name before it; a full name with that surname is somebody else.
            let grows = fresh.len() > old.len();
            let begins_alike = old.first() == fresh.first();
            let (long, short) = if grows { (fresh, old) } else { (old, fresh) };
            let fits = short.iter().all(|word| long.contains(word)) && (!grows || begins_alike);
            fits && !(begins_alike && differ_in_gender(known, new))
        }
        // "the puppy" takes up "the new puppy"; "user's sister" does not take up "Ana's sister".
        (true, true) => new.name.starts_with("the ") && new.words.len() == 1 && known.words.last() == new.words.last(),
        (true, false) => new.roles.contains(&known.words.join(" ")),
        (false, true) => {
            new.name.starts_with("the ")
                && known.roles.iter().any(|role| role.rsplit(' ').next() == new.words.last().map(String::as_str))
        }
    }
}

fn differ_in_gender(known: &Figure, new: &Figure) -> bool {
    matches!((known.female, new.female), (Some(a), Some(b)) if (a - b).abs() > 0.8)
}

fn merge(known: &mut Figure, new: Figure) {
    let fuller = new.words.len() > known.words.len() || (known.is_noun && !new.is_noun);
    if known.female.is_none() || (fuller && new.female.is_some()) {
        known.female = new.female.or(known.female);
    }
    if matches!(known.kind, EntityKind::Unknown) || (known.is_noun && !new.is_noun) {
        known.kind = new.kind;
    }
    if known.is_noun && !new.is_noun {
        known.roles.push(known.words.join(" "));
    }
    known.roles.extend(new.roles);
    if fuller && (known.is_noun || !new.is_noun) {
        known.name = new.name;
        known.words = new.words;
        known.is_noun = new.is_noun;
    }
}
