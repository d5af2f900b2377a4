//! Time expressions of English, resolved against the turn's own time.
//!
//! Words ([`words`], [`lexicon`]) are read by a small grammar into a meaning ([`expr`]), which is placed on the
//! calendar twice ([`meaning`]): once as told of the past, once as told of the future. Where both agree there is one reading.

mod bounds;
mod calendar;
mod clocks;
mod expr;
mod feasts;
mod grammar;
mod holidays;
mod lexicon;
mod meaning;
mod moon;
mod named;
mod numbers;
mod numeric;
mod parts;
mod relative;
mod steps;
mod stretches;
pub(crate) mod tense;
mod words;
mod years;

use std::ops::Range;

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use crate::moment::{Moment, Precision};

use calendar::Period;
use expr::Expr;
use grammar::Reader;
use meaning::{Lean, Setting};
use words::Words;

/// Where the end of a time expression lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// The period of the precision itself.
    Period,
    /// A range with a known last day.
    Range,
    /// From the start on, end unknown ("since March").
    OpenEnd,
    /// Up to the end, start unknown ("until May").
    OpenStart,
    /// Again and again ("every Monday").
    Recurring,
}

/// A time expression in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// First moment of the period in the past reading, else the only reading.
    pub start: Option<Moment>,
    /// First moment of the last day of a range.
    pub until: Option<Moment>,
    /// First moment of the period in the future reading, where the words leave it open ("on Friday").
    pub future: Option<Moment>,
    /// How exact it is.
    pub precision: Precision,
    /// Where its end lies.
    pub extent: Extent,
    /// First moment after the period in the past reading, else the only reading.
    pub end: Option<Moment>,
    /// First moment of the last day of a range in the future reading.
    pub future_until: Option<Moment>,
    /// First moment after the period in the future reading.
    pub future_end: Option<Moment>,
    /// The very day that was counted to, where the period around it is coarser ("three weeks ago").
    pub counted: Option<Moment>,
    /// The words name a year or nothing relative to the year: "in May" leaves it open, "May 2024" does not.
    pub open: bool,
    /// Day and month in digits could be read the other way round as well.
    pub ambiguous: bool,
    /// Normal form of the reading in `start`: `2026-W36`, `2026-08`, `2026-08-03/2026-08-09`, `2018/..`.
    pub normal: String,
}

impl Dated {
    /// The expression in its future reading; itself where there is none.
    pub fn in_future(&self) -> Self {
        if self.future.is_none() && self.future_end.is_none() {
            return self.clone();
        }
        let read = Self { start: self.future, until: self.future_until, end: self.future_end, ..self.clone() };
        Self { future: None, future_until: None, future_end: None, normal: normal_form(&read), ..read }
    }
}

/// The most words of one text that are tried as the beginning of a time expression; what comes after the last of them is
/// read as having no date. The longest turns people write have a tenth of it; tables and dumps of numbers have more.
const MOST: usize = 20_000;

/// The time expressions of a text said at a moment, in order, not overlapping; the first [`MOST`] beginnings are tried.
pub fn find(text: &str, said_at: Moment) -> Vec<Dated> {
    let words = Words::new(text);
    let mut found = Vec::new();
    let mut at = 0;
    let mut tried = 0;
    let mut year_before = None;
    while at < words.len() && tried < MOST {
        let opens = words.lex(at).opens || words.digits(at) > 0 || words.any(at, &["q", "h", "@", "'"]);
        tried += usize::from(opens);
        let read = opens.then(|| Reader::new(&words, year_before).expression(at)).flatten();
        let dated = read.and_then(|(expr, next)| Some((dated(&words, at..next, &expr, said_at)?, expr, next)));
        let Some((dated, expr, next)) = dated else {
            at += 1;
            continue;
        };
        let joined = matches!(expr, Expr::Year(_)) && words.any(next, &["and", "or", ","]);
        year_before = joined.then_some(next + 1);
        found.push(dated);
        at = next.max(at + 1);
    }
    drop_weak(text, &mut found);
    found
}

/// "Just" says when only where its sentence has nothing better ("I just won another one last week").
fn drop_weak(text: &str, found: &mut Vec<Dated>) {
    let is_weak = |dated: &Dated| text.get(dated.span.clone()).is_some_and(|word| word.eq_ignore_ascii_case("just"));
    let strong: Vec<Range<usize>> =
        found.iter().filter(|dated| !is_weak(dated)).map(|dated| dated.span.clone()).collect();
    if strong.is_empty() {
        return;
    }
    let joined = |one: &Range<usize>, other: &Range<usize>| {
        let between = text.get(one.end.min(other.end)..one.start.max(other.start)).unwrap_or_default();
        between.len() < 200 && !between.contains(['.', '!', '?', '\n'])
    };
    found.retain(|dated| {
        let next = strong.partition_point(|span| span.start < dated.span.start);
        let near = [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|at| strong.get(at));
        !is_weak(dated) || !near.into_iter().any(|span| joined(span, &dated.span))
    });
}

