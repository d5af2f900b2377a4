//! Dates as labels write them: `2026-03-02`, `2026-03`, `2026`.

use recall_core::memory::Memory;
use recall_core::moment::Precision;

/// The first day of a memory, as exact as it is known.
pub(super) fn told(memory: &Memory) -> Option<String> {
    let date = memory.event_at?.civil().date();
    match memory.precision {
        Precision::Instant | Precision::Day | Precision::Week => Some(date.to_string()),
        Precision::Month | Precision::Season => Some(format!("{:04}-{:02}", date.year(), date.month())),
        Precision::Year => Some(format!("{:04}", date.year())),
        Precision::Unknown => None,
    }
}

/// Whether a date is the right one: as exact as the label, or more exact and inside it.
pub(super) fn right(found: &str, label: &str) -> bool {
    found == label || found.strip_prefix(label).is_some_and(|rest| rest.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_right_where_it_is_the_label_or_lies_inside_it() {
        for (found, label, is) in [
            ("2026-03-02", "2026-03-02", true),
            ("2026-03-02", "2026-03", true),
            ("2026-03", "2026-03-02", false),
            ("2026-03-03", "2026-03-02", false),
            ("2026-12", "2026-1", false),
            ("2026", "2026", true),
        ] {
            assert_eq!(right(found, label), is, "{found} {label}");
        }
    }
}
