//! Does every word, name, number, role and comparative of the claim stand in the cited turns?

use super::alignment::Alignment;
use super::apart;
use super::beside;
use super::claim::{Claim, Item, Kind, Language};
use super::generalisation;
use super::given_up;
use super::known::{is_known_otherwise, is_retold, said_before};
use super::passage::{Passage, Word};
use super::register::{Register, is_core};
use super::replaced::{is_replaced, name_of_something_else, number_of_something_else, value_left_behind};
use super::turned;
use super::unreached;
use crate::context::Context;
use crate::evidence::Support;
use crate::lexicon::bare;
use crate::stage::Reason;

/// Why the words do not carry a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    /// They tell something else in its place.
    Refuted(Reason),
    /// They do not show it.
    Unshown(Reason),
}

impl Lack {
    /// The objection.
    pub(super) fn reason(self) -> Reason {
        match self {
            Self::Refuted(reason) | Self::Unshown(reason) => reason,
        }
    }
}

/// Weighs what is missing.
///
/// # Errors
/// The kind of the heaviest missing item.
pub(super) fn support(
    cx: &Context<'_>,
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
) -> Result<(Support, f64), Lack> {
    let missing = |item: &Item, carried: &[usize]| {
        carried.is_empty() && !is_known_otherwise(cx, passage, item) && !is_retold(claim, passage, item)
    };
    let pairs = || claim.items.iter().zip(&alignment.carried);
    let lost: Vec<&Item> = pairs().filter(|(item, carried)| missing(item, carried)).map(|(item, _)| item).collect();
    let register = claim.register;
    for (kind, reason) in heavy(register) {
        let told_before = |item: &Item| register != Register::Stated && said_before(cx, passage, item);
        if lost.iter().any(|item| item.kind == *kind && !told_before(item)) {
            return Err(Lack::Unshown(*reason));
        }
    }
    if lost.iter().any(|item| is_replaced(claim, passage, item)) {
        let named = lost.iter().any(|item| item.kind == Kind::Name);
        return Err(Lack::Refuted(if named { Reason::UnsupportedName } else { Reason::UnsupportedDetail }));
    }
    if name_of_something_else(claim, passage, alignment) {
        return Err(Lack::Refuted(Reason::UnsupportedName));
    }
    let objections =
        [turned::objection, beside::objection, unreached::objection, apart::objection, given_up::objection];
    if let Some(reason) = objections.iter().find_map(|objection| objection(claim, passage, alignment)) {
        return Err(Lack::Refuted(reason));
    }
    if number_of_something_else(claim, passage, alignment) || value_left_behind(claim, passage) {
        return Err(Lack::Refuted(Reason::UnsupportedNumber));
    }
    let mut told = lost.iter().filter(|item| item.kind != Kind::Frequency);
    if told.next().is_some_and(|item| is_deed(claim, item) && (register == Register::Stated || is_concrete(item))) {
        // "skipped dessert" told as "never eats dessert": the rule is what nobody said.
        let climbs = told.next().is_none() && generalisation::climbs(claim, passage, alignment);
        return Err(Lack::Unshown(if climbs { Reason::Overgeneralised } else { Reason::UnsupportedDetail }));
    }
    let coverage = if is_number_only(claim) { 1.0 } else { coverage(cx, claim, passage, alignment) };
    if claim.items.is_empty() && claim.words.is_empty() {
        return Err(Lack::Unshown(Reason::UnsupportedDetail));
    }
    let limits = limits(register, claim.language);
    if coverage <= limits.blocked || stands_elsewhere(claim, alignment) || lost.iter().any(|item| is_head(item, claim))
    {
        return Err(Lack::Unshown(Reason::UnsupportedDetail));
    }
    let support = if coverage < limits.supported { Support::Partial } else { Support::Supported };
    Ok((support, coverage))
}

/// Kinds whose absence blocks by itself, in the order in which they are named as the reason.
fn heavy(register: Register) -> &'static [(Kind, Reason)] {
    match register {
        Register::Stated => HEAVY,
        Register::Long => HEAVY.split_at_checked(4).map_or(HEAVY, |(named, _)| named),
        Register::Sentence | Register::Document | Register::Framed => {
            HEAVY.split_at_checked(3).map_or(HEAVY, |(named, _)| named)
        }
    }
}

const HEAVY: &[(Kind, Reason)] = &[
    (Kind::Name, Reason::UnsupportedName),
    (Kind::Number, Reason::UnsupportedNumber),
    (Kind::Calendar, Reason::UnsupportedNumber),
    (Kind::Role, Reason::UnsupportedDetail),
    (Kind::Comparative, Reason::UnsupportedDetail),
];

struct Limits {
    /// Coverage below which the claim is only partly supported.
    supported: f64,
    /// Coverage up to which it is not supported.
    blocked: f64,
}

