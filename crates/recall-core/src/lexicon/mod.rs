//! Words the judgement knows: numbers, irregular verbs, people, synonyms. Tables, so that a reader can check them line by line.

pub mod abroad;
pub mod numbers;
pub mod people;
pub mod senses;
pub mod stop;
pub mod synonyms;
pub mod verbs;

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

use crate::text::Token;

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// The form under which a word meets its other forms: irregular verbs and plurals by their base, the rest by stem.
pub fn root(token: &Token) -> Cow<'_, str> {
    let bare = bare(&token.folded);
    match verbs::base(bare).or_else(|| people::singular(bare)) {
        Some(base) => Cow::Owned(stem(base)),
        None => Cow::Borrowed(token.stem.trim_matches('\'')),
    }
}

/// English stem of a lower-case word.
pub fn stem(word: &str) -> String {
    STEMMER.stem(word).into_owned()
}

/// A folded word without its possessive ending.
pub fn bare(folded: &str) -> &str {
    folded.strip_suffix("'s").or_else(|| folded.strip_suffix('\'')).unwrap_or(folded)
}
