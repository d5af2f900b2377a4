//! Step 1: drops turns with nothing to keep, before any model is asked. A turn goes by its most informative clause.

mod answers;
mod news;
mod reactions;

use crate::reading::acts::{Act, Clause};
use crate::reading::blocks::BlockKind;
use crate::reading::{ReadTurn, Reading};
use crate::stage::Reason;
use crate::text::{Token, TokenKind};
use crate::turn::Role;

/// Judges one turn of the call; `Ok` keeps it.
///
/// # Errors
/// The reason it is dropped.
pub fn prefilter(reading: &Reading, turn: &ReadTurn) -> Result<(), Reason> {
    if reading.window.seen.contains(&turn.turn.id) {
        return Err(Reason::Seen);
    }
    let place = reading.turns.iter().position(|other| std::ptr::eq(other, turn));
    let before = place.and_then(|at| at.checked_sub(1)).and_then(|at| reading.turns.get(at));
    let after = place.and_then(|at| reading.turns.get(at + 1));
    match turn.turn.role {
        Role::System | Role::Tool => Err(Reason::Role),
        Role::Assistant if !reading.window.settings.extract_from_assistant => {
            if after.is_some_and(|after| answers::leans_on(after, turn)) { Ok(()) } else { Err(Reason::Role) }
        }
        Role::Assistant | Role::User => by_content(turn, before),
    }
}

fn by_content(turn: &ReadTurn, before: Option<&ReadTurn>) -> Result<(), Reason> {
    let content = turn.turn.content.as_str();
    if !turn.tokens.iter().any(|token| token.kind != TokenKind::Symbol) || news::only_addresses(content) {
        return Err(Reason::Empty);
    }
    if turn.clauses.is_empty() {
        return only_blocks(turn);
    }
    let clauses: Vec<Heard<'_>> = turn.clauses.iter().map(|clause| Heard::new(turn, clause)).collect();
    if clauses.iter().any(|heard| news::tells(heard, turn.language)) {
        return Ok(());
    }
    if before.is_some_and(|before| answers::answers(turn, before)) {
        return Ok(());
    }
    Err(reason(&clauses))
}

/// A clause with its words.
struct Heard<'a> {
    clause: &'a Clause,
    tokens: &'a [Token],
}

impl<'a> Heard<'a> {
    fn new(turn: &'a ReadTurn, clause: &'a Clause) -> Self {
        let start = turn.tokens.partition_point(|token| token.span.start < clause.span.start);
        let end = turn.tokens.partition_point(|token| token.span.start < clause.span.end);
        Self { clause, tokens: turn.tokens.get(start..end).unwrap_or_default() }
    }

    fn words(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.tokens.iter().filter(|token| token.kind != TokenKind::Symbol).map(|token| token.folded.as_str())
    }
}

/// A turn without words of its own goes by what it is made of. Somebody else's words may be worth a report.
fn only_blocks(turn: &ReadTurn) -> Result<(), Reason> {
    let largest = turn.blocks.iter().max_by_key(|block| block.span.len());
    match largest.map(|block| block.kind) {
        Some(BlockKind::Recalled) => Err(Reason::Recalled),
        Some(BlockKind::Code) => Err(Reason::Code),
        Some(BlockKind::Log) => Err(Reason::Log),
        Some(BlockKind::Quotation) | None => Ok(()),
    }
}

/// What the turn is, when nothing in it tells anything.
fn reason(clauses: &[Heard<'_>]) -> Reason {
    let does = |act: Act| clauses.iter().any(|heard| heard.clause.act == act);
    if does(Act::Question) || does(Act::Request) {
        return Reason::Question;
    }
    if does(Act::Meta) {
        return Reason::Meta;
    }
    match clauses.last().map(|heard| heard.clause.act) {
        Some(Act::Greeting) => Reason::Greeting,
        Some(Act::Statement | Act::Question | Act::Request | Act::Acknowledgement | Act::Meta) | None => {
            Reason::Acknowledgement
        }
    }
}
