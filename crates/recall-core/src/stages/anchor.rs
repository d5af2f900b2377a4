//! Step 6: when was it? From the words and the turn's own time, never from a clock.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::candidate::{Candidate, MemoryType};
use crate::context::Context;
use crate::evidence::{Evidence, Source};
use crate::moment::{Moment, Precision};
use crate::reading::acts::Modality;
use crate::reading::dates::tense::{self, Tense};
use crate::reading::dates::{self, Dated, Extent};
use crate::reading::{ReadTurn, Reading};
use crate::stage::Reason;
use crate::text::{self, Folded, Token, TokenKind};
use crate::turn::TurnId;

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
    let Some((turn, dated)) = found.filter(|(turn, dated)| !is_habit(claim, turn, dated)) else {
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
        let same = source.turn.dates.iter().find(|dated| told.iter().any(|told| dates::agree(told, dated)));
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

/// How far from the quote a date may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Inside it: the model saw no words of time, so what it did not quote is not its claim's.
    Quote,
    /// In its sentence as well.
    Sentence,
}

/// The date that stands nearest to the words of the claim.
fn by_quote<'a>(claim: &Candidate, cited: &[Cited<'a>], reach: Reach) -> Option<Choice<'a>> {
    let stems: Vec<String> = content_stems(&text::tokens(&claim.content));
    let mut best: Option<(f64, Choice<'a>)> = None;
    for source in cited {
        let inside = |dated: &&Dated| gap(&dated.span, &source.quote) == 0;
        let usable = |dated: &&'a Dated| dated.start.is_some() || dated.until.is_some();
        let mut near: Vec<&'a Dated> = source.turn.dates.iter().filter(usable).filter(inside).collect();
        if near.is_empty() && reach == Reach::Sentence {
            let sentence = sentence_of(source.turn, &source.quote);
            near = source.turn.dates.iter().filter(usable).filter(|dated| gap(&dated.span, &sentence) == 0).collect();
        }
        let told = said_in(&claim.content, source.turn);
        let about = sentence_about(&stems, source);
        for dated in near.into_iter().filter(|dated| reach_of(source.turn, dated) <= about) {
            let told = told.iter().any(|told| dates::agree(told, dated));
            let score = exactness(dated) * closeness(&stems, source.turn, dated) + if told { 100.0 } else { 0.0 };
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, (source.turn, dated)));
            }
        }
    }
    best.map(|(_, choice)| choice)
}

/// Of two dates that stand equally near the more exact one says when.
fn exactness(dated: &Dated) -> f64 {
    match dated.precision {
        Precision::Instant | Precision::Day | Precision::Week => 1.2,
        Precision::Month | Precision::Season => 1.0,
        Precision::Year | Precision::Unknown => 0.8,
    }
}

/// Index of the sentence of a date.
fn reach_of(turn: &ReadTurn, dated: &Dated) -> usize {
    let place = turn.tokens.partition_point(|token| token.span.end <= dated.span.start);
    turn.tokens.get(place).map_or(0, |token| token.sentence)
}

