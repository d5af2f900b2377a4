//! Numbers of the grammar: counts, days of a month, years, and lengths of time, in digits and in words.

use super::expr::Amount;
use super::lexicon::Unit;
use super::words::Words;

/// A count: `3`, `twenty-two`, `two thousand and five`.
pub(super) fn cardinal(words: &Words<'_>, at: usize) -> Option<(u32, usize)> {
    if let Some(number) = words.number(at) {
        return Some((number, at + 1));
    }
    let mut next = at;
    let (mut total, mut group) = (0_u32, 0_u32);
    // Six words name every number a calendar needs.
    for _ in 0..8 {
        let from = if next == at { at } else { words.skip(next, &["and", "-"]) };
        let Some(value) = words.lex(from).cardinal else { break };
        match value {
            1000 if group > 0 => (total, group) = (total.saturating_add(group.saturating_mul(1000)), 0),
            100 if group > 0 && group < 100 => group *= 100,
            1..=9 if group % 100 >= 20 && group.is_multiple_of(10) => group += value,
            1..=9 if group > 0 && group.is_multiple_of(100) => group += value,
            10..=90 if group.is_multiple_of(100) => group += value,
            _ if next == at => group = value,
            1..=90 if group == 0 => group = value,
            _ => break,
        }
        next = from + 1;
    }
    (next > at).then_some((total.saturating_add(group), next))
}

/// A day of a month or place in a row: `3rd`, `twenty first`, `second`.
pub(super) fn ordinal(words: &Words<'_>, at: usize) -> Option<(u32, usize)> {
    if let Some(number) = words.number(at) {
        return (words.any(at + 1, &["st", "nd", "rd", "th"]) && words.glued(at + 1)).then_some((number, at + 2));
    }
    if let Some(value) = words.lex(at).ordinal {
        return Some((value, at + 1));
    }
    let tens = words.lex(at).cardinal.filter(|tens| matches!(tens, 20 | 30))?;
    let unit = words.skip(at + 1, &["-"]);
    let value = words.lex(unit).ordinal.filter(|value| *value < 10)?;
    Some((tens + value, unit + 1))
}

/// A day of a month: `3`, `3rd`, `the third`, `twenty two`.
pub(super) fn month_day(words: &Words<'_>, at: usize) -> Option<(i8, usize)> {
    let (value, next) = ordinal(words, at).or_else(|| (words.digits(at) <= 2).then(|| cardinal(words, at))?)?;
    day_number(value).map(|day| (day, next))
}

/// A number that can be a day of a month.
pub(super) fn day_number(value: u32) -> Option<i8> {
    i8::try_from(value).ok().filter(|day| (1..=31).contains(day))
}

/// A year of four digits or in words: `1986`, `nineteen eighty six`, `two thousand and five`.
pub(super) fn year(words: &Words<'_>, at: usize) -> Option<(i16, usize)> {
    if words.digits(at) > 0 {
        let number = words.number(at).filter(|_| words.digits(at) == 4)?;
        let decimal = words.is(at + 1, ".") && words.glued(at + 1) && words.digits(at + 2) > 0 && words.glued(at + 2);
        let grouped = words.is(at + 1, ",") && words.digits(at + 2) == 3 && words.glued(at + 2);
        return ((1000..3000).contains(&number) && !decimal && !grouped)
            .then_some((i16::try_from(number).ok()?, at + 1));
    }
    let century = words.lex(at).cardinal.filter(|value| (10..=20).contains(value));
    if let Some(century) = century {
        let from = words.skip(at + 1, &["-"]);
        let hundred = if words.is(from, "hundred") { words.skip(from + 1, &["and"]) } else { from };
        let rest =
            cardinal(words, hundred).filter(|(value, _)| words.digits(hundred) == 0 && *value < 100 && *value >= 1);
        let rest = rest.filter(|(value, _)| *value >= 10 || hundred != from);
        if let Some((rest, next)) = rest {
            return Some((i16::try_from(century * 100 + rest).ok()?, next));
        }
    }
    let (value, next) = cardinal(words, at).filter(|(value, _)| (1000..3000).contains(value))?;
    Some((i16::try_from(value).ok()?, next))
}

/// A year of two digits after a day and month: `96`, `'87`.
pub(super) fn short_year(words: &Words<'_>, at: usize) -> Option<(i16, usize)> {
    let at = words.skip(at, &["'"]);
    let number = words.number(at).filter(|_| words.digits(at) == 2)?;
    let glued = words.glued(at + 1) && !words.any(at + 1, &[",", ".", "!", "?", ")", ";"]);
    let clock = words.any(at + 1, &["am", "pm", ":"]);
    (!glued && !clock).then_some((full_year(number)?, at + 1))
}

/// The century of a two-digit year, as people write them.
pub(super) fn full_year(number: u32) -> Option<i16> {
    let number = i16::try_from(number).ok()?;
    match number {
        0..=49 => Some(2000 + number),
        50..=99 => Some(1900 + number),
        _ => Some(number),
    }
}

