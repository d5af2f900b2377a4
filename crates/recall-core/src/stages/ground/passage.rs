//! The words a claim may rest on: the cited sentences with their neighbours, cut into pieces that each speak of one person.

use std::borrow::Cow;
use std::ops::Range;

use super::person::{self, Who};
use super::quotes::Place;
use crate::lexicon::{self, numbers};
use crate::reading::acts::{Act, Modality};
use crate::reading::blocks::BlockKind;
use crate::reading::{ReadTurn, Reading, modality};
use crate::text::{Token, TokenKind};

/// Everything the cited turns say near the quotes.
pub(super) struct Passage<'a> {
    /// The cited turns, in the order of the places.
    pub turns: Vec<&'a ReadTurn>,
    /// Words in the order of the turns.
    pub words: Vec<Word<'a>>,
    /// Runs of words that speak of one person.
    pub pieces: Vec<Piece>,
}

/// A word of a cited turn.
pub(super) struct Word<'a> {
    /// Folded.
    pub text: Cow<'a, str>,
    /// The form under which it meets its other forms.
    pub root: Cow<'a, str>,
    /// Value of a number or number word.
    pub value: Option<String>,
    /// Begins with a capital letter.
    pub capital: bool,
    /// Byte range in its turn.
    pub span: Range<usize>,
    /// Index into [`Passage::pieces`].
    pub piece: usize,
    /// Stands under a denial.
    pub negated: bool,
    /// Stands in a quote.
    pub quoted: bool,
    /// Number of the run between commas and other marks, counted through the passage.
    pub chunk: usize,
}

/// What a clause does, as far as a claim can lean on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Says so.
    Asserted,
    /// Asks.
    Asked,
    /// Orders something to be done or written.
    Ordered,
    /// Somebody else's words.
    Quoted,
}

/// A run of words of one clause that speaks of one person.
#[derive(Debug)]
pub(super) struct Piece {
    /// Index into [`Passage::turns`].
    pub turn: usize,
    /// Indices of its words.
    pub words: Range<usize>,
    /// Number of its clause, counted through the passage.
    pub clause: usize,
    /// Of whom it speaks.
    pub who: Who,
    /// What its clause does.
    pub standing: Standing,
    /// How its clause stands to the world.
    pub modality: Modality,
    /// A quote touches it.
    pub quoted: bool,
}

