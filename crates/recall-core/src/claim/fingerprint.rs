//! A deleted claim kept as keyed hashes of its parts: it is known again in other words, and cannot be read.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::form::{Form, Statement};
use super::words::{Word, WordKind, lemma};
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
    key.fingerprint(&["claim part", part.kind.as_str(), &part.text])
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

/// From this overlap on two claims are the same.
const SAME: f64 = 0.66;

/// How a claim compares to a suppressed one, by weights of their parts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Match {
    /// The attribute is the same.
    pub attribute: bool,
    /// Value parts: of the suppressed claim, of the claim, of both.
    pub value: (f64, f64, f64),
    /// Words.
    pub words: (f64, f64, f64),
    /// Names.
    pub names: (f64, f64, f64),
    /// Numbers.
    pub numbers: (f64, f64, f64),
    /// Pairs.
    pub pairs: (f64, f64, f64),
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
        for part in &suppressed.parts {
            let place = found.of(part.kind);
            place.0 += part.weight;
            if let Some(weight) = hashed.parts.get(&part.hash) {
                place.2 += weight.min(part.weight);
            }
        }
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
        self.overlap() >= SAME
    }

    /// Weighted overlap of words, names, numbers and pairs, 0 to 1.
    fn overlap(&self) -> f64 {
        let all = [self.words, self.names, self.numbers];
        let sum = |of: fn(&(f64, f64, f64)) -> f64| all.iter().map(of).sum::<f64>();
        let (suppressed, here, both) = (sum(|t| t.0), sum(|t| t.1), sum(|t| t.2));
        if suppressed == 0.0 || here == 0.0 { 0.0 } else { both / (suppressed + here - both) }
    }

    fn of(&mut self, kind: PartKind) -> &mut (f64, f64, f64) {
        match kind {
            PartKind::Value => &mut self.value,
            PartKind::Word => &mut self.words,
            PartKind::Name => &mut self.names,
            PartKind::Number => &mut self.numbers,
            PartKind::Pair => &mut self.pairs,
        }
    }
}
