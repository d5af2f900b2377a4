//! Dates by name: weekdays, days of a month, months, seasons, holidays, quarters, decades and years.

use super::expr::{Expr, Of, Way, Which};
use super::grammar::{Found, Reader};
use super::{holidays, numbers};

/// Words before a month or season that make it one, where the word alone could be another ("may", "fall").
const CUES: &[&str] = &[
    "in",
    "since",
    "until",
    "till",
    "til",
    "by",
    "of",
    "last",
    "next",
    "during",
    "early",
    "late",
    "mid",
    "from",
    "through",
    "before",
    "after",
    "around",
    "between",
    "past",
    "previous",
    "coming",
    "upcoming",
    "for",
    "every",
    "over",
    "following",
];

/// A date by name, without what may follow it.
pub(super) fn named(r: Reader<'_>, at: usize) -> Option<Found> {
    weekday(r, at, Which::Open)
        .or_else(|| month_and_day(r, at))
        .or_else(|| holiday(r, at, Of::Open))
        .or_else(|| month(r, at, Of::Open))
        .or_else(|| season(r, at, Of::Open))
        .or_else(|| quarter(r, at))
        .or_else(|| decade(r, at))
        .or_else(|| numbered_week(r, at))
        .or_else(|| year(r, at))
}

fn cued(r: Reader<'_>, at: usize) -> bool {
    r.cued == Some(at) || CUES.contains(&r.words.before(at)) || (r.words.before(at) == "this" && is_capital(r, at))
}

fn is_capital(r: Reader<'_>, at: usize) -> bool {
    r.words.get(at).is_some_and(|word| word.capital)
}

/// `Friday`, `Friday the 11th`, `Mon, 18 Feb`, `Friday next week`, `Tuesday of last week`.
pub(super) fn weekday(r: Reader<'_>, at: usize, which: Which) -> Option<Found> {
    let words = r.words;
    let day = words.lex(at).weekday?;
    let next = words.skip(at + 1, &["."]);
    let shy = words.lex(at).shy || words.is(at, "tu");
    let led =
        words.any(at.wrapping_sub(1), &["on", "every", "since", "by", "until", "till", "or", "and"]) || cued(r, at);
    let whole = words.is_whole(at..next);
    let from = words.skip(words.skip(next, &[","]), &["the"]);
    if let Some((expr, end)) = dated(r, from).filter(|_| which == Which::Open || which == Which::This) {
        if let Expr::Date { of, month, day: number, .. } = expr {
            let of = if which == Which::This && of == Of::Open { Of::This } else { of };
            return Some((Expr::Date { of, month, day: number, weekday: Some(day) }, end));
        }
    }
    if let Some((number, end)) = numbers::ordinal(words, from) {
        let number = numbers::day_number(number)?;
        return Some((Expr::DayOpen { day: number, weekday: Some(day) }, end));
    }
    let bare = words
        .number(from)
        .filter(|_| words.digits(from) == 2 && from == next && !words.any(from + 1, &[":", "am", "pm", "%"]));
    if let Some(number) = bare.filter(|_| words.is_whole(at..from + 1) || words.any(from + 1, &["!", ".", ",", "at"])) {
        return Some((Expr::DayOpen { day: numbers::day_number(number)?, weekday: Some(day) }, from + 1));
    }
    if shy && !led && !whole && which == Which::Open && !(is_capital(r, at) && words.any(next, &[","])) {
        return None;
    }
    if words.is(next, "after") && words.is(next + 1, "next") {
        return Some((Expr::WeekdayFrom { day, count: 2, way: Way::Ahead, from: Box::new(Expr::Day(0)) }, next + 2));
    }
    let week = words.skip(words.skip(next, &[","]), &["of", "in"]);
    let week = words.skip(week, &["the"]);
    if let Some((unit, end)) = super::relative::week(r, week) {
        return Some((Expr::WeekdayOf { day, week: Box::new(unit) }, end));
    }
    Some((Expr::Weekday { day, which }, next))
}

/// A day and month after a weekday, in names or digits.
fn dated(r: Reader<'_>, at: usize) -> Option<Found> {
    let mut found = month_and_day(r, at).or_else(|| super::numeric::numeric(r.words, at))?;
    found = with_year(r, found);
    Some(found)
}

/// `9 June`, `the 9th of June`, `June the 9th`, `9-Jun-26`, `2026/jun/09`, and the year behind it.
pub(super) fn month_and_day(r: Reader<'_>, at: usize) -> Option<Found> {
    year_month_day(r, at).or_else(|| day_month(r, at)).or_else(|| month_day(r, at))
}

