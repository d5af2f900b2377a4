//! The canonical form of one claim: attribute, phase, polarity, value and content words, and the key made of them.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::attributes::{self, Holds};
use super::infer;
use super::phase::{self, Phase};
use super::words::{self, Word, WordKind};
use super::{ClaimKey, NORMALISER};
use crate::candidate::{Candidate, Polarity};
use crate::memory::Memory;
use crate::text::{self, Token};

/// What is claimed of whom, from wherever it stands: a candidate, a memory, or a plain sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement<'a> {
    /// One self-contained sentence.
    pub content: &'a str,
    /// Whom it is about, as the sentence says it; empty where nobody is set apart.
    pub subject: &'a str,
    /// What is claimed of the subject; empty where nobody named it.
    pub attribute: &'a str,
    /// Its value; empty where nobody named it.
    pub value: &'a str,
    /// So or not so.
    pub polarity: Polarity,
}

impl<'a> From<&'a Candidate> for Statement<'a> {
    fn from(claim: &'a Candidate) -> Self {
        Self {
            content: &claim.content,
            subject: &claim.subject,
            attribute: &claim.attribute,
            value: &claim.value,
            polarity: claim.polarity,
        }
    }
}

impl<'a> From<&'a Memory> for Statement<'a> {
    fn from(memory: &'a Memory) -> Self {
        Self {
            content: &memory.content,
            subject: &memory.subject.name,
            attribute: &memory.attribute,
            value: &memory.value,
            polarity: memory.polarity,
        }
    }
}

/// Whom a plain sentence is about: `user`, `user's sister`, a name, or nobody.
pub fn subject_of(sentence: &str) -> String {
    infer::subject(sentence)
}

impl<'a> Statement<'a> {
    /// A plain sentence about a subject (see [`subject_of`]); attribute and value are read from its words.
    pub fn sentence(sentence: &'a str, subject: &'a str) -> Self {
        infer::statement(sentence, subject)
    }
}

/// A claim in canonical form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Canonical attribute.
    pub attribute: String,
    /// How the values of the attribute stand to each other.
    pub holds: Holds,
    /// So or not so, by the label and by the words.
    pub polarity: Polarity,
    /// When the state holds.
    pub phase: Phase,
    /// Lemmas of the value, sorted.
    pub(super) value: Vec<String>,
    /// Content words of the sentence without its subject, in the order of the active voice.
    pub(super) words: Vec<Word>,
}

impl Form {
    /// Brings a statement to canonical form.
    pub fn of(statement: &Statement<'_>) -> Self {
        let (attribute, holds) = attributes::canonical(statement.attribute);
        let tokens = text::tokens(statement.content);
        let content = words::content_of(&tokens);
        let polarity = match (statement.polarity, content.denies) {
            (Polarity::Positive, false) => Polarity::Positive,
            (Polarity::Negative, _) | (Polarity::Positive, true) => Polarity::Negative,
        };
        let value = value(&attribute, statement);
        let mut words = without_subject(content.words, statement);
        if words.is_empty() && value.is_empty() {
            // Signs and single letters are no words with content; what is kept of them is what was written.
            words.push(Word { lemma: statement.content.to_owned(), kind: WordKind::Common });
        }
        let holds = if value.is_empty() { Holds::Open } else { holds };
        Self { phase: phase(&attribute, holds, &tokens), holds, polarity, value, words, attribute }
    }

    /// Canonical form by what the words themselves tell, and by the labels only where the words leave it open:
    /// the next reply of a model may label the same sentence in another way.
    pub fn told(statement: &Statement<'_>) -> Self {
        match infer::told(statement) {
            Some((attribute, value)) => Self::of(&Statement { attribute, value, ..*statement }),
            None => Self::of(statement),
        }
    }

    /// Equal for equal claims of the same subject.
    pub fn key(&self) -> ClaimKey {
        let digest = hex::encode(Sha256::digest(self.canonical_text().as_bytes()));
        ClaimKey(format!("{NORMALISER}:{}", digest.get(..32).unwrap_or(&digest)))
    }

