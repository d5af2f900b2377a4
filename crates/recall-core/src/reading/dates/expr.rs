//! What a time expression says before it is placed on a calendar: the words' meaning without a reference moment.

use super::lexicon::Unit;

/// Which year a yearless date belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// A year by number.
    Year(i16),
    /// Years from the present one.
    Years(i16),
    /// The words leave it open.
    Open,
    /// "this"
    This,
    /// "last": the latest one that is over.
    Last,
    /// "next": the first one that has not begun.
    Next,
}

/// Which weekday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The words leave it open.
    Open,
    /// "this Friday"
    This,
    /// "last Friday": the latest before today.
    Last,
    /// "the previous Friday": of the week before this one.
    Previous,
    /// "next Friday": of the week after this one.
    Next,
    /// "the coming Friday": the first after today.
    Coming,
}

/// Before or after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Back,
    Ahead,
}

/// A part of a longer period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Beginning,
    Early,
    Middle,
    Late,
    End,
    /// From the start up to today.
    Earlier,
    /// From today, or the middle, to the end.
    Later,
    /// From today to the end.
    Rest,
}

/// A length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) months: i32,
    pub(super) days: i32,
    pub(super) seconds: i64,
    /// The smallest unit named.
    pub(super) finest: Unit,
    /// "a few", "several"
    pub(super) vague: bool,
}

/// A clock time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) hour: i8,
    pub(super) minute: i8,
    pub(super) second: i8,
}

/// The meaning of a time expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    /// The moment of speaking.
    Now,
    /// Days from today.
    Day(i32),
    /// A weekday by itself.
    Weekday {
        day: i8,
        which: Which,
    },
    /// A weekday of the week of something.
    WeekdayOf {
        day: i8,
        week: Box<Expr>,
    },
    /// The n-th weekday before or after something.
    WeekdayFrom {
        day: i8,
        count: i32,
        way: Way,
        from: Box<Expr>,
    },
    /// The n-th weekday in a month or year; from the end where negative.
    NthWeekday {
        nth: i8,
        day: i8,
        of: Box<Expr>,
    },
    /// The n-th day, week or weekend in a month or year; from the end where negative.
    NthUnit {
        nth: i8,
        unit: Unit,
        of: Box<Expr>,
    },
    /// A day of a month.
    Date {
        of: Of,
        month: i8,
        day: i8,
        weekday: Option<i8>,
    },
    /// A day of a month that is told otherwise ("the 20th of next month").
    DayOf {
        day: i8,
        of: Box<Expr>,
    },
    /// A day of some month.
    DayOpen {
        day: i8,
        weekday: Option<i8>,
    },
    Month {
        of: Of,
        month: i8,
    },
    Season {
        of: Of,
        month: i8,
    },
    Quarter {
        of: Of,
        nth: i8,
    },
    Half {
        of: Of,
        nth: i8,
    },
    Week {
        of: Of,
        nth: i8,
    },
    Year(i16),
    /// From a year on for some years.
    Years {
        from: i16,
        count: i16,
    },
    Holiday {
        of: Of,
        index: usize,
    },
    /// "the weekend": the one just gone or the one to come.
    Weekend,
    /// A yearless date nearest to another ("Thanksgiving in nine months").
    Nearest {
        of: Box<Expr>,
        to: Box<Expr>,
    },
    /// The weekend of, or nearest to, something.
    WeekendOf(Box<Expr>),
    /// The week of something.
    WeekOf(Box<Expr>),
    /// Units from the present one.
    Unit {
        unit: Unit,
        offset: i32,
    },
    /// Units from the one something lies in.
    UnitFrom {
        unit: Unit,
        offset: i32,
        from: Box<Expr>,
    },
    /// The last or next so many units.
    Count {
        count: i32,
        unit: Unit,
        way: Way,
    },
    /// The first or last so many units of something.
    CountOf {
        count: i32,
        unit: Unit,
        way: Way,
        of: Box<Expr>,
    },
    /// So much before or after something.
    Shift {
        amount: Amount,
        way: Way,
        from: Box<Expr>,
    },
    /// So much from something on.
    Lasting {
        amount: Amount,
        from: Box<Expr>,
    },
    Part {
        part: Part,
        of: Box<Expr>,
    },
    At {
        day: Box<Expr>,
        clock: Clock,
    },
    Range(Box<Expr>, Box<Expr>),
    Since(Box<Expr>),
    After(Box<Expr>),
    Until(Box<Expr>),
    Before(Box<Expr>),
    /// Again and again.
    Recurring,
}

impl Expr {
    /// How much of the calendar the words leave open: 0 nothing, 1 the year, 2 the month or week.
    pub(super) fn openness(&self) -> u8 {
        if let Self::At { day: inner, .. }
        | Self::Part { of: inner, .. }
        | Self::DayOf { of: inner, .. }
        | Self::NthWeekday { of: inner, .. }
        | Self::NthUnit { of: inner, .. }
        | Self::WeekOf(inner)
        | Self::WeekendOf(inner) = self
        {
            return inner.openness();
        }
        let days = matches!(self, Self::Weekday { which: Which::Open, .. } | Self::DayOpen { .. } | Self::Weekend);
        match self.of() {
            Some(Of::Open) => 1,
            Some(Of::Year(_) | Of::Years(_) | Of::This | Of::Last | Of::Next) => 0,
            None => u8::from(days) * 2,
        }
    }

    /// Which year a date that comes round every year belongs to.
    fn of(&self) -> Option<Of> {
        if let Self::Date { of, .. }
        | Self::Month { of, .. }
        | Self::Season { of, .. }
        | Self::Quarter { of, .. }
        | Self::Half { of, .. }
        | Self::Week { of, .. }
        | Self::Holiday { of, .. } = self
        {
            return Some(*of);
        }
        None
    }

    /// The place of the year in a date that comes round every year, or in what a part is taken of.
    fn of_mut(&mut self) -> Option<&mut Of> {
        if let Self::Part { of: inner, .. } | Self::NthWeekday { of: inner, .. } | Self::NthUnit { of: inner, .. } =
            self
        {
            return inner.of_mut();
        }
        if let Self::Date { of, .. }
        | Self::Month { of, .. }
        | Self::Season { of, .. }
        | Self::Quarter { of, .. }
        | Self::Half { of, .. }
        | Self::Week { of, .. }
        | Self::Holiday { of, .. } = self
        {
            return Some(of);
        }
        None
    }

    /// The same in a certain year; `None` where the words name one already or it comes round otherwise.
    pub(super) fn with_year(mut self, year: Of) -> Option<Self> {
        let of = self.of_mut().filter(|of| **of == Of::Open)?;
        *of = year;
        Some(self)
    }
}
