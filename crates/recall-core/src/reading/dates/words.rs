//! Words, numbers and symbols as the grammar of time reads them: digits and letters apart ("3pm" is two), each with its meanings.

use std::borrow::Cow;
use std::ops::Range;

use super::lexicon::{self, Lex};

/// What a word is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Letters,
    Digits,
    Symbol,
}

/// One word with its place and meanings.
#[derive(Debug)]
pub(super) struct Word<'a> {
    /// Byte range in the text.
    pub(super) span: Range<usize>,
    /// Lower case, plain apostrophes.
    pub(super) text: Cow<'a, str>,
    pub(super) kind: Kind,
    /// White space stands before it.
    pub(super) spaced: bool,
    pub(super) capital: bool,
    pub(super) lex: Lex,
}

/// The words of a text.
#[derive(Debug)]
pub(super) struct Words<'a> {
    words: Vec<Word<'a>>,
}

const NOTHING: Lex = Lex {
    month: None,
    weekday: None,
    unit: None,
    season: None,
    cardinal: None,
    ordinal: None,
    part: None,
    decade: None,
    opens: false,
    shy: false,
};

impl<'a> Words<'a> {
    /// Cuts a text into words.
    pub(super) fn new(text: &'a str) -> Self {
        let mut words = Vec::new();
        let mut rest = text.char_indices().peekable();
        let mut spaced = true;
        while let Some((start, first)) = rest.next() {
            if first.is_whitespace() {
                spaced = true;
                continue;
            }
            let kind = kind_of(first);
            let mut end = start + first.len_utf8();
            while let Some((at, next)) = rest.peek().copied() {
                if kind == Kind::Symbol || !goes_on(kind, next, text.get(at + next.len_utf8()..)) {
                    break;
                }
                end = at + next.len_utf8();
                rest.next();
            }
            words.push(word(text, start..end, kind, spaced, first.is_uppercase()));
            spaced = false;
        }
        Self { words }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Word<'a>> {
        self.words.get(at)
    }

    /// The meanings of a word; none beyond the end.
    pub(super) fn lex(&self, at: usize) -> &Lex {
        self.words.get(at).map_or(&NOTHING, |word| &word.lex)
    }

    pub(super) fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_ref())
    }

    pub(super) fn is(&self, at: usize, word: &str) -> bool {
        self.text(at) == word
    }

    pub(super) fn any(&self, at: usize, words: &[&str]) -> bool {
        words.contains(&self.text(at))
    }

    /// The word before, or nothing at the beginning.
    pub(super) fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.text(at))
    }

    /// Follows the one before without white space.
    pub(super) fn glued(&self, at: usize) -> bool {
        at > 0 && self.words.get(at).is_some_and(|word| !word.spaced)
    }

    /// Value of a run of at most eight digits.
    pub(super) fn number(&self, at: usize) -> Option<u32> {
        let word = self.words.get(at).filter(|word| word.kind == Kind::Digits && word.text.len() <= 8)?;
        word.text.parse().ok()
    }

    /// Count of digits of a number; 0 for other words.
    pub(super) fn digits(&self, at: usize) -> usize {
        self.words.get(at).filter(|word| word.kind == Kind::Digits).map_or(0, |word| word.text.len())
    }

    /// The first of these words that is not one of the given ones.
    pub(super) fn skip(&self, at: usize, words: &[&str]) -> usize {
        if self.any(at, words) { at + 1 } else { at }
    }

    /// Nothing but symbols stands outside the range.
    pub(super) fn is_whole(&self, range: Range<usize>) -> bool {
        let outside = (0..range.start.min(8)).chain(range.end..self.len().min(range.end + 8));
        range.start <= 8
            && self.len() <= range.end + 8
            && outside.into_iter().all(|at| self.get(at).is_some_and(|word| word.kind == Kind::Symbol))
    }
}

fn kind_of(c: char) -> Kind {
    match c {
        _ if c.is_ascii_digit() => Kind::Digits,
        _ if c.is_alphabetic() => Kind::Letters,
        _ => Kind::Symbol,
    }
}

fn goes_on(kind: Kind, next: char, rest: Option<&str>) -> bool {
    let inside = || rest.and_then(|rest| rest.chars().next()).is_some_and(char::is_alphabetic);
    match kind {
        Kind::Letters => next.is_alphabetic() || (matches!(next, '\'' | '\u{2019}') && inside()),
        Kind::Digits => next.is_ascii_digit(),
        Kind::Symbol => false,
    }
}

fn word(text: &str, span: Range<usize>, kind: Kind, spaced: bool, capital: bool) -> Word<'_> {
    let original = text.get(span.clone()).unwrap_or_default();
    let folded = match kind {
        Kind::Letters if original.bytes().any(|b| b.is_ascii_uppercase() || !b.is_ascii()) => {
            Cow::Owned(original.to_lowercase().replace('\u{2019}', "'"))
        }
        Kind::Symbol => Cow::Borrowed(plain(original)),
        Kind::Letters | Kind::Digits => Cow::Borrowed(original),
    };
    let lex = if kind == Kind::Letters { lexicon::lookup(&folded) } else { NOTHING };
    Word { span, text: folded, kind, spaced, capital, lex }
}

fn plain(symbol: &str) -> &str {
    match symbol {
        "\u{2010}" | "\u{2011}" | "\u{2012}" | "\u{2013}" | "\u{2014}" | "\u{2015}" | "\u{2212}" | "~" => "-",
        "\u{2018}" | "\u{2019}" => "'",
        other => other,
    }
}
