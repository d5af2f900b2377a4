//! Where somebody lives, told without a verb of living: "my place is in Lagos", "home is Lagos", "I'm in Lagos now".

use super::claim::{Claim, Item};
use super::passage::{Passage, Word};

/// The most words of a passage such a phrase is looked for in.
const WORDS: usize = 400;

/// Indices of the words that show an item which tells of living somewhere; of each phrase the one right before the place.
pub(super) fn show(claim: &Claim, item: &Item, passage: &Passage<'_>) -> Vec<usize> {
    if !matches!(&*item.root, "live" | "resid") || claim.says(&["lived", "resided", "used"]) {
        return Vec::new();
    }
    let words = passage.words.get(..WORDS).unwrap_or(&passage.words);
    let is_place = |at: &usize| {
        let place = words.get(at + 1).filter(|word| word.capital);
        place.is_some_and(|place| words.get(*at).is_some_and(|before| before.piece == place.piece))
            && (is_home(words, *at) || is_there_now(passage, words, *at))
    };
    (0..words.len()).filter(is_place).collect()
}

/// "my place is in", "our home is", "home is": the place stands right behind.
fn is_home(words: &[Word<'_>], at: usize) -> bool {
    const HOMES: &[&str] = &["place", "home", "house", "flat", "apartment", "apt"];
    let text = |at: usize| words.get(at).map_or("", |word| &*word.text);
    let end = if text(at) == "in" { at.checked_sub(1) } else { Some(at) };
    let Some(end) = end else { return false };
    // "home's": the verb is joined to the noun.
    let noun = match text(end) {
        "is" | "remains" => end.checked_sub(1),
        joined if joined.ends_with("'s") => Some(end),
        _ => None,
    };
    let Some(noun) = noun.filter(|noun| HOMES.contains(&text(*noun).trim_end_matches("'s"))) else { return false };
    let owner = noun
        .checked_sub(1)
        .filter(|owner| words.get(*owner).map(|word| word.piece) == words.get(noun).map(|word| word.piece));
    match owner.map(text) {
        Some("my" | "our") => true,
        None | Some("and" | "so" | "now" | "but" | "well") => text(noun).starts_with("home"),
        Some(_) => false,
    }
}

/// "I'm in Lagos now": at home there, unless it is said to be for a while.
fn is_there_now(passage: &Passage<'_>, words: &[Word<'_>], at: usize) -> bool {
    const LASTING: &[&str] = &["now", "nowadays", "permanently", "since", "days"];
    const PASSING: &[&str] = &[
        "for",
        "until",
        "till",
        "visiting",
        "visit",
        "holiday",
        "vacation",
        "trip",
        "weekend",
        "airport",
        "hotel",
        "just",
        "conference",
        "tonight",
        "today",
        "week",
        "stuck",
    ];
    let text = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |word| &*word.text);
    let before = |steps: usize| text(at.checked_sub(steps));
    let is_in = text(Some(at)) == "in"
        && (matches!(before(1), "i'm" | "im" | "we're")
            || before(1) == "am" && before(2) == "i"
            || before(1) == "are" && before(2) == "we");
    is_in
        && passage.piece_of(at).is_some_and(|piece| {
            let clause = passage.clause_words(piece.clause);
            let says = |list: &[&str]| clause.iter().any(|word| list.contains(word));
            says(LASTING) && !says(PASSING)
        })
}