    /// Whether a later value of this claim's attribute ends this one: a present state of an attribute that holds one value.
    pub fn replaceable(&self) -> bool {
        self.holds == Holds::One && self.phase == Phase::Now
    }

    /// Whether both name the same value.
    pub fn same_value(&self, other: &Self) -> bool {
        self.value == other.value
    }

    fn canonical_text(&self) -> String {
        let head = format!("{}|{}", self.polarity.as_str(), self.phase.as_str());
        match self.holds {
            Holds::One | Holds::Many => {
                let numbers = match self.phase {
                    Phase::Now => Vec::new(),
                    Phase::Past | Phase::Ahead => self.numbers(),
                };
                format!("{}|{head}|{}|{}", self.attribute, self.value.join(" "), numbers.join(" "))
            }
            Holds::Open => {
                let lemmas: BTreeSet<&str> = self
                    .words
                    .iter()
                    .map(|word| word.lemma.as_str())
                    .chain(self.value.iter().map(String::as_str))
                    .collect();
                format!("~|{head}|{}", lemmas.into_iter().collect::<Vec<_>>().join(" "))
            }
        }
    }

    fn numbers(&self) -> Vec<&str> {
        let numbers: BTreeSet<&str> =
            self.words.iter().filter(|word| word.kind == WordKind::Number).map(|word| word.lemma.as_str()).collect();
        numbers.into_iter().collect()
    }
}

fn phase(attribute: &str, holds: Holds, content: &[Token]) -> Phase {
    match (attribute, holds) {
        // Wanting to be called or answered in a way is the present state itself.
        ("preferred_name" | "pronouns" | "answer_language" | "answer_length", _) => Phase::Now,
        (_, Holds::One | Holds::Many) => phase::of_state(content),
        (_, Holds::Open) => phase::of_event(content),
    }
}

/// The states a person can be in towards marriage, each with the lemmas that tell it; the first that is told counts.
const MARITAL: &[(&str, &[&str])] = &[
    ("divorced", &["divorc"]),
    ("separated", &["separ"]),
    ("widowed", &["widow"]),
    ("engaged", &["engag"]),
    ("married", &["marri"]),
    ("single", &["singl", "unmarri"]),
    ("partnered", &["partner", "relationship"]),
];

fn value(attribute: &str, statement: &Statement<'_>) -> Vec<String> {
    let text = match attribute {
        "home_city" => statement.value.split(',').next().unwrap_or_default(),
        _ => statement.value,
    };
    let own: BTreeSet<String> = attribute.split('_').map(words::lemma).collect();
    let lemmas = words::content(text).words.into_iter().map(|word| match word.kind {
        WordKind::Name => words::lemma(&word.lemma),
        WordKind::Common | WordKind::Number => word.lemma,
    });
    let lemmas: BTreeSet<String> = lemmas.collect();
    if attribute == "marital_status" {
        let told = MARITAL
            .iter()
            .find(|(_, told)| lemmas.iter().any(|lemma| told.iter().any(|start| lemma.starts_with(start))));
        if let Some((state, _)) = told {
            return vec![(*state).to_owned()];
        }
    }
    let rest: Vec<String> = lemmas.iter().filter(|lemma| !own.contains(*lemma)).cloned().collect();
    if rest.is_empty() { lemmas.into_iter().collect() } else { rest }
}

