//! Stretches of longer periods: the n-th week, the last three months, the end of the year.

use jiff::civil::Date;

use super::calendar::{self, Period, add_days, add_months, midnight};
use super::expr::{Expr, Part, Way};
use super::lexicon::Unit;
use super::meaning::{Setting, place};
use super::{Extent, Precision};

pub(super) fn nth_unit(of: &Period, nth: i8, unit: Unit) -> Option<Period> {
    match unit {
        Unit::Week => calendar::nth_week(of, nth),
        Unit::Weekend => {
            let saturday = calendar::nth_weekday(of, nth, 6)?;
            Some(Period::stretch(saturday, add_days(saturday, 2)?, Precision::Day))
        }
        Unit::Second | Unit::Minute | Unit::Hour | Unit::Fortnight => None,
        Unit::Day | Unit::Month | Unit::Quarter | Unit::Year | Unit::Decade | Unit::Century => {
            let steps = i32::from(nth);
            let base = if nth > 0 { of.first()? } else { add_days(of.end?.date(), -1)? };
            let found = calendar::unit(base, unit, if nth > 0 { steps - 1 } else { steps + 1 })?;
            of.holds(found.start?).then_some(found)
        }
    }
}

pub(super) fn weekend_of(date: Date) -> Option<Period> {
    // The weekend after a day of the week, the same one on a weekend.
    calendar::unit(date, Unit::Weekend, 0)
}

pub(super) fn unit_from(from: &Period, unit: Unit, offset: i32) -> Option<Period> {
    let base = from.first()?;
    let found = calendar::unit(base, unit, offset)?;
    // "The weekend before Friday" is the one that is over by then.
    let begins = calendar::unit(base, unit, 0)?.start?;
    let whole_later = begins > midnight(base) && offset > 0;
    if whole_later { calendar::unit(base, unit, offset - 1) } else { Some(found) }
}

pub(super) fn count_from(today: Date, count: i32, unit: Unit, way: Way) -> Option<Period> {
    let (months, days, precision) = match unit {
        Unit::Second | Unit::Minute | Unit::Hour => return None,
        Unit::Day => (0, count, Precision::Day),
        Unit::Week => (0, count.checked_mul(7)?, Precision::Day),
        Unit::Fortnight => (0, count.checked_mul(14)?, Precision::Day),
        Unit::Month => (count, 0, Precision::Day),
        Unit::Year => (count.checked_mul(12)?, 0, Precision::Day),
        Unit::Weekend | Unit::Quarter | Unit::Decade | Unit::Century => return whole_units(today, count, unit, way),
    };
    let (start, end) = match way {
        Way::Back => (add_months(add_days(today, -days)?, -months)?, today),
        Way::Ahead => {
            let tomorrow = add_days(today, 1)?;
            (tomorrow, add_months(add_days(tomorrow, days)?, months)?)
        }
    };
    Some(Period::stretch(start, end, precision))
}

fn whole_units(today: Date, count: i32, unit: Unit, way: Way) -> Option<Period> {
    let (first, last) = match way {
        Way::Back => (-count, -1),
        Way::Ahead => (1, count),
    };
    let (first, last) = (calendar::unit(today, unit, first)?, calendar::unit(today, unit, last)?);
    Some(Period { end: last.end, extent: Extent::Range, ..first })
}

pub(super) fn count_of(of: &Period, count: i32, unit: Unit, way: Way) -> Option<Period> {
    let (months, days) = match unit {
        Unit::Day => (0, count),
        Unit::Week => (0, count.checked_mul(7)?),
        Unit::Month => (count, 0),
        Unit::Quarter => (count.checked_mul(3)?, 0),
        Unit::Year => (count.checked_mul(12)?, 0),
        Unit::Second | Unit::Minute | Unit::Hour | Unit::Weekend | Unit::Fortnight | Unit::Decade | Unit::Century => {
            return None;
        }
    };
    let step = |date: Date, sign: i32| add_months(add_days(date, sign.checked_mul(days)?)?, sign.checked_mul(months)?);
    let (start, end) = match way {
        Way::Ahead => (of.first()?, step(of.first()?, 1)?),
        Way::Back => (step(of.end?.date(), -1)?, of.end?.date()),
    };
    Some(Period::stretch(start, end, Precision::Day))
}

pub(super) fn part_of(at: Setting, part: Part, of: &Expr) -> Option<Period> {
    let whole = place(of, at)?;
    let (first, end) = (whole.first()?, whole.end?.date());
    let today = at.today();
    match part {
        Part::Rest => return Some(Period::stretch(today, end, Precision::Day)),
        Part::Earlier => return Some(Period::stretch(first, today, Precision::Day)),
        Part::Later => {
            let middle = middle(&whole)?;
            return Some(Period::stretch(today.max(middle), end, Precision::Day));
        }
        Part::Beginning | Part::Early | Part::Middle | Part::Late | Part::End => {}
    }
    let months = |from: i32, count: i32| {
        let start = add_months(first, from)?;
        Some(Period::stretch(start, add_months(start, count)?, Precision::Month))
    };
    let days = |from: i32, to: i32| Some(Period::stretch(add_days(first, from)?, add_days(first, to)?, Precision::Day));
    let years = i32::from(end.year()) - i32::from(first.year());
    if years > 1 {
        let (from, to) = match part {
            Part::Beginning | Part::Early => (0, 3),
            Part::Middle => (3, 7),
            Part::Late | Part::End | Part::Earlier | Part::Later | Part::Rest => (7, 10),
        };
        return calendar::years(i32::from(first.year()) + years * from / 10, years * (to - from) / 10);
    }
    match (whole.precision, part) {
        (Precision::Year, Part::Early) => months(0, 6),
        (Precision::Year, Part::Late) => months(6, 6),
        (Precision::Year, Part::Beginning) => months(0, 4),
        (Precision::Year, Part::Middle) => months(4, 4),
        (Precision::Year, Part::End) => months(8, 4),
        (Precision::Season, Part::Early | Part::Beginning) => months(0, 1),
        (Precision::Season, Part::Middle) => months(1, 1),
        (Precision::Season, Part::Late | Part::End) => months(2, 1),
        (Precision::Month, Part::Early | Part::Beginning) => days(0, 10),
        (Precision::Month, Part::Middle) => days(10, 20),
        (Precision::Month, Part::Late | Part::End) => Some(Period::stretch(add_days(first, 20)?, end, Precision::Day)),
        (Precision::Week, Part::Early | Part::Beginning) => days(0, 3),
        (Precision::Week, Part::Middle) => days(2, 4),
        (Precision::Week, Part::Late | Part::End) => days(4, 7),
        _ => Some(whole),
    }
}

fn middle(whole: &Period) -> Option<Date> {
    let first = whole.first()?;
    match whole.precision {
        Precision::Year => add_months(first, 6),
        Precision::Month => add_days(first, 15),
        Precision::Week => add_days(first, 3),
        Precision::Season | Precision::Day | Precision::Instant | Precision::Unknown => Some(first),
    }
}
