//! A deleted claim kept as keyed hashes of its parts: it is known again in other words, and cannot be read.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::compare::Match;
use super::form::{Form, Statement};
use super::spelling::Spelled;
use super::words::{Word, WordKind, lemma};
use super::{Normaliser, Suppression};
use crate::id::{EntityId, SuppressionId};
use crate::keys::{Key, KeyRing};

/// What a part of a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// A lemma of the value of an attribute that the value alone decides.
    Value,
    /// A content word.
    #[default]
    Word,
    /// A name.
    Name,
    /// A number.
    Number,
    /// Two content words that follow each other: who does what to whom.
    Pair,
}

impl PartKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Word => "word",
            Self::Name => "name",
            Self::Number => "number",
            Self::Pair => "pair",
        }
    }
}

/// One part of a claim as a keyed hash, with its weight in a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HashedPart {
    /// 32 hex digits.
    pub hash: String,
    /// Above 0.
    pub weight: f64,
    /// What it is.
    #[serde(default)]
    pub kind: PartKind,
    /// Of the claim as the one spelling of everything writes it, where it was told in another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
}

/// Keeps a claim as one that must not be learnt again. `entities` are its subject and, where there is one, its object.
pub fn suppression_of(statement: &Statement<'_>, entities: Vec<EntityId>, key: &Key, id: SuppressionId) -> Suppression {
    made_with(Normaliser::CURRENT, statement, entities, (key, id))
}

fn made_with(
    normaliser: Normaliser,
    statement: &Statement<'_>,
    entities: Vec<EntityId>,
    (key, id): (&Key, SuppressionId),
) -> Suppression {
    let forms = forms(statement);
    let spelled = forms.plain.as_ref().filter(|_| normaliser.spells());
    let told = spelled.filter(|plain| plain.polarity != forms.told.polarity).unwrap_or(&forms.told);
    let hashed = |plain: bool| {
        move |part: Part| HashedPart { hash: hash(key, &part), weight: part.weight, kind: part.kind, plain }
    };
    let spelled = spelled.into_iter().flat_map(parts).map(hashed(true));
    Suppression {
        id,
        entities,
        polarity: told.polarity,
        attribute: hash_attribute(key, &told.attribute),
        parts: parts(told).into_iter().map(hashed(false)).chain(spelled).collect(),
        normaliser: normaliser.number(),
        key_id: key.id().to_owned(),
    }
}

/// A claim in the words it is told in, and in the one spelling where that is another.
#[derive(Debug)]
struct Forms {
    told: Form,
    plain: Option<Form>,
}

fn forms(statement: &Statement<'_>) -> Forms {
    let told = Form::told(statement);
    let plain = Spelled::of(statement).map(|spelled| Form::told(&spelled.statement(statement)));
    Forms { plain: plain.filter(|plain| *plain != told), told }
}

/// A part in the clear; never stored.
struct Part {
    text: String,
    kind: PartKind,
    weight: f64,
}

fn hash(key: &Key, part: &Part) -> String {
    hash_text(key, part.kind, &part.text)
}

pub(super) fn hash_text(key: &Key, kind: PartKind, text: &str) -> String {
    key.fingerprint(&["claim part", kind.as_str(), text])
}

fn hash_attribute(key: &Key, attribute: &str) -> String {
    key.fingerprint(&["claim attribute", attribute])
}

