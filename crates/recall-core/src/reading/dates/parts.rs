//! Parts of longer periods and what lies beside them: "the last week of July", "end of the month", "the Sunday before Easter".

use super::expr::{Expr, Part, Way};
use super::grammar::{Found, Reader};
use super::lexicon::Unit;
use super::numbers;

/// `the first Friday of July`, `last week of October`, `second last week of May`.
pub(super) fn nth(r: Reader<'_>, at: usize) -> Option<Found> {
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
pub(super) fn part(r: Reader<'_>, at: usize) -> Option<Found> {
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
pub(super) fn around(r: Reader<'_>, at: usize) -> Option<Found> {
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
    let lex = words.lex(bare + 1);
    let alone = lex.unit.is_none() && lex.weekday.is_none() && lex.month.is_none();
    if let (Some(unit), true) = (unit, alone && words.any(bare, &["last", "next"])) {
        let offset = if words.is(bare, "last") { -2 } else { 2 };
        return Some((Expr::Unit { unit, offset }, bare + 1));
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
