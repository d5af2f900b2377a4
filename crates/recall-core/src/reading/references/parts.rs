//! The part a mention plays in its clause, told from the words around it: there is no parser, and none is needed for this much.

use std::sync::LazyLock;

use super::Part;
use super::lexicon;
use super::names;
use super::words::{Tail, Word};

/// The part a mention plays, told from the words around it.
pub(super) fn part(words: &[Word<'_>], start: usize, end: usize) -> Part {
    if words.get(end - 1).is_some_and(|last| last.tail == Tail::Genitive) {
        return Part::Possessor;
    }
    let sentence = words.get(start).map(|word| word.sentence);
    let inside = |word: &&Word<'_>| Some(word.sentence) == sentence;
    let before = start.checked_sub(1).and_then(|before| words.get(before)).filter(inside);
    if is_called(words, start, end) && names::name_at(words, start).is_some() {
        return Part::Vocative;
    }
    let finite = words.get(end - 1).is_some_and(|last| last.tail == Tail::Contracted) || has_verb(words, end);
    match before {
        Some(before) if lexicon::is_preposition(&before.text) => Part::Other,
        _ if finite => Part::Subject,
        Some(before) if before.is_word() && !lexicon::is_function(&before.text) => Part::Object,
        None => Part::Subject,
        Some(_) => Part::Other,
    }
}

/// Whether the verb of a subject follows: at once, behind an adverb, or behind an insertion between commas.
fn has_verb(words: &[Word<'_>], end: usize) -> bool {
    let Some(next) = words.get(end) else { return false };
    if next.is(",") && words.get(end + 1).is_some_and(is_finite) {
        return true;
    }
    if next.is(",") {
        let reach = words.get(end + 1..(end + 14).min(words.len())).unwrap_or_default();
        let close = reach.iter().position(|word| word.is(",") || word.is("."));
        return close.is_some_and(|close| close > 0 && words.get(end + 2 + close).is_some_and(is_finite))
            && reach.first().is_some_and(|first| !first.is("and"));
    }
    let adverb = next.text.ends_with("ly")
        || matches!(
            &*next.text,
            "also" | "never" | "always" | "still" | "then" | "later" | "just" | "often" | "already" | "who"
        );
    is_finite(next) || (adverb && words.get(end + 1).is_some_and(is_finite))
}

/// Looks like the verb of a subject before it.
pub(super) fn is_finite(word: &Word<'_>) -> bool {
    let third_person = || {
        word.text.len() > 3 && word.text.ends_with('s') && !word.text.ends_with("ss") && lexicon::is_common(&word.text)
    };
    word.is_word()
        && !word.capital
        && (lexicon::looks_like_verb(&word.text) || (!lexicon::is_function(&word.text) && third_person()))
}

/// Words before a name that is called.
static INTERJECTIONS: lexicon::Words = LazyLock::new(|| {
    lexicon::words(
        "hi hey hello dear thanks morning oh ok okay bye so yeah yes no well look listen please sorry uh \
    um right goodbye welcome",
    )
});

/// "Hey Tomas", "Paolo, can you", ", Bruno".
fn is_called(words: &[Word<'_>], start: usize, end: usize) -> bool {
    let sentence = words.get(start).map(|word| word.sentence);
    let inside = |word: &&Word<'_>| Some(word.sentence) == sentence;
    let before = start.checked_sub(1).and_then(|before| words.get(before)).filter(inside);
    let after = words.get(end).filter(inside);
    let greeted = before.is_some_and(|word| INTERJECTIONS.contains(&*word.text));
    let opens = before.is_none() || greeted;
    let closes = after.is_none_or(|word| matches!(&*word.text, "." | "!" | "?"));
    let comma_before = before.is_some_and(|word| word.is(","));
    let pet = after.is_some_and(|word| matches!(&*word.text, "honey" | "dear" | "love" | "sweetie" | "darling"));
    let comma_after = pet || after.is_some_and(|word| word.is(","));
    let rest = || words.get(end..).unwrap_or_default().iter().take_while(inside).take(40);
    let opening = || words.get(start.saturating_sub(40)..start).unwrap_or_default().iter().filter(inside);
    let addressed = || {
        rest().count() + opening().count() <= 6
            || opening().chain(rest()).any(|word| {
                matches!(&*word.text, "you" | "your" | "you'd" | "?" | "!" | "please" | "let" | "i" | "me" | "my")
            })
    };
    let to_you = || {
        let next = words.get(end + 1..(end + 5).min(words.len())).unwrap_or_default();
        next.iter().any(|word| matches!(&*word.text, "you" | "your" | "i" | "i'm" | "let's" | "please"))
    };
    (opens && closes)
        || (comma_before && closes && addressed())
        || (opens && comma_after && addressed())
        || (comma_before && comma_after && to_you())
}
