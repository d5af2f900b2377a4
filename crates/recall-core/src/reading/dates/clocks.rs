//! Clock times and parts of a day; they add to a day and are no date by themselves.

use super::expr::Clock;
use super::numbers;
use super::words::Words;

/// A clock time: `5pm`, `at 6:20`, `half past seven`, `noon`; a bare number only after "at".
pub(super) fn clock(words: &Words<'_>, at: usize) -> Option<(Clock, usize)> {
    let led = words.any(at, &["at", "@", "around", "about", "by", "from", "for"]);
    let from = if led { words.skip(at + 1, &["around", "about", "exactly"]) } else { at };
    let sure = words.any(at, &["at", "@"]);
    spoken(words, from).or_else(|| digital(words, from, sure))
}

fn spoken(words: &Words<'_>, at: usize) -> Option<(Clock, usize)> {
    let whole = |hour: i8| Clock { hour, minute: 0, second: 0 };
    match words.text(at) {
        "noon" | "midday" => return Some((whole(12), at + 1)),
        "midnight" => return Some((whole(0), at + 1)),
        _ => {}
    }
    let from = words.skip(at, &["a"]);
    let (minutes, next) = match words.text(from) {
        "half" => (30, from + 1),
        "quarter" => (15, from + 1),
        _ => {
            let (minutes, next) = numbers::cardinal(words, from).filter(|(minutes, _)| *minutes < 60)?;
            (i8::try_from(minutes).ok()?, words.skip(next, &["minutes", "mins"]))
        }
    };
    let after = words.any(next, &["past", "after"]);
    let before = words.any(next, &["to", "before"]) && from != at || words.is(next, "to") && minutes == 15;
    if !after && !before {
        return None;
    }
    let (hour, next) = match words.text(next + 1) {
        "noon" => (whole(12), next + 2),
        "midnight" => (whole(0), next + 2),
        _ => digital(words, next + 1, true)?,
    };
    let minute = if after { minutes } else { 60 - minutes };
    let hour = if after { hour.hour } else { (hour.hour + 23) % 24 };
    Some((Clock { hour, minute, second: 0 }, next))
}

fn digital(words: &Words<'_>, at: usize, led: bool) -> Option<(Clock, usize)> {
    let (hour, mut next) = numbers::cardinal(words, at).filter(|(hour, _)| *hour < 2400 && words.digits(at) <= 4)?;
    let (mut hour, mut minute, mut second) = (hour, 0, 0);
    let mut sure = led;
    if words.digits(at) >= 3 {
        // "at 730"
        (hour, minute) = (hour / 100, hour % 100);
    } else if words.any(next, &[":", "h"]) && words.glued(next) && words.digits(next + 1) == 2 && words.glued(next + 1)
    {
        minute = words.number(next + 1)?;
        next += 2;
        sure = true;
        if words.is(next, ":") && words.digits(next + 1) == 2 && words.glued(next) {
            second = words.number(next + 1)?;
            next += 2;
        }
    } else if words.is(next, "h") && words.glued(next) {
        next += 1;
        sure = true;
    }
    if words.any(next, &["ish", "o'clock", "oclock"]) {
        next += 1;
        sure = true;
    }
    let (half, next) = half_day(words, next);
    let hour = match half {
        Some(afternoon) if (1..=12).contains(&hour) => hour % 12 + if afternoon { 12 } else { 0 },
        Some(_) | None => hour,
    };
    if !(sure || half.is_some()) || hour > 24 || minute > 59 || second > 59 {
        return None;
    }
    let clock = Clock {
        hour: i8::try_from(hour % 24).ok()?,
        minute: i8::try_from(minute).ok()?,
        second: i8::try_from(second).ok()?,
    };
    Some((clock, next))
}

/// `am` and `pm` in all spellings; true for the afternoon.
fn half_day(words: &Words<'_>, at: usize) -> (Option<bool>, usize) {
    match words.text(at) {
        "am" => (Some(false), at + 1),
        "pm" => (Some(true), at + 1),
        "a" | "p" if words.is(at + 1, ".") && words.is(at + 2, "m") => {
            (Some(words.is(at, "p")), words.skip(at + 3, &["."]))
        }
        "a" | "p" if words.is(at + 1, "m") => (Some(words.is(at, "p")), at + 2),
        "a" | "p" if words.glued(at) => (Some(words.is(at, "p")), at + 1),
        _ => (None, at),
    }
}

/// The end of a part of a day that follows a day: `in the morning`, `night`, `at lunch`; and the hour it begins.
pub(super) fn day_part(words: &Words<'_>, at: usize) -> Option<(i8, usize)> {
    let from = words.skip(words.skip(at, &["in", "at", "during", "-"]), &["the"]);
    let from = words.skip(from, &["early", "late", "mid"]);
    let hour = words.lex(from).part?;
    Some((hour, from + 1))
}

/// A clock time told with a part of the day: "5" in "tomorrow evening at 5" is 17.
pub(super) fn within(clock: Clock, part: i8) -> Clock {
    let later = part >= 12 && clock.hour < 12 && clock.hour > 0;
    Clock { hour: if later { clock.hour + 12 } else { clock.hour }, ..clock }
}

/// An hour in digits beside a day word, where nothing else marks it as a time.
pub(super) fn clock_bare(words: &Words<'_>, at: usize) -> Option<(Clock, usize)> {
    digital(words, at, true)
}
