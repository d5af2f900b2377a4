//! The rules that give the day of a holiday: fixed days, n-th weekdays, Easter, and the Islamic, Hebrew and lunar calendars.

use icu_calendar::cal::{ChineseTraditional, Hebrew, Hijri};
use icu_calendar::types::Month;
use icu_calendar::{AsCalendar, Date as OtherDate, Iso};
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
    /// Month and day of the Chinese calendar.
    Chinese(u8, u8),
    /// Days from the evening of the first full moon on or after a month and day.
    FullMoon(i8, i8, i32),
    /// Month and day of the Islamic calendar.
    Islamic(u8, u8),
    /// The last of a weekday in a month of the Islamic calendar.
    LastOfIslamic(u8, i8),
    /// The evening before a month and day of the Hebrew calendar, on which its feasts begin.
    Eve(u8, u8),
    /// Month (Tishri is 1, Adar 6) and day of the Hebrew calendar.
    Hebrew(u8, u8),
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
        Rule::Chinese(month, day) => within(year, (month, day), ChineseTraditional::new()),
        Rule::FullMoon(month, day, days) => {
            add_days(moon::evening(Phase::Full, Date::new(year, month, day).ok()?)?, days)
        }
        // As the calendar of Mecca has it; sightings elsewhere may differ by a day.
        Rule::Islamic(month, day) => within(year, (month, day), Hijri::new_umm_al_qura()),
        Rule::LastOfIslamic(month, weekday) => {
            let end = self::day(Rule::Islamic(month + 1, 1), year)?;
            let back = (calendar::weekday_of(end) - i32::from(weekday)).rem_euclid(7);
            add_days(end, -if back == 0 { 7 } else { back })
        }
        Rule::Eve(month, day) => add_days(self::day(Rule::Hebrew(month, day), year)?, -1),
        Rule::Hebrew(month, day) => within(year, (month, day), Hebrew),
    }
}

/// The first day of a civil year that is this month and day of another calendar.
fn within<A: AsCalendar + Copy>(year: i16, (month, day): (u8, u8), calendar: A) -> Option<Date> {
    let first = OtherDate::try_new_iso(i32::from(year), 1, 1).ok()?.to_calendar(calendar).year().extended_year();
    (first..=first + 1).find_map(|other| {
        let date = OtherDate::try_new(other.into(), Month::new(month), day, calendar).ok()?.to_calendar(Iso);
        let (year_of, month, day) = (date.year().extended_year(), date.month().ordinal, date.day_of_month().0);
        let date = Date::new(i16::try_from(year_of).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        date.ok().filter(|date| date.year() == year)
    })
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
