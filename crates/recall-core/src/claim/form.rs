//! The canonical form of one claim: attribute, phase, polarity, value and content words, and the key made of them.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::attributes::{self, Holds};
use super::infer;
use super::phase::{self, Phase};
use super::plain::{self, Plain};
use super::words::{self, Word, WordKind};
use super::{ClaimKey, KEYS, SIGNS};
use crate::candidate::{Candidate, Polarity};
use crate::entity::USER;
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

/// Whether a sentence has the user as its subject by its first words; what belongs to the user may be a subject of its own.
pub fn tells_of_the_user(sentence: &str) -> bool {
    let mut words = sentence.split_whitespace().map(str::to_lowercase).skip_while(|word| word == "the");
    words.next().is_some_and(|word| word == USER || word == "i")
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
    /// What a plain sentence tells by itself.
    plain: Option<Plain>,
    /// The words deny.
    denies: bool,
    /// It tells what happened, not what is.
    happened: bool,
    /// It holds only at times, or of a part.
    narrowed: bool,
}

impl Form {
    /// Brings a statement to canonical form.
    pub fn of(statement: &Statement<'_>) -> Self {
        let (attribute, holds) = attributes::canonical(statement.attribute);
        let tokens = text::tokens(statement.content);
        let content = words::content_of(&tokens);
        let plain = plain::read(statement.subject, &tokens);
        let measure = plain.as_ref().and_then(|plain| plain::measure(plain, content.denies));
        let measure = measure.filter(|(measured, _)| holds != Holds::One || attribute == *measured);
        let (attribute, holds) = measure.as_ref().map_or((attribute, holds), |(told, _)| attributes::canonical(told));
        let value = match measure {
            Some((_, number)) => vec![number],
            None => value(&attribute, statement),
        };
        // Having none of what is counted is a count.
        let counted = attribute == "number_of_children" && value == ["0"];
        let polarity = match (statement.polarity, content.denies) {
            _ if counted => Polarity::Positive,
            (Polarity::Positive, false) => Polarity::Positive,
            (Polarity::Negative, _) | (Polarity::Positive, true) => Polarity::Negative,
        };
        let mut words = without_subject(content.words, statement);
        if words.is_empty() && value.is_empty() {
            // Signs and single letters are no words with content; what is kept of them is what was written.
            words.push(Word { lemma: statement.content.to_owned(), kind: WordKind::Common });
        }
        let holds = if value.is_empty() { Holds::Open } else { holds };
        Self {
            phase: phase(&attribute, holds, &tokens),
            plain: plain.filter(|_| holds != Holds::One),
            denies: content.denies,
            happened: phase::happened(&tokens),
            narrowed: plain::is_narrowed(&tokens),
            holds,
            polarity,
            value,
            words,
            attribute,
        }
    }

    /// Canonical form by what the words themselves tell, and by the labels only where the words leave it open:
    /// the next reply of a model may label the same sentence in another way.
    pub fn told(statement: &Statement<'_>) -> Self {
        match infer::told(statement) {
            Some((attribute, value)) => Self::of(&Statement { attribute, value, ..*statement }),
            None => Self::of(statement),
        }
    }

    /// Equal for equal claims of the same subject, whatever attribute a plain sentence was labelled with. A claim whose denial ends it
    /// has the key of the denial but for its sign.
    pub fn key(&self) -> ClaimKey {
        let (text, sign) = match self.topic() {
            Topic::Denied { text, polarity: Polarity::Positive } => (text, SIGNS.first()),
            Topic::Denied { text, polarity: Polarity::Negative } => (text, SIGNS.last()),
            Topic::Whole(text) => (text, None),
        };
        let digest = hex::encode(Sha256::digest(text.as_bytes()));
        let sign = sign.map(char::to_string).unwrap_or_default();
        ClaimKey(format!("{KEYS}:{}{sign}", digest.get(..32).unwrap_or(&digest)))
    }

    /// Whether a later value of this claim's attribute ends this one: a present state of an attribute that holds one value.
    pub fn replaceable(&self) -> bool {
        self.holds == Holds::One && self.phase == Phase::Now
    }

