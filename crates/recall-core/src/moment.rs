//! An instant together with the offset it was said in, since "yesterday" means a day of the speaker.

use std::fmt;
use std::str::FromStr;

use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ZonedDateTime, civil};
use serde::{Deserialize, Serialize};

/// An instant with its UTC offset. Text form: RFC 3339 (`2026-05-02T06:20:00+09:00`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Moment {
    instant: Timestamp,
    offset: Offset,
}

/// Why a text is not a moment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMoment {
    /// Not a date and time at all.
    #[error("not an RFC 3339 date and time, such as 2026-05-02T06:20:00+09:00")]
    Unreadable,
    /// A date and time without an offset; what it means depends on a time zone.
    #[error("date and time without an offset")]
    NoOffset(civil::DateTime),
    /// Beyond what the calendar holds.
    #[error("date outside the years -9999 to 9999")]
    OutOfRange,
}

impl Moment {
    /// A moment from its instant and offset.
    pub fn new(instant: Timestamp, offset: Offset) -> Self {
        Self { instant, offset }
    }

    /// A moment in UTC from microseconds since 1970; `None` beyond the calendar.
    pub fn from_microseconds(microseconds: i64) -> Option<Self> {
        Some(Self::new(Timestamp::from_microsecond(microseconds).ok()?, Offset::UTC))
    }

    /// A civil date and time in a zone.
    ///
    /// # Errors
    /// [`InvalidMoment::OutOfRange`] at the ends of the calendar.
    pub fn from_civil(at: civil::DateTime, zone: &TimeZone) -> Result<Self, InvalidMoment> {
        let zoned = zone.to_ambiguous_zoned_datetime(at).compatible().map_err(|_| InvalidMoment::OutOfRange)?;
        Ok(Self::from(&zoned))
    }

    /// The instant.
    pub fn instant(self) -> Timestamp {
        self.instant
    }

    /// Microseconds since 1970-01-01 UTC.
    pub fn microseconds(self) -> i64 {
        self.instant.as_microsecond()
    }

    /// The offset from UTC.
    pub fn offset(self) -> Offset {
        self.offset
    }

    /// The same instant seen at another offset.
    pub fn at_offset(self, offset: Offset) -> Self {
        Self { offset, ..self }
    }

    /// Date and time on the speaker's wall.
    pub fn civil(self) -> civil::DateTime {
        self.offset.to_datetime(self.instant)
    }

    /// As a zoned time of a fixed offset.
    pub fn zoned(self) -> ZonedDateTime {
        self.instant.to_zoned_datetime(TimeZone::fixed(self.offset))
    }
}

/// Order in said time: the instant decides, the offset only breaks ties so that the order is total.
impl Ord for Moment {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.instant, self.offset).cmp(&(other.instant, other.offset))
    }
}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl From<&ZonedDateTime> for Moment {
    fn from(zoned: &ZonedDateTime) -> Self {
        Self::new(zoned.timestamp(), zoned.offset())
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.instant.display_with_offset(self.offset))
    }
}

impl FromStr for Moment {
    type Err = InvalidMoment;
    fn from_str(text: &str) -> Result<Self, InvalidMoment> {
        let pieces = Pieces::parse(text).map_err(|_| InvalidMoment::Unreadable)?;
        let time = pieces.time().ok_or(InvalidMoment::Unreadable)?;
        let at = pieces.date().to_datetime(time);
        let offset = match pieces.offset() {
            Some(PiecesOffset::Numeric(numeric)) => numeric.offset(),
            Some(PiecesOffset::Zulu) => Offset::UTC,
            Some(_) | None => return Err(InvalidMoment::NoOffset(at)),
        };
        let instant = offset.to_timestamp(at).map_err(|_| InvalidMoment::OutOfRange)?;
        Ok(Self { instant, offset })
    }
}

impl Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// How much of the calendar an event date is known to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// A point in time.
    Instant,
    /// A civil day.
    Day,
    /// An ISO week, from Monday.
    Week,
    /// A civil month.
    Month,
    /// March, June, September or December and the two months after it.
    Season,
    /// A civil year.
    Year,
    /// No date is known.
    #[default]
    Unknown,
}

impl Precision {
    /// The precision as it stands in rows and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Instant => "instant",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Season => "season",
            Self::Year => "year",
            Self::Unknown => "unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rfc_3339_and_keeps_the_offset() {
        let at: Moment = "2026-05-02T06:20:00+09:00".parse().expect("a moment");
        assert_eq!(at.to_string(), "2026-05-02T06:20:00+09:00");
        assert_eq!(at.civil().date(), civil::date(2026, 5, 2));
    }

    #[test]
    fn a_missing_offset_is_told_apart_from_nonsense() {
        assert!(matches!("2026-05-02T06:20:00".parse::<Moment>(), Err(InvalidMoment::NoOffset(_))));
        assert_eq!("yesterday".parse::<Moment>(), Err(InvalidMoment::Unreadable));
        assert_eq!("2026-05-02".parse::<Moment>(), Err(InvalidMoment::Unreadable));
    }
}
