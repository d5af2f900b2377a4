//! Words the judgement knows: numbers, irregular verbs, people, synonyms. Tables, so that a reader can check them line by line.
//! Their words stand fixed in the build, so a quick hash that keeps out no chosen keys serves them.

pub mod abroad;
pub mod numbers;
pub mod people;
pub mod senses;
mod stemmer;
pub mod stop;
pub mod synonyms;
pub mod verbs;

use std::borrow::Cow;

use crate::text::Token;

pub use stemmer::stem;

/// The form under which a word meets its other forms: irregular verbs and plurals by their base, the rest by stem.
pub fn root(token: &Token) -> Cow<'_, str> {
    let bare = bare(&token.folded);
    match verbs::root(bare).or_else(|| people::root(bare)) {
        Some(root) => Cow::Borrowed(root),
        None => Cow::Borrowed(token.stem.trim_matches('\'')),
    }
}

/// A folded word without its possessive ending.
pub fn bare(folded: &str) -> &str {
    folded.strip_suffix("'s").or_else(|| folded.strip_suffix('\'')).unwrap_or(folded)
}
