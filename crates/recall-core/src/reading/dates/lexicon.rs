//! The words of time: tables from a folded word to what it can mean, since one word often means several things ("second", "may").

use std::sync::LazyLock;

use fnv::FnvHashMap;

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

/// 1 is January.
const MONTHS: &[(i8, &str)] = &[
    (1, "january jan"),
    (2, "february feb febuary"),
    (3, "march mar"),
    (4, "april apr"),
    (5, "may"),
    (6, "june jun"),
    (7, "july jul"),
    (8, "august aug"),
    (9, "september sept sep"),
    (10, "october oct"),
    (11, "november nov"),
    (12, "december dec"),
];

/// 1 is Monday.
const WEEKDAYS: &[(i8, &str)] = &[
    (1, "monday mon"),
    (2, "tuesday tue tues tu"),
    (3, "wednesday wed weds wednes"),
    (4, "thursday thu thur thurs"),
    (5, "friday fri"),
    (6, "saturday sat satur"),
    (7, "sunday sun"),
];

/// Units with their short forms.
const UNITS: &[(Unit, &str)] = &[
    (Unit::Second, "second seconds sec secs"),
    (Unit::Minute, "minute minutes min mins"),
    (Unit::Hour, "hour hours hr hrs h"),
    (Unit::Day, "day days night nights"),
    (Unit::Week, "week weeks wk wks"),
    (Unit::Weekend, "weekend weekends wkend"),
    (Unit::Fortnight, "fortnight fortnights"),
    (Unit::Month, "month months mo mos"),
    (Unit::Quarter, "quarter quarters qtr"),
    (Unit::Year, "year years yr yrs"),
    (Unit::Decade, "decade decades"),
    (Unit::Century, "century centuries"),
];

/// Parts of numbers.
const CARDINALS: &[(u32, &str)] = &[
    (1, "one"),
    (2, "two"),
    (3, "three"),
    (4, "four"),
    (5, "five"),
    (6, "six"),
    (7, "seven"),
    (8, "eight"),
    (9, "nine"),
    (10, "ten"),
    (11, "eleven"),
    (12, "twelve"),
    (13, "thirteen"),
    (14, "fourteen"),
    (15, "fifteen"),
    (16, "sixteen"),
    (17, "seventeen"),
    (18, "eighteen"),
    (19, "nineteen"),
    (20, "twenty"),
    (30, "thirty"),
    (40, "forty fourty"),
    (50, "fifty"),
    (60, "sixty"),
    (70, "seventy"),
    (80, "eighty"),
    (90, "ninety"),
    (100, "hundred"),
    (1000, "thousand"),
];

/// Days of a month and places in a row.
const ORDINALS: &[(u32, &str)] = &[
    (1, "first"),
    (2, "second"),
    (3, "third"),
    (4, "fourth"),
    (5, "fifth"),
    (6, "sixth"),
    (7, "seventh"),
    (8, "eighth"),
    (9, "ninth"),
    (10, "tenth"),
    (11, "eleventh"),
    (12, "twelfth"),
    (13, "thirteenth"),
    (14, "fourteenth"),
    (15, "fifteenth ides"),
    (16, "sixteenth"),
    (17, "seventeenth"),
    (18, "eighteenth"),
    (19, "nineteenth"),
    (20, "twentieth"),
    (30, "thirtieth"),
];

/// First month of a season.
const SEASONS: &[(i8, &str)] =
    &[(3, "spring springtime"), (6, "summer summertime"), (9, "autumn fall"), (12, "winter wintertime")];

/// Hour at which a part of the day begins.
const PARTS: &[(i8, &str)] = &[
    (6, "morning mornings breakfast"),
    (12, "noon midday lunch lunchtime afternoon afternoons"),
    (18, "evening evenings dinner dinnertime"),
    (20, "night nights"),
    (0, "midnight"),
];

/// First year within the century.
const DECADES: &[(i16, &str)] = &[
    (20, "twenties"),
    (30, "thirties"),
    (40, "forties"),
    (50, "fifties"),
    (60, "sixties"),
    (70, "seventies"),
    (80, "eighties"),
    (90, "nineties"),
    (0, "noughties aughts"),
    (10, "tens"),
];

/// Words that begin an expression and mean no time by themselves.
const OPENERS: &str = "today tonight tonite yesterday tomorrow tomorrows tmrw tmr tommorow tomorow today's yesterday's \
    tomorrow's tonight's now the this that last next past previous coming upcoming following current a an \
    in on since from until till til by before after between for within during over every each early late \
    mid middle beginning start end rest later earlier half couple few several some around starting as no \
    any daily weekly monthly yearly annually eod eom eoy eow ytd otd same all lastmonth lastweek \
    overmorrow closing just";

/// Words of a time that are words of other things as well.
const SHY: &str = "may march mar april june august jun sat sun mon wed tu fall spring summer winter autumn dec";

static WORDS: LazyLock<FnvHashMap<&'static str, Lex>> = LazyLock::new(|| {
    let mut words: FnvHashMap<&'static str, Lex> = FnvHashMap::default();
    fill(&mut words, MONTHS, |lex, month| lex.month = Some(month));
    fill(&mut words, WEEKDAYS, |lex, day| lex.weekday = Some(day));
    fill(&mut words, UNITS, |lex, unit| lex.unit = Some(unit));
    fill(&mut words, CARDINALS, |lex, value| lex.cardinal = Some(value));
    fill(&mut words, ORDINALS, |lex, value| lex.ordinal = Some(value));
    fill(&mut words, SEASONS, |lex, month| lex.season = Some(month));
    fill(&mut words, PARTS, |lex, hour| lex.part = Some(hour));
    fill(&mut words, DECADES, |lex, decade| lex.decade = Some(decade));
    fill(&mut words, &[((), OPENERS)], |_, ()| ());
    fill(&mut words, &[(true, SHY)], |lex, shy| lex.shy = shy);
    for word in super::holidays::first_words() {
        words.entry(word).or_default().opens = true;
    }
    words
});

fn fill<V: Copy>(words: &mut FnvHashMap<&'static str, Lex>, table: &[(V, &'static str)], set: impl Fn(&mut Lex, V)) {
    for (value, names) in table {
        for word in names.split_whitespace() {
            let lex = words.entry(word).or_default();
            lex.opens = true;
            set(lex, *value);
        }
    }
}

/// What a folded word can mean.
pub(super) fn lookup(word: &str) -> Lex {
    WORDS.get(word).copied().unwrap_or_default()
}
