//! Places a meaning on the calendar: from words and a reference moment to a period, once leaning to the past and once to the future.

use jiff::civil::{Date, DateTime};

use super::calendar::{self, Period, add_days, add_months, midnight};
use super::expr::{Amount, Clock, Expr, Of, Part, Way, Which};
use super::lexicon::Unit;
use super::{Extent, Precision, holidays};

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
    fn today(&self) -> Date {
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
        Expr::NthUnit { nth, unit, of } => nth_unit(&place(of, at)?, *nth, *unit),
        Expr::Date { of, month, day, weekday } => date(at, *of, *month, *day, *weekday),
        Expr::DayOf { day, of } => {
            let first = place(of, at)?.first()?;
            Period::day(Date::new(first.year(), first.month(), *day).ok()?)
        }
        Expr::DayOpen { day, weekday } => Period::day(day_open(at, *day, *weekday)?),
        Expr::Month { .. }
        | Expr::Season { .. }
        | Expr::Quarter { .. }
        | Expr::Half { .. }
        | Expr::Week { .. }
        | Expr::Holiday { .. } => yearly(expr, at),
        Expr::Year(year) => calendar::year(i32::from(*year)),
        Expr::Years { from, count } => calendar::years(i32::from(*from), i32::from(*count)),
        Expr::Weekend => {
            let this = calendar::unit(today, Unit::Weekend, 0)?;
            let begun = this.start? <= at.now;
            if at.lean == Lean::Past && !begun { calendar::unit(today, Unit::Weekend, -1) } else { Some(this) }
        }
        Expr::Nearest { of, to } => {
            let to = place(to, at)?;
            let now = to.counted.or(to.start)?;
            let around = [Lean::Past, Lean::Future].into_iter().filter_map(|lean| place(of, Setting { now, lean }));
            around.min_by_key(|period| period.start.map(|start| now.duration_until(start).as_secs().unsigned_abs()))
        }
        Expr::WeekendOf(of) => weekend_of(place(of, at)?.first()?),
        Expr::WeekOf(of) => calendar::unit(place(of, at)?.first()?, Unit::Week, 0),
        Expr::Unit { unit, offset } => calendar::unit(today, *unit, *offset),
        Expr::UnitFrom { unit, offset, from } => unit_from(&place(from, at)?, *unit, *offset),
        Expr::Count { count, unit, way } => count_from(today, *count, *unit, *way),
        Expr::CountOf { count, unit, way, of } => count_of(&place(of, at)?, *count, *unit, *way),
        Expr::Shift { amount, way, from } => shifted(at, amount, *way, from),
        Expr::Lasting { amount, from } => {
            let start = place(from, at)?.start?;
            let end = calendar::shift(start, amount, Way::Ahead)?;
            Some(Period { end: Some(end), extent: Extent::Range, ..Period::day(start.date())? })
        }
        Expr::Part { part, of } => part_of(at, *part, of),
        Expr::At { day, clock } => clock_at(&place(day, at)?, *clock),
        Expr::Range(from, to) => range(at, from, to),
        Expr::Since(_) | Expr::After(_) | Expr::Until(_) | Expr::Before(_) => open_ended(expr, at),
        Expr::Recurring => Some(Period { start: None, end: None, extent: Extent::Recurring, ..instant(at.now) }),
    }
}

fn instant(at: DateTime) -> Period {
    Period { start: Some(at), end: Some(at), counted: None, precision: Precision::Instant, extent: Extent::Period }
}

fn open_ended(expr: &Expr, at: Setting) -> Option<Period> {
    match expr {
        Expr::Since(from) => Some(Period { end: None, extent: Extent::OpenEnd, ..place(from, at)? }),
        Expr::After(from) => {
            let from = place(from, at)?;
            // "After 1 March" counts from that day on, "after 2018" from the year that follows.
            let start =
                if from.precision <= Precision::Day && from.extent == Extent::Period { from.start } else { from.end };
            Some(Period { start, counted: None, end: None, extent: Extent::OpenEnd, ..from })
        }
        Expr::Until(to) => Some(Period { start: None, counted: None, extent: Extent::OpenStart, ..place(to, at)? }),
        Expr::Before(to) => {
            let to = place(to, at)?;
            Some(Period { start: None, counted: None, end: to.start, extent: Extent::OpenStart, ..to })
        }
        _ => None,
    }
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

fn nth_unit(of: &Period, nth: i8, unit: Unit) -> Option<Period> {
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

fn yearly(expr: &Expr, at: Setting) -> Option<Period> {
    match expr {
        Expr::Month { of, month } => in_year(at, *of, |year| calendar::months(year, *month, 1, Precision::Month)),
        Expr::Season { of, month } => in_year(at, *of, |year| calendar::months(year, *month, 3, Precision::Season)),
        Expr::Quarter { of, nth } => in_year(at, *of, |year| {
            let first = nth.checked_sub(1)?.checked_mul(3)?.checked_add(1)?;
            Some(Period { extent: Extent::Range, ..calendar::months(year, first, 3, Precision::Month)? })
        }),
        Expr::Half { of, nth } => in_year(at, *of, |year| {
            let first = nth.checked_sub(1)?.checked_mul(6)?.checked_add(1)?;
            Some(Period { extent: Extent::Range, ..calendar::months(year, first, 6, Precision::Month)? })
        }),
        // "Week 31" without a year is told of the present year.
        Expr::Week { of, nth } => {
            let of = if *of == Of::Open { Of::This } else { *of };
            let week = |year: i16| calendar::nth_week(&calendar::year(i32::from(year))?, *nth);
            in_year(at, of, |year| week(year))
        }
        Expr::Holiday { of, index } => in_year(at, *of, |year| holidays::period(*index, year)),
        _ => None,
    }
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

fn weekend_of(date: Date) -> Option<Period> {
    // The weekend after a day of the week, the same one on a weekend.
    calendar::unit(date, Unit::Weekend, 0)
}

fn unit_from(from: &Period, unit: Unit, offset: i32) -> Option<Period> {
    let base = from.first()?;
    let found = calendar::unit(base, unit, offset)?;
    // "The weekend before Friday" is the one that is over by then.
    let begins = calendar::unit(base, unit, 0)?.start?;
    let whole_later = begins > midnight(base) && offset > 0;
    if whole_later { calendar::unit(base, unit, offset - 1) } else { Some(found) }
}

fn count_from(today: Date, count: i32, unit: Unit, way: Way) -> Option<Period> {
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

fn count_of(of: &Period, count: i32, unit: Unit, way: Way) -> Option<Period> {
    let days = |count: i32| match unit {
        Unit::Week => count.checked_mul(7),
        Unit::Day => Some(count),
        _ => None,
    };
    let step = |date: Date, sign: i32| match unit {
        Unit::Month => add_months(date, sign.checked_mul(count)?),
        Unit::Quarter => add_months(date, sign.checked_mul(count)?.checked_mul(3)?),
        Unit::Year => add_months(date, sign.checked_mul(count)?.checked_mul(12)?),
        _ => add_days(date, sign.checked_mul(days(count)?)?),
    };
    let (start, end) = match way {
        Way::Ahead => (of.first()?, step(of.first()?, 1)?),
        Way::Back => (step(of.end?.date(), -1)?, of.end?.date()),
    };
    Some(Period::stretch(start, end, Precision::Day))
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

fn part_of(at: Setting, part: Part, of: &Expr) -> Option<Period> {
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
