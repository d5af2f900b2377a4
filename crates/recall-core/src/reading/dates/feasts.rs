//! The rules that give the day of a holiday: fixed days, n-th weekdays, Easter, and the Islamic, Hebrew and lunar calendars.

use jiff::civil::Date;

use super::calendar::{self, add_days};
use super::moon::{self, Phase};

/// How the day of a holiday is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// Month and day.
    Fixed(i8, i8),
    /// Month, n-th, weekday.
    Nth(i8, i8, i8),
    /// Days after the n-th weekday: month, n-th, weekday, days.
    AfterNth(i8, i8, i8, i32),
    /// Days from Easter Sunday.
    Easter(i32),
    /// Days from Easter Sunday of the eastern churches.
    Orthodox(i32),
    /// Days from the evening of the first new moon on or after a month and day.
    NewMoon(i8, i8, i32),
    /// The first new moon in China on or after a month and day.
    China(i8, i8),
    /// Days from the evening of the first full moon on or after a month and day.
    FullMoon(i8, i8, i32),
    /// Month and day of the Islamic calendar.
    Islamic(i32, i32),
    /// The evening before a month and day of the Hebrew calendar, on which its feasts begin.
    Eve(i32, i32),
    /// Month (Nisan is 1) and day of the Hebrew calendar.
    Hebrew(i32, i32),
}

pub(super) fn day(rule: Rule, year: i16) -> Option<Date> {
    match rule {
        Rule::Fixed(month, day) => Date::new(year, month, day).ok(),
        Rule::Nth(month, nth, day) => {
            Date::new(year, month, 1).ok()?.nth_weekday_of_month(nth, calendar::weekday(day)?).ok()
        }
        Rule::AfterNth(month, nth, day, days) => add_days(self::day(Rule::Nth(month, nth, day), year)?, days),
        Rule::Easter(days) => add_days(easter(year)?, days),
        Rule::Orthodox(days) => add_days(orthodox(year)?, days),
        Rule::NewMoon(month, day, days) => {
            add_days(moon::evening(Phase::New, Date::new(year, month, day).ok()?)?, days)
        }
        Rule::China(month, day) => moon::new_moon_in_china(Date::new(year, month, day).ok()?),
        Rule::FullMoon(month, day, days) => {
            add_days(moon::evening(Phase::Full, Date::new(year, month, day).ok()?)?, days)
        }
        Rule::Islamic(month, day) => islamic(year, month, day),
        Rule::Eve(month, day) => add_days(hebrew(year, month, day)?, -1),
        Rule::Hebrew(month, day) => hebrew(year, month, day),
    }
}

/// Gregorian computus.
fn easter(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let century = y.div_euclid(100);
    let golden = y.rem_euclid(19);
    let epact = (century - century.div_euclid(4) - (8 * century + 13).div_euclid(25) + 19 * golden + 15).rem_euclid(30);
    let moon = epact - epact / 28 * (1 - epact / 28 * (29 / (epact + 1)) * ((21 - golden) / 11));
    let weekday = (y + y.div_euclid(4) + moon + 2 - century + century.div_euclid(4)).rem_euclid(7);
    let offset = moon - weekday;
    let month = 3 + (offset + 40) / 44;
    let day = offset + 28 - 31 * (month / 4);
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Julian computus, told in the Gregorian calendar.
fn orthodox(year: i16) -> Option<Date> {
    let y = i32::from(year);
    let moon = (19 * y.rem_euclid(19) + 15).rem_euclid(30);
    let weekday = (2 * y.rem_euclid(4) + 4 * y.rem_euclid(7) - moon + 34).rem_euclid(7);
    let sum = moon + weekday + 114;
    let julian = Date::new(year, i8::try_from(sum / 31).ok()?, i8::try_from(sum % 31 + 1).ok()?).ok()?;
    add_days(julian, y.div_euclid(100) - y.div_euclid(400) - 2)
}

/// The day 0001-01-01, from which the day numbers below count as 1.
fn from_number(number: i32) -> Option<Date> {
    add_days(Date::new(1, 1, 1).ok()?, number.checked_sub(1)?)
}

/// The day of an Islamic month in a civil year. The months of the arithmetic calendar say which crescent is meant; the crescent
/// says the day. Sightings may differ by one.
fn islamic(year: i16, month: i32, day: i32) -> Option<Date> {
    let number =
        |hijri: i32| 29 * (month - 1) + month / 2 + (hijri - 1) * 354 + (3 + 11 * hijri).div_euclid(30) + 227_015;
    let guess = (i32::from(year) - 622) * 33 / 32;
    let first = |hijri: i32| moon::crescent(add_days(from_number(number(hijri))?, -3)?);
    (guess - 1..=guess + 2).filter_map(|hijri| add_days(first(hijri)?, day - 1)).find(|date| date.year() == year)
}

/// Days from the first Hebrew new year to 0001-01-01.
const HEBREW_EPOCH: i32 = 1_373_427;

/// Days from the Hebrew epoch to the new year of a Hebrew year.
fn hebrew_elapsed(year: i32) -> i32 {
    let months = (235 * year - 234).div_euclid(19);
    let parts = 12_084 + 13_753 * i64::from(months);
    let days = 29 * months + i32::try_from(parts.div_euclid(25_920)).unwrap_or(i32::MAX / 2);
    if (3 * (days + 1)).rem_euclid(7) < 3 { days + 1 } else { days }
}

fn hebrew_new_year(year: i32) -> i32 {
    let (before, this, after) = (hebrew_elapsed(year - 1), hebrew_elapsed(year), hebrew_elapsed(year + 1));
    let delay = match (after - this, this - before) {
        (356, _) => 2,
        (_, 382) => 1,
        _ => 0,
    };
    this + delay - HEBREW_EPOCH
}

/// Hebrew calendar, months counted from Nisan as 1; Purim is in the last Adar.
fn hebrew(year: i16, month: i32, day: i32) -> Option<Date> {
    let autumn = month >= 7;
    let hebrew = i32::from(year) + if autumn { 3761 } else { 3760 };
    let candidates = [hebrew, hebrew - 1];
    candidates
        .into_iter()
        .filter_map(|hebrew| from_number(hebrew_number(hebrew, month, day)))
        .find(|d| d.year() == year)
}

fn hebrew_number(year: i32, month: i32, day: i32) -> i32 {
    let leap = (7 * year + 1).rem_euclid(19) < 7;
    let length = hebrew_new_year(year + 1) - hebrew_new_year(year);
    let days_in = |month: i32| match month {
        2 | 4 | 6 | 10 | 13 => 29,
        12 if !leap => 29,
        8 if length % 10 != 5 => 29,
        9 if length % 10 == 3 => 29,
        _ => 30,
    };
    let last = if leap { 13 } else { 12 };
    // Purim keeps to the Adar before Nisan.
    let month = if month == 12 && day == 14 && leap { 13 } else { month };
    let before: i32 = if month >= 7 {
        (7..month).map(days_in).sum()
    } else {
        (7..=last).map(days_in).sum::<i32>() + (1..month).map(days_in).sum::<i32>()
    };
    hebrew_new_year(year) + before + day - 1
}
