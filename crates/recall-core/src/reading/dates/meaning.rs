//! Places a meaning on the calendar: from words and a reference moment to a period, once leaning to the past and once to the future.

use jiff::civil::{Date, DateTime};

use super::calendar::{self, Period, add_days, add_months, midnight};
use super::expr::{Amount, Clock, Expr, Of, Way, Which};
use super::lexicon::Unit;
use super::{Extent, Precision, holidays, stretches};

/// Which reading is wanted where the words leave it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lean {
    Past,
    Future,
}

/// The reference moment and the reading wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    /// On the speaker's wall.
    pub(super) now: DateTime,
    pub(super) lean: Lean,
}

impl Setting {
    pub(super) fn today(&self) -> Date {
        self.now.date()
    }
}

/// The period a meaning names; `None` where there is no such day.
pub(super) fn place(expr: &Expr, at: Setting) -> Option<Period> {
    let today = at.today();
    match expr {
        Expr::Now => Some(Period { end: Some(at.now), ..instant(at.now) }),
        Expr::Day(days) => Period::day(add_days(today, *days)?),
        Expr::Weekday { day, which } => Period::day(weekday(at, *day, *which)?),
        Expr::WeekdayOf { day, week } => {
            let monday = calendar::monday(place(week, at)?.first()?)?;
            Period::day(add_days(monday, i32::from(*day) - 1)?)
        }
        Expr::WeekdayFrom { day, count, way, from } => weekday_from(at, *day, *count, *way, from),
        Expr::NthWeekday { nth, day, of } => Period::day(calendar::nth_weekday(&place(of, at)?, *nth, *day)?),
        Expr::NthUnit { nth, unit, of } => stretches::nth_unit(&place(of, at)?, *nth, *unit),
        Expr::Date { of, month, day, weekday } => date(at, *of, *month, *day, *weekday),
        Expr::DayOf { day, of } => {
            let first = place(of, at)?.first()?;
            Period::day(Date::new(first.year(), first.month(), *day).ok()?)
        }
        Expr::DayOpen { day, weekday } => Period::day(day_open(at, *day, *weekday)?),
        Expr::Month { of, month } => in_year(at, *of, |year| calendar::months(year, *month, 1, Precision::Month)),
        Expr::Season { of, month } => in_year(at, *of, |year| calendar::months(year, *month, 3, Precision::Season)),
        Expr::Quarter { of, nth } => in_year(at, *of, |year| share_of_year(year, *nth, 3)),
        Expr::Half { of, nth } => in_year(at, *of, |year| share_of_year(year, *nth, 6)),
        Expr::Week { of, nth } => numbered_week(at, *of, *nth),
        Expr::Holiday { of, index } => in_year(at, *of, |year| holidays::period(*index, year)),
        Expr::Year(year) => calendar::year(i32::from(*year)),
        Expr::Years { from, count } => calendar::years(i32::from(*from), i32::from(*count)),
        Expr::Weekend => the_weekend(at),
        Expr::Nearest { of, to } => nearest(at, of, to),
        Expr::WeekendOf(of) => stretches::weekend_of(place(of, at)?.first()?),
        Expr::WeekOf(of) => calendar::unit(place(of, at)?.first()?, Unit::Week, 0),
        Expr::Unit { unit, offset } => calendar::unit(today, *unit, *offset),
        Expr::UnitFrom { unit, offset, from } => stretches::unit_from(&place(from, at)?, *unit, *offset),
        Expr::Count { count, unit, way } => stretches::count_from(today, *count, *unit, *way),
        Expr::CountOf { count, unit, way, of } => stretches::count_of(&place(of, at)?, *count, *unit, *way),
        Expr::Shift { amount, way, from } => shifted(at, amount, *way, from),
        Expr::Lasting { amount, from } => lasting(at, amount, from),
        Expr::Part { part, of } => stretches::part_of(at, *part, of),
        Expr::At { day, clock } => clock_at(&place(day, at)?, *clock),
        Expr::Range(from, to) => range(at, from, to),
        Expr::Since(from) => Some(Period { end: None, extent: Extent::OpenEnd, ..place(from, at)? }),
        Expr::After(from) => after(place(from, at)?),
        Expr::Until(to) => Some(Period { start: None, counted: None, extent: Extent::OpenStart, ..place(to, at)? }),
        Expr::Before(to) => {
            let to = place(to, at)?;
            Some(Period { start: None, counted: None, end: to.start, extent: Extent::OpenStart, ..to })
        }
        Expr::Recurring => Some(Period { start: None, end: None, extent: Extent::Recurring, ..instant(at.now) }),
    }
}

