//! Names of holidays whose day follows from a rule of a calendar.

use std::sync::LazyLock;

use fnv::FnvHashMap;

use super::Precision;
use super::calendar::{self, add_days};
use super::feasts::{self, Rule};

/// The rule, the length in days, and the names apart by bars: words with single spaces, without apostrophes and hyphens.
const HOLIDAYS: &[(Rule, i32, &str)] = &[
    (Rule::Fixed(1, 1), 1, "new years day|new year day|new years|new year"),
    (Rule::Fixed(12, 31), 1, "new years eve|new year eve|nye"),
    (Rule::Fixed(1, 6), 1, "epiphany|three kings day"),
    (Rule::Nth(1, 3, 1), 1, "martin luther king day|martin luther king jr day|mlk day"),
    (Rule::Fixed(2, 2), 1, "groundhog day|candlemas"),
    (Rule::Fixed(2, 14), 1, "valentines day|valentine day|valentines"),
    (Rule::Nth(2, 3, 1), 1, "presidents day"),
    (Rule::Fixed(3, 1), 1, "st davids day|saint davids day"),
    (Rule::Fixed(6, 14), 1, "flag day"),
    (Rule::Fixed(11, 30), 1, "st andrews day|saint andrews day"),
    (Rule::Nth(7, 4, 7), 1, "parents day"),
    (Rule::AfterNth(9, 1, 1, 6), 1, "grandparents day"),
    (Rule::Fixed(3, 8), 1, "womens day|international womens day"),
    (Rule::Fixed(3, 14), 1, "pi day"),
    (Rule::Fixed(3, 17), 1, "st patricks day|saint patricks day|st paddys day|saint paddys day"),
    (Rule::Fixed(4, 1), 1, "april fools day|april fools"),
    (Rule::Fixed(4, 22), 1, "earth day"),
    (Rule::Fixed(4, 23), 1, "st georges day"),
    (Rule::Fixed(4, 25), 1, "anzac day"),
    (Rule::Fixed(4, 30), 1, "walpurgis night"),
    (Rule::Nth(9, 1, 1), 1, "labor day|labour day"),
    (Rule::Fixed(5, 1), 1, "may day"),
    (Rule::Fixed(5, 5), 1, "cinco de mayo"),
    (Rule::Fixed(5, 4), 1, "star wars day"),
    (Rule::Nth(5, 2, 7), 1, "mothers day|mother day"),
    (Rule::Nth(5, -1, 1), 1, "memorial day"),
    (Rule::Nth(6, 3, 7), 1, "fathers day|father day"),
    (Rule::Fixed(6, 19), 1, "juneteenth|freedom day|jubilee day"),
    (Rule::Fixed(6, 24), 1, "midsummer day"),
    (Rule::Fixed(7, 1), 1, "canada day"),
    (Rule::Fixed(7, 4), 1, "independence day"),
    (Rule::Fixed(7, 14), 1, "bastille day"),
    (Rule::Fixed(8, 15), 1, "assumption day"),
    (Rule::Nth(10, 2, 1), 1, "columbus day|indigenous peoples day"),
    (Rule::Fixed(10, 16), 1, "bosss day|boss day"),
    (Rule::Fixed(10, 31), 1, "halloween"),
    (Rule::Fixed(11, 1), 1, "all saints day"),
    (Rule::Fixed(11, 2), 1, "all souls day|day of the dead"),
    (Rule::Fixed(11, 5), 1, "guy fawkes night|guy fawkes day|bonfire night"),
    (Rule::Fixed(11, 11), 1, "veterans day|veteran day|remembrance day|armistice day|martinmas"),
    (Rule::Nth(11, 4, 4), 1, "thanksgiving day|thanksgiving"),
    (Rule::AfterNth(11, 4, 4, 1), 1, "black friday"),
    (Rule::AfterNth(11, 4, 4, 4), 1, "cyber monday"),
    (Rule::AfterNth(11, 4, 4, 5), 1, "giving tuesday"),
    (Rule::Fixed(12, 6), 1, "st nicholas day"),
    (Rule::Fixed(12, 13), 1, "st lucias day"),
    (Rule::Fixed(12, 24), 1, "christmas eve|xmas eve"),
    (Rule::Fixed(12, 25), 1, "christmas day|xmas day|christmas|xmas"),
    (Rule::Fixed(12, 26), 1, "boxing day|st stephens day"),
    (Rule::Fixed(12, 26), 7, "kwanzaa"),
    (Rule::Easter(-47), 1, "mardi gras|shrove tuesday|pancake day"),
    (Rule::Easter(-46), 1, "ash wednesday"),
    (Rule::Easter(-7), 1, "palm sunday"),
    (
        Rule::Easter(-3),
        1,
        "maundy thursday|holy thursday|covenant thursday|covenant thu|sheer thursday|thursday of mysteries|thu of mysteries|great and holy thursday",
    ),
    (Rule::Easter(-2), 1, "good friday"),
    (Rule::Easter(-1), 1, "holy saturday|black saturday|easter eve"),
    (Rule::Easter(0), 1, "easter sunday|easter"),
    (Rule::Easter(1), 1, "easter monday|easter mon"),
    (Rule::Easter(39), 1, "ascension day"),
    (Rule::Easter(49), 1, "pentecost|whit sunday|whitsunday|white sunday"),
    (Rule::Easter(50), 1, "whit monday|pentecost monday|monday of the holy spirit"),
    (Rule::Easter(56), 1, "trinity sunday"),
    (Rule::Easter(60), 1, "corpus christi"),
    (Rule::Orthodox(0), 1, "orthodox easter"),
    (Rule::Orthodox(-2), 1, "orthodox good friday|orthodox great friday"),
    (Rule::Orthodox(-8), 1, "lazarus saturday"),
    (Rule::Orthodox(1), 1, "orthodox easter monday"),
    (Rule::Orthodox(-7), 1, "orthodox palm sunday"),
    (Rule::Orthodox(39), 1, "orthodox ascension"),
    (Rule::Orthodox(49), 1, "orthodox pentecost"),
    (Rule::Orthodox(-48), 40, "great lent|great fast"),
    (Rule::Orthodox(-48), 1, "clean monday"),
    (Rule::Islamic(1, 1), 1, "islamic new year|amun jadid|hijri new year"),
    (Rule::Islamic(1, 10), 1, "ashura"),
    (Rule::Islamic(3, 12), 1, "mawlid|mawlid al nabawi|milad un nabi|eid milad un nabi"),
    (Rule::Islamic(7, 27), 1, "isra and miraj|night journey|prophets ascension|ascension to heaven|lailat al miraj"),
    (Rule::Islamic(9, 1), 30, "ramadan|ramadhan|ramazan|ramzan"),
    (
        Rule::Islamic(9, 27),
        1,
        "laylat al qadr|laylat al kadr|night of power|night of destiny|night of decree|night of measures",
    ),
    (Rule::Islamic(10, 1), 1, "eid al fitr|id al fitr|eid ul fitr|eid"),
    (Rule::Islamic(12, 10), 1, "feast of sacrifice|sacrifice feast|bakrid|eid al adha|id ul adha|eid ul adha"),
    (Rule::Islamic(12, 10), 1, "bakr id"),
    (Rule::Islamic(12, 9), 1, "day of arafah|day of arafat|arafat day"),
    (Rule::LastOfIslamic(9, 5), 1, "jumuatul wida|jamat ul vida|jummat ul vida"),
    (Rule::Chinese(1, 1), 1, "chinese new year|chinese new years day|chinese lunar new years day"),
    (Rule::Chinese(1, 1), 1, "lunar new year"),
    (Rule::NewMoon(10, 16, 0), 1, "diwali|deepavali|lakshmi puja"),
    (Rule::NewMoon(10, 16, -2), 1, "dhanteras|dhanatrayodashi"),
    (Rule::NewMoon(10, 16, 6), 1, "chhath|chhath puja|dala puja|surya shashthi"),
    (Rule::NewMoon(10, 16, -20), 1, "dussehra|vijayadashami"),
    (Rule::NewMoon(10, 16, -29), 10, "navaratri|durga puja|navratri"),
    (Rule::NewMoon(2, 12, -2), 1, "maha shivaratri|shivaratri"),
    (Rule::NewMoon(6, 20, 2), 1, "ratha yatra"),
    (Rule::NewMoon(8, 17, 4), 1, "ganesh chaturthi"),
    (Rule::FullMoon(2, 25, 1), 1, "holi|phagwah|dhulandi"),
    (Rule::FullMoon(7, 31, 8), 1, "krishna janmashtami|janmashtami|gokulashtami"),
    (Rule::FullMoon(7, 31, 0), 1, "raksha bandhan|rakhi"),
    (Rule::FullMoon(7, 1, 0), 1, "guru purnima"),
    (Rule::FullMoon(4, 28, 0), 1, "vesak|buddha day|buddha purnima|vaisakha|vesakha|buddhas birthday"),
    (Rule::FullMoon(2, 25, 0), 1, "holika dahan"),
    (Rule::NewMoon(10, 16, 1), 1, "govardhan puja"),
    (Rule::NewMoon(10, 16, 2), 1, "bhai dooj"),
    (Rule::NewMoon(10, 16, -1), 1, "kali chaudas"),
    (Rule::NewMoon(1, 13, 6), 1, "vasant panchami"),
    (Rule::Fixed(1, 13), 1, "bogi pandigai|lohri"),
    (Rule::Fixed(1, 14), 1, "makar sankranti"),
    (Rule::Fixed(1, 15), 1, "pongal"),
    (Rule::Fixed(4, 14), 1, "vaisakhi|baisakhi"),
    (Rule::Fixed(5, 9), 1, "rabindra jayanti|rabindranath jayanti"),
    (Rule::Fixed(10, 2), 1, "gandhi jayanti"),
    (Rule::Fixed(8, 17), 1, "jamshedi navroz|parsi new year"),
    (Rule::Fixed(4, 27), 1, "kings day"),
    (Rule::Fixed(3, 21), 1, "nowruz"),
    (Rule::Eve(1, 1), 3, "rosh hashanah|rosh hashana"),
    (Rule::Eve(1, 10), 2, "yom kippur"),
    (Rule::Eve(1, 15), 8, "sukkot"),
    (Rule::Eve(1, 22), 2, "shemini atzeret"),
    (Rule::Eve(1, 23), 2, "simchat torah"),
    (Rule::Eve(3, 25), 9, "hanukkah|chanukah|hannukah"),
    (Rule::Eve(5, 15), 2, "tu bishvat"),
    (Rule::Eve(6, 14), 2, "purim"),
    (Rule::Eve(7, 15), 9, "passover|pesach"),
    (Rule::Eve(8, 18), 2, "lag baomer"),
    (Rule::Eve(9, 6), 3, "shavuot"),
    (Rule::Eve(7, 27), 2, "yom hashoah|holocaust day"),
    (Rule::Hebrew(11, 9), 1, "tisha bav"),
];

