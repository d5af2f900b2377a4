//! The words a claim may rest on: the cited sentences with their neighbours, cut into pieces that each speak of one person.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::endings;
use super::person::{self, Who};
use super::quotes::{Place, clause_at, near};
use super::runs::{begins_chunk, joined, modalities};
use crate::lexicon::senses::{self, Senses};
use crate::lexicon::{self, numbers};
use crate::reading::acts::{Act, Modality};
use crate::reading::blocks::BlockKind;
use crate::reading::{ReadTurn, modality};
use crate::text::{self, Token, TokenKind};

/// The most tokens of all turns together that a passage takes in: more than the longest quotes hold in plain words.
/// What lies beyond carries nothing, so that a claim of it counts as unsaid.
const LONGEST: usize = 4_000;

/// The longest run outside of clauses that is read as one, in tokens.
const LONGEST_RUN: usize = 300;

/// Everything the cited turns say near the quotes.
pub(super) struct Passage<'a> {
    /// The cited turns, in the order of the places.
    pub turns: Vec<&'a ReadTurn>,
    /// Words in the order of the turns.
    pub words: Vec<Word<'a>>,
    /// Runs of words that speak of one person, by clause.
    pub pieces: Vec<Piece>,
    /// Folded words of everybody and everything a pronoun of the turns was resolved to.
    pub meant: HashSet<String>,
    /// The quoted words, or the clause they go on from, hold a word that stands in for another: "it runs until June and [costs 90]".
    pub points_back: bool,
}

/// A word of a cited turn.
pub(super) struct Word<'a> {
    /// Folded.
    pub text: Cow<'a, str>,
    /// The form under which it meets its other forms.
    pub root: Cow<'a, str>,
    /// What is known of the root.
    pub senses: Option<&'static Senses>,
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
    /// A denial stands right before it.
    pub denied_here: bool,
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
}