/// How many, in halves, and whether the words are vague.
fn quantity(words: &Words<'_>, at: usize) -> Option<(u32, bool, usize)> {
    let from = words.skip(at, &["a", "the"]);
    match words.text(from) {
        "couple" | "pair" => return Some((4, false, words.skip(from + 1, &["of"]))),
        "few" | "several" | "some" | "handful" => return Some((6, true, words.skip(from + 1, &["of"]))),
        "dozen" => return Some((24, true, words.skip(from + 1, &["of"]))),
        "half" => return Some((1, false, words.skip(words.skip(from + 1, &["of"]), &["a", "an"]))),
        _ => {}
    }
    if words.any(at, &["a", "an"]) {
        return Some((2, false, at + 1));
    }
    let (number, next) = cardinal(words, at).filter(|_| words.digits(at) <= 4)?;
    let whole = number.checked_mul(2)?;
    if words.is(next, ".") && words.glued(next) && words.digits(next + 1) == 1 && words.glued(next + 1) {
        return Some((whole + u32::from(words.is(next + 1, "5")), !words.is(next + 1, "5"), next + 2));
    }
    let half = words.is(next, "and")
        && words.any(next + 1, &["a", "half"])
        && (words.is(next + 1, "half") || words.is(next + 2, "half"));
    if half {
        let next = words.skip(next + 1, &["a"]) + 1;
        return Some((whole + 1, false, next));
    }
    let extra = words.skip(words.skip(next, &["full", "whole", "long", "short", "solid", "more", "-"]), &["-"]);
    Some((whole, false, extra))
}

/// Words of roughness before a number.
const ROUGH: &[&str] = &[
    "about",
    "around",
    "roughly",
    "almost",
    "nearly",
    "approximately",
    "over",
    "under",
    "just",
    "maybe",
    "like",
    "some",
    "well",
    "exactly",
];

/// A length of time: `three weeks`, `1 month, 21 days`, `a year and a half`.
pub(super) fn amount(words: &Words<'_>, at: usize) -> Option<(Amount, usize)> {
    let mut from = at;
    for _ in 0..3 {
        if words.any(from, ROUGH) && !(words.is(from, "some") && words.lex(from + 1).unit.is_some()) {
            from += 1;
        }
    }
    let (halves, vague, next) = quantity(words, from)?;
    let unit = words.lex(next).unit?;
    let mut total = measure(halves, unit)?;
    total.vague = vague;
    let mut end = next + 1;
    if words.is(end, "and")
        && words.any(end + 1, &["a", "half"])
        && (words.is(end + 1, "half") || words.is(end + 2, "half"))
    {
        total = join(&total, &measure(1, unit)?)?;
        end = words.skip(end + 1, &["a"]) + 1;
    }
    for _ in 0..3 {
        let more = words.skip(words.skip(end, &[","]), &["and"]);
        let Some((halves, _, next)) = quantity(words, more).filter(|_| !words.any(more, &["a", "an", "the"])) else {
            break;
        };
        let Some(part) = words.lex(next).unit.and_then(|unit| measure(halves, unit)) else { break };
        total = join(&total, &part)?;
        end = next + 1;
    }
    Some((total, end))
}

fn join(one: &Amount, other: &Amount) -> Option<Amount> {
    Some(Amount {
        months: one.months.checked_add(other.months)?,
        days: one.days.checked_add(other.days)?,
        seconds: one.seconds.checked_add(other.seconds)?,
        finest: other.finest,
        vague: one.vague,
    })
}

/// Half units as months, days and seconds.
fn measure(halves: u32, unit: Unit) -> Option<Amount> {
    let halves = i32::try_from(halves).ok()?;
    let none = Amount { months: 0, days: 0, seconds: 0, finest: unit, vague: false };
    let months = |each: i32| Some(Amount { months: halves.checked_mul(each)? / 2, ..none });
    let days = |each: i32| Some(Amount { days: halves.checked_mul(each)? / 2, ..none });
    let seconds = |each: i64| Some(Amount { seconds: i64::from(halves) * each / 2, ..none });
    match unit {
        Unit::Second => seconds(1),
        Unit::Minute => seconds(60),
        Unit::Hour => seconds(3600),
        Unit::Day => days(1),
        Unit::Week | Unit::Weekend => days(7),
        Unit::Fortnight => days(14),
        Unit::Month if halves == 1 => Some(Amount { days: 15, ..none }),
        Unit::Month => months(1),
        Unit::Quarter => months(3),
        Unit::Year if halves % 2 == 1 => Some(Amount { months: halves.checked_mul(6)?, finest: Unit::Month, ..none }),
        Unit::Year => months(12),
        Unit::Decade => months(120),
        Unit::Century => months(1200),
    }
}
