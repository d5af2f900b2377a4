//! A candidate read word by word: whom it speaks of, and every item that a source has to carry.

use std::borrow::Cow;
use std::ops::Range;

use super::agent::{Agent, agent, named_as_subject, subject_words};
use super::endings;
use super::kin;
use super::names::{is_ending_in_kana, is_name};
use super::pronouns::{FRAMES, is_calendar};
use super::register::{self, Register};
use super::shorthand::is_placed;
use crate::candidate::Candidate;
use crate::lexicon::senses::{self, Senses};
use crate::lexicon::{self, abroad, bare, numbers, people, stop, verbs};
use crate::reading::acts::Modality;
use crate::reading::modality;
use crate::text::{self, Token, TokenKind};

/// A claim, read.
pub(super) struct Claim {
    /// The sentence as the model wrote it.
    pub content: String,
    /// Folded words of the content, symbols included.
    pub words: Vec<String>,
    /// Of whom the sentence speaks.
    pub agent: Agent,
    /// Whether the sentence is English; other languages are compared more loosely.
    pub language: Language,
    /// What the sources have to carry, in the order of the words.
    pub items: Vec<Item>,
    /// How the claim stands to the world.
    pub modality: Modality,
    /// How it tells what it tells.
    pub register: Register,
}

/// Whether word forms can be compared by English rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// English.
    English,
    /// Any other.
    Other,
}

/// What an item is, which decides how it is compared and what its absence means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A name.
    Name,
    /// A number.
    Number,
    /// A day, month or season.
    Calendar,
    /// A role, trade or relative.
    Role,
    /// "more", "older".
    Comparative,
    /// "often", "always".
    Frequency,
    /// Any other word with content.
    Plain,
    /// An adverb or a word of degree.
    Modifier,
    /// "believes", "mentions": any sentence of the speaker shows it.
    Retelling,
    /// "has", "goes".
    Light,
}

/// A word of a claim that a source has to carry.
#[derive(Debug)]
pub(super) struct Item {
    /// Folded, without possessive ending.
    pub text: String,
    /// The form under which it meets its other forms.
    pub root: String,
    /// What is known of its root.
    pub senses: Option<&'static Senses>,
    /// Value of a number or number word.
    pub value: Option<String>,
    /// What it is.
    pub kind: Kind,
    /// Index into [`Claim::words`].
    pub at: usize,
    /// Byte range in the content.
    pub span: Range<usize>,
    /// Stands under a denial.
    pub negated: bool,
}

/// Reads a candidate.
pub(super) fn read(claim: &Candidate, speakers: &[String]) -> Claim {
    let tokens = text::tokens(&claim.content);
    let tokens: Vec<Token> =
        kin::joined(tokens.iter().map(Cow::Borrowed).collect()).into_iter().map(Cow::into_owned).collect();
    let words: Vec<String> = tokens.iter().map(|token| token.folded.clone()).collect();
    let folded: Vec<&str> = words.iter().map(String::as_str).collect();
    let language = language(&tokens);
    let agent = agent(claim, &tokens, speakers);
    let named = subject_words(&agent);
    let negated = denied(&folded);
    let items: Vec<Item> = tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| token.kind != TokenKind::Symbol && !named_as_subject(&named, token, *at))
        .filter_map(|(at, token)| item(&tokens, at, token, language, negated.get(at).copied().unwrap_or_default()))
        .collect();
    let modality = modality::modality(&folded);
    let register = register::register(&items, &agent, language);
    Claim { content: claim.content.clone(), agent, language, items, modality, words, register }
}

impl Claim {
    /// Ranges of items that belong to one coordinated part of the sentence.
    pub(super) fn parts(&self) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = 0;
        for (at, pair) in self.items.windows(2).enumerate() {
            let [left, right] = pair else { continue };
            let between = self.words.get(left.at + 1..right.at).unwrap_or_default();
            if between
                .iter()
                .any(|word| matches!(word.as_str(), "and" | "but" | "," | ";" | "because" | "while" | "who" | "which"))
            {
                parts.push(start..at + 1);
                start = at + 1;
            }
        }
        parts.push(start..self.items.len());
        parts
    }

    /// The item is a verb, as far as it is known: "the post" is none.
    pub(super) fn tells_by(&self, item: &Item) -> bool {
        let before = item.at.checked_sub(1).and_then(|at| self.words.get(at)).map_or("", String::as_str);
        item.kind == Kind::Plain
            && verbs::is_known(&item.text)
            && !matches!(before, "the" | "a" | "an" | "their" | "his" | "her" | "its" | "this" | "that")
    }

    /// The claim's words hold one of these.
    pub(super) fn says(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }
}

/// Denials of a claim reach to the end of their part; within it a joining word ends them as in the sources.
fn denied(words: &[&str]) -> Vec<bool> {
    let mut result = Vec::with_capacity(words.len());
    for part in words.split_inclusive(|word| matches!(*word, "but" | "," | ";")) {
        let ended = endings::ended(part);
        let denied = modality::negated(part).into_iter().zip(ended).map(|(negated, ended)| negated != ended);
        result.extend(denied.zip(endings::seldom(part)).map(|(denied, seldom)| denied || seldom));
    }
    result
}

