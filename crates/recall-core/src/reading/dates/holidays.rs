//! Holidays whose day follows from a rule of the calendar: fixed days, n-th weekdays, and days counted from Easter or in the Hebrew and Islamic calendars.

use jiff::civil::Date;

use super::Precision;
use super::calendar::{self, add_days};
use super::moon::{self, Phase};

/// How the day of a holiday is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
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
    /// Days from the evening of the first full moon on or after a month and day.
    FullMoon(i8, i8, i32),
    /// Month and day of the Islamic calendar.
    Islamic(i32, i32),
    /// The evening before a month and day of the Hebrew calendar, on which its feasts begin.
    Eve(i32, i32),
    /// Month (Nisan is 1) and day of the Hebrew calendar.
    Hebrew(i32, i32),
}

/// Names, words with single spaces and without apostrophes, with the rule and the length in days.
const HOLIDAYS: &[(&str, Rule, i32)] = &[
    ("new years day", Rule::Fixed(1, 1), 1),
    ("new year day", Rule::Fixed(1, 1), 1),
    ("new years eve", Rule::Fixed(12, 31), 1),
    ("new year eve", Rule::Fixed(12, 31), 1),
    ("new years", Rule::Fixed(1, 1), 1),
    ("new year", Rule::Fixed(1, 1), 1),
    ("nye", Rule::Fixed(12, 31), 1),
    ("epiphany", Rule::Fixed(1, 6), 1),
    ("three kings day", Rule::Fixed(1, 6), 1),
    ("martin luther king day", Rule::Nth(1, 3, 1), 1),
    ("martin luther king jr day", Rule::Nth(1, 3, 1), 1),
    ("mlk day", Rule::Nth(1, 3, 1), 1),
    ("groundhog day", Rule::Fixed(2, 2), 1),
    ("candlemas", Rule::Fixed(2, 2), 1),
    ("valentines day", Rule::Fixed(2, 14), 1),
    ("valentine day", Rule::Fixed(2, 14), 1),
    ("valentines", Rule::Fixed(2, 14), 1),
    ("presidents day", Rule::Nth(2, 3, 1), 1),
    ("womens day", Rule::Fixed(3, 8), 1),
    ("international womens day", Rule::Fixed(3, 8), 1),
    ("pi day", Rule::Fixed(3, 14), 1),
    ("st patricks day", Rule::Fixed(3, 17), 1),
    ("saint patricks day", Rule::Fixed(3, 17), 1),
    ("st paddys day", Rule::Fixed(3, 17), 1),
    ("saint paddys day", Rule::Fixed(3, 17), 1),
    ("april fools day", Rule::Fixed(4, 1), 1),
    ("april fools", Rule::Fixed(4, 1), 1),
    ("earth day", Rule::Fixed(4, 22), 1),
    ("st georges day", Rule::Fixed(4, 23), 1),
    ("anzac day", Rule::Fixed(4, 25), 1),
    ("walpurgis night", Rule::Fixed(4, 30), 1),
    ("labor day", Rule::Nth(9, 1, 1), 1),
    ("labour day", Rule::Nth(9, 1, 1), 1),
    ("may day", Rule::Fixed(5, 1), 1),
    ("cinco de mayo", Rule::Fixed(5, 5), 1),
    ("star wars day", Rule::Fixed(5, 4), 1),
    ("mothers day", Rule::Nth(5, 2, 7), 1),
    ("mother day", Rule::Nth(5, 2, 7), 1),
    ("memorial day", Rule::Nth(5, -1, 1), 1),
    ("fathers day", Rule::Nth(6, 3, 7), 1),
    ("father day", Rule::Nth(6, 3, 7), 1),
    ("juneteenth", Rule::Fixed(6, 19), 1),
    ("freedom day", Rule::Fixed(6, 19), 1),
    ("jubilee day", Rule::Fixed(6, 19), 1),
    ("midsummer day", Rule::Fixed(6, 24), 1),
    ("canada day", Rule::Fixed(7, 1), 1),
    ("independence day", Rule::Fixed(7, 4), 1),
    ("bastille day", Rule::Fixed(7, 14), 1),
    ("assumption day", Rule::Fixed(8, 15), 1),
    ("columbus day", Rule::Nth(10, 2, 1), 1),
    ("indigenous peoples day", Rule::Nth(10, 2, 1), 1),
    ("bosss day", Rule::Fixed(10, 16), 1),
    ("boss day", Rule::Fixed(10, 16), 1),
    ("halloween", Rule::Fixed(10, 31), 1),
    ("all saints day", Rule::Fixed(11, 1), 1),
    ("all souls day", Rule::Fixed(11, 2), 1),
    ("day of the dead", Rule::Fixed(11, 2), 1),
    ("guy fawkes night", Rule::Fixed(11, 5), 1),
    ("guy fawkes day", Rule::Fixed(11, 5), 1),
    ("bonfire night", Rule::Fixed(11, 5), 1),
    ("veterans day", Rule::Fixed(11, 11), 1),
    ("veteran day", Rule::Fixed(11, 11), 1),
    ("remembrance day", Rule::Fixed(11, 11), 1),
    ("armistice day", Rule::Fixed(11, 11), 1),
    ("martinmas", Rule::Fixed(11, 11), 1),
    ("thanksgiving day", Rule::Nth(11, 4, 4), 1),
    ("thanksgiving", Rule::Nth(11, 4, 4), 1),
    ("black friday", Rule::AfterNth(11, 4, 4, 1), 1),
    ("cyber monday", Rule::AfterNth(11, 4, 4, 4), 1),
    ("giving tuesday", Rule::AfterNth(11, 4, 4, 5), 1),
    ("st nicholas day", Rule::Fixed(12, 6), 1),
    ("st lucias day", Rule::Fixed(12, 13), 1),
    ("christmas eve", Rule::Fixed(12, 24), 1),
    ("xmas eve", Rule::Fixed(12, 24), 1),
    ("christmas day", Rule::Fixed(12, 25), 1),
    ("xmas day", Rule::Fixed(12, 25), 1),
    ("christmas", Rule::Fixed(12, 25), 1),
    ("xmas", Rule::Fixed(12, 25), 1),
    ("boxing day", Rule::Fixed(12, 26), 1),
    ("st stephens day", Rule::Fixed(12, 26), 1),
    ("kwanzaa", Rule::Fixed(12, 26), 7),
    ("mardi gras", Rule::Easter(-47), 1),
    ("shrove tuesday", Rule::Easter(-47), 1),
    ("pancake day", Rule::Easter(-47), 1),
    ("ash wednesday", Rule::Easter(-46), 1),
    ("palm sunday", Rule::Easter(-7), 1),
    ("maundy thursday", Rule::Easter(-3), 1),
    ("holy thursday", Rule::Easter(-3), 1),
    ("good friday", Rule::Easter(-2), 1),
    ("holy saturday", Rule::Easter(-1), 1),
    ("easter sunday", Rule::Easter(0), 1),
    ("easter monday", Rule::Easter(1), 1),
    ("easter mon", Rule::Easter(1), 1),
    ("easter", Rule::Easter(0), 1),
    ("ascension day", Rule::Easter(39), 1),
    ("pentecost", Rule::Easter(49), 1),
    ("whit sunday", Rule::Easter(49), 1),
    ("white sunday", Rule::Easter(49), 1),
    ("whit monday", Rule::Easter(50), 1),
    ("trinity sunday", Rule::Easter(56), 1),
    ("corpus christi", Rule::Easter(60), 1),
    ("orthodox easter", Rule::Orthodox(0), 1),
    ("orthodox good friday", Rule::Orthodox(-2), 1),
    ("orthodox great friday", Rule::Orthodox(-2), 1),
    ("lazarus saturday", Rule::Orthodox(-8), 1),
    ("great lent", Rule::Orthodox(-48), 40),
    ("great fast", Rule::Orthodox(-48), 40),
    ("clean monday", Rule::Orthodox(-48), 1),
    ("islamic new year", Rule::Islamic(1, 1), 1),
    ("ashura", Rule::Islamic(1, 10), 1),
    ("mawlid", Rule::Islamic(3, 12), 1),
    ("mawlid al nabawi", Rule::Islamic(3, 12), 1),
    ("isra and miraj", Rule::Islamic(7, 27), 1),
    ("ramadan", Rule::Islamic(9, 1), 30),
    ("ramadhan", Rule::Islamic(9, 1), 30),
    ("ramazan", Rule::Islamic(9, 1), 30),
    ("ramzan", Rule::Islamic(9, 1), 30),
    ("laylat al qadr", Rule::Islamic(9, 27), 1),
    ("laylat al kadr", Rule::Islamic(9, 27), 1),
    ("eid al fitr", Rule::Islamic(10, 1), 1),
    ("id al fitr", Rule::Islamic(10, 1), 1),
    ("eid ul fitr", Rule::Islamic(10, 1), 1),
    ("eid", Rule::Islamic(10, 1), 1),
    ("night of power", Rule::Islamic(9, 27), 1),
    ("feast of sacrifice", Rule::Islamic(12, 10), 1),
    ("sacrifice feast", Rule::Islamic(12, 10), 1),
    ("bakrid", Rule::Islamic(12, 10), 1),
    ("amun jadid", Rule::Islamic(1, 1), 1),
    ("hijri new year", Rule::Islamic(1, 1), 1),
    ("night journey", Rule::Islamic(7, 27), 1),
    ("eid al adha", Rule::Islamic(12, 10), 1),
    ("id ul adha", Rule::Islamic(12, 10), 1),
    ("eid ul adha", Rule::Islamic(12, 10), 1),
    ("bakr id", Rule::Islamic(12, 10), 1),
    ("chinese new year", Rule::NewMoon(1, 21, 1), 1),
    ("chinese new years day", Rule::NewMoon(1, 21, 1), 1),
    ("chinese lunar new years day", Rule::NewMoon(1, 21, 1), 1),
    ("lunar new year", Rule::NewMoon(1, 21, 1), 1),
    ("diwali", Rule::NewMoon(10, 16, 0), 1),
    ("deepavali", Rule::NewMoon(10, 16, 0), 1),
    ("lakshmi puja", Rule::NewMoon(10, 16, 0), 1),
    ("dhanteras", Rule::NewMoon(10, 16, -2), 1),
    ("dhanatrayodashi", Rule::NewMoon(10, 16, -2), 1),
    ("chhath", Rule::NewMoon(10, 16, 6), 1),
    ("chhath puja", Rule::NewMoon(10, 16, 6), 1),
    ("dussehra", Rule::NewMoon(10, 16, -20), 1),
    ("vijayadashami", Rule::NewMoon(10, 16, -20), 1),
    ("navaratri", Rule::NewMoon(10, 16, -29), 10),
    ("durga puja", Rule::NewMoon(10, 16, -29), 10),
    ("maha shivaratri", Rule::NewMoon(2, 12, -2), 1),
    ("ratha yatra", Rule::NewMoon(6, 20, 2), 1),
    ("ganesh chaturthi", Rule::NewMoon(8, 17, 4), 1),
    ("holi", Rule::FullMoon(2, 25, 1), 1),
    ("krishna janmashtami", Rule::FullMoon(7, 31, 8), 1),
    ("raksha bandhan", Rule::FullMoon(7, 31, 0), 1),
    ("guru purnima", Rule::FullMoon(7, 1, 0), 1),
    ("vesak", Rule::FullMoon(4, 28, 0), 1),
    ("buddha day", Rule::FullMoon(4, 28, 0), 1),
    ("buddha purnima", Rule::FullMoon(4, 28, 0), 1),
    ("vaisakha", Rule::FullMoon(4, 28, 0), 1),
    ("vesakha", Rule::FullMoon(4, 28, 0), 1),
    ("buddhas birthday", Rule::FullMoon(4, 28, 0), 1),
    ("phagwah", Rule::FullMoon(2, 25, 1), 1),
    ("dhulandi", Rule::FullMoon(2, 25, 1), 1),
    ("holika dahan", Rule::FullMoon(2, 25, 0), 1),
    ("janmashtami", Rule::FullMoon(7, 31, 8), 1),
    ("gokulashtami", Rule::FullMoon(7, 31, 8), 1),
    ("rakhi", Rule::FullMoon(7, 31, 0), 1),
    ("govardhan puja", Rule::NewMoon(10, 16, 1), 1),
    ("bhai dooj", Rule::NewMoon(10, 16, 2), 1),
    ("kali chaudas", Rule::NewMoon(10, 16, -1), 1),
    ("dala puja", Rule::NewMoon(10, 16, 6), 1),
    ("surya shashthi", Rule::NewMoon(10, 16, 6), 1),
    ("navratri", Rule::NewMoon(10, 16, -29), 10),
    ("shivaratri", Rule::NewMoon(2, 12, -2), 1),
    ("vasant panchami", Rule::NewMoon(1, 13, 6), 1),
    ("bogi pandigai", Rule::Fixed(1, 13), 1),
    ("lohri", Rule::Fixed(1, 13), 1),
    ("makar sankranti", Rule::Fixed(1, 14), 1),
    ("pongal", Rule::Fixed(1, 15), 1),
    ("vaisakhi", Rule::Fixed(4, 14), 1),
    ("baisakhi", Rule::Fixed(4, 14), 1),
    ("rabindra jayanti", Rule::Fixed(5, 9), 1),
    ("rabindranath jayanti", Rule::Fixed(5, 9), 1),
    ("gandhi jayanti", Rule::Fixed(10, 2), 1),
    ("jamshedi navroz", Rule::Fixed(8, 17), 1),
    ("kings day", Rule::Fixed(4, 27), 1),
    ("parsi new year", Rule::Fixed(8, 17), 1),
    ("nowruz", Rule::Fixed(3, 21), 1),
    ("rosh hashanah", Rule::Eve(7, 1), 3),
    ("rosh hashana", Rule::Eve(7, 1), 3),
    ("yom kippur", Rule::Eve(7, 10), 2),
    ("sukkot", Rule::Eve(7, 15), 8),
    ("shemini atzeret", Rule::Eve(7, 22), 2),
    ("simchat torah", Rule::Eve(7, 23), 2),
    ("hanukkah", Rule::Eve(9, 25), 9),
    ("chanukah", Rule::Eve(9, 25), 9),
    ("hannukah", Rule::Eve(9, 25), 9),
    ("tu bishvat", Rule::Eve(11, 15), 2),
    ("purim", Rule::Eve(12, 14), 2),
    ("passover", Rule::Eve(1, 15), 9),
    ("pesach", Rule::Eve(1, 15), 9),
    ("lag baomer", Rule::Eve(2, 18), 2),
    ("shavuot", Rule::Eve(3, 6), 3),
    ("yom hashoah", Rule::Eve(1, 27), 2),
    ("holocaust day", Rule::Eve(1, 27), 2),
    ("tisha bav", Rule::Hebrew(5, 9), 1),
];

