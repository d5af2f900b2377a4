//! Tables of expressions and what they mean on a Wednesday evening, 20 May 2026, at +02:00; and properties of every text.

use jiff::Timestamp;
use jiff::tz::Offset;
use proptest::prelude::*;

use super::*;

fn at(text: &str) -> Moment {
    text.parse().expect("a moment")
}

fn read(text: &str, said_at: &str) -> Vec<String> {
    let shown = |dated: &Dated| {
        let future = dated.in_future().normal;
        if future == dated.normal { dated.normal.clone() } else { format!("{} or {future}", dated.normal) }
    };
    find(text, at(said_at)).iter().map(shown).collect()
}

fn check(table: &[(&str, &[&str])]) {
    for (text, right) in table {
        assert_eq!(read(text, "2026-05-20T21:49:00+02:00"), *right, "{text:?}");
    }
}

#[test]
fn days_are_counted_from_the_speakers_own_day() {
    check(&[
        ("I finished it today", &["2026-05-20"]),
        ("tonight we fly", &["2026-05-20"]),
        ("we argued last night", &["2026-05-19"]),
        ("the day before yesterday I slept badly", &["2026-05-18"]),
        ("back the day after tomorrow", &["2026-05-22"]),
        ("this morning the tap broke", &["2026-05-20"]),
        ("ten days ago", &["2026-05-10"]),
        ("see you in four days", &["2026-05-24"]),
    ]);
    assert_eq!(read("yesterday", "2024-03-01T00:10:00-08:00"), ["2024-02-29"]);
    assert_eq!(read("tomorrow", "2027-12-31T23:59:00+14:00"), ["2028-01-01"]);
}

#[test]
fn a_bare_weekday_or_month_has_a_past_and_a_future_reading() {
    check(&[
        ("on Friday", &["2026-05-15 or 2026-05-22"]),
        ("on Wednesday", &["2026-05-13 or 2026-05-20"]),
        ("in February", &["2026-02 or 2027-02"]),
        ("in May", &["2026-05"]),
        ("on 12 September", &["2025-09-12 or 2026-09-12"]),
        ("on the 3rd", &["2026-05-03 or 2026-06-03"]),
        ("at Easter", &["2026-04-05 or 2027-03-28"]),
        ("Feb 29", &["2024-02-29 or 2028-02-29"]),
    ]);
}

#[test]
fn last_this_and_next_choose_one_reading() {
    check(&[
        ("last Friday", &["2026-05-15"]),
        ("next Friday", &["2026-05-29"]),
        ("this coming Friday", &["2026-05-22"]),
        ("last week", &["2026-W20"]),
        ("next month", &["2026-06"]),
        ("last year", &["2025"]),
        ("the week after next", &["2026-W23"]),
        ("last summer", &["2025-06/P3M"]),
        ("next winter", &["2026-12/P3M"]),
        ("last Christmas", &["2025-12-25"]),
        ("this weekend", &["2026-05-23/2026-05-24"]),
        ("last quarter", &["2026-01-01/2026-03-31"]),
        ("Tuesday next week", &["2026-05-26"]),
        ("August last year", &["2025-08"]),
    ]);
}

#[test]
fn the_more_units_the_coarser_the_date() {
    check(&[
        ("three weeks ago", &["2026-W18"]),
        ("four months ago", &["2026-01"]),
        ("two years ago", &["2024"]),
        ("a few days ago", &["2026-W20"]),
        ("a couple of weeks ago", &["2026-W19"]),
        ("half a year ago", &["2025-11"]),
        ("20 minutes ago", &["2026-05-20T21:29:00+02:00"]),
    ]);
    let counted = find("three weeks ago", at("2026-05-20T21:49:00+02:00"));
    assert_eq!(counted.first().and_then(|dated| dated.counted), Some(at("2026-04-29T00:00:00+02:00")));
}