/// Leaves out the words that name the subject, and a role before its name ("user's sister Ana" of Ana).
fn without_subject(words: Vec<Word>, statement: &Statement<'_>) -> Vec<Word> {
    let subject: BTreeSet<String> =
        words::content(statement.subject).words.into_iter().map(|word| words::lemma(&word.lemma)).collect();
    words
        .into_iter()
        .filter(|word| !subject.contains(&words::lemma(&word.lemma)) && !subject.contains(&word.lemma))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(attribute: &str, value: &str, content: &str) -> ClaimKey {
        Form::of(&Statement { content, subject: "user", attribute, value, polarity: Polarity::Positive }).key()
    }

    #[test]
    fn other_wordings_of_a_claim_meet_its_key() {
        let table = [
            (
                ("allergy", "walnuts", "User is allergic to walnuts"),
                ("allergies", "walnut", "Walnuts set off the user's allergy"),
            ),
            (
                ("bicycle", "red Fuji", "User's bicycle is a red Fuji"),
                ("bike", "red Fuji bike", "User has a red Fuji bike"),
            ),
            (("home_city", "Brno", "User lives in Brno"), ("residence", "Brno, Czechia", "User has moved to Brno")),
            (
                ("employer", "the dairy", "User works at the dairy"),
                ("company", "dairy", "User is employed by the dairy"),
            ),
            (
                ("marital_status", "divorced", "User is divorced"),
                ("marital_status", "got a divorce", "User got a divorce"),
            ),
            (("shoe_size", "44", "User's shoe size is 44"), ("shoe size", "size 44", "User wears size 44")),
            (
                ("desk_floor", "3", "User's desk is on floor 3"),
                ("desk_floor", "three", "User's desk is on floor three"),
            ),
            (("event", "sold the mill", "User sold the mill"), ("sale", "mill", "User has just sold the mill")),
        ];
        for (one, other) in table {
            assert_eq!(key(one.0, one.1, one.2), key(other.0, other.1, other.2), "{} / {}", one.2, other.2);
        }
    }

    #[test]
    fn another_claim_has_another_key() {
        let table = [
            (("home_city", "Brno", "User lives in Brno"), ("home_city", "Graz", "User lives in Graz")),
            (("home_city", "Brno", "User lives in Brno"), ("home_city", "Brno", "User does not live in Brno")),
            (("home_city", "Brno", "User lives in Brno"), ("home_city", "Brno", "User lived in Brno in 2004")),
            (("home_city", "Brno", "User lived in Brno in 1999"), ("home_city", "Brno", "User lived in Brno in 2004")),
            (("home_city", "Brno", "User lives in Brno"), ("home_city", "Brno", "User may move to Brno")),
            (("likes", "tea", "User likes tea"), ("dislikes", "tea", "User dislikes tea")),
            (
                ("keys", "sent back", "User sent the cabin keys back"),
                ("keys", "sent back", "User sent the car keys back"),
            ),
            (("age", "6", "Ivo is six"), ("age", "16", "Ivo is sixteen")),
            (("note", "", "!!!"), ("note", "", "...")),
            (("note", "", "\u{1f44d}"), ("note", "", "\u{1f44e}")),
        ];
        for (one, other) in table {
            assert_ne!(key(one.0, one.1, one.2), key(other.0, other.1, other.2), "{} / {}", one.2, other.2);
        }
    }

    /// Stored keys must be met again by every later build of the same normaliser. A change here is a new `NORMALISER`.
    #[test]
    fn keys_of_normaliser_1_stay_as_they_are() {
        assert_eq!(NORMALISER, 1);
        let golden = [
            (key("home_city", "Brno", "User lives in Brno"), "1:efe242dbf2c225e86bd4adb288146a72"),
            (key("likes", "the smell of rain", "User likes the smell of rain"), "1:c7535cd7474d152fbc30d970bbd7001c"),
            (key("event", "sold the mill", "User sold the old mill to Ana"), "1:38f53fad19049af63e0a8cf956c13154"),
            (key("pet", "two cats", "User had two cats"), "1:5e1a4494473e2cf77cf8f6e410431c2f"),
        ];
        for (found, expected) in golden {
            assert_eq!(found.0, expected);
        }
    }

    #[test]
    fn the_subject_is_no_part_of_the_key() {
        let about = |subject, content| {
            Form::of(&Statement {
                content,
                subject,
                attribute: "hobby",
                value: "falconry",
                polarity: Polarity::Positive,
            })
            .key()
        };
        assert_eq!(about("user", "User has taken up falconry"), about("Ana", "Ana has taken up falconry"));
        let open = |subject, content| {
            Form::of(&Statement { content, subject, attribute: "event", value: "", polarity: Polarity::Positive }).key()
        };
        assert_eq!(open("user", "User painted the fence"), open("Ana Ruiz", "Ana Ruiz painted the fence"));
    }
}