    /// Whether both name the same value.
    pub fn same_value(&self, other: &Self) -> bool {
        self.value == other.value
    }

    fn topic(&self) -> Topic {
        if let Some(plain) = &self.plain {
            let text = format!("={}|{}", plain.relation, plain.value.join(" "));
            return Topic::Denied { text, polarity: self.stance(plain) };
        }
        let head = format!("{}|{}", self.polarity.as_str(), self.phase.as_str());
        let value = self.value.join(" ");
        match (self.holds, self.phase) {
            // "Not in the morning" denies less than the value.
            (Holds::Many, Phase::Now) if self.narrowed && self.polarity == Polarity::Negative => self.open_topic(&head),
            (Holds::Many, Phase::Now) => {
                let text = format!("={}|{}", plain::relation_of(&self.attribute), self.owned_value().join(" "));
                let polarity = if self.attribute == "dislikes" { Polarity::Negative } else { self.polarity };
                Topic::Denied { text, polarity }
            }
            (Holds::One, Phase::Now) => Topic::Whole(format!("{}|{head}|{value}|", self.attribute)),
            (Holds::One | Holds::Many, Phase::Past | Phase::Ahead) => {
                Topic::Whole(format!("{}|{head}|{value}|{}", self.attribute, self.numbers().join(" ")))
            }
            (Holds::Open, _) => self.open_topic(&head),
        }
    }

    /// The value, with the kind of thing where the attribute alone names it: a red bicycle is no red car.
    fn owned_value(&self) -> Vec<String> {
        let kind = matches!(self.attribute.as_str(), "bicycle" | "car").then(|| words::lemma(&self.attribute));
        self.value.iter().cloned().chain(kind).collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// The topic by all words, as of a claim that nothing else tells.
    fn open_topic(&self, head: &str) -> Topic {
        let says_nothing = |lemma: &&str| matches!(*lemma, "longer" | "anymor" | "yes" | "true" | "fals");
        let told = self.words.iter().map(|word| word.lemma.as_str());
        let lemmas: BTreeSet<&str> = told.chain(self.value.iter().map(String::as_str)).collect();
        let words = lemmas.into_iter().filter(|lemma| !says_nothing(lemma)).collect::<Vec<_>>().join(" ");
        let lasts = self.phase == Phase::Now && !self.happened;
        if lasts && !words.is_empty() {
            Topic::Denied { text: format!("~|{words}"), polarity: self.polarity }
        } else {
            let happened = if self.happened { "happened" } else { "" };
            Topic::Whole(format!("~|{head}|{happened}|{words}"))
        }
    }

    /// So or not so, by the words; by the label where they tell neither.
    fn stance(&self, plain: &Plain) -> Polarity {
        if !plain.contrary && !self.denies {
            self.polarity
        } else if plain.contrary == self.denies {
            Polarity::Positive
        } else {
            Polarity::Negative
        }
    }

    fn numbers(&self) -> Vec<&str> {
        let numbers: BTreeSet<&str> =
            self.words.iter().filter(|word| word.kind == WordKind::Number).map(|word| word.lemma.as_str()).collect();
        numbers.into_iter().collect()
    }
}

/// What a claim is about.
enum Topic {
    /// A lasting state: what is said later of the same text decides whether it is so.
    Denied { text: String, polarity: Polarity },
    /// A claim that its denial does not end: a value among others of its attribute, something that happened, a plan.
    Whole(String),
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
    if matches!(attribute, "age" | "number_of_children" | "weight") {
        let is_number = |lemma: &&String| lemma.starts_with(|c: char| c.is_ascii_digit());
        let numbers: Vec<String> = lemmas.iter().filter(is_number).cloned().collect();
        if !numbers.is_empty() {
            return numbers;
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
            (("condition", "gout", "User has gout"), ("ailment", "gout", "User has gout")),
            (("job", "potter", "User is a potter"), ("occupation", "potter", "User works as a potter")),
            (("pet", "goat", "User has a goat"), ("animals", "a goat", "User owns a goat")),
            (("likes", "fennel", "User likes fennel"), ("food", "fennel", "User loves fennel")),
            (("age", "34", "User is 34"), ("life", "34 years", "User is 34 years old")),
            (("children", "two", "User has two kids"), ("number_of_children", "2", "User has two children")),
            (("family", "none", "User has no children"), ("children", "kids", "User does not have any kids")),
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
            (("pet", "goat", "User has a goat"), ("allergy", "goat", "User is allergic to goats")),
            (("car", "red", "User's car is red"), ("bicycle", "red", "User's bicycle is red")),
            (("sport", "rowing", "User rowed to the pier"), ("sport", "pier", "User rows to the pier")),
            (("note", "", "!!!"), ("note", "", "...")),
            (("note", "", "\u{1f44d}"), ("note", "", "\u{1f44e}")),
        ];
        for (one, other) in table {
            assert_ne!(key(one.0, one.1, one.2), key(other.0, other.1, other.2), "{} / {}", one.2, other.2);
        }
    }

