//! Speech acts: what a clause does, in which modality, and whether it says yes or no.

mod phrases;
mod segment;
mod speech;
mod words;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use speech::Asked;

use super::blocks::Block;
use super::modality;
use crate::candidate::Polarity;
use crate::text::{Token, TokenKind};

/// What a clause does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Says that something is so.
    Statement,
    /// Asks.
    Question,
    /// Asks for something to be done.
    Request,
    /// Hello and goodbye.
    Greeting,
    /// Yes, no, ok, thanks, I see.
    Acknowledgement,
    /// Talk about the chat itself.
    Meta,
}

/// How a clause stands to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Modality {
    /// It is or was so.
    Actual,
    /// It is planned or intended.
    Plan,
    /// It may be so.
    Possible,
    /// It is wished for.
    Wish,
    /// It would be so if.
    Hypothetical,
    /// It used to be so.
    Past,
}

/// A clause of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Byte range in the turn.
    pub span: Range<usize>,
    /// What it does.
    pub act: Act,
    /// How it stands to the world.
    pub modality: Modality,
    /// Yes or no.
    pub polarity: Polarity,
}

/// The clauses of a turn, in order, not overlapping; blocks belong to none.
pub fn clauses(content: &str, tokens: &[Token], blocks: &[Block]) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let mut asked_in = None;
    for piece in segment::pieces(content, tokens, blocks) {
        let asked = if asked_in == Some(piece.sentence) { Asked::Already } else { Asked::NotYet };
        let act = speech::act(tokens, piece.tokens.clone(), asked);
        if act == Act::Question {
            asked_in = Some(piece.sentence);
        }
        let Some(span) = span(tokens, &piece.tokens) else { continue };
        let words = words(tokens, &piece.tokens);
        let (modality, polarity) = (modality::modality(&words), modality::polarity(&words));
        clauses.push(Clause { span, act, modality, polarity });
    }
    clauses
}

fn words<'a>(tokens: &'a [Token], range: &Range<usize>) -> Vec<&'a str> {
    let tokens = tokens.get(range.clone()).unwrap_or_default();
    tokens.iter().filter(|token| token.kind != TokenKind::Symbol).map(|token| token.folded.as_str()).collect()
}

fn span(tokens: &[Token], range: &Range<usize>) -> Option<Range<usize>> {
    let tokens = tokens.get(range.clone())?;
    Some(tokens.first()?.span.start..tokens.last()?.span.end)
}