/// The words a holiday's name begins with.
pub(super) fn first_words() -> impl Iterator<Item = &'static str> {
    HOLIDAYS.iter().filter_map(|(name, _, _)| name.split(' ').next()).chain(POSSESSIVE.iter().copied())
}

/// First words as they are written.
const POSSESSIVE: &[&str] = &[
    "valentine's",
    "mother's",
    "father's",
    "women's",
    "president's",
    "presidents'",
    "boss's",
    "veteran's",
    "all",
    "saint",
    "st",
    "mothers'",
];

/// The holiday whose name begins with a word, longest first; the name is compared word by word.
pub(super) fn named(word: impl Fn(usize) -> String) -> Option<(usize, usize)> {
    let first = word(0);
    let fits = |name: &str| {
        let mut length = 0;
        for part in name.split(' ') {
            if word(length) != part {
                return None;
            }
            length += 1;
        }
        Some(length)
    };
    let found = HOLIDAYS.iter().enumerate().filter(|(_, (name, _, _))| name.starts_with(first.as_str()));
    let found = found.filter_map(|(index, (name, _, _))| Some((index, fits(name)?)));
    found.max_by_key(|(index, length)| (*length, usize::MAX - index))
}

/// The days of a holiday in a civil year.
pub(super) fn period(index: usize, year: i16) -> Option<calendar::Period> {
    let (_, rule, length) = HOLIDAYS.get(index)?;
    let first = day(*rule, year)?;
    if matches!(rule, Rule::Islamic(_, 1)) && *length > 1 {
        // A month ends with the next crescent.
        return Some(calendar::Period::stretch(first, moon::crescent(add_days(first, 27)?)?, Precision::Day));
    }
    if *length == 1 {
        return calendar::Period::day(first);
    }
    Some(calendar::Period::stretch(first, add_days(first, *length)?, Precision::Day))
}

fn day(rule: Rule, year: i16) -> Option<Date> {
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
