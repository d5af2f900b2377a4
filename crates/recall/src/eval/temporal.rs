//! Scores of the `temporal` folder: time expressions against a reference moment, and dates of remembered turns.

mod remembered;

use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use recall_core::moment::Moment;
use recall_core::reading::dates::{self, Dated, Extent};
use serde_json::Value;

use super::{Judge, Row, Scorer, ratios};

/// The files of this folder.
pub(super) const SCORERS: &[Scorer] = &[
    Scorer { stage: "temporal", file: "locomo_temporal", judge: Judge::Alone(remembered::locomo), summarise: ratios },
    Scorer { stage: "temporal", file: "recognizers_en", judge: Judge::Alone(recognizers), summarise: ratios },
    Scorer { stage: "temporal", file: "chrono_en", judge: Judge::Alone(chrono), summarise: ratios },
    Scorer { stage: "temporal", file: "duckling_en", judge: Judge::Alone(duckling), summarise: ratios },
];

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A moment without offset is read in UTC.
fn moment(text: &str) -> Option<Moment> {
    let at: DateTime = text.parse().ok()?;
    Some(Moment::new(Offset::UTC.to_timestamp(at).ok()?, Offset::UTC))
}

fn day(at: Option<Moment>) -> Option<Date> {
    at.map(|at| at.civil().date())
}

