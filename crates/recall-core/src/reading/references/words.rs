//! Words as references need them: hyphens joined, endings of possession split off, code and logs left out.

use std::borrow::Cow;
use std::ops::Range;

use crate::reading::blocks::{Block, BlockKind};
use crate::text::{Token, TokenKind};

use super::lexicon;

/// What hangs on a word after an apostrophe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    Bare,
    /// "Ana's bike".
    Genitive,
    /// "she's", "I'll".
    Contracted,
}

/// A word of a turn.
#[derive(Debug, Clone)]
pub(super) struct Word<'a> {
    /// Byte range in the turn, without its tail.
    pub(super) span: Range<usize>,
    /// Folded, without its tail.
    pub(super) text: Cow<'a, str>,
    /// As it stands in the turn, without its tail.
    pub(super) said: Cow<'a, str>,
    /// What hangs on it.
    pub(super) tail: Tail,
    /// Begins with a capital letter.
    pub(super) capital: bool,
    /// Written in capitals throughout, more than one of them.
    pub(super) shouted: bool,
    /// Letters, digits or neither.
    pub(super) kind: TokenKind,
    /// Index of its sentence.
    pub(super) sentence: usize,
    /// Inside somebody else's words.
    pub(super) quoted: bool,
}

impl Word<'_> {
    /// Letters, not digits or signs.
    pub(super) fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }

    /// Exactly this word or sign.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// The words of a turn that a person wrote: nothing of code, logs and recalled memories.
pub(super) fn words<'a>(content: &'a str, tokens: &'a [Token], blocks: &[Block]) -> Vec<Word<'a>> {
    let mut words: Vec<Word<'a>> = Vec::with_capacity(tokens.len());
    let mut hyphen = false;
    for token in tokens {
        let quoted = match kind_at(blocks, token.span.start) {
            Some(BlockKind::Recalled | BlockKind::Code | BlockKind::Log | BlockKind::Material) => continue,
            Some(BlockKind::Quotation) => true,
            None => false,
        };
        let touches = words.last().is_some_and(|last| last.span.end == token.span.start && last.tail == Tail::Bare);
        if touches && is_hyphen(token) && words.last().is_some_and(Word::is_word) {
            hyphen = true;
        } else if hyphen && token.kind == TokenKind::Word && content.get(..token.span.start).is_some_and(ends_hyphen) {
            join(&mut words, content, token);
            hyphen = false;
            continue;
        } else {
            hyphen = false;
        }
        if hyphen && !content.get(token.span.end..).is_some_and(|rest| rest.starts_with(char::is_alphabetic)) {
            hyphen = false;
        }
        if !hyphen {
            words.push(word(content, token, quoted));
        }
    }
    settle_tails(&mut words);
    settle_sentences(&mut words);
    words
}

/// In a text that spares its capitals a full stop ends a sentence, too, whatever letter follows.
fn settle_sentences(words: &mut [Word<'_>]) {
    let mut number = 0;
    let mut before: Option<(usize, usize, bool)> = None;
    let mut open = false;
    for word in words {
        if let Some((sentence, end, closes)) = before
            && (word.sentence != sentence || (closes && end < word.span.start))
        {
            number += 1;
        }
        let closes = matches!(&*word.text, "!" | "?" | "..." | "\u{2026}") || (word.is(".") && !open);
        before = Some((word.sentence, word.span.end, closes));
        open = word.is_word()
            && (lexicon::title(&word.text).is_some() || (word.text.chars().count() == 1 && !word.is("i")));
        word.sentence = number;
    }
}

/// The index of the sentence a place lies in.
pub(super) fn sentence_at(words: &[Word<'_>], at: usize) -> usize {
    let next = words.partition_point(|word| word.span.start <= at);
    next.checked_sub(1).and_then(|last| words.get(last)).map_or(0, |word| word.sentence)
}

fn kind_at(blocks: &[Block], at: usize) -> Option<BlockKind> {
    let next = blocks.partition_point(|block| block.span.end <= at);
    blocks.get(next).filter(|block| block.span.start <= at).map(|block| block.kind)
}

fn is_hyphen(token: &Token) -> bool {
    token.kind == TokenKind::Symbol && token.folded == "-"
}

fn ends_hyphen(before: &str) -> bool {
    before.ends_with(['-', '\u{2010}', '\u{2011}'])
}

fn word<'a>(content: &'a str, token: &'a Token, quoted: bool) -> Word<'a> {
    let original = content.get(token.span.clone()).unwrap_or_default();
    let (text, tail) = split_tail(&token.folded);
    let end = match tail {
        Tail::Bare => token.span.end,
        Tail::Genitive | Tail::Contracted => token.span.start + before_apostrophe(original),
    };
    let letters = || original.chars().filter(|c| c.is_alphabetic());
    let small = original.bytes().any(|sign| sign.is_ascii_lowercase());
    Word {
        span: token.span.start..end,
        text: Cow::Borrowed(text),
        said: Cow::Borrowed(content.get(token.span.start..end).unwrap_or_default()),
        tail,
        capital: token.capital,
        shouted: !small && letters().count() > 1 && letters().all(char::is_uppercase),
        kind: token.kind,
        sentence: token.sentence,
        quoted,
    }
}

fn join(words: &mut [Word<'_>], content: &str, token: &Token) {
    let Some(last) = words.last_mut() else { return };
    let more = word(content, token, last.quoted);
    for (word, part) in [(&mut last.text, more.text), (&mut last.said, more.said)] {
        let word = word.to_mut();
        word.push('-');
        word.push_str(&part);
    }
    last.span.end = more.span.end;
    last.tail = more.tail;
}

fn split_tail(folded: &str) -> (&str, Tail) {
    match folded.split_once('\'') {
        Some((head, "s")) if !head.is_empty() => (head, Tail::Genitive),
        Some((head, "m" | "re" | "ve" | "ll" | "d")) if !head.is_empty() => (head, Tail::Contracted),
        Some(_) | None => (folded, Tail::Bare),
    }
}

fn before_apostrophe(original: &str) -> usize {
    original.rfind(['\'', '\u{2019}', '\u{2018}', '\u{b4}', '`', '\u{2032}', '\u{201b}']).unwrap_or(original.len())
}

/// "Ana's" owns what follows, "Ana's coming" is short for "is".
fn settle_tails(words: &mut [Word<'_>]) {
    for at in 0..words.len() {
        let rest = words.get_mut(at..).unwrap_or_default();
        let Some((word, rest)) = rest.split_first_mut() else { continue };
        if word.tail != Tail::Genitive {
            continue;
        }
        let owns = rest.first().is_some_and(|next| {
            let text = &*next.text;
            next.is_word() && !text.ends_with("ing") && !lexicon::is_function(text) && !lexicon::is_verb(text)
        });
        if lexicon::is_pronoun(&word.text) || !owns {
            word.tail = Tail::Contracted;
        }
    }
}
