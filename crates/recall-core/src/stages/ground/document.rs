//! Statements about nobody in particular, held against a text: what a page, a manual or an encyclopaedia says. Who did it, when and by
//! what right decides nothing there; how closely the words keep to the text does, as a fitted sum.

use std::collections::{HashMap, HashSet};

use super::agent::Agent;
use super::alignment::Alignment;
use super::claim::{Claim, Item, Kind};
use super::known::{is_known_otherwise, is_retold};
use super::passage::Passage;
use super::pronouns::{FIRST, FIRST_ELSEWHERE, FIRST_POSSESSIVE};
use super::register::Register;
use super::support::Lack;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::evidence::Support;
use crate::lexicon::{abroad, bare, people};
use crate::reading::references;
use crate::stage::Reason;
use crate::text::{self, TokenKind};

/// Weights of a logistic regression over the statements of four public sets about documents (development halves; every row of a set the
/// same but that its two verdicts weigh alike; penalty C = .3 on standardised measures). The README of the evaluation tells how to fit
/// them again and what five folds by document gave.
const BIAS: f64 = 0.516;
/// For each word in the longest row of words with content that the text lacks.
const GAP: f64 = -0.369;
/// The share of words in a row that stand so in the text, by threes and by twos.
const THREES: f64 = 3.464;
const TWOS: f64 = 1.544;
/// The longest run in common, as a logarithm: of two statements that share as much by threes, the one with the longer run is the longer
/// one, and more of it is its own.
const RUN: f64 = -1.760;
/// The share of all words that stand in the text.
const SHARE: f64 = 2.490;
/// It speaks of the one who says it, who does not stand in a text.
const FIRST_PERSON: f64 = -0.872;
/// Sums from here on stand for three right statements in four, those below it for about half.
const SURE: f64 = 1.1;

/// The most words of a statement that are looked at.
const WORDS: usize = 400;

/// The claim is about nobody of the conversation, and what it rests on is a text that speaks of nobody of it either.
pub(super) fn rests_on_text(candidate: &Candidate, claim: &Claim, passage: &Passage<'_>) -> bool {
    let of_somebody =
        |word: &String| matches!(bare(word), "user" | "assistant") || people::relative(bare(word)).is_some();
    // A short fact about a thing that is named has to be told as exactly as one about a person.
    let is_open = candidate.subject.is_empty() || claim.register != Register::Stated;
    is_about_a_thing(candidate, claim)
        && is_open
        && names_nobody(&candidate.subject)
        && !claim.words.iter().any(of_somebody)
        && is_text(passage)
}

/// "The bridge carries …" of the subject "bridge" is as much about a thing as a sentence that begins with none.
fn is_about_a_thing(candidate: &Candidate, claim: &Claim) -> bool {
    match &claim.agent {
        Agent::Thing | Agent::Open => true,
        Agent::Named(names) => {
            let subject = text::fold(&candidate.subject);
            names.iter().all(|name| subject.split_whitespace().any(|word| bare(word) == name))
        }
        Agent::User | Agent::Assistant | Agent::Relative { .. } => false,
    }
}

fn names_nobody(subject: &str) -> bool {
    const PRONOUNS: &[&str] = &["he", "she", "they", "i", "we", "you"];
    text::tokens(subject).iter().filter(|token| token.kind != TokenKind::Symbol).all(|token| {
        let word = bare(&token.folded);
        !token.capital
            && !abroad::is_user(word)
            && !people::is_person(word)
            && !PRONOUNS.contains(&word)
            // Some write "ana" for "Ana".
            && !references::is_first_name(word)
    })
}

/// Whole English sentences that hardly ever say "I".
fn is_text(passage: &Passage<'_>) -> bool {
    const SHORTEST: usize = 8;
    const PER_FIRST: usize = 50;
    const PER_ENGLISH: usize = 10;
    const ENGLISH: &[&str] = &[
        "the", "is", "has", "and", "of", "to", "their", "at", "with", "for", "not", "are", "they", "he", "she", "it",
        "by", "from", "his", "her", "who", "that", "be", "been", "as", "about", "was", "in", "on",
    ];
    let words = || passage.words.iter().map(|word| bare(&word.text));
    let all = passage.words.len();
    all >= SHORTEST
        && words().filter(|word| is_first(word)).count() * PER_FIRST <= all
        && words().filter(|word| ENGLISH.contains(word)).count() * PER_ENGLISH >= all
}

fn is_first(word: &str) -> bool {
    [FIRST, FIRST_ELSEWHERE, FIRST_POSSESSIVE].iter().any(|words| words.contains(&word))
}