fn row(group: &str, tally: Vec<(&'static str, f64, f64)>, wrong: Option<String>) -> Row {
    Row { group: group.to_owned(), tally, points: Vec::new(), wrong }
}

fn one(metric: &'static str, right: bool) -> Vec<(&'static str, f64, f64)> {
    vec![(metric, f64::from(u8::from(right)), 1.0)]
}

/// What was found, for a line about a wrong row.
fn shown(found: &[Dated], said: &str) -> String {
    let one = |dated: &Dated| {
        let words = said.get(dated.span.clone()).unwrap_or_default();
        let future = dated.in_future().normal;
        if future == dated.normal {
            format!("{words} = {future}")
        } else {
            format!("{words} = {} or {future}", dated.normal)
        }
    };
    found.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Rows that must not match: nothing with a date is found.
fn left_alone(group: &str, said: &str, found: &[Dated]) -> Row {
    let dated = found.iter().any(|dated| dated.start.is_some() || dated.end.is_some());
    let wrong = dated.then(|| format!("{said:?}: found {}", shown(found, said)));
    row(group, one("reject_rate", !dated), wrong)
}

/// Both readings of an expression.
fn readings(dated: &Dated) -> [Dated; 2] {
    [dated.clone(), dated.in_future()]
}

/// The exact first day of a reading.
fn first_day(dated: &Dated) -> Option<Date> {
    day(dated.counted.or(dated.start))
}

/// The rows of Recognizers-Text. Its ranges end at the start of their last unit or right after it; both are accepted.
/// Two values are a past and a future reading: the past one is asked for.
fn recognizers(line: &Value) -> Vec<Row> {
    let (group, said) = (text(line, "group"), text(line, "text"));
    let Some(at) = moment(text(line, "reference")) else { return Vec::new() };
    let found = dates::find(said, at);
    let spans = line.get("spans").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if spans.is_empty() {
        return vec![left_alone(group, said, &found)];
    }
    let scored = spans.iter().filter_map(|span| {
        let metric = match text(span, "type") {
            "date" => "accuracy_date",
            "daterange" => "accuracy_daterange",
            _ => return None,
        };
        let right = recognized(span, said, &found)?;
        let wrong = (!right).then(|| {
            format!("{at} {said:?} <{}>: found {}; right {}", text(span, "text"), shown(&found, said), span["values"])
        });
        Some(row(group, one(metric, right), wrong))
    });
    scored.collect()
}

/// `None` where the row names a season and gives no value.
fn recognized(span: &Value, said: &str, found: &[Dated]) -> Option<bool> {
    let place = |field: &str| span.get(field).and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
    let byte = |at: usize| said.char_indices().nth(at).map_or(said.len(), |(byte, _)| byte);
    let (from, to) = (byte(place("start")?), byte(place("end")? + 1));
    let dated = found.iter().find(|dated| dated.span.start < to && from < dated.span.end);
    let values = span.get("values").and_then(Value::as_array)?;
    let wanted: Vec<(Option<Date>, Option<Date>)> = values.iter().flat_map(bounds).collect();
    let unresolved = values.iter().any(|value| text(value, "value") == "not resolved" || nowhere(value));
    if unresolved || wanted.is_empty() {
        let season = values.iter().any(|value| {
            text(value, "timex").chars().any(|c| c.is_ascii_uppercase() && c != 'X' && c != 'P' && c != 'D')
        });
        return (!season).then_some(dated.is_none());
    }
    let Some(dated) = dated else { return Some(false) };
    let range = text(span, "type") == "daterange";
    let fits = |dated: &Dated, wanted: &(Option<Date>, Option<Date>)| {
        if range { same_range(dated, *wanted) } else { first_day(dated) == wanted.0 }
    };
    Some(match wanted.as_slice() {
        [only] => readings(dated).iter().any(|reading| fits(reading, only)),
        [past, ..] => fits(dated, past),
        [] => false,
    })
}

fn nowhere(value: &Value) -> bool {
    value.pointer("/past/date").and_then(Value::as_str) == Some("0001-01-01")
}

/// Start and end of the values of a span; the past reading first.
fn bounds(value: &Value) -> Vec<(Option<Date>, Option<Date>)> {
    let date = |value: &Value, fields: [&str; 2]| {
        fields.iter().find_map(|field| value.get(field).and_then(Value::as_str)?.parse::<Date>().ok())
    };
    let both = |value: &Value| {
        (date(value, ["startDate", "start"]).or(date(value, ["date", "value"])), date(value, ["endDate", "end"]))
    };
    let told = [value.get("past"), value.get("future")];
    let mut all: Vec<_> = if told.iter().any(Option::is_some) {
        told.into_iter().flatten().map(both).collect()
    } else {
        vec![both(value)]
    };
    all.retain(|(start, end)| start.is_some() || end.is_some());
    all.dedup();
    all
}

fn same_range(dated: &Dated, (start, end): (Option<Date>, Option<Date>)) -> bool {
    let until = day(dated.until).or_else(|| day(dated.end).and_then(|end| end.yesterday().ok()));
    let quarter = until.map(|until| until.first_of_month().saturating_sub(jiff::Span::new().months(2)));
    let ends = [day(dated.end), until, until.map(Date::first_of_month), until.map(Date::first_of_year), quarter];
    let start_fits = first_day(dated) == start;
    start_fits && if end.is_some() { ends.contains(&end) } else { matches!(dated.extent, Extent::OpenEnd) }
}

/// The rows of Duckling that name days or longer; it reads what is open as future, so either reading is accepted.
fn duckling(line: &Value) -> Vec<Row> {
    let (group, said) = (text(line, "group"), text(line, "text"));
    let Some(at) = moment(text(line, "reference")) else { return Vec::new() };
    let found = dates::find(said, at);
    let date = |field: &str| text(line, field).parse::<DateTime>().ok().map(DateTime::date);
    let Some(start) = date("start") else { return vec![left_alone(group, said, &found)] };
    if !matches!(text(line, "grain"), "day" | "week" | "month" | "quarter" | "year") {
        return Vec::new();
    }
    let end = date("end");
    let grain = text(line, "grain");
    let counted = |dated: &Dated| {
        first_day(dated).and_then(|first| if end.is_none() { at_grain(first, grain) } else { Some(first) })
    };
    let fits = |dated: &Dated| match text(line, "open") {
        "before" => day(dated.end) == Some(start),
        "after" => first_day(dated) == Some(start) && dated.end.is_none(),
        _ if end.is_none() && last_unit(dated, grain) == Some(start) => true,
        _ => {
            (counted(dated) == Some(start) || day(dated.start) == Some(start))
                && (end.is_none() || day(dated.end) == end)
        }
    };
    let right = found.iter().any(|dated| readings(dated).iter().any(fits));
    let wrong = (!right).then(|| format!("{said:?}: found {}; right {start} {end:?}", shown(&found, said)));
    vec![row(group, one("accuracy", right), wrong)]
}

/// First day of the last unit of a stretch: Duckling gives it for "upcoming two months".
fn last_unit(dated: &Dated, grain: &str) -> Option<Date> {
    day(dated.until).filter(|_| dated.extent == Extent::Range).and_then(|until| at_grain(until, grain))
}

/// First day of the unit of a grain that holds a day.
fn at_grain(date: Date, grain: &str) -> Option<Date> {
    match grain {
        "month" => Some(date.first_of_month()),
        "quarter" => Date::new(date.year(), (date.month() - 1) / 3 * 3 + 1, 1).ok(),
        "year" => Some(date.first_of_year()),
        _ => Some(date),
    }
}

/// The rows of chrono that name days; it gives a point where a period is meant, so the point must lie in the period.
fn chrono(line: &Value) -> Vec<Row> {
    let (group, said) = (text(line, "group"), text(line, "text"));
    let reference = text(line, "reference");
    let found = |at: &str| moment(at).map(|at| (at, dates::find(said, at)));
    let Some((at, found)) = found(if reference.is_empty() { "2020-01-15T12:00:00" } else { reference })
        .zip(found("2031-07-09T12:00:00"))
        .map(|((at, found), (_, other))| {
            // Without a reference moment only what every moment reads alike is a date: a turn without time resolves nothing relative.
            let absolute = |dated: &Dated| other.iter().any(|same| same.start == dated.start && same.end == dated.end);
            (at, found.into_iter().filter(|dated| !reference.is_empty() || absolute(dated)).collect::<Vec<_>>())
        })
    else {
        return Vec::new();
    };
    let Some(expected) = line.get("expected").filter(|expected| !expected.is_null()) else {
        return vec![left_alone(group, said, &found)];
    };
    let point = |field: &str| {
        let part = |name: &str| expected.get(field)?.get(name)?.as_i64();
        Date::new(part("year")?.try_into().ok()?, part("month")?.try_into().ok()?, part("day")?.try_into().ok()?).ok()
    };
    let hour = expected.pointer("/start/hour").and_then(Value::as_i64);
    let implied = hour.is_none_or(|hour| hour == i64::from(at.civil().hour()));
    let Some(start) = point("start").filter(|_| implied) else { return Vec::new() };
    let end = point("end");
    let fits = |dated: &Dated| {
        let from = first_day(dated);
        let begins =
            day(dated.start).is_some_and(|first| first <= start) && day(dated.end).is_none_or(|end| start < end);
        (from == Some(start) || begins) && (end.is_none() || day(dated.until) == end)
    };
    let right = found.iter().any(|dated| readings(dated).iter().any(fits));
    let wrong = (!right).then(|| format!("{at} {said:?}: found {}; right {start} {end:?}", shown(&found, said)));
    vec![row(group, one("accuracy", right), wrong)]
}
