//! The construction a verb stands in: what stands between it and its subject, and what governs it.

use super::cues::{
    ADVERBS, AFTER_LET, BE, DENIALS, EFFORTS, PARTICIPLES, PAST, PREPOSITIONS, STARTS, SUBJECTS, SUCCESSES, WANTED,
};

pub(super) fn is_modal(word: &str) -> Option<&'static str> {
    match word {
        "will" | "'ll" | "wo" | "shall" => Some("will"),
        "would" | "'d" => Some("would"),
        "can" | "ca" => Some("can"),
        "could" => Some("could"),
        "may" | "might" => Some("may"),
        "should" | "ought" | "must" => Some("should"),
        _ => None,
    }
}

fn is_past(word: &str) -> bool {
    word.ends_with("ed") || PAST.contains(&word)
}

/// The form of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Gerund,
    Past,
    ThirdPerson,
    Plain,
}

fn shape(word: &str) -> Shape {
    if word.ends_with("ing") {
        Shape::Gerund
    } else if is_past(word) || PARTICIPLES.contains(&word) {
        Shape::Past
    } else if word.ends_with('s') && !word.ends_with("ss") && word != "guess" {
        Shape::ThirdPerson
    } else {
        Shape::Plain
    }
}

/// What stands between a verb and its subject.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before<'w> {
    pub(super) modal: Option<&'static str>,
    pub(super) denied: bool,
    be: bool,
    have: bool,
    /// `with do`, `with did`, or a question with the auxiliary before its subject.
    support: Option<&'static str>,
    to: bool,
    going: bool,
    subject: Option<&'w str>,
    pub(super) governor: &'w str,
    place: usize,
}

pub(super) fn before<'w>(words: &[&'w str], at: usize) -> Before<'w> {
    let mut found = Before::default();
    let mut place = at;
    for _ in 0..8 {
        let Some(word) = place.checked_sub(1).and_then(|place| words.get(place).copied()) else { break };
        found.governor = word;
        found.place = place - 1;
        if DENIALS.contains(&word) {
            found.denied = true;
        } else if let Some(modal) = is_modal(word) {
            found.modal.get_or_insert(modal);
        } else if BE.contains(&word) {
            found.be = true;
        } else if matches!(word, "have" | "has" | "'ve" | "had" | "having") {
            found.have = true;
        } else if matches!(word, "do" | "does") {
            found.support = Some("with do");
        } else if word == "did" {
            found.support = Some("with did");
        } else if word == "to" {
            found.to = true;
        } else if matches!(word, "going" | "gonna") && found.to {
            found.going = true;
        } else if word.ends_with("ly") || ADVERBS.contains(&word) {
        } else {
            if SUBJECTS.contains(&word) {
                found.subject = Some(word);
                found.invert(place.checked_sub(2).and_then(|place| words.get(place).copied()).unwrap_or_default());
            }
            return found;
        }
        place -= 1;
    }
    found.governor = place.checked_sub(1).and_then(|place| words.get(place).copied()).unwrap_or_default();
    found.place = place.saturating_sub(1);
    found
}

impl Before<'_> {
    /// In a question the auxiliary stands before the subject.
    fn invert(&mut self, word: &str) {
        if self.modal.is_some() || self.be || self.have || self.support.is_some() {
            return;
        }
        if let Some(modal) = is_modal(word) {
            self.modal = Some(modal);
        } else if BE.contains(&word) || matches!(word, "do" | "does" | "did" | "have" | "has") {
            self.support = Some("inverted");
        }
    }
}

/// A verb joined by "and" or a comma stands as the verb of the same form before it does.
pub(super) fn coordinate<'w>(words: &[&'w str], at: usize, found: &mut Before<'w>) {
    let bare = found.modal.is_none() && !found.to && !found.be && !found.have && found.subject.is_none();
    let form = shape(words.get(at).copied().unwrap_or_default());
    if !bare || !matches!(found.governor, "and" | "or" | ",") || !matches!(form, Shape::Plain | Shape::Past) {
        return;
    }
    for place in (found.place.saturating_sub(7)..found.place).rev() {
        let Some(word) = words.get(place) else { continue };
        let other = before(words, place);
        let carries = other.modal.is_some() || other.to || other.support.is_some();
        if carries && shape(word) == form && word.len() > 2 && word.chars().all(char::is_alphabetic) {
            *found = Before { have: found.have, place: found.place, ..other };
            return;
        }
    }
}

pub(super) fn construction(word: &str, before: &Before<'_>) -> &'static str {
    if let Some(modal) = before.modal {
        return if before.have { "modal perfect" } else { modal };
    }
    if before.going {
        return "going to";
    }
    if before.to {
        return after_to(before);
    }
    if let Some(support) = before.support {
        return support;
    }
    let governor = before.governor;
    match shape(word) {
        Shape::Gerund if before.be => "progressive",
        Shape::Gerund if PREPOSITIONS.contains(&governor) => "gerund after preposition",
        Shape::Gerund => "gerund",
        Shape::Past if before.have => "perfect",
        Shape::Past if before.be => "passive",
        Shape::Past if before.subject.is_some() => "past",
        Shape::Past => "participle",
        Shape::ThirdPerson => "third person",
        Shape::Plain => match before.subject {
            Some("you" | "u") => "plain after you",
            Some(_) => "plain after subject",
            None if STARTS.contains(&governor) => "imperative",
            None if AFTER_LET.contains(&governor) || word == "let" => "after let",
            None if matches!(governor, "," | "and" | "or" | "but") => "plain after comma",
            None => "plain",
        },
    }
}

fn after_to(before: &Before<'_>) -> &'static str {
    let governor = before.governor;
    if before.have && (governor.is_empty() || SUBJECTS.contains(&governor)) {
        "have to"
    } else if WANTED.contains(&governor) {
        "to after wish"
    } else if EFFORTS.contains(&governor) {
        "to after effort"
    } else if SUCCESSES.contains(&governor) {
        "to after success"
    } else if is_past(governor) {
        "to after past"
    } else {
        "to"
    }
}
