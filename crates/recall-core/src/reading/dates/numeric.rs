//! Dates in digits: ISO 8601, and day, month and year with slashes, dots or dashes; where two orders fit, the month comes first and the reading is told as ambiguous.

use super::expr::{Clock, Expr, Of};
use super::numbers::{day_number, full_year};
use super::words::Words;

/// A date in digits.
pub(super) fn numeric(words: &Words<'_>, at: usize) -> Option<(Expr, usize)> {
    let inside = words.glued(at) && words.any(at - 1, &[".", ",", ":", "/", "$", "#", "%", "'", "+"]);
    if words.digits(at) == 0 || inside {
        return None;
    }
    year_first(words, at)
        .or_else(|| compact(words, at))
        .or_else(|| day_and_month(words, at))
        .or_else(|| month_year(words, at))
}

/// A day and month whose order the digits leave open: both at most 12 and different.
pub(super) fn is_ambiguous(words: &Words<'_>, at: usize) -> bool {
    let (Some(first), Some(second)) = (words.number(at), words.number(separator(words, at).map_or(at, |next| next)))
    else {
        return false;
    };
    words.digits(at) <= 2 && first <= 12 && second <= 12 && first != second
}

/// Place of the number after a separator of a date.
fn separator(words: &Words<'_>, at: usize) -> Option<usize> {
    let tight = words.glued(at + 1) && words.glued(at + 2);
    let loose = words.is(at + 1, "/") || words.is(at + 1, "-");
    (words.any(at + 1, &["/", "-", "."]) && (tight || loose) && words.digits(at + 2) > 0).then_some(at + 2)
}

fn year_first(words: &Words<'_>, at: usize) -> Option<(Expr, usize)> {
    let year = words.number(at).filter(|year| words.digits(at) == 4 && (1000..3000).contains(year))?;
    let spaced = words.digits(at + 1) == 2 && words.digits(at + 2) == 2;
    let (month, after) = match separator(words, at) {
        Some(next) => (next, next + 1),
        None if spaced => (at + 1, at + 2),
        None => return None,
    };
    let of = Of::Year(i16::try_from(year).ok()?);
    let month_number = i8::try_from(words.number(month).filter(|month| (1..=12).contains(month))?).ok()?;
    let day = if spaced && separator(words, at).is_none() { Some(after) } else { separator(words, month) };
    let Some(day) = day.filter(|day| words.digits(*day) <= 2) else {
        let tight = words.glued(month) && words.digits(month) == 2 && words.digits(month + 1) == 0;
        return tight.then_some((Expr::Month { of, month: month_number }, month + 1));
    };
    let date = Expr::Date { of, month: month_number, day: day_number(words.number(day)?)?, weekday: None };
    Some(with_iso_time(words, date, day + 1))
}

/// `2026-05-01T08:10:00` and its offset.
fn with_iso_time(words: &Words<'_>, date: Expr, at: usize) -> (Expr, usize) {
    let clock = || {
        let hour = words.number(at + 1).filter(|hour| words.is(at, "t") && *hour < 24)?;
        let minute = words.number(at + 3).filter(|minute| words.is(at + 2, ":") && *minute < 60)?;
        let second = words.number(at + 5).filter(|second| words.is(at + 4, ":") && *second < 60);
        let next = if second.is_some() { at + 6 } else { at + 4 };
        let clock = Clock {
            hour: i8::try_from(hour).ok()?,
            minute: i8::try_from(minute).ok()?,
            second: i8::try_from(second.unwrap_or_default()).ok()?,
        };
        Some((clock, next))
    };
    match clock() {
        Some((clock, next)) => (Expr::At { day: Box::new(date), clock }, next),
        None => (date, at),
    }
}