/// By its function words; a sentence that has hardly any ("Ida made plum jam last Friday") by half of its other words.
fn language(tokens: &[Token]) -> Language {
    const WORDS_SHARE: f64 = 0.5;
    let words = || tokens.iter().filter(|token| token.folded.chars().any(char::is_alphabetic));
    let all = words().count() as f64;
    let sure = words().filter(|token| is_english(&token.folded)).count() as f64;
    let known =
        |token: &&Token| is_english(&token.folded) || !token.capital && senses::of(&lexicon::root(token)).is_some();
    if sure > 0.0 && sure >= stop::ENGLISH_SHARE * all
        || words().filter(known).count() as f64 >= WORDS_SHARE * all && all > 0.0
    {
        Language::English
    } else {
        Language::Other
    }
}

fn is_english(word: &str) -> bool {
    const SURE: &[&str] = &[
        "the", "user", "user's", "is", "has", "and", "of", "to", "their", "at", "with", "for", "not", "does", "are",
        "they", "he", "she", "it", "by", "from", "his", "her", "works", "lives", "likes", "who", "that", "be", "been",
        "as", "about",
    ];
    SURE.contains(&word)
}

fn item(tokens: &[Token], at: usize, token: &Token, language: Language, negated: bool) -> Option<Item> {
    let text = bare(&token.folded).to_owned();
    let root = lexicon::root(token).into_owned();
    let value = numbers::value(&token.folded);
    let kind = kind(tokens, at, token, &text, &root, value.as_deref(), language)?;
    Some(Item { senses: senses::of(&root), text, root, value, kind, at, span: token.span.clone(), negated })
}

/// Adverbs and determiners of frequency, which the generalisation check compares.
pub(super) const FREQUENCY: &[&str] = &[
    "often",
    "always",
    "usually",
    "regularly",
    "frequently",
    "every",
    "never",
    "constantly",
    "generally",
    "normally",
    "typically",
    "weekly",
    "daily",
    "habitually",
    "mostly",
    "prefers",
    "prefer",
    "sometimes",
    "rarely",
    "seldom",
    "whenever",
];

const COMPARATIVES: &[&str] = &[
    "more", "less", "fewer", "older", "younger", "elder", "bigger", "smaller", "larger", "better", "worse", "higher",
    "lower", "cheaper", "faster", "slower", "longer", "shorter", "only", "most", "least",
];

fn kind(
    tokens: &[Token],
    at: usize,
    token: &Token,
    text: &str,
    root: &str,
    value: Option<&str>,
    language: Language,
) -> Option<Kind> {
    if value.is_some() && text != "second" {
        return Some(Kind::Number);
    }
    if FREQUENCY.contains(&text) {
        return Some(Kind::Frequency);
    }
    let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |token| token.folded.as_str());
    // "no longer lives" compares nothing, "bakes as well" bakes, too.
    if text == "well" && before == "as" && tokens.get(at + 1).is_none_or(|next| next.folded != "as")
        || text == "longer" && matches!(before, "no" | "any")
        || text == "old" && matches!(before, "years" | "year")
    {
        return None;
    }
    if COMPARATIVES.contains(&text) {
        return Some(Kind::Comparative);
    }
    // "12 May" and "in May" are dates, "may" is not.
    if text == "may"
        && token.capital
        && (numbers::value(before).is_some() || matches!(before, "in" | "since" | "until" | "by" | "last" | "next"))
    {
        return Some(Kind::Calendar);
    }
    if stop::is_function(text)
        || text.chars().count() < 2 && language == Language::English
        || language == Language::Other && abroad::is_function(text)
    {
        return None;
    }
    if (is_calendar(text) && token.capital) || matches!(text, "yesterday" | "today" | "tomorrow" | "tonight") {
        return Some(Kind::Calendar);
    }
    if is_name(tokens, at, token, language) {
        return Some(Kind::Name);
    }
    if people::is_person(text) {
        return Some(Kind::Role);
    }
    if language == Language::Other && is_ending_in_kana(tokens, at) {
        return Some(Kind::Light);
    }
    if language == Language::Other && FRAMES.contains(&text) {
        return Some(Kind::Retelling);
    }
    // "85 a month" is not "85 a year".
    if is_rate(tokens, at, text) {
        return Some(Kind::Plain);
    }
    // "works at …" may be shown by "I'm at …"; "for work" is a reason.
    if stop::is_light(root) || (root == "work" && at < 5) || is_placed(tokens, at, text) {
        return Some(Kind::Light);
    }
    if stop::is_retelling(root) {
        return Some(Kind::Retelling);
    }
    if text.ends_with("ly") && text.len() > 4 { Some(Kind::Modifier) } else { Some(Kind::Plain) }
}

/// A stretch of time after "a" or "per" and a number.
fn is_rate(tokens: &[Token], at: usize, text: &str) -> bool {
    const REACH: usize = 3;
    let before = tokens.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    matches!(text, "hour" | "day" | "night" | "week" | "month" | "year" | "term")
        && before.last().is_some_and(|token| matches!(token.folded.as_str(), "a" | "per" | "each" | "every"))
        && before.iter().any(|token| numbers::value(&token.folded).is_some())
}
