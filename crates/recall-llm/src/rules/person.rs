//! Turns "I" into the speaker: a clause in the first person becomes a sentence in the third, word by word.

use super::clauses::Subject;
use super::kin::kin;
use super::verbs::{is_adverb, plural, singular};

/// A clause, told in the third person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    /// The sentence.
    pub(super) content: String,
    /// The words from "I" or "my" on, "I" written out where it was left out.
    pub(super) words: Vec<String>,
    /// It says that something is not so.
    pub(super) negated: bool,
    /// It holds a word of doubt.
    pub(super) doubted: bool,
}

impl Told {
    /// Whom it is about: the speaker, or a person of the speaker's ("my sister Ana": `Ana`; "my sister": `user's sister`).
    pub(super) fn subject(&self, speaker: &str) -> String {
        let Some((kin, rest)) = kin(&self.words) else { return speaker.to_owned() };
        match rest.first().filter(|word| is_name(word)) {
            Some(name) => bare(name).to_owned(),
            None => format!("{speaker}'s {kin}"),
        }
    }
}

/// Tells a clause in the third person; `None` where it is not about its speaker.
pub(super) fn third(clause: &str, subject: Subject, name: &str) -> Option<Told> {
    let mut words: Vec<String> = clause.replace('\u{2019}', "'").split_whitespace().map(str::to_owned).collect();
    let head = match subject {
        Subject::Said => words.iter().position(|word| is_first_person(word)).filter(|at| *at <= FARTHEST_HEAD)?,
        Subject::LeftOut => {
            // "Moved to Graz in May" is told as "I moved to Graz in May".
            let first = words.first_mut()?;
            *first = lower_first(first);
            let been = first == "been";
            words.insert(0, if been { "I've" } else { "I" }.to_owned());
            0
        }
    };
    let mut telling = Telling { name, state: State::Speaker, out: words.iter().take(head).cloned().collect() };
    let together = with_speaker(&words, head);
    if let Some(other) = together {
        // "My wife and I bought a barn": the verb is that of two.
        telling.out.push(format!("{name} and {name}'s {}", words.get(head + 1..other).unwrap_or_default().join(" ")));
        telling.state = State::Rest;
    }
    for (at, word) in words.iter().enumerate().skip(together.map_or(head, |other| other + 2)) {
        telling.push(word, words.get(at + 1).map(String::as_str));
    }
    let head = together.map_or(head, |other| other + 1);
    let doubted = words.iter().any(|word| DOUBT.contains(&bare(&lower(word))));
    let words: Vec<String> = words.split_off(head);
    Some(Told {
        content: upper_first(&telling.out.join(" ")),
        negated: words.iter().take(7).any(|word| is_negation(&lower(word))),
        doubted,
        words,
    })
}

/// Where the "and" of "my … and I" stands.
fn with_speaker(words: &[String], head: usize) -> Option<usize> {
    let lowered = |at: usize| words.get(at).map(|word| lower(word));
    let and = (head + 2..head + 5).find(|at| lowered(*at).as_deref() == Some("and"))?;
    (lowered(head).as_deref() == Some("my") && lowered(and + 1).as_deref() == Some("i")).then_some(and)
}

/// Before "I" may stand words that say when, and no more.
const FARTHEST_HEAD: usize = 8;
const DOUBT: [&str; 8] = ["maybe", "perhaps", "probably", "might", "possibly", "apparently", "supposedly", "roughly"];

fn is_negation(word: &str) -> bool {
    matches!(bare(word), "not" | "never" | "cannot" | "dont" | "didnt") || word.contains("n't")
}

fn is_first_person(word: &str) -> bool {
    matches!(bare(&lower(word)), "i" | "my" | "i'm" | "im" | "i've" | "ive" | "i'd" | "i'll")
}

/// How the next word is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The speaker has not been named.
    Speaker,
    /// The speaker was named; the verb comes.
    Verb,
    /// "they" was written; the verb comes.
    PluralVerb,
    /// Everything else.
    Rest,
}

struct Telling<'a> {
    name: &'a str,
    state: State,
    out: Vec<String>,
}