fn parts(form: &Form) -> Vec<Part> {
    let mut parts: Vec<Part> =
        form.value.iter().map(|lemma| Part { text: lemma.clone(), kind: PartKind::Value, weight: 1.0 }).collect();
    let mut words: Vec<&Word> = Vec::new();
    for word in &form.words {
        if !words.iter().any(|seen| seen.lemma == word.lemma) {
            words.push(word);
        }
    }
    parts.extend(words.iter().map(|word| {
        let (kind, weight) = match word.kind {
            WordKind::Common => (PartKind::Word, weight(&word.lemma)),
            WordKind::Name => (PartKind::Name, 1.0),
            WordKind::Number => (PartKind::Number, 1.0),
        };
        Part { text: word.lemma.clone(), kind, weight }
    }));
    let mut pairs: Vec<String> = form
        .words
        .windows(2)
        .filter_map(|pair| match pair {
            [first, second] => Some(format!("{} {}", first.lemma, second.lemma)),
            _ => None,
        })
        .collect();
    pairs.extend(words.first().map(|word| format!("^ {}", word.lemma)));
    pairs.sort();
    pairs.dedup();
    parts.extend(pairs.into_iter().map(|text| Part { text, kind: PartKind::Pair, weight: 1.0 }));
    parts
}

/// Words that say little about which claim it is.
const LIGHT: &[&str] = &[
    "make", "do", "take", "use", "feel", "find", "thing", "keep", "lot", "more", "much", "way", "some", "time", "good",
    "come", "put", "various", "several", "many",
];

fn weight(lemma: &str) -> f64 {
    if LIGHT.contains(&lemma) {
        0.4
    } else if lemma.ends_with("li") && lemma.len() > 4 {
        0.3
    } else {
        1.0
    }
}

/// A claim, ready to be compared to many suppressed ones; hashed once for each key that they were made with.
#[derive(Debug)]
pub struct Fingerprints<'a> {
    forms: Forms,
    role: Option<String>,
    ring: &'a KeyRing,
    hashed: HashMap<(String, bool), Hashed>,
}

/// The suppressed claim that a statement about these entities claims again, in whatever words.
pub fn known_again<'s>(
    statement: &Statement<'_>,
    about: &[EntityId],
    suppressed: &'s [Suppression],
    ring: &KeyRing,
) -> Option<&'s Suppression> {
    let mut prints = Fingerprints::new(statement, ring);
    suppressed.iter().find(|one| prints.claim_again(one, |subject| about.contains(subject)))
}

#[derive(Debug)]
struct Hashed {
    attribute: String,
    parts: HashMap<String, f64>,
    totals: Match,
}

impl<'a> Fingerprints<'a> {
    /// A claim to be compared, with the keys suppressed claims may have been made with.
    pub fn new(statement: &Statement<'_>, ring: &'a KeyRing) -> Self {
        Self { forms: forms(statement), role: None, ring, hashed: HashMap::new() }
    }

    /// Whether the claim is a suppressed one again, where `about` says of which entities it tells.
    pub fn claim_again(&mut self, suppressed: &Suppression, about: impl Fn(&EntityId) -> bool) -> bool {
        suppressed.entities.first().is_none_or(about)
            && self.compare(suppressed).is_some_and(|found| found.claims_the_same())
    }

    /// A claim about a person somebody has, seen as one about that somebody: only a suppressed claim that names the role as well
    /// can be the same.
    pub fn with_role(statement: &Statement<'_>, role: &str, ring: &'a KeyRing) -> Self {
        Self { role: Some(lemma(role)), ..Self::new(statement, ring) }
    }

    /// How the claim compares to a suppressed one; `None` where polarity differs, or normaliser or key are not kept any more. Where the
    /// suppressed one was told in another spelling than the one of everything, that spelling alone is compared.
    pub fn compare(&mut self, suppressed: &Suppression) -> Option<Match> {
        let normaliser = Normaliser::of(suppressed.normaliser)?;
        let spelled = normaliser.spells() && suppressed.parts.iter().any(|part| part.plain);
        let (here, there) = (self.forms.plain.is_some(), spelled);
        let ways: &[(bool, bool)] = match (here, there) {
            (here, true) => &[(here, true)],
            (false, false) => &[(false, false)],
            // It was told in the one spelling, or in words that nobody knows in it.
            (true, false) => &[(false, false), (true, false)],
        };
        let mut first = None;
        for (here, there) in ways {
            let found = self.compare_as(suppressed, (*here, *there));
            if found.is_some_and(|found| found.claims_the_same()) {
                return found;
            }
            first = first.or(found);
        }
        first
    }