#[test]
fn dates_relative_to_other_dates_are_counted_from_those() {
    check(&[
        ("the week before 9 June", &["2025-W23 or 2026-W23"]),
        ("the Sunday before Easter", &["2026-03-29 or 2027-03-21"]),
        ("two days after Christmas 2025", &["2025-12-27"]),
        ("two weeks before 1 July 2026", &["2026-06-17"]),
        ("the first Monday in September 2026", &["2026-09-07"]),
        ("the last week of July 2026", &["2026-W31"]),
        ("the 20th of next month", &["2026-06-20"]),
        ("the end of the month", &["2026-05-21/2026-05-31"]),
        ("early March 2025", &["2025-03-01/2025-03-10"]),
        ("the weekend of 13 June 2026", &["2026-06-13/2026-06-14"]),
    ]);
}

#[test]
fn ranges_keep_both_ends_and_open_ones_one() {
    check(&[
        ("from 3 to 9 August 2026", &["2026-08-03/2026-08-09"]),
        ("between 28 June and 2 July 2025", &["2025-06-28/2025-07-02"]),
        ("November 19-20, 2025", &["2025-11-19/2025-11-20"]),
        ("2014-2018 was a long time", &["2014-01-01/2018-12-31"]),
        ("since 2018", &["2018/.."]),
        ("I've been a nurse for three years", &["2023/.."]),
        ("until May 2027", &["../2027-05-31"]),
        ("before 2010", &["../2009-12-31"]),
        ("the last two weeks", &["2026-05-06/2026-05-19"]),
        ("in the nineties", &["1990-01-01/1999-12-31"]),
        ("every Monday and on Sundays", &["R", "R"]),
    ]);
}

#[test]
fn clock_times_add_to_a_day_and_keep_the_offset() {
    check(&[
        ("tomorrow at 6:20", &["2026-05-21T06:20:00+02:00"]),
        ("at half past seven on 7 April 2026", &["2026-04-07T07:30:00+02:00"]),
        ("5pm tomorrow", &["2026-05-21T17:00:00+02:00"]),
        ("tonight at 8", &["2026-05-20T20:00:00+02:00"]),
        ("lunch is at 12:30", &[]),
    ]);
}

#[test]
fn dates_in_digits_tell_where_two_orders_fit() {
    check(&[
        ("born 2001-09-08", &["2001-09-08"]),
        ("due 25/12/2026", &["2026-12-25"]),
        ("on 3/14/2026", &["2026-03-14"]),
        ("geboren 12.04.1966", &["1966-04-12"]),
    ]);
    let ambiguous = |text: &str| find(text, at("2026-05-20T12:00:00Z")).first().map(|dated| dated.ambiguous);
    assert_eq!(ambiguous("on 03/04/2026"), Some(true));
    assert_eq!(ambiguous("on 03/14/2026"), Some(false));
    assert_eq!(ambiguous("on 04/04/2026"), Some(false));
}

#[test]
fn holidays_follow_their_own_calendars() {
    check(&[
        ("Thanksgiving 2025", &["2025-11-27"]),
        ("Mother's Day 2026", &["2026-05-10"]),
        ("Diwali 2023", &["2023-11-12"]),
        ("Chinese New Year 2025", &["2025-01-29"]),
        ("Eid al-Fitr 2024", &["2024-04-10"]),
        ("Passover 2025", &["2025-04-12/2025-04-20"]),
        ("Yom Kippur 2024", &["2024-10-11/2024-10-12"]),
        ("Good Friday 2026", &["2026-04-03"]),
        ("orthodox Easter 2024", &["2024-05-05"]),
    ]);
}

