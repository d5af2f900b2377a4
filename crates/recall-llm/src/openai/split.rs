//! Cuts what does not fit into one request into several that do. Every turn is in some part whole, or, where it alone is too long,
//! in overlapping pieces under its own id; each part sees what was said right before it.

use recall_core::prompt::{Ask, AskTurn};
use recall_core::turn::Said;

use crate::tokens;

/// What the frame of a turn takes: id, role, name, time, line break.
const FRAME_TOKENS: usize = 40;
/// Part of a request that context may take.
const CONTEXT_PART: usize = 4;
/// Part of a piece that is said again at the beginning of the next.
const OVERLAP_PART: usize = 10;
/// Fewer tokens than this for the turns and a request is not worth sending.
const LEAST: usize = 100;

/// Whether a text fits; counts only where its bytes leave that open, since a token is at least one byte.
fn fits(text: &str, most: usize) -> bool {
    text.len() <= most || tokens::count(text) <= most
}

fn cost(turn: &AskTurn) -> usize {
    tokens::count(turn.content.as_str()) + FRAME_TOKENS
}

/// Whether all of it fits into one request of so many tokens for context and turns.
pub(super) fn fits_whole(ask: &Ask, most: usize) -> bool {
    fits_by_bytes(ask, most) || ask.context.iter().chain(&ask.turns).map(cost).sum::<usize>() <= most
}

/// Whether its bytes alone say that it fits: most calls are short, and need no tokens counted.
pub(super) fn fits_by_bytes(ask: &Ask, most: usize) -> bool {
    let all = ask.context.iter().chain(&ask.turns);
    all.map(|turn| turn.content.as_str().len() + FRAME_TOKENS).sum::<usize>() <= most
}

/// The parts of an ask, each of at most so many tokens; `None` where the room is too small for anything.
pub(super) fn split(ask: &Ask, most: usize) -> Option<Vec<Ask>> {
    if fits_whole(ask, most) {
        return Some(vec![ask.clone()]);
    }
    let context_room = most / CONTEXT_PART;
    let room = most - context_room;
    if room < LEAST {
        return None;
    }
    let mut parts: Vec<Vec<AskTurn>> = Vec::new();
    let mut used = room;
    for turn in ask.turns.iter().flat_map(|turn| pieces(turn, room)) {
        let cost = cost(&turn);
        match parts.last_mut() {
            Some(part) if used + cost <= room => part.push(turn),
            Some(_) | None => {
                parts.push(vec![turn]);
                used = 0;
            }
        }
        used += cost;
    }
    let mut before = ask.context.clone();
    let with_context = parts.into_iter().map(|turns| {
        let context = latest(&before, context_room);
        before.extend(turns.iter().cloned());
        Ask { turns, context, ..ask.clone() }
    });
    Some(with_context.collect())
}

/// The last turns that fit, in order.
fn latest(turns: &[AskTurn], room: usize) -> Vec<AskTurn> {
    let mut used = 0;
    let fitting = turns.iter().rev().take_while(|turn| {
        used += cost(turn);
        used <= room
    });
    let mut context: Vec<AskTurn> = fitting.cloned().collect();
    context.reverse();
    context
}

/// A turn whole, or in overlapping pieces.
fn pieces(turn: &AskTurn, room: usize) -> Vec<AskTurn> {
    let words = turn.content.as_str();
    let most = room - FRAME_TOKENS;
    if fits(words, most) {
        return vec![turn.clone()];
    }
    let mut pieces = Vec::new();
    let mut start = 0;
    while let Some(rest) = words.get(start..).filter(|rest| !rest.is_empty()) {
        let length = piece(rest, most);
        let content = Said::new(rest.get(..length).unwrap_or(rest));
        pieces.push(AskTurn { content, ..turn.clone() });
        if length >= rest.len() {
            break;
        }
        start += word_start(rest, length - length / OVERLAP_PART, length);
    }
    pieces
}

/// Length of the longest beginning that fits, rather ending with a sentence or word; at least one character.
fn piece(rest: &str, most: usize) -> usize {
    // Text of few letters has about four bytes a token; begin there and shrink, so that no piece is counted often.
    let mut length = floor(rest, most.saturating_mul(4));
    while let Some(text) = rest.get(..length).filter(|text| !fits(text, most)) {
        length = floor(rest, text.len() * 4 / 5);
    }
    let first = rest.chars().next().map_or(rest.len(), char::len_utf8);
    if length >= rest.len() {
        return rest.len();
    }
    let Some(text) = rest.get(..length).filter(|text| !text.is_empty()) else { return first };
    let late = |at: &usize| *at > length / 2;
    let sentence = [". ", "! ", "? ", "\n"].iter().filter_map(|end| text.rfind(end).map(|at| at + end.len())).max();
    let end = sentence.filter(late).or_else(|| text.rfind(' ').map(|at| at + 1).filter(late));
    end.unwrap_or(length).max(first)
}

