//! Which words of a claim are names: by their capital, else, in scripts without one, by where they stand.

use super::claim::Language;
use crate::text::{Token, TokenKind};

/// Words that stand before a place.
const IN: &[&str] = &["in", "en", "aus", "nach", "near", "bei", "在", "à", "في"];

/// The word at a place is a name.
pub(super) fn is_name(tokens: &[Token], at: usize, token: &Token, language: Language) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |token| token.folded.as_str());
    let after = tokens.get(at + 1).map_or("", |token| token.folded.as_str());
    let opens = tokens.iter().take(at).all(|before| before.kind == TokenKind::Symbol);
    match language {
        // The first word has its capital from the sentence, and "TV" is a thing.
        Language::English => token.capital && !opens && token.folded.len() > 2,
        Language::Other => {
            let placed = IN.contains(&before) || after == "में";
            let caseless = token.folded.chars().next().is_some_and(|c| !c.is_lowercase() && !c.is_uppercase());
            let capital_is_name = token.capital && !opens && !tokens.iter().any(|token| is_german(&token.folded));
            placed && (token.capital || caseless)
                || capital_is_name
                || before_run(tokens, at)
                || marked_as_place(tokens, at)
        }
    }
}

/// Words of German, which writes every noun with a capital; the other languages write only names so.
fn is_german(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "der",
        "die",
        "das",
        "dem",
        "den",
        "des",
        "ein",
        "eine",
        "einen",
        "einem",
        "einer",
        "und",
        "ist",
        "hat",
        "nicht",
        "mit",
        "seit",
        "wohnt",
        "arbeitet",
        "möchte",
        "mag",
        "nutzer",
        "nutzerin",
        "benutzer",
        "benutzerin",
        "im",
        "zum",
        "zur",
        "als",
        "für",
        "von",
    ];
    WORDS.contains(&text)
}

/// A hiragana sign that only bends the word before it or joins words: a particle, what follows a sign of Chinese origin up to the
/// next particle, or the end of the sentence.
pub(super) fn is_ending_in_kana(tokens: &[Token], at: usize) -> bool {
    const TAIL: usize = 3;
    let text = |at: usize| tokens.get(at).map_or("", |token| token.folded.as_str());
    let is_kana = |at: usize| text(at).starts_with(|c: char| ('\u{3041}'..='\u{309f}').contains(&c));
    let is_particle = |at: usize| matches!(text(at), "は" | "が" | "を" | "に" | "で" | "と" | "も" | "の" | "へ");
    if !is_kana(at) {
        return false;
    }
    let bends = || {
        let run = (0..at).rev().take_while(|before| is_kana(*before) && !is_particle(*before)).count();
        at.checked_sub(run + 1).is_some_and(|before| {
            !is_particle(before) && tokens.get(before).is_some_and(|token| token.kind == TokenKind::Word)
        })
    };
    let rest = tokens.len() - at;
    is_particle(at) || bends() || rest <= TAIL && (at..tokens.len()).all(is_kana)
}

/// A place by its ending or the particle behind it: "İzmir'de", "京都で", "בחיפה".
fn marked_as_place(tokens: &[Token], at: usize) -> bool {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.folded.as_str());
    let here = text(at);
    let is_ideograph = |text: &str| text.chars().next().is_some_and(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let in_turkish = ["'de", "'da", "'te", "'ta"].iter().any(|end| here.ends_with(end));
    let behind = |at: usize| matches!(text(at), "で" | "に" | "から");
    let in_japanese = is_ideograph(here) && (behind(at + 1) || is_ideograph(text(at + 1)) && behind(at + 2));
    let in_hebrew = here.starts_with('ב') && here.chars().count() > 3;
    in_turkish && tokens.get(at).is_some_and(|token| token.capital) || in_japanese || in_hebrew
}

/// Second character of a place name in a script without spaces.
fn before_run(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(2).and_then(|at| tokens.get(at)).is_some_and(|token| token.folded == "在")
}
