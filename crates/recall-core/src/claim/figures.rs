//! Numbers, dates and times of the day, written in one way whichever way they were written in.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::forms::NUMBERS;
use super::spelling::replaced;

/// A text with its figures written in one way.
pub(super) fn one_way(text: &str) -> String {
    numbers(&times(&dates(text)))
}

const MONTHS: &str = r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DAY: &str = r"(\d{1,2}(?:st|nd|rd|th)?|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|thirtieth|thirty-first)";

/// Dates as one number of month and day, and the year: `0503d 2019`.
fn dates(text: &str) -> String {
    static DAY_FIRST: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(&format!(r"(?i)\b(?:the\s+)?{DAY}\s+(?:of\s+)?{MONTHS}\b\.?(?:,?\s+((?:19|20)\d\d)\b)?")).ok()
    });
    static MONTH_FIRST: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(&format!(r"(?i)\b{MONTHS}[.,]?\s+(?:the\s+)?{DAY}\b(?:,?\s+((?:19|20)\d\d)\b)?")).ok()
    });
    static DIGITS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"\b((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\b|\b(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d\d)\b")
            .ok()
    });
    let written = |day: Option<u32>, month: Option<u32>, year: Option<&str>, whole: &str| match (day, month, year) {
        (Some(day @ 1..=31), Some(month @ 1..=12), Some(year)) => format!("{month:02}{day:02}d {year}"),
        (Some(day @ 1..=31), Some(month @ 1..=12), None) => format!("{month:02}{day:02}d"),
        _ => whole.to_owned(),
    };
    let part = |found: &Captures<'_>, at: usize| found.get(at).map(|part| part.as_str().to_owned());
    let text = replaced(&DIGITS, text, |found| {
        let (year, month, day) = match part(found, 1) {
            Some(year) => (Some(year), part(found, 2), part(found, 3)),
            None => (part(found, 6), part(found, 5), part(found, 4)),
        };
        let number = |text: Option<String>| text.and_then(|text| text.parse().ok());
        written(number(day), number(month), year.as_deref(), &found[0])
    });
    let text = replaced(&DAY_FIRST, &text, |found| {
        written(day_of(&found[1]), month_of(&found[2]), found.get(3).map(|year| year.as_str()), &found[0])
    });
    replaced(&MONTH_FIRST, &text, |found| {
        written(day_of(&found[2]), month_of(&found[1]), found.get(3).map(|year| year.as_str()), &found[0])
    })
}

fn month_of(word: &str) -> Option<u32> {
    const NAMES: &str = "jan feb mar apr may jun jul aug sep oct nov dec";
    let start = word.get(..3)?.to_lowercase();
    let place = NAMES.split(' ').position(|name| name == start)?;
    u32::try_from(place + 1).ok()
}

fn day_of(word: &str) -> Option<u32> {
    const ORDINALS: &str = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth \
        fifteenth sixteenth seventeenth eighteenth nineteenth twentieth";
    let word = word.to_lowercase();
    let digits = word.trim_end_matches(char::is_alphabetic);
    if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) {
        return digits.parse().ok();
    }
    let ordinal =
        |word: &str| ORDINALS.split(' ').position(|name| name == word).and_then(|at| u32::try_from(at + 1).ok());
    match word.split_once('-') {
        Some(("twenty", ones)) => ordinal(ones).map(|ones| 20 + ones),
        Some(("thirty", ones)) => ordinal(ones).map(|ones| 30 + ones),
        _ if word == "thirtieth" => Some(30),
        _ => ordinal(&word),
    }
}

/// Times of the day as four digits: `1930h`.
fn times(text: &str) -> String {
    static CLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(\d{1,2})(?:[:.](\d\d))?\s?([ap])\.?m\b\.?|\b([01]?\d|2[0-3]):([0-5]\d)\b").ok()
    });
    replaced(&CLOCK, text, |found| {
        let number = |at: usize| found.get(at).and_then(|part| part.as_str().parse::<u32>().ok());
        let (hour, minute) = match found.get(3) {
            Some(half) => {
                let noon = if half.as_str().eq_ignore_ascii_case("p") { 12 } else { 0 };
                (number(1).map(|hour| hour % 12 + noon), number(2).unwrap_or_default())
            }
            None => (number(4), number(5).unwrap_or_default()),
        };
        match hour {
            Some(hour @ 0..24) if minute < 60 => format!("{hour:02}{minute:02}h"),
            _ => found[0].to_owned(),
        }
    })
}

/// Number words of several words, and digits in groups, as one number.
fn numbers(text: &str) -> String {
    static GROUPS: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\b\d{1,3}(?:[,'\u{2009}\u{202f} ]\d{3})+\b").ok());
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let one = NUMBERS.iter().filter(|(_, digits)| digits.chars().all(|c| c.is_ascii_digit()));
        let mut words: Vec<&str> = one.map(|(word, _)| *word).chain(["million", "dozen"]).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let words = words.join("|");
        Regex::new(&format!(
            r"(?i)\b(?:a\s+(?:hundred|thousand|million|dozen)|{words})(?:(?:[\s-]+|\s+and\s+)(?:{words}))*\b"
        ))
        .ok()
    });
    let text = replaced(&GROUPS, text, |found| found[0].chars().filter(char::is_ascii_digit).collect());
    replaced(&WORDS, &text, |found| number(&found[0]).map_or_else(|| found[0].to_owned(), |number| number.to_string()))
}

/// The number that words tell; `None` where they are several ("two three").
fn number(words: &str) -> Option<u64> {
    let (mut whole, mut group, mut last) = (0_u64, 0_u64, u64::MAX);
    for word in words.to_lowercase().split(|c: char| c.is_whitespace() || c == '-').filter(|word| !word.is_empty()) {
        let value = match word {
            "and" => continue,
            "a" => 1,
            "million" => 1_000_000,
            "dozen" => 12,
            word => NUMBERS.iter().find(|(name, _)| *name == word).and_then(|(_, digits)| digits.parse().ok())?,
        };
        match value {
            1000 | 1_000_000 => (whole, group) = (whole + group.max(1) * value, 0),
            100 | 12 if word != "twelve" && group > 0 && group < 100 => group *= value,
            value if group == 0 || (value < 10 && group % 10 == 0 && last >= 20) || group % 100 == 0 => group += value,
            _ => return None,
        }
        last = value;
    }
    Some(whole + group)
}
