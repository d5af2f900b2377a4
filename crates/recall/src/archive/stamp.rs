//! Times before the lines of a transcript, as phones and recorders write them; day and month are never guessed.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

/// A time as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stamp {
    /// A date and time that can be read in one way only, with the offset where one is written.
    At(DateTime, Option<Offset>),
    /// Day and month, or month and day.
    Numbers { first: i8, second: i8, year: i16, time: Time },
    /// A place in a recording, or a time of some day.
    Elapsed,
}

/// Which of the two numbers of a date is the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    DayFirst,
    MonthFirst,
    Unknown,
}

/// A time at the beginning of a line, in brackets or before ` - `, and what follows it.
pub(super) fn leading(line: &str) -> Option<(Stamp, &str)> {
    if let Some((written, rest)) = bracketed(line) {
        return Some((read(written).or_else(|| day(written))?, rest));
    }
    let line = line.trim_start_matches(is_mark);
    let (written, rest) = line.split_once(" - ").filter(|(date, _)| begins_with_figure(date))?;
    Some((read(written)?, behind(rest)))
}

/// What stands in brackets at the beginning of a line, and what follows it.
pub(super) fn bracketed(line: &str) -> Option<(&str, &str)> {
    let (written, rest) = line.trim_start_matches(is_mark).strip_prefix('[')?.split_once(']')?;
    Some((written, behind(rest)))
}

/// Whether a text looks like a time, readable or not.
pub(super) fn is_meant(written: &str) -> bool {
    begins_with_figure(written.trim()) && written.contains([':', '-', '/', '.'])
}

/// A date with a time at the beginning of a line, with nothing around it: `2026-05-02 10:00 Ana: hello`.
pub(super) fn unmarked(line: &str) -> Option<(Stamp, &str)> {
    let line = line.trim_start_matches(is_mark);
    let spaces = line.match_indices(' ').map(|(at, _)| at).take(3).collect::<Vec<_>>();
    let parts = spaces.into_iter().rev().map(|at| line.split_at(at)).filter(|(date, _)| begins_with_figure(date));
    parts.filter_map(|(date, rest)| Some((read(date)?, behind(rest)))).find(|(stamp, _)| *stamp != Stamp::Elapsed)
}

fn behind(rest: &str) -> &str {
    rest.trim_start_matches(|c: char| c == ' ' || is_mark(c))
}

fn begins_with_figure(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// A time.
pub(super) fn read(written: &str) -> Option<Stamp> {
    let written = written.trim_matches(is_mark).replace(['\u{a0}', '\u{202f}'], " ");
    let written = written.trim();
    if let Ok(pieces) = Pieces::parse(written) {
        // A bare date is no stamp: "2026-05-02: we met" is a sentence.
        return Some(Stamp::At(pieces.date().to_datetime(pieces.time()?), pieces.to_numeric_offset()));
    }
    numbers(written).or_else(|| named(written)).or_else(|| is_elapsed(written).then_some(Stamp::Elapsed))
}

/// A day alone, where what stands around it shows that it is meant as a time: its beginning.
pub(super) fn day(written: &str) -> Option<Stamp> {
    let day: Date = written.trim().parse().ok()?;
    Some(Stamp::At(day.to_datetime(Time::midnight()), None))
}

/// `May 2, 2025 10:00 AM`, `2. May 2025, 10:00`.
fn named(written: &str) -> Option<Stamp> {
    let words: Vec<&str> = written.split([' ', ',']).filter(|word| !word.is_empty() && *word != "at").collect();
    let [first, second, year, clock @ ..] = words.as_slice() else { return None };
    let (month, day) = month(first).map(|month| (month, second)).or_else(|| Some((month(second)?, first)))?;
    let day = day.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
    let date = Date::new(year.parse().ok()?, month, day).ok()?;
    let time = if clock.is_empty() { Time::midnight() } else { clock_time(&clock.join(" "))? };
    Some(Stamp::At(date.to_datetime(time), None))
}

/// A month by its English name, whole or by its first letters.
fn month(word: &str) -> Option<i8> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = word.trim_end_matches('.').to_lowercase();
    let at = NAMES.iter().position(|name| name.starts_with(&word)).filter(|_| word.len() >= 3)?;
    i8::try_from(at + 1).ok()
}

/// `02.05.26, 10:00:31` and the like.
fn numbers(written: &str) -> Option<Stamp> {
    let (date, clock) = written.split_once([',', ' '])?;
    let time = clock_time(clock.trim())?;
    let separator = date.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, '.' | '/' | '-'))?;
    let numbers: Vec<i16> = date.split(separator).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let &[first, second, third] = numbers.as_slice() else { return None };
    let small = |number: i16| i8::try_from(number).ok();
    if first > 31 {
        return Some(Stamp::At(Date::new(first, small(second)?, small(third)?).ok()?.to_datetime(time), None));
    }
    let (first, second, year) = (small(first)?, small(second)?, if third < 100 { third + 2000 } else { third });
    match separator {
        // Only the day comes first where they are written with dots.
        '.' => Some(Stamp::At(Date::new(year, second, first).ok()?.to_datetime(time), None)),
        _ => {
            let is_date = Date::new(year, second, first).is_ok() || Date::new(year, first, second).is_ok();
            is_date.then_some(Stamp::Numbers { first, second, year, time })
        }
    }
}

/// The order of day and month under which every date exists and time does not run backwards; unknown where both orders do.
pub(super) fn order(stamps: &[Stamp]) -> Order {
    let fits = |order: Order| {
        let times: Option<Vec<DateTime>> =
            stamps.iter().filter(|stamp| **stamp != Stamp::Elapsed).map(|stamp| stamp.at(order)).collect();
        times.is_some_and(|times| times.is_sorted())
    };
    match (fits(Order::DayFirst), fits(Order::MonthFirst)) {
        (true, false) => Order::DayFirst,
        (false, true) => Order::MonthFirst,
        (true, true) | (false, false) => Order::Unknown,
    }
}

