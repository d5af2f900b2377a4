//! Steps from now or from another date: "two weeks ago", "in three days", "the last two months", "just".

use super::expr::{Amount, Expr, Way};
use super::grammar::{Found, Reader};
use super::lexicon::{self, Unit};
use super::{numbers, tense};

/// Verbs behind "just" that tell of no event: "I just wanted to say".
const NO_EVENT: &[&str] = &[
    "wanted", "thought", "felt", "needed", "liked", "loved", "hoped", "said", "kept", "figured", "knew", "was", "were",
    "had", "did", "meant", "wished", "seemed", "couldn't", "didn't", "told",
];

/// "I just got a dog": this week, today at the latest.
pub(super) fn recent(r: Reader<'_>, at: usize) -> Option<Found> {
    let verb = r.words.text(at + 1);
    let event = r.words.is(at, "just") && tense::is_past_verb(verb) && !NO_EVENT.contains(&verb);
    let amount = Amount { months: 0, days: 0, seconds: 0, finest: Unit::Week, vague: false };
    event.then_some((Expr::Shift { amount, way: Way::Back, from: Box::new(Expr::Now) }, at + 1))
}

/// `the last two weeks`, `next 3 months`, `5 upcoming years`, `the past few days`.
pub(super) fn counted(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let from = words.skip(at, &["the", "these"]);
    let way = |at: usize| match words.text(at) {
        "last" | "past" | "previous" => Some(Way::Back),
        "next" | "coming" | "upcoming" | "following" => Some(Way::Ahead),
        _ => None,
    };
    let (way, from, later) = match (way(from), way(from + 1)) {
        (Some(way), _) => (way, from + 1, None),
        (None, Some(way)) => (way, from, Some(from + 1)),
        (None, None) => return None,
    };
    let (count, next) = match words.text(from) {
        "couple" => (2, words.skip(from + 1, &["of"])),
        "few" | "several" => (3, from + 1),
        "fortnight" if later.is_none() => return Some((Expr::Count { count: 14, unit: Unit::Day, way }, from + 1)),
        _ => numbers::cardinal(words, from).filter(|_| words.digits(from) <= 3)?,
    };
    let next = if later.is_some() { next + 1 } else { next };
    let unit = words.lex(next).unit?;
    let middle = later.is_some_and(|at| words.any(at, &["next", "last", "past", "previous"]));
    if middle && !words.text(next).ends_with('s') {
        return None;
    }
    let count = i32::try_from(count).ok().filter(|count| (1..=999).contains(count))?;
    let clock = matches!(unit, Unit::Second | Unit::Minute | Unit::Hour);
    let of = words.skip(next + 1, &["of", "in"]);
    if let Some((whole, end)) = r.deeper().filter(|_| of > next + 1).and_then(|deeper| deeper.cue(of).point(of)) {
        return Some((Expr::CountOf { count, unit, way, of: Box::new(whole) }, end));
    }
    (!clock).then_some((Expr::Count { count, unit, way }, next + 1))
}

/// `two weeks ago`, `in three days`, `3 days after Easter`, `two Mondays ago`.
pub(super) fn shifted(r: Reader<'_>, at: usize) -> Option<Found> {
    let words = r.words;
    let ahead = words.is(at, "in");
    let from = if ahead { at + 1 } else { at };
    if let Some(found) = weekdays_from(r, from) {
        return Some(found);
    }
    let (amount, next) = numbers::amount(words, from)?;
    let now = |way: Way, next: usize| Some((Expr::Shift { amount, way, from: Box::new(Expr::Now) }, next));
    let whole = words.is_whole(at..next + 1);
    match words.text(next) {
        "ago" | "back" => return now(Way::Back, next + 1),
        "hence" => return now(Way::Ahead, next + 1),
        "later" | "earlier" if whole => {
            return now(if words.is(next, "later") { Way::Ahead } else { Way::Back }, next + 1);
        }
        "from" if words.any(next + 1, &["now", "today"]) => return now(Way::Ahead, next + 2),
        "before" | "after" | "from" | "prior" | "since" => {
            let way = if words.any(next, &["before", "prior"]) { Way::Back } else { Way::Ahead };
            let base = words.skip(next + 1, &["to"]);
            if words.is(base, "now") {
                return now(way, base + 1);
            }
            if let Some((from, end)) = r.deeper().and_then(|deeper| deeper.cue(base).point(base)) {
                let from = Box::new(from);
                return Some((Expr::Shift { amount, way, from }, end));
            }
        }
        "starting" | "beginning" | "commencing" => {
            let base = words.skip(next + 1, &["on", "from"]);
            if let Some((from, end)) = r.deeper().and_then(|deeper| deeper.cue(base).point(base)) {
                return Some((Expr::Lasting { amount, from: Box::new(from) }, end));
            }
        }
        _ => {}
    }
    let time = words.skip(words.skip(next, &["'"]), &["time"]);
    let each = words.any(next, &["a", "per", "each", "every"]);
    (ahead && !each && !words.any(at.wrapping_sub(1), &["once", "twice", "times"])).then(|| now(Way::Ahead, time))?
}

fn weekdays_from(r: Reader<'_>, at: usize) -> Option<Found> {
    let (count, next) = numbers::cardinal(r.words, at).filter(|(count, _)| *count < 100)?;
    let name = r.words.text(next);
    let day = r.words.lex(next).weekday.or_else(|| lexicon::lookup(name.strip_suffix('s')?).weekday)?;
    let way = match r.words.text(next + 1) {
        "ago" | "back" => Way::Back,
        "later" | "hence" => Way::Ahead,
        _ => return None,
    };
    let count = i32::try_from(count).ok().filter(|count| *count > 0)?;
    Some((Expr::WeekdayFrom { day, count, way, from: Box::new(Expr::Day(0)) }, next + 2))
}