fn the_weekend(at: Setting) -> Option<Period> {
    let this = calendar::unit(at.today(), Unit::Weekend, 0)?;
    let ahead = this.start? > at.now;
    if at.lean == Lean::Past && ahead { calendar::unit(at.today(), Unit::Weekend, -1) } else { Some(this) }
}

fn nearest(at: Setting, of: &Expr, to: &Expr) -> Option<Period> {
    let to = place(to, at)?;
    let now = to.counted.or(to.start)?;
    // "Thanksgiving in two years" is the one of that year.
    let today = at.today();
    if let Expr::Holiday { index, .. } = of
        && (now.month(), now.day()) == (today.month(), today.day())
        && now.year() != today.year()
    {
        return place(&Expr::Holiday { of: Of::Year(now.year()), index: *index }, at);
    }
    let around = [Lean::Past, Lean::Future].into_iter().filter_map(|lean| place(of, Setting { now, lean }));
    around.min_by_key(|period| period.start.map(|start| now.duration_until(start).as_secs().unsigned_abs()))
}

fn lasting(at: Setting, amount: &Amount, from: &Expr) -> Option<Period> {
    let start = place(from, at)?.start?;
    let end = calendar::shift(start, amount, Way::Ahead)?;
    Some(Period { end: Some(end), extent: Extent::Range, ..Period::day(start.date())? })
}

fn instant(at: DateTime) -> Period {
    Period { start: Some(at), end: Some(at), counted: None, precision: Precision::Instant, extent: Extent::Period }
}

/// "After 1 March" counts from that day on, "after 2018" from the year that follows.
fn after(from: Period) -> Option<Period> {
    let day = from.precision <= Precision::Day && from.extent == Extent::Period;
    let start = if day { from.start } else { from.end };
    Some(Period { start, counted: None, end: None, extent: Extent::OpenEnd, ..from })
}

fn weekday(at: Setting, day: i8, which: Which) -> Option<Date> {
    let today = at.today();
    let ahead = (i32::from(day) - calendar::weekday_of(today)).rem_euclid(7);
    let back = if ahead == 0 { 7 } else { 7 - ahead };
    let days = match (which, at.lean) {
        (Which::Last, _) | (Which::Open, Lean::Past) => -back,
        (Which::Open, Lean::Future) => ahead,
        (Which::Coming, _) => {
            if ahead == 0 {
                7
            } else {
                ahead
            }
        }
        (Which::Previous, _) => i32::from(day) - calendar::weekday_of(today) - 7,
        (Which::Next, _) => i32::from(day) - calendar::weekday_of(today) + 7,
        // "This Monday" said on Wednesday: the one of this week in a story, the coming one in a plan.
        (Which::This, Lean::Past) => i32::from(day) - calendar::weekday_of(today),
        (Which::This, Lean::Future) => ahead,
    };
    add_days(today, days)
}

fn weekday_from(at: Setting, day: i8, count: i32, way: Way, from: &Expr) -> Option<Period> {
    let from = place(from, at)?;
    let step = |base: Date, sign: i32| {
        let gap = (sign * (i32::from(day) - calendar::weekday_of(base))).rem_euclid(7);
        let gap = if gap == 0 { 7 } else { gap };
        add_days(base, sign * gap.checked_add(count.checked_sub(1)?.checked_mul(7)?)?)
    };
    Period::day(match way {
        Way::Back => step(from.first()?, -1)?,
        Way::Ahead => step(from.first()?, 1)?,
    })
}

/// The year a yearless period belongs to, from the words or from the lean.
fn in_year(at: Setting, of: Of, build: impl Fn(i16) -> Option<Period>) -> Option<Period> {
    let this = at.today().year();
    let years = || (this.saturating_sub(9)..=this.saturating_add(9)).filter_map(&build);
    let begun = |period: &Period| period.start.is_some_and(|start| start <= at.now);
    let over = |period: &Period| period.end.is_some_and(|end| end <= at.now);
    match (of, at.lean) {
        (Of::Year(year), _) => build(year),
        (Of::Years(offset), _) => build(this.checked_add(offset)?),
        (Of::Open, Lean::Past) => years().rfind(begun),
        (Of::Open, Lean::Future) => years().find(|period| !over(period)),
        (Of::Last, _) => years().rfind(over),
        (Of::Next, _) => years().find(|period| !begun(period)),
        (Of::This, _) => years().find(|period| period.holds(at.now)).or_else(|| build(this)),
    }
}

