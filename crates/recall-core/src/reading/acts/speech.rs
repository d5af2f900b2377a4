//! What a clause does: tells, asks, orders, greets, agrees, or speaks of the chat.

use std::ops::Range;

use super::Act;
use super::openings::begins_order;
use super::phrases::{Tone, set_phrase};
use super::segment::{is_tag, skip_fillers};
use super::words::{ASKED, ASKERS, ASKING, DETERMINERS, GLUED_ASKERS, ORDERED, ORDERS, SUBJECTS, WEAK_ORDERS};
use crate::lexicon::verbs::{self, Form};
use crate::text::{Token, TokenKind};

/// The act of one clause. `asked_before` tells that an earlier clause of the same sentence already asks.
pub(super) fn act(tokens: &[Token], clause: Range<usize>, asked_before: Asked) -> Act {
    let words = words(tokens, clause.clone());
    if let Some(act) = set_phrase(&words, exclaimed(tokens, &clause)) {
        return act;
    }
    let first = skip_fillers(tokens, clause.clone(), false);
    let first = if first >= clause.end { clause.start } else { first };
    if polite_request(tokens, first, clause.end) {
        return Act::Request;
    }
    let relative =
        matches!(word(tokens, first, clause.end), Some("which" | "who" | "whom")) && !ends_asking(tokens, &clause);
    if !relative && asks_by_form(tokens, first, clause.end) {
        return Act::Question;
    }
    if ends_asking(tokens, &clause) {
        return match asked_before {
            Asked::Already if states_in_first_person(tokens, first) => Act::Statement,
            Asked::Already | Asked::NotYet => tagged(tokens, &clause, first),
        };
    }
    if orders(tokens, clause.clone(), first) { Act::Request } else { Act::Statement }
}

/// Whether a sentence already asked before this clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// An earlier clause of it is a question.
    Already,
    /// None is.
    NotYet,
}

/// Folded words, names among them marked; hesitation and words said twice in a row are left out.
fn words(tokens: &[Token], clause: Range<usize>) -> Vec<String> {
    let Some(tokens) = tokens.get(clause) else { return Vec::new() };
    let mut first = true;
    let mut words: Vec<String> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Symbol || is_stage_direction(tokens, at) {
            continue;
        }
        let hesitation = matches!(token.folded.as_str(), "uh" | "um" | "er" | "erm");
        let name = token.capital && !first && !token.folded.starts_with("i'") && token.folded != "i";
        first = false;
        let word = if name { format!("^{}", token.folded) } else { token.folded.clone() };
        if hesitation || words.last() == Some(&word) && word.len() < 8 {
            continue;
        }
        words.push(word);
        let [.., a, b, c, d] = words.as_slice() else { continue };
        if a == c && b == d {
            words.truncate(words.len() - 2);
        }
    }
    words
}

/// `*laughs*`, `<sighs>`: done, not said.
fn is_stage_direction(tokens: &[Token], at: usize) -> bool {
    let mark = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.folded.as_str());
    matches!((mark(at.checked_sub(1)), mark(Some(at + 1))), (Some("<"), Some(">")) | (Some("*"), Some("*")))
}

fn word(tokens: &[Token], at: usize, end: usize) -> Option<&str> {
    tokens.get(at).filter(|token| at < end && token.kind != TokenKind::Symbol).map(|token| token.folded.as_str())
}

fn exclaimed(tokens: &[Token], clause: &Range<usize>) -> Tone {
    let marked = tokens.get(clause.clone()).is_some_and(|tokens| tokens.iter().any(|token| token.folded == "!"));
    if marked { Tone::Exclaimed } else { Tone::Plain }
}

fn ends_asking(tokens: &[Token], clause: &Range<usize>) -> bool {
    let Some(tokens) = tokens.get(clause.clone()) else { return false };
    tokens
        .iter()
        .rev()
        .take_while(|token| token.kind == TokenKind::Symbol)
        .any(|token| matches!(token.folded.as_str(), "?" | "\u{ff1f}" | "\u{61f}" | "\u{37e}"))
}

/// "it's lovely there, isn't it?" tells, when the speaker tells of himself; else it asks to be confirmed.
fn tagged(tokens: &[Token], clause: &Range<usize>, first: usize) -> Act {
    let tag = (clause.start + 1..clause.end)
        .any(|at| tokens.get(at - 1).is_some_and(|token| token.folded == ",") && is_tag(tokens, at, clause.end));
    if tag && states_in_first_person(tokens, first) { Act::Statement } else { Act::Question }
}

fn states_in_first_person(tokens: &[Token], first: usize) -> bool {
    word(tokens, first, usize::MAX).is_some_and(|word| {
        matches!(word, "i" | "we" | "my" | "our" | "im" | "ive") || word.starts_with("i'") || word.starts_with("we'")
    })
}