/// The nearest place at or before `at` where a character begins.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// The beginning of a word at or after `from`, else of a character; always before or at `end`.
fn word_start(text: &str, from: usize, end: usize) -> usize {
    let from = floor(text, from).max(1);
    let space = text.get(from..end).and_then(|overlap| overlap.find(' ')).map(|at| from + at + 1);
    let start = space.unwrap_or(from);
    if text.is_char_boundary(start) { start } else { end }
}

#[cfg(test)]
mod tests {
    use recall_core::prompt::Library;
    use recall_core::turn::{Role, TurnId};

    use super::*;

    fn turn(id: usize, words: &str) -> AskTurn {
        AskTurn { id: TurnId(format!("t{id}")), role: Role::User, name: None, at: None, content: Said::new(words) }
    }

    fn ask(turns: Vec<AskTurn>, context: Vec<AskTurn>) -> Ask {
        let prompt = Library::builtin().extract("v1").unwrap().clone();
        Ask { session: "s".into(), turns, context, custom_instruction: None, prompt }
    }

    /// Every character of every turn is in the pieces of that turn, in order.
    fn assert_nothing_lost(ask: &Ask, parts: &[Ask], most: usize) {
        for part in parts {
            let all: usize = part.turns.iter().chain(&part.context).map(cost).sum();
            assert!(all <= most, "a part of {all} tokens where {most} are allowed");
        }
        for turn in &ask.turns {
            let words = turn.content.as_str();
            let mut reached = 0;
            for piece in parts.iter().flat_map(|part| &part.turns).filter(|piece| piece.id == turn.id) {
                let text = piece.content.as_str();
                let from = (0..=reached).rev().find(|at| words.get(*at..).is_some_and(|rest| rest.starts_with(text)));
                let from = from.unwrap_or_else(|| panic!("a gap after byte {reached} of {}", turn.id));
                reached = from + text.len();
            }
            assert_eq!(reached, words.len(), "the end of {} is missing", turn.id);
        }
    }

    #[test]
    fn what_fits_by_its_bytes_fits_by_its_tokens() {
        let short = ask(vec![turn(1, "I ski"), turn(2, "\u{1f9c0}\u{4e16} \u{e9}")], vec![turn(0, "hello")]);
        assert!(fits_by_bytes(&short, 140) && fits_whole(&short, 140));
        let long = ask(vec![turn(1, &"I ski in the hills. ".repeat(40))], Vec::new());
        assert!(!fits_by_bytes(&long, 500) && fits_whole(&long, 500));
    }

    #[test]
    fn what_fits_stays_one_request() {
        let ask = ask(vec![turn(1, "I ski")], vec![turn(0, "hello")]);
        assert_eq!(split(&ask, 500), Some(vec![ask.clone()]));
    }

    #[test]
    fn every_kept_turn_is_in_some_request() {
        let sentence = "Number {} of the things I told you about my garden is that the plums were late again. ";
        let turns: Vec<AskTurn> =
            (1..=60).map(|n| turn(n, &sentence.replace("{}", &n.to_string()).repeat(n % 7 + 1))).collect();
        let ask = ask(turns, (0..9).map(|n| turn(100 + n, "an earlier turn that says a little")).collect());
        for most in [300, 700, 1_500] {
            let parts = split(&ask, most).unwrap();
            assert!(parts.len() > 3);
            assert_nothing_lost(&ask, &parts, most);
        }
    }

    #[test]
    fn each_part_sees_what_was_said_right_before_it() {
        let turns: Vec<AskTurn> = (1..=30).map(|n| turn(n, "She sold the boat to my uncle in the end. ")).collect();
        let parts = split(&ask(turns, vec![turn(0, "My aunt had a boat.")]), 600).unwrap();
        assert_eq!(parts[0].context[0].id.as_str(), "t0");
        for pair in parts.windows(2) {
            assert_eq!(pair[1].context.last().map(|turn| &turn.id), pair[0].turns.last().map(|turn| &turn.id));
        }
    }

    #[test]
    fn one_turn_that_is_too_long_is_cut_into_overlapping_pieces_under_its_id() {
        let words: String = (0..900).map(|n| format!("Sentence {n} tells of a day at the harbour. ")).collect();
        let texts = [words, "word ".repeat(4_000), "x".repeat(9_000), "\u{1f9c0}\u{e9}\u{4e16}".repeat(3_000)];
        for text in &texts {
            let ask = ask(vec![turn(1, "short"), turn(2, text), turn(3, "last")], vec![]);
            let parts = split(&ask, 800).unwrap();
            assert_nothing_lost(&ask, &parts, 800);
            let pieces: Vec<usize> = parts
                .iter()
                .flat_map(|part| &part.turns)
                .filter(|t| t.id.as_str() == "t2")
                .map(|t| t.content.as_str().len())
                .collect();
            assert!(pieces.len() > 1 && pieces.iter().sum::<usize>() > text.len(), "{pieces:?} of {}", text.len());
        }
    }

    #[test]
    fn no_room_for_anything_is_said() {
        assert_eq!(split(&ask(vec![turn(1, &"word ".repeat(500))], vec![]), 100), None);
    }
}