/// The n-th share of a year that is so many months long.
fn share_of_year(year: i16, nth: i8, length: i8) -> Option<Period> {
    let first = nth.checked_sub(1)?.checked_mul(length)?.checked_add(1)?;
    Some(Period { extent: Extent::Range, ..calendar::months(year, first, i32::from(length), Precision::Month)? })
}

/// "Week 31" without a year is told of the present year.
fn numbered_week(at: Setting, of: Of, nth: i8) -> Option<Period> {
    let of = if of == Of::Open { Of::This } else { of };
    in_year(at, of, |year| calendar::nth_week(&calendar::year(i32::from(year))?, nth))
}

fn date(at: Setting, of: Of, month: i8, day: i8, weekday: Option<i8>) -> Option<Period> {
    let build = |year: i16| Period::day(Date::new(year, month, day).ok()?);
    if let (Of::Open, Some(weekday)) = (of, weekday) {
        let fits = |year: i16| {
            let period = build(year)?;
            let near = year.abs_diff(at.today().year()) <= 3;
            (near && calendar::weekday_of(period.first()?) == i32::from(weekday)).then_some(period)
        };
        if let Some(found) = in_year(at, of, fits) {
            return Some(found);
        }
    }
    in_year(at, of, build)
}

fn day_open(at: Setting, day: i8, weekday: Option<i8>) -> Option<Date> {
    let today = at.today();
    let fits = |months: i32| {
        let first = add_months(today.first_of_month(), months)?;
        let date = Date::new(first.year(), first.month(), day).ok()?;
        weekday.is_none_or(|weekday| calendar::weekday_of(date) == i32::from(weekday)).then_some(date)
    };
    if let (Some(_), Some(date)) = (weekday, fits(0)) {
        return Some(date);
    }
    match at.lean {
        Lean::Past => (-40..=0).rev().filter_map(fits).find(|date| *date <= today),
        Lean::Future => (0..=40).filter_map(fits).find(|date| *date >= today),
    }
}

fn shifted(at: Setting, amount: &Amount, way: Way, from: &Expr) -> Option<Period> {
    let base = place(from, at)?;
    let moved = calendar::shift(base.start?, amount, way)?;
    if amount.seconds != 0 {
        return Some(instant(moved));
    }
    let relative = matches!(from, Expr::Now);
    let precision = match (amount.finest, amount.vague) {
        _ if !relative => Precision::Day,
        (Unit::Day, false) => Precision::Day,
        (Unit::Day, true) | (Unit::Week | Unit::Fortnight | Unit::Weekend, false) => Precision::Week,
        (Unit::Week | Unit::Fortnight | Unit::Weekend, true) | (Unit::Month | Unit::Quarter, false) => Precision::Month,
        (Unit::Month | Unit::Quarter, true) => Precision::Season,
        (Unit::Year | Unit::Decade | Unit::Century, _) => Precision::Year,
        (Unit::Second | Unit::Minute | Unit::Hour, _) => Precision::Instant,
    };
    let start = calendar::floor(moved, precision)?;
    Some(Period {
        start: Some(start),
        end: Some(calendar::ceiling(start, precision)?),
        counted: Some(midnight(moved.date())).filter(|_| precision > Precision::Day),
        precision,
        extent: Extent::Period,
    })
}

fn clock_at(day: &Period, clock: Clock) -> Option<Period> {
    let date = day.first()?;
    let time = jiff::civil::Time::new(clock.hour, clock.minute, clock.second, 0).ok()?;
    (day.precision == Precision::Day).then(|| instant(date.to_datetime(time)))
}

/// From one period to another; the one whose words leave more open follows the other.
fn range(at: Setting, from: &Expr, to: &Expr) -> Option<Period> {
    let (first, last) = if from.openness() > to.openness() {
        let last = place(to, at)?;
        let first = place(from, Setting { now: last.start?, lean: Lean::Past })?;
        (first, last)
    } else {
        let first = place(from, at)?;
        let last = if to.openness() > 0 {
            place(to, Setting { now: first.start?, lean: Lean::Future })?
        } else {
            place(to, at)?
        };
        (first, last)
    };
    let (start, end) = (first.start?, last.end?);
    let precision =
        if last.precision == Precision::Instant { first.precision } else { first.precision.max(last.precision) };
    // A yearless day belongs beside the dated one, not years away from it.
    if from.openness() > to.openness() && first.first()?.duration_until(last.first()?).as_hours() > 24 * 366 {
        return None;
    }
    (start <= end).then_some(Period {
        start: Some(start),
        end: Some(end),
        counted: None,
        precision,
        extent: Extent::Range,
    })
}
