//! What may be asked about dead letters, and what is wrong with what is not.

use super::MOST;

/// The longest reason, in characters.
const REASON_CHARS: usize = 500;

/// Says what is wrong with the words a reason is to hold.
pub(crate) fn check_words(words: Option<&str>) -> Result<(), String> {
    match words {
        Some(words) if words.is_empty() || words.chars().count() > REASON_CHARS || words.contains('\0') => {
            Err(format!("must be 1 to {REASON_CHARS} characters"))
        }
        Some(_) | None => Ok(()),
    }
}

/// Says what is wrong with the ids of a request.
pub(crate) fn check_ids(ids: &[String]) -> Result<(), String> {
    if ids.is_empty() || ids.len() > MOST {
        return Err(format!("must name 1 to {MOST} dead letters"));
    }
    match ids.iter().find(|id| id.is_empty() || id.len() > 256 || id.chars().any(char::is_control)) {
        Some(_) => Err("each must be 1 to 256 bytes without control characters".into()),
        None => Ok(()),
    }
}

/// Says what is wrong with the reason of a request.
pub(crate) fn check_reason(reason: &str) -> Result<(), String> {
    let length = reason.trim().chars().count();
    if (1..=REASON_CHARS).contains(&length) { Ok(()) } else { Err(format!("must be 1 to {REASON_CHARS} characters")) }
}
