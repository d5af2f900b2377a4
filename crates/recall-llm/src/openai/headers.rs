//! What a response says about waiting: `Retry-After` in its three forms, and the rate-limit headers.

use std::time::Duration;

use http::{HeaderMap, header};

/// Wait a server asks for, capped; `None` where it names none that can be read, or one of nothing: a call that comes back at once,
/// and is not charged for it, would go round for ever.
///
/// A date is taken relative to the response's own `Date`: the clock of this machine may be a day off.
pub(super) fn retry_after(headers: &HeaderMap, longest: Duration) -> Option<Duration> {
    let milliseconds = text(headers, "retry-after-ms").and_then(seconds).map(|wait| wait / 1000.0);
    let milliseconds = milliseconds.filter(|wait| *wait > 0.0);
    let wait = milliseconds.or_else(|| {
        let value = text(headers, header::RETRY_AFTER.as_str())?;
        seconds(value).or_else(|| until(value, text(headers, header::DATE.as_str())?))
    })?;
    (wait > 0.0).then(|| Duration::try_from_secs_f64(wait).map_or(longest, |wait| wait.min(longest)))
}

/// How long nothing is left, where the rate-limit headers say so.
pub(super) fn exhausted_for(headers: &HeaderMap, longest: Duration) -> Option<Duration> {
    let spent = |kind: &str| {
        let left = text(headers, &format!("x-ratelimit-remaining-{kind}"))?.parse::<f64>().ok()?;
        let reset = span(text(headers, &format!("x-ratelimit-reset-{kind}"))?)?;
        (left <= 0.0).then_some(reset)
    };
    ["requests", "tokens"].into_iter().filter_map(spent).max().map(|wait| wait.min(longest))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn seconds(value: &str) -> Option<f64> {
    value.parse::<f64>().ok().filter(|number| !number.is_nan())
}

fn until(date: &str, now: &str) -> Option<f64> {
    let at = httpdate::parse_http_date(date).ok()?;
    let now = httpdate::parse_http_date(now).ok()?;
    Some(at.duration_since(now).unwrap_or_default().as_secs_f64())
}

/// A span such as `6m0s`, `1.5s`, `120ms`, `1h2m`, or bare seconds.
fn span(value: &str) -> Option<Duration> {
    if let Some(bare) = seconds(value) {
        return Duration::try_from_secs_f64(bare).ok();
    }
    let mut total = 0.0;
    let mut rest = value;
    while !rest.is_empty() {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at_checked(number_end)?;
        let unit_end = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at_checked(unit_end)?;
        let factor = match unit {
            "d" => 86_400.0,
            "h" => 3_600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 0.001,
            "us" | "\u{b5}s" => 0.000_001,
            _ => return None,
        };
        total += number.parse::<f64>().ok()? * factor;
        rest = tail;
    }
    Duration::try_from_secs_f64(total).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATE: (&str, &str) = ("date", "Tue, 03 Mar 2026 10:00:00 GMT");

    type Pairs = &'static [(&'static str, &'static str)];

    fn headers(pairs: Pairs) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn a_wait_is_read_in_every_form_and_capped() {
        let hour = Duration::from_secs(3600);
        let table: [(Pairs, Option<f64>); 14] = [
            (&[], None),
            (&[("retry-after", "7")], Some(7.0)),
            (&[("retry-after", " 1.5 ")], Some(1.5)),
            (&[("retry-after-ms", "250"), ("retry-after", "9")], Some(0.25)),
            (&[("retry-after", "Tue, 03 Mar 2026 10:00:42 GMT"), DATE], Some(42.0)),
            (&[("retry-after", "Tue, 03 Mar 2026 09:00:00 GMT"), DATE], None),
            (&[("retry-after", "0")], None),
            (&[("retry-after-ms", "0"), ("retry-after", "9")], Some(9.0)),
            (&[("retry-after", "Tue, 03 Mar 2026 10:00:42 GMT")], None),
            (&[("retry-after", "99999999999999999999")], Some(3600.0)),
            (&[("retry-after", "inf")], Some(3600.0)),
            (&[("retry-after", "-5")], None),
            (&[("retry-after", "NaN")], None),
            (&[("retry-after", "soon")], None),
        ];
        for (pairs, wait) in table {
            assert_eq!(retry_after(&headers(pairs), hour).map(|wait| wait.as_secs_f64()), wait, "{pairs:?}");
        }
    }

    #[test]
    fn a_spent_limit_is_seen_before_the_first_429() {
        let hour = Duration::from_secs(3600);
        let table: [(Pairs, Option<f64>); 6] = [
            (&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "6m0s")], Some(360.0)),
            (&[("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "120ms")], Some(0.12)),
            (&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "2.5")], Some(2.5)),
            (&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "9h1m")], Some(3600.0)),
            (&[("x-ratelimit-remaining-requests", "3"), ("x-ratelimit-reset-requests", "6m0s")], None),
            (&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "later")], None),
        ];
        for (pairs, wait) in table {
            assert_eq!(exhausted_for(&headers(pairs), hour).map(|wait| wait.as_secs_f64()), wait, "{pairs:?}");
        }
    }
}
