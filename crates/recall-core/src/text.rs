//! Words and their places: folding, tokens and sentences, made once per turn and shared by every stage.

mod ascii;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::lexicon::stem;

/// Text after folding, with the way back to the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// NFKC, lower case, plain quotes and dashes, no invisible characters, single spaces.
    pub text: String,
    /// For every byte of `text` the byte range start of the original character it came from; one more for the end.
    origin: Vec<usize>,
}

impl Folded {
    /// Folds a text: NFKC, case, typographic quotation marks and dashes, invisible characters, runs of white space.
    /// Accents, words and digits stay.
    pub fn new(original: &str) -> Self {
        let mut text = String::with_capacity(original.len());
        let mut origin = Vec::with_capacity(original.len() + 1);
        for (at, character) in original.char_indices().filter(|(_, c)| !is_invisible(*c)) {
            if character.is_ascii_graphic() {
                // NFKC leaves it alone.
                text.push(plain(character.to_ascii_lowercase()));
                origin.push(at);
                continue;
            }
            for folded in std::iter::once(character).nfkc().flat_map(char::to_lowercase).map(plain) {
                if folded.is_whitespace() {
                    if text.is_empty() || text.ends_with(' ') {
                        continue;
                    }
                    push(&mut text, &mut origin, ' ', at);
                } else {
                    push(&mut text, &mut origin, folded, at);
                }
            }
        }
        if text.ends_with(' ') {
            text.pop();
            origin.pop();
        }
        origin.push(original.len());
        recompose(&mut text, &mut origin);
        Self { text, origin }
    }

    /// The byte range of the original that a byte range of the folded text came from.
    pub fn original_range(&self, folded: Range<usize>, original: &str) -> Range<usize> {
        let start = self.origin.get(folded.start).copied().unwrap_or(original.len());
        let last = folded.end.checked_sub(1).and_then(|at| self.origin.get(at)).copied().unwrap_or(start);
        let end = original.get(last..).and_then(|rest| rest.chars().next()).map_or(last, |c| last + c.len_utf8());
        start..end.max(start)
    }

    /// Where a folded text stands, as a byte range of the original; on word borders first.
    pub fn find(&self, needle: &Folded, original: &str) -> Option<Range<usize>> {
        if needle.text.is_empty() {
            return None;
        }
        let found: Vec<usize> = self.text.match_indices(&needle.text).map(|(at, _)| at).collect();
        let whole = |at: &&usize| self.is_border(**at) && self.is_border(**at + needle.text.len());
        let at = found.iter().find(whole).or(found.first())?;
        Some(self.original_range(*at..*at + needle.text.len(), original))
    }

    fn is_border(&self, at: usize) -> bool {
        let before = self.text.get(..at).and_then(|text| text.chars().next_back());
        let after = self.text.get(at..).and_then(|text| text.chars().next());
        !matches!((before, after), (Some(b), Some(a)) if b.is_alphanumeric() && a.is_alphanumeric())
    }
}

fn push(text: &mut String, origin: &mut Vec<usize>, character: char, at: usize) {
    text.push(character);
    origin.extend(std::iter::repeat_n(at, character.len_utf8()));
}

/// Folding character by character leaves "e" + combining accent apart; NFC joins them so that both spellings meet.
fn recompose(text: &mut String, origin: &mut Vec<usize>) {
    if text.is_ascii() || unicode_normalization::is_nfc(text) {
        return;
    }
    let mut joined = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(origin.len());
    let mut at = 0;
    for cluster in text.graphemes(true) {
        for character in cluster.nfc() {
            push(&mut joined, &mut places, character, origin.get(at).copied().unwrap_or_default());
        }
        at += cluster.len();
    }
    places.extend(origin.last());
    *text = joined;
    *origin = places;
}

/// A character that shows nothing and parts no words.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e01ef}')
}

fn plain(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '\u{b4}' | '`' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    }
}

/// Folded form of a text, without the way back.
pub fn fold(text: &str) -> String {
    if text.bytes().all(|sign| sign.is_ascii_graphic() && sign != b'`') {
        return text.to_ascii_lowercase();
    }
    if !text.is_ascii() {
        return Folded::new(text).text;
    }
    // ASCII needs neither normal forms nor the way back.
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        if !character.is_whitespace() {
            folded.push(plain(character.to_ascii_lowercase()));
        } else if !folded.is_empty() && !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    if folded.ends_with(' ') {
        folded.pop();
    }
    folded
}

/// Whether [`fold`] of a text is this folded text; most texts are told apart by their length or first sign.
pub fn folds_to(text: &str, folded: &str) -> bool {
    let text = text.trim();
    let differ = |(one, other): (u8, u8)| !one.eq_ignore_ascii_case(&other) && one != b'`';
    let first = text.bytes().zip(folded.bytes()).next();
    if text.is_ascii() && (text.len() < folded.len() || first.is_some_and(differ)) {
        return false;
    }
    fold(text) == folded
}

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// Letters, perhaps with an apostrophe or digits in it.
    Word,
    /// Begins with a digit.
    Number,
    /// Punctuation, symbols, emoji.
    Symbol,
}

/// A word, number or symbol of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Byte range in the original.
    pub span: Range<usize>,
    /// Folded form (`can't` stays one word).
    pub folded: String,
    /// English stem of the folded form.
    pub stem: String,
    /// What it is made of.
    pub kind: TokenKind,
    /// The original begins with a capital letter.
    pub capital: bool,
    /// Index of its sentence.
    pub sentence: usize,
}

