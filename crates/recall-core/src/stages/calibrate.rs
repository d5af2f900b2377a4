//! Step 7: how sure is it, and how much does it matter? One documented table of factors; the model's own number is a weak input.
//!
//! `confidence = base × product of factors`, from 0.02 to 0.98, where `base = 0.90 + 0.08 × (model's own − 0.5)`:
//!
//! | factor | value | when |
//! |---|---|---|
//! | `hedge:<class>` | what the cue leaves, 0.40 to 0.95 ([`crate::reading::hedges`]) | a hedge reaches the clause that carries the claim; the strongest of each class |
//! | `partial_support` | 0.80 | grounding found a detail that the sources do not carry |
//! | `unresolved` | 0.68 | a reference the claim leans on stays open |
//! | `not_come_about` | 0.97 | nothing hedges the clause, but its words tell a plan, a wish or an order ([`hedges::factuality`] below -1) |
//! | `ambiguous_date` | 0.95 | several readings of the date fit |
//! | `reattributed` | 0.95 | a quote stood in another turn than the one named |
//!
//! Several plain turns of people are several testimonies. Firm ones strengthen each other ([`corroborated`]); hedged ones do
//! not: three guesses are one guess. Fitted on development data by version of the formula, [`FORMULA`].

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde::{Deserialize, Serialize};

use crate::candidate::Candidate;
use crate::context::Context;
use crate::evidence::{Evidence, Source, Support};
use crate::reading::ReadTurn;
use crate::reading::hedges::{self, Hedge};
use crate::stage::Reason;
use crate::stages::anchor::When;
use crate::stages::resolve::Resolution;
use crate::text::{self, Token, TokenKind};
use crate::turn::Role;

/// The version of the confidence formula.
pub const FORMULA: u32 = 1;

/// From this confidence on a statement is firm: firm ones strengthen each other, and only firm ones end another value.
pub const FIRM: f64 = 0.71;

const LEAST: f64 = 0.02;
const MOST: f64 = 0.98;
const PARTIAL_SUPPORT: f64 = 0.80;
const UNRESOLVED: f64 = 0.68;
const AMBIGUOUS_DATE: f64 = 0.95;
const REATTRIBUTED: f64 = 0.95;
const NOT_COME_ABOUT: f64 = 0.97;

/// Importance of a single mention, of a repeated one, and of what somebody asked to have remembered.
const SINGLE: f64 = 0.4;
const REPEATED: f64 = 0.6;
const ASKED_FOR: f64 = 0.9;

/// One factor of the confidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Its name in the table of factors.
    pub name: String,
    /// What it multiplies by.
    pub value: f64,
}

/// Confidence with its factors, and importance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// 0 to 1.
    pub confidence: f64,
    /// 0 to 1.
    pub importance: f64,
    /// What went into the confidence.
    pub factors: Vec<Factor>,
    /// [`FORMULA`] at the time.
    pub formula: u32,
}

/// Weighs a candidate.
///
/// # Errors
/// [`Reason::BelowMinConfidence`].
pub fn calibrate(
    cx: &Context<'_>,
    claim: &Candidate,
    evidence: &Evidence,
    resolution: &Resolution,
    when: &When,
) -> Result<Calibration, Reason> {
    let mut factors = common_factors(claim, evidence, resolution, when);
    let shared: f64 = factors.iter().map(|factor| factor.value).product();
    let testimonies = testimonies(cx, claim, evidence);
    let confidences =
        testimonies.iter().map(|hedges| clamp(shared * hedges.iter().map(|factor| factor.value).product::<f64>()));
    let confidence = confidences.reduce(corroborated).unwrap_or(clamp(shared));
    // The hedges of the firmest testimony are the ones that tell in the end.
    let firmest = testimonies.into_iter().max_by(|a, b| product(a).total_cmp(&product(b)));
    factors.extend(firmest.into_iter().flatten());
    if confidence < cx.reading.window.settings.min_confidence {
        return Err(Reason::BelowMinConfidence);
    }
    Ok(Calibration { confidence, importance: importance(cx, evidence), factors, formula: FORMULA })
}

