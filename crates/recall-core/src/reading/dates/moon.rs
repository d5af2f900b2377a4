//! New and full moons to within minutes, from the leading terms of the moon's and the sun's motion: enough for the day of a feast.

use jiff::civil::{Date, date};

use super::calendar::add_days;

/// A phase that feasts are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    New,
    Full,
}

/// Mean length of a lunation in days.
const LUNATION: f64 = 29.530_588_861;

/// Days from midnight UTC to sunset in the middle of Asia.
const SUNSET: f64 = 0.5;

/// The day with the last sunset in India before the first such phase on or after a day.
pub(super) fn evening(phase: Phase, from: Date) -> Option<Date> {
    first_day(phase, from, SUNSET)
}

/// The day of the first such phase on or after a day, where days begin so much after midnight UTC.
fn first_day(phase: Phase, from: Date, begins: f64) -> Option<Date> {
    let epoch = date(2000, 1, 1);
    let days = from.duration_since(epoch).as_hours() as f64 / 24.0;
    let offset = match phase {
        Phase::New => 0.0,
        Phase::Full => 0.5,
    };
    let first = ((days - 5.6) / LUNATION - offset).floor() - 1.0;
    let moments = (0..4).map(|step| at(phase, first + f64::from(step) + offset) - begins);
    let found = moments.map(f64::floor).find(|day| *day >= days)?;
    add_days(epoch, found as i32)
}

/// The moment of a phase, in days from 2000-01-01 00:00 UTC, by the number of the lunation since then.
fn at(phase: Phase, lunation: f64) -> f64 {
    let sine = |degrees: f64| degrees.to_radians().sin();
    let sun = 2.5534 + 29.105_356_70 * lunation;
    let moon = 201.5643 + 385.816_935_28 * lunation;
    let node = 160.7108 + 390.670_502_84 * lunation;
    let (first, second, third) = match phase {
        Phase::New => (-0.4072, 0.172_41, 0.016_08),
        Phase::Full => (-0.406_14, 0.173_02, 0.016_14),
    };
    let swing = first * sine(moon)
        + second * sine(sun)
        + third * sine(2.0 * moon)
        + 0.0104 * sine(2.0 * node)
        + 0.0074 * sine(moon - sun)
        - 0.005_15 * sine(moon + sun)
        + 0.002_08 * sine(2.0 * sun);
    // The first new moon of 2000 was on 6 January at 14:20; dynamical time runs about a minute ahead.
    5.597_66 + LUNATION * lunation + swing - 0.0008
}
