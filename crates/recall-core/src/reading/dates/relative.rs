//! Dates relative to the speaker's now or to another date: "yesterday", "last week", "two years ago", "the week before 9 June", "end of the month".

use super::expr::{Expr, Of, Which};
use super::grammar::{Found, Reader};
use super::lexicon::Unit;
use super::words::Kind;
use super::{named, numbers, numeric, parts, steps, years};

/// A relative date, without what may follow it.
pub(super) fn relative(r: Reader<'_>, at: usize) -> Option<Found> {
    day_word(r, at)
        .or_else(|| parts::nth(r, at))
        .or_else(|| steps::counted(r, at))
        .or_else(|| modified(r, at))
        .or_else(|| steps::shifted(r, at))
        .or_else(|| parts::part(r, at))
        .or_else(|| parts::around(r, at))
        .or_else(|| day_of_month(r, at))
        .or_else(|| steps::recent(r, at))
}

/// `today`, `last night`, `the day before yesterday`.
fn day_word(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let day = |days: i32, next: usize| Some((Expr::Day(days), next));
    match words.text(at) {
        "today" | "tonight" | "tonite" | "today's" | "tonight's" | "eod" | "otd" => day(0, at + 1),
        "yesterday" | "yesterday's" => day(-1, at + 1),
        "tomorrow" | "tomorrows" | "tmrw" | "tmr" | "tommorow" | "tomorow" | "tomorrow's" => day(1, at + 1),
        "overmorrow" => day(2, at + 1),
        "lastmonth" => Some((Expr::Unit { unit: Unit::Month, offset: -1 }, at + 1)),
        "last" if words.any(at + 1, &["night", "evening", "nite"]) => day(-1, at + 2),
        "this"
            if words.lex(at + 1).part.is_some() && !words.is(at + 1, "night")
                || words.any(at + 1, &["very"]) && words.lex(at + 2).part.is_some() =>
        {
            day(0, if words.is(at + 1, "very") { at + 3 } else { at + 2 })
        }
        _ => {
            let from = words.skip(at, &["the"]);
            let (before, after) = (words.is(from + 1, "before"), words.is(from + 1, "after"));
            if !words.is(from, "day") {
                return None;
            }
            match words.text(from + 2) {
                "yesterday" if before => day(-2, from + 3),
                "tomorrow" | "tmrw" | "tmr" if after => day(2, from + 3),
                _ => None,
            }
        }
    }
}

/// `last`, `this past`, `next`: how far from the present unit, and how a weekday is meant.
fn modifier(r: Reader<'_>, at: usize) -> Option<(i32, Which, Of, usize)> {
    let words = r.words;
    let at = words.skip(at, &["the"]);
    let two = words.text(at + 1);
    match (words.text(at), two) {
        ("this", "past" | "last") => Some((-1, Which::Last, Of::Last, at + 2)),
        ("this", "coming" | "upcoming" | "next") => Some((1, Which::Coming, Of::Next, at + 2)),
        ("previous", _) => Some((-1, Which::Previous, Of::Last, at + 1)),
        ("last" | "past", _) => Some((-1, Which::Last, Of::Last, at + 1)),
        ("next" | "following", _) => Some((1, Which::Next, Of::Next, at + 1)),
        ("coming" | "upcoming", _) => Some((1, Which::Coming, Of::Next, at + 1)),
        ("this" | "current" | "that" | "same", _) => Some((0, Which::This, Of::This, at + 1)),
        _ => None,
    }
}

/// `last week`, `next Friday`, `this summer`, `last Christmas`.
fn modified(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let (offset, which, of, next) = modifier(r, at)?;
    let pointing = words.any(next - 1, &["that", "same"]);
    let next = if pointing { next } else { words.skip(next, &["calendar"]) };
    if let Some(unit) = words.lex(next).unit {
        let told =
            r.depth == 0 && words.is(at, "the") && (unit == Unit::Day || words.any(next - 1, &["following", "past"]));
        let clock = matches!(unit, Unit::Second | Unit::Minute | Unit::Hour) || words.is(next, "night");
        let plural = words.text(next).ends_with('s');
        if told || clock || plural || (pointing && unit == Unit::Day) {
            return None;
        }
        if words.any(next + 1, &["old", "olds"]) {
            return None;
        }
        let (offset, end) = beyond(r, offset, next + 1);
        return Some((Expr::Unit { unit, offset }, end));
    }
    if pointing {
        return None;
    }
    let inner = r.cue(next);
    named::weekday(inner, next, which)
        .or_else(|| with_of(named::month_and_day(inner, next).or_else(|| numeric::numeric(words, next))?, of))
        .or_else(|| years::holiday(inner, next, of))
        .or_else(|| {
            named::month(inner, next, of).filter(|_| {
                !(words.is(next, "may") && offset == 0 && !words.get(next).is_some_and(|word| word.capital))
            })
        })
        .or_else(|| named::season(inner, next, of))
}

