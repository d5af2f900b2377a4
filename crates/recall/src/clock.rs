//! The clock of the outermost floor: doors and commands ask it, judgement never does.

use recall_core::moment::Moment;

/// Now, in UTC.
#[allow(clippy::disallowed_methods, reason = "floor 4 may read the clock; this is the one place that does")]
pub(crate) fn now() -> Moment {
    Moment::new(jiff::Timestamp::now(), jiff::tz::Offset::UTC)
}