fn joint(r: Reader<'_>, at: usize) -> usize {
    let tight = r.words.glued(at) && r.words.any(at, &["-", "/", "."]);
    if tight { at + 1 } else { at }
}

fn year_month_day(r: Reader<'_>, at: usize) -> Option<Found> {
    let (year, next) = numbers::year(r.words, at).filter(|_| r.words.digits(at) == 4)?;
    let at_month = joint(r, next);
    let month = r.words.lex(at_month).month.filter(|_| at_month > next)?;
    let at_day = joint(r, at_month + 1);
    let day = numbers::day_number(r.words.number(at_day).filter(|_| at_day > at_month + 1)?)?;
    Some((Expr::Date { of: Of::Year(year), month, day, weekday: None }, at_day + 1))
}

fn day_month(r: Reader<'_>, at: usize) -> Option<Found> {
    let at = r.words.skip(at, &["the"]);
    let (day, next) = numbers::month_day(r.words, at)?;
    let next = if r.words.is(next, "day") { next + 1 } else { next };
    let from = r.words.skip(joint(r, r.words.skip(next, &["of", ","])), &["the"]);
    let month = r.words.lex(from).month?;
    // "5 may come" is a verb.
    let verb = r.words.is(from, "may")
        && from == next
        && !is_capital(r, from)
        && r.words.lex(next + 1) == r.words.lex(usize::MAX)
        && r.words.get(next + 1).is_some_and(|word| word.kind == super::words::Kind::Letters && word.text != "and");
    let dot = r.words.skip(from + 1, &["."]);
    (!verb).then(|| date_year(r, month, day, if r.words.glued(dot) || dot == from + 1 { from + 1 } else { dot }))
}

fn month_day(r: Reader<'_>, at: usize) -> Option<Found> {
    let month = r.words.lex(at).month?;
    let next = r.words.skip(joint(r, r.words.skip(r.words.skip(at + 1, &["."]), &[","])), &["the"]);
    if let Some((year, end)) = numbers::year(r.words, next) {
        // "September-2020-23"
        let at_day = joint(r, end);
        let day = numbers::day_number(r.words.number(at_day).filter(|_| at_day > end)?)?;
        return Some((Expr::Date { of: Of::Year(year), month, day, weekday: None }, at_day + 1));
    }
    let (day, end) = numbers::month_day(r.words, next)?;
    let clock = r.words.any(end, &[":", "am", "pm", "h", "%"]) && !r.words.glued(next);
    let measured = r.words.any(end, &["miles", "mile", "km", "people", "times", "euros", "dollars", "steps"]);
    (!clock && !measured).then(|| date_year(r, month, day, end))
}

fn date_year(r: Reader<'_>, month: i8, day: i8, at: usize) -> Found {
    let open = (Expr::Date { of: Of::Open, month, day, weekday: None }, at);
    let from = r.words.skip(joint(r, r.words.skip(at, &[","])), &["of", "in"]);
    if let Some((year, end)) = numbers::year(r.words, from) {
        return (Expr::Date { of: Of::Year(year), month, day, weekday: None }, end);
    }
    let era = (r.words.number(from), r.words.text(from + 1));
    if let (Some(number), "ce" | "ad") = era {
        let year = i16::try_from(number).unwrap_or_default();
        return (Expr::Date { of: Of::Year(year), month, day, weekday: None }, from + 2);
    }
    if let (Some(number), "bc" | "bce") = era {
        let year = i16::try_from(number).unwrap_or_default();
        return (Expr::Date { of: Of::Year(-year), month, day, weekday: None }, from + 2);
    }
    // "31-Oct-74" has a year behind the dash, "November 19-20" has not.
    let dash = r.words.any(at, &["-", "/", "."]) && !r.words.any(at.wrapping_sub(2), &["-", "/", "."]);
    let apart = r.words.is(at, ",") || dash;
    match numbers::short_year(r.words, from).filter(|(_, end)| !apart && ends(r, *end)) {
        Some((year, end)) => (Expr::Date { of: Of::Year(year), month, day, weekday: None }, end),
        None => open,
    }
}

/// Nothing, or punctuation, follows.
fn ends(r: Reader<'_>, at: usize) -> bool {
    r.words.get(at).is_none_or(|word| word.kind == super::words::Kind::Symbol) || r.words.any(at, &["at", "was"])
}