fn limits(register: Register, language: Language) -> Limits {
    match (register, language) {
        (_, Language::Other) => Limits { supported: 0.85, blocked: 0.75 },
        (Register::Sentence | Register::Document, Language::English) => Limits { supported: 0.85, blocked: 0.75 },
        (Register::Stated, Language::English) => Limits { supported: 0.85, blocked: 0.75 },
        (Register::Long, Language::English) => Limits { supported: 0.58, blocked: 0.42 },
        (Register::Framed, Language::English) => Limits { supported: 0.47, blocked: 0.4 },
    }
}

/// Share of the weight of the claim's items that the passage carries.
fn coverage(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>, alignment: &Alignment) -> f64 {
    let (mut total, mut carried) = (0.0, 0.0);
    for (item, words) in claim.items.iter().zip(&alignment.carried) {
        let weight = weight(item, claim.language);
        total += weight;
        carried += weight * shown(cx, claim, passage, item, words);
    }
    if total > 0.0 { carried / total } else { 1.0 }
}

/// How well an item is shown, 0 to 1. In a claim that may have words of its own another word for the same counts less than
/// the same word, and what only stands before the cited words still less.
fn shown(cx: &Context<'_>, claim: &Claim, passage: &Passage<'_>, item: &Item, words: &[usize]) -> f64 {
    const OTHER_WORD: f64 = 0.7;
    const MEANT: f64 = 0.5;
    const WORD_BEFORE: f64 = 0.2;
    let known = words.is_empty() && is_known_otherwise(cx, passage, item);
    if claim.register == Register::Stated {
        return f64::from(u8::from(known || !words.is_empty()));
    }
    let same = |word: &Word<'_>| item.root == word.root || item.text == bare(&word.text);
    if words.iter().filter_map(|at| passage.words.get(*at)).any(same) {
        1.0
    } else if !words.is_empty() {
        OTHER_WORD
    } else if known {
        MEANT
    } else if said_before(cx, passage, item) {
        WORD_BEFORE
    } else {
        0.0
    }
}

pub(super) fn weight(item: &Item, language: Language) -> f64 {
    let base = match item.kind {
        Kind::Name => 1.2,
        Kind::Number | Kind::Calendar => 0.1,
        Kind::Role | Kind::Comparative | Kind::Plain => 1.0,
        Kind::Modifier => 0.5,
        Kind::Retelling => 0.3,
        Kind::Light => 0.15,
        Kind::Frequency => 0.0,
    };
    match language {
        Language::English => base,
        Language::Other if item.text.chars().count() <= 3 && item.text.is_ascii() => base * 0.3,
        Language::Other if item.text.chars().next().is_some_and(char::is_lowercase) => base * 0.6,
        Language::Other => base,
    }
}

/// The missing item is the verb of the claim: what is done, not with whom or where.
fn is_deed(claim: &Claim, item: &Item) -> bool {
    let first = claim
        .items
        .iter()
        .find(|item| !matches!(item.kind, Kind::Frequency | Kind::Modifier | Kind::Light | Kind::Retelling));
    claim.tells_by(item) && first.is_some_and(|first| first.at == item.at)
}

/// Hardly a word of the claim stands in the cited words: names and what is known from before do not show it.
fn stands_elsewhere(claim: &Claim, alignment: &Alignment) -> bool {
    const SHARE: f64 = 0.34;
    let told = |item: &Item| is_core(item) && item.kind != Kind::Name || item.kind == Kind::Number;
    let pairs = || claim.items.iter().zip(&alignment.carried).filter(|(item, _)| told(item));
    let (all, shown) = (pairs().count(), pairs().filter(|(_, carried)| !carried.is_empty()).count());
    match claim.register {
        Register::Stated => all > 0 && shown == 0,
        Register::Framed => all > 2 && shown == 0,
        Register::Long => (shown as f64) <= SHARE * all as f64,
        Register::Sentence | Register::Document => false,
    }
}

/// "is 34 years old": the number is all there is to show, and it was shown.
fn is_number_only(claim: &Claim) -> bool {
    claim.items.iter().any(|item| item.kind == Kind::Number)
        && claim
            .items
            .iter()
            .all(|item| matches!(item.kind, Kind::Number | Kind::Calendar | Kind::Light | Kind::Frequency))
}

fn is_concrete(item: &Item) -> bool {
    item.senses.is_some_and(|senses| senses.is_concrete)
}

/// In other languages a missing noun is seen by its script or by its length.
fn is_head(item: &Item, claim: &Claim) -> bool {
    claim.language == Language::Other
        && item.kind == Kind::Plain
        && (item.text.chars().count() >= 8 || is_ideograph(&item.text))
}

/// A sign that is a word by itself: "犬" is not "猫".
fn is_ideograph(text: &str) -> bool {
    text.chars().all(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}
