//! The grammar of time expressions: a point, what may follow it, and what may bound it; depth is limited so that no text costs more than its length.

use super::expr::{Expr, Of};
use super::lexicon::Unit;
use super::words::Words;
use super::{clocks, named, numbers, numeric, relative, steps, years};

/// A meaning and the place of the word after it.
pub(super) type Found = (Expr, usize);

/// Levels of nesting ("the week before the end of ...").
const DEPTH: u8 = 3;

/// Where the grammar reads, and what it knows of the words before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) words: &'a Words<'a>,
    pub(super) depth: u8,
    /// A word before this place makes a time word of a word that could be another.
    pub(super) cued: Option<usize>,
    /// A year stands before this place, joined by "and" or "or".
    pub(super) year_before: Option<usize>,
    /// Inside "from ... to ...".
    pub(super) ranged: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(words: &'a Words<'a>, year_before: Option<usize>) -> Self {
        Self { words, depth: 0, cued: None, year_before, ranged: false }
    }

    pub(super) fn deeper(self) -> Option<Self> {
        (self.depth < DEPTH).then_some(Self { depth: self.depth + 1, ..self })
    }

    pub(super) fn cue(self, at: usize) -> Self {
        Self { cued: Some(at), ..self }
    }

    /// A whole expression: bounded, recurring, a range or a point.
    pub(super) fn expression(self, at: usize) -> Option<Found> {
        self.recurring(at).or_else(|| self.bounded(at)).or_else(|| self.span(at)).map(|found| self.or_later(found))
    }

    /// `from ... to ...` without its first word, or a point.
    fn span(self, at: usize) -> Option<Found> {
        let days = self.days_to_days(at);
        if days.is_some() {
            return days;
        }
        let (first, next) = self.point(at)?;
        self.to(&first, next, &["to", "-", "until", "till", "til", "through", "thru"]).or(Some((first, next)))
    }

    pub(super) fn to(self, first: &Expr, at: usize, links: &[&str]) -> Option<Found> {
        let at = if self.words.is(at, "up") { at + 1 } else { at };
        if !self.words.any(at, links) {
            return None;
        }
        let reader = Self { ranged: true, ..self.deeper()? };
        if self.words.any(at + 1, &["date", "now"]) || self.words.is(at + 1, "current") && self.words.is(at + 2, "date")
        {
            let end = if self.words.is(at + 1, "current") { at + 3 } else { at + 2 };
            return Some((Expr::Range(Box::new(first.clone()), Box::new(Expr::Day(0))), end));
        }
        let inner = reader.cue(at + 1);
        let (last, end) = inner.point(at + 1).or_else(|| inner.bare_day(first, at + 1))?;
        Some((Expr::Range(Box::new(first.clone()), Box::new(last)), end))
    }

    /// The second day of "July 13 to 15", and the year behind it.
    fn bare_day(self, first: &Expr, at: usize) -> Option<Found> {
        let at = self.words.skip(at, &["the"]);
        let (day, next) = numbers::month_day(self.words, at)?;
        let clock = self.words.any(next, &[":", "am", "pm", "%"]) || self.words.lex(next).unit.is_some();
        let Expr::Date { of, month, .. } = first else { return None };
        let date = Expr::Date { of: *of, month: *month, day, weekday: None };
        (!clock).then(|| years::with_year(self, (date, next)))
    }

    /// `3 to 9 August`, `4 till 23 next month`: the first day leans on the second.
    pub(super) fn days_to_days(self, at: usize) -> Option<Found> {
        let words = self.words;
        let from = words.skip(at, &["the"]);
        let (day, next) = numbers::month_day(words, from)?;
        let next = if words.is(next, "and") && !self.ranged { return None } else { next };
        if !words.any(next, &["to", "-", "until", "till", "through", "thru", "and"]) {
            return None;
        }
        let (last, end) = self.deeper()?.cue(next + 1).point(next + 1)?;
        let first = if let Expr::Date { of, month, .. } = &last {
            Expr::Date { of: *of, month: *month, day, weekday: None }
        } else if let Expr::DayOf { of, .. } = &last {
            Expr::DayOf { day, of: of.clone() }
        } else if matches!(last, Expr::DayOpen { .. }) && self.ranged {
            Expr::DayOpen { day, weekday: None }
        } else {
            return None;
        };
        Some((Expr::Range(Box::new(first), Box::new(last)), end))
    }

    /// A day or period with what follows it: year, part of the day, clock time.
    pub(super) fn point(self, at: usize) -> Option<Found> {
        let led = self.clock_first(at);
        if led.is_some() {
            return led;
        }
        let at = self.words.skip(at, &["on", "around", "about", "sometime"]);
        let found = named::month_and_day(self, at)
            .or_else(|| relative::relative(self, at))
            .or_else(|| named::named(self, at))
            .or_else(|| numeric::numeric(self.words, at))
            .or_else(|| named::named(self, self.words.skip(at, &["the", "month"])))
            .or_else(|| self.week_day(at))?;
        let found = self.weekend(years::with_year(self, found));
        let found = self.beside(years::with_year(self, found));
        Some(self.with_time(found))
    }

    /// What may follow a yearless date: `Jul 18, Fri`, `Thanksgiving in nine months`, `18 December for 10 days`.
    fn beside(self, found: Found) -> Found {
        let (expr, at) = found;
        let after = self.words.skip(at, &[","]);
        if let (Expr::Date { of, month, day, weekday: None }, Some(weekday)) = (&expr, self.words.lex(after).weekday) {
            let shy = self.words.lex(after).shy && !self.words.is_whole(0..after + 1);
            if after > at && !shy {
                return (Expr::Date { of: *of, month: *month, day: *day, weekday: Some(weekday) }, after + 1);
            }
        }
        if let Some(found) = self.between(&expr, at) {
            return found;
        }
        let lasting = || numbers::amount(self.words, at + 1).filter(|(amount, _)| amount.seconds == 0);
        if is_day(&expr)
            && self.words.is(at, "for")
            && let Some((amount, end)) = lasting()
        {
            return (Expr::Lasting { amount, from: Box::new(expr) }, end);
        }
        if !matches!(expr, Expr::Holiday { of: Of::Open, .. }) {
            return (expr, at);
        }
        match steps::shifted(self, at) {
            Some((to, end)) => (Expr::Nearest { of: Box::new(expr), to: Box::new(to) }, end),
            None => (expr, at),
        }
    }

    /// `November between 19 and 20`, `next week between Wednesday and Friday`.
    fn between(self, expr: &Expr, at: usize) -> Option<Found> {
        let words = self.words;
        if !words.any(at, &["between", "from"]) {
            return None;
        }
        let part = |at: usize| {
            if let Expr::Month { of, month } = expr {
                let (day, next) = numbers::month_day(words, words.skip(at, &["the"]))?;
                return Some((Expr::Date { of: *of, month: *month, day, weekday: None }, next));
            }
            let week = matches!(expr, Expr::Unit { unit: Unit::Week, .. });
            let day = words.lex(at).weekday.filter(|_| week)?;
            Some((Expr::WeekdayOf { day, week: Box::new(expr.clone()) }, at + 1))
        };
        let (first, next) = part(at + 1)?;
        let (last, end) = words.any(next, &["and", "to", "-", "till", "until"]).then(|| part(next + 1))??;
        Some((Expr::Range(Box::new(first), Box::new(last)), end))
    }

    /// `Christmas weekend`, `Halloween week`.
    fn weekend(self, found: Found) -> Found {
        let (expr, at) = found;
        if !matches!(expr, Expr::Holiday { .. }) {
            return (expr, at);
        }
        match self.words.lex(at).unit {
            Some(Unit::Weekend) => (Expr::WeekendOf(Box::new(expr)), at + 1),
            Some(Unit::Week) => (Expr::WeekOf(Box::new(expr)), at + 1),
            _ => (expr, at),
        }
    }

    /// `next week on Tuesday`, `next week Mon`, `the weekend`.
    fn week_day(self, at: usize) -> Option<Found> {
        let words = self.words;
        let own = words.is(at, "the") && words.any(at + 1, &["weekend"]);
        let whole = words.is(at, "all") && words.any(at + 1, &["week", "weekend", "month", "year"]);
        match words.lex(at + 1).unit {
            Some(unit) if whole => Some((Expr::Unit { unit, offset: 0 }, at + 2)),
            _ => own.then_some((Expr::Weekend, at + 2)),
        }
    }

    /// `5pm tomorrow`, `at 7:30 on Friday`.
    fn clock_first(self, at: usize) -> Option<Found> {
        let words = self.words;
        if words.digits(at) == 0 && !words.any(at, &["at", "@", "noon", "midnight", "half"]) {
            return None;
        }
        let (clock, next) = clocks::clock(words, at).or_else(|| {
            let bare = words.digits(at) <= 2 && words.any(at + 1, &["tomorrow", "tonight", "yesterday"]);
            bare.then(|| clocks::clock_bare(words, at))?
        })?;
        let from = words.skip(words.skip(next, &[","]), &["on", "of"]);
        let (day, end) = self.deeper()?.point(from)?;
        if !is_day(&day) {
            return None;
        }
        let clock = match words.lex(end.wrapping_sub(1)).part {
            Some(part) => clocks::within(clock, part),
            None if words.is(end.wrapping_sub(1), "tonight") => clocks::within(clock, 18),
            None => clock,
        };
        Some((Expr::At { day: Box::new(day), clock }, end))
    }

    fn with_time(self, found: Found) -> Found {
        let (mut expr, mut at) = found;
        if let Expr::Unit { unit: Unit::Week, .. } = expr {
            let day = self.words.skip(self.words.skip(at, &[","]), &["on"]);
            if let Some(weekday) = self.words.lex(day).weekday {
                (expr, at) = (Expr::WeekdayOf { day: weekday, week: Box::new(expr) }, day + 1);
            }
        }
        if !is_day(&expr) {
            return (expr, at);
        }
        let told = at.checked_sub(1).map(|before| self.words.text(before));
        let mut part = match told {
            Some("tonight" | "tonite") => Some(18),
            Some(_) => at.checked_sub(1).and_then(|before| self.words.lex(before).part),
            None => None,
        };
        if let Some((hour, next)) = clocks::day_part(self.words, at) {
            (part, at) = (Some(hour), next);
        }
        let from = self.words.skip(at, &[","]);
        let Some((clock, next)) = clocks::clock(self.words, from) else { return (expr, at) };
        let (clock, next) = match clocks::day_part(self.words, next) {
            Some((hour, end)) if part.is_none() => (clocks::within(clock, hour), end),
            _ => (part.map_or(clock, |part| clocks::within(clock, part)), next),
        };
        (Expr::At { day: Box::new(expr), clock }, next)
    }
}

/// A civil day, to which a clock time can be added.
pub(super) fn is_day(expr: &Expr) -> bool {
    if let Expr::Shift { amount, .. } = expr {
        return amount.finest == Unit::Day && amount.seconds == 0;
    }
    matches!(
        expr,
        Expr::Day(_)
            | Expr::Weekday { .. }
            | Expr::WeekdayOf { .. }
            | Expr::WeekdayFrom { .. }
            | Expr::NthWeekday { .. }
            | Expr::Date { .. }
            | Expr::DayOf { .. }
            | Expr::DayOpen { .. }
            | Expr::Holiday { .. }
    )
}