    fn compare_as(&mut self, suppressed: &Suppression, (here, there): (bool, bool)) -> Option<Match> {
        let Forms { told, plain } = &self.forms;
        // A denial may be written otherwise as well.
        let denies = plain.as_ref().unwrap_or(told).polarity;
        let form = plain.as_ref().filter(|_| here).unwrap_or(told);
        if suppressed.polarity != denies || form.polarity != denies {
            return None;
        }
        let key = self.ring.get(&suppressed.key_id)?;
        let hashed = self.hashed.entry((suppressed.key_id.clone(), here)).or_insert_with(|| hash_all(key, form));
        let theirs: HashMap<&str, &HashedPart> =
            suppressed.parts.iter().filter(|part| part.plain == there).map(|part| (part.hash.as_str(), part)).collect();
        let names_role = |role: &String| theirs.contains_key(hash_text(key, PartKind::Word, role).as_str());
        if !self.role.as_ref().is_none_or(names_role) {
            return None;
        }
        let mut found = hashed.totals;
        found.attribute = hashed.attribute == suppressed.attribute;
        for part in theirs.values() {
            let place = found.of(part.kind);
            place.0 += part.weight;
            if let Some(weight) = hashed.parts.get(&part.hash) {
                place.2 += weight.min(part.weight);
            }
        }
        found.look_closer(form, key, &theirs);
        Some(found)
    }
}