impl<'a> Passage<'a> {
    /// The passage around quoted places; whole turns where a place is a whole turn.
    pub(super) fn new(reading: &'a Reading, places: &[Place<'a>]) -> Self {
        let mut passage = Self { turns: Vec::new(), words: Vec::new(), pieces: Vec::new() };
        for place in places {
            if passage.turns.iter().any(|turn| std::ptr::eq(*turn, place.turn)) {
                continue;
            }
            let spans: Vec<&Range<usize>> =
                places.iter().filter(|other| std::ptr::eq(other.turn, place.turn)).map(|other| &other.span).collect();
            passage.turns.push(place.turn);
            passage.add(place.turn, &spans);
        }
        person::settle(reading, &mut passage);
        passage
    }

    /// The words of a piece.
    pub(super) fn said(&self, piece: &Piece) -> &[Word<'a>] {
        self.words.get(piece.words.clone()).unwrap_or_default()
    }

    /// The piece a word stands in.
    pub(super) fn piece_of(&self, word: usize) -> Option<&Piece> {
        self.words.get(word).and_then(|word| self.pieces.get(word.piece))
    }

    /// All words of the clause a piece belongs to, folded.
    pub(super) fn clause_words(&self, clause: usize) -> Vec<&str> {
        let pieces = self.pieces.iter().filter(|piece| piece.clause == clause);
        pieces.flat_map(|piece| self.said(piece)).map(|word| &*word.text).collect()
    }

    fn add(&mut self, turn: &'a ReadTurn, spans: &[&Range<usize>]) {
        let near = near(turn, spans);
        let mut clause = self.pieces.last().map_or(0, |piece| piece.clause + 1);
        let tokens: Vec<(&'a Token, Option<usize>)> = turn
            .tokens
            .iter()
            .filter(|token| near.contains(&token.sentence))
            .map(|token| (token, clause_at(turn, token)))
            .collect();
        let mut start = 0;
        while start < tokens.len() {
            let key = tokens.get(start).map(|(token, at)| (token.sentence, *at));
            let run = tokens.iter().skip(start).take_while(|(token, at)| Some((token.sentence, *at)) == key).count();
            let run_tokens: Vec<&'a Token> = tokens.iter().skip(start).take(run).map(|(token, _)| *token).collect();
            self.add_clause(turn, &run_tokens, key.and_then(|(_, at)| at), clause, spans);
            clause += 1;
            start += run.max(1);
        }
    }

    fn add_clause(
        &mut self,
        turn: &'a ReadTurn,
        tokens: &[&'a Token],
        at: Option<usize>,
        clause: usize,
        spans: &[&Range<usize>],
    ) {
        let texts: Vec<&str> = tokens.iter().map(|token| token.folded.as_str()).collect();
        let denied = modality::negated(&texts);
        let standing = standing(turn, tokens, at);
        let modality = modality::modality(&texts);
        let turn_index = self.turns.len() - 1;
        let mut chunk = self.words.last().map_or(0, |word| word.chunk + 1);
        for piece in person::pieces(&texts) {
            let from = self.words.len();
            let index = self.pieces.len();
            for at in piece.clone() {
                let (Some(token), Some(negated)) = (tokens.get(at), denied.get(at)) else { continue };
                if token.kind == TokenKind::Symbol {
                    chunk += usize::from(matches!(token.folded.as_str(), "," | ";" | ":" | "-" | "(" | ")" | "/"));
                } else {
                    self.words.push(Word { chunk, ..word(token, index, *negated, spans) });
                }
            }
            let words = from..self.words.len();
            let said = self.words.get(words.clone()).unwrap_or_default();
            let quoted = said.iter().any(|word| word.quoted);
            let who = person::spoken_of(said);
            self.pieces.push(Piece { turn: turn_index, words, clause, who, standing, modality, quoted });
        }
    }
}

fn word<'a>(token: &'a Token, piece: usize, negated: bool, spans: &[&Range<usize>]) -> Word<'a> {
    Word {
        text: Cow::Borrowed(token.folded.as_str()),
        root: lexicon::root(token),
        value: numbers::value(&token.folded),
        capital: token.capital,
        span: token.span.clone(),
        piece,
        negated,
        quoted: spans.iter().any(|span| span.start < token.span.end && token.span.start < span.end),
        chunk: 0,
    }
}

/// Sentences a quote touches, and one on either side for what it leans on.
fn near(turn: &ReadTurn, spans: &[&Range<usize>]) -> Range<usize> {
    let touched = turn
        .tokens
        .iter()
        .filter(|token| spans.iter().any(|span| span.start < token.span.end && token.span.start < span.end));
    let (mut first, mut last) = (usize::MAX, 0);
    for token in touched {
        first = first.min(token.sentence);
        last = last.max(token.sentence);
    }
    first.saturating_sub(1)..last.saturating_add(2)
}

fn clause_at(turn: &ReadTurn, token: &Token) -> Option<usize> {
    turn.clauses.iter().position(|clause| clause.span.start <= token.span.start && token.span.end <= clause.span.end)
}

fn standing(turn: &ReadTurn, tokens: &[&Token], at: Option<usize>) -> Standing {
    let inside = |kind: BlockKind| {
        turn.blocks.iter().any(|block| {
            block.kind == kind
                && tokens.iter().all(|token| block.span.start <= token.span.start && token.span.end <= block.span.end)
        })
    };
    if inside(BlockKind::Quotation) {
        return Standing::Quoted;
    }
    match at.and_then(|at| turn.clauses.get(at)).map(|clause| clause.act) {
        Some(Act::Question) => Standing::Asked,
        Some(Act::Request | Act::Meta) => Standing::Ordered,
        Some(Act::Statement | Act::Greeting | Act::Acknowledgement) => Standing::Asserted,
        None if tokens.last().is_some_and(|token| matches!(token.folded.as_str(), "?" | "\u{ff1f}")) => Standing::Asked,
        None => Standing::Asserted,
    }
}
