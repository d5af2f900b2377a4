//! Does a clause tell anything worth a model call?

use std::sync::LazyLock;

use regex::Regex;

use super::Heard;
use crate::reading::acts::Act;

/// Does a clause tell something of a person or the world?
pub(super) fn tells(heard: &Heard<'_>, language: Option<&'static str>) -> bool {
    let _ = language;
    match heard.clause.act {
        Act::Statement => true,
        Act::Request => false,
        Act::Question => false,
        Act::Greeting | Act::Acknowledgement | Act::Meta => false,
    }
}

static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\b(?:https?://|www\.)\S+").ok());

/// Nothing but addresses of pages.
pub(super) fn only_addresses(content: &str) -> bool {
    let Some(address) = ADDRESS.as_ref() else { return false };
    address.is_match(content) && !address.replace_all(content, " ").chars().any(char::is_alphanumeric)
}