fn hash_all(key: &Key, form: &Form) -> Hashed {
    let mut totals = Match::default();
    let mut hashes = HashMap::new();
    for part in parts(form) {
        totals.of(part.kind).1 += part.weight;
        hashes.insert(hash(key, &part), part.weight);
    }
    Hashed { attribute: hash_attribute(key, &form.attribute), parts: hashes, totals }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Polarity;
    use crate::claim::subject_of;
    use ulid::Ulid;

    fn suppressed(deleted: &str, claim: &str) -> bool {
        let ring = KeyRing::new(Key::new("k1", "one"), Vec::new());
        let subject = subject_of(deleted);
        let id = SuppressionId::new(Ulid(1));
        let entry = suppression_of(&Statement::sentence(deleted, &subject), Vec::new(), ring.current(), id);
        let statement =
            Statement { subject: &subject, content: claim, attribute: "", value: "", polarity: Polarity::Positive };
        Fingerprints::new(&statement, &ring).compare(&entry).is_some_and(|found| found.claims_the_same())
    }

    #[test]
    fn a_deleted_claim_is_known_again_in_other_words() {
        let table = [
            ("User went through a divorce", "User is divorced"),
            ("User went through a divorce", "User got divorced last spring"),
            ("User sees a psychologist", "User sees a psychologist on Mondays"),
            ("User lost their job at the mill", "User lost the job at the mill"),
            ("User owns a shotgun", "User still owns a shotgun"),
            ("User was arrested in Lyon", "User was arrested in Lyon once"),
            ("User likes horror films", "User loves horror movies"),
            ("User lives in Varna", "User has moved to Varna"),
        ];
        for (deleted, claim) in table {
            assert!(suppressed(deleted, claim), "{deleted} / {claim}");
        }
    }

    #[test]
    fn the_opposite_another_value_and_another_deed_are_other_claims() {
        let table = [
            ("User likes horror films", "User does not like horror films"),
            ("User lives in Varna", "User lives in Ruse"),
            ("User has two children", "User has three children"),
            ("User went through a divorce", "User is married"),
            ("User sees a psychologist", "User sees a lawyer"),
            ("User pays Ana rent", "Ana pays rent to the landlord of the mill"),
            ("User owns a shotgun", "User sold a canoe"),
            ("User bought the black horse", "User bought the white horse"),
            ("User's dog bit the postman", "The postman bit the user's dog"),
        ];
        for (deleted, claim) in table {
            assert!(!suppressed(deleted, claim), "{deleted} / {claim}");
        }
    }

    #[test]
    fn an_entry_holds_no_word_and_only_its_own_key_opens_it() {
        let statement = Statement::sentence("User sees a psychologist", "user");
        let old = Key::new("k1", "one");
        let entry = suppression_of(&statement, Vec::new(), &old, SuppressionId::new(Ulid(1)));
        let text = serde_json::to_string(&entry).unwrap();
        assert!(!text.contains("psychologist") && !text.contains("see"), "{text}");
        let rotated = KeyRing::new(Key::new("k2", "two"), vec![old]);
        assert!(Fingerprints::new(&statement, &rotated).compare(&entry).unwrap().claims_the_same());
        let lost = KeyRing::new(Key::new("k2", "two"), Vec::new());
        assert_eq!(Fingerprints::new(&statement, &lost).compare(&entry), None);
    }

    #[test]
    fn an_entry_of_an_unknown_normaliser_matches_nothing() {
        let statement = Statement::sentence("User sees a psychologist", "user");
        let ring = KeyRing::new(Key::new("k1", "one"), Vec::new());
        let mut entry = suppression_of(&statement, Vec::new(), ring.current(), SuppressionId::new(Ulid(1)));
        entry.normaliser = Normaliser::CURRENT.number() + 1;
        assert_eq!(Fingerprints::new(&statement, &ring).compare(&entry), None);
    }

    /// Entries as builds wrote them, with the claims they keep out and one they do not.
    const GOLDEN: &str = include_str!("data/suppressions.json");

    #[derive(Deserialize, Serialize)]
    struct Golden {
        deleted: String,
        again: Vec<String>,
        other: String,
        entry: Suppression,
    }

    #[test]
    fn entries_of_every_normaliser_are_known_again_under_a_new_key() {
        let golden: Vec<Golden> = serde_json::from_str(GOLDEN).unwrap();
        let rotated = KeyRing::new(Key::new("k2", "two"), vec![Key::new("k1", "one")]);
        for Golden { deleted, again, other, entry } in &golden {
            let prints = |claim: &str| {
                let subject = subject_of(claim);
                let statement = Statement::sentence(claim, &subject);
                Fingerprints::new(&statement, &rotated).compare(entry).is_some_and(|found| found.claims_the_same())
            };
            for claim in again.iter().chain([deleted]) {
                assert!(prints(claim), "normaliser {}: {deleted} / {claim}", entry.normaliser);
            }
            assert!(!prints(other), "normaliser {}: {deleted} / {other}", entry.normaliser);
        }
        for normaliser in Normaliser::ALL {
            assert!(golden.iter().any(|one| one.entry.normaliser == normaliser.number()), "{normaliser:?}");
        }
    }

    #[test]
    fn an_entry_is_made_today_as_its_normaliser_made_it_once() {
        let golden: Vec<Golden> = serde_json::from_str(GOLDEN).unwrap();
        let key = Key::new("k1", "one");
        let made = |Golden { deleted, again, other, entry }: &Golden| {
            let normaliser = Normaliser::of(entry.normaliser).unwrap();
            let subject = subject_of(deleted);
            let statement = Statement::sentence(deleted, &subject);
            let entry = made_with(normaliser, &statement, Vec::new(), (&key, entry.id.clone()));
            Golden { deleted: deleted.clone(), again: again.clone(), other: other.clone(), entry }
        };
        let today: Vec<Golden> = golden.iter().map(made).collect();
        let today = serde_json::to_value(&today).unwrap();
        let told = "entries that are out there are not made so any more: give what changed a normaliser of its own";
        assert_eq!(today, serde_json::to_value(&golden).unwrap(), "{told}:\n{today:#}");
    }
}
