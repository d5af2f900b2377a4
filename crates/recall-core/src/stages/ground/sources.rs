//! Who may be a source: people for themselves; the assistant only where a person confirms or answers it; nobody else.

use super::quotes::Place;
use crate::candidate::Candidate;
use crate::context::Context;
use crate::lexicon::numbers;
use crate::reading::blocks::BlockKind;
use crate::reading::{ReadTurn, Reading, Speaker};
use crate::stage::Reason;
use crate::text::{self, TokenKind};
use crate::turn::Role;

/// How the assistant's words stand to the places that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assistant {
    /// No word of the assistant is needed, or it may be a source by itself, or a person answered or confirmed it.
    Allowed,
    /// It was cited, and nobody confirmed it: what only it says is unsaid.
    SetAside,
}

/// Takes out places that may not be a source, or names the objection.
pub(super) fn allowed<'a>(
    cx: &Context<'_>,
    claim: &Candidate,
    places: Vec<Place<'a>>,
) -> Result<(Vec<Place<'a>>, Assistant), Reason> {
    for place in &places {
        by_nature(place)?;
    }
    if echoes(cx, claim, &places) {
        return Err(Reason::PromptEcho);
    }
    if cx.reading.window.settings.extract_from_assistant {
        return Ok((places, Assistant::Allowed));
    }
    let leans = |place: &Place<'_>| {
        place.turn.speaker != Speaker::Assistant
            || places.iter().any(|other| answers(cx.reading, other.turn, place.turn))
    };
    let (kept, aside): (Vec<_>, Vec<_>) = places.iter().cloned().partition(leans);
    if kept.is_empty() {
        return Err(Reason::AssistantOnly);
    }
    let assistant = if aside.is_empty() { Assistant::Allowed } else { Assistant::SetAside };
    Ok((kept, assistant))
}

/// Objections that lie in the turn or in the part of it that is quoted.
fn by_nature(place: &Place<'_>) -> Result<(), Reason> {
    match place.turn.turn.role {
        Role::System => return Err(Reason::PromptEcho),
        Role::Tool => return Err(Reason::NotAsserted),
        Role::User | Role::Assistant => {}
    }
    match place.turn.block_around(&place.span).map(|block| block.kind) {
        Some(BlockKind::Recalled) => Err(Reason::Recalled),
        Some(BlockKind::Quotation) if is_one_word(place) => Ok(()),
        Some(BlockKind::Quotation | BlockKind::Code | BlockKind::Log | BlockKind::Material) => Err(Reason::NotAsserted),
        None => Ok(()),
    }
}

fn is_one_word(place: &Place<'_>) -> bool {
    let quote = place.turn.turn.content.as_str().get(place.span.clone()).unwrap_or_default();
    quote.split_whitespace().count() < 2
}

/// The claim is a sentence of the prompt's examples, and the cited words do not say it.
fn echoes(cx: &Context<'_>, claim: &Candidate, places: &[Place<'_>]) -> bool {
    if cx.reading.window.settings.prompt_examples.is_empty() {
        return false;
    }
    let words = words(&claim.content);
    cx.reading.window.settings.prompt_examples.iter().any(|example| {
        let example = self::words(example);
        let shared = words.iter().filter(|word| example.contains(word)).count();
        let said = || words.iter().filter(|word| places.iter().any(|place| says(place, word))).count();
        shared * 10 >= words.len() * 9 && said() * 2 < words.len()
    })
}

fn words(text: &str) -> Vec<String> {
    let tokens = text::tokens(text).into_iter().filter(|token| token.kind != TokenKind::Symbol);
    tokens.filter(|token| !crate::lexicon::stop::is_function(&token.folded)).map(|token| token.stem).collect()
}

fn says(place: &Place<'_>, stem: &str) -> bool {
    place.turn.tokens.iter().any(|token| token.stem == stem)
}

/// A person's turn that comes right after the assistant's and answers its question or confirms its statement.
fn answers(reading: &Reading, person: &ReadTurn, assistant: &ReadTurn) -> bool {
    let place = |turn: &ReadTurn| reading.turns.iter().position(|other| std::ptr::eq(other, turn));
    let follows = place(assistant).zip(place(person)).is_some_and(|(before, after)| after == before + 1);
    follows && matches!(person.speaker, Speaker::Person(_)) && (asks(assistant) || confirms(person))
}

/// The turn ends in a question.
pub(super) fn asks(turn: &ReadTurn) -> bool {
    turn.tokens
        .iter()
        .rev()
        .find(|token| !token.folded.chars().all(char::is_alphanumeric) || token.kind != TokenKind::Symbol)
        .is_some_and(|token| matches!(token.folded.as_str(), "?" | "\u{ff1f}" | "\u{61f}"))
}

/// "yes", "exactly right".
pub(super) fn confirms(turn: &ReadTurn) -> bool {
    const YES: &[&str] = &[
        "yes",
        "yep",
        "yeah",
        "yup",
        "exactly",
        "correct",
        "right",
        "true",
        "indeed",
        "absolutely",
        "precisely",
        "definitely",
        "ja",
        "genau",
        "sí",
        "si",
        "oui",
        "exacto",
        "stimmt",
        "是",
        "对",
        "نعم",
        "हाँ",
    ];
    first_words(turn, 3).iter().any(|word| YES.contains(&word.as_str()))
}

/// "no", "nope".
pub(super) fn denies(turn: &ReadTurn) -> bool {
    const NO: &[&str] = &["no", "nope", "nah", "never", "none", "nein", "non", "不", "لا", "नहीं"];
    first_words(turn, 1).iter().any(|word| NO.contains(&word.as_str()))
}

/// "no, just the one": the answer says no and how many it is instead.
pub(super) fn corrects(turn: &ReadTurn) -> bool {
    denies(turn) && first_words(turn, 6).iter().any(|word| numbers::value(word).is_some() || word == "one")
}

fn first_words(turn: &ReadTurn, count: usize) -> Vec<String> {
    const OPENING: usize = 40;
    let words = turn.tokens.iter().take(OPENING).filter(|token| token.kind != TokenKind::Symbol);
    words.take(count).map(|token| token.folded.clone()).collect()
}