/// `March`, `Dec-2018`, `2017 April`; names of months that are other words too need a cue.
pub(super) fn month(r: Reader<'_>, at: usize, of: Of) -> Option<Found> {
    if let Some((year, next)) = numbers::year(r.words, at).filter(|_| of == Of::Open) {
        let month = r.words.lex(next).month?;
        return Some((Expr::Month { of: Of::Year(year), month }, next + 1));
    }
    let month = r.words.lex(at).month?;
    let dot = r.words.skip(at + 1, &["."]);
    let next = if dot > at + 1 && numbers::year(r.words, dot).is_some() { dot } else { at + 1 };
    let from = r.words.skip(joint(r, r.words.skip(next, &[","])), &["of", "in"]);
    // "32 August" is no day, and "August" alone is not what was said.
    let odd = at
        .checked_sub(1)
        .is_some_and(|before| r.words.digits(before) > 0 && r.words.digits(before) <= 2 && !r.words.glued(at));
    if odd {
        return None;
    }
    if let Some((year, end)) = numbers::year(r.words, from).filter(|_| of == Of::Open) {
        return Some((Expr::Month { of: Of::Year(year), month }, end));
    }
    let years = super::relative::years_from_now(r, r.words.skip(from, &["of"])).is_some();
    let the = r.words.before(at) == "the" && r.words.any(at.wrapping_sub(2), &["in", "since", "until", "by", "of"]);
    if years || the {
        return Some((Expr::Month { of, month }, next));
    }
    let shy = r.words.lex(at).shy;
    let may = r.words.is(at, "may") && r.words.before(at) == "this" && !is_capital(r, at);
    let sure = !shy || of != Of::Open || cued(r, at) || r.words.is_whole(at..at + 1) || r.words.any(at + 1, &["-"]);
    (sure && !may).then_some((Expr::Month { of, month }, next))
}

/// `summer`, `spring of 2019`; only beside a cue, since seasons are things and habits as well.
pub(super) fn season(r: Reader<'_>, at: usize, of: Of) -> Option<Found> {
    let month = r.words.lex(at).season?;
    let from = r.words.skip(r.words.skip(at + 1, &[","]), &["of", "in"]);
    if let Some((year, end)) = numbers::year(r.words, from).filter(|_| of == Of::Open) {
        return Some((Expr::Season { of: Of::Year(year), month }, end));
    }
    let dated = r.words.is(from, "'") && r.words.digits(from + 1) == 2;
    let through = at.checked_sub(1).filter(|before| r.words.is(*before, "the")).is_some_and(|before| {
        r.words.any(
            before.wrapping_sub(1),
            &["in", "over", "during", "since", "until", "till", "by", "through", "of", "for"],
        )
    });
    let season = dated || of != Of::Open || cued(r, at) || through || r.words.is_whole(at..at + 1);
    let thing = r.words.any(at + 1, &["break", "vacation", "camp", "job", "term", "semester", "holidays"]);
    (season && (!thing || of != Of::Open)).then_some((Expr::Season { of, month }, at + 1))
}

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
fn quarter(r: Reader<'_>, at: usize) -> Option<Found> {
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
fn decade(r: Reader<'_>, at: usize) -> Option<Found> {
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
fn numbered_week(r: Reader<'_>, at: usize) -> Option<Found> {
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
fn year(r: Reader<'_>, at: usize) -> Option<Found> {
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
    let unlike = words.any(end, &MEASURED) || (glued && !span) || words.is(end, "%");
    let ranged = (words.is(end, "-") || words.any(end, &["to", "till", "until", "through"]))
        && r.depth == 0
        && !words.is_whole(at..end + 2)
        && numbers::year(words, end + 1).is_some_and(|(other, _)| other > year && (1900..2100).contains(&year));
    ((cued || listed || ranged) && !unlike && year >= 1400 && year < 2200).then_some((Expr::Year(year), end))
}

/// Adds the year that follows a yearless date.
pub(super) fn with_year(r: Reader<'_>, found: Found) -> Found {
    let (expr, at) = found;
    if expr.openness() != 1 {
        return (expr, at);
    }
    let from = r.words.skip(joint(r, r.words.skip(at, &[","])), &["of", "in"]);
    let from = r.words.skip(from, &["the"]);
    let relative = super::relative::years_from_now(r, from);
    let short = || if r.words.is(from, "'") { numbers::short_year(r.words, from) } else { None };
    let year = numbers::year(r.words, from).or_else(short).map(|(year, end)| (Of::Year(year), end)).or(relative);
    let Some((of, end)) = year else { return (expr, at) };
    match expr.clone().with_year(of) {
        Some(dated) => (dated, end),
        None => (expr, at),
    }
}