/// "can you book …", "would you mind …", "i want you to …".
fn polite_request(tokens: &[Token], first: usize, end: usize) -> bool {
    let at = |step: usize| word(tokens, first + step, end);
    let ordered = |step: usize| at(step).is_some_and(|word| ORDERS.contains(&word));
    match (at(0), at(1)) {
        (
            Some("can" | "could" | "will" | "would" | "can't" | "couldn't" | "won't"),
            Some("you" | "u" | "someone" | "anyone"),
        ) => match at(2) {
            Some("please" | "pls" | "kindly" | "also" | "maybe" | "just") => ordered(3),
            Some("mind") => true,
            Some(
                "imagine" | "believe" | "see" | "guess" | "think" | "get" | "say" | "go" | "come" | "do" | "be"
                | "have",
            )
            | None => false,
            Some(_) => ordered(2),
        },
        (Some("i"), Some("do")) => at(2) == Some("want") && at(3) == Some("you"),
        (Some("i"), Some("want" | "need")) => at(2) == Some("you") && at(3) == Some("to"),
        (Some("i'd"), Some("like" | "love")) => at(2) == Some("you") && at(3) == Some("to"),
        _ => false,
    }
}

fn asks_by_form(tokens: &[Token], first: usize, end: usize) -> bool {
    let at = |step: usize| word(tokens, first + step, end);
    let Some(here) = at(0) else { return false };
    if GLUED_ASKERS.contains(&here) {
        return !matches!((here, at(1)), ("what's" | "whats", Some("more" | "worse")));
    }
    if ASKERS.contains(&here) {
        return asker_asks(here, at(1), at(2), at(3), at(4));
    }
    if ASKING.contains(&here) {
        // "did it online" leaves out "I"; with these pronouns only the question mark tells.
        let unclear = matches!(here, "did" | "had" | "was" | "have" | "do" | "don't")
            && matches!(at(1), Some("it" | "that" | "this" | "these" | "those" | "any" | "your"));
        let pronoun = !unclear && at(1).is_some_and(|next| ASKED.contains(&next));
        let noun = at(1).is_some_and(|next| DETERMINERS.contains(&next))
            && !matches!(here, "have" | "had" | "has" | "do" | "don't" | "may")
            && !leaves_out_i(tokens, first, end);
        return pronoun && at(2).is_some() || noun && at(2).is_some();
    }
    match (here, at(1)) {
        (
            "any",
            Some(
                "idea" | "ideas" | "suggestions" | "suggestion" | "tips" | "advice" | "thoughts" | "recommendations"
                | "chance" | "news" | "plans",
            ),
        ) => true,
        ("you", Some("know")) => {
            at(2).is_some_and(|next| ASKERS.contains(&next) && next != "what") && at(3) == Some("i")
        }
        ("i", Some("wonder")) => true,
        ("i'm" | "im", Some("wondering" | "curious")) => true,
        ("wondering" | "anyone" | "anybody", Some(_)) => true,
        ("not", Some("sure")) => false,
        _ => false,
    }
}

/// "did a course in May", "was the captain for years": a past without its "I"; only a question mark, or behind "did" a verb for the noun
/// to do, makes a question of it.
fn leaves_out_i(tokens: &[Token], first: usize, end: usize) -> bool {
    const REACH: usize = 6;
    let at = |step: usize| word(tokens, first + step, end);
    let asks = (first..end).rev().find_map(|at| tokens.get(at)).is_some_and(|last| last.folded == "?");
    let acts = (3..REACH).filter_map(at).any(|word| {
        verbs::is_known(word)
            && verbs::form(word) != Form::Past
            && verbs::form(word) != Form::Progressive
            && !word.ends_with('s')
    });
    match at(0) {
        Some("did") => !asks && !acts,
        Some("was") => !asks && matches!(at(1), Some("the" | "a" | "an" | "my" | "our")) && !is_judged(first, end),
        _ => false,
    }
}

/// "was the film good": behind the noun stands nothing but what is asked of it.
fn is_judged(first: usize, end: usize) -> bool {
    const SHORT: usize = 5;
    end.saturating_sub(first) < SHORT
}

/// "what could i cook", "how do you", "which film is": not "when i was six", "what a day", "how i met him".
fn asker_asks(here: &str, next: Option<&str>, third: Option<&str>, fourth: Option<&str>, fifth: Option<&str>) -> bool {
    let Some(next) = next else { return true };
    if ASKING.contains(&next)
        || matches!(next, "about" | "else" | "come" | "kind" | "kinds" | "sort" | "sorts" | "type" | "to")
    {
        // "what is nice is …" states; it is rare enough to go by the verb that comes again.
        return true;
    }
    if matches!(here, "when" | "where") {
        return false;
    }
    if matches!(next, "a" | "an" | "i" | "we" | "he" | "she" | "they" | "you" | "it") || SUBJECTS.contains(&next) {
        return false;
    }
    [third, fourth, fifth].iter().flatten().take(3).any(|word| ASKING.contains(word))
}

fn orders(tokens: &[Token], clause: Range<usize>, first: usize) -> bool {
    let first = skip_fillers(tokens, first..clause.end, true);
    let still = (clause.start..first)
        .any(|at| matches!(word(tokens, at, clause.end), Some("still" | "usually" | "sometimes" | "i")));
    if still {
        return false;
    }
    if begins_order(tokens, clause.clone()) {
        return true;
    }
    let Some(here) = word(tokens, first, clause.end) else { return false };
    if !ORDERS.contains(&here) {
        return false;
    }
    let next = word(tokens, first + 1, clause.end);
    match next {
        None => !WEAK_ORDERS.contains(&here),
        Some(next) if WEAK_ORDERS.contains(&here) => {
            ORDERED.contains(&next)
                && !matches!(here, "love" | "work" | "need" | "have" | "go" | "play" | "start" | "plan")
        }
        Some(_) => true,
    }
}