/// Whether two expressions name the same time: one lies in the other's period, at the coarser precision of both.
pub fn agree(a: &Dated, b: &Dated) -> bool {
    let readings =
        |dated: &Dated| [(dated.start, dated.end, dated.until), (dated.future, dated.future_end, dated.future_until)];
    readings(a).iter().any(|one| readings(b).iter().any(|other| same_time(one, other, a, b)))
}

type Reading = (Option<Moment>, Option<Moment>, Option<Moment>);

fn same_time(one: &Reading, other: &Reading, a: &Dated, b: &Dated) -> bool {
    let coarser = a.precision.max(b.precision);
    let bound = |first: Option<Moment>, second: Option<Moment>| match (first, second) {
        (Some(first), Some(second)) => calendar::floor(first.civil(), coarser)
            .is_some_and(|floor| Some(floor) == calendar::floor(second.civil(), coarser)),
        (None, None) | (Some(_), None) | (None, Some(_)) => false,
    };
    match (one.0, other.0) {
        // A day inside a range, or two ranges that begin and end alike.
        (Some(start), Some(second)) => {
            let both = a.extent == Extent::Range && b.extent == Extent::Range;
            let inside = |at: Moment, range: &Reading, extent: Extent| {
                extent == Extent::Range
                    && range.0.is_some_and(|start| start <= at)
                    && range.1.is_some_and(|end| at < end)
            };
            if both {
                bound(one.0, other.0) && bound(one.2, other.2)
            } else {
                bound(one.0, other.0) || inside(start, other, b.extent) || inside(second, one, a.extent)
            }
        }
        (None, None) => bound(one.2.or(one.1), other.2.or(other.1)),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn dated(words: &Words<'_>, range: Range<usize>, expr: &Expr, said_at: Moment) -> Option<Dated> {
    let span = words.get(range.start)?.span.start..words.get(range.end.checked_sub(1)?)?.span.end;
    let now = said_at.civil();
    let past = meaning::place(expr, Setting { now, lean: Lean::Past });
    let future = meaning::place(expr, Setting { now, lean: Lean::Future });
    let (first, second) = match (past, future) {
        // A range told of the past that still runs is the one that is meant in the future, too.
        (Some(past), Some(_)) if past.extent == Extent::Range && past.holds(now) => (past, None),
        (Some(past), Some(future)) => (past, (past != future).then_some(future)),
        (Some(only), None) | (None, Some(only)) => (only, None),
        (None, None) => return None,
    };
    let moment = |at: Option<DateTime>| at.and_then(|at| at_offset(at, said_at));
    let ambiguous = range.clone().any(|at| numeric::is_ambiguous(words, at));
    let dated = Dated {
        span,
        start: moment(first.start),
        until: moment(last_day(&first)),
        future: second.and_then(|period| moment(period.start)),
        precision: first.precision,
        extent: first.extent,
        end: moment(first.end),
        future_until: second.and_then(|period| moment(last_day(&period))),
        future_end: second.and_then(|period| moment(period.end)),
        counted: moment(first.counted),
        open: expr.openness() > 0,
        ambiguous,
        normal: String::new(),
    };
    Some(Dated { normal: normal_form(&dated), ..dated })
}

fn at_offset(at: DateTime, said_at: Moment) -> Option<Moment> {
    Some(Moment::new(said_at.offset().to_timestamp(at).ok()?, said_at.offset()))
}

fn last_day(period: &Period) -> Option<DateTime> {
    let bounded = matches!(period.extent, Extent::Range | Extent::OpenStart);
    let end = period.end.filter(|_| bounded)?;
    let last =
        if end.time() == jiff::civil::Time::midnight() { calendar::add_days(end.date(), -1)? } else { end.date() };
    Some(calendar::midnight(last))
}

/// ISO 8601-like form of a reading.
fn normal_form(dated: &Dated) -> String {
    let one = |at: Option<Moment>, precision: Precision| {
        let Some(at) = at else { return "..".to_owned() };
        let date = at.civil().date();
        match precision {
            Precision::Instant => at.to_string(),
            Precision::Day | Precision::Unknown => date.to_string(),
            Precision::Week => {
                let week = date.iso_week_date();
                format!("{:04}-W{:02}", week.year(), week.week())
            }
            Precision::Month => format!("{:04}-{:02}", date.year(), date.month()),
            Precision::Season => format!("{:04}-{:02}/P3M", date.year(), date.month()),
            Precision::Year => format!("{:04}", date.year()),
        }
    };
    match dated.extent {
        Extent::Period => one(dated.start, dated.precision),
        Extent::Range => format!("{}/{}", one(dated.start, Precision::Day), one(dated.until, Precision::Day)),
        Extent::OpenEnd => format!("{}/..", one(dated.start, dated.precision)),
        Extent::OpenStart => format!("../{}", one(dated.until, Precision::Day)),
        Extent::Recurring => "R".to_owned(),
    }
}

#[cfg(test)]
mod tests;
