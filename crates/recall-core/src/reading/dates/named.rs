//! Dates by name: weekdays, days of a month, months, seasons, holidays, quarters, decades and years.

use super::expr::{Expr, Of, Way, Which};
use super::grammar::{Found, Reader};
use super::words::Kind;
use super::{numbers, numeric, relative, years};

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
        .or_else(|| years::holiday(r, at, Of::Open))
        .or_else(|| month(r, at, Of::Open))
        .or_else(|| season(r, at, Of::Open))
        .or_else(|| years::quarter(r, at))
        .or_else(|| years::decade(r, at))
        .or_else(|| years::numbered_week(r, at))
        .or_else(|| years::year(r, at))
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
    let plain = which == Which::Open || which == Which::This;
    if let Some((Expr::Date { of, month, day: number, .. }, end)) = dated(r, from).filter(|_| plain) {
        let of = if which == Which::This && of == Of::Open { Of::This } else { of };
        return Some((Expr::Date { of, month, day: number, weekday: Some(day) }, end));
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
    if let Some((unit, end)) = relative::week(r, week) {
        return Some((Expr::WeekdayOf { day, week: Box::new(unit) }, end));
    }
    Some((Expr::Weekday { day, which }, next))
}

/// A day and month after a weekday, in names or digits.
fn dated(r: Reader<'_>, at: usize) -> Option<Found> {
    let mut found = month_and_day(r, at).or_else(|| numeric::numeric(r.words, at))?;
    found = years::with_year(r, found);
    Some(found)
}

/// `9 June`, `the 9th of June`, `June the 9th`, `9-Jun-26`, `2026/jun/09`, and the year behind it.
pub(super) fn month_and_day(r: Reader<'_>, at: usize) -> Option<Found> {
    year_month_day(r, at).or_else(|| day_month(r, at)).or_else(|| month_day(r, at))
}

pub(super) fn joint(r: Reader<'_>, at: usize) -> usize {
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
        && r.words.get(next + 1).is_some_and(|word| word.kind == Kind::Letters && word.text != "and");
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
    // "in June, third try": behind a comma the number counts what follows it.
    let parted = (at + 1..next).any(|at| r.words.is(at, ","));
    let counted = r.words.get(end).is_some_and(|word| {
        word.kind == Kind::Letters && !matches!(&*word.text, "at" | "of" | "in" | "from" | "and" | "to" | "until")
    });
    if parted && counted && r.words.digits(next) == 0 {
        return None;
    }
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
    r.words.get(at).is_none_or(|word| word.kind == Kind::Symbol) || r.words.any(at, &["at", "was"])
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
    let years = relative::years_from_now(r, r.words.skip(from, &["of"])).is_some();
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
