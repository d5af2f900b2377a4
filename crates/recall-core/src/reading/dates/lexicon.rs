//! The words of time: tables from a folded word to what it can mean, since one word often means several things ("second", "may").

use std::collections::HashMap;
use std::sync::LazyLock;

/// A unit of the calendar or the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Weekend,
    Fortnight,
    Month,
    Quarter,
    Year,
    Decade,
    Century,
}

/// What a word can mean, all meanings side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lex {
    /// 1 is January.
    pub(super) month: Option<i8>,
    /// 1 is Monday.
    pub(super) weekday: Option<i8>,
    pub(super) unit: Option<Unit>,
    /// First month of the season.
    pub(super) season: Option<i8>,
    /// Value of a cardinal; tens and scales too.
    pub(super) cardinal: Option<u32>,
    pub(super) ordinal: Option<u32>,
    /// Part of a day, as the hour it begins.
    pub(super) part: Option<i8>,
    /// First year of a decade within its century.
    pub(super) decade: Option<i16>,
    /// A time expression may begin here.
    pub(super) opens: bool,
    /// The word reads as a time word only beside a cue ("may", "sat", "fall").
    pub(super) shy: bool,
}

const MONTHS: &[(&str, i8)] = &[
    ("january", 1),
    ("jan", 1),
    ("february", 2),
    ("feb", 2),
    ("march", 3),
    ("mar", 3),
    ("april", 4),
    ("apr", 4),
    ("may", 5),
    ("june", 6),
    ("jun", 6),
    ("july", 7),
    ("jul", 7),
    ("august", 8),
    ("aug", 8),
    ("september", 9),
    ("sept", 9),
    ("sep", 9),
    ("october", 10),
    ("oct", 10),
    ("november", 11),
    ("nov", 11),
    ("december", 12),
    ("dec", 12),
    ("febuary", 2),
];

const WEEKDAYS: &[(&str, i8)] = &[
    ("monday", 1),
    ("mon", 1),
    ("tuesday", 2),
    ("tue", 2),
    ("tues", 2),
    ("wednesday", 3),
    ("wed", 3),
    ("weds", 3),
    ("thursday", 4),
    ("thu", 4),
    ("thur", 4),
    ("thurs", 4),
    ("friday", 5),
    ("fri", 5),
    ("saturday", 6),
    ("sat", 6),
    ("sunday", 7),
    ("sun", 7),
    ("wednes", 3),
    ("satur", 6),
    ("tu", 2),
];

const UNITS: &[(&str, Unit)] = &[
    ("second", Unit::Second),
    ("seconds", Unit::Second),
    ("sec", Unit::Second),
    ("secs", Unit::Second),
    ("minute", Unit::Minute),
    ("minutes", Unit::Minute),
    ("min", Unit::Minute),
    ("mins", Unit::Minute),
    ("hour", Unit::Hour),
    ("hours", Unit::Hour),
    ("hr", Unit::Hour),
    ("hrs", Unit::Hour),
    ("h", Unit::Hour),
    ("day", Unit::Day),
    ("days", Unit::Day),
    ("night", Unit::Day),
    ("nights", Unit::Day),
    ("week", Unit::Week),
    ("weeks", Unit::Week),
    ("wk", Unit::Week),
    ("wks", Unit::Week),
    ("weekend", Unit::Weekend),
    ("weekends", Unit::Weekend),
    ("wkend", Unit::Weekend),
    ("fortnight", Unit::Fortnight),
    ("fortnights", Unit::Fortnight),
    ("month", Unit::Month),
    ("months", Unit::Month),
    ("mo", Unit::Month),
    ("mos", Unit::Month),
    ("quarter", Unit::Quarter),
    ("quarters", Unit::Quarter),
    ("qtr", Unit::Quarter),
    ("year", Unit::Year),
    ("years", Unit::Year),
    ("yr", Unit::Year),
    ("yrs", Unit::Year),
    ("decade", Unit::Decade),
    ("decades", Unit::Decade),
    ("century", Unit::Century),
    ("centuries", Unit::Century),
];

const CARDINALS: &[(&str, u32)] = &[
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fourty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("hundred", 100),
    ("thousand", 1000),
];

const ORDINALS: &[(&str, u32)] = &[
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("thirteenth", 13),
    ("fourteenth", 14),
    ("fifteenth", 15),
    ("sixteenth", 16),
    ("seventeenth", 17),
    ("eighteenth", 18),
    ("nineteenth", 19),
    ("twentieth", 20),
    ("thirtieth", 30),
    ("ides", 15),
];