/// The last sentence of a quote that tells most of a claim. Dates of later sentences tell of something else; earlier ones may
/// set the time ("Something happened last Friday. I went to a fair.").
fn sentence_about(stems: &[String], source: &Cited<'_>) -> usize {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for token in source.turn.tokens.iter().filter(|token| gap(&token.span, &source.quote) == 0) {
        let hit = usize::from(stems.contains(&token.stem));
        match counts.last_mut() {
            Some((sentence, count)) if *sentence == token.sentence => *count += hit,
            Some(_) | None => counts.push((token.sentence, hit)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or_default();
    counts.iter().rev().find(|(_, count)| *count + 2 >= most).map_or(usize::MAX, |(sentence, _)| *sentence)
}

/// Dates that the claim itself names.
fn said_in(content: &str, turn: &ReadTurn) -> Vec<Dated> {
    turn.turn.at.map(|at| dates::find(content, at)).unwrap_or_default()
}

/// The sentences a quote lies in.
fn sentence_of(turn: &ReadTurn, quote: &Range<usize>) -> Range<usize> {
    let mut inside = turn.sentences.iter().filter(|sentence| sentence.start < quote.end && quote.start < sentence.end);
    let first = inside.next().cloned().unwrap_or_else(|| quote.clone());
    let last = inside.next_back().map_or(first.end, |last| last.end);
    first.start..last
}

fn content_stems(tokens: &[Token]) -> Vec<String> {
    let long = tokens.iter().filter(|token| token.kind == TokenKind::Word && token.folded.len() > 3);
    long.map(|token| token.stem.clone()).collect()
}

/// Tokens on each side of a date that count for its closeness to a claim.
const REACH: usize = 40;

/// How near the words of a claim stand to a date; another sentence is far.
fn closeness(stems: &[String], turn: &ReadTurn, dated: &Dated) -> f64 {
    let tokens = &turn.tokens;
    let place = tokens.partition_point(|token| token.span.end <= dated.span.start);
    let Some(sentence) = tokens.get(place).map(|token| token.sentence) else { return 0.0 };
    let (from, to) = (place.saturating_sub(REACH), (place + REACH).min(tokens.len()));
    let near = tokens.get(from..to).unwrap_or_default().iter().enumerate();
    let score = near.filter(|(_, token)| stems.contains(&token.stem)).map(|(at, token)| {
        let far = token.sentence.abs_diff(sentence) * 10;
        1.0 / (2 + (from + at).abs_diff(place) + far) as f64
    });
    score.sum()
}

/// A yearless season, month or weekday told of what somebody likes or always does is no date.
fn is_habit(claim: &Candidate, turn: &ReadTurn, dated: &Dated) -> bool {
    let clause = clause_of(turn, dated);
    let often = ["always", "usually", "often", "normally", "every", "never", "generally", "sometimes"];
    let habitual = claim.memory_type == MemoryType::Preference
        || clause.iter().any(|token| often.contains(&token.folded.as_str()));
    dated.open && habitual && dated.extent == Extent::Period
}

/// Tokens of the clause around a date: up to the next mark or conjunction on each side.
fn clause_of<'a>(turn: &'a ReadTurn, dated: &Dated) -> &'a [Token] {
    let tokens = turn.tokens.as_slice();
    let first = tokens.partition_point(|token| token.span.end <= dated.span.start);
    let after = tokens.partition_point(|token| token.span.start < dated.span.end);
    let Some(sentence) = tokens.get(first).map(|token| token.sentence) else { return &[] };
    let border = |token: &Token| {
        token.sentence != sentence
            || matches!(
                token.folded.as_str(),
                "," | ";" | ":" | "-" | "(" | ")" | "\u{2026}" | "but" | "so" | "and" | "because" | "then" | "while"
            )
    };
    let from = tokens.get(..first).unwrap_or_default().iter().rposition(border).map_or(0, |at| at + 1);
    let rest = tokens.get(after..).unwrap_or_default();
    let to = rest.iter().position(border).map_or(tokens.len(), |at| after + at);
    tokens.get(from..to).unwrap_or_default()
}

/// Whether the date of a turn tells of what was or will be; `None` where no word decides.
fn tense_of(turn: &ReadTurn, dated: &Dated) -> Option<Tense> {
    let clause =
        turn.clauses.iter().find(|clause| clause.span.start <= dated.span.start && dated.span.end <= clause.span.end);
    match clause.map(|clause| clause.modality) {
        Some(Modality::Plan) => return Some(Tense::Future),
        Some(Modality::Past) => return Some(Tense::Past),
        Some(Modality::Actual | Modality::Possible | Modality::Wish | Modality::Hypothetical) | None => {}
    }
    let read = |tokens: &[Token]| {
        let outside = |token: &&Token| token.span.end <= dated.span.start || dated.span.end <= token.span.start;
        let words: Vec<&str> = tokens.iter().filter(outside).map(|token| token.folded.as_str()).collect();
        let place = tokens.iter().filter(outside).filter(|token| token.span.start < dated.span.start).count();
        tense::tense(&words, place)
    };
    read(clause_of(turn, dated)).or_else(|| {
        let first = turn.tokens.iter().find(|token| token.span.end > dated.span.start)?.sentence;
        let from = turn.tokens.partition_point(|token| token.sentence < first);
        let to = turn.tokens.partition_point(|token| token.sentence <= first);
        read(turn.tokens.get(from..to.min(from + 200)).unwrap_or_default())
    })
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

/// Without a verb the nearer reading is meant: "dentist on Friday" is ahead, "rent up in February" behind.
fn nearer_ahead(turn: &ReadTurn, dated: &Dated) -> bool {
    if dated.extent == Extent::OpenStart {
        return true;
    }
    let (Some(at), Some(past), Some(future)) = (turn.turn.at, dated.start, dated.future) else { return true };
    let seconds = |moment: Moment| moment.microseconds().abs_diff(at.microseconds());
    seconds(future) < seconds(past)
}
