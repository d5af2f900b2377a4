//! Which reading of an open date a turn means: the clause around it tells of what was or of what will be.

use crate::lexicon::verbs::{self, Form};
use crate::moment::Moment;
use crate::reading::ReadTurn;
use crate::reading::acts::Modality;
use crate::reading::dates::tense::{self, Tense};
use crate::reading::dates::{Dated, Extent};
use crate::text::Token;

/// Tokens of the clause around a date: up to the next mark or conjunction on each side.
pub(super) fn clause_of<'a>(turn: &'a ReadTurn, dated: &Dated) -> &'a [Token] {
    let tokens = turn.tokens.as_slice();
    let first = tokens.partition_point(|token| token.span.end <= dated.span.start);
    let after = tokens.partition_point(|token| token.span.start < dated.span.end);
    let Some(sentence) = tokens.get(first).map(|token| token.sentence) else { return &[] };
    let border = |token: &Token| {
        token.sentence != sentence
            || matches!(
                token.folded.as_str(),
                "," | ";" | ":" | "-" | "(" | ")" | "\u{2026}" | "but" | "so" | "and" | "because" | "then" | "while"
            )
    };
    let from = tokens.get(..first).unwrap_or_default().iter().rposition(border).map_or(0, |at| at + 1);
    let rest = tokens.get(after..).unwrap_or_default();
    let to = rest.iter().position(border).map_or(tokens.len(), |at| after + at);
    tokens.get(from..to).unwrap_or_default()
}

/// Whether the date of a turn tells of what was or will be; `None` where no word decides.
pub(super) fn tense_of(turn: &ReadTurn, dated: &Dated) -> Option<Tense> {
    let words = turn.turn.content.as_str().get(dated.span.clone()).unwrap_or_default();
    if words.get(..5).is_some_and(|first| first.eq_ignore_ascii_case("since")) {
        return Some(Tense::Past);
    }
    let clause =
        turn.clauses.iter().find(|clause| clause.span.start <= dated.span.start && dated.span.end <= clause.span.end);
    match clause.map(|clause| clause.modality) {
        Some(Modality::Plan) => return Some(Tense::Future),
        Some(Modality::Past) => return Some(Tense::Past),
        Some(Modality::Actual | Modality::Possible | Modality::Wish | Modality::Hypothetical) | None => {}
    }
    if is_arranged(turn, dated) || begins_with_doing(turn, dated) {
        return None;
    }
    let read = |tokens: &[Token]| {
        let outside = |token: &&Token| token.span.end <= dated.span.start || dated.span.end <= token.span.start;
        let words: Vec<&str> = tokens.iter().filter(outside).map(|token| token.folded.as_str()).collect();
        let place = tokens.iter().filter(outside).filter(|token| token.span.start < dated.span.start).count();
        tense::tense(&words, place)
    };
    read(clause_of(turn, dated)).or_else(|| {
        let first = turn.tokens.iter().find(|token| token.span.end > dated.span.start)?.sentence;
        let from = turn.tokens.partition_point(|token| token.sentence < first);
        let to = turn.tokens.partition_point(|token| token.sentence <= first);
        read(turn.tokens.get(from..to.min(from + 200)).unwrap_or_default())
    })
}

/// "I signed up for a rehearsal on 20 March": the arranging is over, the day may be ahead, so the nearer reading is meant.
fn is_arranged(turn: &ReadTurn, dated: &Dated) -> bool {
    const ARRANGING: [&str; 14] = [
        "signed",
        "registered",
        "enrolled",
        "booked",
        "reserved",
        "scheduled",
        "arranged",
        "rsvped",
        "invited",
        "entered",
        "applied",
        "bought",
        "got",
        "made",
    ];
    let mut before = clause_of(turn, dated).iter().filter(|token| token.span.end <= dated.span.start);
    let arranging = before.any(|token| ARRANGING.contains(&token.folded.as_str()));
    arranging
        && before.any(|token| matches!(token.folded.as_str(), "for" | "to" | "appointment" | "tickets" | "reservation"))
}

/// "moving in May": a participle alone may tell of either, so the nearer reading is meant.
fn begins_with_doing(turn: &ReadTurn, dated: &Dated) -> bool {
    let clause = clause_of(turn, dated);
    let is_first = clause.first().is_some_and(|first| verbs::form(&first.folded) == Form::Progressive);
    is_first && !clause.iter().skip(1).any(|token| verbs::is_known(&token.folded))
}

/// Without a verb the nearer reading is meant: "dentist on Friday" is ahead, "rent up in February" behind.
pub(super) fn nearer_ahead(turn: &ReadTurn, dated: &Dated) -> bool {
    if dated.extent == Extent::OpenStart {
        return true;
    }
    let (Some(at), Some(past), Some(future)) = (turn.turn.at, dated.start, dated.future) else { return true };
    let seconds = |moment: Moment| moment.microseconds().abs_diff(at.microseconds());
    seconds(future) < seconds(past)
}
