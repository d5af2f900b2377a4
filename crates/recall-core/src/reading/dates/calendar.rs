//! Periods of the civil calendar and steps between them; every step that leaves the calendar is `None`.

use jiff::civil::{Date, DateTime, Weekday};
use jiff::{Span, civil};

use super::expr::{Amount, Way};
use super::lexicon::Unit;
use super::{Extent, Precision};

/// A stretch of civil time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Period {
    /// First moment; none where the start is unknown.
    pub(super) start: Option<DateTime>,
    /// First moment after it; none where the end is unknown.
    pub(super) end: Option<DateTime>,
    /// The very day that was counted to, inside a coarser period.
    pub(super) counted: Option<DateTime>,
    pub(super) precision: Precision,
    pub(super) extent: Extent,
}

impl Period {
    /// A closed period.
    pub(super) fn closed(start: Date, end: Date, precision: Precision) -> Self {
        let (start, end) = (Some(midnight(start)), Some(midnight(end)));
        Self { start, end, counted: None, precision, extent: Extent::Period }
    }

    /// A period that no precision names (a quarter, a weekend).
    pub(super) fn stretch(start: Date, end: Date, precision: Precision) -> Self {
        Self { extent: Extent::Range, ..Self::closed(start, end, precision) }
    }

    /// A civil day.
    pub(super) fn day(date: Date) -> Option<Self> {
        Some(Self::closed(date, add_days(date, 1)?, Precision::Day))
    }

    pub(super) fn first(&self) -> Option<Date> {
        self.start.map(DateTime::date)
    }

    pub(super) fn holds(&self, at: DateTime) -> bool {
        self.start.is_some_and(|start| start <= at) && self.end.is_some_and(|end| at < end)
    }
}

pub(super) fn midnight(date: Date) -> DateTime {
    date.to_datetime(civil::Time::midnight())
}

pub(super) fn add_days(date: Date, days: i32) -> Option<Date> {
    date.checked_add(Span::new().try_days(days).ok()?).ok()
}

pub(super) fn add_months(date: Date, months: i32) -> Option<Date> {
    date.checked_add(Span::new().try_months(months).ok()?).ok()
}

/// Monday is 1.
pub(super) fn weekday_of(date: Date) -> i32 {
    i32::from(date.weekday().to_monday_one_offset())
}

pub(super) fn weekday(day: i8) -> Option<Weekday> {
    Weekday::from_monday_one_offset(day).ok()
}

pub(super) fn monday(date: Date) -> Option<Date> {
    add_days(date, 1 - weekday_of(date))
}

/// Adds or takes a length of time.
pub(super) fn shift(at: DateTime, amount: &Amount, way: Way) -> Option<DateTime> {
    let sign = match way {
        Way::Back => -1,
        Way::Ahead => 1,
    };
    let days = Span::new().try_months(sign * amount.months).ok()?.try_days(sign * amount.days).ok()?;
    let seconds = Span::new().try_seconds(i64::from(sign) * amount.seconds).ok()?;
    at.checked_add(days).ok()?.checked_add(seconds).ok()
}

/// The unit some steps away from the one that holds a day.
pub(super) fn unit(date: Date, unit: Unit, offset: i32) -> Option<Period> {
    let months = |start: Date, length: i32| add_months(start.first_of_month(), length.checked_mul(offset)?);
    match unit {
        Unit::Second | Unit::Minute | Unit::Hour | Unit::Day => Period::day(add_days(date, offset)?),
        Unit::Week => {
            let start = add_days(monday(date)?, offset.checked_mul(7)?)?;
            Some(Period::closed(start, add_days(start, 7)?, Precision::Week))
        }
        Unit::Weekend => {
            let start = add_days(monday(date)?, offset.checked_mul(7)?.checked_add(5)?)?;
            Some(Period::stretch(start, add_days(start, 2)?, Precision::Day))
        }
        Unit::Fortnight => {
            let start = add_days(monday(date)?, offset.checked_mul(14)?)?;
            Some(Period::stretch(start, add_days(start, 14)?, Precision::Week))
        }
        Unit::Month => {
            let start = months(date, 1)?;
            Some(Period::closed(start, add_months(start, 1)?, Precision::Month))
        }
        Unit::Quarter => {
            let first = Date::new(date.year(), (date.month() - 1) / 3 * 3 + 1, 1).ok()?;
            let start = months(first, 3)?;
            Some(Period::stretch(start, add_months(start, 3)?, Precision::Month))
        }
        Unit::Year => year(i32::from(date.year()).checked_add(offset)?),
        Unit::Decade => years(i32::from(date.year()).div_euclid(10).checked_add(offset)?.checked_mul(10)?, 10),
        Unit::Century => years(i32::from(date.year()).div_euclid(100).checked_add(offset)?.checked_mul(100)?, 100),
    }
}

