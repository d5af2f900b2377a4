//! Dates that are told by their year or place in it: holidays, quarters, decades, numbered weeks, years.

use super::expr::{Expr, Of};
use super::grammar::{Found, Reader};
use super::named::joint;
use super::{holidays, numbers, relative};

/// A holiday by its name.
pub(super) fn holiday(r: Reader<'_>, at: usize, of: Of) -> Option<Found> {
    let mut places: [(usize, usize); 6] = [(at, at); 6];
    let mut next = at;
    for place in &mut places {
        while next > at && r.words.any(next, &["-", "'", ".", "\u{2019}"]) && r.words.glued(next) {
            next += 1;
        }
        *place = (next, next + 1);
        next += 1;
    }
    let word = |n: usize| places.get(n).map(|(at, _)| r.words.text(*at).replace('\'', "")).unwrap_or_default();
    if word(0).is_empty() {
        return None;
    }
    let (index, length) = holidays::named(word)?;
    let (_, end) = places.get(length.checked_sub(1)?).copied()?;
    Some((Expr::Holiday { of, index }, end))
}

/// `Q3 2019`, `2019-H2`, `third quarter of 2016`.
pub(super) fn quarter(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let letter = |at: usize| {
        let nth =
            i8::try_from(words.number(at + 1).filter(|_| words.glued(at + 1) && words.digits(at + 1) == 1)?).ok()?;
        match (words.text(at), nth) {
            ("q", 1..=4) => Some(Expr::Quarter { of: Of::Open, nth }),
            ("h", 1..=2) => Some(Expr::Half { of: Of::Open, nth }),
            _ => None,
        }
    };
    if let Some(expr) = letter(at) {
        return Some((expr, at + 2));
    }
    let short = words.number(at).filter(|_| words.digits(at) == 2 && words.glued(at + 1)).and_then(numbers::full_year);
    if let Some((year, next)) = numbers::year(words, at).or(short.map(|year| (year, at + 1))) {
        let from = joint(r, next);
        if let Some(expr) = letter(from) {
            return expr.with_year(Of::Year(year)).map(|expr| (expr, from + 2));
        }
        let (nth, end) = numbers::ordinal(words, words.skip(next, &["the"]))
            .filter(|(_, end)| words.any(*end, &["quarter", "qtr"]))?;
        return Some((
            Expr::Quarter { of: Of::Year(year), nth: i8::try_from(nth).ok().filter(|nth| *nth <= 4)? },
            end + 1,
        ));
    }
    let (nth, end) =
        numbers::ordinal(words, words.skip(at, &["the"])).filter(|(_, end)| words.any(*end, &["quarter", "qtr"]))?;
    let nth = i8::try_from(nth).ok().filter(|nth| (1..=4).contains(nth))?;
    (!words.any(end + 1, &["past", "final", "finals"])).then_some((Expr::Quarter { of: Of::Open, nth }, end + 1))
}

/// `the 1970s`, `the '80s`, `the nineties`, `the two thousand and tens`.
pub(super) fn decade(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let from = words.skip(words.skip(at, &["the"]), &["'"]);
    let plural = |at: usize| {
        let bare = words.glued(at) && words.is(at, "s");
        let marked = words.glued(at) && words.is(at, "'") && words.is(at + 1, "s");
        if bare {
            Some(at + 1)
        } else if marked {
            Some(at + 2)
        } else {
            None
        }
    };
    if let (Some(number), Some(end)) = (words.number(from), plural(from + 1)) {
        let year = match (words.digits(from), number % 10) {
            (4, 0) => i16::try_from(number).ok()?,
            (2, 0) => numbers::full_year(number).map(|year| if number < 30 { year } else { 1900 + year % 100 })?,
            _ => return None,
        };
        return (1000..3000).contains(&year).then_some((Expr::Years { from: year, count: 10 }, end));
    }
    if words.is(from, "two") && words.is(from + 1, "thousand") {
        let decade = words.skip(from + 2, &["and"]);
        let tens = words.lex(decade).decade?;
        return Some((Expr::Years { from: 2000 + tens, count: 10 }, decade + 1));
    }
    let tens = words.lex(from).decade?;
    let century = if tens < 20 { 2000 } else { 1900 };
    let aged = words.any(at.wrapping_sub(1), &["my", "his", "her", "their", "our", "your"]);
    (words.is(at, "the") && !aged).then_some((Expr::Years { from: century + tens, count: 10 }, from + 1))
}