impl<'a> Passage<'a> {
    /// The passage around quoted places; whole turns where a place is a whole turn.
    pub(super) fn new(places: &[Place<'a>]) -> Self {
        let mut passage = Self {
            turns: Vec::new(),
            words: Vec::new(),
            pieces: Vec::new(),
            meant: HashSet::new(),
            points_back: false,
        };
        let mut room = LONGEST;
        for place in places {
            if passage.turns.iter().any(|turn| std::ptr::eq(*turn, place.turn)) {
                continue;
            }
            let spans: Vec<&Range<usize>> =
                places.iter().filter(|other| std::ptr::eq(other.turn, place.turn)).map(|other| &other.span).collect();
            passage.turns.push(place.turn);
            let near = near(place.turn, &spans);
            let near = near.start..near.end.min(near.start + room);
            room -= near.len();
            passage.add(place.turn, near, &spans);
        }
        let references = passage.turns.iter().flat_map(|turn| &turn.references);
        let names = references.flat_map(|reference| &reference.antecedents);
        passage.meant = names.flat_map(|name| name.split_whitespace()).map(text::fold).collect();
        passage.points_back = points_back(&passage);
        person::settle(&mut passage);
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
        let from = self.pieces.partition_point(|piece| piece.clause < clause);
        let pieces = self.pieces.iter().skip(from).take_while(|piece| piece.clause == clause);
        pieces.flat_map(|piece| self.said(piece)).map(|word| &*word.text).collect()
    }

    fn add(&mut self, turn: &'a ReadTurn, near: Range<usize>, spans: &[&Range<usize>]) {
        let mut clause = self.pieces.last().map_or(0, |piece| piece.clause + 1);
        let mut rest = turn.tokens.get(near).unwrap_or_default();
        let mut at = rest.first().map_or(0, |first| clause_at(turn, first.span.start));
        while let Some(first) = rest.first() {
            while turn.clauses.get(at).is_some_and(|clause| clause.span.end <= first.span.start) {
                at += 1;
            }
            let inside = turn.clauses.get(at).filter(|clause| clause.span.start <= first.span.start);
            let run = rest.iter().take_while(|token| match inside {
                Some(clause) => token.span.end <= clause.span.end,
                None => {
                    token.sentence == first.sentence
                        && turn.clauses.get(at).is_none_or(|next| token.span.end <= next.span.start)
                }
            });
            let run = run.take(LONGEST_RUN).count().max(1);
            let (tokens, left) = rest.split_at_checked(run).unwrap_or((rest, &[]));
            self.add_clause(turn, &joined(tokens, turn), inside.map(|clause| clause.act), clause, spans);
            clause += 1;
            rest = left;
        }
    }

    fn add_clause(
        &mut self,
        turn: &'a ReadTurn,
        tokens: &[Cow<'a, Token>],
        act: Option<Act>,
        clause: usize,
        spans: &[&Range<usize>],
    ) {
        let texts: Vec<&str> = tokens.iter().map(|token| token.folded.as_str()).collect();
        let ended = endings::ended(&texts);
        let denied = modality::negated(&texts).into_iter().zip(ended).map(|(negated, ended)| negated != ended);
        let denied: Vec<bool> = denied.zip(endings::seldom(&texts)).map(|(denied, seldom)| denied || seldom).collect();
        let standing = standing(turn, tokens, act);
        let scopes = modality::scopes(&texts);
        let stands = modalities(&texts, &scopes);
        let turn_index = self.turns.len() - 1;
        let mut chunk = self.words.last().map_or(0, |word| word.chunk + 1);
        let mut chunk_start = 0;
        for piece in person::pieces(tokens, &scopes) {
            let from = self.words.len();
            let index = self.pieces.len();
            for at in piece.clone() {
                let (Some(token), Some(negated)) = (tokens.get(at), denied.get(at)) else { continue };
                if begins_chunk(tokens, &texts, at, chunk_start) {
                    chunk += 1;
                    chunk_start = at;
                }
                if token.kind != TokenKind::Symbol {
                    let nearest = texts.get(at.saturating_sub(3)..at).unwrap_or_default();
                    let denied_here = *negated && nearest.iter().any(|word| modality::is_denial(word));
                    let word =
                        word(token, index, *negated, spans, texts.get(at.wrapping_sub(1)).copied().unwrap_or_default());
                    self.words.push(Word { chunk, denied_here, ..word });
                }
            }
            let words = from..self.words.len();
            let scope = scopes.partition_point(|scope| scope.end <= piece.start);
            let modality = stands.get(scope).copied().unwrap_or(Modality::Actual);
            let who = person::spoken_of(self.words.get(words.clone()).unwrap_or_default());
            self.pieces.push(Piece { turn: turn_index, words, clause, who, standing, modality });
        }
    }
}

fn points_back(passage: &Passage<'_>) -> bool {
    const STANDING_IN: &[&str] = &[
        "it", "it's", "that", "that's", "this", "there", "them", "one", "they", "mine", "those", "he", "she", "him",
        "her", "his", "he's", "she's",
    ];
    let clause = |word: &Word<'_>| passage.pieces.get(word.piece).map(|piece| (piece.turn, piece.clause));
    let quoted: HashSet<(usize, usize)> = passage.words.iter().filter(|word| word.quoted).filter_map(clause).collect();
    let near =
        |(turn, clause): (usize, usize)| quoted.contains(&(turn, clause)) || quoted.contains(&(turn, clause + 1));
    passage.words.iter().any(|word| STANDING_IN.contains(&&*word.text) && clause(word).is_some_and(near))
}

fn word<'a>(token: &Cow<'a, Token>, piece: usize, negated: bool, spans: &[&Range<usize>], before: &str) -> Word<'a> {
    // "tastes like soap" likes nothing.
    let compares = token.folded == "like" && COMPARING.contains(&before);
    let (text, root) = match token {
        Cow::Borrowed(token) => (Cow::Borrowed(token.folded.as_str()), lexicon::root(token)),
        Cow::Owned(token) => (Cow::Owned(token.folded.clone()), Cow::Owned(lexicon::root(token).into_owned())),
    };
    let root = if compares { Cow::Borrowed("as") } else { root };
    Word {
        text: if compares { Cow::Borrowed("as") } else { text },
        senses: senses::of(&root),
        root,
        value: numbers::value(&token.folded),
        capital: token.capital,
        span: token.span.clone(),
        piece,
        negated,
        quoted: touches(token, spans),
        chunk: 0,
        denied_here: false,
    }
}

const COMPARING: &[&str] = &[
    "taste", "tastes", "tasted", "look", "looks", "looked", "feel", "feels", "felt", "sounds", "sound", "smells",
    "seems", "was", "is",
];

fn touches(token: &Token, spans: &[&Range<usize>]) -> bool {
    spans.iter().any(|span| span.start < token.span.end && token.span.start < span.end)
}

fn standing(turn: &ReadTurn, tokens: &[Cow<'_, Token>], act: Option<Act>) -> Standing {
    let ends = tokens.first().zip(tokens.last()).map(|(first, last)| (first.span.start, last.span.end));
    let block = ends.and_then(|(start, end)| turn.block_around(&(start..end)));
    if block.is_some_and(|block| matches!(block.kind, BlockKind::Quotation | BlockKind::Material)) {
        return Standing::Quoted;
    }
    match act {
        Some(Act::Question) => Standing::Asked,
        Some(Act::Request | Act::Meta) => Standing::Ordered,
        Some(Act::Statement | Act::Greeting | Act::Acknowledgement) => Standing::Asserted,
        None if tokens.last().is_some_and(|token| matches!(token.folded.as_str(), "?" | "\u{ff1f}")) => Standing::Asked,
        None => Standing::Asserted,
    }
}