/// A civil year.
pub(super) fn year(number: i32) -> Option<Period> {
    Some(Period { extent: Extent::Period, ..years(number, 1)? })
}

/// Some years.
pub(super) fn years(from: i32, count: i32) -> Option<Period> {
    let first = |year: i32| Date::new(i16::try_from(year).ok()?, 1, 1).ok();
    Some(Period::stretch(first(from)?, first(from.checked_add(count)?)?, Precision::Year))
}

/// Some months of a year, from the first of one.
pub(super) fn months(year: i16, month: i8, count: i32, precision: Precision) -> Option<Period> {
    let start = Date::new(year, month, 1).ok()?;
    Some(Period::closed(start, add_months(start, count)?, precision))
}

/// The n-th week of a month or year; a week belongs where its Thursday lies.
pub(super) fn nth_week(of: &Period, nth: i8) -> Option<Period> {
    let (first, last) = (of.first()?, add_days(of.end?.date(), -1)?);
    let thursday = if nth > 0 {
        let first = add_days(first, (4 - weekday_of(first)).rem_euclid(7))?;
        add_days(first, 7 * (i32::from(nth) - 1))?
    } else {
        let last = add_days(last, -(weekday_of(last) - 4).rem_euclid(7))?;
        add_days(last, 7 * (i32::from(nth) + 1))?
    };
    (of.first()? <= thursday && thursday <= last).then(|| unit(thursday, Unit::Week, 0))?
}

/// The n-th weekday inside a period.
pub(super) fn nth_weekday(of: &Period, nth: i8, day: i8) -> Option<Date> {
    let (first, last) = (of.first()?, add_days(of.end?.date(), -1)?);
    let day = i32::from(day);
    let found = if nth > 0 {
        add_days(first, (day - weekday_of(first)).rem_euclid(7) + 7 * (i32::from(nth) - 1))?
    } else {
        add_days(last, -(weekday_of(last) - day).rem_euclid(7) + 7 * (i32::from(nth) + 1))?
    };
    (first <= found && found <= last).then_some(found)
}

/// First moment of the period of a precision that holds a moment.
pub(super) fn floor(at: DateTime, precision: Precision) -> Option<DateTime> {
    let date = at.date();
    let first = match precision {
        Precision::Instant => return Some(at),
        Precision::Day | Precision::Unknown => date,
        Precision::Week => monday(date)?,
        Precision::Month => date.first_of_month(),
        Precision::Season => season_start(date)?,
        Precision::Year => date.first_of_year(),
    };
    Some(midnight(first))
}

fn season_start(date: Date) -> Option<Date> {
    add_months(date.first_of_month(), -i32::from(date.month() % 3))
}

/// First moment after the period of a precision that begins then.
pub(super) fn ceiling(start: DateTime, precision: Precision) -> Option<DateTime> {
    let date = start.date();
    let next = match precision {
        Precision::Instant => return Some(start),
        Precision::Day | Precision::Unknown => add_days(date, 1)?,
        Precision::Week => add_days(date, 7)?,
        Precision::Month => add_months(date, 1)?,
        Precision::Season => add_months(date, 3)?,
        Precision::Year => add_months(date, 12)?,
    };
    Some(midnight(next))
}