/// Confidence of two statements of one claim together. Firm ones strengthen each other; beside a firm one a hedged one adds
/// nothing; hedged ones stay as sure as the surest of them. The order does not matter.
pub fn corroborated(one: f64, other: f64) -> f64 {
    if one.min(other) < FIRM {
        return one.max(other);
    }
    (1.0 - (1.0 - one) * (1.0 - other)).min(MOST)
}

/// Importance of two statements of one claim together.
pub fn repeated(one: f64, other: f64) -> f64 {
    one.max(other).max(REPEATED)
}

fn product(factors: &[Factor]) -> f64 {
    factors.iter().map(|factor| factor.value).product()
}

fn clamp(confidence: f64) -> f64 {
    confidence.clamp(LEAST, MOST)
}

fn common_factors(claim: &Candidate, evidence: &Evidence, resolution: &Resolution, when: &When) -> Vec<Factor> {
    let own = if claim.confidence.is_finite() { claim.confidence.clamp(0.0, 1.0) } else { 0.5 };
    let mut factors = vec![factor("base", 0.90 + 0.08 * (own - 0.5))];
    match evidence.support {
        Support::Supported => {}
        Support::Partial | Support::Unsupported | Support::Contradicted => {
            factors.push(factor("partial_support", PARTIAL_SUPPORT))
        }
    }
    if resolution.unresolved {
        factors.push(factor("unresolved", UNRESOLVED));
    }
    if when.ambiguous {
        factors.push(factor("ambiguous_date", AMBIGUOUS_DATE));
    }
    if !evidence.reattributed.is_empty() {
        factors.push(factor("reattributed", REATTRIBUTED));
    }
    factors
}

fn factor(name: &str, value: f64) -> Factor {
    Factor { name: name.to_owned(), value }
}

/// The hedges of each testimony. Turns that say it on their own are one testimony each; a question with its answer, or a
/// statement with its confirmation, is one together.
fn testimonies(cx: &Context<'_>, claim: &Candidate, evidence: &Evidence) -> Vec<Vec<Factor>> {
    let stems = stems(&claim.content);
    let read: Vec<(&Source, &ReadTurn)> =
        evidence.sources.iter().filter_map(|source| Some((source, cx.reading.turn(&source.turn_id)?))).collect();
    let each: Vec<Vec<Factor>> = read.iter().map(|(source, turn)| hedge_factors(source, turn, &stems)).collect();
    let stands_alone = |(source, _): &(&Source, &ReadTurn)| {
        source.role == Role::User && source.quote.split_whitespace().nth(2).is_some()
    };
    if read.iter().all(stands_alone) {
        return each;
    }
    vec![strongest(each.into_iter().flatten())]
}

/// The strongest hedge of each class among those that reach the clause that carries the claim.
fn hedge_factors(source: &Source, turn: &ReadTurn, stems: &HashSet<String>) -> Vec<Factor> {
    let content = turn.turn.content.as_str();
    let quote = byte_range(content, source.start, source.end);
    let carrying = carrying_clauses(&turn.tokens, &quote, stems);
    let reaches = |hedge: &&Hedge| {
        let first = carrying.partition_point(|clause| clause.end <= hedge.reach.start);
        carrying.get(first).is_some_and(|clause| overlap(&hedge.reach, clause))
    };
    let found = turn.hedges.iter().filter(reaches);
    let mut factors = strongest(found.map(|hedge| factor(&format!("hedge:{}", hedge.class.as_str()), hedge.leaves)));
    if factors.is_empty() && carrying.iter().all(|clause| has_not_come_about(&turn.tokens, clause, stems)) {
        factors.push(factor("not_come_about", NOT_COME_ABOUT));
    }
    factors
}