/// Words, numbers and symbols of a text, with the index of the sentence each stands in.
pub fn tokens(text: &str) -> Vec<Token> {
    tokens_of(text, &sentences(text))
}

/// [`tokens`] of a text whose [`sentences`] are known.
pub fn tokens_of(text: &str, sentences: &[Range<usize>]) -> Vec<Token> {
    let mut sentence = 0;
    let read = |(at, word): (usize, &str)| {
        while sentences.get(sentence).is_some_and(|range| range.end <= at) && sentence + 1 < sentences.len() {
            sentence += 1;
        }
        token(at, word, sentence)
    };
    if text.is_ascii() {
        return ascii::words(text).map(read).collect();
    }
    let is_blank = |word: &str| word.chars().all(|c| c.is_whitespace() || is_invisible(c));
    text.split_word_bound_indices().filter(|(_, word)| !is_blank(word)).map(read).collect()
}

fn token(at: usize, word: &str, sentence: usize) -> Token {
    let folded = fold(word);
    let first = folded.chars().next();
    let kind = match first {
        Some(c) if c.is_numeric() => TokenKind::Number,
        Some(c) if c.is_alphabetic() => TokenKind::Word,
        Some(_) | None => TokenKind::Symbol,
    };
    let bare = folded.strip_suffix("'s").unwrap_or(&folded);
    let stem = stem(bare);
    Token {
        span: at..at + word.len(),
        stem,
        kind,
        capital: word.chars().next().is_some_and(char::is_uppercase),
        sentence,
        folded,
    }
}

/// Abbreviations after which a full stop ends no sentence.
const ABBREVIATIONS: [&str; 19] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "etc", "e.g", "i.e", "approx", "no", "dept", "inc", "ltd",
    "a.m", "p.m",
];

/// Byte ranges of the sentences of a text, without gaps; line breaks end a sentence, abbreviations and initials do not.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for line in lines(text) {
        let Some(content) = text.get(line.clone()) else { continue };
        let mut open = false;
        let mut from = 0;
        let mut add = |end: usize| {
            let sentence = content.get(from..end).unwrap_or_default();
            let range = line.start + from..line.start + end;
            match ranges.last_mut() {
                Some(last) if open => last.end = range.end,
                Some(_) | None => ranges.push(range),
            }
            open = ends_open(sentence);
            from = end;
        };
        if content.is_ascii() {
            ascii::sentence_ends(content).for_each(&mut add);
        } else {
            content.split_sentence_bound_indices().for_each(|(at, sentence)| add(at + sentence.len()));
        }
    }
    ranges
}

fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let range = start..start + line.len();
            start = range.end;
            range
        })
        .collect()
}

fn ends_open(sentence: &str) -> bool {
    let Some(head) = sentence.trim_end().strip_suffix('.') else { return false };
    let last = head.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    ABBREVIATIONS.contains(&last.as_str())
        || (last.chars().count() == 1 && last != "i" && last.chars().all(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_found_through_typography_and_leads_back_to_the_original() {
        let original = "So I said:\u{a0}\u{201c}I\u{2019}ll take  the caf\u{e9} job\u{201d} \u{1f642}";
        let found = Folded::new(original).find(&Folded::new("i'll take the cafe\u{301} job"), original).expect("found");
        assert_eq!(original.get(found), Some("I\u{2019}ll take  the caf\u{e9} job"));
    }

    #[test]
    fn plain_words_fold_as_they_do_inside_of_a_text() {
        for text in ["", "  A  b\t`C` \u{b}d\r\n", "x'S", "a\u{1}\u{1c} \u{1f}b ", "9,5%"] {
            assert_eq!(fold(text), Folded::new(text).text, "{text:?}");
        }
    }

    #[test]
    fn accents_digits_and_words_count() {
        let original = "I met Jose at 5";
        assert_eq!(Folded::new(original).find(&Folded::new("jos\u{e9}"), original), None);
        assert_eq!(Folded::new(original).find(&Folded::new("at 6"), original), None);
        assert_eq!(Folded::new(original).find(&Folded::new(""), original), None);
    }

    #[test]
    fn whole_words_are_preferred_over_the_inside_of_others() {
        let original = "category: I have a cat.";
        let found = Folded::new(original).find(&Folded::new("cat"), original).expect("found");
        assert_eq!(found.start, 19);
    }

    #[test]
    fn sentences_end_at_lines_and_not_at_abbreviations() {
        let text = "I saw Dr. Okafor at 5 p.m. yesterday. Good.\nnext line";
        let parts: Vec<&str> = sentences(text).into_iter().filter_map(|range| text.get(range)).collect();
        assert_eq!(parts, ["I saw Dr. Okafor at 5 p.m. yesterday. ", "Good.\n", "next line"]);
    }

    #[test]
    fn tokens_know_their_place_kind_and_sentence() {
        let text = "We can't go. Lisbon's 3 trams!";
        let found: Vec<(String, TokenKind, usize)> =
            tokens(text).into_iter().map(|token| (token.folded, token.kind, token.sentence)).collect();
        assert_eq!(found[1], ("can't".into(), TokenKind::Word, 0));
        assert_eq!(found[4].2, 1);
        assert_eq!(found[5], ("3".into(), TokenKind::Number, 1));
    }
}