/// A name word by word, with the row of its holiday.
type Name = (Vec<&'static str>, usize);

/// Names by their first word, longest first.
static NAMES: LazyLock<FnvHashMap<&'static str, Vec<Name>>> = LazyLock::new(|| {
    let mut names: FnvHashMap<&'static str, Vec<Name>> = FnvHashMap::default();
    for (row, (_, _, list)) in HOLIDAYS.iter().enumerate() {
        for name in list.split('|') {
            let words: Vec<&str> = name.split(' ').collect();
            let first = words.first().copied().unwrap_or_default();
            names.entry(first).or_default().push((words, row));
        }
    }
    names.values_mut().for_each(|names| names.sort_by_key(|(words, _)| std::cmp::Reverse(words.len())));
    names
});

/// The words a holiday's name begins with, apostrophes and all.
pub(super) fn first_words() -> impl Iterator<Item = &'static str> {
    let written = "valentine's mother's father's women's president's presidents' boss's veteran's mothers' king's";
    HOLIDAYS
        .iter()
        .flat_map(|(_, _, names)| names.split('|'))
        .filter_map(|name| name.split(' ').next())
        .chain(written.split(' '))
}

/// The row and length of the longest name that the words spell; a word comes without its apostrophes.
pub(super) fn named(word: impl Fn(usize) -> String) -> Option<(usize, usize)> {
    let names = NAMES.get(word(0).as_str())?;
    let spelt = |words: &[&str]| words.iter().enumerate().skip(1).all(|(place, part)| word(place) == *part);
    names.iter().find(|(words, _)| spelt(words)).map(|(words, row)| (*row, words.len()))
}

/// The days of a holiday in a civil year.
pub(super) fn period(row: usize, year: i16) -> Option<calendar::Period> {
    let (rule, length, _) = HOLIDAYS.get(row)?;
    let first = feasts::day(*rule, year)?;
    match (rule, length) {
        // A month ends where the next one begins, which may be in the next year.
        (Rule::Islamic(month, 1), 2..) => {
            let next = |year| feasts::day(Rule::Islamic(month + 1, 1), year).filter(|next| *next > first);
            let end = next(year).or_else(|| next(year.checked_add(1)?))?;
            Some(calendar::Period::stretch(first, end, Precision::Day))
        }
        (_, 1) => calendar::Period::day(first),
        (_, length) => Some(calendar::Period::stretch(first, add_days(first, *length)?, Precision::Day)),
    }
}