const SEASONS: &[(&str, i8)] = &[
    ("spring", 3),
    ("springtime", 3),
    ("summer", 6),
    ("summertime", 6),
    ("autumn", 9),
    ("fall", 9),
    ("winter", 12),
    ("wintertime", 12),
];

const PARTS: &[(&str, i8)] = &[
    ("morning", 6),
    ("mornings", 6),
    ("noon", 12),
    ("midday", 12),
    ("lunch", 12),
    ("lunchtime", 12),
    ("afternoon", 12),
    ("afternoons", 12),
    ("evening", 18),
    ("evenings", 18),
    ("dinner", 18),
    ("dinnertime", 18),
    ("night", 20),
    ("nights", 20),
    ("breakfast", 6),
    ("midnight", 0),
];

const DECADES: &[(&str, i16)] = &[
    ("twenties", 20),
    ("thirties", 30),
    ("forties", 40),
    ("fifties", 50),
    ("sixties", 60),
    ("seventies", 70),
    ("eighties", 80),
    ("nineties", 90),
    ("noughties", 0),
    ("tens", 10),
    ("aughts", 0),
];

/// Words that begin an expression and mean no time by themselves.
const OPENERS: &[&str] = &[
    "today",
    "tonight",
    "tonite",
    "yesterday",
    "tomorrow",
    "tomorrows",
    "tmrw",
    "tmr",
    "tommorow",
    "tomorow",
    "today's",
    "yesterday's",
    "tomorrow's",
    "tonight's",
    "now",
    "the",
    "this",
    "that",
    "last",
    "next",
    "past",
    "previous",
    "coming",
    "upcoming",
    "following",
    "current",
    "a",
    "an",
    "in",
    "on",
    "since",
    "from",
    "until",
    "till",
    "til",
    "by",
    "before",
    "after",
    "between",
    "for",
    "within",
    "during",
    "over",
    "every",
    "each",
    "early",
    "late",
    "mid",
    "middle",
    "beginning",
    "start",
    "end",
    "rest",
    "later",
    "earlier",
    "half",
    "couple",
    "few",
    "several",
    "some",
    "around",
    "starting",
    "as",
    "no",
    "any",
    "daily",
    "weekly",
    "monthly",
    "yearly",
    "annually",
    "eod",
    "eom",
    "eoy",
    "eow",
    "ytd",
    "otd",
    "same",
    "all",
    "lastmonth",
    "lastweek",
    "overmorrow",
    "closing",
    "just",
];

/// Words of a time that are words of other things as well.
const SHY: &[&str] = &[
    "may", "march", "mar", "april", "june", "august", "jun", "sat", "sun", "mon", "wed", "tu", "fall", "spring",
    "summer", "winter", "autumn", "dec",
];

static WORDS: LazyLock<HashMap<&'static str, Lex>> = LazyLock::new(|| {
    let mut words: HashMap<&'static str, Lex> = HashMap::new();
    let mut put = |word: &'static str, set: &dyn Fn(&mut Lex)| {
        let lex = words.entry(word).or_default();
        lex.opens = true;
        set(lex);
    };
    MONTHS.iter().for_each(|(word, month)| put(word, &|lex| lex.month = Some(*month)));
    WEEKDAYS.iter().for_each(|(word, day)| put(word, &|lex| lex.weekday = Some(*day)));
    UNITS.iter().for_each(|(word, unit)| put(word, &|lex| lex.unit = Some(*unit)));
    CARDINALS.iter().for_each(|(word, value)| put(word, &|lex| lex.cardinal = Some(*value)));
    ORDINALS.iter().for_each(|(word, value)| put(word, &|lex| lex.ordinal = Some(*value)));
    SEASONS.iter().for_each(|(word, month)| put(word, &|lex| lex.season = Some(*month)));
    PARTS.iter().for_each(|(word, hour)| put(word, &|lex| lex.part = Some(*hour)));
    DECADES.iter().for_each(|(word, decade)| put(word, &|lex| lex.decade = Some(*decade)));
    OPENERS.iter().for_each(|word| put(word, &|_| ()));
    SHY.iter().for_each(|word| put(word, &|lex| lex.shy = true));
    super::holidays::first_words().for_each(|word| put(word, &|_| ()));
    words
});

/// What a folded word can mean.
pub(super) fn lookup(word: &str) -> Lex {
    WORDS.get(word).copied().unwrap_or_default()
}
