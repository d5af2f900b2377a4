//! Times as callers write them.

use jiff::tz::TimeZone;
use recall_core::moment::{InvalidMoment, Moment};
use recall_core::turn::AtSource;
use serde_json::Value;

use super::request::Fault;

/// How far ahead of our clock a turn may have been said: clocks differ, the future does not talk.
const CLOCK_SKEW_SECONDS: i64 = 24 * 3600;

/// When memories stop counting.
pub(super) fn expiry(text: Option<&str>, zone: Option<&TimeZone>, now: Moment) -> Result<Option<Moment>, Fault> {
    let (Some(text), Some(zone)) = (text, zone) else { return Ok(None) };
    let (at, _) = read_time(text, zone).map_err(|detail| Fault::new("expires_at", detail))?;
    if at <= now { Err(Fault::new("expires_at", "lies in the past")) } else { Ok(Some(at)) }
}

/// When a turn was said, and how that is known.
pub(super) fn time(value: &Value, zone: &TimeZone, now: Moment) -> Result<(Option<Moment>, AtSource), String> {
    let (at, source) = match value {
        Value::String(text) => read_time(text, zone)?,
        Value::Number(number) => (since_1970(number).ok_or("lies outside the calendar")?, AtSource::Stated),
        Value::Null => return Ok((None, AtSource::Unknown)),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            return Err("must be RFC 3339, such as 2026-05-02T06:20:00+09:00, or seconds since 1970".into());
        }
    };
    if at.instant().duration_since(now.instant()).as_secs() > CLOCK_SKEW_SECONDS {
        return Err(format!("{at} lies in the future; give the time it was said, or leave it out"));
    }
    Ok((Some(at), source))
}

fn read_time(text: &str, zone: &TimeZone) -> Result<(Moment, AtSource), String> {
    match text.parse::<Moment>() {
        Ok(at) => Ok((at, AtSource::Stated)),
        Err(InvalidMoment::NoOffset(civil)) => {
            let at = Moment::from_civil(civil, zone).map_err(|error| error.to_string())?;
            Ok((at, AtSource::Assumed))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Seconds since 1970; from the year 5138 on read as milliseconds, which is what such a number is.
fn since_1970(number: &serde_json::Number) -> Option<Moment> {
    let seconds = number.as_f64().filter(|seconds| seconds.is_finite())?;
    let seconds = if seconds.abs() >= 1e11 { seconds / 1e3 } else { seconds };
    // Beyond the calendar the cast saturates and the calendar refuses it.
    #[allow(clippy::cast_possible_truncation, reason = "the calendar check follows")]
    Moment::from_microseconds((seconds * 1e6).round() as i64)
}
