//! A deleted claim kept as keyed hashes of its parts: it is known again in other words, and cannot be read.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::form::{Form, Statement};
use super::words::{self, Word, WordKind, lemma};
use super::{NORMALISER, Suppression};
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
}

/// Keeps a claim as one that must not be learnt again. `entities` are its subject and, where there is one, its object.
pub fn suppression_of(statement: &Statement<'_>, entities: Vec<EntityId>, key: &Key, id: SuppressionId) -> Suppression {
    let form = Form::told(statement);
    Suppression {
        id,
        entities,
        polarity: form.polarity,
        attribute: hash_attribute(key, &form.attribute),
        parts: parts(&form)
            .into_iter()
            .map(|part| HashedPart { hash: hash(key, &part), weight: part.weight, kind: part.kind })
            .collect(),
        normaliser: NORMALISER,
        key_id: key.id().to_owned(),
    }
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

fn hash_text(key: &Key, kind: PartKind, text: &str) -> String {
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

/// Of the suppressed claim, of the claim held against it, and of both: sums of weights.
type Shares = (f64, f64, f64);

/// From this score on two claims are the same. Bias, threshold and the weights in [`Match::score`] are fitted on development data
/// so that at most one in twenty other claims is caught.
const SAME: f64 = -0.62;
const BIAS: f64 = -0.24;
/// What a broader or narrower word counts against the same word.
const RELATED_COUNTS: f64 = 0.8;

/// How a claim compares to a suppressed one, by weights of their parts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Match {
    /// The attribute is the same.
    pub attribute: bool,
    /// Value parts: of the suppressed claim, of the claim, of both.
    pub value: Shares,
    /// Words.
    pub words: Shares,
    /// Names.
    pub names: Shares,
    /// Numbers.
    pub numbers: Shares,
    /// Pairs.
    pub pairs: Shares,
    /// Words of both that exclude each other.
    pub rivals: usize,
    /// Words of both of which one is broader than the other.
    pub related: usize,
    /// Both begin with the same word: the doer, in the active voice.
    pub doer: bool,
}

/// A claim, ready to be compared to many suppressed ones; hashed once for each key that they were made with.
#[derive(Debug)]
pub struct Fingerprints<'a> {
    form: Form,
    role: Option<String>,
    ring: &'a KeyRing,
    hashed: HashMap<String, Hashed>,
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
        Self { form: Form::told(statement), role: None, ring, hashed: HashMap::new() }
    }

    /// A claim about a person somebody has, seen as one about that somebody: only a suppressed claim that names the role as well
    /// can be the same.
    pub fn with_role(statement: &Statement<'_>, role: &str, ring: &'a KeyRing) -> Self {
        Self { role: Some(lemma(role)), ..Self::new(statement, ring) }
    }

    /// How the claim compares to a suppressed one; `None` where polarity differs, or normaliser or key are not kept any more.
    pub fn compare(&mut self, suppressed: &Suppression) -> Option<Match> {
        if suppressed.polarity != self.form.polarity || suppressed.normaliser != NORMALISER {
            return None;
        }
        let key = self.ring.get(&suppressed.key_id)?;
        let form = &self.form;
        let hashed = self.hashed.entry(suppressed.key_id.clone()).or_insert_with(|| hash_all(key, form));
        let names_role = |role: &String| {
            let part = Part { text: role.clone(), kind: PartKind::Word, weight: 1.0 };
            let wanted = hash(key, &part);
            suppressed.parts.iter().any(|part| part.hash == wanted)
        };
        if !self.role.as_ref().is_none_or(names_role) {
            return None;
        }
        let mut found = hashed.totals;
        found.attribute = hashed.attribute == suppressed.attribute;
        let theirs: HashMap<&str, &HashedPart> =
            suppressed.parts.iter().map(|part| (part.hash.as_str(), part)).collect();
        for part in &suppressed.parts {
            let place = found.of(part.kind);
            place.0 += part.weight;
            if let Some(weight) = hashed.parts.get(&part.hash) {
                place.2 += weight.min(part.weight);
            }
        }
        found.look_closer(&self.form, key, &theirs);
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

impl Match {
    /// Whether both claim the same, in whatever words.
    pub fn claims_the_same(&self) -> bool {
        let (suppressed, here, both) = self.numbers;
        let other_number = suppressed > both && here > both;
        let (suppressed, here, both) = self.names;
        let other_name = suppressed > both && here > both;
        if other_number || other_name {
            return false;
        }
        let (suppressed, here, both) = self.value;
        if self.attribute && suppressed > 0.0 && here > 0.0 {
            return both >= suppressed;
        }
        self.score() >= SAME
    }

    /// How much the words speak for the same claim: weighted overlap, what either side lacks, words that exclude each other, and
    /// the order of words. Where nearly all words are the same, another order is another claim ("Ana paid Ben", "Ben paid Ana").
    fn score(&self) -> f64 {
        let all = [self.words, self.names, self.numbers];
        let sum = |of: fn(&Shares) -> f64| all.iter().map(of).sum::<f64>();
        let (suppressed, here) = (sum(|shares| shares.0), sum(|shares| shares.1));
        if suppressed == 0.0 || here == 0.0 {
            return f64::MIN;
        }
        let related = f64::from(u32::try_from(self.related.min(2)).unwrap_or_default());
        let both = (sum(|shares| shares.2) + RELATED_COUNTS * related).min(suppressed).min(here);
        let overlap = both / (suppressed + here - both);
        let (lacks, adds) = (suppressed - both, here - both);
        let size = suppressed.max(here).min(14.0);
        let order_lost = 1.0 - 2.0 * self.pairs.2 / (self.pairs.0 + self.pairs.1).max(1.0);
        // What is only added to the end takes no order away.
        let order_lost_inside = 1.0 - self.pairs.2 / self.pairs.0.min(self.pairs.1).max(1.0);
        let named = self.names.0 + self.names.1 > 0.0;
        let when = |holds: bool, weight: f64| if holds { weight } else { 0.0 };
        let rivals = f64::from(u32::try_from(self.rivals.min(2)).unwrap_or_default());
        BIAS + 3.07 * overlap + 0.52 * lacks.min(3.0)
            - 0.45 * adds.min(3.0)
            - 1.16 * lacks.min(adds).min(3.0)
            - 3.44 * rivals
            + 0.79 * related
            + when(self.doer, -0.74)
            + 0.24 * (1.0 - order_lost)
            - 6.05 * order_lost * size / 10.0
            + when(lacks + adds < 0.01, -2.05 * order_lost)
            + when(size >= 8.0, -0.33 * order_lost)
            + when(lacks + adds < 0.01 && self.pairs.2 == 0.0, -1.0)
            + when(named && overlap >= 0.65, -12.53 * order_lost_inside)
            + when(named && overlap < 0.65, -0.39)
            + when(size >= 6.0 && overlap < 0.65, 0.65)
    }

    /// Looks at words that are not the same: one may be broader than the other, or exclude it.
    fn look_closer(&mut self, form: &Form, key: &Key, theirs: &HashMap<&str, &HashedPart>) {
        let there = |lemma: &str| theirs.contains_key(hash_text(key, PartKind::Word, lemma).as_str());
        let here = |lemma: &str| form.words.iter().any(|word| word.lemma == lemma);
        self.doer = form.words.first().is_some_and(|word| {
            theirs.contains_key(hash_text(key, PartKind::Pair, &format!("^ {}", word.lemma)).as_str())
        });
        let mut taken: Vec<&str> = Vec::new();
        for word in form.words.iter().filter(|word| word.kind == WordKind::Common && !there(&word.lemma)) {
            self.rivals += usize::from(words::rivals(&word.lemma).iter().any(|rival| there(rival) && !here(rival)));
            let near = words::related(&word.lemma)
                .iter()
                .find(|near| !taken.contains(&near.as_str()) && there(near) && !here(near));
            if let Some(near) = near {
                taken.push(near);
                self.related += 1;
            }
        }
    }

    fn of(&mut self, kind: PartKind) -> &mut Shares {
        match kind {
            PartKind::Value => &mut self.value,
            PartKind::Word => &mut self.words,
            PartKind::Name => &mut self.names,
            PartKind::Number => &mut self.numbers,
            PartKind::Pair => &mut self.pairs,
        }
    }
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
        entry.normaliser = NORMALISER + 1;
        assert_eq!(Fingerprints::new(&statement, &ring).compare(&entry), None);
    }
}
