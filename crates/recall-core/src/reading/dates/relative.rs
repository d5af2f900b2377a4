//! Dates relative to the speaker's now or to another date: "yesterday", "last week", "two years ago", "the week before 9 June", "end of the month".

use super::expr::{Amount, Expr, Of, Part, Way, Which};
use super::grammar::{Found, Reader};
use super::lexicon::Unit;
use super::{named, numbers};

/// A relative date, without what may follow it.
pub(super) fn relative(r: Reader<'_>, at: usize) -> Option<Found> {
    day_word(r, at)
        .or_else(|| nth(r, at))
        .or_else(|| counted(r, at))
        .or_else(|| modified(r, at))
        .or_else(|| shifted(r, at))
        .or_else(|| part(r, at))
        .or_else(|| around(r, at))
        .or_else(|| day_of_month(r, at))
        .or_else(|| recent(r, at))
}

/// Verbs behind "just" that tell of no event: "I just wanted to say".
const NO_EVENT: &[&str] = &[
    "wanted", "thought", "felt", "needed", "liked", "loved", "hoped", "said", "kept", "figured", "knew", "was", "were",
    "had", "did", "meant", "wished", "seemed", "couldn't", "didn't", "told",
];

/// "I just got a dog": this week, today at the latest.
fn recent(r: Reader<'_>, at: usize) -> Option<Found> {
    let verb = r.words.text(at + 1);
    let event = r.words.is(at, "just") && super::tense::is_past_verb(verb) && !NO_EVENT.contains(&verb);
    let amount = Amount { months: 0, days: 0, seconds: 0, finest: Unit::Week, vague: false };
    event.then_some((Expr::Shift { amount, way: Way::Back, from: Box::new(Expr::Now) }, at + 1))
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
        .or_else(|| with_of(named::month_and_day(inner, next).or_else(|| super::numeric::numeric(words, next))?, of))
        .or_else(|| named::holiday(inner, next, of))
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

/// `the last two weeks`, `next 3 months`, `5 upcoming years`, `the past few days`.
fn counted(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let from = words.skip(at, &["the", "these"]);
    let way = |at: usize| match words.text(at) {
        "last" | "past" | "previous" => Some(Way::Back),
        "next" | "coming" | "upcoming" | "following" => Some(Way::Ahead),
        _ => None,
    };
    let (way, from, later) = match (way(from), way(from + 1)) {
        (Some(way), _) => (way, from + 1, None),
        (None, Some(way)) => (way, from, Some(from + 1)),
        (None, None) => return None,
    };
    let (count, next) = match words.text(from) {
        "couple" => (2, words.skip(from + 1, &["of"])),
        "few" | "several" => (3, from + 1),
        "fortnight" if later.is_none() => return Some((Expr::Count { count: 14, unit: Unit::Day, way }, from + 1)),
        _ => numbers::cardinal(words, from).filter(|_| words.digits(from) <= 3).map(|(n, end)| (n, end))?,
    };
    let next = if later.is_some() { next + 1 } else { next };
    let unit = words.lex(next).unit?;
    let middle = later.is_some_and(|at| words.any(at, &["next", "last", "past", "previous"]));
    if middle && !words.text(next).ends_with('s') {
        return None;
    }
    let count = i32::try_from(count).ok().filter(|count| (1..=999).contains(count))?;
    let clock = matches!(unit, Unit::Second | Unit::Minute | Unit::Hour);
    let of = words.skip(next + 1, &["of", "in"]);
    if let Some((whole, end)) = r.deeper().filter(|_| of > next + 1).and_then(|deeper| deeper.cue(of).point(of)) {
        return Some((Expr::CountOf { count, unit, way, of: Box::new(whole) }, end));
    }
    (!clock).then_some((Expr::Count { count, unit, way }, next + 1))
}

/// `two weeks ago`, `in three days`, `3 days after Easter`, `two Mondays ago`.
pub(super) fn shifted(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let ahead = words.is(at, "in");
    let from = if ahead { at + 1 } else { at };
    if let Some(found) = weekdays_from(r, from) {
        return Some(found);
    }
    let (amount, next) = numbers::amount(words, from)?;
    let now = |way: Way, next: usize| Some((Expr::Shift { amount, way, from: Box::new(Expr::Now) }, next));
    let whole = words.is_whole(at..next + 1);
    match words.text(next) {
        "ago" | "back" => return now(Way::Back, next + 1),
        "hence" => return now(Way::Ahead, next + 1),
        "later" | "earlier" if whole => {
            return now(if words.is(next, "later") { Way::Ahead } else { Way::Back }, next + 1);
        }
        "from" if words.any(next + 1, &["now", "today"]) => return now(Way::Ahead, next + 2),
        "before" | "after" | "from" | "prior" | "since" => {
            let way = if words.any(next, &["before", "prior"]) { Way::Back } else { Way::Ahead };
            let base = words.skip(next + 1, &["to"]);
            if words.is(base, "now") {
                return now(way, base + 1);
            }
            if let Some((from, end)) = r.deeper().and_then(|deeper| deeper.cue(base).point(base)) {
                let from = Box::new(from);
                return Some((Expr::Shift { amount, way, from }, end));
            }
        }
        "starting" | "beginning" | "commencing" => {
            let base = words.skip(next + 1, &["on", "from"]);
            if let Some((from, end)) = r.deeper().and_then(|deeper| deeper.cue(base).point(base)) {
                return Some((Expr::Lasting { amount, from: Box::new(from) }, end));
            }
        }
        _ => {}
    }
    let time = words.skip(words.skip(next, &["'"]), &["time"]);
    let each = words.any(next, &["a", "per", "each", "every"]);
    (ahead && !each && !words.any(at.wrapping_sub(1), &["once", "twice", "times"])).then(|| now(Way::Ahead, time))?
}

fn weekdays_from(r: Reader<'_>, at: usize) -> Option<Found> {
    let (count, next) = numbers::cardinal(r.words, at).filter(|(count, _)| *count < 100)?;
    let name = r.words.text(next);
    let day = r.words.lex(next).weekday.or_else(|| super::lexicon::lookup(name.strip_suffix('s')?).weekday)?;
    let way = match r.words.text(next + 1) {
        "ago" | "back" => Way::Back,
        "later" | "hence" => Way::Ahead,
        _ => return None,
    };
    let count = i32::try_from(count).ok().filter(|count| *count > 0)?;
    Some((Expr::WeekdayFrom { day, count, way, from: Box::new(Expr::Day(0)) }, next + 2))
}

/// `the first Friday of July`, `last week of October`, `second last week of May`.
fn nth(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let from = words.skip(at, &["the"]);
    let last = |at: usize| words.any(at, &["last", "final"]);
    let (nth, next) = match numbers::ordinal(words, from) {
        Some((value, next)) => {
            let value = i8::try_from(value).ok().filter(|value| *value <= 53)?;
            let to = words.skip(words.skip(next, &["-", "to"]), &["-", "to"]);
            if last(to) { (-value, to + 1) } else { (value, next) }
        }
        None if last(from) => (-1, from + 1),
        None => return None,
    };
    let (weekday, unit) = (words.lex(next).weekday, words.lex(next).unit);
    if weekday.is_none() && unit.is_none() {
        return None;
    }
    let of = words.skip(next + 1, &["of", "in"]);
    let (whole, end) = r.deeper().filter(|_| of > next + 1).and_then(|deeper| period(deeper, of))?;
    let of = Box::new(whole);
    match (weekday, unit) {
        (Some(day), _) => Some((Expr::NthWeekday { nth, day, of }, end)),
        (None, Some(unit)) => {
            let day = words.skip(end, &["on"]);
            let found = Expr::NthUnit { nth, unit, of };
            match words.lex(day).weekday.filter(|_| unit == Unit::Week) {
                Some(weekday) => Some((Expr::WeekdayOf { day: weekday, week: Box::new(found) }, day + 1)),
                None => Some((found, end)),
            }
        }
        (None, None) => None,
    }
}

/// A month, year or the like that has parts: `the month`, `next year`, `March 2014`.
fn period(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let own = words.any(at, &["the", "my", "our", "this"]);
    let bare = if own { at + 1 } else { at };
    if let Some(found) = r.cue(at).point(at) {
        return Some(found);
    }
    let unit =
        words.lex(bare).unit.filter(|unit| matches!(unit, Unit::Week | Unit::Month | Unit::Year | Unit::Decade))?;
    Some((Expr::Unit { unit, offset: 0 }, bare + 1))
}

/// `end of the month`, `early March`, `later this week`, `the rest of the year`.
fn part(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let from = words.skip(at, &["the"]);
    let unit =
        |unit: Unit, part: Part| Some((Expr::Part { part, of: Box::new(Expr::Unit { unit, offset: 0 }) }, from + 1));
    let part = match words.text(from) {
        "year" if words.is(from + 1, "to") && words.is(from + 2, "date") => {
            let year = Box::new(Expr::Unit { unit: Unit::Year, offset: 0 });
            return Some((Expr::Part { part: Part::Earlier, of: year }, from + 3));
        }
        "ytd" => {
            return Some((
                Expr::Part { part: Part::Earlier, of: Box::new(Expr::Unit { unit: Unit::Year, offset: 0 }) },
                from + 1,
            ));
        }
        "eom" => return unit(Unit::Month, Part::End),
        "eoy" => return unit(Unit::Year, Part::End),
        "eow" => return unit(Unit::Week, Part::End),
        "beginning" | "start" => Part::Beginning,
        "early" => Part::Early,
        "middle" | "mid" => Part::Middle,
        "late" => Part::Late,
        "end" | "close" => Part::End,
        "later" => Part::Later,
        "earlier" => Part::Earlier,
        "rest" | "remainder" => Part::Rest,
        _ => return None,
    };
    let of = words.skip(words.skip(from + 1, &["-"]), &["of", "in"]);
    let linked = of > from + 1
        || matches!(part, Part::Early | Part::Late | Part::Middle | Part::Later | Part::Earlier | Part::Rest);
    let deeper = r.deeper().filter(|_| linked)?;
    // "early this morning", "late on Friday": the day itself.
    let of = if words.is(of, "on") { of + 1 } else { of };
    let (whole, end) = period(deeper, of)?;
    let days = matches!(whole, Expr::Day(_) | Expr::Weekday { .. } | Expr::Date { .. });
    let bounded = matches!(part, Part::Later | Part::Earlier | Part::Rest) && !matches!(whole, Expr::Unit { .. });
    (!bounded)
        .then(|| if days { (whole.clone(), end) } else { (Expr::Part { part, of: Box::new(whole.clone()) }, end) })
}

/// `the week of April 10th`, `the Sunday before Easter`, `the week after next`, `Thanksgiving weekend`.
fn around(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let from = words.skip(at, &["the"]);
    let (unit, weekday) = (words.lex(from).unit, words.lex(from).weekday);
    if unit.is_none() && weekday.is_none() {
        return None;
    }
    let link = words.text(from + 1);
    let (way, base) = match link {
        "before" => (-1, from + 2),
        "after" | "following" => (1, from + 2),
        "of" | "starting" | "commencing" | "beginning" => (0, words.skip(from + 2, &["on", "from"])),
        _ => return None,
    };
    let bare = words.skip(base, &["the"]);
    if let (Some(unit), true) = (unit, words.any(bare, &["last", "next"])) {
        if words.lex(bare + 1).unit.is_none()
            && words.lex(bare + 1).weekday.is_none()
            && words.lex(bare + 1).month.is_none()
        {
            let offset = if words.is(bare, "last") { -2 } else { 2 };
            return Some((Expr::Unit { unit, offset }, bare + 1));
        }
    }
    let (whole, end) = r.deeper().and_then(|deeper| deeper.cue(base).point(base))?;
    let whole = Box::new(whole);
    let found = match (unit, weekday, way) {
        (Some(Unit::Weekend), _, 0) => Expr::WeekendOf(whole),
        (Some(Unit::Week), _, 0) => Expr::WeekOf(whole),
        (Some(Unit::Day), _, 0) => *whole,
        (Some(_), _, 0) => return None,
        (Some(unit), _, offset) => Expr::UnitFrom { unit, offset, from: whole },
        (None, Some(day), 0) => Expr::WeekdayOf { day, week: whole },
        (None, Some(day), offset) => {
            let way = if offset < 0 { Way::Back } else { Way::Ahead };
            Expr::WeekdayFrom { day, count: 1, way, from: whole }
        }
        (None, None, _) => return None,
    };
    Some((found, end))
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
    let ends = words
        .get(next)
        .is_none_or(|word| word.kind == super::words::Kind::Symbol && !words.any(next, &["%", "-", ":", "/"]));
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