    /// Stored keys must be met again by every later build of the same version. A change here is a new `KEYS`.
    #[test]
    fn keys_of_version_2_stay_as_they_are() {
        assert_eq!(KEYS, 2);
        let golden = [
            (key("home_city", "Brno", "User lives in Brno"), "2:efe242dbf2c225e86bd4adb288146a72"),
            (key("likes", "the smell of rain", "User likes the smell of rain"), "2:0054a9edbe94b29c15296c39b1b29262+"),
            (key("event", "sold the mill", "User sold the old mill to Ana"), "2:d6249ae33d221180fd8f49d0a878e157"),
            (key("pet", "two cats", "User had two cats"), "2:5e1a4494473e2cf77cf8f6e410431c2f"),
        ];
        for (found, expected) in golden {
            assert_eq!(found.0, expected);
        }
    }

    #[test]
    fn a_claim_and_its_denial_have_keys_of_one_topic() {
        let table = [
            (("medical_condition", "gout", "User has gout"), ("ailment", "gout", "User no longer has gout")),
            (("diet", "pork", "User eats pork"), ("food", "pork", "User does not eat pork")),
            (("diet", "pork", "User eats pork"), ("diet", "pork", "User stopped eating pork")),
            (("smoker", "yes", "User smokes"), ("habit", "smoking", "User has quit smoking")),
            (("likes", "fennel", "User likes fennel"), ("dislikes", "fennel", "User hates fennel")),
            (("food", "fennel", "User cannot stand fennel"), ("food", "fennel", "User enjoys fennel")),
            (("allergy", "figs", "User is allergic to figs"), ("allergy", "figs", "User is not allergic to figs")),
            (("tea", "mint", "User brews mint tea"), ("tea", "mint", "User no longer brews mint tea")),
        ];
        for (one, other) in table {
            let (one_key, other_key) = (key(one.0, one.1, one.2), key(other.0, other.1, other.2));
            assert_eq!(one_key.opposite(), Some(other_key.clone()), "{} / {}", one.2, other.2);
            assert_eq!(other_key.opposite(), Some(one_key), "{} / {}", one.2, other.2);
        }
    }

    #[test]
    fn what_denies_less_or_something_else_has_another_topic() {
        let table = [
            (("diet", "pork", "User eats pork"), ("diet", "pork", "User does not eat pork on Fridays")),
            (("likes", "tea", "User likes tea"), ("likes", "tea", "User does not like tea in the morning")),
            (("likes", "tea", "User likes tea"), ("likes", "coffee", "User hates coffee")),
            (("gym", "", "User went to the gym"), ("gym", "", "User does not go to the gym")),
            (("gym", "", "User went to the gym"), ("gym", "", "User did not go to the gym")),
            (("pet", "dog", "User has two dogs"), ("pet", "cat", "User has no cat")),
            (("pet", "dog", "User had a dog"), ("pet", "dog", "User has no dog")),
            (("plan", "smoking", "User plans to quit smoking"), ("smoker", "yes", "User smokes")),
        ];
        for (one, other) in table {
            let (one_key, other_key) = (key(one.0, one.1, one.2), key(other.0, other.1, other.2));
            assert_ne!(one_key.topic(), other_key.topic(), "{} / {}", one.2, other.2);
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
