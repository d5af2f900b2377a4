//! Times before the lines of a transcript, as phones and recorders write them; day and month are never guessed.

use jiff::civil::{Date, DateTime, Time};

/// A time as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stamp {
    /// A date and time that can be read in one way only.
    At(DateTime),
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
    let line = line.trim_start_matches(is_mark);
    let (written, rest) = match line.strip_prefix('[') {
        Some(inside) => inside.split_once(']')?,
        None => line.split_once(" - ").filter(|(date, _)| date.starts_with(|c: char| c.is_ascii_digit()))?,
    };
    Some((read(written)?, rest.trim_start_matches(|c: char| c == ' ' || is_mark(c))))
}

/// A time.
pub(super) fn read(written: &str) -> Option<Stamp> {
    let written = written.trim_matches(is_mark).replace(['\u{a0}', '\u{202f}'], " ");
    let written = written.trim();
    if let Ok(at) = written.replacen(' ', "T", 1).parse::<DateTime>().or_else(|_| written.parse()) {
        // A bare date is no stamp: "2026-05-02: we met" is a sentence.
        return written.contains(':').then_some(Stamp::At(at));
    }
    numbers(written).or_else(|| is_elapsed(written).then_some(Stamp::Elapsed))
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
        return Some(Stamp::At(Date::new(first, small(second)?, small(third)?).ok()?.to_datetime(time)));
    }
    let (first, second, year) = (small(first)?, small(second)?, if third < 100 { third + 2000 } else { third });
    match separator {
        // Only the day comes first where they are written with dots.
        '.' => Some(Stamp::At(Date::new(year, second, first).ok()?.to_datetime(time))),
        _ => Some(Stamp::Numbers { first, second, year, time }),
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
    /// The moment, without offset, where it is one.
    pub(super) fn at(&self, order: Order) -> Option<DateTime> {
        match (self, order) {
            (Self::At(at), _) => Some(*at),
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
    let figures = written.starts_with(|c: char| c.is_ascii_digit())
        && written.chars().all(|c| c.is_ascii_digit() || ":.,hms ->".contains(c));
    figures && (written.contains(':') || written.ends_with(['h', 'm', 's']))
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
        read(written)?.at(order).map(|at| at.to_string())
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
            ("31/02/26, 10:00", None),
            ("00:12", None),
            ("1h 3m 2s", None),
        ] {
            assert_eq!(at(written, Order::DayFirst).as_deref(), wanted, "{written}");
        }
        assert_eq!(read("00:12:30.500"), Some(Stamp::Elapsed));
        assert_eq!(read("3s"), Some(Stamp::Elapsed));
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