/// Weighs a statement against the text. A name or number that the text lacks is wrong, however close the rest is; what has no word of
/// content asserts nothing.
///
/// # Errors
/// What is missing.
pub(super) fn support(
    cx: &Context<'_>,
    claim: &Claim,
    passage: &Passage<'_>,
    alignment: &Alignment,
) -> Result<(Support, f64), Lack> {
    let named = [
        (Kind::Name, Reason::UnsupportedName),
        (Kind::Number, Reason::UnsupportedNumber),
        (Kind::Calendar, Reason::UnsupportedNumber),
    ];
    let lost = |item: &Item, carried: &[usize]| {
        carried.is_empty() && !is_known_otherwise(cx, passage, item) && !is_retold(claim, passage, item)
    };
    for (kind, reason) in named {
        let mut pairs = claim.items.iter().zip(&alignment.carried);
        if pairs.any(|(item, carried)| item.kind == kind && tells(item) && lost(item, carried)) {
            return Err(Lack::Unshown(reason));
        }
    }
    let words = Words::new(claim, passage);
    if !words.content.contains(&true) {
        // "oh, hello" claims nothing, and a memory of nothing is none.
        return Err(Lack::Unshown(Reason::NotAsserted));
    }
    let sum = words.sum(claim.words.iter().any(|word| is_first(word)));
    if sum <= 0.0 {
        return Err(Lack::Unshown(Reason::UnsupportedDetail));
    }
    Ok((if sum >= SURE { Support::Supported } else { Support::Partial }, words.coverage()))
}

/// "Yes", "oh wow": says nothing that a text would have to say.
fn tells(item: &Item) -> bool {
    const SMALL_TALK: &[&str] = &[
        "yes", "yeah", "yea", "yep", "yup", "ok", "okay", "oh", "ah", "well", "hi", "hello", "hey", "thanks", "thank",
        "lol", "haha", "hahaha", "wow", "nope", "nah", "bye", "true", "sure", "right", "idk", "etc",
    ];
    !SMALL_TALK.contains(&item.text.as_str())
}

/// Every word as a number, the same for the same word.
struct Words {
    /// Of the statement.
    claim: Vec<usize>,
    /// Which of them have content.
    content: Vec<bool>,
    /// Of the text; 0 for what the statement does not have.
    text: Vec<usize>,
    /// Those of the statement that stand in the text.
    shown: HashSet<usize>,
}

impl Words {
    fn new(claim: &Claim, passage: &Passage<'_>) -> Self {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let (mut told, mut content) = (Vec::new(), Vec::new());
        let mut items = claim.items.iter().peekable();
        for (at, word) in claim.words.iter().enumerate().take(WORDS) {
            while items.peek().is_some_and(|item| item.at < at) {
                items.next();
            }
            if !word.chars().any(char::is_alphanumeric) {
                continue;
            }
            let item = items.peek().filter(|item| item.at == at);
            let next = numbers.len() + 1;
            let number = *numbers.entry(item.map_or(bare(word), |item| &item.root)).or_insert(next);
            numbers.entry(bare(word)).or_insert(number);
            told.push(number);
            content.push(item.is_some_and(|item| tells(item)));
        }
        let known = |word: &super::passage::Word<'_>| {
            numbers.get(&*word.root).or_else(|| numbers.get(bare(&word.text))).copied().unwrap_or_default()
        };
        let text: Vec<usize> = passage.words.iter().map(known).collect();
        let shown = text.iter().copied().filter(|number| *number > 0).collect();
        Self { claim: told, content, text, shown }
    }

    fn sum(&self, first_person: bool) -> f64 {
        let first_person = if first_person { FIRST_PERSON } else { 0.0 };
        BIAS + GAP * self.gap()
            + THREES * self.in_a_row(3)
            + TWOS * self.in_a_row(2)
            + RUN * self.longest_run().ln_1p()
            + SHARE * self.share()
            + first_person
    }

    fn share(&self) -> f64 {
        let shown = self.claim.iter().filter(|number| self.shown.contains(number)).count();
        shown as f64 / self.claim.len().max(1) as f64
    }

    /// The share of words with content that stand in the text.
    fn coverage(&self) -> f64 {
        let content = || self.claim.iter().zip(&self.content).filter(|(_, content)| **content);
        let shown = content().filter(|(number, _)| self.shown.contains(number)).count();
        shown as f64 / content().count().max(1) as f64
    }

    fn gap(&self) -> f64 {
        const MOST: usize = 6;
        let content = self.claim.iter().zip(&self.content).filter(|(_, content)| **content);
        let (mut longest, mut gap) = (0, 0);
        for (number, _) in content {
            gap = if self.shown.contains(number) { 0 } else { gap + 1 };
            longest = longest.max(gap);
        }
        longest.min(MOST) as f64
    }

    /// The share of the rows of so many words that stand so in the text; of less words than that nothing is known.
    fn in_a_row(&self, count: usize) -> f64 {
        const UNKNOWN: f64 = 0.5;
        if self.claim.len() < count {
            return UNKNOWN;
        }
        let said: HashSet<&[usize]> = self.text.windows(count).filter(|row| !row.contains(&0)).collect();
        let all = self.claim.len() + 1 - count;
        self.claim.windows(count).filter(|row| said.contains(row)).count() as f64 / all as f64
    }

    fn longest_run(&self) -> f64 {
        const MOST: usize = 30;
        let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, number) in self.text.iter().enumerate().filter(|(_, number)| **number > 0) {
            places.entry(*number).or_default().push(at);
        }
        let mut longest = 0;
        // How long the run is that ends at a place of the text.
        let mut runs: HashMap<usize, usize> = HashMap::new();
        for number in &self.claim {
            let here = places.get(number).into_iter().flatten();
            runs = here
                .map(|at| {
                    (*at, 1 + at.checked_sub(1).and_then(|before| runs.get(&before)).copied().unwrap_or_default())
                })
                .collect();
            longest = runs.values().copied().fold(longest, usize::max);
        }
        longest.min(MOST) as f64
    }
}