/// `week 31`, `week 3 of 2027`.
pub(super) fn numbered_week(r: Reader<'_>, at: usize) -> Option<Found> {
    let at = r.words.skip(at, &["the"]);
    let nth = r.words.number(at + 1).filter(|nth| r.words.is(at, "week") && (1..=53).contains(nth))?;
    let programme = r.words.any(at + 2, &["of"]) && r.words.any(at + 3, &["the", "my", "our", "this"]);
    (!programme).then_some((Expr::Week { of: Of::Open, nth: i8::try_from(nth).ok()? }, at + 2))
}

/// Words before a bare year.
const YEAR_CUES: &[&str] = &[
    "in",
    "since",
    "until",
    "till",
    "by",
    "before",
    "after",
    "during",
    "around",
    "circa",
    "of",
    "from",
    "year",
    "early",
    "late",
    "mid",
    "between",
    "through",
    "than",
    "christmas",
    "back",
    "about",
    "cy",
];

/// What follows a number that is a measure and not a year.
const MEASURED: &[&str] = &[
    "euros",
    "euro",
    "dollars",
    "dollar",
    "bucks",
    "pounds",
    "people",
    "km",
    "kilometers",
    "kilometres",
    "meters",
    "metres",
    "miles",
    "steps",
    "calories",
    "words",
    "pages",
    "points",
    "square",
    "feet",
    "grams",
    "kg",
    "kcal",
    "rpm",
    "usd",
    "eur",
];

/// A year by itself, only where a word before it says so.
pub(super) fn year(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let named = words.any(at, &["year", "cy"]) || (words.is(at, "the") && words.is(at + 1, "year"));
    let from = if named { words.skip(at, &["the"]) + 1 } else { at };
    if named {
        let (value, end) = numbers::year(words, from).or_else(|| {
            let (value, end) = numbers::cardinal(words, from).filter(|(value, _)| (100..3000).contains(value))?;
            Some((i16::try_from(value).ok()?, end))
        })?;
        return Some((Expr::Year(value), end));
    }
    let (year, end) = numbers::year(words, from)?;
    let cued = r.cued == Some(at) || YEAR_CUES.contains(&words.before(at));
    let listed = r.year_before == Some(at);
    let glued = words.glued(end) && words.any(end, &["-", "/", "%", "\u{20ac}", ":"]) && words.digits(end + 1) > 0;
    let span = glued && words.is(end, "-") && words.digits(end + 1) == 4;
    let unlike = words.any(end, MEASURED) || (glued && !span) || words.is(end, "%");
    let ranged = (words.is(end, "-") || words.any(end, &["to", "till", "until", "through"]))
        && r.depth == 0
        && !words.is_whole(at..end + 2)
        && numbers::year(words, end + 1).is_some_and(|(other, _)| other > year && (1900..2100).contains(&year));
    let answer = words.is_whole(at..end) && (1900..2100).contains(&year);
    ((cued || listed || ranged || answer) && !unlike && (1400..2200).contains(&year)).then_some((Expr::Year(year), end))
}

/// Adds the year that follows a yearless date.
pub(super) fn with_year(r: Reader<'_>, found: Found) -> Found {
    let (expr, at) = found;
    if expr.openness() != 1 {
        return (expr, at);
    }
    let from = r.words.skip(joint(r, r.words.skip(at, &[","])), &["of", "in"]);
    let from = r.words.skip(from, &["the"]);
    let relative = relative::years_from_now(r, from);
    let short = || if r.words.is(from, "'") { numbers::short_year(r.words, from) } else { None };
    let year = numbers::year(r.words, from).or_else(short).map(|(year, end)| (Of::Year(year), end)).or(relative);
    let Some((of, end)) = year else { return (expr, at) };
    match expr.clone().with_year(of) {
        Some(dated) => (dated, end),
        None => (expr, at),
    }
}
