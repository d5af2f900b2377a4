//! Step 6: when was it? From the words and the turn's own time, never from a clock.

mod nearness;
mod tense;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::candidate::{Candidate, MemoryType};
use crate::context::Context;
use crate::evidence::{Evidence, Source};
use crate::moment::{Moment, Precision};
use crate::reading::dates::tense::Tense;
use crate::reading::dates::{self, Dated, Extent};
use crate::reading::{ReadTurn, Reading};
use crate::stage::Reason;
use crate::text::Folded;
use crate::turn::TurnId;

use nearness::{Reach, by_quote};
use tense::{clause_of, nearer_ahead, tense_of};

/// When what a candidate tells happened.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct When {
    /// First moment of the period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_at: Option<Moment>,
    /// First moment of the last day of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_until: Option<Moment>,
    /// How exact it is.
    pub precision: Precision,
    /// Where the end lies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extent: Option<Extent>,
    /// The words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// Normal form of the words: `2026-W36`, `2026-08-03/2026-08-09`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<String>,
    /// The turn whose time anchored them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchored_on: Option<TurnId>,
    /// Several readings fit and the words do not decide.
    #[serde(default)]
    pub ambiguous: bool,
}

/// Chooses the time expression of a candidate and its reading.
///
/// # Errors
/// None today: no expression, no date.
pub fn anchor(cx: &Context<'_>, claim: &Candidate, evidence: &Evidence) -> Result<When, Reason> {
    Ok(anchor_in(cx.reading, claim, evidence))
}

/// [`anchor`] over a reading alone.
pub fn anchor_in(reading: &Reading, claim: &Candidate, evidence: &Evidence) -> When {
    let cited: Vec<Cited<'_>> = evidence.sources.iter().filter_map(|source| cited(reading, source)).collect();
    let expression = claim.time_expression.as_deref().map(str::trim).filter(|words| !words.is_empty());
    let found = match expression.map(|words| by_expression(words, &cited)) {
        Some(Named::Dated(found)) => Some(found),
        Some(Named::Undated) => None,
        Some(Named::Elsewhere) => by_quote(claim, &cited, Reach::Sentence),
        None => by_quote(claim, &cited, Reach::Quote),
    };
    let unasked = |turn: &ReadTurn, dated: &Dated| expression.is_none() && is_bare_year(turn, dated);
    let meant = |choice: &Choice<'_>| !is_habit(claim, choice.0, choice.1) && !unasked(choice.0, choice.1);
    let Some((turn, dated)) = found.filter(meant) else {
        return When::default();
    };
    when(turn, dated)
}

/// A cited turn with the bytes of the quote.
#[derive(Clone)]
struct Cited<'a> {
    turn: &'a ReadTurn,
    quote: Range<usize>,
}

type Choice<'a> = (&'a ReadTurn, &'a Dated);

fn cited<'a>(reading: &'a Reading, source: &Source) -> Option<Cited<'a>> {
    let turn = reading.turn(&source.turn_id)?;
    let content = turn.turn.content.as_str();
    let mut places = content.char_indices().map(|(at, _)| at).chain([content.len()]);
    let start = places.nth(source.start).unwrap_or(content.len());
    let length = source.end.saturating_sub(source.start);
    let end = length.checked_sub(1).map_or(start, |rest| places.nth(rest).unwrap_or(content.len()));
    Some(Cited { turn, quote: start..end })
}

/// What the candidate's own time expression leads to.
enum Named<'a> {
    /// It stands in a cited turn and is a date.
    Dated(Choice<'a>),
    /// It stands in a cited turn and is no date.
    Undated,
    /// It stands in no cited turn.
    Elsewhere,
}

fn by_expression<'a>(expression: &str, cited: &[Cited<'a>]) -> Named<'a> {
    let wanted = Folded::new(expression);
    let mut stands = false;
    for source in cited {
        let Some(place) = place_of(&wanted, source) else { continue };
        stands = true;
        let overlap = |dated: &&Dated| dated.span.end.min(place.end).saturating_sub(dated.span.start.max(place.start));
        let best = source.turn.dates.iter().filter(|dated| overlap(dated) > 0).max_by_key(overlap);
        if let Some(dated) = best {
            return Named::Dated((source.turn, dated));
        }
    }
    if stands {
        return Named::Undated;
    }
    // A model may hand back the calendar date instead of the words: any cited expression of the same time is meant.
    for source in cited {
        let told = source.turn.turn.at.map(|at| dates::find(expression, at)).unwrap_or_default();
        // An expression is one date; of a few words taken for several the first decide.
        const FIRST: usize = 4;
        let same = source.turn.dates.iter().find(|dated| told.iter().take(FIRST).any(|told| dates::agree(told, dated)));
        if let Some(dated) = same {
            return Named::Dated((source.turn, dated));
        }
    }
    Named::Elsewhere
}

/// Where an expression stands in a turn: inside the quote, else nearest to it.
fn place_of(wanted: &Folded, source: &Cited<'_>) -> Option<Range<usize>> {
    let content = source.turn.turn.content.as_str();
    let quote = content.get(source.quote.clone()).unwrap_or_default();
    if let Some(inside) = Folded::new(quote).find(wanted, quote) {
        return Some(source.quote.start + inside.start..source.quote.start + inside.end);
    }
    let folded = &source.turn.folded;
    let found = folded.text.match_indices(&wanted.text).take(16).map(|(at, _)| at..at + wanted.text.len());
    found.map(|range| folded.original_range(range, content)).min_by_key(|range| gap(range, &source.quote))
}

fn gap(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.start.saturating_sub(other.end).max(other.start.saturating_sub(one.end))
}

/// Four digits and nothing else: a year only where the question asked for one, which the claim's own expression shows.
fn is_bare_year(turn: &ReadTurn, dated: &Dated) -> bool {
    let content = turn.turn.content.as_str();
    let digits = |words: &str| words.chars().all(|c| c.is_ascii_digit());
    content.get(dated.span.clone()).is_some_and(digits) && content.len() <= dated.span.len() + 4
}

/// A yearless season, month or weekday told of what somebody likes or always does is no date.
fn is_habit(claim: &Candidate, turn: &ReadTurn, dated: &Dated) -> bool {
    let clause = clause_of(turn, dated);
    let often = ["always", "usually", "often", "normally", "every", "never", "generally", "sometimes"];
    let habitual = claim.memory_type == MemoryType::Preference
        || clause.iter().any(|token| often.contains(&token.folded.as_str()));
    dated.open && habitual && dated.extent == Extent::Period
}

fn when(turn: &ReadTurn, dated: &Dated) -> When {
    let open = dated.future.is_some() || dated.future_until.is_some();
    let tense = if open { tense_of(turn, dated) } else { None };
    let future = match tense {
        Some(tense) => tense == Tense::Future,
        None => open && nearer_ahead(turn, dated),
    };
    let read = if future { dated.in_future() } else { dated.clone() };
    let content = turn.turn.content.as_str();
    let bounded = matches!(read.extent, Extent::Range | Extent::OpenStart);
    When {
        event_at: read.start,
        event_until: read.until.filter(|_| bounded),
        precision: if read.start.or(read.until).is_some() { read.precision } else { Precision::Unknown },
        extent: Some(read.extent),
        expression: content.get(read.span.clone()).map(str::to_owned),
        normal: Some(read.normal),
        anchored_on: Some(turn.turn.id.clone()),
        ambiguous: dated.ambiguous || (open && tense.is_none()),
    }
}

#[cfg(test)]
mod tests;