/// Whether a clause tells the first word it shares with the claim as a plan, a wish or an order.
fn has_not_come_about(tokens: &[Token], clause: &Range<usize>, stems: &HashSet<String>) -> bool {
    let shared = tokens_of(tokens, clause).find(|at| tokens.get(*at).is_some_and(|token| stems.contains(&token.stem)));
    shared.is_some_and(|at| hedges::factuality(tokens, at) < -1.0)
}

fn strongest(factors: impl Iterator<Item = Factor>) -> Vec<Factor> {
    let mut kept: Vec<Factor> = Vec::new();
    for factor in factors {
        match kept.iter_mut().find(|there| there.name == factor.name) {
            Some(there) => there.value = there.value.min(factor.value),
            None => kept.push(factor),
        }
    }
    kept
}

/// Indices of the tokens of a clause.
fn tokens_of(tokens: &[Token], clause: &Range<usize>) -> Range<usize> {
    let first = tokens.partition_point(|token| token.span.end <= clause.start);
    let end = tokens.partition_point(|token| token.span.start < clause.end);
    first..end.max(first)
}

/// Clauses of the quote that share most words with the claim, in order.
fn carrying_clauses(tokens: &[Token], quote: &Range<usize>, stems: &HashSet<String>) -> Vec<Range<usize>> {
    let clauses = hedges::clause_spans(tokens).into_iter().filter(|clause| overlap(clause, quote));
    let counted: Vec<(usize, Range<usize>)> = clauses
        .map(|clause| {
            let inside = tokens.get(tokens_of(tokens, &clause)).unwrap_or_default().iter();
            (inside.filter(|token| stems.contains(&token.stem)).count(), clause)
        })
        .collect();
    let most = counted.iter().map(|(count, _)| *count).max().unwrap_or_default();
    counted.into_iter().filter(|(count, _)| *count == most).map(|(_, clause)| clause).collect()
}