#[test]
fn numbers_and_words_that_are_no_dates_stay_alone() {
    let alone = [
        "our house number is 2019 and the 1999 bus stops there",
        "I paid 1850 for the stove, 12.5 cm of clearance",
        "May I march in? The sun sat low, we wed on a whim",
        "it may take a second",
        "that was 24/7, five stars out of 5/5",
        "I was 23, she was in her twenties",
        "the other day, one day, some day",
        "he slept for three hours",
        "two days after the wedding",
        "in 2000 meters turn left",
        "call 555-2017 or 12-34-56-78",
        "32 August is no day, and neither is 31/31/2024",
        "good morning and have a nice day",
        "version 10.1 of the app",
        "I just wanted to say hi",
    ];
    for text in alone {
        assert_eq!(read(text, "2026-05-20T21:49:00+02:00"), Vec::<String>::new(), "{text:?}");
    }
}

#[test]
fn just_dates_news_unless_something_better_stands_there() {
    check(&[
        ("I just adopted a dog", &["2026-W21"]),
        ("I just won another race last weekend", &["2026-05-16/2026-05-17"]),
    ]);
}

#[test]
fn a_claims_calendar_date_agrees_with_the_words_it_came_from() {
    let said = "2026-08-31T19:20:00+02:00";
    let one = |text: &str| find(text, at(said)).into_iter().next().expect("a date");
    for (words, date, right) in [
        ("three days ago", "on 28 August 2026", true),
        ("three days ago", "on 31 August 2026", false),
        ("yesterday", "in August 2026", true),
        ("last week", "on 26 August 2026", true),
        ("last week", "on 20 August 2026", false),
        ("from 3 to 9 August", "from 3 to 9 August 2026", true),
        ("from 3 to 9 August", "from 3 to 19 August 2026", false),
        ("since 2018", "since 2018", true),
        ("until May", "until May 2027", true),
        ("on Friday", "on 4 September 2026", true),
    ] {
        assert_eq!(agree(&one(words), &one(date)), right, "{words:?} and {date:?}");
        assert_eq!(agree(&one(date), &one(words)), right, "{date:?} and {words:?}");
    }
}

#[test]
fn deep_nesting_and_long_texts_end() {
    let nested = "the day before ".repeat(2_000) + "Christmas";
    assert!(find(&nested, at("2026-05-20T12:00:00Z")).len() < 2_000);
    let ends = "end of the week of ".repeat(1_000);
    let _ = find(&ends, at("2026-05-20T12:00:00Z"));
}

/// Pieces that the grammar knows, in any order.
const PIECES: [&str; 40] = [
    "last",
    "next",
    "week",
    "on",
    "Friday",
    "2026",
    "the",
    "first",
    "of",
    "May",
    "3",
    "to",
    "-",
    "/",
    "99999999",
    "ago",
    "before",
    "after",
    "Easter",
    "2 weeks",
    "end of",
    "since",
    "until",
    "between",
    "and",
    "at 5pm",
    "'98",
    ".",
    "every",
    "for",
    "years",
    "29 February",
    "10000 years",
    "9999-12-31",
    "0001-01-01",
    "centuries",
    "999",
    "ramadan",
    "passover",
    "q4",
];

proptest! {
    #[test]
    fn any_text_at_any_moment_is_read_alike_twice_and_spans_are_slices(
        text in prop_oneof!["\\PC{0,120}", prop::collection::vec(prop::sample::select(&PIECES[..]), 0..14).prop_map(|words| words.join(" "))],
        seconds in prop_oneof![Just(-377_705_023_201_i64), Just(253_402_207_200_i64), -377_705_023_201_i64..253_402_207_200],
        hours in -25_i8..=25,
    ) {
        let said_at = Moment::new(Timestamp::from_second(seconds).expect("in range"), Offset::from_hours(hours).expect("in range"));
        let found = find(&text, said_at);
        prop_assert_eq!(&found, &find(&text, said_at));
        let mut end = 0;
        for dated in &found {
            prop_assert!(text.get(dated.span.clone()).is_some_and(|words| !words.is_empty()));
            prop_assert!(dated.span.start >= end);
            end = dated.span.end;
            if let (Some(start), Some(end)) = (dated.start, dated.end) {
                prop_assert!(start <= end, "{:?}", dated);
            }
            let _ = agree(dated, &dated.in_future());
        }
    }
}