fn with_of(found: Found, of: Of) -> Option<Found> {
    let (expr, end) = found;
    Some((expr.with_year(of)?, end))
}

/// "the week before last", "the month after the next".
fn beyond(r: Reader<'_>, offset: i32, at: usize) -> (i32, usize) {
    match (offset, r.words.text(at)) {
        (1, "after") if r.words.is(at + 1, "next") => (2, at + 2),
        _ => (offset, at),
    }
}

/// A week told relative to now.
pub(super) fn week(r: Reader<'_>, at: usize) -> Option<Found> {
    let (offset, _, _, next) = modifier(r, at)?;
    (r.words.any(next, &["week", "wk"])).then_some((Expr::Unit { unit: Unit::Week, offset }, next + 1))
}

/// A year told relative to now.
pub(super) fn years_from_now(r: Reader<'_>, at: usize) -> Option<(Of, usize)> {
    let (offset, _, _, next) = modifier(r, at)?;
    (r.words.any(next, &["year", "yr"])).then_some((Of::Years(i16::try_from(offset).ok()?), next + 1))
}

/// Words before a day of a month that stands alone.
const DAY_CUES: &[&str] = &[
    "on", "by", "since", "until", "till", "from", "before", "after", "around", "between", "to", "through", "thru",
    "for", "and",
];

/// Nouns that count with the same words: "the 18th century".
const COUNTED: &[&str] = &[
    "century",
    "floor",
    "birthday",
    "anniversary",
    "street",
    "avenue",
    "grade",
    "time",
    "place",
    "edition",
    "attempt",
    "day",
    "week",
    "month",
    "year",
    "round",
    "day's",
    "amendment",
    "and",
    "hole",
    "row",
    "hour",
    "minute",
    "grader",
];

/// `the 20th of next month`, `on the 18th`.
fn day_of_month(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let from = words.skip(at, &["the"]);
    let (day, next) = numbers::month_day(words, from)?;
    let of = words.skip(words.skip(next, &["day"]), &["of", "in"]);
    let of = if of > next && words.is(of, "the") && words.any(of + 1, &["month"]) { of + 1 } else { of };
    let month = modifier(r, of).filter(|(_, _, _, next)| words.is(*next, "month"));
    if let Some((offset, _, _, end)) = month.filter(|_| of > next || words.any(of, &["next", "last", "this"])) {
        return Some((Expr::DayOf { day, of: Box::new(Expr::Unit { unit: Unit::Month, offset }) }, end + 1));
    }
    if of > next && words.is(of, "month") {
        return Some((Expr::DayOf { day, of: Box::new(Expr::Unit { unit: Unit::Month, offset: 0 }) }, of + 1));
    }
    let ends = words.get(next).is_none_or(|word| word.kind == Kind::Symbol && !words.any(next, &["%", "-", ":", "/"]));
    let bare = ends && words.digits(from) == 2 && !words.glued(next + 1) && (from > at || words.before(at) == "on");
    let ordinal = (words.digits(from) > 0 && next == from + 2)
        || bare
        || (ends && words.digits(from) == 0 && day > 12 && from > at);
    let cued = r.cued == Some(at) || DAY_CUES.contains(&words.before(at));
    let counted = COUNTED.contains(&words.text(next)) && !words.is(next, "and")
        || words.is(next, "of")
        || (words.is(next, "-") && words.glued(next));
    (ordinal && (cued || r.ranged) && !counted).then_some((Expr::DayOpen { day, weekday: None }, next))
}