fn stems(content: &str) -> HashSet<String> {
    const EMPTY: [&str; 14] =
        ["user", "users", "the", "a", "an", "to", "of", "in", "on", "at", "is", "and", "their", "that"];
    let words = text::tokens(content).into_iter().filter(|token| token.kind != TokenKind::Symbol);
    words.filter(|token| !EMPTY.contains(&token.stem.as_str())).map(|token| token.stem).collect()
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// A range of characters as a range of bytes.
fn byte_range(content: &str, start: usize, end: usize) -> Range<usize> {
    let mut places = content.char_indices().map(|(at, _)| at).chain(std::iter::once(content.len()));
    let first = places.nth(start).unwrap_or(content.len());
    let last = if end > start { places.nth(end - start - 1).unwrap_or(content.len()) } else { first };
    first..last
}

fn importance(cx: &Context<'_>, evidence: &Evidence) -> f64 {
    let asked = evidence.sources.iter().any(|source| {
        let turn = cx.reading.turn(&source.turn_id);
        turn.is_some_and(|read| asks_to_remember(&read.folded.text))
    });
    match (asked, evidence.sources.iter().filter(|source| source.role == Role::User).count()) {
        (true, _) => ASKED_FOR,
        (false, 0 | 1) => SINGLE,
        (false, _) => REPEATED,
    }
}

/// Whether a folded turn asks for something to be remembered.
pub(crate) fn asks_to_remember(folded: &str) -> bool {
    const ASKS: &[&str] = &[
        "please remember",
        "remember that",
        "remember this",
        "remember my",
        "remember i ",
        "want you to remember",
        "don't forget",
        "do not forget",
        "keep in mind",
        "make a note",
        "note that",
        "note down",
        "for future reference",
        "save this",
    ];
    static ASKED: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(ASKS).ok());
    ASKED.as_ref().is_some_and(|asked| asked.is_match(folded))
        && !folded.contains("i remember")
        && !folded.contains("do you remember")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::hedges::find;
    use crate::turn::{AtSource, Said, Turn, TurnId};

    /// The factors of one quote for one claim, multiplied.
    fn left(said: &str, quote: &str, claim: &str) -> f64 {
        let at = said.find(quote).expect("the quote stands in the turn");
        let start = said.get(..at).unwrap_or_default().chars().count();
        let end = start + quote.chars().count();
        let turn = Turn {
            id: TurnId("t1".into()),
            role: Role::User,
            content: Said::new(said),
            at: None,
            at_source: AtSource::Unknown,
            name: None,
            scope: None,
        };
        let source = Source {
            turn_id: TurnId("t1".into()),
            quote: quote.into(),
            start,
            end,
            origin: crate::evidence::Origin::Call,
            role: Role::User,
            speaker: None,
            said_at: None,
        };
        let tokens = text::tokens(said);
        let hedges = find(said, &tokens);
        let carrying =
            carrying_clauses(&tokens, &byte_range(turn.content.as_str(), source.start, source.end), &stems(claim));
        let reaching = hedges.iter().filter(|hedge| carrying.iter().any(|clause| overlap(&hedge.reach, clause)));
        strongest(reaching.map(|hedge| factor(hedge.class.as_str(), hedge.leaves)))
            .iter()
            .map(|factor| factor.value)
            .product()
    }

    #[test]
    fn a_hedge_costs_by_its_kind_and_only_in_its_own_clause() {
        let table = [
            ("I moved the loom upstairs", "I moved the loom upstairs", "User moved the loom upstairs", 1.0, 1.0),
            ("I think the loom is upstairs", "the loom is upstairs", "The loom is upstairs", 0.6, 0.8),
            ("the loom might be upstairs", "the loom might be upstairs", "The loom might be upstairs", 0.4, 0.6),
            ("I heard the mill is closing", "the mill is closing", "The mill is closing", 0.5, 0.7),
            ("I usually weave at night", "I usually weave at night", "User usually weaves at night", 0.85, 0.95),
            ("maybe you know a tailor, my suit is torn", "my suit is torn", "User's suit is torn", 1.0, 1.0),
            ("the loom is upstairs, I think", "the loom is upstairs", "The loom is upstairs", 0.6, 0.8),
            (
                "I might be allergic to wool, never had it checked",
                "I might be allergic to wool, never had it checked",
                "User never had the allergy checked",
                1.0,
                1.0,
            ),
            (
                "I'd get a kiln if there was room",
                "I'd get a kiln if there was room",
                "User would get a kiln if there was room",
                0.7,
                0.8,
            ),
        ];
        for (said, quote, claim, least, most) in table {
            let found = left(said, quote, claim);
            assert!((least..=most).contains(&found), "{said}: {found}");
        }
    }

    #[test]
    fn guesses_stay_guesses_and_firm_words_strengthen_each_other() {
        assert_eq!([0.5, 0.5, 0.5].into_iter().reduce(corroborated), Some(0.5));
        assert_eq!(corroborated(0.5, 0.9), 0.9);
        assert!(corroborated(0.8, 0.8) > 0.9);
        assert_eq!(corroborated(0.98, 0.98), MOST);
    }

    #[test]
    fn asking_to_remember_is_told_from_remembering() {
        for said in ["please remember my size", "i do want you to remember that i swim", "don't forget i'm vegan"] {
            assert!(asks_to_remember(said), "{said}");
        }
        for said in ["i remember that summer", "do you remember my size", "we met at noon"] {
            assert!(!asks_to_remember(said), "{said}");
        }
    }

    #[test]
    fn ranges_of_characters_become_ranges_of_bytes() {
        assert_eq!(byte_range("h\u{e9}llo", 1, 3), 1..4);
        assert_eq!(byte_range("h\u{e9}", 0, 9), 0..3);
        assert_eq!(byte_range("", 0, 0), 0..0);
    }
}
