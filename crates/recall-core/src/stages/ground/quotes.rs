//! Where the quotes stand: in the cited turn, else in another turn of the call.

use std::ops::Range;

use super::attribution::Cited;
use crate::evidence::{Origin, Source};
use crate::reading::{ReadTurn, Reading};
use crate::stage::Reason;
use crate::text::Folded;
use crate::turn::TurnId;

/// A run of words of a turn that a claim rests on.
#[derive(Clone)]
pub(super) struct Place<'a> {
    /// The turn.
    pub turn: &'a ReadTurn,
    /// Byte range in it.
    pub span: Range<usize>,
    /// The turn the model named, where the words stand in another.
    pub moved_from: Option<TurnId>,
}

/// Finds every quote; one that stands nowhere blocks the claim.
pub(super) fn locate<'a>(reading: &'a Reading, cited: &[Cited<'a>]) -> Result<Vec<Place<'a>>, Reason> {
    let mut places = cited.iter().map(|cited| place(reading, cited)).collect::<Result<Vec<_>, _>>()?;
    places.sort_by_key(|place| (position(reading, place.turn), place.span.start));
    Ok(places)
}

/// The sources as they are stored: words and span as they stand in the turn.
pub(super) fn sources(places: &[Place<'_>]) -> Vec<Source> {
    places.iter().filter_map(source).collect()
}

/// Tokens of the clauses a quote touches, and of two clauses on either side for what it leans on.
pub(super) fn near(turn: &ReadTurn, spans: &[&Range<usize>]) -> Range<usize> {
    const NEIGHBOURS: usize = 2;
    let touched = spans.iter().filter_map(|quote| {
        let first = clause_at(turn, quote.start);
        let end = turn.clauses.partition_point(|clause| clause.span.start < quote.end);
        (first < end).then(|| (first, end - 1))
    });
    let (first, last) = touched.fold((None, None), |(least, most): (Option<usize>, Option<usize>), (first, last)| {
        (Some(least.map_or(first, |least| least.min(first))), most.max(Some(last)))
    });
    let quoted = spans.iter().map(|span| span.start).min().zip(spans.iter().map(|span| span.end).max());
    let Some((mut start, mut end)) = quoted else { return 0..0 };
    if let Some((first, last)) = first.zip(last) {
        start = start.min(turn.clauses.get(first.saturating_sub(NEIGHBOURS)).map_or(start, |clause| clause.span.start));
        end =
            end.max(turn.clauses.get(last + NEIGHBOURS).or(turn.clauses.last()).map_or(end, |clause| clause.span.end));
    }
    let from = turn.tokens.partition_point(|token| token.span.end <= start);
    let to = turn.tokens.partition_point(|token| token.span.start < end);
    from..to.max(from)
}

/// Index of the first clause that ends behind a place.
pub(super) fn clause_at(turn: &ReadTurn, place: usize) -> usize {
    turn.clauses.partition_point(|clause| clause.span.end <= place)
}

fn source(place: &Place<'_>) -> Option<Source> {
    let turn = &place.turn.turn;
    let content = turn.content.as_str();
    let quote = content.get(place.span.clone())?;
    let start = content.get(..place.span.start)?.chars().count();
    Some(Source {
        turn_id: turn.id.clone(),
        quote: quote.to_owned(),
        start,
        end: start + quote.chars().count(),
        origin: place.turn.origin,
        role: turn.role,
        speaker: turn.name.clone(),
        said_at: turn.at,
    })
}

fn place<'a>(reading: &'a Reading, cited: &Cited<'a>) -> Result<Place<'a>, Reason> {
    let needle = Folded::new(cited.quote);
    let found = |turn: &'a ReadTurn| turn.folded.find(&needle, turn.turn.content.as_str());
    if let Some(span) = found(cited.turn) {
        return Ok(Place { turn: cited.turn, span, moved_from: None });
    }
    let elsewhere =
        reading.turns.iter().filter(|turn| turn.origin == Origin::Call).find_map(|turn| {
            found(turn).map(|span| Place { turn, span, moved_from: Some(cited.turn.turn.id.clone()) })
        });
    elsewhere.ok_or(Reason::QuoteNotFound)
}

fn position(reading: &Reading, turn: &ReadTurn) -> usize {
    reading.turns.iter().position(|other| std::ptr::eq(other, turn)).unwrap_or(usize::MAX)
}