impl Telling<'_> {
    fn push(&mut self, word: &str, next: Option<&str>) {
        let (core, tail) = core(word);
        let core = lower(core);
        let named = self.state == State::Speaker;
        let who = if named { self.name.to_owned() } else { "they".to_owned() };
        let told = match core.as_str() {
            "i" => {
                self.state = if named { State::Verb } else { State::PluralVerb };
                who
            }
            "i'm" | "im" => self.contracted(&who, if named { "is" } else { "are" }),
            "i've" | "ive" => self.contracted(&who, if named { "has" } else { "have" }),
            "i'll" => self.contracted(&who, "will"),
            "i'd" => self.contracted(&who, if next == Some("been") { "had" } else { "would" }),
            "my" if named => {
                self.state = State::Rest;
                format!("{}'s", self.name)
            }
            "gonna" => "going to".to_owned(),
            "wanna" => self.slurred("want to", "wants to"),
            "gotta" => self.slurred("have to", "has to"),
            "my" => "their".to_owned(),
            "me" => "them".to_owned(),
            "mine" => "theirs".to_owned(),
            "myself" => "themselves".to_owned(),
            _ => return self.other(word, &core),
        };
        self.out.push(format!("{told}{tail}"));
    }

    fn contracted(&mut self, who: &str, verb: &str) -> String {
        self.state = State::Rest;
        format!("{who} {verb}")
    }

    fn slurred(&mut self, base: &str, singular: &str) -> String {
        let told = if self.state == State::Verb { singular } else { base };
        self.state = State::Rest;
        told.to_owned()
    }

    fn other(&mut self, word: &str, core: &str) {
        let told = match self.state {
            State::Verb | State::PluralVerb if is_adverb(core) => word.to_owned(),
            State::Verb => {
                self.state = State::Rest;
                word.replacen(word.trim_end_matches(|c: char| c.is_ascii_punctuation()), &singular(core), 1)
            }
            State::PluralVerb => {
                self.state = State::Rest;
                plural(core).map_or_else(|| word.to_owned(), str::to_owned)
            }
            State::Speaker | State::Rest => word.to_owned(),
        };
        self.out.push(told);
    }
}

/// A word and the punctuation after it.
fn core(word: &str) -> (&str, &str) {
    let core = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
    (core, word.strip_prefix(core).unwrap_or_default())
}

pub(super) fn lower(word: &str) -> String {
    word.to_lowercase()
}

/// A word without punctuation around it and without a possessive ending.
pub(super) fn bare(word: &str) -> &str {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.strip_suffix("'s").unwrap_or(word)
}

pub(super) fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase) && bare(word).chars().count() > 1
}

fn upper_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_person_becomes_the_third() {
        let table = [
            ("I live in Graz with my dog", "User lives in Graz with their dog"),
            ("I\u{2019}m a nurse and I love my job", "User is a nurse and they love their job"),
            ("I've never been to Lima", "User has never been to Lima"),
            ("I don't eat fish", "User doesn't eat fish"),
            ("I really try to walk when I am tired", "User really tries to walk when they are tired"),
            ("I moved here because I was bored", "User moved here because they were bored"),
            ("my sister Ana gave me her bike", "User's sister Ana gave them her bike"),
            ("Yesterday I bought myself a kayak", "Yesterday User bought themselves a kayak"),
            ("I wanna row and I'm gonna", "User wants to row and they are going to"),
            ("I'll start, I hope", "User will start, they hope"),
            ("I watch birds", "User watches birds"),
            ("My wife Ilse and I adopted a goat", "User and User's wife Ilse adopted a goat"),
            ("I need, and want, rest", "User needs, and want, rest"),
        ];
        for (clause, told) in table {
            assert_eq!(
                third(clause, Subject::Said, "User").map(|told| told.content).as_deref(),
                Some(told),
                "{clause}"
            );
        }
        let left_out = third("Lost my job in May", Subject::LeftOut, "User").map(|told| told.content);
        assert_eq!(left_out.as_deref(), Some("User lost their job in May"));
        assert_eq!(
            third("My knee hurts", Subject::Said, "Mirela").map(|told| told.content).as_deref(),
            Some("Mirela's knee hurts")
        );
    }

    #[test]
    fn a_clause_about_somebody_of_the_speaker_has_that_person_as_its_subject() {
        let table = [
            ("my sister Ana lives in Lima", "Ana"),
            ("my older brother lives in Lima", "user's older brother"),
            ("My sister's car is red", "user"),
            ("my wife and I bought a barn", "user"),
            ("I have a sister", "user"),
        ];
        for (clause, subject) in table {
            assert_eq!(
                third(clause, Subject::Said, "User").map(|told| told.subject("user")).as_deref(),
                Some(subject),
                "{clause}"
            );
        }
    }
}
