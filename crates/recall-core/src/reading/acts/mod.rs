//! Speech acts: what a clause does, in which modality, and whether it says yes or no.

mod openings;
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reading::blocks;
    use crate::text;

    fn read(content: &str) -> Vec<(Act, &str)> {
        let clauses = clauses(content, &text::tokens(content), &blocks::find(content));
        clauses.into_iter().filter_map(|clause| Some((clause.act, content.get(clause.span)?))).collect()
    }

    #[test]
    fn clauses_begin_where_a_new_subject_has_its_own_verb() {
        let table: &[(&str, &[&str])] = &[
            ("my flat is tiny and the stairs are steep", &["my flat is tiny", "and the stairs are steep"]),
            ("I like rowing, baking and chess", &["I like rowing, baking and chess"]),
            ("Lena and I share a boat", &["Lena and I share a boat"]),
            ("if it rains we stay in, and my dad cooks", &["if it rains we stay in,", "and my dad cooks"]),
            ("we wanted the red one but took the blue one", &["we wanted the red one", "but took the blue one"]),
            ("my aunt says she sold the farm", &["my aunt says she sold the farm"]),
            ("I teach maths; last year I taught art", &["I teach maths;", "last year I taught art"]),
            ("I broke a tooth, which is annoying", &["I broke a tooth, which is annoying"]),
            ("we meet at 7:40 (or so)", &["we meet at 7:40 (", "or so)"]),
        ];
        for (content, parts) in table {
            let found: Vec<&str> = read(content).into_iter().map(|(_, part)| part).collect();
            assert_eq!(found, *parts, "{content}");
        }
    }

    #[test]
    fn every_clause_does_what_a_listener_would_say() {
        use Act::{Acknowledgement, Greeting, Meta, Question, Request, Statement};
        let table: &[(&str, &[Act])] = &[
            ("book me a desk for monday, I'm left-handed", &[Request, Statement]),
            ("do you know where one can rent skis", &[Question]),
            ("could you remind me about the bins?", &[Request]),
            ("I moved to Graz, did you know?", &[Statement, Question]),
            ("you live upstairs, right?", &[Question]),
            ("I told you I'm vegan, right?", &[Statement]),
            ("what should I plant, I only have shade?", &[Question, Statement]),
            ("please remember that my surname has two n's", &[Request, Statement]),
            ("did I tell you I got the job?", &[Question, Statement]),
            ("when I was ten we moved to Turku", &[Statement]),
            ("what a day", &[Statement]),
            ("hi there!", &[Greeting]),
            ("Hey Marta!", &[Greeting]),
            ("thanks so much for your help", &[Acknowledgement]),
            ("ok sounds great", &[Acknowledgement]),
            ("that's so cool!", &[Acknowledgement]),
            ("uh-huh", &[Acknowledgement]),
            ("let's change the subject", &[Meta]),
            ("never mention shrimp to me", &[Request]),
            ("tomorrow is my day off", &[Statement]),
            ("Thanks! My bus broke down though", &[Acknowledgement, Statement]),
            ("I wonder if the shop is open", &[Question]),
            ("*sighs* yes", &[Acknowledgement]),
        ];
        for (content, acts) in table {
            let found: Vec<Act> = read(content).into_iter().map(|(act, _)| act).collect();
            assert_eq!(found, *acts, "{content}: {:?}", read(content));
        }
    }

    proptest! {
        #[test]
        fn clauses_are_ordered_disjoint_and_outside_of_blocks(content in "(\\PC{0,6}|[a-z]{1,6}|, | and |i |\\? |\\. |\n|\"|> ){0,40}") {
            let blocks = blocks::find(&content);
            let mut end = 0;
            for clause in clauses(&content, &text::tokens(&content), &blocks) {
                prop_assert!(clause.span.start >= end && clause.span.start < clause.span.end);
                prop_assert!(content.get(clause.span.clone()).is_some());
                prop_assert!(blocks.iter().all(|block| block.span.end <= clause.span.start || clause.span.end <= block.span.start));
                end = clause.span.end;
            }
        }
    }
}