/// `20170302`
fn compact(words: &Words<'_>, at: usize) -> Option<(Expr, usize)> {
    let number =
        words.number(at).filter(|number| words.digits(at) == 8 && (19_000_000..21_000_000).contains(number))?;
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    let month = i8::try_from(month).ok().filter(|month| (1..=12).contains(month))?;
    Some((Expr::Date { of: Of::Year(i16::try_from(year).ok()?), month, day: day_number(day)?, weekday: None }, at + 1))
}

fn day_and_month(words: &Words<'_>, at: usize) -> Option<(Expr, usize)> {
    let second = separator(words, at).filter(|second| words.digits(at) <= 2 && words.digits(*second) <= 2)?;
    let (a, b) = (words.number(at)?, words.number(second)?);
    let third = separator(words, second).filter(|third| matches!(words.digits(*third), 2 | 4));
    // Dots stand where the day comes first; slashes and dashes are read with the month first.
    let day_first = a > 12 || (words.is(at + 1, ".") && third.is_some() && b <= 12);
    let (month, day) = if day_first { (b, a) } else { (a, b) };
    let (month, day) = (i8::try_from(month).ok().filter(|month| (1..=12).contains(month))?, day_number(day)?);
    let date = |of: Of| Expr::Date { of, month, day, weekday: None };
    if let Some(third) = third.filter(|third| words.is(at + 1, words.text(*third - 1))) {
        let year = words.number(third)?;
        let year = if words.digits(third) == 2 { full_year(year)? } else { i16::try_from(year).ok()? };
        let goes_on = words.glued(third + 1) && words.any(third + 1, &["-", "/"]) && words.digits(third + 2) > 0;
        return (year >= 1000
            && !(goes_on && words.digits(third + 2) < 3 && words.is(third + 1, "-") && words.is(at + 1, "-")))
        .then_some((date(Of::Year(year)), third + 1));
    }
    let next = second + 1;
    let goes_on = words.glued(next) && words.any(next, &[".", ",", "/", ":", "%"]) && words.digits(next + 1) > 0;
    (!goes_on && reads_as_date(words, at, next, a.max(b))).then_some((date(Of::Open), next))
}

/// Words before a day and month in digits.
const CUES: &[&str] = &[
    "on", "by", "since", "until", "till", "from", "to", "this", "next", "last", "before", "after", "between", "due",
    "dated", "and", "through", "starting",
];

/// Two numbers are a date after a cue, beside another date, alone, or with slashes where one of them is no month.
fn reads_as_date(words: &Words<'_>, at: usize, next: usize, larger: u32) -> bool {
    let cued = at > 0 && (words.any(at - 1, CUES) || words.lex(at - 1).weekday.is_some());
    let whole = words.is_whole(at..next) && !words.is(at + 1, ".");
    let slash = words.is(at + 1, "/");
    let round = words.is(at, "24") && words.is(next - 1, "7");
    let measured = round
        || words.lex(next).unit.is_some()
        || words.any(next, &["of", "h", "cup", "cups", "stars", "star", "out", "inch", "inches"]);
    let led = at > 0 && words.any(at - 1, &["-"]) && slash;
    let ranged = slash && words.any(next, &["-", "to"]) && words.is(next + 2, "/");
    !measured && (cued || whole || led || ranged || (slash && larger > 12))
}

/// `06/2004`
fn month_year(words: &Words<'_>, at: usize) -> Option<(Expr, usize)> {
    let year = separator(words, at)
        .filter(|year| words.digits(at) <= 2 && words.digits(*year) == 4 && words.any(at + 1, &["/", "-"]))
        .filter(|year| {
            !words.glued(at) && words.glued(*year) && !(words.is(*year + 1, "-") && words.glued(*year + 1))
        })?;
    let month = i8::try_from(words.number(at).filter(|month| (1..=12).contains(month))?).ok()?;
    let of = Of::Year(i16::try_from(words.number(year)?).ok().filter(|year| (1900..2100).contains(year))?);
    Some((Expr::Month { of, month }, year + 1))
}