impl Stamp {
    /// The moment as it is written down, with its offset where it has one.
    pub(super) fn written(&self, order: Order) -> Option<String> {
        match self {
            Self::At(at, Some(offset)) => Some(offset.to_timestamp(*at).ok()?.display_with_offset(*offset).to_string()),
            Self::At(..) | Self::Numbers { .. } | Self::Elapsed => self.at(order).map(|at| at.to_string()),
        }
    }

    /// The moment, without offset, where it is one.
    fn at(&self, order: Order) -> Option<DateTime> {
        match (self, order) {
            (Self::At(at, _), _) => Some(*at),
            (Self::Numbers { first, second, year, time }, _) if first == second => {
                Some(Date::new(*year, *first, *second).ok()?.to_datetime(*time))
            }
            (Self::Numbers { first, second, year, time }, Order::DayFirst) => {
                Some(Date::new(*year, *second, *first).ok()?.to_datetime(*time))
            }
            (Self::Numbers { first, second, year, time }, Order::MonthFirst) => {
                Some(Date::new(*year, *first, *second).ok()?.to_datetime(*time))
            }
            (Self::Numbers { .. }, Order::Unknown) | (Self::Elapsed, _) => None,
        }
    }
}

/// Invisible marks that phones put before a line.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{feff}')
}

fn is_elapsed(written: &str) -> bool {
    let is_place = |part: &str| {
        begins_with_figure(part)
            && part.chars().all(|c| c.is_ascii_digit() || ":.hms".contains(c))
            && (part.contains(':') || part.ends_with(['h', 'm', 's']))
    };
    let mut parts = written.split([' ', ',']).filter(|part| !matches!(*part, "" | "-" | "->" | "-->")).peekable();
    parts.peek().is_some() && parts.all(is_place)
}

/// `15:58`, `15:58:47`, `3:58 PM`.
fn clock_time(written: &str) -> Option<Time> {
    let lower = written.to_lowercase().replace('.', "");
    let (figures, half) = match lower
        .strip_suffix('m')
        .and_then(|clock| clock.char_indices().next_back().map(|(at, half)| (clock.get(..at), half)))
    {
        Some((Some(figures), half @ ('a' | 'p'))) => (figures.trim().to_owned(), Some(half)),
        Some(_) | None => (lower, None),
    };
    let numbers: Vec<i8> = figures.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let (hour, minute, second) = match numbers.as_slice() {
        [hour, minute] => (*hour, *minute, 0),
        [hour, minute, second] => (*hour, *minute, *second),
        _ => return None,
    };
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some('p') => hour % 12 + 12,
        Some(_) => hour % 12,
        None => hour,
    };
    Time::new(hour, minute, second, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(written: &str, order: Order) -> Option<String> {
        read(written)?.written(order)
    }

    #[test]
    fn times_of_phones_and_recorders_are_read() {
        for (written, wanted) in [
            ("2026-05-02 10:00", Some("2026-05-02T10:00:00")),
            ("02.05.26, 10:00:31", Some("2026-05-02T10:00:31")),
            ("2.5.2026 10:00", Some("2026-05-02T10:00:00")),
            ("2026/05/02, 10:00", Some("2026-05-02T10:00:00")),
            ("02/05/2026, 10:00", Some("2026-05-02T10:00:00")),
            ("2/5/26, 12:07\u{202f}AM", Some("2026-05-02T00:07:00")),
            ("2/5/26, 1:07 p.m.", Some("2026-05-02T13:07:00")),
            ("2026-05-02T10:00:00+02:00", Some("2026-05-02T10:00:00+02:00")),
            ("2026-05-02 10:00Z", Some("2026-05-02T10:00:00+00:00")),
            ("May 2, 2026 10:00 AM", Some("2026-05-02T10:00:00")),
            ("2. Sept 2026, 15:07", Some("2026-09-02T15:07:00")),
            ("31/02/26, 10:00", None),
            ("2026-13-45 10:00", None),
            ("31.13.26 10:00", None),
            ("Room 2, 2026 10:00", None),
            ("00:12", None),
            ("1h 3m 2s", None),
        ] {
            assert_eq!(at(written, Order::DayFirst).as_deref(), wanted, "{written}");
        }
        assert_eq!(read("00:12:30.500"), Some(Stamp::Elapsed));
        assert_eq!(read("3s"), Some(Stamp::Elapsed));
        assert_eq!(read("00:12 -> 00:15"), Some(Stamp::Elapsed));
        assert_eq!(
            day("2026-05-02").and_then(|day| day.written(Order::Unknown)).as_deref(),
            Some("2026-05-02T00:00:00")
        );
        for no in ["a note", "2026-05-02", "12", "room 3", "Re: lunch", "13:07 PM"] {
            assert_eq!(read(no), None, "{no}");
        }
    }

    #[test]
    fn day_and_month_are_told_apart_by_the_whole_file_or_not_at_all() {
        let of = |written: &[&str]| order(&written.iter().map(|text| read(text).expect("a time")).collect::<Vec<_>>());
        assert_eq!(of(&["2/5/26, 10:00", "13/5/26, 10:00"]), Order::DayFirst);
        assert_eq!(of(&["2/5/26, 10:00", "2/28/26, 10:00"]), Order::MonthFirst);
        // Months would run backwards.
        assert_eq!(of(&["9/4/26, 10:00", "2/5/26, 10:00"]), Order::DayFirst);
        assert_eq!(of(&["2/5/26, 10:00", "2/6/26, 10:00"]), Order::Unknown);
    }
}
